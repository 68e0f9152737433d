/* searches.c: the records of a store for searches, which the product could have saved. */

#include "searches.h"

#include <math.h>
#include <string.h>

enum { NUMBERED_NAME = 16, BLOCK = 1000, FEW = 5000, MANY = 20000, BOTH = 200 };

/* An index entry of a record. */
typedef struct {
    uint8_t tag[FLOOR_ID];
    size_t record;
} entry;

static size_t mix(size_t number) {
    uint64_t value = number * UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ value >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return (size_t)((value ^ value >> 32) & UINT32_MAX);
}

/* Another order of the numbers below `count`, a multiple of BLOCK, so that records with a word in common are scattered. */
static size_t scattered(size_t number, size_t count) {
    const size_t blocks = count / BLOCK;
    size_t block = number / BLOCK, rest = number % BLOCK;
    rest = (rest + mix(block)) % BLOCK;
    block = (block + mix(rest + 1000003)) % blocks;
    rest = (rest + mix(block + 2000003)) % BLOCK;
    return block * BLOCK + rest;
}

void floor_search_text(size_t number, size_t count, char *text) {
    const size_t place = scattered(number, count), pair = place / FLOOR_SEARCH_PAIR, at = place % FLOOR_SEARCH_PAIR;
    char few[16] = "------", many[16] = "------";
    if (at >= MANY - BOTH && at < MANY - BOTH + FEW) snprintf(few, sizeof few, "x%05u", (unsigned)pair);
    if (at < MANY) snprintf(many, sizeof many, "y%05u", (unsigned)pair);
    snprintf(text, FLOOR_SEARCH_TEXT, "%s %s v%05u", few, many, (unsigned)(place % FLOOR_SEARCH_VOCABULARY));
}

void floor_search_point(size_t number, size_t count, double *point) {
    const double part = sqrt((double)count / 1e6);
    point[0] = 50 + (mix(2 * number + 1) / 0x1p32 - 0.5) * 10 * part;
    point[1] = 9 + (mix(2 * number + 2) / 0x1p32 - 0.5) * 13.2 * part;
}

floor_searches *floor_searches_open(floor_store *store, const uint8_t *owner, const char *type, size_t count) {
    floor_searches *searches = calloc(1, sizeof *searches);
    char name[NUMBERED_NAME];
    uint8_t tag[FLOOR_ID];
    REQUIRE(searches != NULL);
    searches->store = store;
    memcpy(searches->database.owner, owner, FLOOR_ID);
    searches->database.owner_length = FLOOR_ID;
    searches->count = count;
    searches->type = record_type_number(store, type);
    searches->text = record_field_number(store, searches->type, "text");
    searches->home = record_field_number(store, searches->type, "home");
    searches->words = record_field_number(store, searches->type, "words");
    floor_record_name(0, name);
    make_record_tag(tag, &store->keys, owner, TAG_OF_NAME, 0, name, strlen(name));
    REQUIRE(record_fetch(store, &searches->database, tag, &searches->model));
    return searches;
}

void floor_searches_close(floor_searches *searches) { free(searches); }

/* ---- Filling */

static void insert_records(floor_searches *searches) {
    record_row row = searches->model;
    char name[NUMBERED_NAME], text[FLOOR_SEARCH_TEXT];
    double point[2];
    uint8_t tag[FLOOR_ID];
    size_t at_name, at_text, at_point, number, bytes = 0;
    floor_record_name(0, name);
    floor_search_text(0, searches->count, text);
    floor_search_point(0, searches->count, point);
    at_name = record_find(&row, name, strlen(name));
    at_text = record_find(&row, text, strlen(text));
    at_point = record_find(&row, point, sizeof point);
    for (number = 1; number < searches->count; number++) {
        row.number++;
        floor_record_name(number, name);
        floor_search_text(number, searches->count, text);
        floor_search_point(number, searches->count, point);
        memcpy(row.content + at_name, name, strlen(name));
        memcpy(row.content + at_text, text, strlen(text));
        memcpy(row.content + at_point, point, sizeof point);
        make_record_tag(tag, &searches->store->keys, searches->database.owner, TAG_OF_NAME, 0, name, strlen(name));
        bytes += record_insert(searches->store, &searches->database, tag, &row);
    }
    record_count_bytes(searches->store, &searches->database, (int64_t)bytes);
}

