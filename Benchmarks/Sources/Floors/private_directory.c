/* private_directory.c: rows of a private directory, made, put in, found and fetched. */

#include "private_directory.h"
#include "oprf.h"

#include <pthread.h>
#include <string.h>

floor_epoch *floor_epoch_open(floor_store *store, const char *container) {
    floor_epoch *epoch = calloc(1, sizeof *epoch);
    const sealing_key *key = &store->keys.container_sealing;
    sealed_place place = place_of(key, "directories", "sealed_seed");
    uint8_t seed[64], *at;
    char info[160];
    sqlite3_stmt *newest;
    REQUIRE(epoch != NULL);
    REQUIRE(sqlite3_prepare_v2(store->db, "SELECT epoch, sealed_seed FROM directories WHERE container_id = ?1"
                               " ORDER BY epoch DESC LIMIT 1", -1, &newest, NULL) == SQLITE_OK);
    sqlite3_bind_int64(newest, 1, store->keys.container);
    REQUIRE(sqlite3_step(newest) == SQLITE_ROW && sqlite3_column_int64(newest, 0) > 0);
    epoch->number = (uint32_t)sqlite3_column_int64(newest, 0);
    place_add_number(&place, store->keys.container);
    place_add_number(&place, epoch->number);
    REQUIRE((size_t)sqlite3_column_bytes(newest, 1) == sealed_length(32));
    REQUIRE(unseal(key, &place, sqlite3_column_blob(newest, 1), sealed_length(32), seed) == 32);
    sqlite3_finalize(newest);
    snprintf(info, sizeof info, "kinfolk/1/%s", container);
    oprf_derive_key(epoch->scalar, seed, info);

    epoch->place_length = TAG_IN_PLACE + FLOOR_TAG + strlen(container);
    REQUIRE(epoch->place_length <= sizeof epoch->place);
    memcpy(epoch->place, "kinfolk/1/row", 13);
    at = epoch->place + 13;
    at[0] = (uint8_t)(epoch->number >> 24);
    at[1] = (uint8_t)(epoch->number >> 16);
    at[2] = (uint8_t)(epoch->number >> 8);
    at[3] = (uint8_t)epoch->number;
    memcpy(epoch->place + TAG_IN_PLACE + FLOOR_TAG, container, strlen(container));
    return epoch;
}

void floor_epoch_close(floor_epoch *epoch) { free(epoch); }

void floor_public_key(const floor_epoch *epoch, uint8_t *public_key) {
    REQUIRE(crypto_scalarmult_ristretto255_base(public_key, epoch->scalar) == 0);
}

void floor_multiply(const floor_epoch *epoch, const uint8_t *points, size_t count, uint8_t *products) {
    size_t i;
    for (i = 0; i < count; i++)
        REQUIRE(crypto_scalarmult_ristretto255(products + FLOOR_POINT * i, epoch->scalar, points + FLOOR_POINT * i) == 0);
}

/* ---- Rows */

/* HKDF-Expand (RFC 5869) of one block, of which `length` bytes are wanted. */
static void hkdf_expand(const row_key *key, const char *info, const uint8_t *rest, size_t rest_length, uint8_t *bytes,
                        size_t length) {
    crypto_auth_hmacsha512_state state = key->keyed;
    const uint8_t one = 1;
    uint8_t whole[64];
    crypto_auth_hmacsha512_update(&state, (const uint8_t *)info, strlen(info));
    crypto_auth_hmacsha512_update(&state, rest, rest_length);
    crypto_auth_hmacsha512_update(&state, &one, 1);
    crypto_auth_hmacsha512_final(&state, whole);
    memcpy(bytes, whole, length);
}

void row_key_init(row_key *key, const uint8_t *output) {
    crypto_auth_hmacsha512_init(&key->keyed, output, FLOOR_OUTPUT);
    hkdf_expand(key, "kinfolk/1/tag", NULL, 0, key->tag, FLOOR_TAG);
}

