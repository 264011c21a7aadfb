#ifndef PUSHPIT_CTRACE_SHARED_H
#define PUSHPIT_CTRACE_SHARED_H
// What Sources/CPreload uses, too. There it runs inside programs, so it neither allocates nor calls a function that
// the library replaces.
#include "include/CTrace.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

#pragma GCC visibility push(hidden)

/// An open with one of these flags does not read a file that exists.
#define CTRACE_NOT_READING (O_ACCMODE | O_CREAT | O_TRUNC | O_DIRECTORY | O_PATH)

union ctrace_address {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
    struct sockaddr_un local;
};

/// Points an address of a push host to the gateway. False for any other address.
bool ctrace_redirect(const struct ctrace_options *options, union ctrace_address *to, socklen_t length);
bool ctrace_is_stream(int socket);

/// The files that a command does not see as they are.
enum ctrace_file {
    CTRACE_OTHER,
    CTRACE_HOSTS,
    CTRACE_BUNDLE,
    CTRACE_DEFAULT_BUNDLE,
};

/// False for nearly every path, and quickly.
bool ctrace_may_matter(const struct ctrace_options *options, const char *path);
/// Makes a path of the thread absolute. "." and ".." stay in it: only the kernel knows where they lead.
bool ctrace_absolute(pid_t thread, int directory, const char *path, char *full, size_t size);
enum ctrace_file ctrace_recognize(const struct ctrace_options *options, const char *full);

/// A new file in memory, or -1.
int ctrace_new_file(void);
/// Copies a regular file to the end of another, and ends its last line.
bool ctrace_copy(int to, const char *path);
/// A descriptor that reads the new file from its start and cannot write, or -1. Closes the other.
int ctrace_finish(int file);
/// A descriptor that reads the bundle with the authority at its end, or -1.
int ctrace_bundle(const char *path, const char *authority, bool may_be_missing);
/// Opens for reading.
int ctrace_open_file(const char *path, int flags);

#pragma GCC visibility pop
#endif
