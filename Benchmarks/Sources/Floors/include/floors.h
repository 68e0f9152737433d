/*
 * floors.h: the unavoidable work of what Kinfolk does, in C, with the same libraries on the same files.
 *
 * A floor is what a program would do that knows its data beforehand: no accounts, no consent, no errors to report. What
 * cannot be is no figure, so whatever fails here ends the program. Sizes are in bytes.
 */

#ifndef FLOORS_H
#define FLOORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FLOOR_ID = 16, FLOOR_HASH = 32, FLOOR_ADDRESS = 254, FLOOR_NAME = 64 };

/* ---- Addresses (address.c, domain.c) */

/* Writes the canonical form of an address that is ASCII, and returns its length; 0 if it is none. `canonical` has room
 * for FLOOR_ADDRESS. */
size_t floor_canonicalise(const char *text, size_t length, char *canonical);

/* The contact hash of an address that is ASCII. False if it is none. */
bool floor_contact_hash(const char *text, size_t length, uint8_t *hash);

/* Encodes an international domain with libidn2, and returns the length of what it gives. */
size_t floor_encode_domain(const char *domain);

/* ---- A store, opened under the product's settings with the keys that the store holds (store.c, keys.c) */

typedef struct floor_store floor_store;

/* Opens a store that the product made. One thread at a time uses it. `cache_kib` is SQLite's page cache, 0 for SQLite's
 * own default. */
floor_store *floor_store_open(const char *path, const char *key_path, const char *container, int cache_kib);
void floor_store_close(floor_store *store);

/* What a table has rows. */
int64_t floor_count_rows(floor_store *store, const char *table);

/* ---- Discovery (matching.c, lookup.c) */

typedef struct {
    uint8_t record[FLOOR_ID];
    size_t contact;        /* which line of the book */
    char name[FLOOR_NAME]; /* the given name and the family name, one after the other */
    size_t name_length;
} floor_identity;

/* Finds the people of a book of ASCII addresses, one a line, in one transaction, and returns how many there are: the
 * contact hash and the tag of each address, one step of one statement each, and the name of each who is there. The sync
 * state of `account` is opened, unless it is NULL. */
size_t floor_match(floor_store *store, const char *book, size_t length, const uint8_t *account,
                   const uint8_t *sync_state, size_t sync_state_length, floor_identity *found, size_t room);

/* The durable commit of a first sync: one row of permits. */
void floor_count_permits(floor_store *store);

/* Looks for one address in a transaction of its own. Finds the person's name too if `identity` is not NULL. */
bool floor_look_up(floor_store *store, const char *address, size_t length, floor_identity *identity);

/* ---- Contact files (vcards.c) */

typedef struct {
    size_t addresses;
    uint8_t hashes[FLOOR_HASH]; /* of all addresses, exclusive or: the same for the same addresses */
} floor_scan;

/* Reads a vCard file piece by piece and hashes the address of each line that has EMAIL before its colon. */
floor_scan floor_scan_vcards(const char *path);

/* ---- User record IDs (users.c) */

/* Makes an empty file with the table of users and its index, under the product's settings. */
floor_store *floor_users_create(const char *path);

/* Inserts users, `group` of them in each commit. */
void floor_insert_users(floor_store *store, size_t count, size_t group);

/* ---- User records (records.c) */

/* Fetches and opens the public record with this ID; returns the length of its fields. */
size_t floor_fetch_record(floor_store *store, const uint8_t *record, uint8_t *fields, size_t room);

/* Seals the fields and writes them, with a new change tag, over a record that was saved: one durable commit. */
void floor_save_record(floor_store *store, const uint8_t *record, const uint8_t *fields, size_t length);

/* ---- People (people.c, filling.c) */

/* Imports people who consented from a CSV file of given name, family name and address, without quotation marks, into an
 * empty store: 10,000 in each transaction, as many as the product. */
typedef struct floor_import floor_import;
enum { FLOOR_IMPORT_GROUP = 10000 };
floor_import *floor_import_begin(floor_store *store, const char *path);
size_t floor_import_next(floor_import *import); /* one transaction; returns how many people */
void floor_import_end(floor_import *import);

/* Fills a container's directory with `count` people, in the order of the tables, so that it takes seconds. They have names
 * and addresses, and no accounts. */
void floor_fill(floor_store *store, size_t count);

/* The address and the name of the person with this number, as floor_fill makes them. NUL-terminated. */
void floor_person_address(size_t number, char *address, size_t room);

/* ---- The machine (page_cache.c) */

/* Has the operating system forget the pages of a file, or nothing if there is none. */
void floor_drop_page_cache(const char *path);

#endif
