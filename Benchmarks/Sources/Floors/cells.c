/* cells.c: the search of an index of locations, with SQL statements only. */

#include "searches.h"

#include <math.h>
#include <string.h>

#define DEGREE 0.017453292519943295
#define RADIUS 6371008.8

static const int64_t level_rows[CELL_LEVELS] = { 1 << 14, 1 << 11, 1 << 8, 1 << 5 };

static int64_t columns_of(int level, int64_t row) {
    const int64_t middle = 2 * row + 1, whole = 2 * level_rows[level], product = middle * (whole - middle);
    return whole * 16 * product / (5 * whole * whole - 4 * product);
}

static int64_t row_of(int level, double latitude) { return (int64_t)floor((latitude + 90) / 180 * (double)level_rows[level]); }

static int64_t column_of(double longitude, int64_t columns) {
    return (int64_t)floor((longitude + 180) / 360 * (double)columns);
}

void cell_tag(const floor_searches *searches, uint8_t *tag, int level, int64_t row, int64_t column) {
    const uint32_t at_row = (uint32_t)row, at_column = (uint32_t)column;
    uint8_t cell[9];
    memcpy(cell, &at_row, 4);
    memcpy(cell + 4, &at_column, 4);
    cell[8] = (uint8_t)level;
    make_record_tag(tag, &searches->store->keys, searches->database.owner, TAG_OF_CELL, searches->home, cell, sizeof cell);
}

void cell_tag_of(const floor_searches *searches, uint8_t *tag, int level, const double *point) {
    const int64_t row = row_of(level, point[0]);
    cell_tag(searches, tag, level, row, column_of(point[1], columns_of(level, row)));
}

sealed_place place_of_cell(const floor_searches *searches, const uint8_t *tag, int64_t number) {
    sealed_place place = place_of(&searches->store->keys.container_sealing, "cell_entries", "sealed_point");
    place_add_number(&place, searches->store->keys.container);
    place_add(&place, tag, FLOOR_ID);
    place_add_number(&place, number);
    return place;
}

/* How far, in degrees of longitude, the points of a circle at a latitude are from its centre. */
static double width_at(double latitude, const double *centre, double angle) {
    const double height = sin((latitude - centre[0]) / 2 * DEGREE), radius = sin(angle / 2);
    const double rest = (radius - height) * (radius + height);
    return rest > 0 ? 2 * asin(sqrt(rest / (cos(latitude * DEGREE) * cos(centre[0] * DEGREE)))) / DEGREE : 0;
}

/* The same between two latitudes. */
static double width_between(double south, double north, const double *centre, double angle) {
    const double widest = asin(sin(centre[0] * DEGREE) / cos(angle)) / DEGREE;
    if (south <= widest && widest <= north) return width_at(widest, centre, angle);
    return fmax(width_at(south, centre, angle), width_at(north, centre, angle));
}

/* Opens the points in a cell, and the records of those within the distance; returns the number of these. */
static size_t open_cell(floor_searches *searches, const uint8_t *tag, const double *centre, double angle) {
    const sealing_key *key = &searches->store->keys.container_sealing;
    const double limit = sin(angle / 2) * sin(angle / 2), cosine = cos(centre[0] * DEGREE);
    sqlite3_stmt *rows = store_statement(searches->store, CELL_ROWS,
                                         "SELECT number, sealed_point FROM cell_entries"
                                         " WHERE container_id = ?1 AND owner = ?2 AND zone = 0 AND tag = ?3");
    size_t found = 0;
    sqlite3_bind_int64(rows, 1, searches->store->keys.container);
    bind_bytes(rows, 2, searches->database.owner, FLOOR_ID);
    bind_bytes(rows, 3, tag, FLOOR_ID);
    while (sqlite3_step(rows) == SQLITE_ROW) {
        const int64_t number = sqlite3_column_int64(rows, 0);
        const sealed_place place = place_of_cell(searches, tag, number);
        const size_t length = (size_t)sqlite3_column_bytes(rows, 1);
        uint8_t opened[128];
        double point[2], height, width;
        REQUIRE(length <= sizeof opened);
        REQUIRE(unseal(key, &place, sqlite3_column_blob(rows, 1), length, opened) == sizeof point);
        memcpy(point, opened, sizeof point);
        height = sin((point[0] - centre[0]) / 2 * DEGREE);
        width = sin((point[1] - centre[1]) / 2 * DEGREE);
        if (height * height + cosine * cos(point[0] * DEGREE) * width * width >= limit) continue;
        search_open(searches, number);
        found++;
    }
    sqlite3_reset(rows);
    return found;
}

size_t floor_searches_near(floor_searches *searches, const double *centre, double metres) {
    enum { LEVEL = 1 }; /* the smallest cells of which few cover 10 km */
    const double angle = metres / RADIUS, height = 180.0 / (double)level_rows[LEVEL];
    const int64_t last = row_of(LEVEL, centre[0] + angle / DEGREE);
    int64_t row = row_of(LEVEL, centre[0] - angle / DEGREE), column;
    size_t found = 0;
    uint8_t tag[FLOOR_ID];
    store_do(searches->store->begin);
    for (; row <= last; row++) {
        const double south = fmax((double)row * height - 90, centre[0] - angle / DEGREE);
        const double north = fmin((double)(row + 1) * height - 90, centre[0] + angle / DEGREE);
        const double width = width_between(south, north, centre, angle);
        const int64_t columns = columns_of(LEVEL, row);
        for (column = column_of(centre[1] - width, columns); column <= column_of(centre[1] + width, columns); column++) {
            cell_tag(searches, tag, LEVEL, row, column);
            found += open_cell(searches, tag, centre, angle);
        }
    }
    store_do(searches->store->commit);
    return found;
}
