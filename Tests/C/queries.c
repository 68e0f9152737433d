/* Queries: predicates with arguments, orders, zones, fields, pages, counts and explanations. */

#include "harness.h"
#include "people.h"
#include "two_people.h"
#include "notes.h"

static const char schema[] = "DEFINE SCHEMA\n"
                             "RECORD TYPE Note (\n"
                             "    number   INT64 QUERYABLE SORTABLE,\n"
                             "    title    STRING QUERYABLE,\n"
                             "    place    LOCATION\n"
                             ");\n";

enum { NOTES_SAVED = 7 };
static const char *const titles[NOTES_SAVED] = { "Groceries", "groceries", "Garden", "Roses", "Rome", "", "Zoo" };

/* Notes "n0" to "n6" with the numbers 0 to 6, of which the last has no number. */
static void begin_with_notes(void) {
    size_t i;
    begin();
    OK(kinfolk_schema_apply(notes, schema, false, NULL));
    OK(kinfolk_zone_save(private_of_ada, "Lists"));
    for (i = 0; i < NOTES_SAVED; i++) {
        char name[8];
        kinfolk_record *note = NULL;
        snprintf(name, sizeof name, "n%u", (unsigned)i);
        OK(kinfolk_record_new("Note", name, NULL, &note));
        if (i < NOTES_SAVED - 1) OK(kinfolk_record_set_int64(note, "number", (int64_t)i));
        OK(kinfolk_record_set_string(note, "title", titles[i]));
        OK(kinfolk_record_set_location(note, "place", (double)i, 0));
        OK(kinfolk_database_save(private_of_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
        kinfolk_record_free(note);
    }
}

static kinfolk_query *new_query(const char *predicate) {
    kinfolk_query *query = NULL;
    OK(kinfolk_query_new("Note", predicate, &query));
    REQUIRE(query != NULL);
    return query;
}

/* Binds a value, and frees it. */
static void bind(kinfolk_query *query, kinfolk_value *value) {
    OK(kinfolk_query_bind(query, value));
    kinfolk_value_free(value);
}

static kinfolk_value *a_text(const char *text) {
    kinfolk_value *value = NULL;
    OK(kinfolk_value_new_string(text, strlen(text), &value));
    return value;
}

static kinfolk_value *an_int64(int64_t number) {
    kinfolk_value *value = NULL;
    OK(kinfolk_value_new_int64(number, &value));
    return value;
}

/* The names of the records on all pages, with a space after each. */
static const char *found_in(const kinfolk_query *query, size_t *pages) {
    static char names[1000];
    kinfolk_page *page = NULL, *next = NULL;
    const uint8_t *cursor = NULL;
    size_t i, length = 0, count = 0;
    names[0] = '\0';
    if (kinfolk_query_run(query, private_of_ada, NULL, 0, &page) != KINFOLK_OK) return kinfolk_error_message();
    for (;;) {
        count++;
        for (i = 0; i < kinfolk_page_count(page); i++) {
            kinfolk_record *record = NULL;
            OK(kinfolk_page_record(page, i, &record));
            strcat(strcat(names, kinfolk_record_name(record)), " ");
            kinfolk_record_free(record);
        }
        OK(kinfolk_page_cursor(page, &cursor, &length));
        CHECK((cursor == NULL) == (length == 0));
        if (length == 0) break;
        REQUIRE(count < 100);
        OK(kinfolk_query_run(query, private_of_ada, cursor, length, &next));
        kinfolk_page_free(page);
        page = next;
    }
    kinfolk_page_free(page);
    if (pages != NULL) *pages = count;
    return names;
}

/* The same for a predicate with at most one argument, by number. Frees the argument. */
static const char *found(const char *predicate, kinfolk_value *argument) {
    kinfolk_query *query = new_query(predicate);
    const char *names;
    if (argument != NULL) bind(query, argument);
    OK(kinfolk_query_sort(query, "number", true));
    names = found_in(query, NULL);
    kinfolk_query_free(query);
    return names;
}

static size_t count_of(const char *predicate) {
    kinfolk_query *query = new_query(predicate);
    size_t count = 99;
    OK(kinfolk_query_count(query, private_of_ada, &count));
    kinfolk_query_free(query);
    return count;
}

/* ---- Predicates */

static void predicates_and_arguments_cross(void) {
    static const char *const listed[] = { "rome", "ZOO", "nothing" };
    kinfolk_value *list = NULL, *place = NULL;
    begin_with_notes();
    SAME(found(NULL, NULL), "n6 n0 n1 n2 n3 n4 n5 ");
    SAME(found("", NULL), "n6 n0 n1 n2 n3 n4 n5 ");
    SAME(found("number BETWEEN {2, 4}", NULL), "n2 n3 n4 ");
    SAME(found("title = %@", a_text("GROCERIES")), "n0 n1 ");
    SAME(found("number >= %@ AND NOT title = 'Rome'", an_int64(3)), "n3 n5 ");
    SAME(found("%K = 3", a_text("number")), "n3 ");
    OK(kinfolk_value_new_string_list(listed, NULL, 3, &list));
    SAME(found("title IN %@", list), "n6 n4 ");
    OK(kinfolk_value_new_location(3, 0, &place));
    SAME(found("distanceToLocation:fromLocation:(place, %@) < 120000", place), "n2 n3 n4 ");
    EQUAL(count_of("number > 2"), 3);
    EQUAL(count_of(NULL), NOTES_SAVED);
    end();
}

static void a_wrong_predicate_is_refused_when_the_query_is_run(void) {
    kinfolk_query *query;
    kinfolk_page *page = NULL;
    kinfolk_explanation *explanation = NULL;
    size_t count = 99;
    begin_with_notes();
    query = new_query("title = 'a' AND number @ 3");
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_run(query, private_of_ada, NULL, 0, &page));
    CHECK(strstr(kinfolk_error_message(), "character 24") != NULL);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_count(query, private_of_ada, &count));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_explain(query, private_of_ada, &explanation));
    kinfolk_query_free(query);
    query = new_query("number = %@ OR number = %@");
    bind(query, an_int64(1));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_run(query, private_of_ada, NULL, 0, &page)); /* one is missing */
    bind(query, an_int64(2));
    OK(kinfolk_query_sort(query, "number", false));
    SAME(found_in(query, NULL), "n2 n1 ");
    bind(query, an_int64(3));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_run(query, private_of_ada, NULL, 0, &page)); /* one too many */
    kinfolk_query_free(query);
    CHECK(page == NULL && explanation == NULL);
    EQUAL(count, 99);
    end();
}

