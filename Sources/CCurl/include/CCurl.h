#ifndef PUSHPIT_CCURL_H
#define PUSHPIT_CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads libcurl when it is first needed, because it can't be linked statically. It takes some milliseconds; any thread
/// may call it. If it returns false, `problem` says why. All other functions need a loaded library.
bool ccurl_load(char *problem, size_t room);

enum { CCURL_READ = 1, CCURL_WRITE = 2, CCURL_ERROR = 4 };
/// Pass this to `ccurl_act` in place of a socket when the timer has fired.
enum { CCURL_TIMER = -1 };
/// How many bytes of a body are kept.
enum { CCURL_HEAD = 64 };

/// The address of a socket that is about to be opened. An IPv4 address has 4 bytes.
struct ccurl_address {
    uint8_t bytes[16];
    int length;
    uint16_t port;
};

/// What the owner of a pool does for it. libcurl calls these in the middle of its work, so they must not call libcurl.
struct ccurl_hooks {
    void *context;
    /// Watches a socket for these events; stops watching it if `events` is 0.
    void (*watch)(void *context, int socket, int events);
    /// Starts the timer again, so that it fires after this many milliseconds; stops it if the number is negative.
    void (*set_timer)(void *context, long milliseconds);
    /// Whether this transfer may connect to that address.
    bool (*may_connect)(void *context, uint64_t transfer, const struct ccurl_address *address);
    /// Takes the next bytes of a body that is kept. `announced` is the length of the whole body, or -1 if it is unknown.
    void (*keep)(void *context, uint64_t transfer, const uint8_t *bytes, size_t length, int64_t announced);
};

struct ccurl_request {
    const char *url;
    /// Where to connect, whatever the host in the URL is: "::127.0.0.1:80" or "::[::1]:80".
    const char *connect_to;
    /// What to post; NULL for a GET.
    const char *body;
    size_t body_length;
    /// A whole header field; may be NULL.
    const char *field;
    /// The longest body of an answer. The transfer ends when more arrives, or is announced.
    int64_t longest_answer;
    long timeout_milliseconds;
    /// The path of a PEM file with an authority to trust besides the system's.
    const char *authority_file;
    /// Whether a user and password in the URL are sent. Otherwise, such a URL is refused.
    bool sends_user;
    /// Whether the whole body is passed to `keep`.
    bool keeps_body;
};

/// How a transfer ended.
struct ccurl_result {
    uint64_t transfer;
    /// The status of the answer; 0 if there was none.
    long status;
    /// The announced length of the body, or the received length if that is larger.
    int64_t length;
    /// Whether the answer announced a length.
    bool is_announced;
    bool is_late;
    /// There is no connection to the address: nobody listens there, or `may_connect` has refused it.
    bool is_unreachable;
    bool is_refused;
    /// Why it failed; empty if it did not.
    char problem[256];
    char content_type[256];
    /// The absolute URL of a redirect; empty if there is none.
    char redirect[2050];
    uint8_t head[CCURL_HEAD];
    size_t head_length;
};

struct ccurl_pool;

/// NULL if there is no memory.
struct ccurl_pool *ccurl_pool_create(struct ccurl_hooks hooks);
/// Ends all transfers.
void ccurl_pool_destroy(struct ccurl_pool *pool);
/// False if there is no memory, or libcurl refuses an option.
bool ccurl_start(struct ccurl_pool *pool, uint64_t transfer, const struct ccurl_request *request);
/// Goes on after an event on a socket, or after the timer. If it returns true, it has received its share, and has to be
/// called again in the next turn.
bool ccurl_act(struct ccurl_pool *pool, int socket, int events);
/// Takes one transfer that has ended. False if there is none.
bool ccurl_take_ended(struct ccurl_pool *pool, struct ccurl_result *result);

#endif
