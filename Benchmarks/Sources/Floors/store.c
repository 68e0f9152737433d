/* store.c: opens a store as Sources/KinfolkStorage/Store.swift does. */

#include "store.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

floor_store *store_connect(const char *path, int flags, int cache_kib) {
    floor_store *store = calloc(1, sizeof *store);
    char cache[64];
    REQUIRE(store != NULL && sodium_init() >= 0);
    REQUIRE(sqlite3_open_v2(path, &store->db, flags | SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK);
    sqlite3_busy_timeout(store->db, 30000);
    store_run(store, "PRAGMA journal_mode = WAL");
    store_run(store, "PRAGMA synchronous = FULL");
    store_run(store, "PRAGMA secure_delete = ON");
    store_run(store, "PRAGMA temp_store = MEMORY");
    store_run(store, "PRAGMA wal_autocheckpoint = 16000");
    snprintf(cache, sizeof cache, "PRAGMA cache_size = -%d", cache_kib);
    if (cache_kib > 0) store_run(store, cache);
    REQUIRE(sqlite3_prepare_v2(store->db, "BEGIN", -1, &store->begin, NULL) == SQLITE_OK);
    REQUIRE(sqlite3_prepare_v2(store->db, "BEGIN IMMEDIATE", -1, &store->begin_write, NULL) == SQLITE_OK);
    REQUIRE(sqlite3_prepare_v2(store->db, "COMMIT", -1, &store->commit, NULL) == SQLITE_OK);
    return store;
}

static void read_key(void *store, const char *sql, sealed_key *key) {
    sqlite3_stmt *row;
    REQUIRE(sqlite3_prepare_v2(((floor_store *)store)->db, sql, -1, &row, NULL) == SQLITE_OK);
    REQUIRE(sqlite3_step(row) == SQLITE_ROW);
    key->container = sqlite3_column_int64(row, 0);
    key->epoch = sqlite3_column_int64(row, 1);
    key->length = (size_t)sqlite3_column_bytes(row, 2);
    REQUIRE(key->length <= sizeof key->sealed);
    memcpy(key->sealed, sqlite3_column_blob(row, 2), key->length);
    sqlite3_finalize(row);
}

floor_store *floor_store_open(const char *path, const char *key_path, const char *container, int cache_kib) {
    floor_store *store = store_connect(path, 0, cache_kib);
    keys_open(&store->keys, read_key, store, key_path, container);
    return store;
}

void floor_store_close(floor_store *store) {
    size_t i;
    sqlite3_finalize(store->begin);
    sqlite3_finalize(store->begin_write);
    sqlite3_finalize(store->commit);
    for (i = 0; i < sizeof store->statements / sizeof store->statements[0]; i++) sqlite3_finalize(store->statements[i]);
    REQUIRE(sqlite3_close(store->db) == SQLITE_OK);
    free(store);
}

void store_run(floor_store *store, const char *sql) {
    char *why = NULL;
    if (sqlite3_exec(store->db, sql, NULL, NULL, &why) != SQLITE_OK) STOP(why);
}

sqlite3_stmt *store_statement(floor_store *store, int number, const char *sql) {
    sqlite3_stmt **statement = &store->statements[number];
    if (*statement == NULL &&
        sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) != SQLITE_OK)
        STOP(sqlite3_errmsg(store->db));
    return *statement;
}

void store_do(sqlite3_stmt *statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) STOP(sqlite3_errmsg(sqlite3_db_handle(statement)));
    sqlite3_reset(statement);
}

void find_name(floor_store *store, floor_identity *identity) {
    sqlite3_stmt *find =
        store_statement(store, FIND_NAME, "SELECT sealed_identity FROM identities WHERE container_id = ?1 AND record_id = ?2");
    sqlite3_bind_int64(find, 1, store->keys.container);
    bind_bytes(find, 2, identity->record, FLOOR_ID);
    REQUIRE(sqlite3_step(find) == SQLITE_ROW);
    open_identity_name(&store->keys, sqlite3_column_blob(find, 0), (size_t)sqlite3_column_bytes(find, 0), identity);
    sqlite3_reset(find);
}

int64_t floor_count_rows(floor_store *store, const char *table) {
    char sql[100];
    sqlite3_stmt *count;
    int64_t rows;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
    REQUIRE(sqlite3_prepare_v2(store->db, sql, -1, &count, NULL) == SQLITE_OK && sqlite3_step(count) == SQLITE_ROW);
    rows = sqlite3_column_int64(count, 0);
    sqlite3_finalize(count);
    return rows;
}

/* A new file that no other user can read. */
static void write_file(const char *path, const void *bytes, size_t length) {
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    REQUIRE(file >= 0 && write(file, bytes, length) == (ssize_t)length);
    close(file);
}

static void copy_pages(sqlite3 *from, const char *path) {
    sqlite3 *to;
    sqlite3_backup *backup;
    REQUIRE(sqlite3_open_v2(path, &to, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK);
    REQUIRE(sqlite3_exec(to, "PRAGMA synchronous = OFF", NULL, NULL, NULL) == SQLITE_OK);
    backup = sqlite3_backup_init(to, "main", from, "main");
    REQUIRE(backup != NULL && sqlite3_backup_step(backup, -1) == SQLITE_DONE);
    REQUIRE(sqlite3_backup_finish(backup) == SQLITE_OK && sqlite3_close(to) == SQLITE_OK);
}

void floor_copy_store(const char *path, const char *key_path, const char *copy, const char *key_copy) {
    floor_store *store = store_connect(path, 0, 0);
    int key = open(key_path, O_RDONLY);
    char bytes[256];
    ssize_t length = read(key, bytes, sizeof bytes);
    REQUIRE(key >= 0 && length > 0);
    close(key);
    write_file(key_copy, bytes, (size_t)length);
    write_file(copy, NULL, 0);
    copy_pages(store->db, copy);
    floor_store_close(store);
}
