// Finds the command and runs it, as a shell would. Runs after a fork, so it does not allocate.
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

static const char *search_path(const char *const *envp) {
    for (; *envp != NULL; envp++)
        if (strncmp(*envp, "PATH=", 5) == 0) return *envp + 5;
    return "/usr/local/bin:/usr/bin:/bin";
}

/// Executes the file. Returns only if that fails, with errno. /bin/sh runs a script without #!, as a shell would do.
static void execute(const struct start *start, const char *path) {
    char *const *envp = (char *const *)start->options->envp;
    execve(path, (char *const *)start->options->argv, envp);
    if (errno != ENOEXEC) return;
    start->shell_argv[1] = path;
    execve("/bin/sh", (char *const *)start->shell_argv, envp);
}

/// Tries one directory of PATH. An empty name means the current directory.
static void execute_in(const struct start *start, const char *directory, size_t length) {
    char path[PATH_MAX];
    const char *name = start->options->argv[0];
    size_t rest = strlen(name) + 1;
    if (length + 1 + rest > sizeof path) {
        errno = ENAMETOOLONG;
        return;
    }
    memcpy(path, directory, length);
    if (length > 0) path[length++] = '/';
    memcpy(path + length, name, rest);
    execute(start, path);
}

/// If PATH has no file that can be executed, errno is EACCES if there was one without permission, otherwise ENOENT.
void ctrace_execute(const struct start *start) {
    const char *name = start->options->argv[0];
    if (strchr(name, '/') != NULL || *name == 0) {
        execute(start, name);
        return;
    }
    bool denied = false;
    for (const char *rest = search_path(start->options->envp);; rest++) {
        size_t length = strcspn(rest, ":");
        execute_in(start, rest, length);
        if (errno == EACCES) denied = true;
        else if (errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG) return;
        rest += length;
        if (*rest == 0) break;
    }
    errno = denied ? EACCES : ENOENT;
}