static void evaluate(const floor_epoch *epoch, row_key *key, const uint8_t *hash) {
    uint8_t element[FLOOR_POINT], output[FLOOR_OUTPUT];
    oprf_hash_to_group(element, hash);
    REQUIRE(crypto_scalarmult_ristretto255(element, epoch->scalar, element) == 0);
    oprf_output(output, hash, element);
    row_key_init(key, output);
}

void make_row(const floor_epoch *epoch, private_row *row, const uint8_t *hash) {
    static const uint8_t nonce[12];
    uint8_t place[sizeof epoch->place], key_bytes[32];
    row_key key;
    evaluate(epoch, &key, hash);
    memcpy(row->tag, key.tag, FLOOR_TAG);
    randombytes_buf(row->sealed, 8);
    hkdf_expand(&key, "kinfolk/1/row", row->sealed, 8, key_bytes, sizeof key_bytes);
    memcpy(place, epoch->place, epoch->place_length);
    memcpy(place + TAG_IN_PLACE, row->tag, FLOOR_TAG);
    crypto_aead_chacha20poly1305_ietf_encrypt(row->sealed + 8, NULL, row->record, FLOOR_ID, place, epoch->place_length,
                                              NULL, nonce, key_bytes);
}

typedef struct {
    const floor_epoch *epoch;
    private_row *rows;
    const uint8_t *hashes;
    size_t count, next;
} row_work;

/* Each thread takes the next 64 rows. */
static void *work(void *argument) {
    row_work *work = argument;
    size_t i, start;
    while ((start = __atomic_fetch_add(&work->next, 64, __ATOMIC_RELAXED)) < work->count)
        for (i = start; i < start + 64 && i < work->count; i++)
            make_row(work->epoch, &work->rows[i], work->hashes + FLOOR_HASH * i);
    return NULL;
}

static int by_tag(const void *a, const void *b) {
    return memcmp(((const private_row *)a)->tag, ((const private_row *)b)->tag, FLOOR_TAG);
}

void make_rows(const floor_epoch *epoch, private_row *rows, const uint8_t *hashes, size_t count, int threads) {
    row_work shared = { epoch, rows, hashes, count, 0 };
    pthread_t second;
    REQUIRE(threads == 1 || threads == 2);
    if (threads == 2) REQUIRE(pthread_create(&second, NULL, work, &shared) == 0);
    work(&shared);
    if (threads == 2) REQUIRE(pthread_join(second, NULL) == 0);
    qsort(rows, count, sizeof *rows, by_tag);
}

void insert_private_row(floor_store *store, const floor_epoch *epoch, const private_row *row) {
    sqlite3_stmt *insert =
        store_statement(store, INSERT_PRIVATE_ROW,
                        "INSERT INTO private_directory (container_id, epoch, tag, record_id, sealed_record)"
                        " VALUES (?1, ?2, ?3, ?4, ?5)");
    sqlite3_bind_int64(insert, 1, store->keys.container);
    sqlite3_bind_int64(insert, 2, epoch->number);
    bind_bytes(insert, 3, row->tag, FLOOR_TAG);
    bind_bytes(insert, 4, row->record, FLOOR_ID);
    bind_bytes(insert, 5, row->sealed, sizeof row->sealed);
    store_do(insert);
}

/* ---- Searches */

static sqlite3_stmt *rows_of_tags(floor_store *store, const floor_epoch *epoch) {
    sqlite3_stmt *rows =
        store_statement(store, FETCH_PRIVATE_ROWS,
                        "SELECT tag, sealed_record FROM private_directory"
                        " WHERE container_id = ?1 AND epoch = ?2 AND tag BETWEEN ?3 AND ?4 ORDER BY tag");
    sqlite3_bind_int64(rows, 1, store->keys.container);
    sqlite3_bind_int64(rows, 2, epoch->number);
    return rows;
}