static void what_is_refused_leaves_a_query_as_it_was(void) {
    kinfolk_query *query = NULL;
    size_t i;
    begin_with_notes();
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_new("no type", NULL, &query));
    CHECK(query == NULL);
    query = new_query("number >= 1");
    OK(kinfolk_query_sort(query, "number", false));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_sort(query, "-number", true));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_sort_by_distance(query, "place", 91, 0));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_zone(query, "_other"));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_limit(query, 401));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_limit(query, SIZE_MAX));
    for (i = 1; i < 8; i++) OK(kinfolk_query_sort(query, "number", true));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_query_sort(query, "number", true));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_query_sort_by_distance(query, "place", 0, 0));
    SAME(found_in(query, NULL), "n5 n4 n3 n2 n1 ");
    kinfolk_query_free(query);
    end();
}

/* ---- Orders, zones, fields */

static void records_are_ordered_by_fields_and_by_distance(void) {
    kinfolk_query *query;
    begin_with_notes();
    query = new_query(NULL);
    OK(kinfolk_query_sort(query, "title", true));
    OK(kinfolk_query_sort(query, "number", false));
    SAME(found_in(query, NULL), "n5 n2 n1 n0 n4 n3 n6 ");
    kinfolk_query_free(query);
    query = new_query("number != NULL");
    OK(kinfolk_query_sort_by_distance(query, "place", 2.2, 0));
    SAME(found_in(query, NULL), "n2 n3 n1 n4 n0 n5 ");
    kinfolk_query_free(query);
    end();
}

