/* A VFS that makes images of what a disk could hold if the power failed now. */

#include "power_cut_vfs.h"

#include "shim_vfs.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

enum { SECTOR = 512, NAMES = 8 };

struct piece {
    bool is_truncation;
    sqlite3_int64 offset; /* or the new size */
    int amount;
    struct piece *next;
    unsigned char bytes[];
};

/* A file, independent of its name. */
struct inode {
    unsigned char *synced;
    sqlite3_int64 size, room;
    struct piece *first, **end;
    int pieces;
    bool syncs_folder; /* its next sync also syncs its folder */
    struct inode *next;
};

struct entry {
    char path[1200];
    struct inode *now, *synced; /* NULL: there is no such file */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct power_cut_plan plan;
static struct entry entries[NAMES];
static struct inode *inodes;
static struct dice dice;
static long gap, calls;
static int cuts;

/* ---- Contents */

static void resize(struct inode *inode, sqlite3_int64 size) {
    if (size > inode->room) {
        inode->room = size * 2;
        inode->synced = realloc(inode->synced, (size_t)inode->room);
        if (inode->synced == NULL) give_up("realloc");
    }
    if (size > inode->size) memset(inode->synced + inode->size, 0, (size_t)(size - inode->size));
    inode->size = size;
}

static void put(struct inode *inode, const unsigned char *bytes, sqlite3_int64 amount, sqlite3_int64 offset) {
    if (offset + amount > inode->size) resize(inode, offset + amount);
    memcpy(inode->synced + offset, bytes, (size_t)amount);
}

static void settle(struct inode *inode, const struct piece *piece) {
    if (piece->is_truncation) {
        if (piece->offset < inode->size) resize(inode, piece->offset);
    } else {
        put(inode, piece->bytes, piece->amount, piece->offset);
    }
}

static void forget_pieces(struct inode *inode) {
    struct piece *piece;
    while ((piece = inode->first) != NULL) {
        inode->first = piece->next;
        free(piece);
    }
    inode->end = &inode->first;
    inode->pieces = 0;
}

static void add_piece(struct inode *inode, const struct shim_call *call) {
    bool is_write = call->kind == SHIM_WRITE;
    struct piece *piece = malloc(sizeof *piece + (size_t)(is_write ? call->amount : 0));
    if (piece == NULL) give_up("malloc");
    piece->is_truncation = !is_write;
    piece->offset = call->offset;
    piece->amount = call->amount;
    piece->next = NULL;
    if (is_write) memcpy(piece->bytes, call->bytes, (size_t)call->amount);
    *inode->end = piece;
    inode->end = &piece->next;
    inode->pieces++;
}

static struct inode *new_inode(void) {
    struct inode *inode = calloc(1, sizeof *inode);
    if (inode == NULL) give_up("calloc");
    inode->end = &inode->first;
    inode->next = inodes;
    return inodes = inode;
}

/* ---- Names */

/* NULL if the file does not belong to the store, or if the experiment with the store has ended. */
static struct entry *entry_of(const char *path) {
    int i;
    size_t length;
    if (path == NULL || plan.folder == NULL) return NULL;
    length = strlen(plan.folder);
    if (strncmp(path, plan.folder, length) != 0 || path[length] != '/') return NULL;
    for (i = 0; i < NAMES; i++) {
        if (strcmp(entries[i].path, path) == 0) return &entries[i];
        if (entries[i].path[0] == '\0') {
            snprintf(entries[i].path, sizeof entries[i].path, "%s", path);
            return &entries[i];
        }
    }
    give_up("more files than a store has");
    return NULL;
}

static void sync_folder(void) {
    int i;
    for (i = 0; i < NAMES; i++) entries[i].synced = entries[i].now;
}

/* A file that SQLite opened: an empty file that the library has just made, or a log or journal that SQLite made. */
static void note_open(const struct shim_call *call) {
    struct entry *entry = entry_of(call->path);
    if (entry->now != NULL) return;
    entry->now = new_inode();
    entry->now->syncs_folder = (call->flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0;
}

static void note_delete(const struct shim_call *call) {
    entry_of(call->path)->now = NULL;
    if (call->flags) sync_folder();
}

static void note_sync(struct inode *inode) {
    struct piece *piece;
    for (piece = inode->first; piece != NULL; piece = piece->next) settle(inode, piece);
    forget_pieces(inode);
    if (inode->syncs_folder) sync_folder();
    inode->syncs_folder = false;
}

/* ---- Images */

/* How many of the unsynced pieces reached the disk. */
enum luck { NONE, ALL, SOME, SOME_IN_ANY_ORDER, SO_FAR, LUCKS };

static void settle_torn(struct inode *inode, const struct piece *piece) {
    sqlite3_int64 at = piece->offset, end = piece->offset + piece->amount, next;
    for (; at < end; at = next) {
        next = (at / SECTOR + 1) * SECTOR;
        if (next > end) next = end;
        if (dice_below(&dice, 2)) put(inode, piece->bytes + (at - piece->offset), next - at, at);
    }
}

static void settle_perhaps(struct inode *inode, const struct piece *piece) {
    long roll = dice_below(&dice, 3);
    if (roll == 0) settle(inode, piece);
    else if (roll == 1 && !piece->is_truncation) settle_torn(inode, piece);
}

static void shuffle(const struct piece **pieces, int count) {
    int i;
    for (i = count - 1; i > 0; i--) {
        int other = (int)dice_below(&dice, i + 1);
        const struct piece *held = pieces[i];
        pieces[i] = pieces[other];
        pieces[other] = held;
    }
}

/* A copy of a file as it may be after the cut. */
static struct inode after_cut(const struct inode *inode) {
    struct inode copy;
    const struct piece **pieces, *piece;
    enum luck luck = (enum luck)dice_below(&dice, LUCKS);
    int count = 0, i, so_far;
    memset(&copy, 0, sizeof copy);
    if (inode->size > 0) put(&copy, inode->synced, inode->size, 0);
    pieces = calloc((size_t)inode->pieces + 1, sizeof *pieces);
    if (pieces == NULL) give_up("calloc");
    for (piece = inode->first; piece != NULL; piece = piece->next) pieces[count++] = piece;
    if (luck == SOME_IN_ANY_ORDER) shuffle(pieces, count);
    so_far = (int)dice_below(&dice, count + 1);
    for (i = 0; i < count && luck != NONE; i++) {
        if (luck == ALL || (luck == SO_FAR && i < so_far)) settle(&copy, pieces[i]);
        else if (luck != SO_FAR || i == so_far) settle_perhaps(&copy, pieces[i]);
    }
    free(pieces);
    return copy;
}

static void write_whole(const char *path, const void *bytes, size_t size) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || (size > 0 && write(file, bytes, size) != (ssize_t)size) || close(file) != 0) give_up(path);
}

