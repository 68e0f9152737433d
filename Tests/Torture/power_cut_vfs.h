/*
 * power_cut_vfs.h: what a disk could hold if the power went now.
 *
 * For each file of a store it keeps the content as of the last sync, and every write and truncation since. A cut
 * makes of them an image in a new folder: of what was not synced each piece is there, is not, or is there in some of
 * its 512-byte sectors, sometimes in another order. A file made or deleted is so for sure only once its folder was
 * synced, which is with the first sync of a log or journal that SQLite made. The -shm file is in the image, is
 * garbage, or is not: it is no part of what SQLite keeps.
 *
 * What it takes for granted is what SQLite does: that a sync is one, and that a write which is torn leaves the bytes
 * around it alone (SQLITE_IOCAP_POWERSAFE_OVERWRITE, SQLite's default). Syncs are not handed on to the system:
 * nothing but speed would come of it.
 */

#ifndef POWER_CUT_VFS_H
#define POWER_CUT_VFS_H

#include "report.h"

struct power_cut_plan {
    const char *folder; /* the store's; images are made beside its files, in cut-0, cut-1… */
    const char *store;  /* the name of its file; what is there of it already was synced */
    const char *key;    /* the name of the key file, copied into each image */
    uint64_t seed;
    bool without_sync; /* PRAGMA synchronous = OFF in place of what the library sets */
    /* Called under the shim's lock, before an image is made and after: no call of SQLite that changes a file is under
     * way or begins in between. */
    void (*moment)(int cut, bool after);
};

/* The image of a cut, copied to a new folder before anybody opens it. */
void power_cut_copy(const char *image, const char *folder, const char *store, const char *key);

/* Puts the VFS in place. */
void power_cut_begin(const struct power_cut_plan *plan);
/* From now on every `gap`-th call that changes a file or a folder is followed by a cut, on the average; 0: none. */
void power_cut_every(long gap);
int power_cuts_taken(void);
long power_cut_calls(void);
/* Puts the system's VFS in place, and forgets all. All files must be closed. */
void power_cut_end(void);

#endif
