/* private_directory.c: makes, inserts, finds and fetches rows of a private directory. */

#include "private_directory.h"
#include "oprf.h"

#include <pthread.h>
#include <string.h>

static void open_bucket_key(floor_epoch *epoch, floor_store *store) {
    const sealing_key *key = &store->keys.sealing;
    sealed_place place = place_of(key, "service", "value");
    uint8_t seed[64];
    sqlite3_stmt *row;
    place_add(&place, (const uint8_t *)"bucket_seed", 11);
    REQUIRE(sqlite3_prepare_v2(store->db, "SELECT value FROM service WHERE name = 'bucket_seed'", -1, &row, NULL) ==
            SQLITE_OK);
    REQUIRE(sqlite3_step(row) == SQLITE_ROW && (size_t)sqlite3_column_bytes(row, 0) == sealed_length(32));
    REQUIRE(unseal(key, &place, sqlite3_column_blob(row, 0), sealed_length(32), seed) == 32);
    sqlite3_finalize(row);
    oprf_derive_key(epoch->bucket_scalar, seed, "kinfolk/2/bucket");
}

floor_epoch *floor_epoch_open(floor_store *store, const char *container) {
    floor_epoch *epoch = calloc(1, sizeof *epoch);
    const sealing_key *key = &store->keys.container_sealing;
    sealed_place place = place_of(key, "directories", "sealed_seed");
    uint8_t seed[64], row_key_bytes[32], *at;
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
    snprintf(info, sizeof info, "kinfolk/2/%s", container);
    oprf_derive_key(epoch->scalar, seed, info);
    crypto_kdf_blake2b_derive_from_key(row_key_bytes, sizeof row_key_bytes, 1, "kinfprow", seed);
    memcpy(epoch->row_key, row_key_bytes, sizeof epoch->row_key);
    epoch->container = store->keys.container;
    open_bucket_key(epoch, store);

    epoch->place_length = TAG_IN_PLACE + FLOOR_TAG + strlen(container);
    REQUIRE(epoch->place_length <= sizeof epoch->place);
    memcpy(epoch->place, "kinfolk/2/row", 13);
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

void floor_bucket_key(const floor_epoch *epoch, uint8_t *public_key) {
    REQUIRE(crypto_scalarmult_ristretto255_base(public_key, epoch->bucket_scalar) == 0);
}

void floor_multiply(const floor_epoch *epoch, const uint8_t *points, size_t count, uint8_t *products,
                    uint8_t *bucket_products) {
    size_t i;
    for (i = 0; i < count; i++) {
        const uint8_t *point = points + FLOOR_POINT * i;
        REQUIRE(crypto_scalarmult_ristretto255(products + FLOOR_POINT * i, epoch->scalar, point) == 0);
        REQUIRE(crypto_scalarmult_ristretto255(bucket_products + FLOOR_POINT * i, epoch->bucket_scalar, point) == 0);
    }
}

/* ---- Rows */

/* HKDF-Expand (RFC 5869) to `length` bytes, at most one block. */
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
    hkdf_expand(key, "kinfolk/2/tag", NULL, 0, key->tag, FLOOR_TAG);
}

void bucket_position(uint8_t *position, const uint8_t *output) {
    row_key key;
    crypto_auth_hmacsha512_init(&key.keyed, output, FLOOR_OUTPUT);
    hkdf_expand(&key, "kinfolk/2/bucket", NULL, 0, position, FLOOR_BUCKET);
}

/* The first bits of a position in the form of the table: each bit is combined with a bit that is derived from the ones before it. */
static void store_position(const floor_epoch *epoch, uint8_t *stored, const uint8_t *position, int bits) {
    uint8_t message[6] = { 'b' }, code[8];
    int level;
    memset(stored, 0, FLOOR_BUCKET);
    for (level = 0; level < bits; level++) {
        int byte = level / 8;
        uint8_t bit = (uint8_t)(0x80 >> level % 8);
        message[1] = (uint8_t)level;
        crypto_shorthash_siphash24(code, message, sizeof message, epoch->row_key);
        stored[byte] |= (uint8_t)((code[7] & 1 ? ~position[byte] : position[byte]) & bit);
        message[2 + byte] |= (uint8_t)(position[byte] & bit);
    }
}

