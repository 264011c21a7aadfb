// Tries in a short-lived process whether a command can be traced here.
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

// The try gets /dev/null instead of /etc/hosts.
static const struct ctrace_options options = {.hosts_file = "/dev/null"};

/// Opens a file under the filter. To follow a relative path, the supervisor has to read this memory and /proc.
static _Noreturn void make_call(int socket) {
    int listener = ctrace_install_filter();
    if (listener < 0) ctrace_send(socket, REPORT_SECCOMP_FAILED, errno, -1);
    else if (chdir("/etc") == 0 && ctrace_send(socket, REPORT_STARTED, getpid(), listener)) {
        // If the supervisor ended and this stayed open, the next call would wait for ever.
        close(listener);
        open("hosts", O_RDONLY | O_CLOEXEC);
    }
    _exit(0);
}

/// The process waits in its call, or it has ended.
static int answer_call(int listener) {
    struct pollfd ready = {listener, POLLIN, 0};
    while (poll(&ready, 1, -1) < 0 && errno == EINTR) {}
    errno = 0;
    if ((ready.revents & POLLIN) != 0 && ctrace_answer_next(&options, listener)) return 0;
    return errno != 0 ? errno : EPERM;
}

/// 0 if the process got an answer, otherwise what is missing.
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
    // The child must not run the caller's handlers.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = try();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return error == 0;
}
