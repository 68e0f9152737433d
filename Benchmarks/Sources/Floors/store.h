/* store.h: one connection under the product's settings, and the keys of the store. */

#ifndef STORE_H
#define STORE_H

#include "keys.h"
#include "sealed_values.h"
#include "stop.h"

#include <sqlite3.h>

/* The numbers of statements. */
enum { FIND_RECORD, FIND_NAME, COUNT_PERMITS, INSERT_USER, FETCH_RECORD, SAVE_RECORD, FETCH_PRIVATE_ROWS, INSERT_PRIVATE_ROW,
       READ_ADDRESSES, PEOPLE, INSERT_RECORD, INSERT_ENTRY, DELETE_ENTRY, COUNT_BYTES, ZONE_CHANGES, FIND_NUMBER,
       FIND_SOURCES, INSERT_POSITION, EQUAL_RECORDS, BOTH_RECORDS, SORTED_RECORDS, COUNT_ENTRIES, READ_NUMBERED, DELETE_NUMBERED, INSERT_TOMBSTONE, DELETE_ZONE_ENTRY, DELETE_REFERENCE, READ_COUNTS, NOTE_CHANGE,
       NOTE_ZONE, FREE_BYTES, INSERT_CELL, CELL_ROWS, POSTING_ROW, OPEN_NUMBERED, STATEMENT_COUNT };

struct floor_store {
    sqlite3 *db;
    store_keys keys;
    int64_t sequence; /* of the last row that was inserted into the directory */
    sqlite3_stmt *begin, *begin_write, *commit;
    sqlite3_stmt *statements[STATEMENT_COUNT];
};

floor_store *store_connect(const char *path, int flags, int cache_kib);
void store_run(floor_store *store, const char *sql);

/* A statement, prepared at its first use. */
sqlite3_stmt *store_statement(floor_store *store, int number, const char *sql);

/* Runs a statement that returns no rows. */
void store_do(sqlite3_stmt *statement);

/* Binds a blob without copying it. */
static inline void bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, size_t length) {
    sqlite3_bind_blob(statement, index, bytes, (int)length, SQLITE_STATIC);
}

/* Reads the name of a person in the directory, inside or outside of a transaction. */
void find_name(floor_store *store, floor_identity *identity);

#endif
