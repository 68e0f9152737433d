/* private_filling.c: builds a private directory from people's sealed addresses, fills it with many people, and changes it. */

#include "people.h"
#include "private_directory.h"

#include <string.h>

/* ---- Building from the accounts, as the product does */

struct floor_build {
    floor_store *store;
    const floor_epoch *epoch;
    int threads;
    uint8_t position[FLOOR_ID]; /* the last account that was read */
    uint8_t *hashes;
    private_row *rows;
};

floor_build *floor_build_begin(floor_store *store, const floor_epoch *epoch, int threads) {
    floor_build *build = calloc(1, sizeof *build);
    REQUIRE(build != NULL);
    build->store = store;
    build->epoch = epoch;
    build->threads = threads;
    build->hashes = malloc((size_t)FLOOR_BUILD_GROUP * FLOOR_HASH);
    build->rows = malloc(FLOOR_BUILD_GROUP * sizeof *build->rows);
    REQUIRE(build->hashes != NULL && build->rows != NULL);
    return build;
}

void floor_build_end(floor_build *build) {
    free(build->hashes);
    free(build->rows);
    free(build);
}

static size_t read_addresses(floor_build *build) {
    floor_store *store = build->store;
    sqlite3_stmt *read =
        store_statement(store, READ_ADDRESSES,
                        "SELECT u.account_id, u.record_id, e.tag, e.sealed_address"
                        " FROM users u JOIN emails e ON e.account_id = u.account_id"
                        " WHERE +u.container_id = ?1 AND u.account_id > ?2 ORDER BY u.account_id LIMIT ?3");
    const sealing_key *key = &store->keys.sealing;
    size_t count = 0;
    store_do(store->begin);
    sqlite3_bind_int64(read, 1, store->keys.container);
    sqlite3_bind_blob(read, 2, build->position, FLOOR_ID, SQLITE_TRANSIENT);
    sqlite3_bind_int64(read, 3, FLOOR_BUILD_GROUP);
    while (sqlite3_step(read) == SQLITE_ROW) {
        sealed_place place = place_of(key, "emails", "sealed_address");
        uint8_t opened[512];
        size_t length = (size_t)sqlite3_column_bytes(read, 3);
        memcpy(build->position, sqlite3_column_blob(read, 0), FLOOR_ID);
        place_add(&place, build->position, FLOOR_ID);
        place_add(&place, sqlite3_column_blob(read, 2), FLOOR_ID);
        REQUIRE(length <= sizeof opened);
        REQUIRE(unseal(key, &place, sqlite3_column_blob(read, 3), length, opened) > FLOOR_HASH);
        memcpy(build->hashes + FLOOR_HASH * count, opened, FLOOR_HASH);
        memcpy(build->rows[count++].record, sqlite3_column_blob(read, 1), FLOOR_ID);
    }
    sqlite3_reset(read);
    store_do(store->commit);
    return count;
}

size_t floor_build_next(floor_build *build) {
    size_t count = read_addresses(build), i;
    make_rows(build->epoch, build->rows, build->hashes, count, build->threads);
    store_do(build->store->begin_write);
    for (i = 0; i < count; i++) insert_private_row(build->store, build->epoch, &build->rows[i]);
    store_do(build->store->commit);
    return count;
}

/* ---- Filling with the people of floor_fill */

typedef struct {
    uint8_t tag[FLOOR_ID];
    uint8_t hash[FLOOR_HASH];
} known_hash;

static int by_hashed_tag(const void *a, const void *b) {
    return memcmp(((const known_hash *)a)->tag, ((const known_hash *)b)->tag, FLOOR_ID);
}

/* The contact hashes in the order of the directory of contact hashes. */
static void read_people(floor_store *store, private_row *rows, uint8_t *hashes, size_t count) {
    known_hash *known = malloc(count * sizeof *known);
    sqlite3_stmt *directory;
    size_t i;
    REQUIRE(known != NULL);
    for (i = 0; i < count; i++) {
        char address[FLOOR_ADDRESS];
        floor_person_address(i, address, sizeof address);
        REQUIRE(floor_contact_hash(address, strlen(address), known[i].hash));
        make_tag(known[i].tag, store->keys.directory_tags, known[i].hash, FLOOR_HASH);
    }
    qsort(known, count, sizeof *known, by_hashed_tag);
    REQUIRE(sqlite3_prepare_v2(store->db, "SELECT tag, record_id FROM directory ORDER BY tag", -1, &directory, NULL) ==
            SQLITE_OK);
    for (i = 0; i < count; i++) {
        REQUIRE(sqlite3_step(directory) == SQLITE_ROW);
        REQUIRE(memcmp(sqlite3_column_blob(directory, 0), known[i].tag, FLOOR_ID) == 0);
        memcpy(rows[i].record, sqlite3_column_blob(directory, 1), FLOOR_ID);
        memcpy(hashes + FLOOR_HASH * i, known[i].hash, FLOOR_HASH);
    }
    sqlite3_finalize(directory);
    free(known);
}

static void keep_row_count(floor_store *store, const floor_epoch *epoch, size_t count) {
    char sql[300];
    int bits = 0;
    while (count / 16 >> (bits + 1) != 0) bits++;
    snprintf(sql, sizeof sql,
             "UPDATE directories SET prefix_bits = %d WHERE epoch = %u;"
             "INSERT INTO directory_counts (container_id, epoch, lane, row_count)"
             " SELECT container_id, epoch, 0, %zu FROM directories WHERE epoch = %u",
             bits, (unsigned)epoch->number, count, (unsigned)epoch->number);
    store_run(store, sql);
}

void floor_fill_privately(floor_store *store, const floor_epoch *epoch, size_t count) {
    private_row *rows = malloc(count * sizeof *rows);
    uint8_t *hashes = malloc(count * FLOOR_HASH);
    size_t i;
    REQUIRE(rows != NULL && hashes != NULL);
    read_people(store, rows, hashes, count);
    make_rows(epoch, rows, hashes, count, 2);
    store_run(store, "PRAGMA synchronous = OFF"); /* an unfinished store is deleted */
    store_do(store->begin_write);
    for (i = 0; i < count; i++) insert_private_row(store, epoch, &rows[i]);
    keep_row_count(store, epoch, count);
    store_do(store->commit);
    store_run(store, "PRAGMA wal_checkpoint(TRUNCATE)");
    store_run(store, "PRAGMA synchronous = FULL");
    free(rows);
    free(hashes);
}

void floor_change_privately(floor_store *store, const floor_epoch *epoch, size_t count) {
    char sql[400];
    private_row row;
    size_t i;
    store_do(store->begin_write);
    snprintf(sql, sizeof sql,
             "DELETE FROM private_directory WHERE (container_id, epoch, tag) IN (SELECT container_id, epoch, tag FROM"
             " private_directory WHERE epoch = %u ORDER BY random() LIMIT %zu)", (unsigned)epoch->number, count / 2);
    store_run(store, sql);
    for (i = 0; i < count / 2; i++) {
        randombytes_buf(&row, sizeof row);
        seal_code(epoch, &row);
        insert_private_row(store, epoch, &row);
    }
    store_do(store->commit);
}