static void code_of(const floor_epoch *epoch, uint8_t *code, const uint8_t *bucket, const uint8_t *tag,
                    const uint8_t *record, const uint8_t *sealed) {
    uint8_t message[17 + FLOOR_TAG + FLOOR_ID + FLOOR_ROW - FLOOR_TAG] = { 'c' };
    int i;
    for (i = 0; i < 8; i++) message[1 + i] = (uint8_t)((uint64_t)epoch->container >> (56 - 8 * i));
    for (i = 0; i < 4; i++) message[9 + i] = (uint8_t)(epoch->number >> (24 - 8 * i));
    memcpy(message + 13, bucket, FLOOR_BUCKET);
    memcpy(message + 17, tag, FLOOR_TAG);
    memcpy(message + 17 + FLOOR_TAG, record, FLOOR_ID);
    memcpy(message + 17 + FLOOR_TAG + FLOOR_ID, sealed, FLOOR_ROW - FLOOR_TAG);
    crypto_shorthash_siphash24(code, message, sizeof message, epoch->row_key);
}

void seal_code(const floor_epoch *epoch, private_row *row) {
    code_of(epoch, row->code, row->bucket, row->tag, row->record, row->sealed);
}

static void evaluate(const floor_epoch *epoch, row_key *key, uint8_t *bucket, const uint8_t *hash) {
    uint8_t element[FLOOR_POINT], product[FLOOR_POINT], output[FLOOR_OUTPUT], position[FLOOR_BUCKET];
    oprf_hash_to_group(element, hash);
    REQUIRE(crypto_scalarmult_ristretto255(product, epoch->bucket_scalar, element) == 0);
    oprf_output(output, hash, product);
    bucket_position(position, output);
    store_position(epoch, bucket, position, 8 * FLOOR_BUCKET);
    REQUIRE(crypto_scalarmult_ristretto255(product, epoch->scalar, element) == 0);
    oprf_output(output, hash, product);
    row_key_init(key, output);
}

