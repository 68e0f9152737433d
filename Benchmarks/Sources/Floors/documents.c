/* documents.c: the rows that saving a document with ten older versions changes, as the product writes them: a chunk, an asset, the
 * record, its numbers, its references, the counts of bytes; and the oldest version is deleted. Without paths, limits and hashes. */

#include "store.h"

#include <sodium.h>
#include <string.h>

enum { PADDING = 4096, NONCE = 24, MAC = 16, ASSET_KEY = 32, ROOM = 64 << 10, VERSIONS = 11 };

struct floor_documents {
    floor_store *store;
    sqlite3_stmt *insert_chunk, *insert_asset, *read, *update, *note_zone, *note_change, *insert_reference, *delete_reference,
        *delete_asset, *delete_chunk, *count_bytes;
    uint8_t owner[FLOOR_ID], key[ASSET_KEY], content[ROOM], sealed[ROOM];
    int64_t record, zone, change, next;
    /* The assets of the kept versions, the newest last. */
    struct { uint8_t id[FLOOR_ID], tag[FLOOR_ID]; int64_t number; } kept[VERSIONS];
    size_t count;
};

static sqlite3_stmt *prepare(floor_store *store, const char *sql) {
    sqlite3_stmt *statement;
    REQUIRE(sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) == SQLITE_OK);
    return statement;
}

floor_documents *floor_documents_open(floor_store *store, const uint8_t *owner) {
    floor_documents *documents = calloc(1, sizeof *documents);
    sqlite3_stmt *row;
    REQUIRE(documents != NULL);
    documents->store = store;
    documents->next = 2000000000;
    memcpy(documents->owner, owner, FLOOR_ID);
    randombytes_buf(documents->key, sizeof documents->key);
    row = prepare(store, "SELECT number, zone, change FROM records WHERE container_id = ?1 AND owner = ?2 AND type = -2 LIMIT 1");
    sqlite3_bind_int64(row, 1, store->keys.container);
    bind_bytes(row, 2, documents->owner, FLOOR_ID);
    REQUIRE(sqlite3_step(row) == SQLITE_ROW);
    documents->record = sqlite3_column_int64(row, 0);
    documents->zone = sqlite3_column_int64(row, 1);
    documents->change = sqlite3_column_int64(row, 2);
    sqlite3_finalize(row);
    documents->insert_chunk = prepare(store, "INSERT INTO asset_chunks (container_id, asset, chunk, sealed_chunk) VALUES (?1, ?2, 0, ?3)");
    documents->insert_asset = prepare(store, "INSERT INTO assets (container_id, owner, zone, id, number, creator_tag, expires_at, bytes,"
                                      " sealed_asset) VALUES (?1, ?2, ?3, ?4, ?5, x'', 0, ?6, ?7)");
    documents->read = prepare(store, "SELECT sealed_fields FROM records WHERE number = ?1");
    documents->update = prepare(store, "UPDATE records SET sealed_fields = ?2, change = ?3, modified_at = ?3, change_tag = ?4 WHERE number = ?1");
    documents->note_zone = prepare(store, "UPDATE zones SET change = ?4 WHERE container_id = ?1 AND owner = ?2 AND zone = ?3");
    documents->note_change = prepare(store, "UPDATE change_counts SET last_change = ?3 WHERE container_id = ?1 AND owner = ?2");
    documents->insert_reference = prepare(store, "INSERT INTO record_references (container_id, owner, zone, target, kind, source)"
                                          " VALUES (?1, ?2, ?3, ?4, 3, ?5)");
    documents->delete_reference = prepare(store, "DELETE FROM record_references WHERE container_id = ?1 AND owner = ?2 AND zone = ?3"
                                          " AND target = ?4 AND kind = 3 AND source = ?5");
    documents->delete_asset = prepare(store, "DELETE FROM assets WHERE container_id = ?1 AND owner = ?2 AND zone = ?3 AND id = ?4");
    documents->delete_chunk = prepare(store, "DELETE FROM asset_chunks WHERE container_id = ?1 AND asset = ?2");
    documents->count_bytes = prepare(store, "UPDATE record_bytes SET bytes = bytes + ?4 WHERE container_id = ?1 AND owner = ?2 AND zone = ?3");
    return documents;
}

void floor_documents_close(floor_documents *documents) {
    sqlite3_stmt *all[] = { documents->insert_chunk, documents->insert_asset, documents->read, documents->update, documents->note_zone,
                            documents->note_change, documents->insert_reference, documents->delete_reference,
                            documents->delete_asset, documents->delete_chunk, documents->count_bytes };
    size_t i;
    for (i = 0; i < sizeof all / sizeof *all; i++) sqlite3_finalize(all[i]);
    free(documents);
}

