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
enum { FLOOR_POINT = 32, FLOOR_OUTPUT = 64, FLOOR_PROOF = 64, FLOOR_TAG = 8, FLOOR_ROW = 48 };

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

/* Copies a store and its key file to where nothing is. */
void floor_copy_store(const char *path, const char *key_path, const char *copy, const char *key_copy);

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

/* ---- A store on a PostgreSQL server (server.c, server_matching.c, server_users.c) */

typedef struct floor_server floor_server;

/* Connects to a server, for the tables of a schema; the second opens the keys of the store there too. */
floor_server *floor_server_connect(const char *address, const char *schema);
floor_server *floor_server_open(const char *address, const char *schema, const char *key_path, const char *container);
void floor_server_close(floor_server *server);

/* Runs a command; what a table, and what may stand behind its name, has rows. */
void floor_server_run(floor_server *server, const char *sql);
int64_t floor_server_count_rows(floor_server *server, const char *table);

/* The same as floor_match and floor_count_permits: all tags of a book in one query, all names in another, in one transaction
 * and two journeys. */
size_t floor_server_match(floor_server *server, const char *book, size_t length, const uint8_t *account,
                          const uint8_t *sync_state, size_t sync_state_length, floor_identity *found, size_t room);
void floor_server_count_permits(floor_server *server);

/* Inserts users, `group` of them in each transaction and journey. */
void floor_server_insert_users(floor_server *server, size_t count, size_t group);

/* Signs people up, with numbers from `first`: an account in a transaction, its address in the next one, its user record ID in
 * the last, `group` of each in one transaction and journey. */
void floor_server_sign_up(floor_server *server, size_t first, size_t count, size_t group);

/* ---- Private discovery (oprf.c, private_client.c, private_directory.c, private_filling.c) */

/* A container's newest private directory: its number and its key. Points are 32 bytes, one after the other. */
typedef struct floor_epoch floor_epoch;
floor_epoch *floor_epoch_open(floor_store *store, const char *container);
void floor_epoch_close(floor_epoch *epoch);
void floor_public_key(const floor_epoch *epoch, uint8_t *public_key);
void floor_bucket_key(const floor_epoch *epoch, uint8_t *public_key);

/* The client: blinds contact hashes; takes the blinds off what the server made of the points under both keys, and has
 * outputs, tags and bucket positions. `blinds` are 32 bytes each, `positions` 4. */
void floor_blind(const uint8_t *hashes, size_t count, uint8_t *blinds, uint8_t *points);
void floor_finalize(const uint8_t *hashes, size_t count, const uint8_t *blinds, const uint8_t *evaluated,
                    const uint8_t *bucket_evaluated, uint8_t *outputs, uint8_t *tags, uint8_t *positions);

/* Whether a proof is right: weights, weighted sums, challenge. */
bool floor_verify(const uint8_t *public_key, const uint8_t *blinded, const uint8_t *evaluated, size_t count,
                  const uint8_t *proof);

/* The server: two scalar multiplications for each point. */
void floor_multiply(const floor_epoch *epoch, const uint8_t *points, size_t count, uint8_t *products,
                    uint8_t *bucket_products);

/* Checks the rows of buckets and copies them out, those of each in the order of their tags, in one transaction, and returns how many bytes they have. A prefix has `bits` bits in the
 * fewest bytes, and the next one begins `stride` bytes later. */
size_t floor_fetch_buckets(floor_store *store, const floor_epoch *epoch, int bits, const uint8_t *prefixes, size_t stride,
                           size_t count, uint8_t *rows, size_t room);

/* Whose contact hash this is: by output, tag and row. */
bool floor_find_privately(floor_store *store, const floor_epoch *epoch, const uint8_t *hash, uint8_t *record);

/* Builds a private directory of people with one address each, all of whom can be found, in batches of as many people as
 * the product's: addresses read and unsealed, rows made, on one thread or two, and inserted in the order of the table. */
typedef struct floor_build floor_build;
enum { FLOOR_BUILD_GROUP = 16384 };
floor_build *floor_build_begin(floor_store *store, const floor_epoch *epoch, int threads);
size_t floor_build_next(floor_build *build); /* one batch; returns how many people */
void floor_build_end(floor_build *build);

/* Empties private directories. */
void floor_clear_privately(floor_store *store);

/* A hash of the tags and record IDs of the newest epoch, which takes 32 bytes. */
void floor_private_digest(floor_store *store, uint8_t *digest);

/* Fills a private directory with the `count` people of floor_fill; changes `count` rows: one half goes, as many come. */
void floor_fill_privately(floor_store *store, const floor_epoch *epoch, size_t count);
void floor_change_privately(floor_store *store, const floor_epoch *epoch, size_t count);

/* ---- The machine (page_cache.c, cores.c) */

/* Has the operating system forget the pages of a file, or nothing if there is none. */
void floor_drop_page_cache(const char *path);

/* Keeps this thread and those that it starts from now on on the core where it is; lets them run on all again. */
void floor_use_one_core(void);
void floor_use_all_cores(void);

#endif
