/* records.c: records, with SQL statements only. */

#include "record_rows.h"

#include <string.h>

enum { NUMBERED_NAME = 16, INDEXED = 4, PERMUTED = 1000000, SORTABLE = 2 };

struct floor_records {
    floor_store *store;
    database database;
    int64_t type, fields[INDEXED];
    bool sorted; /* whether the last of these fields is SORTABLE */
    record_row model;             /* the record with the number 0 */
    size_t name, values[INDEXED]; /* where they are in its content */
};

static const database public_database = { { 0 }, 0 };

/* ---- User records */

size_t floor_fetch_record(floor_store *store, const uint8_t *record, uint8_t *content, size_t room) {
    record_row row;
    REQUIRE(record_fetch(store, &public_database, record, &row) && row.length <= room);
    memcpy(content, row.content, row.length);
    return row.length;
}

void floor_save_record(floor_store *store, const uint8_t *record) {
    record_row row;
    store_do(store->begin_write);
    REQUIRE(record_fetch(store, &public_database, record, &row));
    record_update(store, &public_database, record, &row);
    store_do(store->commit);
}

/* ---- Records of a database */

/* NULL for the public database. */
static const uint8_t *owner_of(const floor_records *records) {
    return records->database.owner_length > 0 ? records->database.owner : NULL;
}

static void make_name_tag(const floor_records *records, uint8_t *tag, const char *name) {
    make_record_tag(tag, &records->store->keys, owner_of(records), TAG_OF_NAME, 0, name, strlen(name));
}

/* The tag of the value of one of the indexed fields. */
static void make_value_tag(const floor_records *records, uint8_t *tag, size_t field, const void *value, size_t length) {
    make_record_tag(tag, &records->store->keys, owner_of(records), TAG_OF_VALUE, records->fields[field], value, length);
}

void floor_record_name(size_t number, char *name) { snprintf(name, NUMBERED_NAME, "record-%08zu", number); }

/* The values of the record with this number, each as it is in the content and in an index. Records with a value in common are
 * scattered over the store. */
static void make_values(size_t number, char values[INDEXED][NUMBERED_NAME], size_t lengths[INDEXED]) {
    const size_t place = number / PERMUTED * PERMUTED + number % PERMUTED * 736879 % PERMUTED;
    const int64_t order = (int64_t)1 << 40 | (int64_t)(number * 2654435761u % ((size_t)1 << 32));
    lengths[0] = (size_t)snprintf(values[0], NUMBERED_NAME, "group-%08zu", place / 20);
    lengths[1] = (size_t)snprintf(values[1], NUMBERED_NAME, "team-%08zu", place / 50);
    lengths[2] = (size_t)snprintf(values[2], NUMBERED_NAME, "kind-%08zu", (place / 50 * 2 + place % 2) % 100);
    lengths[3] = sizeof order;
    memcpy(values[3], &order, sizeof order);
}

floor_records *floor_records_open(floor_store *store, const uint8_t *owner, const char *type) {
    static const char *const names[INDEXED] = { "group", "team", "kind", "order" };
    floor_records *records = calloc(1, sizeof *records);
    char name[NUMBERED_NAME], values[INDEXED][NUMBERED_NAME];
    uint8_t tag[FLOOR_ID];
    size_t lengths[INDEXED], i;
    REQUIRE(records != NULL);
    records->store = store;
    if (owner != NULL) {
        memcpy(records->database.owner, owner, FLOOR_ID);
        records->database.owner_length = FLOOR_ID;
    }
    records->type = record_type_number(store, type);
    for (i = 0; i < INDEXED; i++)
        records->fields[i] = record_field_number(store, records->type, names[i]);
    records->sorted = (record_field_options(store, records->type, names[INDEXED - 1]) & SORTABLE) != 0;
    floor_record_name(0, name);
    make_name_tag(records, tag, name);
    REQUIRE(record_fetch(store, &records->database, tag, &records->model));
    records->name = record_find(&records->model, name, strlen(name));
    make_values(0, values, lengths);
    for (i = 0; i < INDEXED; i++) records->values[i] = record_find(&records->model, values[i], lengths[i]);
    return records;
}

void floor_records_close(floor_records *records) { free(records); }

size_t floor_records_fetch(floor_records *records, size_t number) {
    char name[NUMBERED_NAME];
    uint8_t tag[FLOOR_ID];
    record_row row;
    floor_record_name(number, name);
    make_name_tag(records, tag, name);
    REQUIRE(record_fetch(records->store, &records->database, tag, &row));
    REQUIRE(memcmp(row.content + records->name, name, strlen(name)) == 0);
    return row.length;
}

