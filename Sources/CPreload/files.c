// Replaces open, openat and fopen for /etc/hosts and CA bundles.
#define _GNU_SOURCE
#include "preload.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/// For programs that read /etc/hosts themselves: a file with two lines for each push host (IPv4 and IPv6), followed by
/// the content of /etc/hosts.
static int hosts_file(void) {
    char line[256];
    int file = ctrace_new_file();
    if (file < 0) return -1;
    for (const char *const *host = preload_hosts(); *host != NULL; host++)
        for (int mapped = 0; mapped <= 1; mapped++) {
            int length = snprintf(line, sizeof line, "%s127.80.80.72 %s\n", mapped ? "::ffff:" : "", *host);
            if (length < (int)sizeof line && write(file, line, (size_t)length) < 0) break;
        }
    ctrace_copy(file, "/etc/hosts");
    return ctrace_finish(file);
}

/// Not inline, because the path takes 4 KiB of the stack, and most opens never get here.
__attribute__((noinline)) static int replacement(const struct ctrace_options *options, int directory,
                                                 const char *path) {
    char full[PATH_MAX];
    pid_t thread = (pid_t)syscall(__NR_gettid);
    if (!ctrace_absolute(thread, directory, path, full, sizeof full)) return -1;
    switch (ctrace_recognize(options, full)) {
    case CTRACE_OTHER: return -1;
    case CTRACE_HOSTS: return hosts_file();
    case CTRACE_BUNDLE: return ctrace_bundle(full, options->authority_file, false);
    case CTRACE_DEFAULT_BUNDLE: return ctrace_bundle(full, options->authority_file, true);
    }
    return -1;
}

/// Returns a descriptor of what the program should read instead of the file, or -1. Does not change errno.
static int open_instead(int directory, const char *path, int flags) {
    const struct ctrace_options *options = preload_options();
    if (options == NULL || path == NULL || (flags & CTRACE_NOT_READING) != 0) return -1;
    if (!ctrace_may_matter(options, path)) return -1;
    int error = errno, file = replacement(options, directory, path);
    if (file >= 0 && (flags & O_CLOEXEC) == 0) fcntl(file, F_SETFD, 0);
    errno = error;
    return file;
}

/// Whether a call of open has a third argument.
static bool has_mode(int flags) {
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

PRELOAD_NEXT(open)
PRELOAD_EXPORT int open(const char *path, int flags, ...) {
    int file = open_instead(AT_FDCWD, path, flags);
    if (file >= 0 || !has_mode(flags)) return file >= 0 ? file : next_open()(path, flags);
    va_list more;
    va_start(more, flags);
    mode_t mode = va_arg(more, mode_t);
    va_end(more);
    return next_open()(path, flags, mode);
}

PRELOAD_NEXT(openat)
PRELOAD_EXPORT int openat(int directory, const char *path, int flags, ...) {
    int file = open_instead(directory, path, flags);
    if (file >= 0 || !has_mode(flags)) return file >= 0 ? file : next_openat()(directory, path, flags);
    va_list more;
    va_start(more, flags);
    mode_t mode = va_arg(more, mode_t);
    va_end(more);
    return next_openat()(directory, path, flags, mode);
}

PRELOAD_NEXT(fopen)
PRELOAD_EXPORT FILE *fopen(const char *path, const char *mode) {
    bool reads = mode[0] == 'r' && strchr(mode, '+') == NULL;
    int file = reads ? open_instead(AT_FDCWD, path, strchr(mode, 'e') != NULL ? O_CLOEXEC : 0) : -1;
    if (file < 0) return next_fopen()(path, mode);
    FILE *stream = fdopen(file, mode);
    if (stream == NULL) close(file);
    return stream;
}

#ifdef __GLIBC__
// On 64-bit systems, open64 and its like are the same as open. Programs that were built with _FORTIFY_SOURCE call the
// functions that end in _2.
#define SAME(name, as) extern __typeof__(as) name __attribute__((alias(#as), visibility("default")));
SAME(open64, open)
SAME(openat64, openat)
SAME(fopen64, fopen)
SAME(__open_2, open)
SAME(__open64_2, open)
SAME(__openat_2, openat)
SAME(__openat64_2, openat)
#endif
