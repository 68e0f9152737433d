/* cascades.c: a record of a custom zone, deleted with the records that refer to it, with SQL statements only. */

#include "zones.h"

#include <string.h>

enum { NAME = 256, INDEXED = 5, MAXIMUM_SOURCES = 750, DELETE_SELF = 1 };
enum { STRING = 1, INT64 = 2, BOOLEAN = 4, LOCATION = 7, NAMED_REFERENCE = 64 + 8, STRING_LIST = 17 };

/* A name in a content: its length, followed by its bytes. */
typedef struct {
    const uint8_t *bytes;
    size_t length;
} text;

struct floor_cascade {
    floor_zone *zone;
    char type[NAME], fields[INDEXED][NAME];
    int64_t numbers[INDEXED]; /* of the fields */
    int64_t freed;            /* the bytes of the records that were deleted */
};

floor_cascade *floor_cascade_open(floor_zone *zone, const char *type) {
    floor_cascade *cascade = calloc(1, sizeof *cascade);
    sqlite3_stmt *row;
    size_t count = 0;
    REQUIRE(cascade != NULL && strlen(type) < NAME);
    cascade->zone = zone;
    strcpy(cascade->type, type);
    REQUIRE(sqlite3_prepare_v2(zone->store->db, "SELECT f.number, f.name FROM fields f JOIN record_types t"
                               " ON t.container_id = f.container_id AND t.type = f.type"
                               " WHERE f.container_id = ?1 AND t.name = ?2 AND f.options & 1", -1, &row, NULL) == SQLITE_OK);
    sqlite3_bind_int64(row, 1, zone->store->keys.container);
    sqlite3_bind_text(row, 2, type, -1, SQLITE_STATIC);
    for (; sqlite3_step(row) == SQLITE_ROW; count++) {
        REQUIRE(count < INDEXED && sqlite3_column_bytes(row, 1) < NAME);
        cascade->numbers[count] = sqlite3_column_int64(row, 0);
        strcpy(cascade->fields[count], (const char *)sqlite3_column_text(row, 1));
    }
    REQUIRE(count == INDEXED);
    sqlite3_finalize(row);
    return cascade;
}

void floor_cascade_close(floor_cascade *cascade) { free(cascade); }

/* A statement whose first three values are those of the zone. */
static sqlite3_stmt *in_zone(const floor_cascade *cascade, int number, const char *sql) {
    const floor_zone *zone = cascade->zone;
    sqlite3_stmt *statement = store_statement(zone->store, number, sql);
    sqlite3_bind_int64(statement, 1, zone->store->keys.container);
    bind_bytes(statement, 2, zone->owner, FLOOR_ID);
    sqlite3_bind_int64(statement, 3, zone->number);
    return statement;
}

/* ---- What a record's content says of other rows */

static void delete_entry(const floor_cascade *cascade, size_t field, const void *value, size_t length, int64_t number) {
    sqlite3_stmt *entry = in_zone(cascade, DELETE_ZONE_ENTRY,
                                  "DELETE FROM index_entries"
                                  " WHERE container_id = ?1 AND owner = ?2 AND zone = ?3 AND tag = ?4 AND number = ?5");
    uint8_t tag[FLOOR_ID];
    make_record_tag(tag, &cascade->zone->store->keys, cascade->zone->owner, TAG_OF_VALUE, cascade->numbers[field], value, length);
    bind_bytes(entry, 4, tag, FLOOR_ID);
    sqlite3_bind_int64(entry, 5, number);
    store_do(entry);
    REQUIRE(sqlite3_changes(cascade->zone->store->db) == 1);
}

/* Deletes the row of a reference that deletes its source, and its index entry. */
static void delete_reference(const floor_cascade *cascade, size_t field, const uint8_t *value, int64_t number) {
    sqlite3_stmt *reference =
        in_zone(cascade, DELETE_REFERENCE,
                "DELETE FROM record_references"
                " WHERE container_id = ?1 AND owner = ?2 AND zone = ?3 AND target = ?4 AND kind = 1 AND source = ?5");
    const size_t length = value[1], of_zone = strlen(cascade->zone->name);
    uint8_t indexed[2 * NAME], tag[FLOOR_ID];
    REQUIRE(value[0] == DELETE_SELF && field < INDEXED && of_zone < NAME);
    memcpy(indexed, value + 2, length);
    indexed[length] = 0;
    memcpy(indexed + length + 1, cascade->zone->name, of_zone);
    delete_entry(cascade, field, indexed, length + 1 + of_zone, number);
    zone_name_tag(cascade->zone, tag, value + 2, length);
    bind_bytes(reference, 4, tag, FLOOR_ID);
    sqlite3_bind_int64(reference, 5, number);
    store_do(reference);
    REQUIRE(sqlite3_changes(cascade->zone->store->db) == 1);
}

