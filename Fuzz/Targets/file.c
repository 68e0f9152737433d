/* Files: kinfolk_contacts_add_file finds the same as one of the five functions for texts, in any number of pieces. */

#define _GNU_SOURCE
#include "import.h"
#include "memory_file.h"

enum { SEVERAL_PIECES = 300000 };

static void check_file(const uint8_t *data, size_t size) {
    static const add_fn adds[] = { kinfolk_contacts_add_vcard, kinfolk_contacts_add_csv, kinfolk_contacts_add_text,
                                   kinfolk_contacts_add_ldif, kinfolk_contacts_add_jcard };
    kinfolk_contacts *book = new_book(), *other;
    kinfolk_import *report = NULL;
    kinfolk_status status = kinfolk_contacts_add_file(book, file_with(data, size), &report);
    bool is_found = false;
    size_t i;
    if (status == KINFOLK_OK) {
        check_report(book, report, count_lines(data, size));
        for (i = 0; i < sizeof adds / sizeof adds[0] && !is_found; i++) {
            other = import_text(adds[i], data, size);
            is_found = same_books(book, other);
            kinfolk_contacts_free(other);
        }
        HOLDS(is_found);
        kinfolk_import_free(report);
    } else {
        FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_LIMIT_EXCEEDED);
        HOLDS(report == NULL && kinfolk_contacts_count(book) == 1);
    }
    kinfolk_contacts_free(book);
}

/* Whether to repeat the input until it is longer than one piece. Only one in 64 of the inputs that ask for it is, because that
 * takes a thousand times as long. */
static bool is_repeated(const uint8_t *data, size_t size) {
    unsigned sum = 0;
    size_t i;
    for (i = 0; i < size; i++) sum += data[i];
    return data[0] == 0xff && size > 64 && sum % 64 == 0;
}

/* The first byte is no part of the file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    if (is_repeated(data, size)) {
        size_t unit = size - 1, length = 0;
        uint8_t *large = malloc(SEVERAL_PIECES + unit);
        if (large == NULL) abort();
        for (; length < SEVERAL_PIECES; length += unit) memcpy(large + length, data + 1, unit);
        check_file(large, length);
        free(large);
    } else {
        check_file(data + 1, size - 1);
    }
    return 0;
}