static int compare(const void *one, const void *other) {
    const entry *a = one, *b = other;
    const int order = memcmp(a->tag, b->tag, sizeof a->tag);
    return order != 0 ? order : (a->record > b->record) - (a->record < b->record);
}

/* Enters the words of all records in the index of the field `words`, in the order of the table. */
static void enter_words(floor_searches *searches, entry *entries) {
    size_t count = 0, number, i;
    char text[FLOOR_SEARCH_TEXT];
    for (number = 1; number < searches->count; number++) {
        floor_search_text(number, searches->count, text);
        for (i = 0; i < SEARCH_WORDS; i++) {
            const char *word = text + i * (SEARCH_WORD + 1);
            if (*word == '-') continue;
            make_record_tag(entries[count].tag, &searches->store->keys, searches->database.owner, TAG_OF_VALUE, searches->words,
                            word, SEARCH_WORD);
            entries[count++].record = number;
        }
    }
    qsort(entries, count, sizeof *entries, compare);
    for (i = 0; i < count; i++)
        record_enter(searches->store, &searches->database, entries[i].tag, searches->model.number + (int64_t)entries[i].record);
}

static void enter_points(floor_searches *searches, entry *entries) {
    const sealing_key *key = &searches->store->keys.container_sealing;
    sqlite3_stmt *insert = store_statement(searches->store, INSERT_CELL,
                                           "INSERT INTO cell_entries (container_id, owner, zone, tag, number, sealed_point)"
                                           " VALUES (?1, ?2, 0, ?3, ?4, ?5)");
    size_t count = 0, number, i;
    double point[2];
    uint8_t sealed[128];
    int level;
    for (number = 1; number < searches->count; number++) {
        floor_search_point(number, searches->count, point);
        for (level = 0; level < CELL_LEVELS; level++) {
            cell_tag_of(searches, entries[count].tag, level, point);
            entries[count++].record = number;
        }
    }
    qsort(entries, count, sizeof *entries, compare);
    sqlite3_bind_int64(insert, 1, searches->store->keys.container);
    bind_bytes(insert, 2, searches->database.owner, FLOOR_ID);
    for (i = 0; i < count; i++) {
        const int64_t row = searches->model.number + (int64_t)entries[i].record;
        const sealed_place place = place_of_cell(searches, entries[i].tag, row);
        floor_search_point(entries[i].record, searches->count, point);
        bind_bytes(insert, 3, entries[i].tag, FLOOR_ID);
        sqlite3_bind_int64(insert, 4, row);
        bind_bytes(insert, 5, sealed, seal(key, &place, point, sizeof point, sealed));
        store_do(insert);
    }
}

void floor_searches_fill(floor_searches *searches) {
    entry *entries = calloc(CELL_LEVELS * searches->count, sizeof *entries);
    char sql[200];
    REQUIRE(entries != NULL);
    store_run(searches->store, "PRAGMA synchronous = OFF");
    store_do(searches->store->begin_write);
    insert_records(searches);
    store_do(searches->store->commit);
    store_do(searches->store->begin_write);
    enter_words(searches, entries);
    store_do(searches->store->commit);
    store_do(searches->store->begin_write);
    enter_points(searches, entries);
    store_do(searches->store->commit);
    snprintf(sql, sizeof sql, "UPDATE record_numbers SET next = %lld",
             (long long)(searches->model.number + (int64_t)searches->count));
    store_run(searches->store, sql);
    store_run(searches->store, "PRAGMA wal_checkpoint(TRUNCATE)");
    store_run(searches->store, "PRAGMA synchronous = FULL");
    free(entries);
}

/* ---- Reading */

void search_open(floor_searches *searches, int64_t number) {
    sqlite3_stmt *read = store_statement(
        searches->store, OPEN_NUMBERED,
        "SELECT name_tag, type, sealed_fields, change_tag, created_at, modified_at FROM records WHERE number = ?1");
    sqlite3_bind_int64(read, 1, number);
    REQUIRE(record_open_rows(searches->store, &searches->database, read) == 1);
}
