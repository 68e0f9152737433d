/* sealing.c: seals and opens values. */

#include "sealing.h"
#include "stop.h"

#include <string.h>

enum { START = 4 + 24, MAC = 16 };

void derive(uint8_t *derived, const uint8_t *key, const char *purpose) {
    crypto_kdf_derive_from_key(derived, 32, 1, purpose, key);
}

void sealing_key_init(sealing_key *sealing, const uint8_t *key) {
    uint8_t name[32];
    memcpy(sealing->key, key, 32);
    derive(name, key, "kinfokid");
    memcpy(sealing->id, name, sizeof sealing->id);
}

sealed_place place_of(const sealing_key *key, const char *table, const char *column) {
    sealed_place place;
    memcpy(place.bytes, key->id, sizeof key->id);
    place.length = sizeof key->id;
    place_add(&place, table, strlen(table));
    place_add(&place, column, strlen(column));
    return place;
}

void place_add(sealed_place *place, const void *part, size_t length) {
    uint8_t *end = place->bytes + place->length;
    REQUIRE(place->length + 4 + length <= sizeof place->bytes);
    end[0] = (uint8_t)length; /* four bytes, little-endian; no part is longer than 255 */
    end[1] = end[2] = end[3] = 0;
    memcpy(end + 4, part, length);
    place->length += 4 + length;
}

void place_add_number(sealed_place *place, int64_t number) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%lld", (long long)number);
    place_add(place, digits, (size_t)length);
}

size_t sealed_length(size_t length) { return SEALED_OVERHEAD + (length / SEALED_BLOCK + 1) * SEALED_BLOCK; }

size_t seal(const sealing_key *key, const sealed_place *place, const void *value, size_t length, uint8_t *sealed) {
    size_t padded = (length / SEALED_BLOCK + 1) * SEALED_BLOCK;
    uint8_t *nonce = sealed + sizeof key->id, *message = sealed + START;
    memcpy(sealed, key->id, sizeof key->id);
    randombytes_buf(nonce, 24);
    memset(message, 0, padded);
    memcpy(message, value, length);
    message[length] = 0x80;
    crypto_aead_xchacha20poly1305_ietf_encrypt(message, NULL, message, padded, place->bytes, place->length, NULL, nonce,
                                               key->key);
    return START + padded + MAC;
}

size_t unseal(const sealing_key *key, const sealed_place *place, const uint8_t *sealed, size_t length,
              uint8_t *opened) {
    size_t end = length - START - MAC;
    REQUIRE(length >= SEALED_OVERHEAD + SEALED_BLOCK);
    REQUIRE(crypto_aead_xchacha20poly1305_ietf_decrypt(opened, NULL, NULL, sealed + START, length - START, place->bytes,
                                                       place->length, sealed + sizeof key->id, key->key) == 0);
    while (opened[end - 1] == 0) end--;
    return end - 1;
}
