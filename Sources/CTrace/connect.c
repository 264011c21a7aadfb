// Connections to the push hosts, which end at the gateway.
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#ifndef __NR_pidfd_getfd
#define __NR_pidfd_getfd 438
#endif

// Services that look names up for other programs. They read the real /etc/hosts.
static const char *const resolvers[] = {
    "/var/run/nscd/socket", "/run/nscd/socket", "/run/systemd/resolve/io.systemd.Resolve", NULL};

static bool is_resolver(const union ctrace_address *to) {
    for (const char *const *path = resolvers; to->any.sa_family == AF_UNIX && *path != NULL; path++)
        if (strncmp(to->local.sun_path, *path, sizeof to->local.sun_path) == 0) return true;
    return false;
}

/// The number of the process that the thread belongs to, or -1. pidfd_open takes only numbers of processes.
static pid_t process_of(pid_t thread) {
    char path[32], text[512];
    snprintf(path, sizeof path, "/proc/%d/status", thread);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return -1;
    text[count] = 0;
    const char *line = strstr(text, "\nTgid:");
    return line == NULL ? -1 : (pid_t)strtol(line + 6, NULL, 10);
}

/// Whether the thread's descriptor with this number is this socket. It may be another one if the thread does not share
/// the descriptors of its process.
static bool belongs_to(pid_t thread, int number, int socket) {
    struct stat theirs, ours;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", thread, number);
    return stat(path, &theirs) == 0 && fstat(socket, &ours) == 0 && theirs.st_dev == ours.st_dev
        && theirs.st_ino == ours.st_ino;
}

/// Returns a descriptor of the thread's socket, or -1. It is the socket itself, which both processes now share.
static int take(pid_t thread, int number) {
    pid_t process = process_of(thread);
    if (process < 0) return -1;
    int pidfd = (int)syscall(__NR_pidfd_open, process, 0);
    if (pidfd < 0) return -1;
    int taken = (int)syscall(__NR_pidfd_getfd, pidfd, number, 0);
    close(pidfd);
    if (taken < 0 || belongs_to(thread, number, taken)) return taken;
    close(taken);
    return -1;
}

/// Whether the thread's socket is for UDP, judged by the name of its protocol. getaddrinfo connects UDP sockets to the
/// addresses in its own results, so these addresses must not be overwritten.
static bool is_datagram(pid_t thread, int number) {
    char path[64], name[32];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", thread, number);
    return getxattr(path, "system.sockprotoname", name, sizeof name) >= 3 && memcmp(name, "UDP", 3) == 0;
}

/// Starts to connect the thread's socket. If the result is known at once, or the thread does not want to wait for it,
/// answers the call and returns true. Otherwise the kernel has to run the thread's own call: a socket that is already
/// connecting ignores the address of that call, and waits as long as its options and signals allow.
static bool begin(const struct call *call, int socket, const union ctrace_address *to, socklen_t length) {
    int flags = fcntl(socket, F_GETFL);
    bool blocking = flags >= 0 && (flags & O_NONBLOCK) == 0;
    if (blocking) fcntl(socket, F_SETFL, flags | O_NONBLOCK);
    int error = connect(socket, &to->any, length) == 0 ? 0 : errno;
    if (blocking) fcntl(socket, F_SETFL, flags);
    if (blocking && (error == EINPROGRESS || error == EALREADY)) return false;
    ctrace_answer(call, error, 0);
    return true;
}

/// Reads the address that the thread connects to. `length` is the length that the thread has given, and is set to the
/// length that was read.
static bool read_address(const struct call *call, uint64_t at, union ctrace_address *to, socklen_t *length) {
    memset(to, 0, sizeof *to);
    if (*length > sizeof *to) *length = sizeof *to;
    return ctrace_read((pid_t)call->notice->pid, at, to, *length);
}

bool ctrace_connect(const struct call *call) {
    const __u64 *arguments = call->notice->data.args;
    pid_t thread = (pid_t)call->notice->pid;
    union ctrace_address to;
    socklen_t length = (socklen_t)arguments[2];
    if (!read_address(call, arguments[1], &to, &length)) return false;
    if (is_resolver(&to)) {
        ctrace_answer(call, ECONNREFUSED, 0);
        return true;
    }
    if (!ctrace_redirect(call->options, &to, length)) return false;
    int number = (int)arguments[0], socket = take(thread, number);
    if (socket < 0) {
        // Some containers forbid taking sockets. Then the address in the thread's memory is replaced, and the thread
        // itself connects to the gateway.
        if (!is_datagram(thread, number)) ctrace_write(call, arguments[1], &to, length);
        return false;
    }
    bool answered = ctrace_is_waiting(call) && ctrace_is_stream(socket) && begin(call, socket, &to, length);
    close(socket);
    return answered;
}

/// A call with MSG_FASTOPEN sends data in the first packet of the connection, so the thread itself has to make it. The
/// address in the thread's memory is replaced.
bool ctrace_fast_open(const struct call *call) {
    const __u64 *arguments = call->notice->data.args;
    uint64_t at = arguments[4];
    socklen_t length = (socklen_t)arguments[5];
    if (call->notice->data.nr == __NR_sendmsg) {
        struct msghdr message;
        if (!ctrace_read((pid_t)call->notice->pid, arguments[1], &message, sizeof message)) return false;
        at = (uintptr_t)message.msg_name;
        length = message.msg_namelen;
    }
    union ctrace_address to;
    if (!read_address(call, at, &to, &length) || !ctrace_redirect(call->options, &to, length)) return false;
    if (ctrace_write(call, at, &to, length)) return false;
    // The address could not be replaced. This error means that fast open is off, and then programs connect as usual.
    ctrace_answer(call, EOPNOTSUPP, 0);
    return true;
}