void make_row(const floor_epoch *epoch, private_row *row, const uint8_t *hash) {
    static const uint8_t nonce[12];
    uint8_t place[sizeof epoch->place], key_bytes[32];
    row_key key;
    evaluate(epoch, &key, row->bucket, hash);
    memcpy(row->tag, key.tag, FLOOR_TAG);
    randombytes_buf(row->sealed, 8);
    hkdf_expand(&key, "kinfolk/2/row", row->sealed, 8, key_bytes, sizeof key_bytes);
    memcpy(place, epoch->place, epoch->place_length);
    memcpy(place + TAG_IN_PLACE, row->tag, FLOOR_TAG);
    crypto_aead_chacha20poly1305_ietf_encrypt(row->sealed + 8, NULL, row->record, FLOOR_ID, place, epoch->place_length,
                                              NULL, nonce, key_bytes);
    seal_code(epoch, row);
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

/* Bucket and tag are adjacent. */
static int by_bucket(const void *a, const void *b) { return memcmp(a, b, FLOOR_BUCKET + FLOOR_TAG); }

void make_rows(const floor_epoch *epoch, private_row *rows, const uint8_t *hashes, size_t count, int threads) {
    row_work shared = { epoch, rows, hashes, count, 0 };
    pthread_t second;
    REQUIRE(threads == 1 || threads == 2);
    if (threads == 2) REQUIRE(pthread_create(&second, NULL, work, &shared) == 0);
    work(&shared);
    if (threads == 2) REQUIRE(pthread_join(second, NULL) == 0);
    qsort(rows, count, sizeof *rows, by_bucket);
}

void insert_private_row(floor_store *store, const floor_epoch *epoch, const private_row *row) {
    sqlite3_stmt *insert =
        store_statement(store, INSERT_PRIVATE_ROW,
                        "INSERT INTO private_directory (container_id, epoch, bucket, tag, record_id, sealed_record, code)"
                        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    sqlite3_bind_int64(insert, 1, store->keys.container);
    sqlite3_bind_int64(insert, 2, epoch->number);
    bind_bytes(insert, 3, row->bucket, FLOOR_BUCKET);
    bind_bytes(insert, 4, row->tag, FLOOR_TAG);
    bind_bytes(insert, 5, row->record, FLOOR_ID);
    bind_bytes(insert, 6, row->sealed, sizeof row->sealed);
    bind_bytes(insert, 7, row->code, sizeof row->code);
    store_do(insert);
}

/* ---- Searches */

static sqlite3_stmt *rows_of_buckets(floor_store *store, const floor_epoch *epoch) {
    sqlite3_stmt *rows =
        store_statement(store, FETCH_PRIVATE_ROWS,
                        "SELECT bucket, tag, record_id, sealed_record, code FROM private_directory"
                        " WHERE container_id = ?1 AND epoch = ?2 AND bucket BETWEEN ?3 AND ?4");
    sqlite3_bind_int64(rows, 1, store->keys.container);
    sqlite3_bind_int64(rows, 2, epoch->number);
    return rows;
}

/* Checks the row of a step, and copies it. */
static void copy_row(sqlite3_stmt *rows, const floor_epoch *epoch, uint8_t *row) {
    uint8_t code[8];
    memcpy(row, sqlite3_column_blob(rows, 1), FLOOR_TAG);
    memcpy(row + FLOOR_TAG, sqlite3_column_blob(rows, 3), FLOOR_ROW - FLOOR_TAG);
    code_of(epoch, code, sqlite3_column_blob(rows, 0), row, sqlite3_column_blob(rows, 2), row + FLOOR_TAG);
    REQUIRE(memcmp(code, sqlite3_column_blob(rows, 4), sizeof code) == 0);
}

static int by_tag(const void *a, const void *b) { return memcmp(a, b, FLOOR_TAG); }

size_t floor_fetch_buckets(floor_store *store, const floor_epoch *epoch, int bits, const uint8_t *prefixes, size_t stride,
                           size_t count, uint8_t *rows, size_t room) {
    sqlite3_stmt *find = rows_of_buckets(store, epoch);
    size_t length = 0, i;
    int byte, code;
    store_do(store->begin);
    for (i = 0; i < count; i++) {
        uint8_t prefix[FLOOR_BUCKET] = { 0 }, first[FLOOR_BUCKET], last[FLOOR_BUCKET];
        size_t start = length;
        memcpy(prefix, prefixes + stride * i, (size_t)(bits + 7) / 8);
        store_position(epoch, first, prefix, bits);
        for (byte = 0; byte < FLOOR_BUCKET; byte++)
            last[byte] = first[byte] | (uint8_t)(8 * byte >= bits ? 0xff : 8 * byte + 8 <= bits ? 0 : 0xff >> (bits % 8));
        bind_bytes(find, 3, first, sizeof first);
        bind_bytes(find, 4, last, sizeof last);
        while ((code = sqlite3_step(find)) == SQLITE_ROW) {
            REQUIRE(length + FLOOR_ROW <= room);
            copy_row(find, epoch, rows + length);
            length += FLOOR_ROW;
        }
        REQUIRE(code == SQLITE_DONE);
        sqlite3_reset(find);
        qsort(rows + start, (length - start) / FLOOR_ROW, FLOOR_ROW, by_tag);
    }
    store_do(store->commit);
    return length;
}

bool floor_find_privately(floor_store *store, const floor_epoch *epoch, const uint8_t *hash, uint8_t *record) {
    static const uint8_t nonce[12];
    sqlite3_stmt *find = rows_of_buckets(store, epoch);
    uint8_t bucket[FLOOR_BUCKET], row[FLOOR_ROW], place[sizeof epoch->place], key_bytes[32];
    bool found = false;
    row_key key;
    evaluate(epoch, &key, bucket, hash);
    memcpy(place, epoch->place, epoch->place_length);
    memcpy(place + TAG_IN_PLACE, key.tag, FLOOR_TAG);
    bind_bytes(find, 3, bucket, FLOOR_BUCKET);
    bind_bytes(find, 4, bucket, FLOOR_BUCKET);
    while (!found && sqlite3_step(find) == SQLITE_ROW) {
        copy_row(find, epoch, row);
        if (memcmp(row, key.tag, FLOOR_TAG) != 0) continue;
        hkdf_expand(&key, "kinfolk/2/row", row + FLOOR_TAG, 8, key_bytes, sizeof key_bytes);
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
