/* See ckinfolk_vfs.h. Temporary files and rollback journals, which have no locks, are left to SQLite's VFS without locks, "unix-none". */

#define _GNU_SOURCE
#include "ckinfolk_vfs.h"

#include "shm.h"

#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

/* A database or its log. */
struct file {
    sqlite3_file base;
    int descriptor;
    int lock; /* SQLITE_LOCK_… */
    bool syncs_folder; /* The next sync also syncs the folder, because the file may be new. */
    const char *path; /* SQLite's, valid while the file is open. */
    struct identity identity;
    bool is_log;
    sqlite3_int64 written; /* Of a log: the end of what this connection has written. */
    struct file *other; /* The open log of a database, or the database of a log; or NULL. */
    /* Of a database: its folder, or -1, and the folder's time of change when all files were last found in place; 0 if that was too soon
       after the change for the time to show another one. */
    int folder;
    struct timespec unchanged_since;
    struct shm shm; /* Of a database. */
    bool has_wrong_index; /* Of a database: its index was found to be of another log. */
};

/* Passed down through VFSs above this one, with a struct file ** to set. */
enum { FIND_FILE = 0x6b666b00 };

/* The bytes that SQLite locks in a database. */
enum { PENDING = 0x40000000, RESERVED = PENDING + 1, SHARED = PENDING + 2, SHARED_LENGTH = 510 };

/* Bytes of a database that SQLite does not use. The locks of the index that are for changes are also taken here, so that a connection with
   a deleted index and connections with the new one exclude each other. */
enum { INDEX_LOCKS = SHARED + SHARED_LENGTH };

static sqlite3_vfs *lockless;

static struct file *file_of(sqlite3_file *file) { return (struct file *)(void *)file; }

static void note_wrong_index(struct file *log) {
    if (log->other != NULL && log->other->shm.is_attached) log->other->has_wrong_index = true;
}

/* ---- Reading and writing */

