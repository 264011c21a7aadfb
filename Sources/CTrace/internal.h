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
    /// From the command, with its process number and, if it is traced, the listener of its filter.
    REPORT_STARTED,
    REPORT_SETUP_FAILED,
    REPORT_SECCOMP_FAILED,
    REPORT_EXEC_FAILED,
    REPORT_ENDED,
};

/// What the guard and the command tell the supervisor. The value is an errno, a process number or a status of waitpid.
struct report {
    enum report_kind kind;
    int value;
};

/// Sends a report. `listener` is a descriptor that is passed on with it, or -1.
bool ctrace_send(int socket, enum report_kind kind, int value, int listener);
/// Returns 1 for a report, 0 if all processes that send reports have ended, -1 with errno for an error.
int ctrace_receive(int socket, struct report *report, int *listener);

/// What a new process gets. It must not allocate memory: another thread of the caller may have held the allocator's
/// lock at the fork, and then no thread releases that lock in the new process.
struct start {
    const struct ctrace_options *options;
    /// The arguments to run a script without #!: /bin/sh, a place for the script's path, and the command's arguments.
    const char **shell_argv;
    int socket;
};

_Noreturn void ctrace_guard(const struct start *start);
_Noreturn void ctrace_command(const struct start *start, pid_t guard);
/// Runs the command in place of the calling process. Returns only if that fails, with errno.
void ctrace_execute(const struct start *start);
/// Kills and reaps every child of the calling process. The children of a killed process become children of this one,
/// and are killed too.
void ctrace_kill_children(void);
/// Whether the kernel has user notifications, and their structures fit into NOTICE_ROOM. Sets errno if not.
bool ctrace_is_supported(void);
/// Installs the filter for the calling process. Returns the descriptor of its listener, or -1 with errno.
int ctrace_install_filter(void);

/// What the supervisor needs: the socket to the guard and the command, the signalfd, and the guard's process number.
struct sources {
    const struct ctrace_options *options;
    int socket;
    int signals;
    pid_t guard;
};

/// Answers calls and forwards signals until the command has ended. Returns like `ctrace_run`.
int ctrace_supervise(const struct sources *sources, enum ctrace_stage *stage);

/// The bytes that are reserved for each structure of a notification, because a later kernel may make them longer.
enum { NOTICE_ROOM = 256 };

/// A system call of a thread that waits for the answer.
struct call {
    const struct ctrace_options *options;
    int listener;
    const struct seccomp_notif *notice;
};

/// Takes the next call and answers it. Returns false if the kernel runs the call unchanged.
bool ctrace_answer_next(const struct ctrace_options *options, int listener);
/// These return false if the kernel should run the call unchanged.
bool ctrace_open(const struct call *call);
bool ctrace_connect(const struct call *call);
bool ctrace_fast_open(const struct call *call);

/// Whether the thread that made the call still waits. If so, no other thread has got its number, and what was read from
/// /proc is about this thread.
bool ctrace_is_waiting(const struct call *call);
/// Answers the call. This fails only if the thread no longer waits, and then the answer is not needed.
void ctrace_answer(const struct call *call, int error, uint32_t flags);
bool ctrace_read(pid_t thread, uint64_t address, void *bytes, size_t count);
bool ctrace_read_text(pid_t thread, uint64_t address, char *text, size_t size);
/// Writes to the memory of the waiting thread, even to pages that the thread itself cannot write to.
bool ctrace_write(const struct call *call, uint64_t address, const void *bytes, size_t count);

#pragma GCC visibility pop
#endif
