/* assets.c: files as sealed chunk rows, as Sources/KinfolkRecords/Assets writes them, without hashes, quotas and records. */

#include "store.h"

#include <sodium.h>
#include <string.h>

enum { CHUNK = 256 << 10, PADDING = 4096, NONCE = 24, MAC = 16, ASSET_KEY = 32 };

struct floor_assets {
    floor_store *store;
    sqlite3_stmt *insert, *note, *select;
    uint8_t key[ASSET_KEY];
    uint8_t *sealed, *last;
};

floor_assets *floor_assets_open(floor_store *store) {
    floor_assets *assets = calloc(1, sizeof *assets);
    REQUIRE(assets != NULL);
    assets->store = store;
    assets->sealed = malloc(NONCE + CHUNK + MAC);
    assets->last = malloc(CHUNK);
    REQUIRE(assets->sealed != NULL && assets->last != NULL);
    randombytes_buf(assets->key, ASSET_KEY);
    REQUIRE(sqlite3_prepare_v2(store->db, "INSERT INTO asset_chunks (container_id, asset, chunk, sealed_chunk)"
                               " VALUES (?1, ?2, ?3, ?4)", -1, &assets->insert, NULL) == SQLITE_OK);
    REQUIRE(sqlite3_prepare_v2(store->db, "INSERT INTO assets (container_id, owner, zone, id, number, creator_tag, expires_at, bytes,"
                               " sealed_asset) VALUES (?1, zeroblob(16), 0, ?2, ?3, x'', 0, ?4, zeroblob(150))", -1, &assets->note,
                               NULL) == SQLITE_OK);
    REQUIRE(sqlite3_prepare_v2(store->db, "SELECT sealed_chunk FROM asset_chunks WHERE container_id = ?1 AND asset = ?2"
                               " ORDER BY chunk", -1, &assets->select, NULL) == SQLITE_OK);
    return assets;
}

void floor_assets_close(floor_assets *assets) {
    sqlite3_finalize(assets->insert);
    sqlite3_finalize(assets->note);
    sqlite3_finalize(assets->select);
    free(assets->sealed);
    free(assets->last);
    free(assets);
}

/* The number of a chunk, and whether it is the last one. */
static void associate(uint8_t *associated, uint64_t chunk, bool is_last) {
    size_t i;
    for (i = 0; i < 8; i++) associated[i] = (uint8_t)(chunk >> 8 * i);
    associated[8] = is_last;
}

void floor_assets_store(floor_assets *assets, int64_t number, const uint8_t *bytes, size_t length) {
    floor_store *store = assets->store;
    uint8_t associated[9], id[FLOOR_ID];
    size_t at, chunk;
    randombytes_buf(id, sizeof id);
    store_do(store->begin_write);
    for (at = 0, chunk = 0; at < length; at += CHUNK, chunk++) {
        bool is_last = length - at <= CHUNK;
        size_t count = is_last ? length - at : CHUNK, padded = is_last ? (count + PADDING - 1) / PADDING * PADDING : count;
        const uint8_t *source = bytes + at;
        if (is_last) {
            memcpy(assets->last, source, count);
            memset(assets->last + count, 0, padded - count);
            source = assets->last;
        }
        associate(associated, chunk, is_last);
        randombytes_buf(assets->sealed, NONCE);
        crypto_aead_xchacha20poly1305_ietf_encrypt(assets->sealed + NONCE, NULL, source, padded, associated, sizeof associated,
                                                   NULL, assets->sealed, assets->key);
        sqlite3_bind_int64(assets->insert, 1, store->keys.container);
        sqlite3_bind_int64(assets->insert, 2, number);
        sqlite3_bind_int64(assets->insert, 3, (int64_t)chunk);
        bind_bytes(assets->insert, 4, assets->sealed, NONCE + padded + MAC);
        store_do(assets->insert);
    }
    sqlite3_bind_int64(assets->note, 1, store->keys.container);
    bind_bytes(assets->note, 2, id, sizeof id);
    sqlite3_bind_int64(assets->note, 3, number);
    sqlite3_bind_int64(assets->note, 4, (int64_t)length);
    store_do(assets->note);
    store_do(store->commit);
}

size_t floor_assets_read(floor_assets *assets, int64_t number, uint8_t *bytes, size_t length) {
    floor_store *store = assets->store;
    uint8_t associated[9];
    size_t at = 0, chunk = 0;
    store_do(store->begin);
    sqlite3_bind_int64(assets->select, 1, store->keys.container);
    sqlite3_bind_int64(assets->select, 2, number);
    while (sqlite3_step(assets->select) == SQLITE_ROW) {
        const uint8_t *sealed = sqlite3_column_blob(assets->select, 0);
        size_t count = (size_t)sqlite3_column_bytes(assets->select, 0) - NONCE - MAC;
        bool is_last = length - at <= CHUNK;
        uint8_t *target = is_last ? assets->last : bytes + at;
        associate(associated, chunk++, is_last);
        REQUIRE(crypto_aead_xchacha20poly1305_ietf_decrypt(target, NULL, NULL, sealed + NONCE, count + MAC, associated,
                                                           sizeof associated, sealed, assets->key) == 0);
        if (is_last) {
            count = length - at;
            memcpy(bytes + at, assets->last, count);
        }
        at += count;
    }
    sqlite3_reset(assets->select);
    store_do(store->commit);
    return at;
}
