/*
 * The deepest and widest valid inputs of the calls. The harness runs each behaviour on a thread with the smallest stack that the header
 * allows, as it runs those of all other programs; these inputs are the ones for which a function could call itself most often.
 */

#include "harness.h"
#include "people.h"
#include "two_people.h"
#include "notes.h"

static const char schema[] = "DEFINE SCHEMA\n"
                             "RECORD TYPE Note (\n"
                             "    number   INT64 QUERYABLE SORTABLE,\n"
                             "    title    STRING QUERYABLE SORTABLE,\n"
                             "    text     STRING SEARCHABLE,\n"
                             "    plain    INT64,\n"
                             "    tags     LIST<STRING> QUERYABLE,\n"
                             "    place    LOCATION QUERYABLE,\n"
                             "    list     REFERENCE QUERYABLE\n"
                             ");\n";

/* A text with others around it, `levels` times. To be freed. */
static char *nested(size_t levels, const char *open, const char *inner, const char *close) {
    char *text = malloc(levels * (strlen(open) + strlen(close)) + strlen(inner) + 1), *end = text;
    size_t i;
    if (text == NULL) abort();
    for (i = 0; i < levels; i++) end = strcpy(end, open) + strlen(open);
    end = strcpy(end, inner) + strlen(inner);
    for (i = 0; i < levels; i++) end = strcpy(end, close) + strlen(close);
    return text;
}

/* `count` texts, of which each has its number, with a separator between each two. To be freed. */
static char *joined(size_t count, const char *format, const char *separator) {
    char *text = malloc(count * (strlen(format) + strlen(separator) + 20) + 1), *end = text;
    size_t i;
    if (text == NULL) abort();
    for (i = 0; i < count; i++) {
        if (i > 0) end = strcpy(end, separator) + strlen(separator);
        end += sprintf(end, format, (int)i);
    }
    return text;
}

enum { SAVED = 40 };

