/*
 * floors.h: the unavoidable work of what Kinfolk does, in C, with the same libraries on the same files.
 *
 * A floor is the least work that any program would do, if it knew its data beforehand: no accounts, no consent, no errors to
 * report. If a call fails, there is nothing to measure, so it ends the program. Sizes are in bytes.
 */

#ifndef FLOORS_H
#define FLOORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FLOOR_ID = 16, FLOOR_HASH = 32, FLOOR_ADDRESS = 254, FLOOR_NAME = 64 };
enum { FLOOR_POINT = 32, FLOOR_OUTPUT = 64, FLOOR_PROOF = 64, FLOOR_TAG = 8, FLOOR_ROW = 48 };

/* ---- Addresses (address.c, domain.c) */

/* Writes the canonical form of an ASCII address, and returns its length; 0 if it is invalid. `canonical` has room for
 * FLOOR_ADDRESS bytes. */
size_t floor_canonicalise(const char *text, size_t length, char *canonical);

/* Writes the contact hash of an ASCII address. Returns false if the address is invalid. */
bool floor_contact_hash(const char *text, size_t length, uint8_t *hash);

/* Encodes an international domain with libidn2, and returns the length of the result. */
size_t floor_encode_domain(const char *domain);

/* ---- A store, opened under the product's settings with the keys that the store holds (store.c, keys.c) */

typedef struct floor_store floor_store;

/* Opens a store that the product made. One thread at a time uses it. `cache_kib` is SQLite's page cache, 0 for SQLite's
 * own default. */
floor_store *floor_store_open(const char *path, const char *key_path, const char *container, int cache_kib);
void floor_store_close(floor_store *store);

/* The number of rows of a table. */
int64_t floor_count_rows(floor_store *store, const char *table);

/* Copies a store and its key file to a path where no file is. */
void floor_copy_store(const char *path, const char *key_path, const char *copy, const char *key_copy);

/* ---- Discovery (matching.c, lookup.c) */

typedef struct {
    uint8_t record[FLOOR_ID];
    size_t contact;        /* the line in the book */
    char name[FLOOR_NAME]; /* the given name, followed by the family name */
    size_t name_length;
} floor_identity;

/* Finds the people of a book of ASCII addresses, one a line, in one transaction, and returns their number. Computes the
 * contact hash and the tag of each address, steps one statement for each, and reads the name of each person found. Also opens
 * the sync state of `account`, unless it is NULL. */
size_t floor_match(floor_store *store, const char *book, size_t length, const uint8_t *account,
                   const uint8_t *sync_state, size_t sync_state_length, floor_identity *found, size_t room);

/* The durable commit of a first sync: one row of permits. */
void floor_count_permits(floor_store *store);

/* Searches for one address in a separate transaction. Reads the person's name too if `identity` is not NULL. */
bool floor_look_up(floor_store *store, const char *address, size_t length, floor_identity *identity);

/* ---- Contact files (vcards.c) */

typedef struct {
    size_t addresses;
    uint8_t hashes[FLOOR_HASH]; /* exclusive or of all addresses' hashes, to compare results */
} floor_scan;

/* Reads a vCard file piece by piece and hashes the address of each line that has EMAIL before its colon. */
floor_scan floor_scan_vcards(const char *path);

/* ---- User record IDs (users.c) */

/* Makes an empty file with the table of users and its index, under the product's settings. */
floor_store *floor_users_create(const char *path);

/* Inserts users, `group` in each commit. */
void floor_insert_users(floor_store *store, size_t count, size_t group);

/* ---- Records (records.c) */

/* Fetches and opens the public user record with this ID; returns the length of its content. */
size_t floor_fetch_record(floor_store *store, const uint8_t *record, uint8_t *content, size_t room);

/* Reads that record, seals it again, and writes it with a new change tag: one durable commit. */
void floor_save_record(floor_store *store, const uint8_t *record);

/* The records of one type in the private database of a user; in the public one, if `owner` is NULL. The product saved the one with the
 * number 0, which is the model for the others: its field `group` is "group-00000000", `team` and `kind` likewise, and `order` is 2 to
 * the power of 40. All four are QUERYABLE. */
