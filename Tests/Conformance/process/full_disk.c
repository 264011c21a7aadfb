// A full disk, without the rights that mounting one needs: to be preloaded. Writing to a file below the directory
// FULL_DISK fails as it does when no block is free.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int is_full(int file) {
    const char *directory = getenv("FULL_DISK");
    char link[40], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (!directory || length < 0) return 0;
    path[length] = 0;
    return !strncmp(path, directory, strlen(directory));
}

#define FAILING(name, parameters, ...)                                      \
    ssize_t name parameters {                                               \
        if (is_full(file)) { errno = ENOSPC; return -1; }                   \
        ssize_t (*real) parameters = dlsym(RTLD_NEXT, #name);               \
        return real(__VA_ARGS__);                                           \
    }

FAILING(write, (int file, const void *bytes, size_t count), file, bytes, count)
FAILING(pwrite, (int file, const void *bytes, size_t count, off_t at), file, bytes, count, at)
FAILING(pwrite64, (int file, const void *bytes, size_t count, off64_t at), file, bytes, count, at)