static size_t length_at(const uint8_t *bytes) {
    return (size_t)bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
}

/* Deletes the rows that follow from the fields in a content. */
static void delete_of_fields(const floor_cascade *cascade, const uint8_t *at, const uint8_t *end, int64_t number) {
    while (at < end) {
        const text name = { at + 1, at[0] };
        const uint8_t type = at[1 + name.length], *value = at + 2 + name.length;
        size_t field = 0, i;
        while (field < INDEXED && (strncmp(cascade->fields[field], (const char *)name.bytes, name.length) != 0 ||
                                   cascade->fields[field][name.length] != 0))
            field++;
        at = value;
        switch (type) {
        case STRING:
            if (field < INDEXED) delete_entry(cascade, field, value + 4, length_at(value), number);
            at += 4 + length_at(value);
            break;
        case INT64:
            if (field < INDEXED) delete_entry(cascade, field, value, 8, number);
            at += 8;
            break;
        case BOOLEAN: at += 1; break;
        case LOCATION: at += 16; break;
        case NAMED_REFERENCE:
            delete_reference(cascade, field, value, number);
            at += 2 + value[1];
            break;
        case STRING_LIST:
            at += 4;
            for (i = 0; i < length_at(value); i++) at += 4 + length_at(at);
            break;
        default: STOP("The record has a field of another type.");
        }
    }
    REQUIRE(at == end);
}

/* ---- Deleting */