static void begin_with_notes(void) {
    size_t i;
    begin();
    OK(kinfolk_schema_apply(notes, schema, false, NULL));
    for (i = 0; i < SAVED; i++) {
        char name[20];
        kinfolk_record *note;
        snprintf(name, sizeof name, "n%u", (unsigned)i);
        note = new_note(name, (int64_t)i);
        OK(kinfolk_record_set_string(note, "title", i % 2 == 0 ? "even" : "odd"));
        OK(kinfolk_record_set_string(note, "text", "one two three"));
        OK(kinfolk_record_set_location(note, "place", (double)i / 1000, 0));
        OK(kinfolk_database_save(by_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
        kinfolk_record_free(note);
    }
}

/* ---- Predicates */

static void bind_all(kinfolk_query *query, const char *predicate, const kinfolk_value *argument) {
    for (; *predicate != '\0'; predicate++)
        if (*predicate == '%') OK(kinfolk_query_bind(query, argument));
}

/* Does all that can be done with a predicate, and frees its text. Returns how many notes it finds. */
static size_t ask(char *predicate) {
    kinfolk_query *query = NULL;
    kinfolk_page *page = NULL;
    kinfolk_explanation *explanation = NULL;
    kinfolk_subscription *subscription = NULL;
    kinfolk_value *argument = NULL;
    kinfolk_status status;
    size_t found = 0, counted = 0, i;
    OK(kinfolk_query_new("Note", predicate, &query));
    if (strstr(predicate, "createdAt") != NULL) OK(kinfolk_value_new_date(0, &argument));
    else OK(kinfolk_value_new_location(0, 0, &argument));
    bind_all(query, predicate, argument);
    OK(kinfolk_query_count(query, by_ada, &counted));
    for (i = 0; i < 2; i++) {
        OK(kinfolk_query_limit(query, 200));
        OK(kinfolk_query_run(query, by_ada, NULL, 0, &page));
        found = kinfolk_page_count(page);
        EQUAL(found, counted);
        kinfolk_page_free(page);
        OK(kinfolk_query_explain(query, by_ada, &explanation));
        kinfolk_explanation_free(explanation);
        OK(kinfolk_query_sort(query, "title", i == 0));
        OK(kinfolk_query_sort_by_distance(query, "place", 1, 1));
    }
    kinfolk_query_free(query);
    OK(kinfolk_query_new("Note", predicate, &query));
    bind_all(query, predicate, argument);
    OK(kinfolk_subscription_new_query(query, KINFOLK_FIRES_ON_RECORD_UPDATE, "deep", &subscription));
    status = kinfolk_subscription_save(by_ada, subscription);
    CHECK(status == KINFOLK_OK || status == KINFOLK_INVALID_ARGUMENT || status == KINFOLK_LIMIT_EXCEEDED);
    if (status == KINFOLK_OK) {
        kinfolk_record *note = NULL;
        CHECK(kinfolk_subscription_predicate(subscription)[0] != '\0');
        OK(kinfolk_database_fetch(by_ada, "n1", NULL, &note));
        OK(kinfolk_record_set_int64(note, "plain", 1));
        OK(kinfolk_database_save(by_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
        OK(kinfolk_record_set_int64(note, "plain", 0));
        OK(kinfolk_database_save(by_ada, note, KINFOLK_SAVE_ALL_KEYS));
        kinfolk_record_free(note);
        OK(kinfolk_subscription_delete(by_ada, "deep"));
    }
    kinfolk_subscription_free(subscription);
    kinfolk_value_free(argument);
    kinfolk_query_free(query);
    free(predicate);
    return found;
}

static void predicates_are_as_deep_as_they_may_be(void) {
    kinfolk_query *query = NULL;
    size_t count;
    char *text;
    begin_with_notes();
    EQUAL(ask(nested(63, "NOT (", "title = 'even'", ")")), SAVED / 2);
    EQUAL(ask(nested(64, "(", "title = 'even'", ")")), SAVED / 2);
    EQUAL(ask(nested(4000, "NOT ", "title = 'even'", "")), SAVED / 2);
    EQUAL(ask(nested(31, "number = 1 OR (title = 'even' AND (", "number = 2", "))")), 2);
    EQUAL(ask(nested(31, "plain = 1 OR (title = 'even' AND (", "number = 2", "))")), 1);
    EQUAL(ask(nested(31, "number = 1 OR NOT (", "number = 2", ")")), SAVED - 1);
    EQUAL(ask(nested(20, "number = 1 OR NOT (title = 'even' AND (", "number = 2", "))")), SAVED / 2 + 1);
    text = nested(65, "(", "title = 'even'", ")");
    OK(kinfolk_query_new("Note", text, &query));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_query_count(query, by_ada, &count));
    kinfolk_query_free(query);
    free(text);
    text = nested(16000, "(", "", "");
    OK(kinfolk_query_new("Note", text, &query));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_query_count(query, by_ada, &count));
    kinfolk_query_free(query);
    free(text);
    end();
}

/* Each kind of condition, in as many combinations of indexes as a query reads. */
static void conditions_of_each_kind_are_nested(void) {
    static const char *const conditions[] = {
        "number = 2", "number >= 0", "number < 99 AND number != NULL", "createdAt > %@", "recordName = 'n2'",
        "recordName IN {'n2', 'n3', 'nothing'}", "self CONTAINS 'two'", "ANY tags = 'a'", "tags CONTAINS 'a'",
        "text CONTAINS 'two'", "title BEGINSWITH 'ev'", "number = NULL", "title != 'odd'",
        "distanceToLocation:fromLocation:(place, %@) < 1000", "distanceToLocation:fromLocation:(place, %@) > 1000",
        "number IN {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}", "plain = 1", "number BETWEEN {2, 30}"
    };
    static const char *const outer[][2] = {
        { "number = 1 OR (title = 'even' AND (", "))" },
        { "title = 'even' AND (number = 1 OR (", "))" },
        { "number >= 0 AND (title BEGINSWITH 'x' OR (", "))" },
        { "self CONTAINS 'one' AND (recordName = 'n9' OR (", "))" },
        { "number = 1 OR NOT (title = 'even' AND (", "))" }
    };
    size_t i, j;
    begin_with_notes();
    for (i = 0; i < sizeof conditions / sizeof conditions[0]; i++) {
        for (j = 0; j < sizeof outer / sizeof outer[0]; j++) {
            (void)ask(nested(4, outer[j][0], conditions[i], outer[j][1]));
            (void)ask(nested(5, outer[j][0], conditions[i], outer[j][1]));
        }
    }
    end();
}

static void predicates_are_as_wide_as_they_may_be(void) {
    char *list = joined(999, "%d", ", "), *text = malloc(strlen(list) + 100);
    begin_with_notes();
    REQUIRE(text != NULL);
    sprintf(text, "number IN {%s}", list);
    free(list);
    EQUAL(ask(text), SAVED);
    EQUAL(ask(joined(900, "number=%d", " OR ")), SAVED);
    EQUAL(ask(joined(900, "number!=%d", " AND ")), 0);
    EQUAL(ask(joined(250, "number < 99%d", " AND NOT number = NULL AND ")), SAVED);
    EQUAL(ask(joined(40, "distanceToLocation:fromLocation:(place, %%@) < %d", " OR ")), 1);
    end();
}

/* ---- Values, records and documents */

static void values_are_as_deep_as_they_may_be(void) {
    kinfolk_session *phones = NULL;
    kinfolk_keyvalue *store = NULL;
    kinfolk_value *value = NULL, *outer = NULL, *same = NULL, *first = NULL, *second = NULL;
    const char *texts[] = { "a", "b" };
    const kinfolk_value *pair[2];
    size_t i;
    begin();
    OK(kinfolk_session_open_on_device(notes, ada, "phone", &phones));
    OK(kinfolk_session_keyvalue(phones, &store));
    OK(kinfolk_value_new_int64(1, &second));
    OK(kinfolk_value_new_string("text", 4, &value));
    for (i = 0; i < 32; i++) {
        pair[0] = value;
        pair[1] = second;
        if (i % 2 == 0) OK(kinfolk_value_new_dictionary(texts, NULL, pair, 2, &outer));
        else OK(kinfolk_value_new_array(pair, 2, &outer));
        kinfolk_value_free(value);
        value = outer;
    }
    pair[0] = value;
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_array(pair, 1, &outer));
    OK(kinfolk_keyvalue_set(store, "deep", value));
    OK(kinfolk_keyvalue_set(store, "deep", value));
    OK(kinfolk_keyvalue_get(store, "deep", &same));
    for (i = 0; i < 32; i++) {
        OK(kinfolk_value_get_element(same, 0, &first));
        kinfolk_value_free(same);
        same = first;
    }
    EQUAL(kinfolk_value_type(same), KINFOLK_STRING);
    kinfolk_value_free(same);
    kinfolk_value_free(value);
    kinfolk_value_free(second);
    kinfolk_keyvalue_free(store);
    kinfolk_session_free(phones);
    end();
}

/* Each note refers to the one before it, and all are deleted with the first. */
static void a_long_chain_of_records_is_deleted(void) {
    enum { LENGTH = 300 };
    kinfolk_query *query = NULL;
    size_t i, count = 99;
    begin();
    OK(kinfolk_schema_apply(notes, schema, false, NULL));
    for (i = 0; i < LENGTH; i++) {
        char name[20], last[20];
        kinfolk_record *note;
        snprintf(name, sizeof name, "n%u", (unsigned)i);
        snprintf(last, sizeof last, "n%u", (unsigned)(i == 0 ? 0 : i - 1));
        note = new_note(name, (int64_t)i);
        if (i > 0) OK(kinfolk_record_set_reference(note, "list", last, NULL, KINFOLK_REFERENCE_DELETE_SELF));
        OK(kinfolk_database_save(by_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
        kinfolk_record_free(note);
    }
    OK(kinfolk_database_delete(by_ada, "n0", NULL, NULL, NULL));
    OK(kinfolk_query_new("Note", NULL, &query));
    OK(kinfolk_query_count(query, by_ada, &count));
    EQUAL(count, 0);
    kinfolk_query_free(query);
    end();
}

static void folders_are_as_deep_as_documents_may_be(void) {
    enum { DEPTH = 40 };
    kinfolk_session *phone = NULL;
    kinfolk_document_files *report = NULL;
    char path[1200];
    size_t i;
    begin();
    OK(kinfolk_session_open_on_device(notes, ada, "phone", &phone));
    snprintf(path, sizeof path, "%s", file_path("deep"));
    for (i = 0; i < DEPTH; i++) {
        char file[1300];
        REQUIRE(mkdir(path, 0700) == 0);
        snprintf(file, sizeof file, "%s/file", path);
        write_file(file, "text", 4);
        strcat(path, "/d");
    }
    OK(kinfolk_document_import(phone, file_path("deep"), NULL, NULL, NULL, &report));
    EQUAL(kinfolk_document_files_documents(report), 32);
    EQUAL(kinfolk_document_files_skipped(report), 1);
    kinfolk_document_files_free(report);
    OK(kinfolk_document_export(phone, file_path("copy"), true, NULL, NULL, &report));
    EQUAL(kinfolk_document_files_documents(report), 32);
    kinfolk_document_files_free(report);
    kinfolk_session_free(phone);
    end();
}

/* ---- Texts */

static void a_schema_is_as_large_as_it_may_be(void) {
    char *fields = joined(200, "field%d STRING QUERYABLE SORTABLE", ", ");
    char *text = malloc(strlen(fields) + 100);
    REQUIRE(text != NULL);
    begin();
    sprintf(text, "DEFINE SCHEMA\nRECORD TYPE Wide (%s);\n", fields);
    OK(kinfolk_schema_apply(notes, text, false, NULL));
    free(text);
    free(fields);
    text = nested(20000, "(", "", ")");
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_schema_apply(notes, text, false, NULL));
    free(text);
    end();
}

typedef kinfolk_status (*reader)(kinfolk_contacts *, const char *, size_t, kinfolk_import **);

/* Reads the text, which may be invalid, and frees it. */
static void read_contacts(reader read, char *text) {
    kinfolk_contacts *contacts = NULL;
    kinfolk_import *report = NULL;
    kinfolk_status status;
    OK(kinfolk_contacts_new(&contacts));
    status = read(contacts, text, strlen(text), &report);
    CHECK(status == KINFOLK_OK || status == KINFOLK_INVALID_ARGUMENT || status == KINFOLK_LIMIT_EXCEEDED);
    if (status == KINFOLK_OK) kinfolk_import_free(report);
    write_file(file_path("contacts"), text, strlen(text));
    status = kinfolk_contacts_add_file(contacts, file_path("contacts"), &report);
    if (status == KINFOLK_OK) kinfolk_import_free(report);
    kinfolk_contacts_free(contacts);
    free(text);
}

static void contacts_are_nested_and_wide(void) {
    static const char card[] = "BEGIN:VCARD\nVERSION:2.1\nFN:Ada\nEMAIL;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:=61@example.com\n";
    /* A card in a property of a card, four times: escaped backslashes grow with each level. */
    static const char *const agents[] = {
        "BEGIN:VCARD\nVERSION:3.0\nFN:A\nAGENT:BEGIN:VCARD\\nFN:B\\nEMAIL:b@example.com\\n"
        "AGENT:BEGIN:VCARD\\\\nFN:C\\\\nEMAIL:c@example.com\\\\nAGENT:BEGIN:VCARD\\\\\\\\nFN:D\\\\\\\\n"
        "EMAIL:d@example.com\\\\\\\\nAGENT:BEGIN:VCARD\\\\\\\\\\\\\\\\nEMAIL:e@example.com\\\\\\\\\\\\\\\\nEND:VCARD"
        "\\\\\\\\nEND:VCARD\\\\nEND:VCARD\\nEND:VCARD\nEMAIL:a@example.com\nEND:VCARD\n",
        "BEGIN:VCARD\nVERSION:2.1\nAGENT:\nBEGIN:VCARD\nAGENT:\nBEGIN:VCARD\nAGENT:\nBEGIN:VCARD\nAGENT:\nBEGIN:VCARD\n"
        "EMAIL:e@example.com\nEND:VCARD\nEMAIL:d@example.com\nEND:VCARD\nEND:VCARD\nEND:VCARD\nEND:VCARD\n"
    };
    size_t i;
    for (i = 0; i < sizeof agents / sizeof agents[0]; i++) read_contacts(kinfolk_contacts_add_vcard, nested(1, "", agents[i], ""));
    read_contacts(kinfolk_contacts_add_vcard, nested(50, card, "EMAIL:a@example.com\n", "END:VCARD\n"));
    read_contacts(kinfolk_contacts_add_vcard, nested(50, "BEGIN:VCARD\nAGENT:\n", "EMAIL:a@example.com\n", "END:VCARD\n"));
    read_contacts(kinfolk_contacts_add_vcard, nested(20000, "BEGIN:VCARD\n", "EMAIL:a@example.com\n", "END:VCARD\n"));
    read_contacts(kinfolk_contacts_add_jcard, nested(50000, "[", "1", "]"));
    read_contacts(kinfolk_contacts_add_jcard,
                  nested(60, "[", "[\"vcard\",[[\"email\",{},\"text\",\"a@example.com\"]]]", "]"));
    read_contacts(kinfolk_contacts_add_jcard, nested(20000, "{\"a\":", "1", "}"));
    read_contacts(kinfolk_contacts_add_csv, joined(5000, "\"e%d\"\"@example.com\"", ","));
    read_contacts(kinfolk_contacts_add_csv, nested(20000, "\"", "a@example.com", "\""));
    read_contacts(kinfolk_contacts_add_ldif, nested(20000, "dn: x\nmail:: YUBleGFtcGxlLmNvbQ==\n", "", " x\n"));
    read_contacts(kinfolk_contacts_add_text, nested(20000, "<", "a@example.com", ">"));
    read_contacts(kinfolk_contacts_add_text, nested(20000, "(\"", "a@example.com", "\")"));
}

BEGIN
    RUN(predicates_are_as_deep_as_they_may_be);
    RUN(conditions_of_each_kind_are_nested);
    RUN(predicates_are_as_wide_as_they_may_be);
    RUN(values_are_as_deep_as_they_may_be);
    RUN(a_long_chain_of_records_is_deleted);
    RUN(folders_are_as_deep_as_documents_may_be);
    RUN(a_schema_is_as_large_as_it_may_be);
    RUN(contacts_are_nested_and_wide);
END
