#ifndef PUSHPIT_CTRACE_INTERNAL_H
#define PUSHPIT_CTRACE_INTERNAL_H
// What the C files of this target share. Swift does not see it.
#include "include/CTrace.h"

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>
#include <linux/seccomp.h>

#include "shared.h"

#pragma GCC visibility push(hidden)

enum report_kind {
    /// From the command, with its process and, if it is traced, the listener.
    REPORT_STARTED,
    REPORT_SETUP_FAILED,
    REPORT_SECCOMP_FAILED,
    REPORT_EXEC_FAILED,
    REPORT_ENDED,
};

/// What the guard and the command tell the supervisor: an errno, a process or a status.
struct report {
    enum report_kind kind;
    int value;
};

/// Without a listener, it is -1.
bool ctrace_send(int socket, enum report_kind kind, int value, int listener);
/// 1 for a report, 0 if the processes that send them have ended, -1 for an error.
int ctrace_receive(int socket, struct report *report, int *listener);

/// What a new process needs. It must not allocate: other threads of the caller may have held a lock at the fork.
struct start {
    const struct ctrace_options *options;
    /// /bin/sh, room for the path of a script without #!, and the arguments.
    const char **shell_argv;
    int socket;
};

_Noreturn void ctrace_guard(const struct start *start);
_Noreturn void ctrace_command(const struct start *start, pid_t guard);
/// Runs the command in place of the calling process. Returns only with errno.
void ctrace_execute(const struct start *start);
/// Kills and reaps every child of the calling process, and theirs as they become its children.
void ctrace_kill_children(void);
/// Whether the kernel knows notifications and they fit. Sets errno if not.
bool ctrace_is_supported(void);
/// The listener, or -1 with errno.
int ctrace_install_filter(void);

/// What the supervisor waits for.
struct sources {
    const struct ctrace_options *options;
    int socket;
    int signals;
    pid_t guard;
};

/// Answers calls and forwards signals until the command has ended. Returns like `ctrace_run`.
int ctrace_supervise(const struct sources *sources, enum ctrace_stage *stage);

/// Room for what a later kernel may add to the structures of a notification.
enum { NOTICE_ROOM = 256 };

/// One call that waits for an answer.
struct call {
    const struct ctrace_options *options;
    int listener;
    const struct seccomp_notif *notice;
};

/// Takes the next call and answers it. False if the kernel runs it as it is.
bool ctrace_answer_next(const struct ctrace_options *options, int listener);
/// These return false if the kernel should run the call as it is.
bool ctrace_open(const struct call *call);
bool ctrace_connect(const struct call *call);
bool ctrace_fast_open(const struct call *call);

/// Whether the thread that made the call still waits, so what was read from /proc was its own.
bool ctrace_is_waiting(const struct call *call);
/// Fails only if the thread no longer waits, and then the answer has no use.
void ctrace_answer(const struct call *call, int error, uint32_t flags);
bool ctrace_read(pid_t thread, uint64_t address, void *bytes, size_t count);
bool ctrace_read_text(pid_t thread, uint64_t address, char *text, size_t size);
/// Writes to the memory of the thread that waits, even where it cannot write itself.
bool ctrace_write(const struct call *call, uint64_t address, const void *bytes, size_t count);

#pragma GCC visibility pop
#endif
