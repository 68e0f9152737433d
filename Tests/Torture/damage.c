/* Damages the file of a store and its write-ahead log, as disks, file systems and people do. */

#include "damage.h"

#include <sqlite3.h>
#include <stdarg.h>

enum { PAGE = 4096, SECTOR = 512, LOG_HEADER = 32, FRAME_HEADER = 24 };

struct image {
    uint8_t *bytes;
    long size;
};

static char *report;
static size_t report_length;

static void say(const char *format, ...) {
    size_t used = strlen(report);
    va_list values;
    va_start(values, format);
    vsnprintf(report + used, report_length - used, format, values);
    va_end(values);
}

static struct image read_image(const char *path) {
    struct image image = { NULL, 0 };
    FILE *file = fopen(path, "rb");
    if (file == NULL) return image;
    fseek(file, 0, SEEK_END);
    image.size = ftell(file);
    rewind(file);
    image.bytes = malloc((size_t)image.size + 1);
    if (image.bytes == NULL || fread(image.bytes, 1, (size_t)image.size, file) != (size_t)image.size) give_up(path);
    fclose(file);
    return image;
}

static void write_image(const char *path, struct image image) {
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(image.bytes, 1, (size_t)image.size, file) != (size_t)image.size || fclose(file) != 0)
        give_up(path);
    free(image.bytes);
}

static uint32_t number_at(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}
static void set_number(uint8_t *at, uint32_t number) {
    at[0] = (uint8_t)(number >> 24), at[1] = (uint8_t)(number >> 16);
    at[2] = (uint8_t)(number >> 8), at[3] = (uint8_t)number;
}

/* ---- Random bytes */

static void flip_bits(uint8_t *bytes, long from, long to, struct dice *dice) {
    long count = 1 + (dice_below(dice, 3) == 0 ? dice_below(dice, 16) : 0), i;
    for (i = 0; i < count; i++) {
        long at = from + dice_below(dice, to - from);
        bytes[at] ^= (uint8_t)(1 << dice_below(dice, 8));
        if (i < 4) say(" bit at %ld", at);
    }
}

static void fill(uint8_t *bytes, long length, struct dice *dice) {
    bool is_zero = dice_below(dice, 2) == 0;
    long i;
    for (i = 0; i < length; i++) bytes[i] = is_zero ? 0 : (uint8_t)dice_roll(dice);
}

/* ---- The start of a B-tree page: its header, its pointers to cells and to other pages */

static void spoil_structure(uint8_t *page, bool is_first, long pages, struct dice *dice) {
    uint8_t *header = page + (is_first ? 100 : 0);
    bool is_interior = header[0] == 2 || header[0] == 5;
    long cells = header[3] << 8 | header[4], cell = cells > 0 ? dice_below(dice, cells) : 0;
    uint8_t *pointer = header + (is_interior ? 12 : 8) + 2 * cell;
    long offset = pointer + 2 <= page + PAGE ? pointer[0] << 8 | pointer[1] : 0;
    switch (dice_below(dice, 6)) {
    case 0: header[dice_below(dice, 8)] ^= (uint8_t)(1 << dice_below(dice, 8)); break;
    case 1: /* another page, or itself: a loop */
        if (is_interior) set_number(header + 8, (uint32_t)dice_below(dice, pages + 2));
        else header[0] = (uint8_t)(dice_below(dice, 2) ? 5 : 10);
        break;
    case 2:
        if (is_interior && offset + 4 < PAGE) set_number(page + offset, (uint32_t)dice_below(dice, pages + 2));
        else pointer[1] ^= (uint8_t)(1 << dice_below(dice, 8));
        break;
    case 3: /* the same cell twice */
        if (cells > 1) memcpy(pointer, header + (is_interior ? 12 : 8), 2);
        break;
    default: /* the lengths and types at the start of a cell */
        if (offset + 12 < PAGE) page[offset + dice_below(dice, 12)] ^= (uint8_t)(1 << dice_below(dice, 8));
        break;
    }
    say(" structure");
}

