/* A VFS above the library's that passes each call to a function before it is made. */

#include "report.h"

#include "shim_vfs.h"

#include <sys/stat.h>

struct shim_file {
    sqlite3_file base;
    const char *path;
    sqlite3_file *real;
};

static const char library_name[] = "kinfolk";

static sqlite3_vfs *below;
static sqlite3_vfs shim;
static shim_around around;
static long open_files, closes, late_closes;

static struct shim_file *shim_of(sqlite3_file *file) {
    return (struct shim_file *)(void *)file;
}

static sqlite3_file *real(sqlite3_file *file) {
    return shim_of(file)->real;
}

static struct shim_call call_on(sqlite3_file *file, enum shim_kind kind) {
    struct shim_call call;
    memset(&call, 0, sizeof call);
    call.kind = kind;
    call.file = shim_of(file);
    call.path = call.file->path;
    return call;
}

/* ---- The calls that are passed to the function */

static int shim_close(sqlite3_file *file) {
    struct shim_call call = call_on(file, SHIM_CLOSE);
    int result = around(&call);
    __atomic_sub_fetch(&open_files, 1, __ATOMIC_SEQ_CST);
    return result;
}

static int shim_read(sqlite3_file *file, void *bytes, int amount, sqlite3_int64 offset) {
    struct shim_call call = call_on(file, SHIM_READ);
    call.bytes = bytes, call.amount = amount, call.offset = offset;
    return around(&call);
}

static int shim_write(sqlite3_file *file, const void *bytes, int amount, sqlite3_int64 offset) {
    struct shim_call call = call_on(file, SHIM_WRITE);
    memcpy(&call.bytes, &bytes, sizeof bytes); /* it is only read: no function of the shim writes to it */
    call.amount = amount, call.offset = offset;
    return around(&call);
}

static int shim_truncate(sqlite3_file *file, sqlite3_int64 size) {
    struct shim_call call = call_on(file, SHIM_TRUNCATE);
    call.offset = size;
    return around(&call);
}

static int shim_sync(sqlite3_file *file, int flags) {
    struct shim_call call = call_on(file, SHIM_SYNC);
    call.flags = flags;
    return around(&call);
}

static int shim_lock(sqlite3_file *file, int level) {
    struct shim_call call = call_on(file, SHIM_LOCK);
    call.flags = level;
    return around(&call);
}

static int shim_control(sqlite3_file *file, int operation, void *argument) {
    struct shim_call call = call_on(file, SHIM_CONTROL);
    call.flags = operation, call.bytes = argument;
    return around(&call);
}

static int shim_shm_map(sqlite3_file *file, int region, int size, int extend, void volatile **memory) {
    struct shim_call call = call_on(file, SHIM_SHM_MAP);
    call.region = region, call.region_size = size, call.flags = extend, call.memory = memory;
    return around(&call);
}

static int shim_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    struct shim_call call = call_on(file, SHIM_SHM_LOCK);
    call.region = offset, call.amount = count, call.flags = flags;
    return around(&call);
}

/* ---- The other calls */

static int shim_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real(file)->pMethods->xFileSize(real(file), size);
}

static int shim_unlock(sqlite3_file *file, int level) {
    return real(file)->pMethods->xUnlock(real(file), level);
}

