// Finds out whether a command can be traced here, by tracing a short-lived child process.
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

// The child opens /etc/hosts and should get /dev/null instead.
static const struct ctrace_options options = {.hosts_file = "/dev/null"};

/// The child: opens a file under the filter. The path is relative, so the parent can answer only if it may read the
/// child's memory and its files in /proc, as it has to for a real command.
static _Noreturn void make_call(int socket) {
    int listener = ctrace_install_filter();
    if (listener < 0) ctrace_send(socket, REPORT_SECCOMP_FAILED, errno, -1);
    else if (chdir("/etc") == 0 && ctrace_send(socket, REPORT_STARTED, getpid(), listener)) {
        // If this descriptor stayed open and the parent ended, the next call would wait for ever.
        close(listener);
        open("hosts", O_RDONLY | O_CLOEXEC);
    }
    _exit(0);
}

/// Waits until the child makes its call or ends, and answers the call. Returns 0, or an errno if there was no answer.
static int answer_call(int listener) {
    struct pollfd ready = {listener, POLLIN, 0};
    while (poll(&ready, 1, -1) < 0 && errno == EINTR) {}
    errno = 0;
    if ((ready.revents & POLLIN) != 0 && ctrace_answer_next(&options, listener)) return 0;
    return errno != 0 ? errno : EPERM;
}

/// Returns 0 if the child got an answer, otherwise the errno that says what failed.
static int find_error(int socket) {
    struct report report;
    int listener, received = ctrace_receive(socket, &report, &listener);
    if (received < 0) return errno;
    if (received == 0) return ECHILD;
    if (report.kind != REPORT_STARTED) return report.value;
    int error = answer_call(listener);
    close(listener);
    return error;
}

static int try(void) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) return errno;
    pid_t child = fork();
    if (child == 0) make_call(ends[1]);
    int error = child < 0 ? errno : 0;
    close(ends[1]);
    if (child > 0) error = find_error(ends[0]);
    close(ends[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    return error;
}

int ctrace_is_available(void) {
    if (!ctrace_is_supported()) return 0;
    // The child inherits the caller's signal handlers. It must not run them, so it starts with all signals blocked.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = try();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return error == 0;
}
