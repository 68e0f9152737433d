#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast, which Swift does not import.
static inline int sqlite3_bind_copied_text(sqlite3_stmt *statement, int index, const char *text) {
    return sqlite3_bind_text(statement, index, text, -1, SQLITE_TRANSIENT);
}

static inline int sqlite3_bind_copied_blob(sqlite3_stmt *statement, int index, const void *bytes, int length) {
    return sqlite3_bind_blob(statement, index, bytes, length, SQLITE_TRANSIENT);
}
