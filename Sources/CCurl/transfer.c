// One request: its options, and what is kept of the answer.
#define _GNU_SOURCE
#include "internal.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Counts the bytes of the body, keeps the first ones, and passes them all on if they are wanted. libcurl ends the
/// transfer if the result is not the length. If a call has already received its share, the transfer is paused, and libcurl
/// keeps the bytes: it would read up to 100 times in one call, for each transfer, and hold the loop for 20 ms.
static size_t receive(char *bytes, size_t size, size_t count, void *context) {
    struct transfer *transfer = context;
    if (transfer->pool->received >= SHARE) {
        transfer->is_paused = true;
        return CURL_WRITEFUNC_PAUSE;
    }
    transfer->pool->received += size * count;
    curl.easy_getinfo(transfer->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &transfer->announced);
    size_t length = size * count, room = CCURL_HEAD - transfer->head_length;
    size_t kept = length < room ? length : room;
    memcpy(transfer->head + transfer->head_length, bytes, kept);
    transfer->head_length += kept;
    transfer->received += (int64_t)length;
    transfer->is_cut = transfer->received > transfer->longest || transfer->announced > transfer->longest;
    if (transfer->is_cut) return 0;
    const struct ccurl_hooks *hooks = &transfer->pool->hooks;
    if (transfer->keeps_body)
        hooks->keep(hooks->context, transfer->number, (const uint8_t *)bytes, length, transfer->announced);
    return length;
}

static bool read_address(const struct curl_sockaddr *peer, struct ccurl_address *address) {
    // libcurl has room for every kind of address behind the struct that it declares.
    union {
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } raw = {0};
    size_t length = peer->length < sizeof raw ? peer->length : sizeof raw;
    memcpy(&raw, (const char *)peer + offsetof(struct curl_sockaddr, address), length);
    bool is_v6 = peer->family == AF_INET6;
    if (!is_v6 && peer->family != AF_INET) return false;
    address->length = is_v6 ? sizeof raw.v6.sin6_addr : sizeof raw.v4.sin_addr;
    memcpy(address->bytes, is_v6 ? (const void *)&raw.v6.sin6_addr : &raw.v4.sin_addr, (size_t)address->length);
    address->port = ntohs(is_v6 ? raw.v6.sin6_port : raw.v4.sin_port);
    return true;
}

/// Opens the socket for a connection if its address is allowed.
static int open_socket(void *context, int purpose, struct curl_sockaddr *peer) {
    (void)purpose;
    struct transfer *transfer = context;
    const struct ccurl_hooks *hooks = &transfer->pool->hooks;
    struct ccurl_address address = {0};
    if (!read_address(peer, &address) || !hooks->may_connect(hooks->context, transfer->number, &address)) {
        transfer->is_refused = true;
        return CURL_SOCKET_BAD;
    }
    return socket(peer->family, peer->type | SOCK_CLOEXEC | SOCK_NONBLOCK, peer->protocol);
}

#define SET(option, value) (curl.easy_setopt(easy, option, value) == CURLE_OK)

/// No cookies, no proxy, no redirects, no other protocols, and no connection for a second request. Credentials are sent
/// only if they are in the URL and `sends_user` is true.
static bool set_limits(CURL *easy, const struct ccurl_request *request) {
    return SET(CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS)) && SET(CURLOPT_FOLLOWLOCATION, 0L)
        && SET(CURLOPT_DISALLOW_USERNAME_IN_URL, request->sends_user ? 0L : 1L)
        && SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED) && SET(CURLOPT_PROXY, "") && SET(CURLOPT_FORBID_REUSE, 1L)
        && SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) && SET(CURLOPT_SSL_VERIFYPEER, 1L)
        && SET(CURLOPT_SSL_VERIFYHOST, 2L) && SET(CURLOPT_NOSIGNAL, 1L)
        && SET(CURLOPT_TIMEOUT_MS, request->timeout_milliseconds);
}

static bool set_trust(CURL *easy, const struct ccurl_request *request) {
    // Without a directory of the system's authorities, `authority_file` is not trusted. CURLOPT_CAINFO would replace
    // the authorities that libcurl was built with, and a file with all of them takes 50 ms to read for each transfer.
    if (ccurl_authorities == NULL) return true;
    return SET(CURLOPT_CAINFO, request->authority_file) && SET(CURLOPT_CAPATH, ccurl_authorities);
}

