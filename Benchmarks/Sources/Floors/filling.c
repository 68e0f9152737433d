/* filling.c: fills a large directory quickly. Inserts rows in the order of their tables, so that no page is written twice. */

#include "people.h"

#include <string.h>

enum { ROWS_IN_COMMIT = 200000 };

typedef struct {
    uint8_t tag[FLOOR_ID];
    uint8_t record[FLOOR_ID];
    uint8_t account[FLOOR_ID];
    uint32_t number;
} person;

static int by_tag(const void *a, const void *b) {
    return memcmp(((const person *)a)->tag, ((const person *)b)->tag, FLOOR_ID);
}

static int by_record(const void *a, const void *b) {
    return memcmp(((const person *)a)->record, ((const person *)b)->record, FLOOR_ID);
}

static int by_account(const void *a, const void *b) {
    return memcmp(((const person *)a)->account, ((const person *)b)->account, FLOOR_ID);
}

void floor_person_address(size_t number, char *address, size_t room) {
    snprintf(address, room, "person.%zu@example.com", number);
}

static void make_people(floor_store *store, person *people, size_t count) {
    size_t i;
    for (i = 0; i < count; i++) {
        char address[FLOOR_ADDRESS];
        uint8_t hash[FLOOR_HASH];
        floor_person_address(i, address, sizeof address);
        REQUIRE(floor_contact_hash(address, strlen(address), hash));
        make_tag(people[i].tag, store->keys.directory_tags, hash, sizeof hash);
        randombytes_buf(people[i].record, FLOOR_ID);
        randombytes_buf(people[i].account, FLOOR_ID);
        people[i].number = (uint32_t)i;
    }
}

static void insert_person(floor_store *store, const person *person) {
    insert_directory_row(store, person->tag, person->record);
}

static size_t name_person(const person *person, uint8_t *name) {
    char given[32], family[32];
    int given_length = snprintf(given, sizeof given, "Given%u", person->number);
    int family_length = snprintf(family, sizeof family, "Family%u", person->number);
    return name_bytes(name, given, (size_t)given_length, family, (size_t)family_length);
}

static void insert_person_identity(floor_store *store, const person *person) {
    uint8_t name[FLOOR_NAME];
    size_t length = name_person(person, name);
    insert_identity(store, person->record, person->account, person->tag, name, length);
}

static void insert_person_account(floor_store *store, const person *person) {
    uint8_t name[FLOOR_NAME];
    insert_proven_account(store, person->account, name, name_person(person, name));
}

static void insert_all(floor_store *store, const person *people, size_t count,
                       void (*insert)(floor_store *, const person *)) {
    size_t i;
    for (i = 0; i < count; i++) {
        if (i % ROWS_IN_COMMIT == 0) store_do(store->begin_write);
        insert(store, &people[i]);
        if (i % ROWS_IN_COMMIT == ROWS_IN_COMMIT - 1 || i == count - 1) store_do(store->commit);
    }
}

void floor_fill(floor_store *store, size_t count) {
    person *people = malloc(count * sizeof *people);
    REQUIRE(people != NULL);
    store_run(store, "PRAGMA synchronous = OFF"); /* an unfinished store is deleted */
    make_people(store, people, count);
    qsort(people, count, sizeof *people, by_tag);
    insert_all(store, people, count, insert_person);
    keep_sequence(store);
    qsort(people, count, sizeof *people, by_record);
    insert_all(store, people, count, insert_person_identity);
    qsort(people, count, sizeof *people, by_account);
    insert_all(store, people, count, insert_person_account);
    store_run(store, "PRAGMA wal_checkpoint(TRUNCATE)");
    store_run(store, "PRAGMA synchronous = FULL");
    free(people);
}