/* The values of the last field are not negative. They leave room for others between them. */
static int64_t position_of(int64_t order) { return (order & 0xffffffff) << 29; }

static void enter_position(floor_records *records, int64_t position, int64_t number) {
    sqlite3_stmt *insert = store_statement(records->store, INSERT_POSITION,
                                           "INSERT INTO order_entries (container_id, owner, zone, field, position, number)"
                                           " VALUES (?1, ?2, 0, ?3, ?4, ?5)");
    sqlite3_bind_int64(insert, 1, records->store->keys.container);
    bind_bytes(insert, 2, records->database.owner, records->database.owner_length);
    sqlite3_bind_int64(insert, 3, records->fields[INDEXED - 1]);
    sqlite3_bind_int64(insert, 4, position);
    sqlite3_bind_int64(insert, 5, number);
    store_do(insert);
}

static size_t insert(floor_records *records, size_t number) {
    char name[NUMBERED_NAME], values[INDEXED][NUMBERED_NAME];
    uint8_t tag[FLOOR_ID];
    record_row row = records->model;
    size_t lengths[INDEXED], length, i;
    floor_record_name(number, name);
    make_name_tag(records, tag, name);
    make_values(number, values, lengths);
    row.number += (int64_t)number;
    memcpy(row.content + records->name, name, strlen(name));
    for (i = 0; i < INDEXED; i++) memcpy(row.content + records->values[i], values[i], lengths[i]);
    length = record_insert(records->store, &records->database, tag, &row);
    for (i = 0; i < INDEXED; i++) {
        make_value_tag(records, tag, i, values[i], lengths[i]);
        record_enter(records->store, &records->database, tag, row.number);
    }
    if (records->sorted) {
        int64_t order;
        memcpy(&order, values[INDEXED - 1], sizeof order);
        enter_position(records, position_of(order), row.number);
    }
    return length;
}

void floor_records_insert(floor_records *records, size_t first, size_t number_of_records, size_t group) {
    size_t done = 0, i;
    while (done < number_of_records) {
        size_t bytes = 0, left = number_of_records - done;
        store_do(records->store->begin_write);
        for (i = 0; i < group && i < left; i++) bytes += insert(records, first + done + i);
        record_count_bytes(records->store, &records->database, (int64_t)bytes);
        store_do(records->store->commit);
        done += i;
    }
}

void floor_records_change(floor_records *records, size_t number, int64_t order) {
    floor_store *store = records->store;
    sqlite3_stmt *remove = store_statement(store, DELETE_ENTRY,
                                           "DELETE FROM index_entries"
                                           " WHERE container_id = ?1 AND owner = ?2 AND zone = 0 AND tag = ?3 AND number = ?4");
    char name[NUMBERED_NAME];
    uint8_t tag[FLOOR_ID], entry[FLOOR_ID];
    record_row row;
    floor_record_name(number, name);
    make_name_tag(records, tag, name);
    store_do(store->begin_write);
    REQUIRE(record_fetch(store, &records->database, tag, &row));
    make_value_tag(records, entry, 3, row.content + records->values[3], sizeof order);
    sqlite3_bind_int64(remove, 1, store->keys.container);
    bind_bytes(remove, 2, records->database.owner, records->database.owner_length);
    bind_bytes(remove, 3, entry, FLOOR_ID);
    sqlite3_bind_int64(remove, 4, row.number);
    store_do(remove);
    REQUIRE(sqlite3_changes(store->db) == 1);
    memcpy(row.content + records->values[3], &order, sizeof order);
    make_value_tag(records, entry, 3, &order, sizeof order);
    record_enter(store, &records->database, entry, row.number);
    row.modified++;
    memcpy(row.content + records->name + strlen(name) + 1 + FLOOR_ID + 8, &row.modified, sizeof row.modified);
    record_update(store, &records->database, tag, &row);
    store_do(store->commit);
}

void floor_records_fill(floor_records *records, size_t first, size_t number_of_records) {
    char sql[200];
    store_run(records->store, "PRAGMA synchronous = OFF");
    /* The product put the first record, which has the least value, in the middle. */
    store_run(records->store, "UPDATE order_entries SET position = 0");
    floor_records_insert(records, first, number_of_records, 20000);
    snprintf(sql, sizeof sql, "UPDATE record_numbers SET next = %lld",
             (long long)(records->model.number + (int64_t)(first + number_of_records)));
    store_run(records->store, sql);
    store_run(records->store, "PRAGMA wal_checkpoint(TRUNCATE)");
    store_run(records->store, "PRAGMA synchronous = FULL");
}

