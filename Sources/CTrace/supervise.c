// The supervisor's loop: answers calls, forwards signals, and learns how the command ended.
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

// With this flag, Linux 6.6 wakes a thread on the processor that has answered its call, which is faster.
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#endif

struct state {
    const struct sources *sources;
    int listener;
    /// 0 until the command has started.
    pid_t command;
    enum ctrace_stage stage;
    int error;
    int status;
    bool ended;
    /// When to say that the command still runs, in milliseconds. 0 before SIGTERM, -1 once it was said.
    int64_t due;
};

/// How long a command may take to end after SIGTERM without a message about it, in seconds.
enum { PATIENCE = 5 };

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void note(struct state *state, int signal) {
    if (signal == SIGTERM && state->due == 0) state->due = milliseconds() + PATIENCE * 1000;
}

/// How long to wait for the next event, in milliseconds; -1 for ever. Calls `still_runs` when it is time to.
static int wait_limit(struct state *state) {
    if (state->due <= 0) return -1;
    int64_t left = state->due - milliseconds();
    if (left > 0) return (int)left;
    if (state->sources->options->still_runs != NULL)
        state->sources->options->still_runs(state->command, PATIENCE);
    state->due = -1;
    return -1;
}

/// Whether the command has already got this signal, so it must not be forwarded.
static bool has_reached(const struct state *state, const struct signalfd_siginfo *signal) {
    // A terminal sends a signal to the whole process group. A command that has left the group did not get it.
    if (signal->ssi_code == SI_KERNEL) return getpgid(state->command) == getpgrp();
    // The guard sends SIGCONT here only after the command has continued. If the command itself sent the signal, it sent
    // it to its whole process group.
    pid_t sender = (pid_t)signal->ssi_pid;
    return signal->ssi_code == SI_USER && (sender == state->sources->guard || sender == state->command);
}

static void forward(struct state *state) {
    struct signalfd_siginfo signal;
    if (read(state->sources->signals, &signal, sizeof signal) != (ssize_t)sizeof signal) return;
    int number = (int)signal.ssi_signo;
    note(state, number);
    if (has_reached(state, &signal)) return;
    send(state->sources->socket, &number, sizeof number, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void fail(struct state *state, enum ctrace_stage stage, int error) {
    state->stage = stage;
    state->error = error;
}

/// Takes the next report. Returns whether more may come.
static bool take_report(struct state *state) {
    struct report report;
    int listener, received = ctrace_receive(state->sources->socket, &report, &listener);
    if (received < 0) fail(state, CTRACE_SETUP, errno);
    if (received <= 0) return false;
    switch (report.kind) {
    case REPORT_STARTED:
        state->listener = listener;
        state->command = report.value;
        if (listener >= 0) ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP);
        return true;
    case REPORT_SETUP_FAILED: fail(state, CTRACE_SETUP, report.value); return true;
    case REPORT_SECCOMP_FAILED: fail(state, CTRACE_SECCOMP, report.value); return true;
    case REPORT_EXEC_FAILED: fail(state, CTRACE_EXEC, report.value); return true;
    case REPORT_ENDED:
        state->status = report.value;
        state->ended = true;
    }
    return false;
}

static void stop_listening(struct state *state) {
    if (state->listener >= 0) close(state->listener);
    state->listener = -1;
}

/// Waits for one event. False at the end.
static bool step(struct state *state) {
    // A signal stays pending until there is a command to forward it to. poll ignores a descriptor of -1.
    struct pollfd ready[] = {
        {state->listener, POLLIN, 0},
        {state->command == 0 ? -1 : state->sources->signals, POLLIN, 0},
        {state->sources->socket, POLLIN, 0}};
    if (poll(ready, 3, wait_limit(state)) < 0) return errno == EINTR;
    if ((ready[0].revents & POLLIN) != 0) ctrace_answer_next(state->sources->options, state->listener);
    // The only other event says that no process is left under the filter.
    else if (ready[0].revents != 0) stop_listening(state);
    if (ready[1].revents != 0) forward(state);
    return ready[2].revents == 0 || take_report(state);
}

int ctrace_supervise(const struct sources *sources, enum ctrace_stage *stage) {
    struct state state = {.sources = sources, .listener = -1};
    while (step(&state)) {}
    if (!state.ended && state.stage == CTRACE_NONE) fail(&state, CTRACE_LOST, ECHILD);
    stop_listening(&state);
    *stage = state.stage;
    errno = state.error;
    return state.stage == CTRACE_NONE ? state.status : -1;
}
