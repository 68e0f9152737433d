/* record_rows.c: the rows of records, with SQL statements only. */

#include "record_rows.h"

#include <string.h>

sealed_place place_of_record(const floor_store *store, const database *in, const uint8_t *tag, int64_t type) {
    const uint8_t scope = in->owner_length > 0;
    sealed_place place = place_of(&store->keys.container_sealing, "records", "sealed_fields");
    place_add_number(&place, store->keys.container);
    if (type != 0) place_add(&place, in->owner, in->owner_length);
    place_add(&place, tag, FLOOR_ID);
    place_add(&place, &scope, 1);
    if (type != 0) place_add_number(&place, type);
    return place;
}

bool record_fetch(floor_store *store, const database *in, const uint8_t *tag, record_row *row) {
    sqlite3_stmt *statement =
        store_statement(store, FETCH_RECORD,
                        "SELECT number, type, change_tag, created_at, modified_at, sealed_fields FROM records"
                        " WHERE container_id = ?1 AND owner = ?2 AND zone = 0 AND name_tag = ?3");
    sealed_place place;
    bool found;
    sqlite3_bind_int64(statement, 1, store->keys.container);
    sqlite3_bind_blob(statement, 2, in->owner, (int)in->owner_length, SQLITE_STATIC);
    bind_bytes(statement, 3, tag, FLOOR_ID);
    found = sqlite3_step(statement) == SQLITE_ROW;
    if (found) {
        row->number = sqlite3_column_int64(statement, 0);
        row->type = sqlite3_column_int64(statement, 1);
        row->created = sqlite3_column_int64(statement, 3);
        row->modified = sqlite3_column_int64(statement, 4);
        row->sealed_length = (size_t)sqlite3_column_bytes(statement, 5);
        REQUIRE(row->sealed_length <= RECORD_CONTENT);
        place = place_of_record(store, in, tag, row->type);
        row->length = unseal(&store->keys.container_sealing, &place, sqlite3_column_blob(statement, 5), row->sealed_length,
                             row->content);
    }
    sqlite3_reset(statement);
    return found;
}

void record_update(floor_store *store, const database *in, const uint8_t *tag, const record_row *row) {
    sqlite3_stmt *statement =
        store_statement(store, SAVE_RECORD,
                        "UPDATE records SET change_tag = ?2, modified_at = ?3, sealed_fields = ?4 WHERE number = ?1");
    sealed_place place = place_of_record(store, in, tag, row->type);
    uint8_t change_tag[RECORD_CHANGE_TAG], sealed[RECORD_CONTENT];
    REQUIRE(sealed_length(row->length) <= sizeof sealed);
    randombytes_buf(change_tag, sizeof change_tag);
    sqlite3_bind_int64(statement, 1, row->number);
    bind_bytes(statement, 2, change_tag, sizeof change_tag);
    sqlite3_bind_int64(statement, 3, row->modified);
    bind_bytes(statement, 4, sealed, seal(&store->keys.container_sealing, &place, row->content, row->length, sealed));
    store_do(statement);
    REQUIRE(sqlite3_changes(store->db) == 1);
}

size_t record_insert(floor_store *store, const database *in, const uint8_t *tag, const record_row *row) {
    sqlite3_stmt *insert = store_statement(
        store, INSERT_RECORD,
        "INSERT INTO records (number, container_id, owner, zone, name_tag, type, change_tag, created_at, modified_at, change,"
        " sealed_fields) VALUES (?1, ?2, ?3, 0, ?4, ?5, ?6, ?7, ?8, 0, ?9)");
    const size_t length = sealed_length(row->length);
    sealed_place place = place_of_record(store, in, tag, row->type);
    uint8_t change_tag[RECORD_CHANGE_TAG], sealed[RECORD_CONTENT];
    REQUIRE(length <= sizeof sealed);
    seal(&store->keys.container_sealing, &place, row->content, row->length, sealed);
    randombytes_buf(change_tag, sizeof change_tag);
    sqlite3_bind_int64(insert, 1, row->number);
    sqlite3_bind_int64(insert, 2, store->keys.container);
    bind_bytes(insert, 3, in->owner, in->owner_length);
    bind_bytes(insert, 4, tag, FLOOR_ID);
    sqlite3_bind_int64(insert, 5, row->type);
    bind_bytes(insert, 6, change_tag, sizeof change_tag);
    sqlite3_bind_int64(insert, 7, row->created);
    sqlite3_bind_int64(insert, 8, row->modified);
    bind_bytes(insert, 9, sealed, length);
    store_do(insert);
    return length;
}

