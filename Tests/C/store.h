/*
 * store.h: the stores of the tests. Include it after harness.h.
 *
 * A store is a file in the folder of the running test. If KINFOLK_TEST_STORE is the address of a PostgreSQL server, each
 * store is a schema there instead, which is dropped after the test. Its key file is where that of a file would be.
 */

#ifndef STORE_H
#define STORE_H

#include <dlfcn.h>
#include <sqlite3.h>

/* ---- Its name and its key */

/* The name of the test's folder. The names of all its schemas begin with it. */
static const char *store_prefix(void) {
    return strrchr(harness.folder, '/') + 1;
}

/* A schema for a store of the running test: letters in lower case, digits and _. */
static void store_schema(const char *name, char schema[64]) {
    size_t i;
    REQUIRE(snprintf(schema, 64, "%s_%s", store_prefix(), name) < 64);
    for (i = 0; schema[i] != '\0'; i++) {
        if (schema[i] >= 'A' && schema[i] <= 'Z') schema[i] += 'a' - 'A';
        else if (strchr("abcdefghijklmnopqrstuvwxyz0123456789", schema[i]) == NULL) schema[i] = '_';
    }
}

/* The schema of a store on the server; NULL for a store in a file. */
static const char *store_on_server(const char *store) {
    const char *schema = strncmp(store, "postgresql://", 13) == 0 ? strstr(store, "&schema=") : NULL;
    return schema == NULL ? NULL : schema + 8;
}

static void store_drop_schemas(void);

/* A store of the running test. Up to 16 may be held at once. */
HARNESS_UNUSED static const char *store_path(const char *name) {
    static char addresses[16][1200];
    static unsigned next;
    const char *server = harness_server();
    char *address = addresses[next++ % 16], schema[64];
    if (server == NULL) return file_path(name);
    store_schema(name, schema);
    /* Its server sessions have this name too, to distinguish them from those of other stores. */
    snprintf(address, sizeof addresses[0], "%s%capplication_name=%s&schema=%s", server,
             strchr(server, '?') == NULL ? '?' : '&', schema, schema);
    harness.after = store_drop_schemas;
    return address;
}

/* The store of a test that needs only one. */
#define STORE store_path("kinfolk.db")

/* The key file of a store on the server: the one that a store in a file of this name would have. */
static const char *store_key_file(const char *schema) {
    char name[80];
    int length;
    snprintf(name, sizeof name, "%s", schema + strlen(store_prefix()) + 1);
    length = (int)strlen(name);
    if (length > 3 && strcmp(name + length - 3, "_db") == 0) length -= 3;
    snprintf(name + length, sizeof name - (size_t)length, ".key");
    return file_path(name);
}

/* Opens a store as kinfolk_service_open does; on the server with its key file, if no other key is given. */
HARNESS_UNUSED static kinfolk_status store_open(const char *store, const kinfolk_open_options *options,
                                                kinfolk_service **service) {
    kinfolk_open_options with_key = KINFOLK_OPEN_OPTIONS_INIT;
    const char *schema = store_on_server(store);
    if (schema == NULL) return kinfolk_service_open(store, options, service);
    if (options != NULL) with_key = *options;
    if (with_key.key_file == NULL && with_key.key == NULL && with_key.key_length == 0 && with_key.passphrase == NULL)
        with_key.key_file = store_key_file(schema);
    return kinfolk_service_open(store, &with_key, service);
}

/* Opens a store in a file that exists, with the key in this file. */
HARNESS_UNUSED static kinfolk_service *open_with_key(const char *path, const char *key_file) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    kinfolk_service *opened = NULL;
    options.existing_only = true;
    options.key_file = key_file;
    OK(kinfolk_service_open(path, &options, &opened));
    return opened;
}

/* ---- Access to a store without the library */

/* Functions of libpq. It is loaded at run time, so that tests without a server do not need it. */
static struct {
    void *(*PQconnectdb)(const char *address);
    int (*PQstatus)(const void *connection);
    void (*PQfinish)(void *connection);
    void *(*PQexec)(void *connection, const char *sql);
    char *(*PQerrorMessage)(const void *connection);
    int (*PQresultStatus)(const void *result);
    int (*PQntuples)(const void *result);
    char *(*PQgetvalue)(const void *result, int row, int column);
    int (*PQgetisnull)(const void *result, int row, int column);
    void (*PQclear)(void *result);
} libpq;

