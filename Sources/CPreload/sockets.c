// Connections to the push hosts, which end at the gateway.
#define _DEFAULT_SOURCE  // With _GNU_SOURCE, glibc declares these functions with unions.
#include "preload.h"

#include <string.h>

/// Returns the gateway's address, or NULL if this connection is not redirected.
static const struct sockaddr *redirected(int socket, const struct sockaddr *from, socklen_t length,
                                         union ctrace_address *to) {
    const struct ctrace_options *options = preload_options();
    if (options == NULL || from == NULL || length < sizeof to->four) return NULL;
    memset(to, 0, sizeof *to);
    memcpy(to, from, length < sizeof *to ? length : sizeof *to);
    return ctrace_redirect(options, to, length) && ctrace_is_stream(socket) ? &to->any : NULL;
}

PRELOAD_NEXT(connect)
PRELOAD_EXPORT int connect(int socket, const struct sockaddr *address, socklen_t length) {
    union ctrace_address to;
    const struct sockaddr *gateway = redirected(socket, address, length, &to);
    return next_connect()(socket, gateway != NULL ? gateway : address, length);
}

// TCP fast open connects and sends at once.
PRELOAD_NEXT(sendto)
PRELOAD_EXPORT ssize_t sendto(int socket, const void *bytes, size_t count, int flags, const struct sockaddr *address,
                              socklen_t length) {
    union ctrace_address to;
    const struct sockaddr *gateway = NULL;
    if ((flags & MSG_FASTOPEN) != 0) gateway = redirected(socket, address, length, &to);
    return next_sendto()(socket, bytes, count, flags, gateway != NULL ? gateway : address, length);
}

PRELOAD_NEXT(sendmsg)
PRELOAD_EXPORT ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
    union ctrace_address to;
    if ((flags & MSG_FASTOPEN) == 0 || redirected(socket, message->msg_name, message->msg_namelen, &to) == NULL)
        return next_sendmsg()(socket, message, flags);
    struct msghdr copy = *message;
    copy.msg_name = &to;
    return next_sendmsg()(socket, &copy, flags);
}
