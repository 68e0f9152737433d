/*
 * Files of people: kinfolk_container_import_people. Its report agrees with the store, and importing the same file again makes
 * no accounts. The input begins with a wording, followed by the file.
 */

#define _GNU_SOURCE
#include "store.h"

#include "memory_file.h"

enum { FRESH_AFTER = 500 };

static kinfolk_service *service;
static kinfolk_container *notes;
static unsigned turns;

static void begin(void) {
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
    service = store_make();
    OK(kinfolk_container_create(service, NOTES, &notes));
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    begin();
    return 0;
}

static uint64_t count_people(void) {
    kinfolk_statistics *statistics = NULL;
    uint64_t people;
    OK(kinfolk_container_statistics(notes, &statistics));
    people = kinfolk_statistics_people(statistics);
    HOLDS(kinfolk_statistics_granted(statistics) + kinfolk_statistics_denied(statistics)
              + kinfolk_statistics_undetermined(statistics) == people);
    kinfolk_statistics_free(statistics);
    return people;
}

static bool note_progress(uint64_t done, uint64_t total, void *context) {
    uint64_t *last = context;
    HOLDS(done >= *last && (total == 0 || total >= done));
    *last = done;
    return true;
}

/* Returns how many accounts were made. */
static size_t check_people(const uint8_t *data, size_t size, const char *text, const char *version) {
    uint64_t before = count_people(), last = 0;
    kinfolk_people_import *report = NULL;
    size_t created, i, skips;
    kinfolk_status status = kinfolk_container_import_people(notes, file_with(data, size), text, version, note_progress,
                                                            &last, &report);
    if (status != KINFOLK_OK) {
        FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_LIMIT_EXCEEDED);
        HOLDS(report == NULL && count_people() == before);
        return 0;
    }
    created = kinfolk_people_import_created(report);
    skips = kinfolk_people_import_skip_count(report);
    HOLDS(count_people() == before + created && created <= kinfolk_people_import_rows(report));
    HOLDS(created == kinfolk_people_import_granted(report) + kinfolk_people_import_denied(report)
                         + kinfolk_people_import_undetermined(report));
    HOLDS(last == kinfolk_people_import_rows(report) && skips <= kinfolk_people_import_skipped(report));
    for (i = 0; i < skips; i++) {
        HOLDS(kinfolk_people_import_skip_line(report, i) >= 1);
        HOLDS(is_one_line(kinfolk_people_import_skip_reason(report, i)));
        HOLDS(kinfolk_people_import_skip_name(report, i)[0] != '\0');
    }
    kinfolk_people_import_free(report);
    return created;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = { data, size };
    char *text = take_text(&in), *version = take_text(&in);
    if (++turns % FRESH_AFTER == 0) begin();
    check_people(in.at, in.left, text, version);
    HOLDS(check_people(in.at, in.left, text, version) == 0);
    free(version);
    free(text);
    return 0;
}
