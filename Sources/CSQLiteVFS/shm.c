/* The shared-memory methods (sqlite3_io_methods, version 2), with one descriptor and one mapping for each connection. */

#define _GNU_SOURCE
#include "shm.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* The bytes that SQLite locks in an index: one for each lock, and one that each user holds ("dead man switch"). */
enum { FIRST_LOCK = (22 + SQLITE_SHM_NLOCK) * 4, IN_USE = FIRST_LOCK + SQLITE_SHM_NLOCK, BLOCK = 4096 };

/* ---- What all files need */

bool identify(int descriptor, struct identity *identity) {
    struct stat status;
    if (fstat(descriptor, &status) != 0) return false;
    identity->device = status.st_dev, identity->number = status.st_ino;
    return true;
}

static bool is_of(const struct stat *status, struct identity identity) {
    return status->st_dev == identity.device && status->st_ino == identity.number;
}

bool is_at(struct identity identity, const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && is_of(&status, identity);
}

bool is_gone_from(struct identity identity, const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 ? !is_of(&status, identity) : errno == ENOENT || errno == ENOTDIR;
}

/* So that no file gets such a descriptor even for a moment: another thread may write to it just then. The placeholder behaves as the
   closed descriptor that it replaces: reading and writing fail with EBADF, and a child does not inherit it. */
static void occupy_standard_descriptors(void) {
    int standard, placeholder;
    for (standard = 0; standard <= STDERR_FILENO; standard++) {
        if (fcntl(standard, F_GETFD, 0) >= 0) continue;
        do placeholder = open("/", O_PATH | O_CLOEXEC);
        while (placeholder >= 0 && placeholder <= STDERR_FILENO);
        if (placeholder >= 0) close(placeholder);
        return;
    }
}

int open_file(const char *path, int how, int mode) {
    int descriptor, low;
    occupy_standard_descriptors();
    do descriptor = open(path, how | O_NONBLOCK, mode); /* A FIFO must not block. */
    while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
    low = descriptor;
    descriptor = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(low);
    return descriptor;
}

void give_like(int descriptor, const struct stat *other) {
    struct stat own;
    if (fstat(descriptor, &own) != 0 || own.st_size != 0) return;
    /* Not the owner's own files of a process that may not give them away: that fails, and they are right already. */
    if (geteuid() == 0 && fchown(descriptor, other->st_uid, other->st_gid) != 0) return;
    if ((own.st_mode & 0777) != (other->st_mode & 0777)) (void)fchmod(descriptor, other->st_mode & 0777);
}

bool set_lock(int descriptor, int type, off_t first, off_t count) {
    struct flock lock = { .l_type = (short)type, .l_whence = SEEK_SET, .l_start = first, .l_len = count };
    int status;
    do status = fcntl(descriptor, F_OFD_SETLK, &lock);
    while (status != 0 && errno == EINTR);
    return status == 0;
}

/* ---- Opening and closing */

/* The first user of an index empties it, and SQLite rebuilds it from the log: what it holds was left by connections that have ended. */
static int attach_once(struct shm *shm) {
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = IN_USE, .l_len = 1 };
    if (shm->is_read_only) {
        if (fcntl(shm->descriptor, F_OFD_GETLK, &lock) != 0) return SQLITE_IOERR_LOCK;
        /* SQLite then reads the log without an index. */
        if (lock.l_type == F_UNLCK) return SQLITE_READONLY_CANTINIT;
    } else if (set_lock(shm->descriptor, F_WRLCK, IN_USE, 1)) {
        /* Shorter than a header, so that it is not taken for an index; not empty, so that it shows what happened. */
        int status;
        do status = ftruncate(shm->descriptor, 3);
        while (status != 0 && errno == EINTR);
        if (status != 0) return SQLITE_IOERR_SHMOPEN;
    } else if (fcntl(shm->descriptor, F_OFD_GETLK, &lock) != 0 || lock.l_type == F_WRLCK) {
        /* Its first user has not emptied it yet, and may end before that. */
        return SQLITE_BUSY;
    }
    return set_lock(shm->descriptor, F_RDLCK, IN_USE, 1) ? SQLITE_OK : SQLITE_BUSY;
}

/* Another connection has the exclusive lock for the few microseconds in which it empties the index. */
static int attach(struct shm *shm) {
    const struct timespec pause = { 0, 100000 };
    int result = attach_once(shm), tries;
    for (tries = 0; result == SQLITE_BUSY && tries < 50; tries++) {
        nanosleep(&pause, NULL);
        result = attach_once(shm);
    }
    shm->is_attached = result == SQLITE_OK;
    return result;
}

