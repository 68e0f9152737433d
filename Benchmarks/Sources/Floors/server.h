/* server.h: one connection to a PostgreSQL server with libpq, and the keys of the store there.
 *
 * All statements between two calls of server_finish are one round trip and, without a BEGIN, one transaction.
 */

#ifndef SERVER_H
#define SERVER_H

#include "sealed_values.h"

/* libpq, loaded when it is needed like in the product, so that other measurements do not need it. */
#include "../../../Sources/CLibPQ/shim.h"

enum { SERVER_STATEMENTS = 16, SERVER_VALUES = 8 };

/* A value of a statement, in PostgreSQL's binary form. */
typedef struct {
    const void *bytes;
    size_t length;
    uint8_t number[8];
} server_value;

struct floor_server {
    kinfolk_pg pq;
    kinfolk_pg_connection *connection;
    store_keys keys;
    bool is_prepared[SERVER_STATEMENTS];
    size_t sent; /* statements whose results were not read yet */
};

/* The numbers of statements. */
enum { SERVER_BEGIN_READING, SERVER_COMMIT, SERVER_FIND_RECORDS, SERVER_FIND_NAMES, SERVER_COUNT_PERMITS, SERVER_INSERT_USER,
       SERVER_INSERT_ACCOUNT, SERVER_INSERT_EMAIL, SERVER_INSERT_VERIFIED, SERVER_TOUCH_ACCOUNT };

server_value server_number(int64_t number);
server_value server_bytes(const void *bytes, size_t length);

/* The size of an array of `count` keys of FLOOR_ID bytes in PostgreSQL's format, and of one key in it. */
enum { SERVER_ARRAY_HEADER = 20, SERVER_ARRAY_KEY = 4 + FLOOR_ID };
server_value server_keys(uint8_t *array, size_t count);
uint8_t *server_key(uint8_t *array, size_t index);

/* Prepares a statement, unless it is prepared already. Call it between round trips. `types` has a letter for each value: n for
 * a number, b for bytes, k for keys. */
void server_prepare(floor_server *server, int number, const char *sql, const char *types);

/* Adds a statement to the next round trip. */
void server_send(floor_server *server, int number, const server_value *values, int count);

/* The result of the next statement that was sent. */
kinfolk_pg_result *server_result(floor_server *server);

/* Sends the statements. server_result reads their results; server_finish reads the ones that are left. */
void server_depart(floor_server *server);
void server_finish(floor_server *server);

#endif
