#ifndef PUSHPIT_CCURL_INTERNAL_H
#define PUSHPIT_CCURL_INTERNAL_H
// What the C files of this target share. Swift does not see it.
#include "abi.h"
#include "CCurl.h"

#pragma GCC visibility push(hidden)

/// One transfer. The pool owns it until it has ended and its result was taken.
struct transfer {
    uint64_t number;
    struct ccurl_pool *pool;
    struct transfer *next;
    CURL *easy;
    struct curl_slist *connect_to;
    struct curl_slist *fields;
    int64_t longest;
    int64_t received;
    /// -1 if the answer announces no length, or has none.
    int64_t announced;
    size_t head_length;
    bool is_cut;
    bool is_refused;
    char problem[CURL_ERROR_SIZE];
    uint8_t head[CCURL_HEAD];
    bool keeps_body;
    /// It goes on with the next `ccurl_act`.
    bool is_paused;
};

struct ccurl_pool {
    struct ccurl_hooks hooks;
    CURLM *multi;
    /// All transfers that have not been taken.
    struct transfer *transfers;
    /// How many bytes of bodies have arrived since `ccurl_act` was called.
    size_t received;
};

/// How many bytes of bodies one call of `ccurl_act` receives.
enum { SHARE = 256 * 1024 };

/// The directory with the system's authorities, each in a file whose name is a hash. NULL if the system has none.
extern const char *ccurl_authorities;

/// NULL if there is no memory, or libcurl refuses an option.
struct transfer *ccurl_transfer_create(struct ccurl_pool *pool, uint64_t number, const struct ccurl_request *request);
void ccurl_transfer_destroy(struct transfer *transfer);
/// - code: the CURLcode with which it ended.
void ccurl_transfer_describe(struct transfer *transfer, int code, struct ccurl_result *result);

#pragma GCC visibility pop

#endif
