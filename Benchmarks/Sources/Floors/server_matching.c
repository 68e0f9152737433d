/* server_matching.c: searches a contact book on a server. */

#include "server.h"
#include "stop.h"

#include <string.h>

/* A hash table from tags to contacts. Its size is a power of two; the first bytes of a tag are random, and serve as the hash. */
enum { PLACES = 4096 };

typedef struct {
    uint16_t contacts[PLACES]; /* the contact's number plus one; 0 for an empty place */
    const uint8_t *records[PLACES / 2];
} book_index;

static size_t place_of_tag(const book_index *index, uint8_t *array, const uint8_t *tag) {
    uint16_t place;
    memcpy(&place, tag, sizeof place);
    place %= PLACES;
    while (index->contacts[place] != 0 && memcmp(server_key(array, index->contacts[place] - 1U), tag, FLOOR_ID) != 0)
        place = (place + 1) % PLACES;
    return place;
}

/* Writes the tag of each line into `array`, and returns their number. */
static size_t make_tags(const floor_server *server, const char *book, size_t length, uint8_t *array, book_index *index) {
    const char *line = book, *end = book + length;
    size_t count = 0;
    memset(index, 0, sizeof *index);
    while (line < end) {
        const char *line_end = memchr(line, '\n', (size_t)(end - line));
        uint8_t *tag = server_key(array, count);
        if (line_end == NULL) line_end = end;
        REQUIRE(count < PLACES / 2);
        make_directory_tag(tag, &server->keys, line, (size_t)(line_end - line));
        index->contacts[place_of_tag(index, array, tag)] = (uint16_t)++count;
        line = line_end + 1;
    }
    return count;
}

/* Stores the records of the people found, in the order of the book, and returns their number. */
static size_t take_records(floor_server *server, kinfolk_pg_result *rows, uint8_t *tags, size_t contacts,
                           book_index *index, floor_identity *found, size_t room) {
    size_t count = 0, contact;
    int row;
    for (row = 0; row < server->pq.PQntuples(rows); row++) {
        const uint8_t *tag = (const uint8_t *)server->pq.PQgetvalue(rows, row, 0);
        contact = index->contacts[place_of_tag(index, tags, tag)];
        REQUIRE(contact != 0);
        index->records[contact - 1] = (const uint8_t *)server->pq.PQgetvalue(rows, row, 1);
    }
    for (contact = 0; contact < contacts; contact++) {
        if (index->records[contact] == NULL) continue;
        REQUIRE(count < room);
        memcpy(found[count].record, index->records[contact], FLOOR_ID);
        found[count++].contact = contact;
    }
    return count;
}

static void take_names(floor_server *server, kinfolk_pg_result *rows, floor_identity *found, size_t count) {
    int row;
    REQUIRE((size_t)server->pq.PQntuples(rows) == count);
    for (row = 0; row < (int)count; row++) {
        const void *record = server->pq.PQgetvalue(rows, row, 0), *sealed = server->pq.PQgetvalue(rows, row, 1);
        size_t i = 0;
        while (memcmp(found[i].record, record, FLOOR_ID) != 0) REQUIRE(++i < count);
        open_identity_name(&server->keys, sealed, (size_t)server->pq.PQgetlength(rows, row, 1), &found[i]);
    }
}

size_t floor_server_match(floor_server *server, const char *book, size_t length, const uint8_t *account,
                          const uint8_t *sync_state, size_t sync_state_length, floor_identity *found, size_t room) {
    static __thread uint8_t array[SERVER_ARRAY_HEADER + PLACES / 2 * SERVER_ARRAY_KEY];
    static __thread book_index index;
    const server_value container = server_number(server->keys.container);
    kinfolk_pg_result *rows;
    size_t contacts, count, i;

    server_prepare(server, SERVER_BEGIN_READING, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "");
    server_prepare(server, SERVER_COMMIT, "COMMIT", "");
    server_prepare(server, SERVER_FIND_RECORDS,
                   "SELECT tag, record_id FROM directory WHERE container_id = $1 AND tag = ANY($2)", "nk");
    server_prepare(server, SERVER_FIND_NAMES,
                   "SELECT record_id, sealed_identity FROM identities WHERE container_id = $1 AND record_id = ANY($2)", "nk");

    if (sync_state != NULL) open_sync_state(&server->keys, account, sync_state, sync_state_length);
    contacts = make_tags(server, book, length, array, &index);
    server_send(server, SERVER_BEGIN_READING, NULL, 0);
    server_send(server, SERVER_FIND_RECORDS, (server_value[]){ container, server_keys(array, contacts) }, 2);
    server_depart(server);
    server->pq.PQclear(server_result(server));
    rows = server_result(server);
    count = take_records(server, rows, array, contacts, &index, found, room);
    server->pq.PQclear(rows);
    server_finish(server);

    for (i = 0; i < count; i++) memcpy(server_key(array, i), found[i].record, FLOOR_ID);
    server_send(server, SERVER_FIND_NAMES, (server_value[]){ container, server_keys(array, count) }, 2);
    server_send(server, SERVER_COMMIT, NULL, 0);
    server_depart(server);
    rows = server_result(server);
    take_names(server, rows, found, count);
    server->pq.PQclear(rows);
    server_finish(server);
    return count;
}

void floor_server_count_permits(floor_server *server) {
    static const uint8_t nobody[FLOOR_ID];
    const server_value values[] = { server_bytes(nobody, FLOOR_ID), server_number(server->keys.container) };
    server_prepare(server, SERVER_COUNT_PERMITS,
                   "INSERT INTO limits (account_id, container_id, kind, spent, counted_at,"
                   " lease_window, leased, leased_before, lapsed, code)"
                   " VALUES ($1, $2, 1, 1000, 1, 0, 0, 0, 0, $1)"
                   " ON CONFLICT (account_id, container_id, kind) DO UPDATE SET spent = limits.spent + 1", "bn");
    server_send(server, SERVER_COUNT_PERMITS, values, 2);
    server_depart(server);
    server_finish(server);
}
