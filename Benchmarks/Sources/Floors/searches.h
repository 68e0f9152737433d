/* searches.h: records of one type that are found by words and by distance. */

#ifndef SEARCHES_H
#define SEARCHES_H

#include "record_rows.h"

enum { SEARCH_WORDS = 3, SEARCH_WORD = 6, CELL_LEVELS = 4, SEARCH_RESULTS = 32768 };

/* Numbers in ascending order. */
typedef struct {
    int64_t numbers[SEARCH_RESULTS];
    size_t count;
} number_list;

struct floor_searches {
    floor_store *store;
    database database;
    int64_t type, text, home, words; /* the type and its fields */
    size_t count;                    /* of all records */
    record_row model;                /* the record with the number 0 */
    number_list lists[3];
};

/* The tag of the cell in which a point is, or of one with a row and a column. */
void cell_tag(const floor_searches *searches, uint8_t *tag, int level, int64_t row, int64_t column);
void cell_tag_of(const floor_searches *searches, uint8_t *tag, int level, const double *point);

/* Where the point of an entry is sealed. */
sealed_place place_of_cell(const floor_searches *searches, const uint8_t *tag, int64_t number);

/* Opens a record. */
void search_open(floor_searches *searches, int64_t number);

#endif
