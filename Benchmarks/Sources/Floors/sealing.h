/* sealing.h: seals values in Kinfolk's format, XChaCha20-Poly1305 (Sources/KinfolkCrypto/SealingKey.swift). */

#ifndef SEALING_H
#define SEALING_H

#include "floors.h"

#include <sodium.h>

typedef struct {
    uint8_t key[32];
    uint8_t id[4]; /* the first bytes of every value that it seals */
} sealing_key;

/* The place of a sealed value, as associated data: the key's ID, then table, column and row, each after its length. */
typedef struct {
    uint8_t bytes[160];
    size_t length;
} sealed_place;

enum { SEALED_OVERHEAD = 4 + 24 + 16, SEALED_BLOCK = 32 };

void derive(uint8_t *derived, const uint8_t *key, const char *purpose);
void sealing_key_init(sealing_key *sealing, const uint8_t *key);

sealed_place place_of(const sealing_key *key, const char *table, const char *column);
void place_add(sealed_place *place, const void *part, size_t length);
void place_add_number(sealed_place *place, int64_t number);

/* The sealed length of a value of this length. */
size_t sealed_length(size_t length);

/* Seals a value, and returns the sealed length. */
size_t seal(const sealing_key *key, const sealed_place *place, const void *value, size_t length, uint8_t *sealed);

/* Opens a value into `opened`, which has room for `length` bytes, and returns its length. */
size_t unseal(const sealing_key *key, const sealed_place *place, const uint8_t *sealed, size_t length, uint8_t *opened);

#endif
