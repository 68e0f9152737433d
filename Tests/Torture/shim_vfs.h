/*
 * shim_vfs.h: a VFS above the library's that passes each call to a function before it is made.
 *
 * libkinfolk opens its files through the VFS with the name "kinfolk", and SQLite searches its VFSes by name. A program that
 * links the same libsqlite3 registers the shim under this name, before the library's. The library needs no change for that.
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

/* From now on the library opens its files through `around`; NULL: without the shim. Open files are not affected. */
void shim_install(shim_around around);

/* Call it when the last store of the process was closed. If a file of the shim is still open, the library will make a call after
 * the close: reports that as broken, and waits for the file, so that the call does not disturb the next part of the program. */
void shim_expect_closed(void);
/* Prints the row of the closes that were expected. */
void shim_closes_row(void);

#endif
