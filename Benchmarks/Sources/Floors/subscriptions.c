#include <sodium.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include "include/floors.h"
#include "stop.h"

/* ---- The product's subscriptions */

typedef struct {
    sqlite3 *database;
    sqlite3_stmt *insert;
    int64_t container;
} filling;

static filling begin(const char *path, int64_t container) {
    filling filling = { NULL, NULL, container };
    const char *sql = "INSERT INTO subscription_keys (container_id, owner, key_tag, number, subscriber) VALUES (?, x'', ?, ?, ?)";
    REQUIRE(sqlite3_open(path, &filling.database) == SQLITE_OK);
    REQUIRE(sqlite3_exec(filling.database, "BEGIN", NULL, NULL, NULL) == SQLITE_OK);
    REQUIRE(sqlite3_prepare_v2(filling.database, sql, -1, &filling.insert, NULL) == SQLITE_OK);
    return filling;
}

static void add(filling *filling, const uint8_t *key, int64_t number) {
    uint8_t subscriber[FLOOR_ID];
    randombytes_buf(subscriber, sizeof subscriber);
    sqlite3_bind_int64(filling->insert, 1, filling->container);
    sqlite3_bind_blob(filling->insert, 2, key, FLOOR_ID, SQLITE_STATIC);
    sqlite3_bind_int64(filling->insert, 3, number);
    sqlite3_bind_blob(filling->insert, 4, subscriber, FLOOR_ID, SQLITE_STATIC);
    REQUIRE(sqlite3_step(filling->insert) == SQLITE_DONE);
    sqlite3_reset(filling->insert);
}

