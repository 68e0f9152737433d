/* store.h: a store in memory, for the targets that need one. After many writes it is replaced by a new one. */

#ifndef STORE_H
#define STORE_H

#include "fuzz.h"

#include <sys/stat.h>
#include <unistd.h>

#define NOTES "com.example.notes"

static char store_folder[1000];

/* A path in the target's folder: in memory if possible, unless TMPDIR names another place. */
static const char *store_path(const char *name) {
    static char paths[4][1100];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", store_folder, name);
    return path;
}

static void store_remove(void) {
    static const char *const files[] = { "kinfolk.db", "kinfolk.db-wal", "kinfolk.db-shm", "kinfolk.key" };
    size_t i;
    for (i = 0; i < sizeof files / sizeof files[0]; i++) unlink(store_path(files[i]));
}

FUZZ_UNUSED static void store_end(void) {
    store_remove();
    rmdir(store_folder);
}

/* Replaces the store by a new one. The old one must not be open. */
FUZZ_UNUSED static kinfolk_service *store_make(void) {
    kinfolk_service *service = NULL;
    if (store_folder[0] == '\0') {
        const char *parent = getenv("TMPDIR");
        snprintf(store_folder, sizeof store_folder, "%s/kinfolk-fuzz-XXXXXX", parent == NULL ? "/dev/shm" : parent);
        HOLDS(mkdtemp(store_folder) != NULL);
        atexit(store_end);
    }
    store_remove();
    OK(kinfolk_service_open(store_path("kinfolk.db"), NULL, &service));
    return service;
}

FUZZ_UNUSED static kinfolk_account *store_person(const kinfolk_service *service, const char *name, const char *email) {
    kinfolk_account *account = NULL;
    OK(kinfolk_account_create(service, name, "", &account));
    OK(kinfolk_account_add_email(account, email, true, NULL));
    return account;
}

#endif
