/* server.c: a store on a PostgreSQL server. */

#define _DEFAULT_SOURCE /* htobe64 */

#include "server.h"
#include "stop.h"

#include <endian.h>
#include <string.h>

/* PostgreSQL's numbers of the types (pg_type.oid). */
enum { BYTES = 17, NUMBER = 20, BYTES_ARRAY = 1001 };

static void check(floor_server *server, const kinfolk_pg_result *result) {
    switch (server->pq.PQresultStatus(result)) {
    case KINFOLK_PG_COMMAND_OK:
    case KINFOLK_PG_TUPLES_OK:
    case KINFOLK_PG_PIPELINE_SYNC: return;
    default: STOP(server->pq.PQerrorMessage(server->connection));
    }
}

/* ---- Commands by themselves */

/* Runs a command and returns the result of its last statement. */
static kinfolk_pg_result *run(floor_server *server, const char *sql) {
    kinfolk_pg_result *last = NULL, *result;
    REQUIRE(server->pq.PQexitPipelineMode(server->connection) == 1);
    REQUIRE(server->pq.PQsendQuery(server->connection, sql) == 1);
    while ((result = server->pq.PQgetResult(server->connection)) != NULL) {
        check(server, result);
        server->pq.PQclear(last);
        last = result;
    }
    REQUIRE(server->pq.PQenterPipelineMode(server->connection) == 1);
    return last;
}

void floor_server_run(floor_server *server, const char *sql) { server->pq.PQclear(run(server, sql)); }

int64_t floor_server_count_rows(floor_server *server, const char *table) {
    char sql[200];
    kinfolk_pg_result *result;
    int64_t count;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
    result = run(server, sql);
    count = strtoll(server->pq.PQgetvalue(result, 0, 0), NULL, 10);
    server->pq.PQclear(result);
    return count;
}

/* ---- Opening */

/* Bytes arrive as text: \x, then two digits for each byte. */
static void read_key(void *store, const char *sql, sealed_key *key) {
    floor_server *server = store;
    kinfolk_pg_result *row = run(server, sql);
    const char *digits;
    REQUIRE(server->pq.PQntuples(row) == 1);
    key->container = strtoll(server->pq.PQgetvalue(row, 0, 0), NULL, 10);
    key->epoch = strtoll(server->pq.PQgetvalue(row, 0, 1), NULL, 10);
    digits = server->pq.PQgetvalue(row, 0, 2) + 2;
    REQUIRE(sodium_hex2bin(key->sealed, sizeof key->sealed, digits, strlen(digits), NULL, &key->length, NULL) == 0);
    server->pq.PQclear(row);
}

floor_server *floor_server_connect(const char *address, const char *schema) {
    const char *names[] = { "dbname", NULL }, *values[] = { address, NULL };
    floor_server *server = calloc(1, sizeof *server);
    char sql[100];
    REQUIRE(server != NULL && sodium_init() >= 0 && kinfolk_pg_load(&server->pq) == 0);
    server->connection = server->pq.PQconnectdbParams(names, values, 1);
    if (server->pq.PQstatus(server->connection) != KINFOLK_PG_CONNECTION_OK)
        STOP(server->pq.PQerrorMessage(server->connection));
    REQUIRE(server->pq.PQenterPipelineMode(server->connection) == 1);
    snprintf(sql, sizeof sql, "SET search_path = %s; SET client_min_messages = warning", schema);
    floor_server_run(server, sql);
    return server;
}

floor_server *floor_server_open(const char *address, const char *schema, const char *key_path, const char *container) {
    floor_server *server = floor_server_connect(address, schema);
    keys_open(&server->keys, read_key, server, key_path, container);
    return server;
}

void floor_server_close(floor_server *server) {
    server->pq.PQfinish(server->connection);
    free(server);
}

/* ---- Values */

server_value server_number(int64_t number) {
    server_value value = { .length = sizeof number };
    uint64_t bytes = htobe64((uint64_t)number);
    memcpy(value.number, &bytes, sizeof bytes);
    return value;
}

server_value server_bytes(const void *bytes, size_t length) {
    return (server_value){ .bytes = bytes, .length = length };
}

static void put_number(uint8_t *place, uint32_t number) {
    number = htobe32(number);
    memcpy(place, &number, sizeof number);
}

/* One dimension, no nulls, the type of the elements, how many, the first index; each element after its length. */
server_value server_keys(uint8_t *array, size_t count) {
    const uint32_t header[] = { 1, 0, BYTES, (uint32_t)count, 1 };
    size_t i;
    for (i = 0; i < 5; i++) put_number(array + 4 * i, header[i]);
    for (i = 0; i < count; i++) put_number(server_key(array, i) - 4, FLOOR_ID);
    return (server_value){ .bytes = array, .length = SERVER_ARRAY_HEADER + count * SERVER_ARRAY_KEY };
}

uint8_t *server_key(uint8_t *array, size_t index) { return array + SERVER_ARRAY_HEADER + index * SERVER_ARRAY_KEY + 4; }

/* ---- Round trips */

void server_prepare(floor_server *server, int number, const char *sql, const char *types) {
    kinfolk_pg_oid numbers[SERVER_VALUES];
    char name[16];
    int count;
    REQUIRE(number < SERVER_STATEMENTS && strlen(types) <= SERVER_VALUES);
    if (server->is_prepared[number]) return;
    REQUIRE(server->sent == 0);
    for (count = 0; types[count] != 0; count++)
        numbers[count] = types[count] == 'n' ? NUMBER : types[count] == 'b' ? BYTES : BYTES_ARRAY;
    snprintf(name, sizeof name, "s%d", number);
    REQUIRE(server->pq.PQsendPrepare(server->connection, name, sql, count, numbers) == 1);
    server->sent++;
    server_depart(server);
    server_finish(server);
    server->is_prepared[number] = true;
}

void server_send(floor_server *server, int number, const server_value *values, int count) {
    const char *bytes[SERVER_VALUES];
    int lengths[SERVER_VALUES], formats[SERVER_VALUES], i;
    char name[16];
    REQUIRE(server->is_prepared[number] && count <= SERVER_VALUES);
    snprintf(name, sizeof name, "s%d", number);
    for (i = 0; i < count; i++) {
        bytes[i] = values[i].bytes != NULL ? values[i].bytes : (const char *)values[i].number;
        lengths[i] = (int)values[i].length;
        formats[i] = 1;
    }
    REQUIRE(server->pq.PQsendQueryPrepared(server->connection, name, count, bytes, lengths, formats, 1) == 1);
    server->sent++;
}

void server_depart(floor_server *server) { REQUIRE(server->pq.PQpipelineSync(server->connection) == 1); }

kinfolk_pg_result *server_result(floor_server *server) {
    kinfolk_pg_result *result = server->pq.PQgetResult(server->connection);
    REQUIRE(server->sent > 0 && result != NULL);
    check(server, result);
    REQUIRE(server->pq.PQgetResult(server->connection) == NULL); /* the end of its results */
    server->sent--;
    return result;
}

void server_finish(floor_server *server) {
    kinfolk_pg_result *end;
    while (server->sent > 0) server->pq.PQclear(server_result(server));
    end = server->pq.PQgetResult(server->connection);
    REQUIRE(server->pq.PQresultStatus(end) == KINFOLK_PG_PIPELINE_SYNC);
    server->pq.PQclear(end);
}