static void end(filling *filling) {
    char *sql = sqlite3_mprintf("INSERT INTO outbox_readers (container_id, owner, stamp) VALUES (%lld, x'', 1)",
                                (long long)filling->container);
    sqlite3_finalize(filling->insert);
    REQUIRE(sqlite3_exec(filling->database, sql, NULL, NULL, NULL) == SQLITE_OK);
    REQUIRE(sqlite3_exec(filling->database, "COMMIT", NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_free(sql);
    sqlite3_close(filling->database);
}

void floor_subscriptions_fill(const char *path, int64_t container, long count) {
    filling filling = begin(path, container);
    for (long number = 1; number <= count; number++) {
        uint8_t key[FLOOR_ID];
        randombytes_buf(key, sizeof key);
        add(&filling, key, number);
    }
    end(&filling);
}

void floor_subscriptions_add(const char *path, int64_t container, const uint8_t *keys, size_t count) {
    filling filling = begin(path, container);
    for (size_t place = 0; place < 2 * count; place++) add(&filling, keys + place % count * FLOOR_ID, (int64_t)place + 1);
    end(&filling);
}

/* ---- Subscriptions that are known in advance */

enum { SUBSCRIPTIONS_OF_VALUE = 2 };

typedef struct {
    uint8_t key[FLOOR_ID];
    int64_t number, next; /* next: the place of the next one in the chain; -1 at its end */
} subscription;

struct floor_subscriptions {
    uint8_t key[crypto_generichash_KEYBYTES];
    int fields;
    size_t capacity;
    int64_t *heads;
    subscription *all;
    sqlite3 *database;
    sqlite3_stmt *find;
};

static void make_key(const floor_subscriptions *subscriptions, int field, int64_t value, uint8_t *key) {
    int64_t text[2] = { field, value };
    crypto_generichash(key, FLOOR_ID, (const uint8_t *)text, sizeof text, subscriptions->key, sizeof subscriptions->key);
}

static int64_t *head(const floor_subscriptions *subscriptions, const uint8_t *key) {
    uint32_t hash;
    memcpy(&hash, key, sizeof hash);
    return &subscriptions->heads[hash & (subscriptions->capacity - 1)];
}

floor_subscriptions *floor_subscriptions_make(const char *path, int fields, int64_t values) {
    const size_t count = (size_t)fields * (size_t)values * SUBSCRIPTIONS_OF_VALUE;
    const char *make = "PRAGMA journal_mode = WAL; PRAGMA cache_size = -2048;"
                       "CREATE TABLE keys (container INTEGER, key BLOB, number INTEGER, PRIMARY KEY (container, key, number)) WITHOUT ROWID;"
                       "BEGIN";
    floor_subscriptions *made = calloc(1, sizeof *made);
    sqlite3_stmt *insert;
    REQUIRE(made != NULL && sqlite3_open(path, &made->database) == SQLITE_OK);
    REQUIRE(sqlite3_exec(made->database, make, NULL, NULL, NULL) == SQLITE_OK);
    REQUIRE(sqlite3_prepare_v2(made->database, "INSERT INTO keys VALUES (1, ?, ?)", -1, &insert, NULL) == SQLITE_OK);
    randombytes_buf(made->key, sizeof made->key);
    made->fields = fields;
    for (made->capacity = 1; made->capacity < 2 * count;) made->capacity *= 2;
    made->heads = malloc(made->capacity * sizeof *made->heads);
    made->all = malloc(count * sizeof *made->all);
    REQUIRE(made->heads != NULL && made->all != NULL);
    for (size_t i = 0; i < made->capacity; i++) made->heads[i] = -1;
    for (size_t i = 0; i < count; i++) {
        subscription *one = &made->all[i];
        const size_t place = i % (count / SUBSCRIPTIONS_OF_VALUE);
        make_key(made, (int)(place % (size_t)fields), (int64_t)(place / (size_t)fields), one->key);
        one->number = (int64_t)i + 1;
        one->next = *head(made, one->key);
        *head(made, one->key) = (int64_t)i;
        sqlite3_bind_blob(insert, 1, one->key, FLOOR_ID, SQLITE_STATIC);
        sqlite3_bind_int64(insert, 2, one->number);
        REQUIRE(sqlite3_step(insert) == SQLITE_DONE);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    REQUIRE(sqlite3_exec(made->database, "COMMIT", NULL, NULL, NULL) == SQLITE_OK);
    REQUIRE(sqlite3_prepare_v2(made->database, "SELECT number FROM keys WHERE container = 1 AND key = ?", -1, &made->find,
                               NULL) == SQLITE_OK);
    return made;
}

void floor_subscriptions_free(floor_subscriptions *subscriptions) {
    sqlite3_finalize(subscriptions->find);
    sqlite3_close(subscriptions->database);
    free(subscriptions->heads);
    free(subscriptions->all);
    free(subscriptions);
}

size_t floor_subscriptions_in_memory(const floor_subscriptions *subscriptions, const int64_t *records, size_t count) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        for (int field = 0; field < subscriptions->fields; field++) {
            uint8_t key[FLOOR_ID];
            make_key(subscriptions, field, records[i], key);
            for (int64_t at = *head(subscriptions, key); at >= 0; at = subscriptions->all[at].next)
                found += memcmp(subscriptions->all[at].key, key, FLOOR_ID) == 0;
        }
    return found;
}

size_t floor_subscriptions_in_store(floor_subscriptions *subscriptions, const int64_t *records, size_t count) {
    size_t found = 0;
    REQUIRE(sqlite3_exec(subscriptions->database, "BEGIN", NULL, NULL, NULL) == SQLITE_OK);
    for (size_t i = 0; i < count; i++)
        for (int field = 0; field < subscriptions->fields; field++) {
            uint8_t key[FLOOR_ID];
            make_key(subscriptions, field, records[i], key);
            sqlite3_bind_blob(subscriptions->find, 1, key, FLOOR_ID, SQLITE_STATIC);
            while (sqlite3_step(subscriptions->find) == SQLITE_ROW) found++;
            sqlite3_reset(subscriptions->find);
        }
    REQUIRE(sqlite3_exec(subscriptions->database, "COMMIT", NULL, NULL, NULL) == SQLITE_OK);
    return found;
}