static bool add(struct curl_slist **list, const char *text) {
    struct curl_slist *longer = curl.slist_append(*list, text);
    if (longer != NULL) *list = longer;
    return longer != NULL;
}

static bool set_method(struct transfer *transfer, const struct ccurl_request *request) {
    CURL *easy = transfer->easy;
    if (request->body == NULL) return SET(CURLOPT_HTTPGET, 1L);
    return SET(CURLOPT_POSTFIELDSIZE, (long)request->body_length) && SET(CURLOPT_COPYPOSTFIELDS, request->body);
}

/// An empty Expect keeps libcurl from waiting for "100 Continue".
static bool set_fields(struct transfer *transfer, const struct ccurl_request *request) {
    CURL *easy = transfer->easy;
    return add(&transfer->fields, "Expect:") && (request->field == NULL || add(&transfer->fields, request->field))
        && SET(CURLOPT_HTTPHEADER, transfer->fields);
}

static bool set_all(struct transfer *transfer, const struct ccurl_request *request) {
    CURL *easy = transfer->easy = curl.easy_init();
    return easy != NULL && add(&transfer->connect_to, request->connect_to) && SET(CURLOPT_URL, request->url)
        && SET(CURLOPT_CONNECT_TO, transfer->connect_to) && SET(CURLOPT_USERAGENT, "pushpit")
        && SET(CURLOPT_PRIVATE, transfer) && SET(CURLOPT_ERRORBUFFER, transfer->problem)
        && SET(CURLOPT_WRITEFUNCTION, receive) && SET(CURLOPT_WRITEDATA, transfer)
        && SET(CURLOPT_OPENSOCKETFUNCTION, open_socket) && SET(CURLOPT_OPENSOCKETDATA, transfer)
        && set_limits(easy, request) && set_trust(easy, request) && set_method(transfer, request)
        && set_fields(transfer, request);
}

struct transfer *ccurl_transfer_create(struct ccurl_pool *pool, uint64_t number, const struct ccurl_request *request) {
    struct transfer *transfer = calloc(1, sizeof *transfer);
    if (transfer == NULL) return NULL;
    transfer->number = number;
    transfer->pool = pool;
    transfer->longest = request->longest_answer;
    transfer->keeps_body = request->keeps_body;
    transfer->announced = -1;
    if (set_all(transfer, request)) return transfer;
    ccurl_transfer_destroy(transfer);
    return NULL;
}

void ccurl_transfer_destroy(struct transfer *transfer) {
    if (transfer->easy != NULL) curl.easy_cleanup(transfer->easy);
    curl.slist_free_all(transfer->connect_to);
    curl.slist_free_all(transfer->fields);
    free(transfer);
}

static void copy_text(CURL *easy, int info, char *place, size_t room) {
    const char *text = NULL;
    if (curl.easy_getinfo(easy, info, &text) == CURLE_OK && text != NULL) snprintf(place, room, "%s", text);
}

void ccurl_transfer_describe(struct transfer *transfer, int code, struct ccurl_result *result) {
    CURL *easy = transfer->easy;
    *result = (struct ccurl_result){
        .transfer = transfer->number,
        .length = transfer->announced > transfer->received ? transfer->announced : transfer->received,
        .is_announced = transfer->announced >= 0,
        .is_late = code == CURLE_OPERATION_TIMEDOUT,
        .is_unreachable = code == CURLE_COULDNT_CONNECT,
        .is_refused = transfer->is_refused,
        .head_length = transfer->head_length,
    };
    memcpy(result->head, transfer->head, transfer->head_length);
    curl.easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &result->status);
    copy_text(easy, CURLINFO_CONTENT_TYPE, result->content_type, sizeof result->content_type);
    copy_text(easy, CURLINFO_REDIRECT_URL, result->redirect, sizeof result->redirect);
    if (code == CURLE_OK || transfer->is_cut) return;
    const char *problem = transfer->problem[0] != 0 ? transfer->problem : curl.easy_strerror(code);
    snprintf(result->problem, sizeof result->problem, "%s", problem);
}
