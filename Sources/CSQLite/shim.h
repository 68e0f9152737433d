#ifndef KINFOLK_CSQLITE_SHIM_H
#define KINFOLK_CSQLITE_SHIM_H

#include <sqlite3.h>

// SQLITE_STATIC and SQLITE_TRANSIENT are casts, and sqlite3_db_config is variadic: Swift imports neither.

// The bytes must stay where they are until the statement is reset or bound again.
static inline int kinfolk_sqlite_bind_static(sqlite3_stmt *statement, int index, const void *bytes, int length) {
    return sqlite3_bind_blob(statement, index, bytes, length, SQLITE_STATIC);
}

static inline int kinfolk_sqlite_bind_copied(sqlite3_stmt *statement, int index, const void *bytes, int length) {
    return sqlite3_bind_blob(statement, index, length ? bytes : "", length, SQLITE_TRANSIENT);
}

static inline int kinfolk_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
    return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}

static inline int kinfolk_sqlite_configure(sqlite3 *connection, int option, int value) {
    return sqlite3_db_config(connection, option, value, (int *)0);
}

#endif
