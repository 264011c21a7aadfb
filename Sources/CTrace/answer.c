// Decides which answer a call gets.
#define _GNU_SOURCE
#include "internal.h"

#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

static bool answer(const struct call *call) {
    switch (call->notice->data.nr) {
    case __NR_connect: return ctrace_connect(call);
    case __NR_sendto:
    case __NR_sendmsg: return ctrace_fast_open(call);
    default: return ctrace_open(call);
    }
}

bool ctrace_answer_next(const struct ctrace_options *options, int listener) {
    union {
        struct seccomp_notif notice;
        char room[NOTICE_ROOM];
    } got;
    // The kernel wants zeros.
    memset(&got, 0, sizeof got);
    struct call call = {options, listener, &got.notice};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &got) < 0) return false;
    if (answer(&call)) return true;
    ctrace_answer(&call, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE);
    return false;
}