static int file_read(sqlite3_file *base, void *bytes, int amount, sqlite3_int64 offset) {
    char *rest = bytes;
    while (amount > 0) {
        ssize_t got = pread(file_of(base)->descriptor, rest, (size_t)amount, offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return errno == EIO || errno == ERANGE || errno == ENXIO ? SQLITE_IOERR_CORRUPTFS : SQLITE_IOERR_READ;
        if (got == 0) {
            /* An index names only what is in its log. */
            if (file_of(base)->is_log) note_wrong_index(file_of(base));
            memset(rest, 0, (size_t)amount);
            return SQLITE_IOERR_SHORT_READ;
        }
        rest += got, offset += got, amount -= (int)got;
    }
    return SQLITE_OK;
}

static int file_write(sqlite3_file *base, const void *bytes, int amount, sqlite3_int64 offset) {
    const char *rest = bytes;
    struct stat status;
    struct file *file = file_of(base);
    /* A log has no holes. This write would make one if the index is that of another, longer log: what follows the hole would be lost,
       and a checkpoint would copy the hole. */
    if (file->is_log && offset > file->written && (fstat(file->descriptor, &status) != 0 || offset > status.st_size)) {
        note_wrong_index(file);
        return SQLITE_IOERR_WRITE;
    }
    while (amount > 0) {
        ssize_t put = pwrite(file->descriptor, rest, (size_t)amount, offset);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return put == 0 || errno == ENOSPC || errno == EDQUOT ? SQLITE_FULL : SQLITE_IOERR_WRITE;
        rest += put, offset += put, amount -= (int)put;
    }
    file->written = offset;
    return SQLITE_OK;
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size) {
    int status;
    do status = ftruncate(file_of(base)->descriptor, size);
    while (status != 0 && errno == EINTR);
    return status == 0 ? SQLITE_OK : SQLITE_IOERR_TRUNCATE;
}

/* Opens the folder of a file, which has an absolute path; -1 on failure. */
static int open_folder(const char *path) {
    char folder[4096];
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    if (length == 0 || length >= sizeof folder) return -1;
    memcpy(folder, path, length);
    folder[length] = '\0';
    return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int file_sync(sqlite3_file *base, int flags) {
    struct file *file = file_of(base);
    int status, folder;
    (void)flags;
    do status = fdatasync(file->descriptor);
    while (status != 0 && errno == EINTR);
    if (status != 0) return SQLITE_IOERR_FSYNC;
    if (!file->syncs_folder) return SQLITE_OK;
    file->syncs_folder = false;
    folder = open_folder(file->path);
    /* A folder that may not be read cannot be synced. SQLite ignores that, too. */
    if (folder < 0) return SQLITE_OK;
    fsync(folder);
    close(folder);
    return SQLITE_OK;
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size) {
    struct stat status;
    if (fstat(file_of(base)->descriptor, &status) != 0) return SQLITE_IOERR_FSTAT;
    *size = status.st_size;
    return SQLITE_OK;
}

/* ---- Locks of the database */

/* "Locked by another" for SQLite to wait, or an error. */
static int result_of_lock(bool is_locked) {
    if (is_locked) return SQLITE_OK;
    /* As SQLite does: some are what network file systems answer for a moment. */
    switch (errno) {
    case EAGAIN: case EACCES: case EBUSY: case ETIMEDOUT: case ENOLCK: return SQLITE_BUSY;
    default: return SQLITE_IOERR_LOCK;
    }
}

static int lock_shared(struct file *file) {
    int result;
    /* A writer that waits for the readers to end has the pending lock: no more readers begin. */
    if (!set_lock(file->descriptor, F_RDLCK, PENDING, 1)) return result_of_lock(false);
    result = result_of_lock(set_lock(file->descriptor, F_RDLCK, SHARED, SHARED_LENGTH));
    if (!set_lock(file->descriptor, F_UNLCK, PENDING, 1) && result == SQLITE_OK) result = SQLITE_IOERR_UNLOCK;
    if (result == SQLITE_IOERR_UNLOCK) set_lock(file->descriptor, F_UNLCK, SHARED, SHARED_LENGTH);
    return result;
}

static int file_lock(sqlite3_file *base, int lock) {
    struct file *file = file_of(base);
    int result;
    if (file->lock >= lock) return SQLITE_OK;
    if (file->lock == SQLITE_LOCK_NONE) {
        result = lock_shared(file);
        if (result != SQLITE_OK) return result;
        file->lock = SQLITE_LOCK_SHARED;
    }
    if (lock == SQLITE_LOCK_RESERVED) {
        result = result_of_lock(set_lock(file->descriptor, F_WRLCK, RESERVED, 1));
        if (result == SQLITE_OK) file->lock = lock;
        return result;
    }
    if (lock != SQLITE_LOCK_EXCLUSIVE) return SQLITE_OK;
    if (file->lock < SQLITE_LOCK_PENDING) {
        result = result_of_lock(set_lock(file->descriptor, F_WRLCK, PENDING, 1));
        if (result != SQLITE_OK) return result;
        file->lock = SQLITE_LOCK_PENDING;
    }
    result = result_of_lock(set_lock(file->descriptor, F_WRLCK, SHARED, SHARED_LENGTH));
    if (result == SQLITE_OK) file->lock = lock;
    return result;
}

static int file_unlock(sqlite3_file *base, int lock) {
    struct file *file = file_of(base);
    if (file->lock <= lock) return SQLITE_OK;
    if (lock == SQLITE_LOCK_SHARED) {
        if (!set_lock(file->descriptor, F_RDLCK, SHARED, SHARED_LENGTH)) return SQLITE_IOERR_RDLOCK;
        if (!set_lock(file->descriptor, F_UNLCK, PENDING, 2)) return SQLITE_IOERR_UNLOCK;
    } else if (!set_lock(file->descriptor, F_UNLCK, PENDING, 2 + SHARED_LENGTH)) {
        return SQLITE_IOERR_UNLOCK;
    }
    file->lock = lock;
    return SQLITE_OK;
}

static int file_check_reserved(sqlite3_file *base, int *is_reserved) {
    struct file *file = file_of(base);
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = RESERVED, .l_len = 1 };
    *is_reserved = file->lock > SQLITE_LOCK_SHARED;
    if (*is_reserved) return SQLITE_OK;
    if (fcntl(file->descriptor, F_OFD_GETLK, &lock) != 0) return SQLITE_IOERR_CHECKRESERVEDLOCK;
    *is_reserved = lock.l_type != F_UNLCK;
    return SQLITE_OK;
}

/* ---- The index of the log */

/* Whether the index has more pages than its log, so that it is the index of another log. */
static bool is_longer(const void volatile *memory, int log) {
    /* See "WAL-Index Format" in SQLite's documentation. */
    struct header { uint32_t version, unused, change; uint8_t is_valid, is_big_endian; uint16_t page; uint32_t count, rest[7]; } one, two;
    struct stat status;
    memcpy(&one, (const void *)memory, sizeof one);
    if (fstat(log, &status) != 0) return false;
    __sync_synchronize();
    memcpy(&two, (const void *)memory, sizeof two);
    if (memcmp(&one, &two, sizeof one) != 0 || !one.is_valid || one.count == 0) return false;
    return status.st_size < 32 + (off_t)one.count * ((one.page & 0xfe00) + ((one.page & 1) << 16) + 24);
}

static int file_shm_map(sqlite3_file *base, int region, int size, int extends, void volatile **memory) {
    struct file *file = file_of(base);
    const bool is_first = file->shm.map_count == 0;
    int result;
    *memory = NULL;
    if (!shm_is_open(&file->shm)) {
        bool is_read_only = sqlite3_uri_boolean(file->path, "readonly_shm", 0) != 0;
        result = shm_open_beside(&file->shm, file->path, file->descriptor, is_read_only);
        if (result != SQLITE_OK) return result;
    }
    result = shm_map(&file->shm, region, size, extends != 0, memory);
    if (is_first && region == 0 && *memory != NULL && file->other != NULL && is_longer(*memory, file->other->descriptor)) {
        file->has_wrong_index = true;
        return SQLITE_CANTOPEN;
    }
    return result;
}

static bool is_in_place(const struct file *file);

/* The locks for writing, for checkpoints and for recovery. */
enum { WRITE = 0, CHECKPOINT = 1, CHANGING_LOCKS = 3 };

/* Whether the log was cut off since the index was made, for example by a program that emptied it. What would be written behind its end would
   leave a hole, which a checkpoint would copy into the database. */
static bool is_log_cut_off(const struct file *file) {
    return file->other != NULL && file->shm.map_count > 0 && is_longer(file->shm.maps[0], file->other->descriptor);
}

static int file_shm_lock(sqlite3_file *base, int first, int count, int flags) {
    struct file *file = file_of(base);
    const bool locks = (flags & SQLITE_SHM_LOCK) != 0;
    const bool is_mirrored = first + count <= CHANGING_LOCKS && (flags & SQLITE_SHM_EXCLUSIVE) != 0;
    int result;
    /* A file that was opened for reading cannot be locked for writing (EBADF). Its index may still be one that can be written. */
    if (locks && is_mirrored && !set_lock(file->descriptor, F_WRLCK, INDEX_LOCKS + first, count) && errno != EBADF) return SQLITE_BUSY;
    result = shm_lock(&file->shm, first, count, flags);
    if (locks && result == SQLITE_OK && is_mirrored && first == WRITE && is_log_cut_off(file)) file->has_wrong_index = true;
    if (locks && result == SQLITE_OK && is_mirrored && count == 1 &&
        (first == CHECKPOINT ? !is_in_place(file) : first == WRITE && file->has_wrong_index)) {
        /* A lost log must not be copied into the database, and nothing must be written to it. */
        shm_lock(&file->shm, first, count, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE);
        result = SQLITE_IOERR_SHMLOCK;
    }
    if (is_mirrored && (!locks || result != SQLITE_OK)) set_lock(file->descriptor, F_UNLCK, INDEX_LOCKS + first, count);
    return result;
}

static void file_shm_barrier(sqlite3_file *base) {
    (void)base;
    __sync_synchronize();
}

static int file_shm_unmap(sqlite3_file *base, int deletes) {
    shm_close(&file_of(base)->shm, deletes != 0);
    set_lock(file_of(base)->descriptor, F_UNLCK, INDEX_LOCKS, CHANGING_LOCKS);
    return SQLITE_OK;
}

/* ---- Being in place */

static bool is_in_place(const struct file *file) {
    return !file->has_wrong_index && !is_gone_from(file->identity, file->path) &&
           (file->other == NULL || !is_gone_from(file->other->identity, file->other->path)) && shm_is_in_place(&file->shm);
}

/* Whether the folder has the same files as when all were last found in place. Much cheaper than to look at each of them. */
static bool has_same_folder(struct file *file) {
    struct stat status;
    return file->unchanged_since.tv_sec != 0 && fstat(file->folder, &status) == 0 &&
           status.st_ctim.tv_sec == file->unchanged_since.tv_sec && status.st_ctim.tv_nsec == file->unchanged_since.tv_nsec;
}

/* Whether another change of a folder would show in its time: the time is that of the last tick of a timer, or on some file systems has whole
   seconds, or hundredths of a second. */
static bool is_settled(struct timespec changed) {
    const double precision = changed.tv_nsec % 10000000 == 0 ? 3 : 0.1;
    struct timespec now;
    return clock_gettime(CLOCK_REALTIME, &now) == 0 &&
           (double)(now.tv_sec - changed.tv_sec) + (double)(now.tv_nsec - changed.tv_nsec) * 1e-9 > precision;
}

static bool is_probably_in_place(struct file *file) {
    struct stat status;
    if (file->has_wrong_index) return false;
    if (has_same_folder(file)) return true;
    file->unchanged_since.tv_sec = 0;
    if (file->folder < 0) file->folder = open_folder(file->path);
    if (file->folder >= 0 && fstat(file->folder, &status) == 0 && is_settled(status.st_ctim)) file->unchanged_since = status.st_ctim;
    if (is_in_place(file)) return true;
    file->unchanged_since.tv_sec = 0;
    return false;
}

static void abandon(struct file *file) {
    bool has_lost_log = file->has_wrong_index || (file->other != NULL && is_gone_from(file->other->identity, file->other->path));
    /* Not while another process does this: the index that it makes after that must stay. */
    if (!has_lost_log || !is_at(file->identity, file->path) || !set_lock(file->descriptor, F_WRLCK, RESERVED, 1)) return;
    shm_delete_if_in_place(&file->shm);
    set_lock(file->descriptor, F_UNLCK, RESERVED, 1);
}

static int file_control(sqlite3_file *base, int operation, void *argument) {
    struct file *file = file_of(base);
    switch (operation) {
    case FIND_FILE: *(struct file **)argument = file; return SQLITE_OK;
    case CKINFOLK_IS_IN_PLACE: *(int *)argument = is_in_place(file); return SQLITE_OK;
    case CKINFOLK_IS_PROBABLY_IN_PLACE: *(int *)argument = is_probably_in_place(file); return SQLITE_OK;
    case CKINFOLK_DESCRIPTOR: *(int *)argument = file->descriptor; return SQLITE_OK;
    case CKINFOLK_ABANDON: abandon(file); return SQLITE_OK;
    case SQLITE_FCNTL_HAS_MOVED: *(int *)argument = !is_at(file->identity, file->path); return SQLITE_OK;
    case SQLITE_FCNTL_LOCKSTATE: *(int *)argument = file->lock; return SQLITE_OK;
    default: return SQLITE_NOTFOUND;
    }
}

static int file_sector_size(sqlite3_file *base) {
    (void)base;
    return 4096;
}

/* As SQLite's own VFS says of any disk: a power cut during a write leaves the bytes before and after the written ones as they were. */
static int file_traits(sqlite3_file *base) {
    (void)base;
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

static int file_close(sqlite3_file *base) {
    struct file *file = file_of(base);
    shm_close(&file->shm, false);
    if (file->other != NULL) file->other->other = NULL;
    if (file->folder >= 0) close(file->folder);
    /* Explicitly, because a child that was forked without the handlers of this process may hold the description open. */
    file_unlock(base, SQLITE_LOCK_NONE);
    set_lock(file->descriptor, F_UNLCK, INDEX_LOCKS, CHANGING_LOCKS);
    close(file->descriptor);
    base->pMethods = NULL;
    return SQLITE_OK;
}

/* Version 2 has no memory mapping of the database: a file that others truncate would end the process with a signal. */
static const sqlite3_io_methods methods = {
    2,
    file_close,
    file_read,
    file_write,
    file_truncate,
    file_sync,
    file_size,
    file_lock,
    file_unlock,
    file_check_reserved,
    file_control,
    file_sector_size,
    file_traits,
    file_shm_map,
    file_shm_lock,
    file_shm_barrier,
    file_shm_unmap,
    NULL,
    NULL,
};

/* ---- Opening */

/* The open database of a log. */
static struct file *database_of(const char *log) {
    sqlite3_file *database = sqlite3_database_file_object(log);
    struct file *file = NULL;
    if (database == NULL || database->pMethods == NULL) return NULL;
    return database->pMethods->xFileControl(database, FIND_FILE, &file) == SQLITE_OK ? file : NULL;
}

/* In the child of a fork, so that it does not draw the same numbers as its parent: SQLite's own VFS does this when it opens a file. */
static void renew_random_numbers(void) {
    static _Atomic pid_t process;
    const pid_t now = getpid(), before = atomic_exchange(&process, now);
    if (before != 0 && before != now) sqlite3_randomness(0, NULL);
}

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *base, int flags, int *flags_out) {
    struct file *file = file_of(base);
    struct file *database = NULL;
    bool writes = (flags & SQLITE_OPEN_READWRITE) != 0;
    int mode = 0644;
    int how = O_CLOEXEC | O_NOFOLLOW | (flags & SQLITE_OPEN_CREATE ? O_CREAT : 0) | (flags & SQLITE_OPEN_EXCLUSIVE ? O_EXCL : 0);
    struct stat status;
    (void)vfs;
    renew_random_numbers();
    if (path == NULL || (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL)) == 0) {
        return lockless->xOpen(lockless, path, base, flags, flags_out);
    }
    memset(file, 0, sizeof *file);
    file->shm.descriptor = file->folder = -1;
    if (flags & SQLITE_OPEN_WAL) {
        database = database_of(path);
        /* The log has the owner and the mode of its database. */
        if (database == NULL || fstat(database->descriptor, &status) != 0) return SQLITE_CANTOPEN;
        mode = status.st_mode & 0777;
    }
    file->descriptor = open_file(path, how | (writes ? O_RDWR : O_RDONLY), mode);
    /* Only if it may not be written. After another failure, such as too few descriptors or a full disk, it would be opened for reading
       because that passed meanwhile, or the error would be that there is no such file. */
    if (file->descriptor < 0 && writes && (errno == EACCES || errno == EPERM || errno == EROFS || errno == ETXTBSY)) {
        flags = (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY;
        file->descriptor = open_file(path, O_CLOEXEC | O_NOFOLLOW | O_RDONLY, mode);
    }
    if (file->descriptor < 0) return SQLITE_CANTOPEN;
    if (database != NULL && how & O_CREAT) give_like(file->descriptor, &status);
    if (!identify(file->descriptor, &file->identity)) {
        close(file->descriptor);
        return SQLITE_IOERR_FSTAT;
    }
    file->path = path;
    file->is_log = database != NULL;
    file->syncs_folder = database != NULL && how & O_CREAT;
    file->other = database;
    if (database != NULL) database->other = file;
    base->pMethods = &methods;
    if (flags_out != NULL) *flags_out = flags;
    return SQLITE_OK;
}

static bool has_description_locks(void) {
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1 };
    int ends[2];
    bool has;
    if (pipe2(ends, O_CLOEXEC) != 0) return true;
    has = fcntl(ends[0], F_OFD_GETLK, &lock) == 0 || errno != EINVAL;
    close(ends[0]);
    close(ends[1]);
    return has;
}

static sqlite3_vfs vfs;
static int result = SQLITE_ERROR;

static void register_once(void) {
    bool has_locks = has_description_locks();
    if (sqlite3_initialize() != SQLITE_OK) return;
    lockless = sqlite3_vfs_find(has_locks ? "unix-none" : "unix");
    if (lockless == NULL) return;
    vfs = *lockless;
    vfs.zName = CKINFOLK_VFS;
    if (has_locks) {
        vfs.xOpen = vfs_open;
        if (vfs.szOsFile < (int)sizeof(struct file)) vfs.szOsFile = (int)sizeof(struct file);
    }
    result = sqlite3_vfs_register(&vfs, 0);
}

int ckinfolk_vfs_register(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_once);
    return result;
}