static void spoil_page(uint8_t *page, long number, long pages, struct dice *dice) {
    switch (dice_below(dice, 5)) {
    case 0: flip_bits(page, 0, PAGE, dice); break;
    case 1: fill(page + SECTOR * dice_below(dice, PAGE / SECTOR), SECTOR, dice), say(" sector"); break;
    case 2: fill(page, PAGE, dice), say(" whole"); break;
    default: spoil_structure(page, number == 0, pages, dice); break;
    }
    say(" of page %ld;", number + 1);
}

/* ---- The file */

static void damage_file(const char *store, struct dice *dice) {
    struct image image = read_image(store);
    long pages = image.size / PAGE, one = dice_below(dice, pages), other = dice_below(dice, pages);
    if (pages == 0) give_up(store);
    switch (dice_below(dice, 12)) {
    case 0: /* the header of the file */
        say("header:");
        flip_bits(image.bytes, 0, 100, dice);
        break;
    case 1: /* the schema */
        say("schema:");
        flip_bits(image.bytes, 100, PAGE, dice);
        break;
    case 2:
        image.size = dice_below(dice, 2) ? PAGE * one : 1 + dice_below(dice, image.size);
        say("truncated to %ld;", image.size);
        break;
    case 3: {
        uint8_t page[PAGE];
        memcpy(page, image.bytes + PAGE * one, PAGE);
        memcpy(image.bytes + PAGE * one, image.bytes + PAGE * other, PAGE);
        memcpy(image.bytes + PAGE * other, page, PAGE);
        say("pages %ld and %ld swapped;", one + 1, other + 1);
        break;
    }
    case 4:
        memcpy(image.bytes + PAGE * one, image.bytes + PAGE * other, PAGE);
        say("page %ld is page %ld;", one + 1, other + 1);
        break;
    case 5:
        say("anywhere:");
        flip_bits(image.bytes, 0, image.size, dice);
        break;
    default: spoil_page(image.bytes + PAGE * one, one, pages, dice); break;
    }
    write_image(store, image);
}

/* ---- The write-ahead log (https://www.sqlite.org/fileformat2.html#the_write_ahead_log) */

static void add_checksum(const uint8_t *bytes, long length, bool is_big, uint32_t sum[2]) {
    long i;
    for (i = 0; i < length; i += 8) {
        uint32_t one, two;
        if (is_big) {
            one = number_at(bytes + i), two = number_at(bytes + i + 4);
        } else {
            memcpy(&one, bytes + i, 4);
            memcpy(&two, bytes + i + 4, 4);
        }
        sum[0] += one + sum[1];
        sum[1] += two + sum[0];
    }
}

/* Makes the checksums valid again, as if the damage had happened before the log was written. */
static void seal_log(struct image log) {
    bool is_big = log.bytes[3] & 1;
    uint32_t sum[2] = { 0, 0 };
    long at;
    add_checksum(log.bytes, 24, is_big, sum);
    set_number(log.bytes + 24, sum[0]);
    set_number(log.bytes + 28, sum[1]);
    for (at = LOG_HEADER; at + FRAME_HEADER + PAGE <= log.size; at += FRAME_HEADER + PAGE) {
        add_checksum(log.bytes + at, 8, is_big, sum);
        add_checksum(log.bytes + at + FRAME_HEADER, PAGE, is_big, sum);
        set_number(log.bytes + at + 16, sum[0]);
        set_number(log.bytes + at + 20, sum[1]);
    }
}

