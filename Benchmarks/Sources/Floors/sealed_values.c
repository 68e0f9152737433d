/* sealed_values.c: what the product seals of people. */

#include "sealed_values.h"
#include "stop.h"

#include <string.h>

enum { STATE_HEADER = 8 }; /* "KNS1" and a length of four bytes */

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
    sealed_place place = place_of(&keys->container_sealing, "identities", "sealed_name");
    place_add_number(&place, keys->container);
    place_add(&place, record, FLOOR_ID);
    return place;
}

size_t seal_identity_name(const store_keys *keys, const uint8_t *record, const uint8_t *name, size_t length,
                          uint8_t *sealed) {
    sealed_place place = place_of_identity(keys, record);
    REQUIRE(sealed_length(length) <= SEALED_NAME);
    return seal(&keys->container_sealing, &place, name, length, sealed);
}

void open_identity_name(const store_keys *keys, const uint8_t *sealed, size_t length, floor_identity *identity) {
    sealed_place place = place_of_identity(keys, identity->record);
    uint8_t opened[SEALED_NAME];
    REQUIRE(length <= sizeof opened);
    length = unseal(&keys->container_sealing, &place, sealed, length, opened);
    REQUIRE(length >= 2 && length - 2 <= FLOOR_NAME);
    identity->name_length = length - 2;
    memcpy(identity->name, opened + 2, identity->name_length);
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
