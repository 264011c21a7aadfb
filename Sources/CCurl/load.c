// Finds libcurl at run time.
#include "internal.h"

#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct curl_functions curl;

/// The library's name on Linux, then on macOS.
static const char *const files[] = {"libcurl.so.4", "libcurl.4.dylib"};

/// The place of each function in `curl`, and its name.
static const struct {
    void *place;
    const char *name;
} symbols[] = {
#define SYMBOL(name) {&curl.name, "curl_" #name}
    SYMBOL(global_init), SYMBOL(easy_init), SYMBOL(easy_setopt), SYMBOL(easy_getinfo), SYMBOL(easy_strerror),
    SYMBOL(easy_cleanup), SYMBOL(easy_pause), SYMBOL(multi_init), SYMBOL(multi_setopt), SYMBOL(multi_add_handle),
    SYMBOL(multi_remove_handle), SYMBOL(multi_socket_action), SYMBOL(multi_info_read), SYMBOL(multi_cleanup),
    SYMBOL(slist_append), SYMBOL(slist_free_all),
#undef SYMBOL
};

static const char *load(void) {
    void *library = NULL;
    for (size_t i = 0; library == NULL && i < sizeof files / sizeof *files; i++) {
        library = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
    }
    if (library == NULL) return dlerror();
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *function = dlsym(library, symbols[i].name);
        if (function == NULL) return dlerror();
        memcpy(symbols[i].place, &function, sizeof function);
    }
    return curl.global_init(CURL_GLOBAL_ALL) == CURLE_OK ? NULL : "it can't be initialized";
}

const char *ccurl_authorities;

/// The first is for Debian, Alpine and newer Fedora, the second for older Fedora.
static const char *const directories[] = {"/etc/ssl/certs", "/etc/pki/ca-trust/extracted/pem/directory-hash"};

/// Whether a name is eight hexadecimal digits and ".0".
static bool is_hash(const char *name) {
    return strlen(name) == 10 && strspn(name, "0123456789abcdef") == 8 && strcmp(name + 8, ".0") == 0;
}

static bool has_hashes(const char *directory) {
    DIR *list = opendir(directory);
    if (list == NULL) return false;
    const struct dirent *entry;
    do entry = readdir(list);
    while (entry != NULL && !is_hash(entry->d_name));
    closedir(list);
    return entry != NULL;
}

static void find_authorities(void) {
    for (size_t i = 0; ccurl_authorities == NULL && i < sizeof directories / sizeof *directories; i++) {
        if (has_hashes(directories[i])) ccurl_authorities = directories[i];
    }
}

bool ccurl_load(char *problem, size_t room) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static bool is_loaded;
    pthread_mutex_lock(&mutex);
    const char *text = is_loaded ? NULL : load();
    if (text == NULL && !is_loaded) find_authorities();
    if (text == NULL) is_loaded = true;
    else snprintf(problem, room, "%s", text);
    pthread_mutex_unlock(&mutex);
    return text == NULL;
}
