#ifndef PUSHPIT_PRELOAD_H
#define PUSHPIT_PRELOAD_H
// What the files of the preloaded library share.
#undef _FORTIFY_SOURCE  // Its inline versions of open and fopen are in the way of ours.
#include "../CTrace/shared.h"

#pragma GCC visibility push(hidden)

/// NULL if the library has nothing to do in this program.
const struct ctrace_options *preload_options(void);
/// The push hosts, NULL-terminated.
const char *const *preload_hosts(void);
/// The function of this name that the program would call without this library.
void *preload_find(const char *name);

#pragma GCC visibility pop

/// Defines next_NAME(), the function behind ours. It is found when the library is loaded: later, a signal handler or
/// the child of a fork might need it, and must not search.
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