/* Seals `length` bytes of the content into `sealed`, and returns the sealed length. */
static size_t seal_bytes(floor_documents *documents, const uint8_t *bytes, size_t length) {
    REQUIRE(NONCE + length + MAC <= ROOM);
    randombytes_buf(documents->sealed, NONCE);
    crypto_aead_xchacha20poly1305_ietf_encrypt(documents->sealed + NONCE, NULL, bytes, length, NULL, 0, NULL, documents->sealed,
                                               documents->key);
    return NONCE + length + MAC;
}

/* Binds the container, the owner and the zone. */
static sqlite3_stmt *in_zone(floor_documents *documents, sqlite3_stmt *statement) {
    sqlite3_bind_int64(statement, 1, documents->store->keys.container);
    bind_bytes(statement, 2, documents->owner, FLOOR_ID);
    sqlite3_bind_int64(statement, 3, documents->zone);
    return statement;
}

void floor_documents_save(floor_documents *documents, const uint8_t *bytes, size_t length) {
    floor_store *store = documents->store;
    const size_t padded = (length + PADDING - 1) / PADDING * PADDING;
    sqlite3_stmt *statement;
    uint8_t tag[8];
    size_t sealed, of_record;
    if (documents->count == VERSIONS) memmove(documents->kept, documents->kept + 1, (VERSIONS - 1) * sizeof *documents->kept);
    else documents->count++;
    store_do(store->begin_write);
    /* The oldest version was kept before the newest one took its place in the list. */
    statement = documents->read;
    sqlite3_bind_int64(statement, 1, documents->record);
    REQUIRE(sqlite3_step(statement) == SQLITE_ROW);
    of_record = (size_t)sqlite3_column_bytes(statement, 0) - NONCE - MAC;
    sqlite3_reset(statement);
    documents->next++;
    documents->change++;
    memcpy(documents->content, bytes, length);
    memset(documents->content + length, 0, padded - length);
    sealed = seal_bytes(documents, documents->content, padded);
    sqlite3_bind_int64(documents->insert_chunk, 1, store->keys.container);
    sqlite3_bind_int64(documents->insert_chunk, 2, documents->next);
    bind_bytes(documents->insert_chunk, 3, documents->sealed, sealed);
    store_do(documents->insert_chunk);
    randombytes_buf(documents->kept[documents->count - 1].id, FLOOR_ID);
    randombytes_buf(documents->kept[documents->count - 1].tag, FLOOR_ID);
    documents->kept[documents->count - 1].number = documents->next;
    statement = in_zone(documents, documents->insert_asset);
    bind_bytes(statement, 4, documents->kept[documents->count - 1].id, FLOOR_ID);
    sqlite3_bind_int64(statement, 5, documents->next);
    sqlite3_bind_int64(statement, 6, (int64_t)sealed);
    sealed = seal_bytes(documents, documents->content, 128);
    bind_bytes(statement, 7, documents->sealed, sealed);
    store_do(statement);
    sealed = seal_bytes(documents, documents->content, of_record);
    randombytes_buf(tag, sizeof tag);
    sqlite3_bind_int64(documents->update, 1, documents->record);
    bind_bytes(documents->update, 2, documents->sealed, sealed);
    sqlite3_bind_int64(documents->update, 3, documents->change);
    bind_bytes(documents->update, 4, tag, sizeof tag);
    store_do(documents->update);
    statement = in_zone(documents, documents->insert_reference);
    bind_bytes(statement, 4, documents->kept[documents->count - 1].tag, FLOOR_ID);
    sqlite3_bind_int64(statement, 5, documents->record);
    store_do(statement);
    if (documents->count == VERSIONS) {
        statement = in_zone(documents, documents->delete_reference);
        bind_bytes(statement, 4, documents->kept[0].tag, FLOOR_ID);
        sqlite3_bind_int64(statement, 5, documents->record);
        store_do(statement);
        statement = in_zone(documents, documents->delete_asset);
        bind_bytes(statement, 4, documents->kept[0].id, FLOOR_ID);
        store_do(statement);
        sqlite3_bind_int64(documents->delete_chunk, 1, store->keys.container);
        sqlite3_bind_int64(documents->delete_chunk, 2, documents->kept[0].number);
        store_do(documents->delete_chunk);
    }
    statement = in_zone(documents, documents->count_bytes);
    sqlite3_bind_int64(statement, 4, (int64_t)padded);
    store_do(statement);
    statement = in_zone(documents, documents->note_zone);
    sqlite3_bind_int64(statement, 4, documents->change);
    store_do(statement);
    sqlite3_bind_int64(documents->note_change, 1, store->keys.container);
    bind_bytes(documents->note_change, 2, documents->owner, FLOOR_ID);
    sqlite3_bind_int64(documents->note_change, 3, documents->change);
    store_do(documents->note_change);
    store_do(store->commit);
}
