// The process that becomes the command.
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

static _Noreturn void give_up(const struct start *start, enum report_kind kind) {
    ctrace_send(start->socket, kind, errno, -1);
    _exit(127);
}

/// Removes the caller's signal handlers, which a signal could call until the command is executed. Signals that the
/// caller ignores stay ignored.
static void reset_handlers(void) {
    struct sigaction action;
    for (int number = 1; number < NSIG; number++)
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN) signal(number, SIG_DFL);
    // A caller that is a server ignores SIGPIPE, but a command relies on being ended by it.
    signal(SIGPIPE, SIG_DFL);
}

/// Takes the terminal away from the command, and sends its output to this descriptor. Returns false with errno.
static bool detach(int output) {
    int empty = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return empty >= 0 && dup2(empty, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0
        && dup2(output, STDERR_FILENO) >= 0 && setpgid(0, 0) == 0;
}

void ctrace_command(const struct start *start, pid_t guard) {
    // The guard kills the command when the supervisor ends. If somebody kills the guard, the kernel kills the command
    // because of this setting. The kernel clears the setting when it executes a setuid program, so only the guard can
    // end such a command.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0) give_up(start, REPORT_SETUP_FAILED);
    // The guard may have ended before the first call took effect.
    if (getppid() != guard) _exit(127);
    reset_handlers();
    if (start->options->output > 0 && !detach(start->options->output)) give_up(start, REPORT_SETUP_FAILED);
    int listener = -1;
    if (!start->options->untraced && (listener = ctrace_install_filter()) < 0) give_up(start, REPORT_SECCOMP_FAILED);
    if (!ctrace_send(start->socket, REPORT_STARTED, getpid(), listener)) give_up(start, REPORT_SETUP_FAILED);
    // The caller may have blocked signals in all its threads, but a command expects none blocked.
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    ctrace_execute(start);
    give_up(start, REPORT_EXEC_FAILED);
}