static bool damage_log(const char *store, struct dice *dice) {
    const char *path = text("%s-wal", store);
    struct image log = read_image(path);
    long frames = (log.size - LOG_HEADER) / (FRAME_HEADER + PAGE), frame;
    uint8_t *at;
    if (frames <= 0) {
        free(log.bytes);
        return false;
    }
    frame = dice_below(dice, frames);
    at = log.bytes + LOG_HEADER + frame * (FRAME_HEADER + PAGE);
    say("log of %ld frames:", frames);
    switch (dice_below(dice, 6)) {
    case 0: flip_bits(log.bytes, 0, LOG_HEADER, dice); break;
    case 1: flip_bits(log.bytes, 0, log.size, dice); break;
    case 2:
        log.size = dice_below(dice, log.size);
        say(" truncated to %ld;", log.size);
        break;
    case 3: /* a frame for another page */
        set_number(at, (uint32_t)dice_below(dice, frames) + 1);
        say(" frame %ld for another page;", frame);
        seal_log(log);
        break;
    default:
        say(" frame %ld:", frame);
        spoil_page(at + FRAME_HEADER, (long)number_at(at) - 1, 300, dice);
        seal_log(log);
        break;
    }
    write_image(path, log);
    return true;
}

/* ---- A row, changed with SQL by somebody who does not have the key */

static sqlite3 *open_database(const char *store) {
    sqlite3 *db = NULL;
    if (sqlite3_open_v2(store, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) give_up("sqlite3_open_v2");
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    return db;
}

static bool run(sqlite3 *db, const char *sql) { return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK; }

/* The text in the first column of a query's first row; NULL if there is none. */
static const char *ask(sqlite3 *db, const char *sql) {
    sqlite3_stmt *query = NULL;
    const char *answer = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &query, NULL) == SQLITE_OK && sqlite3_step(query) == SQLITE_ROW &&
        sqlite3_column_type(query, 0) != SQLITE_NULL)
        answer = text("%s", (const char *)sqlite3_column_text(query, 0));
    sqlite3_finalize(query);
    return answer;
}

static long ask_number(sqlite3 *db, const char *sql) {
    const char *answer = ask(db, sql);
    return answer == NULL ? 0 : atol(answer);
}

/* An SQL expression for the new value of a column. */
static const char *another_value(const char *table, const char *column, struct dice *dice) {
    static const char *const values[] = { "0",      "-1",          "1",          "3",           "9223372036854775807",
                                          "4294967296", "-9223372036854775808", "2147483648", "1e300",       "'x'",
                                          "''",     "x''",         "x'00'",      "zeroblob(16)", "zeroblob(64)",
                                          "zeroblob(5000)", "NULL", "-1.5",      "9e999",       "'9223372036854775808'" };
    switch (dice_below(dice, 5)) {
    case 0: return text("substr(%s, 1, length(%s) - 1)", column, column);
    case 1:
        return text("CASE typeof(%s) WHEN 'integer' THEN %s + %ld ELSE CAST(%s || x'%02lx' AS BLOB) END", column, column,
                    dice_below(dice, 5) - 2, column, dice_below(dice, 256));
    case 2:
        return text("(SELECT %s FROM %s LIMIT 1 OFFSET %ld)", column, table, dice_below(dice, 5));
    case 3: {
        long at = dice_below(dice, 40) + 1;
        return text("CASE typeof(%s) WHEN 'integer' THEN %s | %ld ELSE "
                    "CAST(substr(%s, 1, %ld) || x'%02lx' || substr(%s, %ld) AS BLOB) END",
                    column, column, 1L << dice_below(dice, 62), column, at, dice_below(dice, 256), column, at + 2);
    }
    default: return values[dice_below(dice, (long)(sizeof values / sizeof values[0]))];
    }
}

