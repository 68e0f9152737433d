/* Queries: predicates with arguments, orders, zones, fields, pages, counts and explanations. */

#include "harness.h"
#include "people.h"
#include "two_people.h"
#include "notes.h"

static const char schema[] = "DEFINE SCHEMA\n"
                             "RECORD TYPE Note (\n"
                             "    number   INT64 QUERYABLE SORTABLE,\n"
                             "    title    STRING QUERYABLE,\n"
                             "    tags     LIST<STRING> QUERYABLE,\n"
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
        static const char *const tags[] = { "home", "work" };
        char name[8];
        kinfolk_record *note = NULL;
        kinfolk_value *value = NULL;
        snprintf(name, sizeof name, "n%u", (unsigned)i);
        OK(kinfolk_record_new("Note", name, NULL, &note));
        if (i < NOTES_SAVED - 1) OK(kinfolk_record_set_int64(note, "number", (int64_t)i));
        OK(kinfolk_record_set_string(note, "title", titles[i]));
        OK(kinfolk_value_new_string_list(tags, NULL, i % 3, &value));
        OK(kinfolk_record_set_value(note, "tags", value));
        OK(kinfolk_record_set_location(note, "place", (double)i, 0));
        OK(kinfolk_database_save(private_of_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
        kinfolk_value_free(value);
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
static const char *found_in(const kinfolk_database *database, const kinfolk_query *query, size_t *pages) {
    static char names[1000];
    kinfolk_page *page = NULL, *next = NULL;
    const uint8_t *cursor = NULL;
    size_t i, length = 0, count = 0;
    names[0] = '\0';
    if (kinfolk_query_run(query, database, NULL, 0, &page) != KINFOLK_OK) return kinfolk_error_message();
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
        OK(kinfolk_query_run(query, database, cursor, length, &next));
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
    names = found_in(private_of_ada, query, NULL);
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

static void predicates_find_records(void) {
    static const char *const listed[] = { "rome", "ZOO", "nothing" };
    kinfolk_value *list = NULL, *place = NULL;
    begin_with_notes();
    SAME(found(NULL, NULL), "n6 n0 n1 n2 n3 n4 n5 ");
    SAME(found("", NULL), "n6 n0 n1 n2 n3 n4 n5 ");
    SAME(found("FALSEPREDICATE", NULL), "");
    SAME(found("title = 'groceries'", NULL), "n0 n1 ");
    SAME(found("title = %@", a_text("GROCERIES")), "n0 n1 ");
    SAME(found("title BEGINSWITH %@", a_text("G")), "n0 n2 ");
    SAME(found("number BETWEEN {2, 4}", NULL), "n2 n3 n4 ");
    SAME(found("number >= %@ AND NOT title = 'Rome'", an_int64(3)), "n3 n5 ");
    SAME(found("number = NULL || title = ''", NULL), "n6 n5 ");
    SAME(found("%K = 3", a_text("number")), "n3 ");
    SAME(found("ANY tags = 'work'", NULL), "n2 n5 ");
    OK(kinfolk_value_new_string_list(listed, NULL, 3, &list));
    SAME(found("title IN %@", list), "n6 n4 ");
    OK(kinfolk_value_new_location(3, 0, &place));
    SAME(found("distanceToLocation:fromLocation:(place, %@) < 120000", place), "n2 n3 n4 ");
    EQUAL(count_of("number > 2"), 3);
    EQUAL(count_of(NULL), NOTES_SAVED);
    end();
}

static void an_argument_is_no_text_of_a_predicate(void) {
    begin_with_notes();
    SAME(found("title = %@", a_text("x' OR TRUEPREDICATE OR title = 'x")), "");
    SAME(found("title = %@", a_text("%@")), "");
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
    SAME(found_in(private_of_ada, query, NULL), "n2 n1 ");
    bind(query, an_int64(3));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_run(query, private_of_ada, NULL, 0, &page)); /* one too many */
    kinfolk_query_free(query);
    query = new_query("missing = 1");
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_run(query, private_of_ada, NULL, 0, &page));
    kinfolk_query_free(query);
    query = new_query("number = 'three'");
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_run(query, private_of_ada, NULL, 0, &page));
    kinfolk_query_free(query);
    CHECK(page == NULL && explanation == NULL);
    EQUAL(count, 99);
    end();
}