static void load_libpq(void) {
    void *library;
    if (libpq.PQclear != NULL) return;
    library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    REQUIRE(library != NULL);
#define FIND(function) REQUIRE((*(void **)&libpq.function = dlsym(library, #function)) != NULL)
    FIND(PQconnectdb);
    FIND(PQstatus);
    FIND(PQfinish);
    FIND(PQexec);
    FIND(PQerrorMessage);
    FIND(PQresultStatus);
    FIND(PQntuples);
    FIND(PQgetvalue);
    FIND(PQgetisnull);
    FIND(PQclear);
#undef FIND
}

/* A connection of this process to a store. A child must not use the connection of its parent. */
struct raw_store {
    sqlite3 *file;
    void *server;
    char *answer;
};

static int raw_take(void *context, int count, char **values, char **names) {
    struct raw_store *raw = context;
    (void)count, (void)names;
    free(raw->answer);
    raw->answer = values[0] == NULL ? NULL : strdup(values[0]);
    return 0;
}

/* Runs statements. Returns the first value of the last row, or an empty text. It is valid until the next call. */
HARNESS_UNUSED static const char *raw_run(struct raw_store *raw, const char *sql) {
    static char none[1];
    void *result;
    char *value;
    free(raw->answer);
    raw->answer = NULL;
    if (raw->server == NULL) {
        char *why = NULL;
        if (sqlite3_exec(raw->file, sql, raw_take, raw, &why) != SQLITE_OK) {
            harness_fault(__FILE__, __LINE__, sql, why);
            longjmp(harness.leave, 1);
        }
    } else {
        result = libpq.PQexec(raw->server, sql);
        if (libpq.PQresultStatus(result) != 1 && libpq.PQresultStatus(result) != 2) { /* neither a command nor rows */
            harness_fault(__FILE__, __LINE__, sql, libpq.PQerrorMessage(raw->server));
            longjmp(harness.leave, 1);
        }
        if (libpq.PQntuples(result) > 0 && !libpq.PQgetisnull(result, libpq.PQntuples(result) - 1, 0)) {
            value = libpq.PQgetvalue(result, libpq.PQntuples(result) - 1, 0);
            raw_take(raw, 1, &value, NULL);
        }
        libpq.PQclear(result);
    }
    return raw->answer == NULL ? none : raw->answer;
}

HARNESS_UNUSED static void raw_close(struct raw_store *raw) {
    if (raw->server != NULL) libpq.PQfinish(raw->server);
    if (raw->file != NULL) REQUIRE(sqlite3_close(raw->file) == SQLITE_OK);
    free(raw->answer);
}

static struct raw_store raw_open_server(void) {
    struct raw_store raw = { NULL, NULL, NULL };
    load_libpq();
    raw.server = libpq.PQconnectdb(harness_server());
    REQUIRE(libpq.PQstatus(raw.server) == 0);
    raw_run(&raw, "SET client_min_messages = warning; SET lock_timeout = 10000");
    return raw;
}

HARNESS_UNUSED static struct raw_store raw_open(const char *store) {
    struct raw_store raw = { NULL, NULL, NULL };
    const char *schema = store_on_server(store);
    char sql[200];
    if (schema == NULL) {
        REQUIRE(sqlite3_open(store, &raw.file) == SQLITE_OK);
        return raw;
    }
    raw = raw_open_server();
    snprintf(sql, sizeof sql, "CREATE SCHEMA IF NOT EXISTS %s; SET search_path = %s", schema, schema);
    raw_run(&raw, sql);
    return raw;
}

/* Runs statements on a store. Returns the first value of the last row as a number, or 0. */
HARNESS_UNUSED static long long run_sql(const char *store, const char *sql) {
    struct raw_store raw = raw_open(store);
    long long value = atoll(raw_run(&raw, sql));
    raw_close(&raw);
    return value;
}

/* Chooses the statement for the engine of the tests. */
#define EITHER_SQL(in_files, on_server) (harness_server() == NULL ? (in_files) : (on_server))

