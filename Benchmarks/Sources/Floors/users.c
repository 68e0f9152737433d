/* users.c: user record IDs, durable when the call returns. */

#include "store.h"

floor_store *floor_users_create(const char *path) {
    floor_store *store = store_connect(path, SQLITE_OPEN_CREATE, 0);
    store_run(store,
              "CREATE TABLE users (account_id BLOB NOT NULL, container_id INTEGER NOT NULL, record_id BLOB NOT NULL,"
              " revision INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL, PRIMARY KEY (account_id, container_id))"
              " WITHOUT ROWID;"
              "CREATE INDEX users_by_record ON users (container_id, record_id)");
    return store;
}

static void insert_user(sqlite3_stmt *insert) {
    uint8_t account[FLOOR_ID], record[FLOOR_ID];
    randombytes_buf(account, sizeof account);
    randombytes_buf(record, sizeof record);
    bind_bytes(insert, 1, account, sizeof account);
    bind_bytes(insert, 2, record, sizeof record);
    store_do(insert);
}

void floor_insert_users(floor_store *store, size_t count, size_t group) {
    sqlite3_stmt *insert =
        store_statement(store, INSERT_USER,
                        "INSERT INTO users (account_id, container_id, record_id, created_at)"
                        " VALUES (?1, 1, ?2, ?3)");
    size_t i;
    sqlite3_bind_int64(insert, 3, NOW);
    for (i = 0; i < count; i++) {
        if (i % group == 0) store_do(store->begin_write);
        insert_user(insert);
        if (i % group == group - 1 || i == count - 1) store_do(store->commit);
    }
}