void record_enter(floor_store *store, const database *in, const uint8_t *tag, int64_t number) {
    sqlite3_stmt *insert = store_statement(store, INSERT_ENTRY,
                                           "INSERT INTO index_entries (container_id, owner, zone, tag, number)"
                                           " VALUES (?1, ?2, 0, ?3, ?4)");
    sqlite3_bind_int64(insert, 1, store->keys.container);
    bind_bytes(insert, 2, in->owner, in->owner_length);
    bind_bytes(insert, 3, tag, FLOOR_ID);
    sqlite3_bind_int64(insert, 4, number);
    store_do(insert);
}

void record_count_bytes(floor_store *store, const database *in, int64_t bytes) {
    sqlite3_stmt *add = store_statement(store, COUNT_BYTES,
                                        "INSERT INTO record_bytes (container_id, owner, zone, kind, lane, bytes)"
                                        " VALUES (?1, ?2, 0, 0, 0, ?3)"
                                        " ON CONFLICT (container_id, owner, zone, kind, lane)"
                                        " DO UPDATE SET bytes = bytes + excluded.bytes");
    sqlite3_bind_int64(add, 1, store->keys.container);
    bind_bytes(add, 2, in->owner, in->owner_length);
    sqlite3_bind_int64(add, 3, bytes);
    store_do(add);
}

size_t record_open_rows(floor_store *store, const database *in, sqlite3_stmt *statement) {
    size_t found = 0;
    uint8_t content[RECORD_CONTENT];
    while (sqlite3_step(statement) == SQLITE_ROW) {
        const size_t length = (size_t)sqlite3_column_bytes(statement, 2);
        sealed_place place = place_of_record(store, in, sqlite3_column_blob(statement, 0),
                                             sqlite3_column_int64(statement, 1));
        REQUIRE(length <= sizeof content);
        (void)unseal(&store->keys.container_sealing, &place, sqlite3_column_blob(statement, 2), length, content);
        found++;
    }
    sqlite3_reset(statement);
    return found;
}

size_t record_find(const record_row *row, const void *value, size_t length) {
    size_t at;
    for (at = 0; at + length <= row->length; at++)
        if (memcmp(row->content + at, value, length) == 0) return at;
    STOP("The model has another value.");
    return 0;
}

static int64_t number_of(floor_store *store, const char *sql, int64_t type, const char *name) {
    sqlite3_stmt *statement;
    int64_t number;
    REQUIRE(sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) == SQLITE_OK);
    sqlite3_bind_int64(statement, 1, store->keys.container);
    sqlite3_bind_int64(statement, 2, type);
    sqlite3_bind_text(statement, 3, name, -1, SQLITE_STATIC);
    REQUIRE(sqlite3_step(statement) == SQLITE_ROW);
    number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return number;
}

int64_t record_type_number(floor_store *store, const char *type) {
    return number_of(store, "SELECT type FROM record_types WHERE container_id = ?1 AND ?2 = 0 AND name = ?3", 0, type);
}

int64_t record_field_number(floor_store *store, int64_t type, const char *field) {
    return number_of(store, "SELECT number FROM fields WHERE container_id = ?1 AND type = ?2 AND name = ?3", type, field);
}

int64_t record_field_options(floor_store *store, int64_t type, const char *field) {
    return number_of(store, "SELECT options FROM fields WHERE container_id = ?1 AND type = ?2 AND name = ?3", type, field);
}