static void copy_file(const char *from, const char *to) {
    char bytes[65536];
    ssize_t got;
    int in = open(from, O_RDONLY), out;
    if (in < 0 && errno == ENOENT) return;
    out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (in < 0 || out < 0) give_up(to);
    while ((got = read(in, bytes, sizeof bytes)) > 0)
        if (write(out, bytes, (size_t)got) != got) give_up(to);
    close(in);
    if (close(out) != 0) give_up(to);
}

static void make_shm(const char *image, const char *store) {
    unsigned char garbage[32768];
    size_t i;
    switch (dice_below(&dice, 3)) {
    case 0: copy_file(text("%s-shm", store), text("%s/%s-shm", image, strrchr(store, '/') + 1)); break;
    case 1:
        for (i = 0; i < sizeof garbage; i++) garbage[i] = (unsigned char)dice_roll(&dice);
        write_whole(text("%s/%s-shm", image, strrchr(store, '/') + 1), garbage, sizeof garbage);
        break;
    default: break;
    }
}

static void take_cut(void) {
    const char *image = text("%s/cut-%d", plan.folder, cuts);
    int i;
    plan.moment(cuts, false);
    if (mkdir(image, 0700) != 0) give_up(image);
    copy_file(text("%s/%s", plan.folder, plan.key), text("%s/%s", image, plan.key));
    for (i = 0; i < NAMES && entries[i].path[0] != '\0'; i++) {
        const struct inode *inode = dice_below(&dice, 2) ? entries[i].now : entries[i].synced;
        struct inode copy;
        if (inode == NULL) continue;
        copy = after_cut(inode);
        write_whole(text("%s/%s", image, strrchr(entries[i].path, '/') + 1), copy.synced, (size_t)copy.size);
        free(copy.synced);
        if (i == 0) make_shm(image, entries[i].path);
    }
    plan.moment(cuts, true);
    cuts++;
}

