/* keys.c: from the key file to the keys of a container. */

#include "keys.h"
#include "stop.h"

#include <string.h>

static void read_key_file(uint8_t *key, const char *path) {
    char line[128] = "";
    const char *digits = line + strlen("kinfolk-key-1 ");
    FILE *file = fopen(path, "r");
    REQUIRE(file != NULL && fgets(line, sizeof line, file) != NULL);
    fclose(file);
    REQUIRE(strncmp(line, "kinfolk-key-1 ", strlen("kinfolk-key-1 ")) == 0);
    REQUIRE(sodium_hex2bin(key, 32, digits, 64, NULL, NULL, NULL) == 0);
}

static sqlite3_stmt *first_row(sqlite3 *db, const char *sql) {
    sqlite3_stmt *statement;
    REQUIRE(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK);
    REQUIRE(sqlite3_step(statement) == SQLITE_ROW);
    return statement;
}

static void open_key(uint8_t *key, const sealing_key *under, const sealed_place *place, sqlite3_stmt *row, int column) {
    uint8_t opened[64];
    size_t length = (size_t)sqlite3_column_bytes(row, column);
    REQUIRE(length == sealed_length(32));
    REQUIRE(unseal(under, place, sqlite3_column_blob(row, column), length, opened) == 32);
    memcpy(key, opened, 32);
}

static void root_key(uint8_t *root, sqlite3 *db, const uint8_t *service_key) {
    sqlite3_stmt *row = first_row(db, "SELECT epoch, sealed_key FROM root_keys ORDER BY epoch DESC LIMIT 1");
    sealing_key sealing;
    sealed_place place;
    uint8_t derived[32];
    derive(derived, service_key, "kinfserv");
    sealing_key_init(&sealing, derived);
    place = place_of(&sealing, "root_keys", "sealed_key");
    place_add_number(&place, sqlite3_column_int64(row, 0));
    open_key(root, &sealing, &place, row, 1);
    sqlite3_finalize(row);
}

static void container_key(uint8_t *key, store_keys *keys, sqlite3 *db, const char *name) {
    char sql[400];
    sqlite3_stmt *row;
    sealed_place place = place_of(&keys->sealing, "container_keys", "sealed_key");
    snprintf(sql, sizeof sql,
             "SELECT c.container_id, k.epoch, k.sealed_key FROM containers c"
             " JOIN container_keys k ON k.container_id = c.container_id"
             " WHERE c.name = '%s' ORDER BY k.epoch DESC LIMIT 1", name);
    row = first_row(db, sql);
    keys->container = sqlite3_column_int64(row, 0);
    place_add_number(&place, keys->container);
    place_add_number(&place, sqlite3_column_int64(row, 1));
    open_key(key, &keys->sealing, &place, row, 2);
    sqlite3_finalize(row);
}

void keys_open(store_keys *keys, sqlite3 *db, const char *key_path, const char *container) {
    uint8_t key[32], root[32], derived[32];
    read_key_file(key, key_path);
    root_key(root, db, key);
    derive(keys->email_tags, root, "kinfmail");
    derive(derived, root, "kinfseal");
    sealing_key_init(&keys->sealing, derived);
    derive(derived, root, "kinfsync");
    sealing_key_init(&keys->sync_states, derived);

    container_key(key, keys, db, container);
    derive(keys->directory_tags, key, "kinfdirt");
    derive(keys->wording_tags, key, "kinfword");
    derive(derived, key, "kinfseal");
    sealing_key_init(&keys->container_sealing, derived);
}

void make_tag(uint8_t *tag, const uint8_t *key, const void *value, size_t length) {
    crypto_generichash_blake2b(tag, FLOOR_ID, value, length, key, 32);
}
