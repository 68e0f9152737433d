/* private_directory.h: a private directory's key, and its rows. */

#ifndef PRIVATE_DIRECTORY_H
#define PRIVATE_DIRECTORY_H

#include "store.h"

/* The values derived from an OPRF output. */
typedef struct {
    crypto_auth_hmacsha512_state keyed;
    uint8_t tag[FLOOR_TAG];
} row_key;

enum { FLOOR_BUCKET = 4 };

/* A row, with its bucket in the form of the table. */
typedef struct {
    uint8_t bucket[FLOOR_BUCKET];
    uint8_t tag[FLOOR_TAG];
    uint8_t record[FLOOR_ID];
    uint8_t sealed[FLOOR_ROW - FLOOR_TAG];
    uint8_t code[8];
} private_row;

struct floor_epoch {
    uint32_t number;
    int64_t container;
    uint8_t scalar[32], bucket_scalar[32];
    uint8_t row_key[16]; /* of SipHash: for stored buckets, and for codes */
    uint8_t place[160]; /* the associated data of a sealed row; the tag is at TAG_IN_PLACE */
    size_t place_length;
};

enum { TAG_IN_PLACE = 13 + 4 };

void row_key_init(row_key *key, const uint8_t *output);

/* The bucket position from an output under the bucket key. */
void bucket_position(uint8_t *position, const uint8_t *output);

/* Writes the code of a row whose other fields are set. */
void seal_code(const floor_epoch *epoch, private_row *row);

/* Makes the row of a contact hash, for the record ID in `row`. */
void make_row(const floor_epoch *epoch, private_row *row, const uint8_t *hash);

/* The same for many rows, on several threads. At the end the rows are in the order of the table. */
void make_rows(const floor_epoch *epoch, private_row *rows, const uint8_t *hashes, size_t count, int threads);

void insert_private_row(floor_store *store, const floor_epoch *epoch, const private_row *row);

#endif
