// Look-ups of the push hosts. The C library gets an address instead of the name, so it makes the answers itself.
#define _GNU_SOURCE
#include "preload.h"

#include <netdb.h>
#include <string.h>
#include <strings.h>

/// A name may end with a dot.
static bool is_same_name(const char *name, const char *host) {
    size_t length = strlen(host);
    return strncasecmp(name, host, length) == 0 && (name[length] == 0 || strcmp(name + length, ".") == 0);
}

/// Returns what to look up instead of the name: an address of this machine for a push host, otherwise the name itself.
/// Look-ups for IPv6 get such an address too. With the name, they would get the real addresses from DNS.
static const char *instead_of(const char *name, int family) {
    if (name == NULL || preload_options() == NULL) return name;
    for (const char *const *host = preload_hosts(); *host != NULL; host++)
        if (is_same_name(name, *host)) return family == AF_INET6 ? "::ffff:127.80.80.72" : "127.80.80.72";
    return name;
}

PRELOAD_NEXT(getaddrinfo)
PRELOAD_EXPORT int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                               struct addrinfo **found) {
    bool numeric = hints != NULL && (hints->ai_flags & AI_NUMERICHOST) != 0;
    const char *actual = numeric ? name : instead_of(name, hints == NULL ? AF_UNSPEC : hints->ai_family);
    return next_getaddrinfo()(actual, service, hints, found);
}

PRELOAD_NEXT(gethostbyname)
PRELOAD_EXPORT struct hostent *gethostbyname(const char *name) {
    return next_gethostbyname()(instead_of(name, AF_INET));
}

PRELOAD_NEXT(gethostbyname2)
PRELOAD_EXPORT struct hostent *gethostbyname2(const char *name, int family) {
    return next_gethostbyname2()(instead_of(name, family), family);
}

PRELOAD_NEXT(gethostbyname_r)
PRELOAD_EXPORT int gethostbyname_r(const char *name, struct hostent *host, char *room, size_t size,
                                   struct hostent **found, int *error) {
    return next_gethostbyname_r()(instead_of(name, AF_INET), host, room, size, found, error);
}

PRELOAD_NEXT(gethostbyname2_r)
PRELOAD_EXPORT int gethostbyname2_r(const char *name, int family, struct hostent *host, char *room, size_t size,
                                    struct hostent **found, int *error) {
    return next_gethostbyname2_r()(instead_of(name, family), family, host, room, size, found, error);
}
