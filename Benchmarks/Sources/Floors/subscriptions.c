#include <sodium.h>
#include <sqlite3.h>
#include <string.h>
#include "include/floors.h"
#include "stop.h"

/* Adds subscriptions to the public database of a container, under keys that no change has. */
void floor_subscriptions_fill(const char *path, int64_t container, long count) {
    sqlite3 *database;
    sqlite3_stmt *insert;
    REQUIRE(sqlite3_open(path, &database) == SQLITE_OK);
    const char *begin = "BEGIN; INSERT INTO outbox_readers (container_id, owner, stamp) VALUES (1, x'', 1)";
    REQUIRE(sqlite3_exec(database, begin, NULL, NULL, NULL) == SQLITE_OK);
    const char *sql = "INSERT INTO subscription_keys (container_id, owner, key_tag, number, subscriber) VALUES (?, x'', ?, ?, ?)";
    REQUIRE(sqlite3_prepare_v2(database, sql, -1, &insert, NULL) == SQLITE_OK);
    for (long number = 1; number <= count; number++) {
        uint8_t bytes[32];
        randombytes_buf(bytes, sizeof bytes);
        sqlite3_bind_int64(insert, 1, container);
        sqlite3_bind_blob(insert, 2, bytes, 16, SQLITE_STATIC);
        sqlite3_bind_int64(insert, 3, number);
        sqlite3_bind_blob(insert, 4, bytes + 16, 16, SQLITE_STATIC);
        REQUIRE(sqlite3_step(insert) == SQLITE_DONE);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    REQUIRE(sqlite3_exec(database, "COMMIT", NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_close(database);
}
