// The seccomp filter: which system calls the supervisor sees.
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Headers from Linux 5.18 or earlier lack one or both of these.
#ifndef SECCOMP_ADDFD_FLAG_SEND
#define SECCOMP_ADDFD_FLAG_SEND (1UL << 1)
#endif
#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE AUDIT_ARCH_AARCH64
#endif

#define FIELD(name) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name))
#define UNLESS_EQUAL(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip)
#define UNLESS_ANY(bits, skip) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, skip)
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)

#define NOTIFY(number) UNLESS_EQUAL(number, 1), RETURN(SECCOMP_RET_USER_NOTIF)
// Flags are in the low half of an argument, which both architectures store first.
#define NOTIFY_WITH(number, flags, bits)                                     \
    UNLESS_EQUAL(number, 4), FIELD(flags), UNLESS_ANY(bits, 1),              \
        RETURN(SECCOMP_RET_USER_NOTIF), RETURN(SECCOMP_RET_ALLOW)
#define NOTIFY_WITHOUT(number, flags, bits)                                  \
    UNLESS_EQUAL(number, 4), FIELD(flags), UNLESS_ANY(bits, 1),              \
        RETURN(SECCOMP_RET_ALLOW), RETURN(SECCOMP_RET_USER_NOTIF)

#ifdef NATIVE
static struct sock_filter program[] = {
    FIELD(arch),
    UNLESS_EQUAL(NATIVE, 1),
    BPF_STMT(BPF_JMP | BPF_JA, 1),
    RETURN(SECCOMP_RET_ALLOW),
    FIELD(nr),
    NOTIFY_WITHOUT(__NR_openat, args[2], CTRACE_NOT_READING),
#ifdef __NR_open
    NOTIFY_WITHOUT(__NR_open, args[1], CTRACE_NOT_READING),
#endif
    NOTIFY(__NR_openat2),
    NOTIFY(__NR_connect),
    NOTIFY_WITH(__NR_sendto, args[3], MSG_FASTOPEN),
    NOTIFY_WITH(__NR_sendmsg, args[2], MSG_FASTOPEN),
    // io_uring can open and connect without system calls. Programs know this error from containers and then do
    // without io_uring.
    UNLESS_EQUAL(__NR_io_uring_setup, 1),
    RETURN(SECCOMP_RET_ERRNO | EPERM),
    RETURN(SECCOMP_RET_ALLOW),
};

bool ctrace_is_supported(void) {
    struct seccomp_notif_sizes sizes;
    if (syscall(__NR_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) < 0) return false;
    errno = ENOSYS;
    return sizes.seccomp_notif <= NOTICE_ROOM && sizes.seccomp_notif_resp <= NOTICE_ROOM;
}

/// Whether the kernel can hand a descriptor over and end the call in one step, as Linux 5.14 can. Without that, a
/// signal could come in between.
static bool can_send(int listener) {
    struct seccomp_notif_addfd none = {.flags = SECCOMP_ADDFD_FLAG_SEND, .srcfd = (uint32_t)listener};
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &none) < 0 && errno == ENOENT;
}

int ctrace_install_filter(void) {
    struct sock_fprog filter = {sizeof program / sizeof *program, program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -1;
    // With the second flag (Linux 5.19), signals do not interrupt a call that the supervisor is answering. Older
    // kernels refuse the flag with EINVAL.
    unsigned flags = SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
    long listener = syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
    if (listener < 0 && errno == EINVAL) {
        flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
        listener = syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
    }
    if (listener < 0) return -1;
    if (can_send((int)listener)) return (int)listener;
    close((int)listener);
    errno = ENOSYS;
    return -1;
}
#else
bool ctrace_is_supported(void) {
    errno = ENOSYS;
    return false;
}

int ctrace_install_filter(void) {
    errno = ENOSYS;
    return -1;
}
#endif