typedef struct floor_records floor_records;
floor_records *floor_records_open(floor_store *store, const uint8_t *owner, const char *type);
void floor_records_close(floor_records *records);

/* The name of a record, of 15 characters. */
void floor_record_name(size_t number, char *name);

/* Fetches and opens a record; returns the length of its content. */
size_t floor_records_fetch(floor_records *records, size_t number);

/* Inserts `count` records with four index entries each, and `group` in each durable commit. */
void floor_records_insert(floor_records *records, size_t first, size_t count, size_t group);

/* Reads a record, changes its field `order`, and writes it with its index entry: one durable commit. */
void floor_records_change(floor_records *records, size_t number, int64_t order);

/* Queries in a transaction of their own, which open all records that they find and return their number. The fields are numbered: 0 is
 * `group`, 1 `team`, 2 `kind`, 3 `order`. The values are those of the record with a number. */
size_t floor_records_equal(floor_records *records, size_t field, size_t number);
size_t floor_records_equal_both(floor_records *records, size_t few, size_t many, size_t number);
/* The records from a value of `order` on, which is SORTABLE. */
size_t floor_records_sorted(floor_records *records, int64_t order, size_t limit);
/* Counts and opens nothing. */
size_t floor_records_count(floor_records *records, size_t field, size_t number);

/* Inserts many records fast, without waiting for the disk. */
void floor_records_fill(floor_records *records, size_t first, size_t count);

/* ---- Searches (searches.c, words.c, cells.c) */

/* The text and the point of each of `count` records. Two words with the same number, "x00000" and "y00000", have 5,000 and 20,000
 * records, of which 200 have both; each record has a third word, "v00000". A point is latitude and longitude, in degrees; there are
 * as many to the square kilometre whatever the count is. */
enum { FLOOR_SEARCH_TEXT = 3 * 7, FLOOR_SEARCH_PAIR = 25000, FLOOR_SEARCH_VOCABULARY = 10000 };
void floor_search_text(size_t number, size_t count, char *text);
void floor_search_point(size_t number, size_t count, double *point);

/* The records of one type in the private database of a user, or in the public one without an owner. The product saved the one with the number 0, which is the model for the
 * others. Its fields are `text`, `home` (QUERYABLE), and `words`, a QUERYABLE list in which no record has a value. */
typedef struct floor_searches floor_searches;
floor_searches *floor_searches_open(floor_store *store, const uint8_t *owner, const char *type, size_t count);
void floor_searches_close(floor_searches *searches);

/* Inserts all records but the first, with the index entries of `home`. The index of `words` gets the words of the texts. */
void floor_searches_fill(floor_searches *searches);

/* The records that have two words in `text`, by the product's SEARCHABLE index: counted, and opened. */
size_t floor_searches_count(floor_searches *searches, const char *few, const char *many);
size_t floor_searches_words(floor_searches *searches, const char *few, const char *many);

/* The records within a distance, opened. The points are in the index entries, sealed. */
size_t floor_searches_near(floor_searches *searches, const double *centre, double metres);

/* ---- Files as sealed chunk rows (assets.c) */

typedef struct floor_assets floor_assets;

floor_assets *floor_assets_open(floor_store *store);
void floor_assets_close(floor_assets *assets);

/* Writes a file under a number, durably, in one transaction. */
void floor_assets_store(floor_assets *assets, int64_t number, const uint8_t *bytes, size_t length);

/* Reads a file that was stored with this handle, and returns its length. */
size_t floor_assets_read(floor_assets *assets, int64_t number, uint8_t *bytes, size_t length);

/* ---- Documents (documents.c) */

typedef struct floor_documents floor_documents;

/* The store has a document of this user, which the product made and saved ten times. */
floor_documents *floor_documents_open(floor_store *store, const uint8_t *owner);
void floor_documents_close(floor_documents *documents);