/* Copies out what a step gave. */
static void copy_row(sqlite3_stmt *rows, uint8_t *row) {
    memcpy(row, sqlite3_column_blob(rows, 0), FLOOR_TAG);
    memcpy(row + FLOOR_TAG, sqlite3_column_blob(rows, 1), FLOOR_ROW - FLOOR_TAG);
}

size_t floor_fetch_buckets(floor_store *store, const floor_epoch *epoch, int bits, const uint8_t *prefixes, size_t stride,
                           size_t count, uint8_t *rows, size_t room) {
    sqlite3_stmt *find = rows_of_tags(store, epoch);
    size_t length = 0, i;
    int byte, code;
    store_do(store->begin);
    for (i = 0; i < count; i++) {
        uint8_t first[FLOOR_TAG] = { 0 }, last[FLOOR_TAG];
        memcpy(first, prefixes + stride * i, (size_t)(bits + 7) / 8);
        for (byte = 0; byte < FLOOR_TAG; byte++)
            last[byte] = first[byte] | (uint8_t)(8 * byte >= bits ? 0xff : 8 * byte + 8 <= bits ? 0 : 0xff >> (bits % 8));
        bind_bytes(find, 3, first, sizeof first);
        bind_bytes(find, 4, last, sizeof last);
        while ((code = sqlite3_step(find)) == SQLITE_ROW) {
            REQUIRE(length + FLOOR_ROW <= room);
            copy_row(find, rows + length);
            length += FLOOR_ROW;
        }
        REQUIRE(code == SQLITE_DONE);
        sqlite3_reset(find);
    }
    store_do(store->commit);
    return length;
}

bool floor_find_privately(floor_store *store, const floor_epoch *epoch, const uint8_t *hash, uint8_t *record) {
    static const uint8_t nonce[12];
    sqlite3_stmt *find = rows_of_tags(store, epoch);
    uint8_t row[FLOOR_ROW], place[sizeof epoch->place], key_bytes[32];
    bool found = false;
    row_key key;
    evaluate(epoch, &key, hash);
    memcpy(place, epoch->place, epoch->place_length);
    memcpy(place + TAG_IN_PLACE, key.tag, FLOOR_TAG);
    bind_bytes(find, 3, key.tag, FLOOR_TAG);
    bind_bytes(find, 4, key.tag, FLOOR_TAG);
    while (!found && sqlite3_step(find) == SQLITE_ROW) {
        copy_row(find, row);
        hkdf_expand(&key, "kinfolk/1/row", row + FLOOR_TAG, 8, key_bytes, sizeof key_bytes);
        found = crypto_aead_chacha20poly1305_ietf_decrypt(record, NULL, NULL, row + FLOOR_TAG + 8, FLOOR_ID + 16, place,
                                                          epoch->place_length, nonce, key_bytes) == 0;
    }
    sqlite3_reset(find);
    return found;
}

void floor_clear_privately(floor_store *store) { store_run(store, "DELETE FROM private_directory"); }

void floor_private_digest(floor_store *store, uint8_t *digest) {
    crypto_generichash_blake2b_state state;
    sqlite3_stmt *rows;
    crypto_generichash_blake2b_init(&state, NULL, 0, 32);
    REQUIRE(sqlite3_prepare_v2(store->db, "SELECT tag, record_id FROM private_directory"
                               " WHERE epoch = (SELECT max(epoch) FROM private_directory) ORDER BY tag, record_id",
                               -1, &rows, NULL) == SQLITE_OK);
    while (sqlite3_step(rows) == SQLITE_ROW) {
        crypto_generichash_blake2b_update(&state, sqlite3_column_blob(rows, 0), FLOOR_TAG);
        crypto_generichash_blake2b_update(&state, sqlite3_column_blob(rows, 1), FLOOR_ID);
    }
    sqlite3_finalize(rows);
    crypto_generichash_blake2b_final(&state, digest, 32);
}
