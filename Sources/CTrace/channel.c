// Reports from the guard and the command to the supervisor, over a socket that keeps messages apart.
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>

union room {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

bool ctrace_send(int socket, enum report_kind kind, int value, int listener) {
    struct report report = {kind, value};
    struct iovec part = {&report, sizeof report};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    union room room;
    if (listener >= 0) {
        memset(&room, 0, sizeof room);
        message.msg_control = room.bytes;
        message.msg_controllen = sizeof room.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof listener);
        memcpy(CMSG_DATA(header), &listener, sizeof listener);
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)sizeof report;
}

int ctrace_receive(int socket, struct report *report, int *listener) {
    *listener = -1;
    struct iovec part = {report, sizeof *report};
    union room room;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof room.bytes};
    ssize_t count;
    do {
        count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    } while (count < 0 && errno == EINTR);
    if (count <= 0) return (int)count;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header != NULL && header->cmsg_len == CMSG_LEN(sizeof *listener))
        memcpy(listener, CMSG_DATA(header), sizeof *listener);
    // The kernel drops the descriptor if this process has no free one, and says so with MSG_CTRUNC.
    bool dropped = (message.msg_flags & MSG_CTRUNC) != 0;
    if (count == (ssize_t)sizeof *report && !dropped) return 1;
    errno = dropped ? EMFILE : EPROTO;
    return -1;
}