/* ---- Queries */

static void bind_tag(floor_records *records, sqlite3_stmt *statement, int at, size_t field, size_t number) {
    char values[INDEXED][NUMBERED_NAME];
    size_t lengths[INDEXED];
    uint8_t tag[FLOOR_ID];
    make_values(number, values, lengths);
    make_value_tag(records, tag, field, values[field], lengths[field]);
    sqlite3_bind_blob(statement, at, tag, FLOOR_ID, SQLITE_TRANSIENT);
}

size_t floor_records_equal(floor_records *records, size_t field, size_t number) {
    size_t found;
    sqlite3_stmt *statement = store_statement(
        records->store, EQUAL_RECORDS,
        "SELECT r.name_tag, r.type, r.sealed_fields, r.change_tag, r.created_at, r.modified_at FROM index_entries e"
        " JOIN records r ON r.number = e.number WHERE e.container_id = ?1 AND e.owner = ?2 AND e.zone = 0 AND e.tag = ?3");
    store_do(records->store->begin);
    sqlite3_bind_int64(statement, 1, records->store->keys.container);
    bind_bytes(statement, 2, records->database.owner, records->database.owner_length);
    bind_tag(records, statement, 3, field, number);
    found = record_open_rows(records->store, &records->database, statement);
    store_do(records->store->commit);
    return found;
}

size_t floor_records_equal_both(floor_records *records, size_t few, size_t many, size_t number) {
    size_t found;
    sqlite3_stmt *statement = store_statement(
        records->store, BOTH_RECORDS,
        "SELECT r.name_tag, r.type, r.sealed_fields, r.change_tag, r.created_at, r.modified_at FROM index_entries a"
        " CROSS JOIN index_entries b CROSS JOIN records r"
        " WHERE a.container_id = ?1 AND a.owner = ?2 AND a.zone = 0 AND a.tag = ?3"
        " AND b.container_id = ?1 AND b.owner = ?2 AND b.zone = 0 AND b.tag = ?4 AND b.number = a.number AND r.number = a.number");
    store_do(records->store->begin);
    sqlite3_bind_int64(statement, 1, records->store->keys.container);
    bind_bytes(statement, 2, records->database.owner, records->database.owner_length);
    bind_tag(records, statement, 3, few, number);
    bind_tag(records, statement, 4, many, number);
    found = record_open_rows(records->store, &records->database, statement);
    store_do(records->store->commit);
    return found;
}

size_t floor_records_sorted(floor_records *records, int64_t order, size_t limit) {
    size_t found;
    sqlite3_stmt *statement = store_statement(
        records->store, SORTED_RECORDS,
        "SELECT r.name_tag, r.type, r.sealed_fields, r.change_tag, r.created_at, r.modified_at FROM order_entries e"
        " JOIN records r ON r.number = e.number WHERE e.container_id = ?1 AND e.owner = ?2 AND e.zone = 0 AND e.field = ?3"
        " AND e.position >= ?4 ORDER BY e.position LIMIT ?5");
    store_do(records->store->begin);
    sqlite3_bind_int64(statement, 1, records->store->keys.container);
    bind_bytes(statement, 2, records->database.owner, records->database.owner_length);
    sqlite3_bind_int64(statement, 3, records->fields[INDEXED - 1]);
    sqlite3_bind_int64(statement, 4, position_of(order));
    sqlite3_bind_int64(statement, 5, (int64_t)limit);
    found = record_open_rows(records->store, &records->database, statement);
    store_do(records->store->commit);
    return found;
}

size_t floor_records_count(floor_records *records, size_t field, size_t number) {
    size_t found;
    sqlite3_stmt *statement = store_statement(
        records->store, COUNT_ENTRIES,
        "SELECT count(*) FROM index_entries WHERE container_id = ?1 AND owner = ?2 AND zone = 0 AND tag = ?3");
    store_do(records->store->begin);
    sqlite3_bind_int64(statement, 1, records->store->keys.container);
    bind_bytes(statement, 2, records->database.owner, records->database.owner_length);
    bind_tag(records, statement, 3, field, number);
    REQUIRE(sqlite3_step(statement) == SQLITE_ROW);
    found = (size_t)sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    store_do(records->store->commit);
    return found;
}
