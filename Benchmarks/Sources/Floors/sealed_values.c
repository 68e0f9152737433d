/* sealed_values.c: the values of people that the product seals. */

#include "sealed_values.h"
#include "stop.h"

#include <string.h>

enum { STATE_HEADER = 8 }; /* "KNS1" and a length of four bytes */
enum { IDENTITY_HEAD = FLOOR_ID + 3 * 8 }; /* the account, its revision, how many tags and blocks */
enum { FIRST_REVISION = 1 };

size_t name_bytes(uint8_t *bytes, const char *given, size_t given_length, const char *family, size_t family_length) {
    bytes[0] = (uint8_t)given_length;
    bytes[1] = (uint8_t)(given_length >> 8);
    memcpy(bytes + 2, given, given_length);
    memcpy(bytes + 2 + given_length, family, family_length);
    return 2 + given_length + family_length;
}

size_t seal_account_name(const store_keys *keys, const uint8_t *account, const uint8_t *name, size_t length,
                         uint8_t *sealed) {
    sealed_place place = place_of(&keys->sealing, "accounts", "sealed_name");
    place_add(&place, account, FLOOR_ID);
    REQUIRE(sealed_length(length) <= SEALED_NAME);
    return seal(&keys->sealing, &place, name, length, sealed);
}

size_t seal_email(const store_keys *keys, const uint8_t *account, const uint8_t *tag, const uint8_t *hash,
                  const char *spelling, size_t length, uint8_t *sealed) {
    sealed_place place = place_of(&keys->sealing, "emails", "sealed_address");
    uint8_t address[FLOOR_HASH + FLOOR_ADDRESS];
    REQUIRE(length <= FLOOR_ADDRESS);
    memcpy(address, hash, FLOOR_HASH);
    memcpy(address + FLOOR_HASH, spelling, length);
    place_add(&place, account, FLOOR_ID);
    place_add(&place, tag, FLOOR_ID);
    return seal(&keys->sealing, &place, address, FLOOR_HASH + length, sealed);
}

static sealed_place place_of_identity(const store_keys *keys, const uint8_t *record) {
    sealed_place place = place_of(&keys->container_sealing, "identities", "sealed_identity");
    place_add_number(&place, keys->container);
    place_add(&place, record, FLOOR_ID);
    return place;
}

static uint8_t *put_number(uint8_t *bytes, int64_t number) {
    int i;
    for (i = 0; i < 8; i++) bytes[i] = (uint8_t)((uint64_t)number >> 8 * i);
    return bytes + 8;
}

static uint8_t *put(uint8_t *bytes, const void *value, size_t length) {
    memcpy(bytes, value, length);
    return bytes + length;
}

static uint64_t get_number(const uint8_t *bytes) {
    uint64_t number = 0;
    int i;
    for (i = 7; i >= 0; i--) number = number << 8 | bytes[i];
    return number;
}

size_t seal_identity(const store_keys *keys, const uint8_t *record, const uint8_t *account, const uint8_t *tag,
                     const uint8_t *name, size_t length, uint8_t *sealed) {
    sealed_place place = place_of_identity(keys, record);
    uint8_t identity[SEALED_NAME], *end = identity;
    REQUIRE(sealed_length(IDENTITY_HEAD + FLOOR_ID + length) <= SEALED_NAME);
    end = put(end, account, FLOOR_ID);
    end = put_number(end, FIRST_REVISION);
    end = put_number(end, 1); /* tag */
    end = put_number(end, 0); /* blocks */
    end = put(end, tag, FLOOR_ID);
    end = put(end, name, length);
    return seal(&keys->container_sealing, &place, identity, (size_t)(end - identity), sealed);
}

account_proof prove_account(const store_keys *keys, const uint8_t *account, const uint8_t *sealed_name, size_t length) {
    account_proof proof;
    uint8_t rows[SEALED_NAME + 64], hash[crypto_hash_sha256_BYTES], *end = rows;
    REQUIRE(length <= SEALED_NAME);
    end = put_number(end, strlen("account"));
    end = put(end, "account", strlen("account"));
    end = put_number(end, NOW);
    end = put_number(end, (int64_t)length);
    end = put(end, sealed_name, length);
    end = put_number(end, 0); /* addresses */
    crypto_hash_sha256(hash, rows, (size_t)(end - rows));
    memcpy(proof.digest, hash, sizeof proof.digest);
    end = put_number(rows, strlen("accounts"));
    end = put(end, "accounts", strlen("accounts"));
    end = put(end, account, FLOOR_ID);
    end = put_number(end, 0); /* it is not suspended */
    end = put_number(end, FIRST_REVISION);
    end = put(end, proof.digest, sizeof proof.digest);
    make_tag(proof.mac, keys->authentication, rows, (size_t)(end - rows));
    return proof;
}

void open_identity_name(const store_keys *keys, const uint8_t *sealed, size_t length, floor_identity *identity) {
    sealed_place place = place_of_identity(keys, identity->record);
    uint8_t opened[SEALED_NAME];
    size_t start;
    REQUIRE(length <= sizeof opened);
    length = unseal(&keys->container_sealing, &place, sealed, length, opened);
    REQUIRE(length >= IDENTITY_HEAD);
    start = IDENTITY_HEAD + FLOOR_ID * get_number(opened + FLOOR_ID + 8) + 8 * get_number(opened + FLOOR_ID + 16) + 2;
    REQUIRE(start <= length && length - start <= FLOOR_NAME);
    identity->name_length = length - start;
    memcpy(identity->name, opened + start, identity->name_length);
}

void open_sync_state(const store_keys *keys, const uint8_t *account, const uint8_t *state, size_t length) {
    sealed_place place = place_of(&keys->sync_states, "sync", "state");
    uint8_t *contacts = malloc(length);
    place_add_number(&place, keys->container);
    place_add(&place, account, FLOOR_ID);
    REQUIRE(contacts != NULL && length > STATE_HEADER && memcmp(state, "KNS1", 4) == 0);
    unseal(&keys->sync_states, &place, state + STATE_HEADER, length - STATE_HEADER, contacts);
    free(contacts);
}
