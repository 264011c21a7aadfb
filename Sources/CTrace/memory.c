// Reads and writes the memory of a thread that waits for an answer, and answers it.
#define _GNU_SOURCE
#include "internal.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

bool ctrace_read(pid_t thread, uint64_t address, void *bytes, size_t count) {
    struct iovec ours = {bytes, count}, theirs = {(void *)(uintptr_t)address, count};
    return process_vm_readv(thread, &ours, 1, &theirs, 1, 0) == (ssize_t)count;
}

bool ctrace_write(const struct call *call, uint64_t address, const void *bytes, size_t count) {
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/mem", (int)call->notice->pid);
    int memory = open(path, O_WRONLY | O_CLOEXEC);
    if (memory < 0) return false;
    // If the thread still waits now, `memory` is the memory of this thread. It stays so even if the thread ends and
    // another one gets its number.
    bool written = ctrace_is_waiting(call) && pwrite(memory, bytes, count, (off_t)address) == (ssize_t)count;
    close(memory);
    return written;
}

/// Reads page by page, because the page after the text may not exist.
bool ctrace_read_text(pid_t thread, uint64_t address, char *text, size_t size) {
    const size_t page = 4096;
    size_t length = 0;
    while (length < size) {
        size_t part = page - (size_t)((address + length) % page);
        if (part > size - length) part = size - length;
        if (!ctrace_read(thread, address + length, text + length, part)) return false;
        if (memchr(text + length, 0, part) != NULL) return true;
        length += part;
    }
    return false;
}

bool ctrace_is_waiting(const struct call *call) {
    return ioctl(call->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &call->notice->id) == 0;
}

void ctrace_answer(const struct call *call, int error, uint32_t flags) {
    union {
        struct seccomp_notif_resp answer;
        char room[NOTICE_ROOM];
    } sent;
    memset(&sent, 0, sizeof sent);
    sent.answer = (struct seccomp_notif_resp){.id = call->notice->id, .error = -error, .flags = flags};
    ioctl(call->listener, SECCOMP_IOCTL_NOTIF_SEND, &sent);
}
