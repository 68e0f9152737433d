/* directory.c: the rows of people who can be found. */

#include "people.h"

void insert_directory_row(floor_store *store, const uint8_t *tag, const uint8_t *record) {
    sqlite3_stmt *insert =
        store_statement(store, INSERT_DIRECTORY,
                        "INSERT INTO directory (container_id, tag, record_id, sequence) VALUES (?1, ?2, ?3, ?4)");
    sqlite3_bind_int64(insert, 1, store->keys.container);
    bind_bytes(insert, 2, tag, FLOOR_ID);
    bind_bytes(insert, 3, record, FLOOR_ID);
    sqlite3_bind_int64(insert, 4, ++store->sequence);
    store_do(insert);
}

void keep_sequence(floor_store *store) {
    sqlite3_stmt *update =
        store_statement(store, UPDATE_SEQUENCE,
                        "INSERT INTO directory_lanes (container_id, lane, row_count) VALUES (?1, 0, ?2)"
                        " ON CONFLICT (container_id, lane) DO UPDATE SET row_count = excluded.row_count");
    sqlite3_bind_int64(update, 1, store->keys.container);
    sqlite3_bind_int64(update, 2, store->sequence);
    store_do(update);
}

void insert_identity(floor_store *store, const uint8_t *record, const uint8_t *account, const uint8_t *tag,
                     const uint8_t *name, size_t length) {
    sqlite3_stmt *insert =
        store_statement(store, INSERT_IDENTITY,
                        "INSERT INTO identities (container_id, record_id, sealed_identity) VALUES (?1, ?2, ?3)");
    uint8_t sealed[SEALED_NAME];
    sqlite3_bind_int64(insert, 1, store->keys.container);
    bind_bytes(insert, 2, record, FLOOR_ID);
    bind_bytes(insert, 3, sealed, seal_identity(&store->keys, record, account, tag, name, length, sealed));
    store_do(insert);
}

void insert_proven_account(floor_store *store, const uint8_t *account, const uint8_t *name, size_t length) {
    sqlite3_stmt *insert =
        store_statement(store, INSERT_PROVEN_ACCOUNT,
                        "INSERT INTO accounts (account_id, sealed_name, revision, digest, mac, created_at)"
                        " VALUES (?1, ?2, 1, ?3, ?4, ?5)");
    uint8_t sealed[SEALED_NAME];
    account_proof proof;
    length = seal_account_name(&store->keys, account, name, length, sealed);
    proof = prove_account(&store->keys, account, sealed, length);
    bind_bytes(insert, 1, account, FLOOR_ID);
    bind_bytes(insert, 2, sealed, length);
    bind_bytes(insert, 3, proof.digest, sizeof proof.digest);
    bind_bytes(insert, 4, proof.mac, sizeof proof.mac);
    sqlite3_bind_int64(insert, 5, NOW);
    store_do(insert);
}
