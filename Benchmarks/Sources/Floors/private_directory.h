/* private_directory.h: a private directory's key, and its rows. */

#ifndef PRIVATE_DIRECTORY_H
#define PRIVATE_DIRECTORY_H

#include "store.h"

/* What an output is good for. */
typedef struct {
    crypto_auth_hmacsha512_state keyed;
    uint8_t tag[FLOOR_TAG];
} row_key;

typedef struct {
    uint8_t tag[FLOOR_TAG];
    uint8_t record[FLOOR_ID];
    uint8_t sealed[FLOOR_ROW - FLOOR_TAG];
} private_row;

struct floor_epoch {
    uint32_t number;
    uint8_t scalar[32];
    uint8_t place[160]; /* what is associated with a sealed row; the tag stands at TAG_IN_PLACE */
    size_t place_length;
};

enum { TAG_IN_PLACE = 13 + 4 };

void row_key_init(row_key *key, const uint8_t *output);

/* Makes the row of a contact hash for the record ID that stands in it. */
void make_row(const floor_epoch *epoch, private_row *row, const uint8_t *hash);

/* The same for many, on so many threads, in the order of the tags at the end. */
void make_rows(const floor_epoch *epoch, private_row *rows, const uint8_t *hashes, size_t count, int threads);

void insert_private_row(floor_store *store, const floor_epoch *epoch, const private_row *row);

#endif
