// Ends what the command leaves behind. Runs after a fork, so it neither allocates nor uses stdio.
#define _GNU_SOURCE
#include "internal.h"

#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// What getdents64 stores for each file.
struct entry {
    uint64_t number;
    int64_t next;
    unsigned short length;
    unsigned char kind;
    char name[];
};

/// The number at the start of a text, or 0.
static pid_t leading_number(const char *text) {
    pid_t number = 0;
    for (; *text >= '0' && *text <= '9'; text++) number = number * 10 + (*text - '0');
    return number;
}

/// The parent of a process of /proc, or 0. Its name in "42 (name) S 7" may contain anything, even parentheses.
static pid_t parent_of(int processes, const char *name) {
    char path[32] = "", text[512];
    if (strlen(name) + sizeof "/stat" > sizeof path) return 0;
    strcat(strcpy(path, name), "/stat");
    int file = openat(processes, path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return 0;
    text[count] = 0;
    char *end = strrchr(text, ')');
    return end != NULL && strlen(end) > 4 ? leading_number(end + 4) : 0;
}

/// Kills every process in /proc whose parent is this one. Returns how many.
static int kill_once(int processes) {
    pid_t self = getpid();
    int killed = 0;
    _Alignas(struct entry) char room[4096];
    long count;
    lseek(processes, 0, SEEK_SET);
    while ((count = syscall(__NR_getdents64, processes, room, sizeof room)) > 0) {
        for (long at = 0; at < count;) {
            struct entry *entry = (struct entry *)(room + at);
            pid_t pid = leading_number(entry->name);
            if (pid > 0 && parent_of(processes, entry->name) == self && kill(pid, SIGKILL) == 0) killed++;
            at += entry->length;
        }
    }
    return killed;
}

/// Whether a child is left, after all that have ended are reaped.
static bool has_children(void) {
    pid_t pid;
    do {
        pid = waitpid(-1, NULL, WNOHANG);
    } while (pid > 0);
    return pid == 0;
}

void ctrace_kill_children(void) {
    if (!has_children()) return;
    int processes = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (processes < 0) return;
    // The children of a killed process become ours, so one round is rarely enough. A process that /proc hides must
    // not keep us for ever.
    for (int idle = 0; idle < 1000 && has_children();) {
        if (kill_once(processes) > 0) {
            idle = 0;
            waitpid(-1, NULL, 0);
        } else {
            idle++;
            nanosleep(&(struct timespec){0, 1000000}, NULL);
        }
    }
    close(processes);
}
