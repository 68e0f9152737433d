/* A VFS whose disk fails on command. */

#include "fault_vfs.h"

const struct fault_kind fault_kinds[FAULT_KINDS] = {
    { "write", SHIM_WRITE, SQLITE_IOERR_WRITE, false, 1 },
    { "sync", SHIM_SYNC, SQLITE_IOERR_FSYNC, false, 1 },
    { "truncate", SHIM_TRUNCATE, SQLITE_IOERR_TRUNCATE, false, 12 },
    { "read", SHIM_READ, SQLITE_IOERR_READ, true, 1 },
    { "lock", SHIM_LOCK, SQLITE_IOERR_LOCK, true, 0 },
    { "shm-lock", SHIM_SHM_LOCK, SQLITE_IOERR_SHMLOCK, false, 1 },
    { "shm-map", SHIM_SHM_MAP, SQLITE_IOERR_SHMMAP, true, 0 },
    { "open", SHIM_OPEN, SQLITE_CANTOPEN, true, 0 },
};

#include <sys/stat.h>

static struct {
    char store[1200]; /* empty unless the disk is small */
    long capacity;
} small;

static struct {
    bool is_armed, is_lasting, is_disk_full;
    enum shim_kind call;
    int code;
    long countdown; /* calls until the fault, or bytes for which the disk still has room */
    long fired;
} fault;

static struct {
    long one_in, fired;
    uint64_t roll;
} storm;
static __thread bool is_sheltered;

/* Releasing a lock never fails: a system cannot refuse it. */
static bool is_release(const struct shim_call *call) {
    return call->kind == SHIM_SHM_LOCK && !(call->flags & SQLITE_SHM_LOCK);
}

static bool concerns(const struct shim_call *call) {
    return fault.is_armed && call->kind == fault.call && !is_release(call);
}

static int storm_strikes(const struct shim_call *call) {
    struct dice dice;
    int kind;
    if (storm.one_in == 0 || is_sheltered || is_release(call)) return SQLITE_OK;
    dice = dice_of(__atomic_add_fetch(&storm.roll, 1, __ATOMIC_SEQ_CST), 6);
    if (dice_below(&dice, storm.one_in) != 0) return SQLITE_OK;
    for (kind = 0; kind < FAULT_KINDS && fault_kinds[kind].call != call->kind; kind++) continue;
    if (kind == FAULT_KINDS) return SQLITE_OK;
    __atomic_add_fetch(&storm.fired, 1, __ATOMIC_SEQ_CST);
    return call->kind == SHIM_WRITE && dice_below(&dice, 2) ? SQLITE_FULL : fault_kinds[kind].code;
}

/* A full disk writes the part of the data that fits, and overwrites existing bytes. */
static int write_to_full_disk(struct shim_call *call) {
    if (call->amount <= fault.countdown) {
        fault.countdown -= call->amount;
        return shim_pass(call);
    }
    fault.fired++;
    call->amount = (int)fault.countdown;
    fault.countdown = 0;
    if (call->amount > 0) (void)shim_pass(call);
    return SQLITE_FULL;
}

static long size_of(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? (long)status.st_size : 0;
}

/* The space that the files of the store take on the disk. */
long fault_room_taken(void) {
    return size_of(small.store) + size_of(text("%s-wal", small.store)) + size_of(text("%s-shm", small.store));
}

/* Whether the disk has no room for the bytes that a write would add to its file. */
static bool is_too_much(const struct shim_call *call) {
    long growth = small.store[0] == '\0' ? 0 : (long)call->offset + call->amount - size_of(call->path);
    return growth > 0 && fault_room_taken() + growth > small.capacity;
}

static int pass(struct shim_call *call) {
    return call->kind == SHIM_SYNC ? SQLITE_OK : shim_pass(call);
}

static int around(struct shim_call *call) {
    int strikes = storm_strikes(call);
    if (strikes != SQLITE_OK) return strikes;
    if (call->kind == SHIM_WRITE && is_too_much(call)) return SQLITE_FULL;
    if (!concerns(call)) return pass(call);
    if (fault.is_disk_full) return write_to_full_disk(call);
    if (--fault.countdown > 0 || (fault.countdown < 0 && !fault.is_lasting)) return pass(call);
    fault.fired++;
    return fault.code;
}

void fault_install(void) {
    shim_install(around);
}

void fault_arm(const struct fault_kind *kind, long countdown, bool is_lasting) {
    memset(&fault, 0, sizeof fault);
    fault.call = kind->call, fault.code = kind->code;
    fault.countdown = countdown, fault.is_lasting = is_lasting;
    fault.is_armed = true;
}

void fault_arm_full_disk(long room) {
    memset(&fault, 0, sizeof fault);
    fault.call = SHIM_WRITE, fault.countdown = room;
    fault.is_disk_full = fault.is_armed = true;
}

void fault_small_disk(const char *store, long capacity) {
    snprintf(small.store, sizeof small.store, "%s", store == NULL ? "" : store);
    small.capacity = capacity;
}

void fault_disarm(void) {
    fault.is_armed = false;
}

long fault_count(void) {
    return fault.fired;
}

/* All threads start after the beginning of a storm, and end before its end. */
void fault_storm(long one_in, uint64_t seed) {
    if (one_in > 0) storm.fired = 0, storm.roll = seed;
    storm.one_in = one_in;
}

void fault_shelter(bool is_sheltered_now) {
    is_sheltered = is_sheltered_now;
}

long fault_storm_count(void) {
    return storm.fired;
}