/* Whether a store contains these bytes: in its file or its log, or in a row of any of its tables. */
HARNESS_UNUSED static bool store_holds(const char *store, const void *bytes, size_t length) {
    char log[1300], hex[400];
    struct raw_store raw;
    const char *rows;
    bool holds;
    size_t i;
    if (store_on_server(store) == NULL) {
        snprintf(log, sizeof log, "%s-wal", store);
        return file_holds(store, bytes, length) || file_holds(log, bytes, length);
    }
    REQUIRE(2 * length < sizeof hex);
    for (i = 0; i < length; i++) snprintf(hex + 2 * i, 3, "%02X", ((const uint8_t *)bytes)[i]);
    raw = raw_open(store);
    rows = raw_run(&raw, "SET xmlbinary = hex; SELECT schema_to_xml(current_schema()::name, false, false, '')");
    REQUIRE(strstr(rows, "<store_schema>") != NULL); /* or it would hold nothing */
    holds = strstr(rows, hex) != NULL || harness_has(rows, strlen(rows), bytes, length);
    raw_close(&raw);
    return holds;
}

/* Whether the test's store was made: its file, or its schema. */
HARNESS_UNUSED static bool store_exists(void) {
    const char *schema = store_on_server(STORE);
    struct raw_store raw;
    char sql[200];
    bool exists;
    if (schema == NULL) return file_exists(STORE);
    raw = raw_open_server();
    snprintf(sql, sizeof sql, "SELECT count(*) FROM pg_namespace WHERE nspname = '%s'", schema);
    exists = atoi(raw_run(&raw, sql)) > 0;
    raw_close(&raw);
    return exists;
}

/* Waits until no process that has written to the test's store has it open any more, at most this many seconds. */
static bool store_closes_within(double seconds) {
    double until = seconds_now() + seconds;
    const char *schema = store_on_server(STORE);
    struct raw_store raw = { NULL, NULL, NULL };
    char sql[200];
    bool is_open;
    if (schema != NULL) {
        raw = raw_open_server();
        snprintf(sql, sizeof sql, "SELECT count(*) FROM pg_stat_activity WHERE application_name = '%s'", schema);
    }
    for (;;) {
        /* SQLite removes this file with the last connection. */
        is_open = schema == NULL ? file_exists(file_path("kinfolk.db-wal")) : atoi(raw_run(&raw, sql)) > 0;
        if (!is_open || seconds_now() >= until) break;
        pause_for(0.01);
    }
    raw_close(&raw);
    return !is_open;
}

/* Whether a process that has written to the test's store has it open. */
HARNESS_UNUSED static bool store_is_open(void) {
    return !store_closes_within(0);
}

/* Whether no process has it open any more. A server needs a moment to end a session. */
HARNESS_UNUSED static bool store_is_closed(void) {
    return store_closes_within(harness_server() == NULL ? 0 : 60);
}

/* Deletes the test's store and its key. No process may have it open. */
HARNESS_UNUSED static void store_remove(void) {
    static const char *const files[] = { "kinfolk.db", "kinfolk.db-wal", "kinfolk.db-shm", "kinfolk.key" };
    const char *schema = store_on_server(STORE);
    char sql[200];
    size_t i;
    for (i = 0; i < sizeof files / sizeof files[0]; i++) unlink(file_path(files[i]));
    if (schema == NULL) return;
    snprintf(sql, sizeof sql, "DROP SCHEMA IF EXISTS %s CASCADE", schema);
    run_sql(STORE, sql);
}

/* Drops all stores of the running test from the server. */
static void store_drop_schemas(void) {
    struct raw_store raw = raw_open_server();
    char schema[64], sql[300], *drop;
    store_schema("", schema);
    snprintf(sql, sizeof sql,
             "SELECT string_agg('DROP SCHEMA ' || nspname || ' CASCADE', ';') FROM pg_namespace WHERE starts_with(nspname, '%s')",
             schema);
    drop = strdup(raw_run(&raw, sql));
    if (drop[0] != '\0') raw_run(&raw, drop);
    free(drop);
    raw_close(&raw);
}

#endif
