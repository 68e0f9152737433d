/*
 * fault_vfs.h: a disk that fails when it is told to.
 *
 * One fault at a time may be armed: the n-th call of a kind fails, once or from then on; or the disk takes n bytes
 * more, and of the write that does not fit only what does. In a storm each call fails with some odds. What is not to
 * fail is passed on, but for syncs: no power goes here, and the sweeps are long.
 */

#ifndef FAULT_VFS_H
#define FAULT_VFS_H

#include "report.h"
#include "shim_vfs.h"

struct fault_kind {
    const char *name;
    enum shim_kind call;
    int code;
    bool is_cold; /* the service is opened anew before each try: there is nothing to read or open otherwise */
    int steps;    /* as many times more steps, if few make such calls; none if only opening a store does */
};

enum { FAULT_KINDS = 8 };
extern const struct fault_kind fault_kinds[FAULT_KINDS];

/* Puts the VFS in place. */
void fault_install(void);

void fault_arm(const struct fault_kind *kind, long countdown, bool is_lasting);
void fault_arm_full_disk(long room);
/* Limits the room that the files of this store take together. Truncating a file frees its room. NULL ends the limit. */
void fault_small_disk(const char *store, long capacity);
/* The space that they take. */
long fault_room_taken(void);
void fault_disarm(void);
/* How often the fault came that was armed last. */
long fault_count(void);

/* From now on one call in so many fails, of those that can, except in threads that are sheltered; 0: it is over. */
void fault_storm(long one_in, uint64_t seed);
void fault_shelter(bool is_sheltered);
/* How often the last storm struck. */
long fault_storm_count(void);

#endif
