/*
 * shim_vfs.h: a VFS above the system's that passes each call to a function before it is made.
 *
 * libkinfolk uses SQLite's default VFS. A program that links the same libsqlite3 makes this VFS the default before it
 * opens a service. The library needs no change for that.
 */

#ifndef SHIM_VFS_H
#define SHIM_VFS_H

#include <sqlite3.h>
#include <stdbool.h>

enum shim_kind {
    SHIM_OPEN,
    SHIM_DELETE,
    SHIM_READ,
    SHIM_WRITE,
    SHIM_TRUNCATE,
    SHIM_SYNC,
    SHIM_CLOSE,
    SHIM_LOCK,
    SHIM_SHM_MAP,
    SHIM_SHM_LOCK,
    SHIM_CONTROL,
    SHIM_KINDS
};

struct shim_file;

struct shim_call {
    enum shim_kind kind;
    const char *path; /* NULL for a temporary file */
    struct shim_file *file;
    int flags; /* of open, sync, lock and shm-lock; whether the folder is synced for delete; the operation of control */
    void *bytes;
    int amount;
    sqlite3_int64 offset; /* of read and write; the size of truncate */
    /* Of a shm call. */
    int region, region_size;
    void volatile **memory;
    int *flags_out;
};

/* Makes the real call, or a part of it, or returns an error instead. */
typedef int (*shim_around)(struct shim_call *call);
int shim_pass(struct shim_call *call);

/* From now on files are opened through `around`; NULL: without the shim. Open files are not affected. */
void shim_install(shim_around around);

#endif
