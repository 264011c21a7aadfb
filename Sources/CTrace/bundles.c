// CA bundles with one more authority.
#define _GNU_SOURCE
#include "shared.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Linux 6.3 has this flag, and some systems refuse memfd_create without it.
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8U
#endif

// Bundles have some 200 KB. A larger file must not fill the memory.
enum { LARGEST = 16 << 20 };

int ctrace_open_file(const char *path, int flags) {
    return (int)syscall(__NR_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | flags);
}

/// Opens a regular file of a usual size. O_NONBLOCK: another kind of file must not keep the supervisor waiting.
static int open_regular(const char *path) {
    int file = ctrace_open_file(path, O_NONBLOCK | O_NOCTTY);
    struct stat status;
    if (file < 0) return -1;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= LARGEST) return file;
    close(file);
    errno = EFBIG;
    return -1;
}

static bool copy(int to, int from) {
    ssize_t count;
    off_t total = 0;
    do {
        count = sendfile(to, from, NULL, LARGEST);
        total += count;
    } while (count > 0 && total <= LARGEST);
    return count == 0 && write(to, "\n", 1) == 1;
}

int ctrace_new_file(void) {
    long file = syscall(__NR_memfd_create, "pushpit", MFD_CLOEXEC | MFD_NOEXEC_SEAL);
    if (file < 0 && errno == EINVAL) file = syscall(__NR_memfd_create, "pushpit", MFD_CLOEXEC);
    return (int)file;
}

bool ctrace_copy(int to, const char *path) {
    int from = open_regular(path);
    if (from < 0) return false;
    bool copied = copy(to, from);
    close(from);
    if (!copied) errno = EIO;
    return copied;
}

int ctrace_finish(int file) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    int result = ctrace_open_file(path, 0);
    close(file);
    return result;
}

int ctrace_bundle(const char *path, const char *authority, bool may_be_missing) {
    int file = ctrace_new_file();
    if (file < 0) return -1;
    bool bundle = ctrace_copy(file, path) || (may_be_missing && errno == ENOENT);
    if (bundle && ctrace_copy(file, authority)) return ctrace_finish(file);
    close(file);
    return -1;
}
