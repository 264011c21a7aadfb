#ifndef PUSHPIT_CTRACE_H
#define PUSHPIT_CTRACE_H

#include <stdbool.h>
#include <stdint.h>

/// What to run, and where its look-ups and connections end.
struct ctrace_options {
    /// The command and its arguments, NULL-terminated. A name without a slash is searched for in the PATH of `envp`.
    const char *const *argv;
    const char *const *envp;
    /// The command sees this file instead of /etc/hosts. It has two lines for each push host, one with `address` and
    /// one with ::ffff:`address`. Without the second line, a program that asks only for IPv6 addresses would ask DNS.
    const char *hosts_file;
    /// The path of a PEM file. The command sees its content at the end of each CA bundle.
    const char *authority_file;
    /// Absolute paths of CA bundles, NULL-terminated. A path that ends in /certifi/cacert.pem always counts.
    const char *const *bundles;
    /// Absolute paths, NULL-terminated, that programs open in addition to other bundles, such as OpenSSL's cert.pem.
    /// If such a file is missing, the command sees the authority alone. May be NULL.
    const char *const *default_bundles;
    /// The IPv4 address, in host order, that the hosts file gives for the push hosts.
    uint32_t address;
    /// The port on 127.0.0.1 where TCP connections to ports 443 and 2197 of `address` go.
    uint16_t gateway_port;
    /// Runs the command without the filter: signals are forwarded, and the command ends with its parent, but nothing is
    /// redirected. Setuid programs keep their rights. Only `argv`, `envp` and `still_runs` are used then.
    bool untraced;
    /// A descriptor that becomes the command's standard output and standard error. Standard input is empty then, and the
    /// command is in a process group of its own, so it does not use the terminal. 0 leaves all of that as it is.
    int output;
    /// Called once if the command still runs some seconds after SIGTERM, with its process number and the number of
    /// seconds. May be NULL.
    void (*still_runs)(int32_t command, int32_t seconds);
};

/// The step that failed when `ctrace_run` returns -1.
enum ctrace_stage {
    /// None.
    CTRACE_NONE,
    /// Sockets, processes or memory.
    CTRACE_SETUP,
    /// This kernel, container or outer tracer does not allow seccomp user notification.
    CTRACE_SECCOMP,
    /// The command was not found or is not executable.
    CTRACE_EXEC,
    /// Somebody killed the process that watches the command.
    CTRACE_LOST,
};

/// Runs the command until it ends. Returns its status as waitpid gives it, or -1 with errno; `stage` says what failed.
///
/// The calling thread forwards signals to the command, so every other thread of the process has to block them:
/// INT, TERM, HUP, QUIT, USR1, USR2, TSTP, TTIN, TTOU and CONT. The command starts with no signal blocked.
/// Programs for another architecture, such as 32-bit ones, run as they are.
int ctrace_run(const struct ctrace_options *options, enum ctrace_stage *stage);

/// 1 if a command can be traced here, otherwise 0 with errno. Takes a few milliseconds: it tries in a child process.
int ctrace_is_available(void);

#endif
