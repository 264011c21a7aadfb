#ifndef PUSHPIT_CTRACE_SHARED_H
#define PUSHPIT_CTRACE_SHARED_H
// What Sources/CPreload uses too. There, these functions run inside other programs, so they neither allocate memory nor
// call a function that the library replaces.
#include "include/CTrace.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

#pragma GCC visibility push(hidden)

/// Flags of an open that does something other than read a file that exists. Such an open is left alone.
#define CTRACE_NOT_READING (O_ACCMODE | O_CREAT | O_TRUNC | O_DIRECTORY | O_PATH)

union ctrace_address {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
    struct sockaddr_un local;
};

/// Replaces the address of a push host by the gateway's. Returns false for any other address, and leaves it alone.
bool ctrace_redirect(const struct ctrace_options *options, union ctrace_address *to, socklen_t length);
bool ctrace_is_stream(int socket);

/// The files that a command does not see as they are.
enum ctrace_file {
    CTRACE_OTHER,
    CTRACE_HOSTS,
    CTRACE_BUNDLE,
    CTRACE_DEFAULT_BUNDLE,
};

/// Whether the path may lead to one of these files. This quick test is false for nearly every path.
bool ctrace_may_matter(const struct ctrace_options *options, const char *path);
/// Makes a path absolute that the thread uses. "." and ".." stay in it, because only the kernel knows where they lead.
bool ctrace_absolute(pid_t thread, int directory, const char *path, char *full, size_t size);
enum ctrace_file ctrace_recognize(const struct ctrace_options *options, const char *full);

/// A new file in memory, or -1.
int ctrace_new_file(void);
/// Appends a regular file to another one, and ends its last line. Returns false with errno if that fails.
bool ctrace_copy(int to, const char *path);
/// Closes the new file. Returns a descriptor that reads it from its start and cannot write to it, or -1.
int ctrace_finish(int file);
/// Returns a descriptor that reads the bundle and after it the authority, or -1. A bundle that may be missing counts as
/// empty if it is.
int ctrace_bundle(const char *path, const char *authority, bool may_be_missing);
/// Opens a file for reading. `flags` are added to the usual ones.
int ctrace_open_file(const char *path, int flags);

#pragma GCC visibility pop
#endif
