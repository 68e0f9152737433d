/*
 * power_cut_vfs.h: a VFS that makes images of what a disk could hold if the power failed now.
 *
 * For each file of a store it keeps the content as of the last sync, and every write and truncation since. A cut
 * makes an image from them in a new folder. Each piece that was not synced is there, is missing, or is there in some of
 * its 512-byte sectors; sometimes pieces are reordered. A new or deleted file is certain only after its folder was synced.
 * That happens with the first sync of a log or journal that SQLite made. The -shm file is in the image, is garbage, or is
 * missing, because SQLite does not need it after a crash.
 *
 * Assumptions, which SQLite makes too: a sync really syncs, and a torn write does not change the bytes around it
 * (SQLITE_IOCAP_POWERSAFE_OVERWRITE, SQLite's default). Syncs are not passed on to the system: they would only cost time.
 */

#ifndef POWER_CUT_VFS_H
#define POWER_CUT_VFS_H

#include "report.h"

struct power_cut_plan {
    const char *folder; /* of the store; the images are made in it, in cut-0, cut-1… */
    const char *store;  /* the name of its file; existing content counts as synced */
    const char *key;    /* the name of the key file, copied into each image */
    uint64_t seed;
    bool without_sync; /* use PRAGMA synchronous = OFF instead of the library's setting */
    /* Called before and after an image is made, under the shim's lock: no call of SQLite that changes a file runs or begins in
     * between. */
    void (*moment)(int cut, bool after);
};

/* Copies the image of a cut to a new folder, before a process opens it. */
void power_cut_copy(const char *image, const char *folder, const char *store, const char *key);

/* From now on the library opens its files through this VFS. */
void power_cut_begin(const struct power_cut_plan *plan);
/* From now on a cut follows one in `gap` of the calls that change a file or a folder, on average; 0: none. */
void power_cut_every(long gap);
int power_cuts_taken(void);
long power_cut_calls(void);
/* The library opens its files without this VFS again, which forgets all of them. */
void power_cut_end(void);

#endif
