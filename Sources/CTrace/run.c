// Starts the guard and the supervisor's loop, and cleans up after them.
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

static const int forwarded[] = {
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT};
enum { FORWARDED = sizeof forwarded / sizeof *forwarded };

/// The arguments of a shell that runs the command as a script; `ctrace_execute` fills in the path.
static const char **shell_arguments(const char *const *argv) {
    size_t count = 0;
    while (argv[count] != NULL) count++;
    const char **result = calloc(count + 2, sizeof *result);
    if (result == NULL) return NULL;
    result[0] = "/bin/sh";
    for (size_t i = 1; i < count; i++) result[i + 1] = argv[i];
    return result;
}

static int reap(pid_t guard, int result) {
    int error = errno;
    while (waitpid(guard, NULL, 0) < 0 && errno == EINTR) {}
    errno = error;
    return result;
}

/// Runs the command. The caller has blocked the forwarded signals, and `signals` is the signalfd that reads them.
static int run(struct start *start, int signals, enum ctrace_stage *stage) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) return -1;
    start->socket = ends[1];
    // If somebody kills the guard, its children become children of this process, which can then kill them.
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    pid_t guard = fork();
    if (guard == 0) {
        close(ends[0]);
        ctrace_guard(start);
    }
    close(ends[1]);
    int result = -1;
    if (guard > 0) result = ctrace_supervise(&(struct sources){start->options, ends[0], signals, guard}, stage);
    // If the guard still runs, this tells it to kill the command and to end.
    int error = errno;
    close(ends[0]);
    errno = error;
    if (guard <= 0) return -1;
    result = reap(guard, result);
    // Without the guard, this process has to end what the command has started.
    if (*stage == CTRACE_LOST) {
        error = errno;
        ctrace_kill_children();
        errno = error;
    }
    return result;
}

static int run_with_signals(struct start *start, enum ctrace_stage *stage) {
    sigset_t signals, before;
    sigemptyset(&signals);
    for (int i = 0; i < FORWARDED; i++) sigaddset(&signals, forwarded[i]);
    int readable = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (readable < 0) return -1;
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    int result = run(start, readable, stage), error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(readable);
    errno = error;
    return result;
}

int ctrace_run(const struct ctrace_options *options, enum ctrace_stage *stage) {
    *stage = CTRACE_SECCOMP;
    if (!options->untraced && !ctrace_is_supported()) return -1;
    *stage = CTRACE_SETUP;
    struct start start = {.options = options, .shell_argv = shell_arguments(options->argv)};
    if (start.shell_argv == NULL) return -1;
    int result = run_with_signals(&start, stage), error = errno;
    free(start.shell_argv);
    errno = error;
    return result;
}
