// The guard: a process between the supervisor and the command. If somebody kills the supervisor, the guard ends the
// command and all its descendants. The supervisor may have other children, which must live on. The guard has none, so
// it can wait for all its children and kill them.
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef __NR_close_range
#define __NR_close_range 436
#endif

struct watch {
    int socket;
    /// A signalfd for SIGCHLD. It is readable when a child has stopped, continued or ended.
    int children;
    pid_t command;
    pid_t supervisor;
    bool stopped;
};

static void close_between(int first, int last) {
    if (first <= last) syscall(__NR_close_range, (unsigned)first, (unsigned)last, 0);
}

/// Closes all descriptors but these two. The guard has inherited the caller's sockets and files. They must not stay
/// open here after the caller has closed them.
static void close_all_but(int one, int other) {
    int low = one < other ? one : other, high = one < other ? other : one;
    close_between(0, low - 1);
    close_between(low + 1, high - 1);
    close_between(high + 1, __INT_MAX__);
}

/// Stops or continues the supervisor together with the command, because a shell sees only the supervisor. A supervisor
/// that was stopped also has to continue when somebody has killed the stopped command. The signal is sent even if the
/// command was in this state before: a command may continue and stop again at once, and then the guard learns only of
/// the stop.
static void set_stopped(struct watch *watch, bool stopped) {
    watch->stopped = stopped;
    if (getppid() == watch->supervisor) kill(watch->supervisor, stopped ? SIGSTOP : SIGCONT);
}

static _Noreturn void command_ended(struct watch *watch, int status) {
    if (watch->stopped) set_stopped(watch, false);
    ctrace_kill_children();
    ctrace_send(watch->socket, REPORT_ENDED, status, -1);
    _exit(0);
}

static void reap(struct watch *watch) {
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED | WCONTINUED)) > 0) {
        if (pid != watch->command) continue;
        if (!WIFSTOPPED(status) && !WIFCONTINUED(status)) command_ended(watch, status);
        set_stopped(watch, WIFSTOPPED(status));
    }
}

/// Passes a signal from the supervisor on to the command. The command has not been reaped, so no other process can have
/// its number. Returns false if the supervisor has ended.
static bool forward(const struct watch *watch) {
    int number;
    if (recv(watch->socket, &number, sizeof number, 0) != (ssize_t)sizeof number) return false;
    kill(watch->command, number);
    return true;
}

static _Noreturn void run(struct watch *watch) {
    for (;;) {
        struct pollfd ready[] = {{watch->socket, POLLIN, 0}, {watch->children, POLLIN, 0}};
        if (poll(ready, 2, -1) < 0) {
            if (errno == EINTR) continue;
            break;
        }
        if (ready[0].revents != 0 && !forward(watch)) break;
        struct signalfd_siginfo child;
        if (ready[1].revents != 0 && read(watch->children, &child, sizeof child) > 0) reap(watch);
    }
    ctrace_kill_children();
    _exit(1);
}

static _Noreturn void give_up(const struct start *start) {
    ctrace_send(start->socket, REPORT_SETUP_FAILED, errno, -1);
    _exit(1);
}

void ctrace_guard(const struct start *start) {
    struct watch watch = {.socket = start->socket, .supervisor = getppid()};
    pid_t guard = getpid();
    sigset_t all, children;
    sigfillset(&all);
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    // If the caller ignores SIGCHLD, the kernel would reap the command before the guard can read its status.
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_SETMASK, &all, NULL);
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0) give_up(start);
    watch.children = signalfd(-1, &children, SFD_CLOEXEC);
    if (watch.children < 0) give_up(start);
    watch.command = fork();
    if (watch.command < 0) give_up(start);
    if (watch.command == 0) ctrace_command(start, guard);
    close_all_but(watch.socket, watch.children);
    run(&watch);
}