static void damage_rows(const char *store, struct dice *dice) {
    sqlite3 *db = open_database(store);
    long tables = ask_number(db, "SELECT count(*) FROM sqlite_master WHERE type = 'table'");
    const char *table = ask(db, text("SELECT name FROM sqlite_master WHERE type = 'table' LIMIT 1 OFFSET %ld",
                                     dice_below(dice, tables)));
    long columns = ask_number(db, text("SELECT count(*) FROM pragma_table_info('%s')", table));
    const char *column =
        ask(db, text("SELECT name FROM pragma_table_info('%s') LIMIT 1 OFFSET %ld", table, dice_below(dice, columns)));
    const char *key = ask(db, text("SELECT group_concat(name, ', ') FROM pragma_table_info('%s') WHERE pk > 0", table));
    long row = dice_below(dice, ask_number(db, text("SELECT count(*) FROM %s", table)));
    const char *where = text("(%s) = (SELECT %s FROM %s LIMIT 1 OFFSET %ld)", key, key, table, row);
    const char *value = another_value(table, column, dice), *all, *sql = "";
    bool is_loose = strcmp(value, "NULL") == 0;
    if (table == NULL || column == NULL || key == NULL) {
        say("no table found;"); /* earlier damage */
        sqlite3_close(db);
        return;
    }
    switch (dice_below(dice, 10)) {
    case 0: sql = text("DELETE FROM %s WHERE %s", table, where); break;
    case 1: sql = dice_below(dice, 4) ? text("DELETE FROM %s WHERE %s", table, where) : text("DELETE FROM %s", table); break;
    case 2: /* an additional row */
        all = ask(db, text("SELECT group_concat(CASE name WHEN '%s' THEN '%s' ELSE name END, ', ') "
                           "FROM pragma_table_info('%s')",
                           column, "zeroblob(16)", table));
        sql = text("INSERT OR IGNORE INTO %s SELECT %s FROM %s WHERE %s", table, all, table, where);
        break;
    case 3: sql = text("UPDATE OR IGNORE %s SET %s = %s", table, column, value); break;
    default: sql = text("UPDATE OR IGNORE %s SET %s = %s WHERE %s", table, column, value, where); break;
    }
    if (is_loose) {
        /* Allows NULL in all columns while it runs. */
        (void)run(db, "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', 'NOT  NUL'); "
                      "PRAGMA writable_schema = OFF");
        sqlite3_close(db);
        db = open_database(store);
    }
    say("%s%s;", sql, run(db, sql) ? "" : " (refused)");
    if (is_loose)
        (void)run(db, "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'NOT  NUL', 'NOT NULL')");
    sqlite3_close(db);
}

/* Changes the schema, so that tables, columns and indices differ from the original ones. */
static void damage_schema(const char *store, struct dice *dice) {
    sqlite3 *db = open_database(store);
    long entries = ask_number(db, "SELECT count(*) FROM sqlite_master");
    const char *where = text("rowid = (SELECT rowid FROM sqlite_master LIMIT 1 OFFSET %ld)", dice_below(dice, entries));
    const char *sql;
    switch (dice_below(dice, 6)) {
    case 0: sql = text("DELETE FROM sqlite_master WHERE %s", where); break;
    case 1: sql = text("UPDATE sqlite_master SET rootpage = %ld WHERE %s", dice_below(dice, 60), where); break;
    case 2: sql = text("UPDATE sqlite_master SET sql = replace(sql, 'BLOB', 'TEXT') WHERE %s", where); break;
    case 3: sql = text("UPDATE sqlite_master SET sql = replace(sql, '_id', '_ix') WHERE %s", where); break;
    case 4: sql = text("UPDATE sqlite_master SET name = 'x' || name, tbl_name = 'x' || tbl_name WHERE %s", where); break;
    default: sql = text("UPDATE sqlite_master SET sql = replace(sql, ' WITHOUT ROWID', '') WHERE %s", where); break;
    }
    (void)run(db, "PRAGMA writable_schema = ON");
    say("%s%s;", sql, run(db, sql) ? "" : " (refused)");
    sqlite3_close(db);
}

void damage(const char *store, struct dice *dice, char *what, size_t length) {
    /* Mostly one kind of damage. */
    long times = dice_below(dice, 4) ? 1 : 1 + dice_below(dice, 4);
    report = what;
    report_length = length;
    what[0] = '\0';
    while (times-- > 0) {
        bool has_log = access(text("%s-wal", store), F_OK) == 0;
        switch (dice_below(dice, 8)) {
        case 0: /* SQLite, which damages rows, takes the log into the file */
        case 1:
        case 2:
        case 3:
            if (dice_below(dice, 12) == 0) damage_schema(store, dice);
            else damage_rows(store, dice);
            return;
        case 4:
        case 5:
            if (has_log && damage_log(store, dice)) break;
            /* fall through */
        default: damage_file(store, dice); break;
        }
    }
}
