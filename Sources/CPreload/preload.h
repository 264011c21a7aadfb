#ifndef PUSHPIT_PRELOAD_H
#define PUSHPIT_PRELOAD_H
// What the files of the preloaded library share.
#undef _FORTIFY_SOURCE  // With it, the headers define open and fopen themselves, so ours would not compile.
#include "../CTrace/shared.h"

#pragma GCC visibility push(hidden)

/// NULL if the library has nothing to do in this program.
const struct ctrace_options *preload_options(void);
/// The push hosts, NULL-terminated.
const char *const *preload_hosts(void);
/// The function of this name that the program would call without this library.
void *preload_find(const char *name);

#pragma GCC visibility pop

/// Defines next_NAME(), which returns the function that ours replaces. It is searched for when the library is loaded,
/// because a signal handler or the child of a fork may call ours, and they must not search.
#define PRELOAD_NEXT(name)                                                          \
    static __typeof__(name) *next_##name(void) {                                    \
        static __typeof__(name) *found;                                             \
        if (found == NULL) found = (__typeof__(name) *)preload_find(#name);         \
        return found;                                                               \
    }                                                                               \
    __attribute__((constructor)) static void find_##name(void) {                    \
        next_##name();                                                              \
    }
#define PRELOAD_EXPORT __attribute__((visibility("default")))

#endif