static void limits_of_a_query_are_kept(void) {
    enum { LONGEST = 16384, DEEPEST = 64 };
    kinfolk_query *query = NULL;
    kinfolk_page *page = NULL;
    char *text = malloc(LONGEST + 2);
    size_t i;
    REQUIRE(text != NULL);
    begin_with_notes();
    memset(text, ' ', LONGEST + 1);
    memcpy(text, "TRUEPREDICATE", 13);
    text[LONGEST + 1] = '\0';
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_query_new("Note", text, &query));
    CHECK(query == NULL);
    text[LONGEST] = '\0';
    query = new_query(text);
    OK(kinfolk_query_run(query, private_of_ada, NULL, 0, &page));
    kinfolk_page_free(page);
    page = NULL;
    kinfolk_query_free(query);
    memset(text, '(', DEEPEST + 1);
    strcpy(text + DEEPEST + 1, "TRUEPREDICATE");
    for (i = 0; i <= DEEPEST; i++) strcat(text, ")");
    query = new_query(text);
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_query_run(query, private_of_ada, NULL, 0, &page));
    kinfolk_query_free(query);
    query = new_query(NULL);
    for (i = 0; i < 8; i++) OK(kinfolk_query_sort(query, "number", true));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_query_sort(query, "number", true));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_query_sort_by_distance(query, "place", 0, 0));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_limit(query, 401));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_limit(query, SIZE_MAX));
    OK(kinfolk_query_limit(query, 400));
    OK(kinfolk_query_run(query, private_of_ada, NULL, 0, &page));
    EQUAL(kinfolk_page_count(page), NOTES_SAVED);
    kinfolk_page_free(page);
    kinfolk_query_free(query);
    free(text);
    end();
}