/* Saves a version of less than 60 KB of the document, durably, in one transaction. The oldest one is deleted. */
void floor_documents_save(floor_documents *documents, const uint8_t *bytes, size_t length);

/* ---- A custom zone in the private database of a user (zones.c) */

typedef struct floor_zone floor_zone;

/* The zone that the product made last in this database. */
floor_zone *floor_zone_open(floor_store *store, const uint8_t *owner);
void floor_zone_close(floor_zone *zone);

/* The number of its last change. */
int64_t floor_zone_last_change(floor_zone *zone);

/* Reads and opens the records that were changed after a change, in the order of their changes, `page` of them in each
 * transaction. Writes the name of each to `names`, FLOOR_RECORD_NAME bytes each, and returns their number. */
enum { FLOOR_RECORD_NAME = 16 };
size_t floor_zone_changes(floor_zone *zone, int64_t after, size_t page, char *names, size_t room);

/* Records of one type in the zone, whose QUERYABLE fields are `group`, `team`, `kind`, `order` and a reference (cascades.c). */
typedef struct floor_cascade floor_cascade;
floor_cascade *floor_cascade_open(floor_zone *zone, const char *type);
void floor_cascade_close(floor_cascade *cascade);

/* Deletes a record and those that refer to it through `deleteSelf`, with their index entries and references, and leaves
 * tombstones: one durable commit. Returns the number of deleted records. */
size_t floor_cascade_delete(floor_cascade *cascade, const char *name);

/* ---- People (people.c, filling.c) */

/* Imports people who consented from a CSV file of given name, family name and address, without quotation marks, into an
 * empty store: 10,000 in each transaction, like the product. */
typedef struct floor_import floor_import;
enum { FLOOR_IMPORT_GROUP = 10000 };
floor_import *floor_import_begin(floor_store *store, const char *path);
size_t floor_import_next(floor_import *import); /* one transaction; returns the number of people */
void floor_import_end(floor_import *import);

/* Fills a container's directory with `count` people, in the order of the tables, so that it takes only seconds. They have
 * names and addresses, but no accounts. */
void floor_fill(floor_store *store, size_t count);

/* The address and the name of the person with this number, as floor_fill makes them. NUL-terminated. */
void floor_person_address(size_t number, char *address, size_t room);

/* ---- A store on a PostgreSQL server (server.c, server_matching.c, server_users.c) */

typedef struct floor_server floor_server;

/* Connects to a server, for the tables of a schema; the second opens the keys of the store there too. */
floor_server *floor_server_connect(const char *address, const char *schema);
floor_server *floor_server_open(const char *address, const char *schema, const char *key_path, const char *container);
void floor_server_close(floor_server *server);

/* Runs a command. Returns the number of rows of a table; a WHERE clause may follow its name. */
void floor_server_run(floor_server *server, const char *sql);
int64_t floor_server_count_rows(floor_server *server, const char *table);

/* The same as floor_match and floor_count_permits: all tags of a book in one query, all names in another, in one transaction
 * and two round trips. */
size_t floor_server_match(floor_server *server, const char *book, size_t length, const uint8_t *account,
                          const uint8_t *sync_state, size_t sync_state_length, floor_identity *found, size_t room);
void floor_server_count_permits(floor_server *server);

/* Inserts users, `group` in each transaction, which is one round trip. */
void floor_server_insert_users(floor_server *server, size_t count, size_t group);

/* Signs people up, with numbers from `first`: an account in a transaction, its address in the next one, its user record ID in
 * the last. Each transaction is one round trip, for `group` people. */
void floor_server_sign_up(floor_server *server, size_t first, size_t count, size_t group);

/* ---- Private discovery (oprf.c, private_client.c, private_directory.c, private_filling.c) */

/* A container's newest private directory: its number and its key. Points are concatenated, 32 bytes each. */
typedef struct floor_epoch floor_epoch;
floor_epoch *floor_epoch_open(floor_store *store, const char *container);
void floor_epoch_close(floor_epoch *epoch);
void floor_public_key(const floor_epoch *epoch, uint8_t *public_key);
void floor_bucket_key(const floor_epoch *epoch, uint8_t *public_key);

