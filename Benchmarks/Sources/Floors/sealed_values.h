/* sealed_values.h: what the product seals of people. */

#ifndef SEALED_VALUES_H
#define SEALED_VALUES_H

#include "keys.h"

enum { SEALED_NAME = 256, SEALED_EMAIL = 512 };

/* When all of it was made, in microseconds. */
static const int64_t NOW = 1700000000000000;

/* Writes a name as it is sealed, and returns its length: the length of the given name in two bytes, and both. */
size_t name_bytes(uint8_t *bytes, const char *given, size_t given_length, const char *family, size_t family_length);

/* Seals the name of an account, the address of one, and what the directory says of somebody with one address, and returns
 * how long it is then. */
size_t seal_account_name(const store_keys *keys, const uint8_t *account, const uint8_t *name, size_t length,
                         uint8_t *sealed);
size_t seal_email(const store_keys *keys, const uint8_t *account, const uint8_t *tag, const uint8_t *hash,
                  const char *spelling, size_t length, uint8_t *sealed);
size_t seal_identity(const store_keys *keys, const uint8_t *record, const uint8_t *account, const uint8_t *tag,
                     const uint8_t *name, size_t length, uint8_t *sealed);

/* What an account's row says of its other rows, and the code that proves it: of an account in no container, without an
 * address. */
typedef struct {
    uint8_t digest[FLOOR_ID], mac[FLOOR_ID];
} account_proof;
account_proof prove_account(const store_keys *keys, const uint8_t *account, const uint8_t *sealed_name, size_t length);

/* Opens a name of the directory. */
void open_identity_name(const store_keys *keys, const uint8_t *sealed, size_t length, floor_identity *identity);

/* Opens a sync state of an account, and does nothing with it. */
void open_sync_state(const store_keys *keys, const uint8_t *account, const uint8_t *state, size_t length);

#endif
