#ifndef PUSHPIT_CCURL_ABI_H
#define PUSHPIT_CCURL_ABI_H
// The part of libcurl's binary interface that is used here, so building needs no headers of libcurl. Nothing in it has
// changed since libcurl.so.4 appeared in 2006, apart from new options (the newest here needs libcurl 7.61). Options
// keep their numbers for ever.
#include <sys/socket.h>

typedef void CURL;
typedef void CURLM;
struct curl_slist;

enum { CURL_GLOBAL_ALL = 3 };

enum {
    CURLOPT_WRITEDATA = 10001,
    CURLOPT_URL = 10002,
    CURLOPT_PROXY = 10004,
    CURLOPT_ERRORBUFFER = 10010,
    CURLOPT_WRITEFUNCTION = 20011,
    CURLOPT_USERAGENT = 10018,
    CURLOPT_HTTPHEADER = 10023,
    CURLOPT_NETRC = 51,
    CURLOPT_FOLLOWLOCATION = 52,
    CURLOPT_POSTFIELDSIZE = 60,
    CURLOPT_SSL_VERIFYPEER = 64,
    CURLOPT_CAINFO = 10065,
    CURLOPT_FORBID_REUSE = 75,
    CURLOPT_HTTPGET = 80,
    CURLOPT_SSL_VERIFYHOST = 81,
    CURLOPT_HTTP_VERSION = 84,
    CURLOPT_CAPATH = 10097,
    CURLOPT_NOSIGNAL = 99,
    CURLOPT_PRIVATE = 10103,
    CURLOPT_TIMEOUT_MS = 155,
    CURLOPT_OPENSOCKETFUNCTION = 20163,
    CURLOPT_OPENSOCKETDATA = 10164,
    CURLOPT_COPYPOSTFIELDS = 10165,
    CURLOPT_PROTOCOLS = 181,
    CURLOPT_CONNECT_TO = 10243,
    CURLOPT_DISALLOW_USERNAME_IN_URL = 278,
};
enum { CURL_NETRC_IGNORED = 0, CURL_HTTP_VERSION_1_1 = 2, CURLPROTO_HTTP = 1, CURLPROTO_HTTPS = 2 };

enum {
    CURLINFO_RESPONSE_CODE = 0x200002,
    CURLINFO_CONTENT_TYPE = 0x100012,
    CURLINFO_PRIVATE = 0x100015,
    CURLINFO_REDIRECT_URL = 0x10001F,
    CURLINFO_CONTENT_LENGTH_DOWNLOAD_T = 0x60000F,
};

enum { CURLE_OK = 0, CURLE_COULDNT_CONNECT = 7, CURLE_OPERATION_TIMEDOUT = 28 };
enum { CURL_ERROR_SIZE = 256 };

enum {
    CURLMOPT_SOCKETFUNCTION = 20001,
    CURLMOPT_SOCKETDATA = 10002,
    CURLMOPT_PIPELINING = 3,
    CURLMOPT_TIMERFUNCTION = 20004,
    CURLMOPT_TIMERDATA = 10005,
};
enum { CURLPIPE_NOTHING = 0 };
enum { CURL_POLL_IN = 1, CURL_POLL_OUT = 2, CURL_POLL_INOUT = 3, CURL_POLL_REMOVE = 4 };
enum { CURL_CSELECT_IN = 1, CURL_CSELECT_OUT = 2, CURL_CSELECT_ERR = 4 };
enum { CURL_SOCKET_BAD = -1, CURL_WRITEFUNC_PAUSE = 0x10000001, CURLPAUSE_CONT = 0 };
enum { CURLMSG_DONE = 1 };

struct curl_message {
    int kind;
    CURL *easy;
    union {
        void *pointer;
        int result;
    } data;
};

struct curl_sockaddr {
    int family;
    int type;
    int protocol;
    unsigned int length;
    struct sockaddr address;
};

/// The functions, by the names that they have in the library.
struct curl_functions {
    int (*global_init)(long flags);
    CURL *(*easy_init)(void);
    int (*easy_setopt)(CURL *, int option, ...);
    int (*easy_getinfo)(CURL *, int info, ...);
    const char *(*easy_strerror)(int code);
    void (*easy_cleanup)(CURL *);
    int (*easy_pause)(CURL *, int action);
    CURLM *(*multi_init)(void);
    int (*multi_setopt)(CURLM *, int option, ...);
    int (*multi_add_handle)(CURLM *, CURL *);
    int (*multi_remove_handle)(CURLM *, CURL *);
    int (*multi_socket_action)(CURLM *, int socket, int events, int *running);
    struct curl_message *(*multi_info_read)(CURLM *, int *left);
    int (*multi_cleanup)(CURLM *);
    struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
    void (*slist_free_all)(struct curl_slist *);
};

#pragma GCC visibility push(hidden)
/// Filled by `ccurl_load`.
extern struct curl_functions curl;
#pragma GCC visibility pop

#endif
