// A library for LD_PRELOAD, for systems that forbid seccomp. In dynamically linked programs it does what CTrace does:
// the push hosts get a loopback address, connections to it go to the gateway, and CA bundles have one more authority.
//
// scripts/preload.sh compiles it. `pushpit exec` sets the variables. If one is missing (except for the bundles)
// or malformed, nothing changes.
#define _GNU_SOURCE
#include "preload.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// The most hosts or paths in a variable.
enum { MAX_PARTS = 64 };

// Copies: a program may change its environment.
static char hosts[8192], bundles[8192], default_bundles[8192], authority[PATH_MAX];
static const char *host_list[MAX_PARTS + 1], *bundle_list[MAX_PARTS + 1], *default_list[MAX_PARTS + 1];
static struct ctrace_options options = {
    .authority_file = authority, .bundles = bundle_list, .default_bundles = default_list,
    .address = 0x7f505048 /* 127.80.80.72 */};
static atomic_bool is_ready;

static bool copy(const char *variable, char *text, size_t size) {
    const char *value = getenv(variable);
    if (value == NULL || strlen(value) >= size) return false;
    strcpy(text, value);
    return true;
}

/// Splits a text in place. False if it has no parts or too many.
static bool split(char *text, char separator, const char **list) {
    int count = 0;
    for (char *part = text; part != NULL;) {
        char *end = strchr(part, separator);
        if (end != NULL) *end++ = 0;
        if (*part != 0 && count == MAX_PARTS) return false;
        if (*part != 0) list[count++] = part;
        part = end;
    }
    return count > 0;
}

/// 0 if the text is not a port.
static uint16_t read_port(const char *text) {
    unsigned value = 0;
    for (; *text >= '0' && *text <= '9' && value <= UINT16_MAX; text++) value = value * 10 + (unsigned)(*text - '0');
    return *text == 0 && value <= UINT16_MAX ? (uint16_t)value : 0;
}

static bool read_variables(void) {
    char port[16];
    if (!copy("PUSHPIT_PRELOAD_HOSTS", hosts, sizeof hosts) || !split(hosts, ',', host_list)) return false;
    if (!copy("PUSHPIT_PRELOAD_PORT", port, sizeof port) || (options.gateway_port = read_port(port)) == 0) return false;
    if (!copy("PUSHPIT_PRELOAD_AUTHORITY", authority, sizeof authority) || *authority != '/') return false;
    if (copy("PUSHPIT_PRELOAD_BUNDLES", bundles, sizeof bundles)) split(bundles, ':', bundle_list);
    if (copy("PUSHPIT_PRELOAD_DEFAULT_BUNDLES", default_bundles, sizeof default_bundles))
        split(default_bundles, ':', default_list);
    return true;
}

__attribute__((constructor)) static void load(void) {
    atomic_store(&is_ready, read_variables());
}

const struct ctrace_options *preload_options(void) {
    return atomic_load(&is_ready) ? &options : NULL;
}

const char *const *preload_hosts(void) {
    return host_list;
}

void *preload_find(const char *name) {
    return dlsym(RTLD_NEXT, name);
}
