/* records.c: user records, with SQL statements only. */

#include "store.h"

#include <string.h>

static sealed_place place_of_record(floor_store *store, const uint8_t *record) {
    static const uint8_t public_database = 0;
    sealed_place place = place_of(&store->keys.container_sealing, "records", "sealed_fields");
    place_add_number(&place, store->keys.container);
    place_add(&place, record, FLOOR_ID);
    place_add(&place, &public_database, 1);
    return place;
}

size_t floor_fetch_record(floor_store *store, const uint8_t *record, uint8_t *fields, size_t room) {
    sqlite3_stmt *fetch =
        store_statement(store, FETCH_RECORD,
                        "SELECT u.created_at, r.change_tag, r.sealed_fields, r.modified_at FROM users u"
                        " LEFT JOIN records r"
                        " ON r.container_id = u.container_id AND r.record_id = u.record_id AND r.is_private = 0"
                        " WHERE u.container_id = ?1 AND u.record_id = ?2");
    sealed_place place = place_of_record(store, record);
    size_t length;
    sqlite3_bind_int64(fetch, 1, store->keys.container);
    bind_bytes(fetch, 2, record, FLOOR_ID);
    REQUIRE(sqlite3_step(fetch) == SQLITE_ROW);
    length = (size_t)sqlite3_column_bytes(fetch, 2);
    REQUIRE(length <= room);
    length = unseal(&store->keys.container_sealing, &place, sqlite3_column_blob(fetch, 2), length, fields);
    sqlite3_reset(fetch);
    return length;
}

void floor_save_record(floor_store *store, const uint8_t *record, const uint8_t *fields, size_t length) {
    sqlite3_stmt *save =
        store_statement(store, SAVE_RECORD,
                        "UPDATE records SET change_tag = ?3, sealed_fields = ?4, modified_at = ?5"
                        " WHERE container_id = ?1 AND record_id = ?2 AND is_private = 0");
    sealed_place place = place_of_record(store, record);
    uint8_t change_tag[8], sealed[4096];
    REQUIRE(sealed_length(length) <= sizeof sealed);
    randombytes_buf(change_tag, sizeof change_tag);
    sqlite3_bind_int64(save, 1, store->keys.container);
    bind_bytes(save, 2, record, FLOOR_ID);
    bind_bytes(save, 3, change_tag, sizeof change_tag);
    bind_bytes(save, 4, sealed, seal(&store->keys.container_sealing, &place, fields, length, sealed));
    sqlite3_bind_int64(save, 5, NOW);
    store_do(store->begin_write);
    store_do(save);
    REQUIRE(sqlite3_changes(store->db) == 1);
    store_do(store->commit);
}