/* Leaves a tombstone. */
static void bury(const floor_cascade *cascade, const uint8_t *tag, const text *name, int64_t change, int64_t deletion,
                 int64_t now) {
    floor_zone *zone = cascade->zone;
    sqlite3_stmt *tombstone = in_zone(cascade, INSERT_TOMBSTONE,
                                      "INSERT INTO tombstones (container_id, owner, zone, change, deletion, name_tag, deleted_at,"
                                      " sealed_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
    const size_t of_type = strlen(cascade->type);
    uint8_t content[2 * NAME], sealed[3 * NAME];
    sealed_place place = place_of(&zone->sealing, "tombstones", "sealed_id");
    content[0] = (uint8_t)name->length;
    memcpy(content + 1, name->bytes, name->length);
    content[1 + name->length] = (uint8_t)of_type;
    memcpy(content + 2 + name->length, cascade->type, of_type);
    place_add_number(&place, zone->store->keys.container);
    place_add(&place, zone->owner, FLOOR_ID);
    place_add_number(&place, deletion);
    place_add(&place, tag, FLOOR_ID);
    sqlite3_bind_int64(tombstone, 4, change);
    sqlite3_bind_int64(tombstone, 5, deletion);
    bind_bytes(tombstone, 6, tag, FLOOR_ID);
    sqlite3_bind_int64(tombstone, 7, now);
    bind_bytes(tombstone, 8, sealed, seal(&zone->sealing, &place, content, 2 + name->length + of_type, sealed));
    store_do(tombstone);
}

/* Deletes the record with this number and what follows from its content. */
static void delete_record(floor_cascade *cascade, int64_t number, int64_t change, int64_t deletion) {
    floor_store *store = cascade->zone->store;
    sqlite3_stmt *read = store_statement(store, READ_NUMBERED,
                                         "SELECT name_tag, type, modified_at, sealed_fields FROM records WHERE number = ?1");
    sqlite3_stmt *remove = store_statement(store, DELETE_NUMBERED, "DELETE FROM records WHERE number = ?1");
    uint8_t content[ZONE_RECORD], tag[FLOOR_ID];
    const uint8_t *start;
    size_t length;
    int64_t now;
    text name;
    sqlite3_bind_int64(read, 1, number);
    REQUIRE(sqlite3_step(read) == SQLITE_ROW && sqlite3_column_bytes(read, 0) == FLOOR_ID);
    memcpy(tag, sqlite3_column_blob(read, 0), FLOOR_ID);
    now = sqlite3_column_int64(read, 2);
    cascade->freed += sqlite3_column_bytes(read, 3);
    length = zone_open_record(cascade->zone, tag, sqlite3_column_int64(read, 1), sqlite3_column_blob(read, 3),
                              (size_t)sqlite3_column_bytes(read, 3), content);
    sqlite3_reset(read);
    name.bytes = content + ZONE_NAME_AT;
    name.length = name.bytes[-1];
    start = name.bytes + name.length;
    REQUIRE(start[0] == (1 | 4)); /* the creator, who is the modifier too */
    sqlite3_bind_int64(remove, 1, number);
    store_do(remove);
    bury(cascade, tag, &name, change, deletion, now);
    delete_of_fields(cascade, start + 1 + FLOOR_ID + 3 * 8, content + length, number);
}

/* The root, and after it the records that refer to it. */
static size_t find(const floor_cascade *cascade, const char *name, int64_t *numbers) {
    sqlite3_stmt *root = in_zone(cascade, FIND_NUMBER,
                                 "SELECT number FROM records"
                                 " WHERE container_id = ?1 AND owner = ?2 AND zone = ?3 AND name_tag = ?4");
    sqlite3_stmt *sources =
        in_zone(cascade, FIND_SOURCES,
                "SELECT r.number, r.name_tag FROM record_references x JOIN records r ON r.number = x.source"
                " WHERE x.container_id = ?1 AND x.owner = ?2 AND x.zone = ?3 AND x.target = ?4 AND x.kind = 1 ORDER BY x.source");
    uint8_t tag[FLOOR_ID];
    size_t count = 1;
    zone_name_tag(cascade->zone, tag, name, strlen(name));
    bind_bytes(root, 4, tag, FLOOR_ID);
    REQUIRE(sqlite3_step(root) == SQLITE_ROW);
    numbers[0] = sqlite3_column_int64(root, 0);
    sqlite3_reset(root);
    bind_bytes(sources, 4, tag, FLOOR_ID);
    for (; sqlite3_step(sources) == SQLITE_ROW; count++) {
        REQUIRE(count <= MAXIMUM_SOURCES);
        numbers[count] = sqlite3_column_int64(sources, 0);
    }
    sqlite3_reset(sources);
    return count;
}

size_t floor_cascade_delete(floor_cascade *cascade, const char *name) {
    floor_store *store = cascade->zone->store;
    sqlite3_stmt *read = in_zone(cascade, READ_COUNTS,
                                 "SELECT c.last_change, z.deletions FROM change_counts c JOIN zones z"
                                 " ON z.container_id = c.container_id AND z.owner = c.owner"
                                 " WHERE c.container_id = ?1 AND c.owner = ?2 AND z.zone = ?3");
    sqlite3_stmt *note_change = store_statement(store, NOTE_CHANGE,
                                                "UPDATE change_counts SET last_change = ?3 WHERE container_id = ?1 AND owner = ?2");
    sqlite3_stmt *note_zone = in_zone(cascade, NOTE_ZONE,
                                      "UPDATE zones SET change = ?4, deletions = ?5"
                                      " WHERE container_id = ?1 AND owner = ?2 AND zone = ?3");
    sqlite3_stmt *free_bytes = in_zone(cascade, FREE_BYTES,
                                       "UPDATE record_bytes SET bytes = bytes - ?4"
                                       " WHERE container_id = ?1 AND owner = ?2 AND zone = ?3 AND kind = 0 AND lane = 0");
    int64_t numbers[1 + MAXIMUM_SOURCES], change, deletions;
    size_t count, i;
    store_do(store->begin_write);
    REQUIRE(sqlite3_step(read) == SQLITE_ROW);
    change = sqlite3_column_int64(read, 0) + 1;
    deletions = sqlite3_column_int64(read, 1);
    sqlite3_reset(read);
    count = find(cascade, name, numbers);
    cascade->freed = 0;
    for (i = 0; i < count; i++) delete_record(cascade, numbers[i], change, deletions + 1 + (int64_t)i);
    sqlite3_bind_int64(note_change, 1, store->keys.container);
    bind_bytes(note_change, 2, cascade->zone->owner, FLOOR_ID);
    sqlite3_bind_int64(note_change, 3, change);
    store_do(note_change);
    sqlite3_bind_int64(note_zone, 4, change);
    sqlite3_bind_int64(note_zone, 5, deletions + (int64_t)count);
    store_do(note_zone);
    sqlite3_bind_int64(free_bytes, 4, cascade->freed);
    store_do(free_bytes);
    store_do(store->commit);
    return count;
}
