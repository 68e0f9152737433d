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

static void open_key(uint8_t *key, const sealing_key *under, const sealed_place *place, const sealed_key *sealed) {
    uint8_t opened[sizeof sealed->sealed];
    REQUIRE(sealed->length == sealed_length(32));
    REQUIRE(unseal(under, place, sealed->sealed, sealed->length, opened) == 32);
    memcpy(key, opened, 32);
}

static void open_root_key(uint8_t *root, const sealed_key *sealed, const uint8_t *service_key) {
    sealing_key sealing;
    sealed_place place;
    uint8_t derived[32];
    derive(derived, service_key, "kinfserv");
    sealing_key_init(&sealing, derived);
    place = place_of(&sealing, "root_keys", "sealed_key");
    place_add_number(&place, sealed->epoch);
    open_key(root, &sealing, &place, sealed);
}

static void open_container_key(uint8_t *key, const sealed_key *sealed, const sealing_key *sealing) {
    sealed_place place = place_of(sealing, "container_keys", "sealed_key");
    place_add_number(&place, sealed->container);
    place_add_number(&place, sealed->epoch);
    open_key(key, sealing, &place, sealed);
}

void keys_open(store_keys *keys, read_sealed_key *read, void *store, const char *key_path, const char *container) {
    uint8_t key[32], root[32], derived[32];
    sealed_key sealed;
    char sql[400];
    read_key_file(key, key_path);
    read(store, "SELECT epoch, epoch, sealed_key FROM root_keys ORDER BY epoch DESC LIMIT 1", &sealed);
    open_root_key(root, &sealed, key);
    derive(keys->authentication, root, "kinfauth");
    derive(keys->email_tags, root, "kinfmail");
    derive(derived, root, "kinfseal");
    sealing_key_init(&keys->sealing, derived);
    derive(derived, root, "kinfsync");
    sealing_key_init(&keys->sync_states, derived);

    snprintf(sql, sizeof sql,
             "SELECT c.container_id, k.epoch, k.sealed_key FROM containers c"
             " JOIN container_keys k ON k.container_id = c.container_id"
             " WHERE c.name = '%s' ORDER BY k.epoch DESC LIMIT 1", container);
    read(store, sql, &sealed);
    keys->container = sealed.container;
    open_container_key(key, &sealed, &keys->sealing);
    derive(keys->directory_tags, key, "kinfdirt");
    derive(keys->wording_tags, key, "kinfword");
    derive(keys->record_tags, key, "kinfreco");
    derive(derived, key, "kinfseal");
    sealing_key_init(&keys->container_sealing, derived);
    derive(keys->zones, key, "kinfzone");
}

void make_tag(uint8_t *tag, const uint8_t *key, const void *value, size_t length) {
    crypto_generichash_blake2b(tag, FLOOR_ID, value, length, key, 32);
}

void make_record_tag(uint8_t *tag, const store_keys *keys, const uint8_t *owner, uint8_t purpose, int64_t number,
                     const void *value, size_t length) {
    uint8_t bytes[1024];
    const size_t owner_length = owner == NULL ? 0 : FLOOR_ID;
    size_t end = 2 + owner_length;
    REQUIRE(end + sizeof number + length <= sizeof bytes);
    bytes[0] = purpose;
    bytes[1] = (uint8_t)owner_length;
    if (owner != NULL) memcpy(bytes + 2, owner, FLOOR_ID);
    memcpy(bytes + end, &number, sizeof number);
    memcpy(bytes + end + sizeof number, value, length);
    make_tag(tag, keys->record_tags, bytes, end + sizeof number + length);
}

void make_directory_tag(uint8_t *tag, const store_keys *keys, const char *address, size_t length) {
    uint8_t hash[FLOOR_HASH];
    REQUIRE(floor_contact_hash(address, length, hash));
    make_tag(tag, keys->directory_tags, hash, sizeof hash);
}
