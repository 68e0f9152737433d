/* keys.h: the keys that a store holds, as Sources/KinfolkCore/Keys has them. */

#ifndef KEYS_H
#define KEYS_H

#include "sealing.h"

typedef struct {
    int64_t container;
    uint8_t authentication[32]; /* codes of rows of accounts */
    uint8_t email_tags[32];    /* tags in the operator's tables */
    sealing_key sealing;       /* names and addresses in those */
    sealing_key sync_states;
    uint8_t directory_tags[32]; /* tags in the container's directory */
    uint8_t wording_tags[32];
    uint8_t record_tags[32]; /* tags of record names and of indexed values */
    sealing_key container_sealing; /* names in the directory, records */
    uint8_t zones[32]; /* combined with the key of a custom zone, for the records in it */
} store_keys;

/* The content of a row with a key. */
typedef struct {
    int64_t container, epoch;
    uint8_t sealed[128];
    size_t length;
} sealed_key;

/* Reads the first row of a query for a container, an epoch and a sealed key. */
typedef void read_sealed_key(void *store, const char *sql, sealed_key *key);

/* Opens the keys of a store, which has one epoch, with its key file. */
void keys_open(store_keys *keys, read_sealed_key *read, void *store, const char *key_path, const char *container);

/* A tag: keyed BLAKE2b of 16 bytes. */
void make_tag(uint8_t *tag, const uint8_t *key, const void *value, size_t length);

/* The tag of the name of a record in the private database of a user, or of an indexed value there.
 *
 * `owner`: NULL for the public database.
 * `number`: that of the zone or of the field. */
enum { TAG_OF_NAME = 1, TAG_OF_VALUE = 3, TAG_OF_CELL = 8, TAG_OF_POSTING = 9 };
void make_record_tag(uint8_t *tag, const store_keys *keys, const uint8_t *owner, uint8_t purpose, int64_t number,
                     const void *value, size_t length);

/* The tag of an address in the container's directory. */
void make_directory_tag(uint8_t *tag, const store_keys *keys, const char *address, size_t length);

#endif