static void a_query_finds_records_of_one_zone_or_of_all(void) {
    kinfolk_query *query;
    kinfolk_record *note = NULL;
    kinfolk_page *page = NULL;
    begin_with_notes();
    OK(kinfolk_record_new("Note", "listed", "Lists", &note));
    OK(kinfolk_record_set_int64(note, "number", 3));
    OK(kinfolk_database_save(private_of_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(note);
    query = new_query("number >= 3");
    OK(kinfolk_query_zone(query, "Lists"));
    SAME(found_in(query, NULL), "listed ");
    OK(kinfolk_query_zone(query, NULL));
    EQUAL(strlen(found_in(query, NULL)), strlen("n3 n4 n5 listed "));
    OK(kinfolk_query_zone(query, "Nowhere"));
    FAILS(KINFOLK_ZONE_NOT_FOUND, kinfolk_query_run(query, private_of_ada, NULL, 0, &page));
    CHECK(page == NULL);
    kinfolk_query_free(query);
    end();
}

static size_t fields_of_first(const kinfolk_query *query) {
    kinfolk_page *page = NULL;
    kinfolk_record *record = NULL;
    size_t count;
    OK(kinfolk_query_run(query, private_of_ada, NULL, 0, &page));
    OK(kinfolk_page_record(page, 0, &record));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_page_record(page, kinfolk_page_count(page), &record));
    kinfolk_page_free(page);
    SAME(kinfolk_record_name(record), "n2"); /* records depend on no page */
    count = kinfolk_record_field_count(record);
    kinfolk_record_free(record);
    return count;
}

static void records_have_the_fields_that_are_asked_for(void) {
    static const char *const keys[] = { "title", "number", "no such field" };
    kinfolk_query *query;
    begin_with_notes();
    query = new_query("number = 2");
    EQUAL(fields_of_first(query), 3);
    OK(kinfolk_query_keys(query, keys, 3));
    EQUAL(fields_of_first(query), 2);
    OK(kinfolk_query_keys(query, keys, 1));
    EQUAL(fields_of_first(query), 1);
    OK(kinfolk_query_keys(query, NULL, 0));
    EQUAL(fields_of_first(query), 0);
    kinfolk_query_free(query);
    end();
}

/* ---- Pages */

static void pages_have_cursors(void) {
    kinfolk_query *query;
    kinfolk_page *page = NULL, *wrong = NULL;
    const uint8_t *cursor = NULL;
    uint8_t changed[4096];
    size_t length = 0, pages = 0;
    begin_with_notes();
    query = new_query("number >= 0");
    OK(kinfolk_query_sort(query, "number", false));
    OK(kinfolk_query_limit(query, 4));
    SAME(found_in(query, &pages), "n5 n4 n3 n2 n1 n0 ");
    EQUAL(pages, 2);
    OK(kinfolk_query_limit(query, 0));
    SAME(found_in(query, &pages), "n5 n4 n3 n2 n1 n0 ");
    EQUAL(pages, 1);
    OK(kinfolk_query_limit(query, 2));
    OK(kinfolk_query_run(query, private_of_ada, NULL, 0, &page));
    OK(kinfolk_page_cursor(page, &cursor, &length));
    REQUIRE(length > 0 && length <= sizeof changed);
    memcpy(changed, cursor, length);
    changed[length / 2] ^= 1;
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_run(query, private_of_ada, changed, length, &wrong));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_run(query, private_of_ada, cursor, length - 1, &wrong));
    CHECK(wrong == NULL);
    kinfolk_page_free(page);
    kinfolk_query_free(query);
    end();
}

/* ---- Explanations */

static void an_explanation_names_indexes_and_counts_records(void) {
    kinfolk_query *query;
    kinfolk_explanation *explanation = NULL;
    begin_with_notes();
    query = new_query("title = 'groceries'");
    OK(kinfolk_query_explain(query, private_of_ada, &explanation));
    EQUAL(kinfolk_explanation_index_count(explanation), 1);
    SAME(kinfolk_explanation_index(explanation, 0), "QUERYABLE title");
    CHECK(kinfolk_explanation_index(explanation, 1) == NULL);
    EQUAL(kinfolk_explanation_missing_count(explanation), 0);
    CHECK(kinfolk_explanation_missing(explanation, 0) == NULL);
    CHECK(!kinfolk_explanation_exceeds_limit(explanation));
    CHECK(!kinfolk_explanation_evaluates_records(explanation));
    CHECK(!kinfolk_explanation_sorts_records(explanation));
    CHECK(kinfolk_explanation_entries_read(explanation) >= 2);
    EQUAL(kinfolk_explanation_records_opened(explanation), 2);
    EQUAL(kinfolk_explanation_records_discarded(explanation), 0);
    kinfolk_explanation_free(explanation);
    kinfolk_query_free(query);
    query = new_query("title BEGINSWITH 'Gro'");
    OK(kinfolk_query_sort(query, "title", true));
    OK(kinfolk_query_explain(query, private_of_ada, &explanation));
    REQUIRE(kinfolk_explanation_missing_count(explanation) >= 1);
    SAME(kinfolk_explanation_missing(explanation, 0), "SORTABLE title");
    CHECK(kinfolk_explanation_evaluates_records(explanation));
    CHECK(kinfolk_explanation_sorts_records(explanation));
    EQUAL(kinfolk_explanation_records_opened(explanation), NOTES_SAVED);
    EQUAL(kinfolk_explanation_records_discarded(explanation), NOTES_SAVED - 1);
    kinfolk_explanation_free(explanation);
    kinfolk_query_free(query);
    end();
}

BEGIN
    RUN(predicates_and_arguments_cross);
    RUN(a_wrong_predicate_is_refused_when_the_query_is_run);
    RUN(what_is_refused_leaves_a_query_as_it_was);
    RUN(records_are_ordered_by_fields_and_by_distance);
    RUN(a_query_finds_records_of_one_zone_or_of_all);
    RUN(records_have_the_fields_that_are_asked_for);
    RUN(pages_have_cursors);
    RUN(an_explanation_names_indexes_and_counts_records);
END
