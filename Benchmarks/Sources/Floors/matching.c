/* matching.c: searches a contact book. This work runs for every user every day. */

#include "address.h"
#include "store.h"

#include <string.h>

/* The statement that finds a tag's user record ID. It runs once for each contact. */
static sqlite3_stmt *find_record(floor_store *store) {
    sqlite3_stmt *find =
        store_statement(store, FIND_RECORD, "SELECT record_id FROM directory WHERE container_id = ?1 AND tag = ?2");
    sqlite3_bind_int64(find, 1, store->keys.container);
    return find;
}

static bool find_address(floor_store *store, sqlite3_stmt *find, const char *address, size_t length, uint8_t *record) {
    uint8_t tag[FLOOR_ID];
    bool found;
    make_directory_tag(tag, &store->keys, address, length);
    bind_bytes(find, 2, tag, sizeof tag);
    found = sqlite3_step(find) == SQLITE_ROW;
    if (found) memcpy(record, sqlite3_column_blob(find, 0), FLOOR_ID);
    sqlite3_reset(find);
    return found;
}

size_t floor_match(floor_store *store, const char *book, size_t length, const uint8_t *account,
                   const uint8_t *sync_state, size_t sync_state_length, floor_identity *found, size_t room) {
    sqlite3_stmt *find = find_record(store);
    const char *line = book, *end = book + length;
    size_t contact = 0, count = 0, i;
    store_do(store->begin);
    if (sync_state != NULL) open_sync_state(&store->keys, account, sync_state, sync_state_length);
    while (line < end) {
        const char *line_end = memchr(line, '\n', (size_t)(end - line));
        if (line_end == NULL) line_end = end;
        REQUIRE(count < room);
        if (find_address(store, find, line, (size_t)(line_end - line), found[count].record))
            found[count++].contact = contact;
        contact++;
        line = line_end + 1;
    }
    for (i = 0; i < count; i++) find_name(store, &found[i]);
    store_do(store->commit);
    return count;
}

void floor_count_permits(floor_store *store) {
    static const uint8_t nobody[FLOOR_ID];
    sqlite3_stmt *count =
        store_statement(store, COUNT_PERMITS,
                        "INSERT INTO limits (account_id, container_id, kind, spent, counted_at,"
                        " lease_window, leased, leased_before, lapsed, code)"
                        " VALUES (?1, ?2, 1, 1000, 1, 0, 0, 0, 0, zeroblob(16))"
                        " ON CONFLICT (account_id, container_id, kind) DO UPDATE SET spent = spent + 1");
    bind_bytes(count, 1, nobody, sizeof nobody);
    sqlite3_bind_int64(count, 2, store->keys.container);
    store_do(store->begin_write);
    store_do(count);
    store_do(store->commit);
}

bool floor_look_up(floor_store *store, const char *address, size_t length, floor_identity *identity) {
    floor_identity unnamed;
    sqlite3_stmt *find = find_record(store);
    bool found;
    if (identity == NULL) return find_address(store, find, address, length, unnamed.record);
    store_do(store->begin);
    found = find_address(store, find, address, length, identity->record);
    if (found) find_name(store, identity);
    store_do(store->commit);
    return found;
}
