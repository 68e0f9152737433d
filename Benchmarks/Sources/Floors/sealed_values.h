/* sealed_values.h: the values of people that the product seals. */

#ifndef SEALED_VALUES_H
#define SEALED_VALUES_H

#include "keys.h"

enum { SEALED_NAME = 256, SEALED_EMAIL = 512 };

/* The creation date of all values, in microseconds. */
static const int64_t NOW = 1700000000000000;

/* Writes a name in the form that is sealed, and returns its length: the length of the given name in two bytes, then both names. */
size_t name_bytes(uint8_t *bytes, const char *given, size_t given_length, const char *family, size_t family_length);

/* Seals the name of an account, an address of an account, and the directory's entry of a person with one address. Each returns
 * the sealed length. */
size_t seal_account_name(const store_keys *keys, const uint8_t *account, const uint8_t *name, size_t length,
                         uint8_t *sealed);
size_t seal_email(const store_keys *keys, const uint8_t *account, const uint8_t *tag, const uint8_t *hash,
                  const char *spelling, size_t length, uint8_t *sealed);
size_t seal_identity(const store_keys *keys, const uint8_t *record, const uint8_t *account, const uint8_t *tag,
                     const uint8_t *name, size_t length, uint8_t *sealed);

/* The digest of an account's other rows, and the authentication code of its row, for an account without users and
 * addresses. */
typedef struct {
    uint8_t digest[FLOOR_ID], mac[FLOOR_ID];
} account_proof;
account_proof prove_account(const store_keys *keys, const uint8_t *account, const uint8_t *sealed_name, size_t length);

/* Opens a name of the directory. */
void open_identity_name(const store_keys *keys, const uint8_t *sealed, size_t length, floor_identity *identity);

/* Opens a sync state of an account, and ignores its content. */
void open_sync_state(const store_keys *keys, const uint8_t *account, const uint8_t *state, size_t length);

#endif
