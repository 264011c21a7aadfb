// The transfers of one event loop.
#include "internal.h"

#include <stdlib.h>

static int watch(CURL *easy, int socket, int what, void *context, void *unused) {
    (void)easy, (void)unused;
    const struct ccurl_hooks *hooks = &((struct ccurl_pool *)context)->hooks;
    bool reads = what == CURL_POLL_IN || what == CURL_POLL_INOUT;
    bool writes = what == CURL_POLL_OUT || what == CURL_POLL_INOUT;
    hooks->watch(hooks->context, socket, (reads ? CCURL_READ : 0) | (writes ? CCURL_WRITE : 0));
    return 0;
}

static int set_timer(CURLM *multi, long milliseconds, void *context) {
    (void)multi;
    const struct ccurl_hooks *hooks = &((struct ccurl_pool *)context)->hooks;
    hooks->set_timer(hooks->context, milliseconds);
    return 0;
}

struct ccurl_pool *ccurl_pool_create(struct ccurl_hooks hooks) {
    struct ccurl_pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL) return NULL;
    pool->hooks = hooks;
    pool->multi = curl.multi_init();
    if (pool->multi == NULL) {
        free(pool);
        return NULL;
    }
    curl.multi_setopt(pool->multi, CURLMOPT_SOCKETFUNCTION, watch);
    curl.multi_setopt(pool->multi, CURLMOPT_SOCKETDATA, pool);
    curl.multi_setopt(pool->multi, CURLMOPT_TIMERFUNCTION, set_timer);
    curl.multi_setopt(pool->multi, CURLMOPT_TIMERDATA, pool);
    curl.multi_setopt(pool->multi, CURLMOPT_PIPELINING, (long)CURLPIPE_NOTHING);
    return pool;
}

/// Removes and frees a transfer; ends it first if it is still running.
static void release(struct ccurl_pool *pool, struct transfer *transfer) {
    struct transfer **link = &pool->transfers;
    while (*link != transfer) link = &(*link)->next;
    *link = transfer->next;
    curl.multi_remove_handle(pool->multi, transfer->easy);
    ccurl_transfer_destroy(transfer);
}

void ccurl_pool_destroy(struct ccurl_pool *pool) {
    while (pool->transfers != NULL) release(pool, pool->transfers);
    curl.multi_cleanup(pool->multi);
    free(pool);
}

bool ccurl_start(struct ccurl_pool *pool, uint64_t number, const struct ccurl_request *request) {
    struct transfer *transfer = ccurl_transfer_create(pool, number, request);
    if (transfer == NULL) return false;
    transfer->next = pool->transfers;
    pool->transfers = transfer;
    if (curl.multi_add_handle(pool->multi, transfer->easy) == 0) return true;
    release(pool, transfer);
    return false;
}

static struct transfer *first_paused(struct ccurl_pool *pool) {
    struct transfer *transfer = pool->transfers;
    while (transfer != NULL && !transfer->is_paused) transfer = transfer->next;
    return transfer;
}

bool ccurl_act(struct ccurl_pool *pool, int socket, int events) {
    int running;
    struct transfer *paused;
    pool->received = 0;
    while (pool->received < SHARE && (paused = first_paused(pool)) != NULL) {
        paused->is_paused = false;
        curl.easy_pause(paused->easy, CURLPAUSE_CONT);
    }
    curl.multi_socket_action(pool->multi, socket, events, &running);
    return first_paused(pool) != NULL;
}

bool ccurl_take_ended(struct ccurl_pool *pool, struct ccurl_result *result) {
    int left;
    struct curl_message *message;
    while ((message = curl.multi_info_read(pool->multi, &left)) != NULL) {
        struct transfer *transfer = NULL;
        if (message->kind != CURLMSG_DONE) continue;
        if (curl.easy_getinfo(message->easy, CURLINFO_PRIVATE, &transfer) != CURLE_OK || transfer == NULL) continue;
        ccurl_transfer_describe(transfer, message->data.result, result);
        release(pool, transfer);
        return true;
    }
    return false;
}