/* ---- The calls */

/* Changes synchronous = FULL to OFF when the library sets it, in the copy of the pragma's value that SQLite passes. */
static void weaken(const struct shim_call *call) {
    char **pragma = call->bytes;
    if (call->flags != SQLITE_FCNTL_PRAGMA || !plan.without_sync) return;
    if (strcmp(pragma[1], "synchronous") == 0 && pragma[2] != NULL && strcmp(pragma[2], "FULL") == 0)
        strcpy(pragma[2], "OFF");
}

/* Notes a change of a file of the store that has been made. A sync is not passed on. */
static void note(const struct shim_call *call, const struct entry *entry) {
    calls++;
    if (call->kind == SHIM_OPEN) note_open(call);
    else if (call->kind == SHIM_DELETE) note_delete(call);
    else if (entry->now == NULL) broken("a call after close: it changes a deleted file");
    else if (call->kind == SHIM_SYNC) note_sync(entry->now);
    else add_piece(entry->now, call);
    if (gap > 0 && dice_below(&dice, gap) == 0) take_cut();
}

static int watch_changing(struct shim_call *call) {
    int result = SQLITE_OK;
    struct entry *entry;
    pthread_mutex_lock(&lock);
    entry = entry_of(call->path);
    if (entry == NULL || call->kind != SHIM_SYNC) result = shim_pass(call);
    if (entry != NULL && result == SQLITE_OK) note(call, entry);
    pthread_mutex_unlock(&lock);
    return result;
}

/* Controls are passed on without the lock: the VFS below makes them while it opens a file. */
static int watch(struct shim_call *call) {
    switch (call->kind) {
    case SHIM_CONTROL: weaken(call); return shim_pass(call);
    case SHIM_OPEN:
    case SHIM_DELETE:
    case SHIM_WRITE:
    case SHIM_TRUNCATE:
    case SHIM_SYNC: return watch_changing(call);
    default: return shim_pass(call);
    }
}

/* ---- Use */

static const char *const suffixes[] = { "", "-journal", "-wal", "-shm" };

void power_cut_copy(const char *image, const char *folder, const char *store, const char *key) {
    size_t i;
    if (mkdir(folder, 0700) != 0) give_up(folder);
    copy_file(text("%s/%s", image, key), text("%s/%s", folder, key));
    for (i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        copy_file(text("%s/%s%s", image, store, suffixes[i]), text("%s/%s%s", folder, store, suffixes[i]));
}

/* Reads the files of an earlier image, with which this store begins. */
static void note_existing(const char *path) {
    FILE *file = fopen(path, "rb");
    struct entry *entry;
    unsigned char bytes[65536];
    size_t got;
    if (file == NULL) return;
    entry = entry_of(path);
    entry->now = entry->synced = new_inode();
    while ((got = fread(bytes, 1, sizeof bytes, file)) > 0)
        put(entry->now, bytes, (sqlite3_int64)got, entry->now->size);
    fclose(file);
}

void power_cut_begin(const struct power_cut_plan *given) {
    int i;
    pthread_mutex_lock(&lock);
    plan = *given;
    dice = dice_of(plan.seed, 1);
    gap = calls = 0;
    cuts = 0;
    for (i = 0; i < 3; i++) note_existing(text("%s/%s%s", plan.folder, plan.store, suffixes[i]));
    pthread_mutex_unlock(&lock);
    shim_install(watch);
}

void power_cut_every(long calls_between) {
    pthread_mutex_lock(&lock);
    gap = calls_between;
    pthread_mutex_unlock(&lock);
}

int power_cuts_taken(void) {
    int taken;
    pthread_mutex_lock(&lock);
    taken = cuts;
    pthread_mutex_unlock(&lock);
    return taken;
}

long power_cut_calls(void) {
    return calls;
}

void power_cut_end(void) {
    struct inode *inode;
    shim_install(NULL);
    pthread_mutex_lock(&lock);
    plan.folder = NULL;
    while ((inode = inodes) != NULL) {
        inodes = inode->next;
        forget_pieces(inode);
        free(inode->synced);
        free(inode);
    }
    memset(entries, 0, sizeof entries);
    pthread_mutex_unlock(&lock);
}
