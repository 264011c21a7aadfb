// Which paths lead to files that are replaced for the command.
#define _GNU_SOURCE
#include "shared.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char hosts[] = "/etc/hosts";
static const char certifi[] = "/certifi/cacert.pem";

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static bool is_last_part_in(const char *const *paths, const char *name) {
    for (; paths != NULL && *paths != NULL; paths++)
        if (strcmp(last_part(*paths), name) == 0) return true;
    return false;
}

bool ctrace_may_matter(const struct ctrace_options *options, const char *path) {
    const char *name = last_part(path);
    return strcmp(name, last_part(hosts)) == 0 || strcmp(name, last_part(certifi)) == 0
        || is_last_part_in(options->bundles, name) || is_last_part_in(options->default_bundles, name);
}

bool ctrace_absolute(pid_t thread, int directory, const char *path, char *full, size_t size) {
    char link[64];
    size_t length = 0, rest = strlen(path) + 1;
    if (*path != '/') {
        if (directory == AT_FDCWD) snprintf(link, sizeof link, "/proc/%d/cwd", thread);
        else snprintf(link, sizeof link, "/proc/%d/fd/%d", thread, directory);
        ssize_t count = readlink(link, full, size - 1);
        if (count <= 0 || *full != '/') return false;
        length = (size_t)count;
        if (full[length - 1] != '/') full[length++] = '/';
    }
    if (rest > size - length) return false;
    memcpy(full + length, path, rest);
    return true;
}

/// Whether both paths lead to one file, perhaps through links.
static bool is_same(const char *one, const char *other) {
    struct stat a, b;
    if (strcmp(one, other) == 0) return true;
    return strcmp(last_part(one), last_part(other)) == 0 && stat(one, &a) == 0 && stat(other, &b) == 0
        && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static bool is_in(const char *const *paths, const char *path) {
    for (; paths != NULL && *paths != NULL; paths++)
        if (is_same(path, *paths)) return true;
    return false;
}

static bool ends_in_certifi(const char *path) {
    size_t length = strlen(path), rest = sizeof certifi - 1;
    return length >= rest && strcmp(path + length - rest, certifi) == 0;
}

enum ctrace_file ctrace_recognize(const struct ctrace_options *options, const char *full) {
    if (is_same(full, hosts)) return CTRACE_HOSTS;
    if (is_in(options->default_bundles, full)) return CTRACE_DEFAULT_BUNDLE;
    return ends_in_certifi(full) || is_in(options->bundles, full) ? CTRACE_BUNDLE : CTRACE_OTHER;
}
