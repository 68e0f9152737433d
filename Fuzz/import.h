/* import.h: checks for imports of contacts, which must hold for any text. */

#ifndef IMPORT_H
#define IMPORT_H

#include "fuzz.h"

typedef kinfolk_status (*add_fn)(kinfolk_contacts *contacts, const char *text, size_t length, kinfolk_import **report);

/* A book with one contact, which no import may change. */
static kinfolk_contacts *new_book(void) {
    kinfolk_contacts *book = NULL;
    OK(kinfolk_contacts_new(&book));
    OK(kinfolk_contacts_add_email(book, "first@example.com", "First"));
    return book;
}

static void check_first_contact(const kinfolk_contacts *book) {
    HOLDS(strcmp(kinfolk_contacts_label(book, 0), "First") == 0);
}

/* Whether a label contains no address: no at sign between two bytes that can be part of one. */
static bool has_no_address(const char *label) {
    const char *at = label;
    while ((at = strchr(at, '@')) != NULL) {
        if (at > label && strchr(" <>,;([", at[-1]) == NULL && at[1] != '\0' && strchr(" <>,;)]}", at[1]) == NULL &&
            (unsigned char)at[-1] < 0x80 && (unsigned char)at[1] < 0x80) /* others may be white space */
            return false;
        at++;
    }
    return true;
}

/* A report must agree with the book, and its numbers with each other. */
static void check_report(const kinfolk_contacts *book, const kinfolk_import *report, size_t lines_at_most) {
    size_t i, skips = kinfolk_import_skip_count(report), skipped = kinfolk_import_skipped(report);
    HOLDS(kinfolk_contacts_count(book) == 1 + kinfolk_import_added(report));
    HOLDS(skips == (skipped < 1000 ? skipped : 1000));
    HOLDS(kinfolk_import_without_email(report) <= kinfolk_import_entries(report));
    for (i = 0; i < skips; i++) {
        HOLDS(kinfolk_import_skip_line(report, i) >= 1 && kinfolk_import_skip_line(report, i) <= lines_at_most);
        HOLDS(is_one_line(kinfolk_import_skip_reason(report, i)));
        HOLDS(kinfolk_import_skip_reason(report, i)[0] != '\0');
    }
    HOLDS(kinfolk_import_skip_line(report, skips) == 0 && kinfolk_import_skip_reason(report, skips) == NULL);
    for (i = 1; i < kinfolk_contacts_count(book); i++) {
        const char *label = kinfolk_contacts_label(book, i);
        HOLDS(is_one_line(label) && strlen(label) <= 1024 && has_no_address(label));
    }
    check_first_contact(book);
}

/* Two books must have the same contacts, in the same order, with the same labels. */
static bool same_books(const kinfolk_contacts *one, const kinfolk_contacts *other) {
    size_t i, count = kinfolk_contacts_count(one);
    uint8_t left[KINFOLK_CONTACT_HASH_LENGTH], right[KINFOLK_CONTACT_HASH_LENGTH];
    if (count != kinfolk_contacts_count(other)) return false;
    for (i = 0; i < count; i++) {
        OK(kinfolk_contacts_get_hash(one, i, left));
        OK(kinfolk_contacts_get_hash(other, i, right));
        if (memcmp(left, right, sizeof left) != 0) return false;
        if (strcmp(kinfolk_contacts_label(one, i), kinfolk_contacts_label(other, i)) != 0) return false;
    }
    return true;
}

static size_t count_lines(const uint8_t *data, size_t size) {
    size_t lines = 1, i;
    for (i = 0; i < size; i++) lines += data[i] == '\r' || data[i] == '\n';
    return lines;
}

/* Converts a UTF-8 text to UTF-16 with a byte-order mark, to be freed. */
static uint8_t *utf_16(const uint8_t *data, size_t size, bool is_big, size_t *length) {
    uint8_t *wide = malloc(2 * size + 2);
    size_t at = 0, to = 0;
    if (wide == NULL) abort();
#define PUT(unit) (wide[to + !is_big] = (uint8_t)((unit) >> 8), wide[to + is_big] = (uint8_t)(unit), to += 2)
    PUT(0xfeffu);
    while (at < size) {
        uint32_t c = data[at++];
        int more = c < 0x80 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
        if (more > 0) c &= 0x3fu >> more;
        for (; more > 0; more--) c = c << 6 | (data[at++] & 0x3fu);
        if (c >= 0x10000) {
            PUT(0xd800u + ((c - 0x10000) >> 10));
            c = 0xdc00u + (c & 0x3ffu);
        }
        PUT(c);
    }
    *length = to;
    return wide;
}

/* Adds the text to a new book, and checks the result. The caller frees the book. */
static kinfolk_contacts *import_text(add_fn add, const uint8_t *data, size_t size) {
    kinfolk_contacts *book = new_book();
    kinfolk_import *report = NULL;
    kinfolk_status status = add(book, (const char *)data, size, &report);
    if (status == KINFOLK_OK) {
        check_report(book, report, count_lines(data, size));
        kinfolk_import_free(report);
    } else {
        FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_LIMIT_EXCEEDED);
        HOLDS(report == NULL && kinfolk_contacts_count(book) == 1);
        check_first_contact(book);
    }
    return book;
}

/* Runs one input of a target: as it is, and converted to UTF-16 if it is UTF-8. */
FUZZ_UNUSED static void check_import(add_fn add, const uint8_t *data, size_t size) {
    kinfolk_contacts *book = import_text(add, data, size), *again;
    /* A text with a NUL may count as UTF-16 already: without a mark, UTF-16 is recognised by its NULs. */
    bool may_be_wide = size >= 3 && (memchr(data, 0, size) != NULL || (data[0] == 0xef && data[1] == 0xbb));
    if (!may_be_wide && size > 0 && is_utf_8((const char *)data, size)) {
        size_t length;
        uint8_t *wide = utf_16(data, size, data[size / 2] & 1, &length);
        again = import_text(add, wide, length);
        HOLDS(same_books(book, again));
        kinfolk_contacts_free(again);
        free(wide);
    }
    kinfolk_contacts_free(book);
}

#endif
