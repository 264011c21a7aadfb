// Answers calls that open /etc/hosts or a CA bundle.
#define _GNU_SOURCE
#include "internal.h"

#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SECCOMP_ADDFD_FLAG_SEND
#define SECCOMP_ADDFD_FLAG_SEND (1UL << 1)
#endif

/// The arguments of open, openat or openat2.
struct arguments {
    int directory;
    uint64_t path;
    uint64_t flags;
};

static bool read_how(const struct seccomp_notif *notice, struct arguments *arguments) {
    struct open_how how;
    if (notice->data.args[3] < sizeof how) return false;
    if (!ctrace_read((pid_t)notice->pid, notice->data.args[2], &how, sizeof how)) return false;
    arguments->flags = how.flags;
    // The supervisor answers only plain reads. The kernel handles calls with rules in `resolve`, because the supervisor
    // can't apply them, and calls with flags that the filter leaves to the kernel for open and openat, too.
    return how.resolve == 0 && (how.flags & CTRACE_NOT_READING) == 0;
}

static bool read_arguments(const struct seccomp_notif *notice, struct arguments *arguments) {
    const __u64 *raw = notice->data.args;
    *arguments = (struct arguments){(int)raw[0], raw[1], raw[2]};
#ifdef __NR_open
    if (notice->data.nr == __NR_open) *arguments = (struct arguments){AT_FDCWD, raw[0], raw[1]};
#endif
    return notice->data.nr != __NR_openat2 || read_how(notice, arguments);
}

/// Returns a descriptor of what the thread should read instead of the file, or -1 if it should read the file itself.
static int replacement(const struct ctrace_options *options, pid_t thread, const char *full) {
    enum ctrace_file kind = ctrace_recognize(options, full);
    if (kind == CTRACE_OTHER) return -1;
    if (kind == CTRACE_HOSTS) return ctrace_open_file(options->hosts_file, 0);
    char theirs[PATH_MAX + 32];
    snprintf(theirs, sizeof theirs, "/proc/%d/root%s", thread, full);
    return ctrace_bundle(theirs, options->authority_file, kind == CTRACE_DEFAULT_BUNDLE);
}

/// Ends the call with a copy of the descriptor. Fails if the thread no longer waits.
static bool give(const struct call *call, int file, uint64_t flags) {
    struct seccomp_notif_addfd gift = {
        .id = call->notice->id, .flags = SECCOMP_ADDFD_FLAG_SEND, .srcfd = (uint32_t)file,
        .newfd_flags = (uint32_t)(flags & O_CLOEXEC)};
    return ioctl(call->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &gift) >= 0;
}

bool ctrace_open(const struct call *call) {
    pid_t thread = (pid_t)call->notice->pid;
    struct arguments arguments;
    char path[PATH_MAX], full[PATH_MAX];
    if (!read_arguments(call->notice, &arguments)) return false;
    if (!ctrace_read_text(thread, arguments.path, path, sizeof path)) return false;
    if (!ctrace_may_matter(call->options, path)) return false;
    if (!ctrace_absolute(thread, arguments.directory, path, full, sizeof full)) return false;
    int file = replacement(call->options, thread, full);
    if (file < 0) return false;
    bool given = give(call, file, arguments.flags);
    close(file);
    return given;
}
