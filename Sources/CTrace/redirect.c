// Which connections are redirected to the gateway.
#define _GNU_SOURCE
#include "shared.h"

#include <string.h>

static bool is_push_port(in_port_t port) {
    // HTTPS, APNs and MCS.
    return port == htons(443) || port == htons(2197) || port == htons(5228);
}

bool ctrace_redirect(const struct ctrace_options *options, union ctrace_address *to, socklen_t length) {
    uint32_t from = htonl(options->address), gateway = htonl(INADDR_LOOPBACK);
    if (to->any.sa_family == AF_INET && length >= sizeof to->four) {
        if (to->four.sin_addr.s_addr != from || !is_push_port(to->four.sin_port)) return false;
        to->four.sin_addr.s_addr = gateway;
        to->four.sin_port = htons(options->gateway_port);
        return true;
    }
    if (to->any.sa_family != AF_INET6 || length < sizeof to->six) return false;
    unsigned char *mapped = to->six.sin6_addr.s6_addr + 12;
    if (!IN6_IS_ADDR_V4MAPPED(&to->six.sin6_addr) || memcmp(mapped, &from, sizeof from) != 0) return false;
    if (!is_push_port(to->six.sin6_port)) return false;
    memcpy(mapped, &gateway, sizeof gateway);
    to->six.sin6_port = htons(options->gateway_port);
    return true;
}

bool ctrace_is_stream(int socket) {
    int type = 0;
    socklen_t size = sizeof type;
    return getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}