static void a_query_has_one_record_type(void) {
    kinfolk_query *query = NULL;
    kinfolk_page *page = NULL;
    begin_with_notes();
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_new("Users", NULL, &query));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_new("no type", NULL, &query));
    CHECK(query == NULL);
    OK(kinfolk_query_new("Unknown", NULL, &query));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_query_run(query, private_of_ada, NULL, 0, &page));
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
    SAME(found_in(private_of_ada, query, NULL), "n5 n2 n1 n0 n4 n3 n6 ");
    kinfolk_query_free(query);
    query = new_query("number != NULL");
    OK(kinfolk_query_sort_by_distance(query, "place", 2.2, 0));
    SAME(found_in(private_of_ada, query, NULL), "n2 n3 n1 n4 n0 n5 ");
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_sort_by_distance(query, "place", 91, 0));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_sort(query, "-number", true));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_sort(query, "recordName", true));
    SAME(found_in(private_of_ada, query, NULL), "n2 n3 n1 n4 n0 n5 ");
    kinfolk_query_free(query);
    query = new_query(NULL);
    OK(kinfolk_query_sort(query, "createdAt", false));
    OK(kinfolk_query_limit(query, 2));
    SAME(found_in(private_of_ada, query, NULL), "n6 n5 n4 n3 n2 n1 n0 ");
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
    SAME(found_in(private_of_ada, query, NULL), "listed ");
    OK(kinfolk_query_zone(query, "_defaultZone"));
    OK(kinfolk_query_sort(query, "number", true));
    SAME(found_in(private_of_ada, query, NULL), "n3 n4 n5 ");
    OK(kinfolk_query_zone(query, NULL));
    EQUAL(strlen(found_in(private_of_ada, query, NULL)), strlen("n3 n4 n5 listed "));
    OK(kinfolk_query_zone(query, "Nowhere"));
    FAILS(KINFOLK_ZONE_NOT_FOUND, kinfolk_query_run(query, private_of_ada, NULL, 0, &page));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_zone(query, "_other"));
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
    EQUAL(fields_of_first(query), 4);
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
    kinfolk_query *query, *other;
    kinfolk_page *page = NULL, *wrong = NULL;
    const uint8_t *cursor = NULL;
    uint8_t changed[4096];
    size_t length = 0, pages = 0;
    begin_with_notes();
    query = new_query("number >= 0");
    OK(kinfolk_query_sort(query, "number", false));
    OK(kinfolk_query_limit(query, 4));
    SAME(found_in(private_of_ada, query, &pages), "n5 n4 n3 n2 n1 n0 ");
    EQUAL(pages, 2);
    OK(kinfolk_query_limit(query, 1));
    SAME(found_in(private_of_ada, query, &pages), "n5 n4 n3 n2 n1 n0 ");
    EQUAL(pages, 6);
    OK(kinfolk_query_limit(query, 0));
    SAME(found_in(private_of_ada, query, &pages), "n5 n4 n3 n2 n1 n0 ");
    EQUAL(pages, 1);
    OK(kinfolk_query_limit(query, 2));
    OK(kinfolk_query_run(query, private_of_ada, NULL, 0, &page));
    OK(kinfolk_page_cursor(page, &cursor, &length));
    REQUIRE(length > 0 && length <= sizeof changed);
    other = new_query("number >= 1");
    OK(kinfolk_query_sort(other, "number", false));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_run(other, private_of_ada, cursor, length, &wrong));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_run(query, by_ada, cursor, length, &wrong));
    memcpy(changed, cursor, length);
    changed[length / 2] ^= 1;
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_run(query, private_of_ada, changed, length, &wrong));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_run(query, private_of_ada, cursor, length - 1, &wrong));
    CHECK(wrong == NULL);
    OK(kinfolk_database_delete(private_of_ada, "n4", NULL, NULL, NULL)); /* the last record of the page */
    OK(kinfolk_query_run(query, private_of_ada, cursor, length, &wrong));
    EQUAL(kinfolk_page_count(wrong), 2);
    kinfolk_page_free(wrong);
    kinfolk_page_free(page);
    kinfolk_query_free(query);
    kinfolk_query_free(other);
    end();
}

static void a_private_record_is_found_by_its_own_user_only(void) {
    kinfolk_database *graces_private;
    kinfolk_session *anonymous = NULL;
    kinfolk_query *query;
    kinfolk_page *page = NULL;
    size_t count = 99;
    begin_with_notes();
    graces_private = open_database(graces, KINFOLK_DATABASE_PRIVATE);
    query = new_query(NULL);
    SAME(found_in(graces_private, query, NULL), "");
    SAME(found_in(by_grace, query, NULL), "");
    OK(kinfolk_query_count(query, graces_private, &count));
    EQUAL(count, 0);
    kinfolk_database_free(graces_private);
    OK(kinfolk_session_open_anonymous(notes, &anonymous));
    graces_private = open_database(anonymous, KINFOLK_DATABASE_PRIVATE);
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_query_run(query, graces_private, NULL, 0, &page));
    kinfolk_query_free(query);
    kinfolk_database_free(graces_private);
    kinfolk_session_free(anonymous);
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
    RUN(predicates_find_records);
    RUN(an_argument_is_no_text_of_a_predicate);
    RUN(a_wrong_predicate_is_refused_when_the_query_is_run);
    RUN(limits_of_a_query_are_kept);
    RUN(a_query_has_one_record_type);
    RUN(records_are_ordered_by_fields_and_by_distance);
    RUN(a_query_finds_records_of_one_zone_or_of_all);
    RUN(records_have_the_fields_that_are_asked_for);
    RUN(pages_have_cursors);
    RUN(a_private_record_is_found_by_its_own_user_only);
    RUN(an_explanation_names_indexes_and_counts_records);
END
