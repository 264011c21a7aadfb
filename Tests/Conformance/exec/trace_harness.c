// Runs a command under the supervisor of Sources/CTrace. Linked statically, it is also a client of the push hosts.
#define _GNU_SOURCE
#include "CTrace.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST = 8 };
static const char *bundles[MOST + 1], *default_bundles[MOST + 1];
static struct ctrace_options options = {.bundles = bundles, .default_bundles = default_bundles};
static enum ctrace_stage stage;
static int result, error;

static void add(const char **list, const char *path) {
    for (int i = 0; i < MOST; i++)
        if (list[i] == NULL) {
            list[i] = path;
            return;
        }
    exit(2);
}

/// Makes a system call fail with EPERM, as some containers do.
static void forbid(long number) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof code / sizeof *code, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) exit(2);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) < 0) exit(2);
}

static void *run(void *unused) {
    result = ctrace_run(&options, &stage);
    error = errno;
    return unused;
}

static void *try_often(void *unused) {
    for (int i = 0; i < 25; i++) {
        result = ctrace_is_available();
        error = errno;
    }
    return unused;
}

/// Says whether a command can be traced here, after several threads have tried. Nothing may be left of that.
static int available(int count) {
    pthread_t threads[MOST];
    int before = dup(2);
    close(before);
    if (count > MOST) return 2;
    for (int i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, try_often, NULL) != 0) return 2;
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
    printf("%s\n", result ? "yes" : strerrorname_np(error));
    if (dup(2) != before || waitpid(-1, NULL, 0) >= 0 || errno != ECHILD) return 3;
    return 0;
}

static void handle(int unused) {
    (void)unused;
    (void)!write(1, "handled\n", 8);
}

/// Makes a signal that this program handles wait for the command.
static void signal_early(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    signal(SIGTERM, handle);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    kill(getpid(), SIGTERM);
}

/// As a server would: the supervisor is not the first thread, and no other takes signals.
static void run_in_thread(void) {
    sigset_t all;
    pthread_t thread;
    signal(SIGPIPE, SIG_IGN);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    if (pthread_create(&thread, NULL, run, NULL) != 0) exit(2);
    pthread_join(thread, NULL);
}

/// Prints the address of a name, and the first line that a server there sends.
static int client(const char *name, const char *port) {
    struct addrinfo *found, hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    if (getaddrinfo(name, port, &hints, &found) != 0) return 3;
    char text[64] = "";
    inet_ntop(AF_INET, &((struct sockaddr_in *)(void *)found->ai_addr)->sin_addr, text, sizeof text);
    printf("%s\n", text);
    int to = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(to, found->ai_addr, found->ai_addrlen) < 0) return 4;
    ssize_t count = read(to, text, sizeof text - 1);
    if (count <= 0) return 5;
    printf("%.*s", (int)count, text);
    return 0;
}

static long call_number(const char *name) {
    if (strcmp(name, "seccomp") == 0) return __NR_seccomp;
    return strcmp(name, "pidfd_getfd") == 0 ? __NR_pidfd_getfd : __NR_process_vm_readv;
}

static void read_option(const char *name, const char *value, int *threaded) {
    if (strcmp(name, "--hosts") == 0) options.hosts_file = value;
    else if (strcmp(name, "--authority") == 0) options.authority_file = value;
    else if (strcmp(name, "--bundle") == 0) add(bundles, value);
    else if (strcmp(name, "--default-bundle") == 0) add(default_bundles, value);
    else if (strcmp(name, "--address") == 0) options.address = ntohl(inet_addr(value));
    else if (strcmp(name, "--port") == 0) options.gateway_port = (uint16_t)atoi(value);
    else if (strcmp(name, "--forbid") == 0) forbid(call_number(value));
    else if (strcmp(name, "--untraced") == 0) options.untraced = true;
    else if (strcmp(name, "--available") == 0) exit(available(atoi(value)));
    else if (strcmp(name, "--early") == 0) signal_early();
    else if (strcmp(name, "--thread") == 0) *threaded = 1;
    else exit(2);
}

/// Ends as the command did. "stage: errno" on standard error and 125 if it did not start.
int main(int count, const char **arguments) {
    int at = 1, threaded = 0;
    if (count == 4 && strcmp(arguments[1], "client") == 0) return client(arguments[2], arguments[3]);
    for (; at + 1 < count && strcmp(arguments[at], "--") != 0; at += 2)
        read_option(arguments[at], arguments[at + 1], &threaded);
    options.argv = arguments + at + 1;
    options.envp = (const char *const *)environ;
    if (threaded) run_in_thread();
    else run(NULL);
    if (result < 0) {
        fprintf(stderr, "stage %d: %s\n", stage, strerrorname_np(error));
        return 125;
    }
    if (WIFEXITED(result)) return WEXITSTATUS(result);
    fprintf(stderr, "signal %d\n", WTERMSIG(result));
    return 128 + WTERMSIG(result);
}