/* The client: blinds contact hashes; removes the blinds from the points that the server evaluated under both keys, and computes
 * outputs, tags and bucket positions. `blinds` have 32 bytes each, `positions` 4. */
void floor_blind(const uint8_t *hashes, size_t count, uint8_t *blinds, uint8_t *points);
void floor_finalize(const uint8_t *hashes, size_t count, const uint8_t *blinds, const uint8_t *evaluated,
                    const uint8_t *bucket_evaluated, uint8_t *outputs, uint8_t *tags, uint8_t *positions);

/* Whether a proof is valid: computes weights, weighted sums and the challenge. */
bool floor_verify(const uint8_t *public_key, const uint8_t *blinded, const uint8_t *evaluated, size_t count,
                  const uint8_t *proof);

/* The server: two scalar multiplications for each point. */
void floor_multiply(const floor_epoch *epoch, const uint8_t *points, size_t count, uint8_t *products,
                    uint8_t *bucket_products);

/* Checks and copies the rows of buckets, in the order of their tags, in one transaction, and returns their number of bytes. A
 * prefix has `bits` bits in as few bytes as possible, and the next one begins `stride` bytes later. */
size_t floor_fetch_buckets(floor_store *store, const floor_epoch *epoch, int bits, const uint8_t *prefixes, size_t stride,
                           size_t count, uint8_t *rows, size_t room);

/* Finds the person with a contact hash, by output, tag and row. */
bool floor_find_privately(floor_store *store, const floor_epoch *epoch, const uint8_t *hash, uint8_t *record);

/* Builds a private directory of people with one address each, all of whom can be found, in batches of the same size as
 * the product's: reads and unseals addresses, makes rows on one thread or two, and inserts them in the order of the table. */
typedef struct floor_build floor_build;
enum { FLOOR_BUILD_GROUP = 16384 };
floor_build *floor_build_begin(floor_store *store, const floor_epoch *epoch, int threads);
size_t floor_build_next(floor_build *build); /* one batch; returns the number of people */
void floor_build_end(floor_build *build);

/* Empties private directories. */
void floor_clear_privately(floor_store *store);

/* A hash of the tags and record IDs of the newest epoch, of 32 bytes. */
void floor_private_digest(floor_store *store, uint8_t *digest);

/* Fills a private directory with the `count` people of floor_fill; changes `count` rows: deletes one half, and inserts as many
* new ones. */
void floor_fill_privately(floor_store *store, const floor_epoch *epoch, size_t count);
void floor_change_privately(floor_store *store, const floor_epoch *epoch, size_t count);

/* ---- The machine (page_cache.c, cores.c) */

/* Drops the pages of a file from the operating system's cache. Does nothing if there is no such file. */
void floor_drop_page_cache(const char *path);

/* Binds this thread, and threads that it starts from now on, to its current core; lets them run on all cores again. */
void floor_use_one_core(void);
void floor_use_all_cores(void);

/* ---- Subscriptions (subscriptions.c) */

/* Adds subscriptions to the public database of a container, under keys that no change has. */
void floor_subscriptions_fill(const char *path, int64_t container, long count);

/* Adds two subscriptions with each of `count` keys of FLOOR_ID bytes to the public database of a container. */
void floor_subscriptions_add(const char *path, int64_t container, const uint8_t *keys, size_t count);

/* Subscriptions to records whose field, of `fields`, has one of `values` values: two to each value, in a hash table and in a new file. */
typedef struct floor_subscriptions floor_subscriptions;
floor_subscriptions *floor_subscriptions_make(const char *path, int fields, int64_t values);
void floor_subscriptions_free(floor_subscriptions *subscriptions);

/* How many subscriptions are found for records, each with the same value in all of its fields: in the hash table; and in the file, in one
 * transaction. */
size_t floor_subscriptions_in_memory(const floor_subscriptions *subscriptions, const int64_t *records, size_t count);
size_t floor_subscriptions_in_store(floor_subscriptions *subscriptions, const int64_t *records, size_t count);

#endif
