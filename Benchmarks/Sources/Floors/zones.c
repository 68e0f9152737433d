/* zones.c: the changes of a custom zone, with SQL statements only. */

#include "zones.h"

#include <string.h>

enum { ZONE_CONTENT = 512, ZONE_KEY = 32 };

/* Opens the name and the key of a zone, and combines the key with that of the container. */
static void open_zone(floor_zone *zone, const uint8_t *tag, const uint8_t *sealed, size_t length) {
    const store_keys *keys = &zone->store->keys;
    sealed_place place = place_of(&keys->container_sealing, "zones", "sealed_zone");
    uint8_t content[ZONE_CONTENT];
    size_t of_name;
    place_add_number(&place, keys->container);
    place_add(&place, zone->owner, FLOOR_ID);
    place_add_number(&place, zone->number);
    place_add(&place, tag, FLOOR_ID);
    REQUIRE(length <= sizeof content);
    of_name = unseal(&keys->container_sealing, &place, sealed, length, content) - 1 - ZONE_KEY;
    REQUIRE(content[0] == 1 && of_name < sizeof zone->name);
    memcpy(zone->name, content + 1 + ZONE_KEY, of_name);
    zone->sealing = keys->container_sealing;
    crypto_generichash_blake2b(zone->sealing.key, sizeof zone->sealing.key, content + 1, ZONE_KEY, keys->zones, sizeof keys->zones);
}

floor_zone *floor_zone_open(floor_store *store, const uint8_t *owner) {
    floor_zone *zone = calloc(1, sizeof *zone);
    sqlite3_stmt *row;
    REQUIRE(zone != NULL);
    zone->store = store;
    memcpy(zone->owner, owner, FLOOR_ID);
    REQUIRE(sqlite3_prepare_v2(store->db, "SELECT zone, name_tag, sealed_zone FROM zones WHERE container_id = ?1 AND owner = ?2"
                               " ORDER BY zone DESC", -1, &row, NULL) == SQLITE_OK);
    sqlite3_bind_int64(row, 1, store->keys.container);
    bind_bytes(row, 2, zone->owner, FLOOR_ID);
    REQUIRE(sqlite3_step(row) == SQLITE_ROW && sqlite3_column_bytes(row, 1) == FLOOR_ID);
    zone->number = sqlite3_column_int64(row, 0);
    open_zone(zone, sqlite3_column_blob(row, 1), sqlite3_column_blob(row, 2), (size_t)sqlite3_column_bytes(row, 2));
    sqlite3_finalize(row);
    return zone;
}

void floor_zone_close(floor_zone *zone) { free(zone); }

int64_t floor_zone_last_change(floor_zone *zone) {
    sqlite3_stmt *row;
    int64_t change;
    REQUIRE(sqlite3_prepare_v2(zone->store->db, "SELECT last_change FROM change_counts WHERE container_id = ?1 AND owner = ?2", -1,
                               &row, NULL) == SQLITE_OK);
    sqlite3_bind_int64(row, 1, zone->store->keys.container);
    bind_bytes(row, 2, zone->owner, FLOOR_ID);
    REQUIRE(sqlite3_step(row) == SQLITE_ROW);
    change = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    return change;
}

void zone_name_tag(const floor_zone *zone, uint8_t *tag, const void *name, size_t length) {
    make_record_tag(tag, &zone->store->keys, zone->owner, TAG_OF_NAME, zone->number, name, length);
}

size_t zone_open_record(const floor_zone *zone, const uint8_t *tag, int64_t type, const void *sealed, size_t length,
                        uint8_t *content) {
    const uint8_t is_private = 1;
    sealed_place place = place_of(&zone->sealing, "records", "sealed_fields");
    place_add_number(&place, zone->store->keys.container);
    place_add(&place, zone->owner, FLOOR_ID);
    place_add(&place, tag, FLOOR_ID);
    place_add(&place, &is_private, 1);
    place_add_number(&place, type);
    REQUIRE(length <= ZONE_RECORD);
    return unseal(&zone->sealing, &place, sealed, length, content);
}

/* Opens the record of a row, and writes its name. */
static void open_record(const floor_zone *zone, sqlite3_stmt *row, char *name) {
    uint8_t content[ZONE_RECORD];
    const uint8_t *tag = sqlite3_column_blob(row, 2), *length = content + ZONE_NAME_AT - 1;
    REQUIRE(zone_open_record(zone, tag, sqlite3_column_int64(row, 3), sqlite3_column_blob(row, 1),
                             (size_t)sqlite3_column_bytes(row, 1), content) > ZONE_NAME_AT + FLOOR_RECORD_NAME);
    REQUIRE(*length < FLOOR_RECORD_NAME);
    memset(name, 0, FLOOR_RECORD_NAME);
    memcpy(name, content + ZONE_NAME_AT, *length);
}

size_t floor_zone_changes(floor_zone *zone, int64_t after, size_t page, char *names, size_t room) {
    floor_store *store = zone->store;
    sqlite3_stmt *rows = store_statement(store, ZONE_CHANGES,
                                         "SELECT change, sealed_fields, name_tag, type, number, change_tag, created_at, modified_at"
                                         " FROM records WHERE container_id = ?1 AND owner = ?2 AND zone = ?3 AND zone > 0 AND change > ?4"
                                         " ORDER BY change LIMIT ?5");
    size_t count = 0, of_page;
    sqlite3_bind_int64(rows, 1, store->keys.container);
    bind_bytes(rows, 2, zone->owner, FLOOR_ID);
    sqlite3_bind_int64(rows, 3, zone->number);
    sqlite3_bind_int64(rows, 5, (int64_t)page);
    do {
        store_do(store->begin);
        sqlite3_bind_int64(rows, 4, after);
        for (of_page = 0; sqlite3_step(rows) == SQLITE_ROW; of_page++) {
            REQUIRE(count < room);
            open_record(zone, rows, names + count++ * FLOOR_RECORD_NAME);
            after = sqlite3_column_int64(rows, 0);
        }
        sqlite3_reset(rows);
        store_do(store->commit);
    } while (of_page == page);
    return count;
}