int shm_open_beside(struct shm *shm, const char *database, int descriptor, bool is_read_only) {
    const long page = sysconf(_SC_PAGESIZE);
    struct stat status;
    int result;
    if (fstat(descriptor, &status) != 0) return SQLITE_IOERR_FSTAT;
    memset(shm, 0, sizeof *shm);
    shm->descriptor = -1;
    shm->path = sqlite3_mprintf("%s-shm", database);
    if (shm->path == NULL) return SQLITE_IOERR_NOMEM;
    shm->is_read_only = is_read_only;
    shm->regions_per_map = page > 32768 ? (int)(page / 32768) : 1;
    if (!is_read_only) {
        shm->descriptor = open_file(shm->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, status.st_mode & 0777);
        if (shm->descriptor >= 0) give_like(shm->descriptor, &status);
    }
    if (is_read_only || (shm->descriptor < 0 && (errno == EACCES || errno == EPERM || errno == EROFS || errno == ETXTBSY))) {
        shm->is_read_only = true;
        shm->descriptor = open_file(shm->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW, 0);
    }
    result = shm->descriptor < 0 ? SQLITE_CANTOPEN : identify(shm->descriptor, &shm->identity) ? attach(shm) : SQLITE_IOERR_FSTAT;
    if (result != SQLITE_OK && result != SQLITE_READONLY_CANTINIT) shm_close(shm, false);
    return result;
}

void shm_close(struct shm *shm, bool deletes) {
    int i;
    if (shm->path == NULL) return;
    for (i = 0; i < shm->map_count; i++) munmap(shm->maps[i], (size_t)shm->regions_per_map * (size_t)shm->region_size);
    free(shm->maps);
    if (shm->descriptor >= 0) {
        if (deletes) unlink(shm->path);
        set_lock(shm->descriptor, F_UNLCK, FIRST_LOCK, SQLITE_SHM_NLOCK + 1);
        close(shm->descriptor);
    }
    sqlite3_free(shm->path);
    memset(shm, 0, sizeof *shm);
    shm->descriptor = -1;
}

bool shm_is_in_place(const struct shm *shm) { return !shm_is_open(shm) || !is_gone_from(shm->identity, shm->path); }

void shm_delete_if_in_place(const struct shm *shm) {
    if (shm_is_open(shm) && is_at(shm->identity, shm->path)) unlink(shm->path);
}

/* ---- Memory */

/* Each block of the file gets a byte: a write to a mapped page for which the disk has no room would end the process with a signal. */
static int extend(const struct shm *shm, off_t from, off_t to) {
    off_t block;
    for (block = from / BLOCK; block < to / BLOCK; block++) {
        ssize_t put;
        do put = pwrite(shm->descriptor, "", 1, block * BLOCK + BLOCK - 1);
        while (put < 0 && errno == EINTR);
        if (put != 1) return SQLITE_IOERR_SHMSIZE;
    }
    return SQLITE_OK;
}

static int map_next(struct shm *shm) {
    size_t length = (size_t)shm->regions_per_map * (size_t)shm->region_size;
    void **maps = realloc(shm->maps, ((size_t)shm->map_count + 1) * sizeof *maps);
    void *map;
    if (maps == NULL) return SQLITE_IOERR_NOMEM;
    shm->maps = maps;
    map = mmap(NULL, length, shm->is_read_only ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED, shm->descriptor,
               (off_t)length * shm->map_count);
    if (map == MAP_FAILED) return SQLITE_IOERR_SHMMAP;
    maps[shm->map_count++] = map;
    return SQLITE_OK;
}

int shm_map(struct shm *shm, int region, int size, bool extends, void volatile **memory) {
    const int map_index = region / shm->regions_per_map;
    int result = shm->is_attached ? SQLITE_OK : attach(shm);
    if (result != SQLITE_OK) return result;
    shm->region_size = size;
    if (map_index >= shm->map_count) {
        off_t needed = (off_t)(map_index + 1) * shm->regions_per_map * size;
        struct stat status;
        if (fstat(shm->descriptor, &status) != 0) return SQLITE_IOERR_SHMSIZE;
        if (status.st_size < needed) {
            if (!extends) return shm->is_read_only ? SQLITE_READONLY : SQLITE_OK;
            result = extend(shm, status.st_size, needed);
        }
        while (result == SQLITE_OK && map_index >= shm->map_count) result = map_next(shm);
        if (result != SQLITE_OK) return result;
    }
    *memory = (char *)shm->maps[map_index] + (size_t)(region % shm->regions_per_map) * (size_t)size;
    return shm->is_read_only ? SQLITE_READONLY : SQLITE_OK;
}

/* ---- Locks */

int shm_lock(struct shm *shm, int first, int count, int flags) {
    const unsigned bits = ((1u << count) - 1) << first;
    if (!shm_is_open(shm)) return SQLITE_IOERR_SHMLOCK;
    if (flags & SQLITE_SHM_UNLOCK) {
        if (((shm->shared | shm->exclusive) & bits) == 0) return SQLITE_OK;
        if (!set_lock(shm->descriptor, F_UNLCK, FIRST_LOCK + first, count)) return SQLITE_IOERR_SHMLOCK;
        shm->shared &= ~bits, shm->exclusive &= ~bits;
        return SQLITE_OK;
    }
    if (flags & SQLITE_SHM_SHARED) {
        if ((shm->shared & bits) == bits) return SQLITE_OK;
        if (!set_lock(shm->descriptor, F_RDLCK, FIRST_LOCK + first, count)) return SQLITE_BUSY;
        shm->shared |= bits, shm->exclusive &= ~bits;
    } else {
        if ((shm->exclusive & bits) == bits) return SQLITE_OK;
        if (!set_lock(shm->descriptor, F_WRLCK, FIRST_LOCK + first, count)) return SQLITE_BUSY;
        shm->exclusive |= bits, shm->shared &= ~bits;
    }
    return SQLITE_OK;
}
