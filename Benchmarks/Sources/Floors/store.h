/* store.h: one connection under the product's settings, and the keys of the store. */

#ifndef STORE_H
#define STORE_H

#include "keys.h"
#include "sealed_values.h"
#include "stop.h"

#include <sqlite3.h>

struct floor_store {
    sqlite3 *db;
    store_keys keys;
    int64_t sequence; /* of the row that was put into the directory last */
    sqlite3_stmt *begin, *begin_write, *commit;
    sqlite3_stmt *statements[24]; /* those of the floor that uses it, by its own numbers */
};

floor_store *store_connect(const char *path, int flags, int cache_kib);
void store_run(floor_store *store, const char *sql);

/* A statement, prepared at its first use. */
sqlite3_stmt *store_statement(floor_store *store, int number, const char *sql);

/* Runs a statement that gives no rows. */
void store_do(sqlite3_stmt *statement);

/* The numbers of statements. */
enum { FIND_RECORD, FIND_NAME, COUNT_PERMITS, INSERT_USER, FETCH_RECORD, SAVE_RECORD, FETCH_PRIVATE_ROWS, INSERT_PRIVATE_ROW,
       READ_ADDRESSES, PEOPLE };

/* Binds a blob that stays where it is. */
static inline void bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, size_t length) {
    sqlite3_bind_blob(statement, index, bytes, (int)length, SQLITE_STATIC);
}

/* Opens the name of somebody who is in the directory, within a transaction or without. */
void find_name(floor_store *store, floor_identity *identity);

#endif
