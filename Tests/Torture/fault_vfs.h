/*
 * fault_vfs.h: a VFS whose disk fails on command.
 *
 * One fault at a time can be armed: the n-th call of a kind fails, once or from then on; or the disk has room for n more
 * bytes, and writes only the part that fits. In a storm each call fails with a given probability. Other calls are passed
 * on, except syncs: no test here cuts the power, and without syncs the sweeps are faster.
 */

#ifndef FAULT_VFS_H
#define FAULT_VFS_H

#include "report.h"
#include "shim_vfs.h"

struct fault_kind {
    const char *name;
    enum shim_kind call;
    int code;
    bool is_cold; /* whether to reopen the service before each try; otherwise no file would be read or opened */
    int steps;    /* factor for the number of steps, if few steps make such calls; 0 if only opening a store makes them */
};

enum { FAULT_KINDS = 8 };
extern const struct fault_kind fault_kinds[FAULT_KINDS];

/* From now on the library opens its files through this VFS. */
void fault_install(void);

void fault_arm(const struct fault_kind *kind, long countdown, bool is_lasting);
void fault_arm_full_disk(long room);
/* Limits the total size of the files of this store. Truncating a file frees room. NULL removes the limit. */
void fault_small_disk(const char *store, long capacity);
/* Their total size. */
long fault_room_taken(void);
void fault_disarm(void);
/* How often the fault happened that was armed last. */
long fault_count(void);

/* Begins a storm: one in so many of the calls that can fail does, except in sheltered threads. 0 ends it. */
void fault_storm(long one_in, uint64_t seed);
void fault_shelter(bool is_sheltered);
/* How many calls failed in the last storm. */
long fault_storm_count(void);

#endif