static int shim_check(sqlite3_file *file, int *result) {
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int shim_sector(sqlite3_file *file) {
    return real(file)->pMethods->xSectorSize(real(file));
}

static int shim_traits(sqlite3_file *file) {
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static void shim_barrier(sqlite3_file *file) {
    real(file)->pMethods->xShmBarrier(real(file));
}

static int shim_unmap(sqlite3_file *file, int remove) {
    return real(file)->pMethods->xShmUnmap(real(file), remove);
}

/* Version 2 has no xFetch, so all reads and writes use these functions. */
static const sqlite3_io_methods methods = {
    2, shim_close, shim_read, shim_write, shim_truncate, shim_sync, shim_size, shim_lock, shim_unlock, shim_check,
    shim_control, shim_sector, shim_traits, shim_shm_map, shim_shm_lock, shim_barrier, shim_unmap, NULL, NULL
};

/* ---- Opening, deleting, passing on */

static int shim_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *flags_out) {
    struct shim_call call;
    int result;
    (void)vfs;
    file->pMethods = NULL;
    shim_of(file)->path = path;
    shim_of(file)->real = (sqlite3_file *)(void *)(shim_of(file) + 1);
    shim_of(file)->real->pMethods = NULL;
    call = call_on(file, SHIM_OPEN);
    call.flags = flags, call.flags_out = flags_out;
    result = around(&call);
    if (shim_of(file)->real->pMethods == NULL) return result;
    file->pMethods = &methods; /* so SQLite closes the file, even if it was not opened without an error */
    __atomic_add_fetch(&open_files, 1, __ATOMIC_SEQ_CST);
    return result;
}

static int shim_delete(sqlite3_vfs *vfs, const char *path, int sync_folder) {
    struct shim_call call;
    (void)vfs;
    memset(&call, 0, sizeof call);
    call.kind = SHIM_DELETE, call.path = path, call.flags = sync_folder;
    return around(&call);
}

int shim_pass(struct shim_call *call) {
    sqlite3_file *file = call->file == NULL ? NULL : call->file->real;
    const sqlite3_io_methods *to = file == NULL ? NULL : file->pMethods;
    switch (call->kind) {
    case SHIM_OPEN: return below->xOpen(below, call->path, file, call->flags, call->flags_out);
    case SHIM_DELETE: return below->xDelete(below, call->path, call->flags);
    case SHIM_READ: return to->xRead(file, call->bytes, call->amount, call->offset);
    case SHIM_WRITE: return to->xWrite(file, call->bytes, call->amount, call->offset);
    case SHIM_TRUNCATE: return to->xTruncate(file, call->offset);
    case SHIM_SYNC: return to->xSync(file, call->flags);
    case SHIM_CLOSE: return to->xClose(file);
    case SHIM_LOCK: return to->xLock(file, call->flags);
    case SHIM_SHM_MAP: return to->xShmMap(file, call->region, call->region_size, call->flags, call->memory);
    case SHIM_SHM_LOCK: return to->xShmLock(file, call->region, call->amount, call->flags);
    case SHIM_CONTROL: return to->xFileControl(file, call->flags, call->bytes);
    case SHIM_KINDS: break;
    }
    return SQLITE_MISUSE;
}

/* ---- Use */

/* The library registers its VFS when it opens its first store. */
static void open_a_first_store(void) {
    kinfolk_service *service = NULL;
    const char *folder = text("%s/first", scratch());
    if (mkdir(folder, 0700) != 0) give_up(folder);
    if (kinfolk_service_open(text("%s/kinfolk.db", folder), NULL, &service) != KINFOLK_OK) give_up(kinfolk_error_message());
    kinfolk_service_free(service);
}

/* A library that has no VFS of its own uses the default one. */
static void find_below(void) {
    if (sqlite3_vfs_find(library_name) == NULL) open_a_first_store();
    below = sqlite3_vfs_find(library_name);
    if (below == NULL) below = sqlite3_vfs_find(NULL);
    shim = *below;
    shim.szOsFile = (int)sizeof(struct shim_file) + below->szOsFile;
    shim.xOpen = shim_open;
    shim.xDelete = shim_delete;
}

/* A VFS that does not become the default is the second in SQLite's list, which is before the library's. So the shim does not affect
 * the files that the program opens with SQLite itself. */
void shim_install(shim_around function) {
    if (below == NULL) find_below();
    if (function == NULL) {
        sqlite3_vfs_unregister(&shim);
    } else {
        around = function;
        sqlite3_vfs_register(&shim, below == sqlite3_vfs_find(NULL));
        if (sqlite3_vfs_find(shim.zName) != &shim) give_up("another VFS is before the shim");
    }
}

void shim_expect_closed(void) {
    double until = seconds_now() + 60;
    long open = __atomic_load_n(&open_files, __ATOMIC_SEQ_CST);
    closes++;
    if (open == 0) return;
    late_closes++;
    broken("a call after close: %ld files are still open", open);
    while (__atomic_load_n(&open_files, __ATOMIC_SEQ_CST) > 0 && seconds_now() < until) pause_for(0.001);
}

void shim_closes_row(void) {
    row("closed stores", text("%ld closes", closes),
        late_closes == 0 ? "no call after close" : text("a call after close: %ld", late_closes), broken_count() - late_closes);
}
