/* record_rows.h: the rows of records in the default zone of a database. */

#ifndef RECORD_ROWS_H
#define RECORD_ROWS_H

#include "store.h"

enum { RECORD_CONTENT = 4096, RECORD_CHANGE_TAG = 8 };

/* A database: the public one has no owner. */
typedef struct {
    uint8_t owner[FLOOR_ID];
    size_t owner_length;
} database;

/* A row as it is read. */
typedef struct {
    int64_t number, type, created, modified;
    uint8_t content[RECORD_CONTENT];
    size_t length, sealed_length;
} record_row;

sealed_place place_of_record(const floor_store *store, const database *in, const uint8_t *tag, int64_t type);

/* Reads and opens the row with a tag. */
bool record_fetch(floor_store *store, const database *in, const uint8_t *tag, record_row *row);

/* Seals the content of a row and inserts it; returns the sealed length. */
size_t record_insert(floor_store *store, const database *in, const uint8_t *tag, const record_row *row);

/* Seals the content of a row and writes it over the row with its number. */
void record_update(floor_store *store, const database *in, const uint8_t *tag, const record_row *row);

/* Inserts an index entry; adds to the number of bytes of all records. */
void record_enter(floor_store *store, const database *in, const uint8_t *tag, int64_t number);
void record_count_bytes(floor_store *store, const database *in, int64_t bytes);

/* Opens the rows of a statement that selects the tag of the name, the type and the content, and returns their number. */
size_t record_open_rows(floor_store *store, const database *in, sqlite3_stmt *statement);

/* Where a value is in the content of a row. */
size_t record_find(const record_row *row, const void *value, size_t length);

/* The numbers of a record type and of one of its fields, and the field's options. */
int64_t record_type_number(floor_store *store, const char *type);
int64_t record_field_number(floor_store *store, int64_t type, const char *field);
int64_t record_field_options(floor_store *store, int64_t type, const char *field);

#endif
