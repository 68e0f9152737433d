/*
 * shim_vfs.h: a VFS over the system's that shows each call to a function before it is made.
 *
 * libkinfolk uses SQLite's default VFS. A program that links the same libsqlite3 puts this one in its place before it
 * opens a service; the product needs no seam for it.
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

/* Makes the call in earnest, or a part of it, or fails in its place. */
typedef int (*shim_around)(struct shim_call *call);
int shim_pass(struct shim_call *call);

/* From now on files are opened through `around`; NULL: as without the shim. Files that are open stay as they are. */
void shim_install(shim_around around);

#endif
