#ifndef KINFOLK_CLIBPQ_SHIM_H
#define KINFOLK_CLIBPQ_SHIM_H

#include <dlfcn.h>
#include <stddef.h>

// What is used of libpq, version 14 and later (https://www.postgresql.org/docs/current/libpq.html). The library is loaded when
// the first address of a server is opened, so its header is not needed to build, nor the library to run, without one.

typedef struct kinfolk_pg_connection kinfolk_pg_connection;
typedef struct kinfolk_pg_result kinfolk_pg_result;
// PGnotify, whose fields are not used.
typedef struct kinfolk_pg_notification kinfolk_pg_notification;
typedef unsigned int kinfolk_pg_oid;
typedef void (*kinfolk_pg_notice_processor)(void *context, const char *message);

// The first fields of PQconninfoOption, whose size differs by none between versions.
typedef struct {
    char *keyword, *envvar, *compiled, *value, *label, *dispchar;
    int dispsize;
} kinfolk_pg_option;

enum { KINFOLK_PG_CONNECTION_OK = 0 };
enum { KINFOLK_PG_IDLE = 0, KINFOLK_PG_IN_TRANSACTION = 2, KINFOLK_PG_IN_FAILED_TRANSACTION = 3 };
enum {
    KINFOLK_PG_EMPTY_QUERY = 0,
    KINFOLK_PG_COMMAND_OK = 1,
    KINFOLK_PG_TUPLES_OK = 2,
    KINFOLK_PG_PIPELINE_SYNC = 10,
    KINFOLK_PG_PIPELINE_ABORTED = 11,
};
enum { KINFOLK_PG_DIAGNOSTIC_SQLSTATE = 'C' };

#define KINFOLK_PG_FUNCTIONS(F)                                                                                                \
    F(kinfolk_pg_connection *, PQconnectdbParams, (const char *const *, const char *const *, int))                             \
    F(kinfolk_pg_connection *, PQconnectStartParams, (const char *const *, const char *const *, int))                          \
    F(kinfolk_pg_option *, PQconninfo, (kinfolk_pg_connection *))                                                              \
    F(int, PQstatus, (const kinfolk_pg_connection *))                                                                          \
    F(void, PQfinish, (kinfolk_pg_connection *))                                                                               \
    F(char *, PQerrorMessage, (const kinfolk_pg_connection *))                                                                 \
    F(int, PQsocket, (const kinfolk_pg_connection *))                                                                          \
    F(int, PQtransactionStatus, (const kinfolk_pg_connection *))                                                               \
    F(int, PQsetnonblocking, (kinfolk_pg_connection *, int))                                                                   \
    F(kinfolk_pg_notice_processor, PQsetNoticeProcessor, (kinfolk_pg_connection *, kinfolk_pg_notice_processor, void *))       \
    F(int, PQsendQuery, (kinfolk_pg_connection *, const char *))                                                               \
    F(int, PQsendQueryParams,                                                                                                  \
      (kinfolk_pg_connection *, const char *, int, const kinfolk_pg_oid *, const char *const *, const int *, const int *, int))\
    F(int, PQsendPrepare, (kinfolk_pg_connection *, const char *, const char *, int, const kinfolk_pg_oid *))                  \
    F(int, PQsendQueryPrepared,                                                                                                \
      (kinfolk_pg_connection *, const char *, int, const char *const *, const int *, const int *, int))                        \
    F(int, PQflush, (kinfolk_pg_connection *))                                                                                 \
    F(int, PQconsumeInput, (kinfolk_pg_connection *))                                                                          \
    F(int, PQisBusy, (kinfolk_pg_connection *))                                                                                \
    F(kinfolk_pg_result *, PQgetResult, (kinfolk_pg_connection *))                                                             \
    F(int, PQenterPipelineMode, (kinfolk_pg_connection *))                                                                     \
    F(int, PQexitPipelineMode, (kinfolk_pg_connection *))                                                                      \
    F(int, PQpipelineSync, (kinfolk_pg_connection *))                                                                          \
    F(int, PQresultStatus, (const kinfolk_pg_result *))                                                                        \
    F(char *, PQresultErrorField, (const kinfolk_pg_result *, int))                                                            \
    F(int, PQnfields, (const kinfolk_pg_result *))                                                                             \
    F(int, PQntuples, (const kinfolk_pg_result *))                                                                             \
    F(char *, PQgetvalue, (const kinfolk_pg_result *, int, int))                                                               \
    F(int, PQgetlength, (const kinfolk_pg_result *, int, int))                                                                 \
    F(int, PQgetisnull, (const kinfolk_pg_result *, int, int))                                                                 \
    F(char *, PQcmdStatus, (kinfolk_pg_result *))                                                                              \
    F(char *, PQcmdTuples, (kinfolk_pg_result *))                                                                              \
    F(kinfolk_pg_notification *, PQnotifies, (kinfolk_pg_connection *))                                                        \
    F(void, PQfreemem, (void *))                                                                                               \
    F(void, PQclear, (kinfolk_pg_result *))                                                                                    \
    F(kinfolk_pg_option *, PQconninfoParse, (const char *, char **))                                                           \
    F(void, PQconninfoFree, (kinfolk_pg_option *))

#define KINFOLK_PG_MEMBER(result, name, parameters) result (*name) parameters;
typedef struct {
    KINFOLK_PG_FUNCTIONS(KINFOLK_PG_MEMBER)
} kinfolk_pg;
#undef KINFOLK_PG_MEMBER

// 0, or -1 if there is no such library, or -2 if it is older than we need.
static inline int kinfolk_pg_load(kinfolk_pg *functions) {
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!library) return -1;
#define KINFOLK_PG_FIND(result, name, parameters)                                                                              \
    if (!(*(void **)&functions->name = dlsym(library, #name))) return -2;
    KINFOLK_PG_FUNCTIONS(KINFOLK_PG_FIND)
#undef KINFOLK_PG_FIND
    return 0;
}

#endif
