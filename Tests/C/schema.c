/* Schemas: their texts, what a text or a deployment changes, and fields that the operator adds. */

#include "harness.h"
#include "people.h"
#include "two_people.h"
#include "notes.h"

static kinfolk_container *development;
static kinfolk_session *adas_in_development;
static kinfolk_database *for_development;

static void begin_two_environments(void) {
    begin();
    development = NULL;
    OK(kinfolk_container_open_environment(service, NOTES, KINFOLK_ENVIRONMENT_DEVELOPMENT, &development));
    adas_in_development = sign_in(development, ada);
    for_development = open_database(adas_in_development, KINFOLK_DATABASE_PUBLIC);
}

static void end_two_environments(void) {
    kinfolk_database_free(for_development);
    kinfolk_session_free(adas_in_development);
    kinfolk_container_free(development);
    end();
}

/* The text of a schema, to be freed. */
static char *export(const kinfolk_container *container) {
    char *text = NULL;
    OK(kinfolk_schema_export(container, &text));
    REQUIRE(text != NULL);
    return text;
}

static bool holds(const kinfolk_container *container, const char *words) {
    char *text = export(container);
    bool is_there = strstr(text, words) != NULL;
    kinfolk_free(text);
    return is_there;
}

/* The changes must have one of this kind with these texts. */
static void check_change(const kinfolk_schema_changes *changes, kinfolk_schema_change kind, const char *type,
                         const char *name, const char *detail) {
    size_t i, found = 0;
    for (i = 0; i < kinfolk_schema_changes_count(changes); i++) {
        const char *at_name = kinfolk_schema_changes_name(changes, i);
        if (kinfolk_schema_changes_kind(changes, i) != kind) continue;
        if ((name == NULL) != (at_name == NULL) || (name != NULL && strcmp(at_name, name) != 0)) continue;
        found++;
        SAME(kinfolk_schema_changes_record_type(changes, i), type);
        if (detail != NULL) SAME(kinfolk_schema_changes_detail(changes, i), detail);
        else CHECK(kinfolk_schema_changes_detail(changes, i) == NULL);
        CHECK(strstr(kinfolk_schema_changes_sentence(changes, i), name == NULL ? type : name) != NULL);
    }
    EQUAL(found, 1);
}

static const char notes_schema[] = "DEFINE SCHEMA\n"
                                   "RECORD TYPE Note (\n"
                                   "    number INT64 QUERYABLE,\n"
                                   "    title STRING QUERYABLE,\n"
                                   "    tags LIST<STRING>\n"
                                   ");\n";

static void a_save_extends_the_schema_and_its_text(void) {
    begin_two_environments();
    CHECK(!holds(development, "RECORD TYPE Note"));
    kinfolk_record_free(saved_note(for_development, "a", 1));
    CHECK(holds(development, "DEFINE SCHEMA"));
    CHECK(holds(development, "RECORD TYPE Note"));
    CHECK(holds(development, "number"));
    CHECK(!holds(notes, "RECORD TYPE Note")); /* another environment */
    end_two_environments();
}

static void a_difference_changes_nothing_and_an_application_the_same(void) {
    kinfolk_schema_changes *changes = NULL, *made = NULL;
    char *before, *after;
    size_t i;
    begin_two_environments();
    kinfolk_record_free(saved_note(for_development, "a", 1));
    before = export(development);
    OK(kinfolk_schema_difference(development, notes_schema, false, &changes));
    after = export(development);
    SAME(after, before);
    kinfolk_free(before);
    kinfolk_free(after);
    EQUAL(kinfolk_schema_changes_count(changes), 2);
    check_change(changes, KINFOLK_SCHEMA_ADD_FIELD, "Note", "title", "STRING QUERYABLE");
    check_change(changes, KINFOLK_SCHEMA_ADD_FIELD, "Note", "tags", "LIST<STRING>");
    OK(kinfolk_schema_apply(development, notes_schema, false, &made));
    EQUAL(kinfolk_schema_changes_count(made), 2);
    for (i = 0; i < 2; i++)
        SAME(kinfolk_schema_changes_sentence(made, i), kinfolk_schema_changes_sentence(changes, i));
    CHECK(holds(development, "LIST<STRING>"));
    kinfolk_schema_changes_free(changes);
    kinfolk_schema_changes_free(made);
    OK(kinfolk_schema_difference(development, notes_schema, false, &changes)); /* nothing is left to change */
    EQUAL(kinfolk_schema_changes_count(changes), 0);
    EQUAL(kinfolk_schema_changes_kind(changes, 0), 0);
    CHECK(kinfolk_schema_changes_record_type(changes, 0) == NULL && kinfolk_schema_changes_name(changes, 0) == NULL);
    CHECK(kinfolk_schema_changes_detail(changes, 0) == NULL && kinfolk_schema_changes_sentence(changes, 0) == NULL);
    kinfolk_schema_changes_free(changes);
    OK(kinfolk_schema_apply(development, notes_schema, false, NULL));
    end_two_environments();
}

static void an_exported_schema_applies_elsewhere(void) {
    kinfolk_record *note = NULL;
    char *text, *copy;
    begin_two_environments();
    note = new_note("a", 1);
    OK(kinfolk_record_set_boolean(note, "done", true));
    OK(kinfolk_record_set_location(note, "place", 1, 2));
    OK(kinfolk_record_set_bytes(note, "raw", (const uint8_t *)"x", 1));
    OK(kinfolk_record_set_date(note, "due", 1));
    OK(kinfolk_record_set_double(note, "total", 1));
    OK(kinfolk_record_set_reference(note, "owner", NOBODY, NULL, KINFOLK_REFERENCE_NONE));
    OK(kinfolk_database_save(for_development, note, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(note);
    text = export(development);
    OK(kinfolk_schema_apply(games, text, false, NULL));
    copy = export(games);
    SAME(copy, text);
    kinfolk_free(copy);
    kinfolk_free(text);
    end_two_environments();
}

static void a_faulty_text_is_refused_with_its_place(void) {
    static const struct {
        const char *text, *place;
    } cases[] = {
        { "", "Line 1, column 1" },
        { "DEFINE SCHEMA\nRECORD TYPE Note (\n    title STRNG\n);\n", "Line 3, column 11" },
        { "DEFINE SCHEMA\nRECORD TYPE Note (\n    title STRING\n", "Line 4, column 1" },
        { "DEFINE SCHEMA\nRECORD TYPE 1Note (title STRING);\n", "Line 2, column 13" },
        { "DEFINE SCHEMA\nRECORD TYPE Note (title STRING, title STRING);\n", "Line 2, column 33" },
        { "DEFINE SCHEMA RECORD TYPE Note (number STRING);", "Line 1, column 33" }, /* another type */
    };
    kinfolk_schema_changes *changes = NULL;
    char *before, *after;
    size_t i;
    begin_two_environments();
    kinfolk_record_free(saved_note(for_development, "a", 1));
    before = export(development);
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_schema_difference(development, cases[i].text, false, &changes));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_schema_apply(development, cases[i].text, true, &changes));
        if (strstr(kinfolk_error_message(), cases[i].place) == NULL) SAME(kinfolk_error_message(), cases[i].place);
    }
    CHECK(changes == NULL);
    after = export(development);
    SAME(after, before);
    EQUAL(stored(for_development, "a", "number"), 1);
    kinfolk_free(before);
    kinfolk_free(after);
    end_two_environments();
}

static void missing_types_are_removed_on_request(void) {
    static const char without_notes[] = "DEFINE SCHEMA\nRECORD TYPE Page (text STRING);\n";
    kinfolk_schema_changes *changes = NULL;
    begin_two_environments();
    kinfolk_record_free(saved_note(for_development, "a", 1));
    OK(kinfolk_schema_apply(development, without_notes, false, NULL));
    EQUAL(stored(for_development, "a", "number"), 1);
    OK(kinfolk_schema_apply(development, without_notes, true, &changes));
    check_change(changes, KINFOLK_SCHEMA_REMOVE_RECORD_TYPE, "Note", NULL, NULL);
    kinfolk_schema_changes_free(changes);
    CHECK(!holds(development, "RECORD TYPE Note"));
    EQUAL(stored(for_development, "a", "number"), NO_NOTE);
    end_two_environments();
}

static void a_deployed_schema_of_production_does_not_grow(void) {
    kinfolk_schema_changes *changes = NULL;
    kinfolk_record *note, *other = NULL;
    begin_two_environments();
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_schema_deploy(games, NULL)); /* never opened for development */
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_schema_deployment_difference(games, &changes));
    OK(kinfolk_schema_apply(development, notes_schema, false, NULL));
    OK(kinfolk_schema_deployment_difference(development, &changes));
    check_change(changes, KINFOLK_SCHEMA_ADD_RECORD_TYPE, "Note", NULL, NULL);
    CHECK(!holds(notes, "RECORD TYPE Note"));
    kinfolk_schema_changes_free(changes);
    OK(kinfolk_schema_deploy(notes, &changes)); /* the handle of either environment */
    check_change(changes, KINFOLK_SCHEMA_ADD_RECORD_TYPE, "Note", NULL, NULL);
    kinfolk_schema_changes_free(changes);
    CHECK(holds(notes, "RECORD TYPE Note"));

    note = saved_note(by_ada, "a", 1);
    OK(kinfolk_record_set_int64(note, "unknown", 1));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_save(by_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    CHECK(strstr(kinfolk_error_message(), "unknown") != NULL); /* it says which field */
    EQUAL(stored(by_ada, "a", "unknown"), MISSING);
    OK(kinfolk_record_new("Page", NULL, NULL, &other));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_save(by_ada, other, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(other);
    kinfolk_record_free(note);
    note = new_note("a", 1); /* in development it grows */
    OK(kinfolk_record_set_int64(note, "unknown", 1));
    OK(kinfolk_database_save(for_development, note, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(note);
    OK(kinfolk_schema_deployment_difference(notes, &changes));
    EQUAL(kinfolk_schema_changes_count(changes), 1);
    check_change(changes, KINFOLK_SCHEMA_ADD_FIELD, "Note", "unknown", "INT64 QUERYABLE");
    kinfolk_schema_changes_free(changes);
    OK(kinfolk_schema_deploy(notes, NULL));
    CHECK(holds(notes, "unknown"));
    end_two_environments();
}

static void the_operator_adds_and_removes_fields_of_any_type(void) {
    kinfolk_record *note;
    begin_two_environments();
    OK(kinfolk_schema_add_field(notes, "Note", "number", KINFOLK_INT64, KINFOLK_INDEX_STANDARD));
    OK(kinfolk_schema_add_field(notes, "Note", "plain", KINFOLK_STRING, 0));
    OK(kinfolk_schema_add_field(notes, "Note", "found", KINFOLK_STRING, KINFOLK_INDEX_QUERYABLE));
    OK(kinfolk_schema_add_field(notes, "Note", "list", KINFOLK_STRING_LIST, KINFOLK_INDEX_STANDARD));
    FAILS(KINFOLK_CONFLICT, kinfolk_schema_add_field(notes, "Note", "plain", KINFOLK_STRING, 0));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_schema_add_field(notes, "No te", "a", KINFOLK_STRING, 0));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_schema_add_field(notes, "Note", "1a", KINFOLK_STRING, 0));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_schema_add_field(notes, "Note", "a", (kinfolk_field_type)10, 0));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_schema_add_field(notes, "Note", "a", KINFOLK_STRING, 8));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_schema_add_field(notes, "Note", "a", KINFOLK_STRING, 257));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_schema_add_field(notes, "Note", "a", KINFOLK_STRING, UINT32_MAX));
    CHECK(holds(notes, "QUERYABLE"));
    note = new_note("a", 1);
    OK(kinfolk_record_set_string(note, "plain", "text"));
    OK(kinfolk_database_save(private_of_ada, note, KINFOLK_SAVE_IF_UNCHANGED)); /* the operator has added them */
    kinfolk_record_free(note);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_schema_remove_field(notes, "Note", "missing"));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_schema_remove_field(notes, "Page", "number"));
    OK(kinfolk_schema_remove_field(notes, "Note", "number"));
    EQUAL(stored(private_of_ada, "a", "number"), MISSING);
    OK(kinfolk_schema_add_field(notes, "Note", "number", KINFOLK_STRING, 0)); /* its name is free again */
    OK(kinfolk_container_add_field(notes, "age", KINFOLK_INT64)); /* of the type Users */
    FAILS(KINFOLK_CONFLICT, kinfolk_schema_add_field(notes, "Users", "age", KINFOLK_INT64, 0));
    OK(kinfolk_schema_remove_field(notes, "Users", "age"));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_remove_field(notes, "age"));
    end_two_environments();
}

static bool note_progress(uint64_t done, uint64_t total, void *context) {
    uint64_t *last = context;
    CHECK(total == 3 && done <= total);
    *last = done;
    return true;
}

static bool end_at_once(uint64_t done, uint64_t total, void *context) {
    (void)done, (void)total, (void)context;
    return false;
}

static void an_index_of_existing_records_is_built(void) {
    static const char sorted[] = "DEFINE SCHEMA RECORD TYPE Note (number INT64 QUERYABLE SORTABLE);";
    kinfolk_index_builds *builds = NULL;
    uint64_t done = 0;
    begin_two_environments();
    kinfolk_record_free(saved_note(for_development, "a", 1));
    kinfolk_record_free(saved_note(for_development, "b", 2));
    kinfolk_record_free(saved_note(for_development, "c", 3));
    OK(kinfolk_schema_index_builds(development, &builds));
    EQUAL(kinfolk_index_builds_count(builds), 0);
    CHECK(kinfolk_index_builds_record_type(builds, 0) == NULL);
    EQUAL(kinfolk_index_builds_done(builds, 0), 0);
    EQUAL(kinfolk_index_builds_total(builds, 0), 0);
    kinfolk_index_builds_free(builds);
    OK(kinfolk_schema_apply(development, sorted, false, NULL));
    /* The thread of the service may have built it already. */
    OK(kinfolk_schema_index_builds(development, &builds));
    if (kinfolk_index_builds_count(builds) == 1) {
        SAME(kinfolk_index_builds_record_type(builds, 0), "Note");
        CHECK(kinfolk_index_builds_done(builds, 0) <= 3);
        EQUAL(kinfolk_index_builds_total(builds, 0), 3);
    }
    kinfolk_index_builds_free(builds);
    OK(kinfolk_schema_build_indexes(development, note_progress, &done));
    CHECK(done == 0 || done == 3);
    OK(kinfolk_schema_build_indexes(development, end_at_once, NULL)); /* nothing is left */
    OK(kinfolk_schema_build_indexes(development, NULL, NULL));
    OK(kinfolk_schema_index_builds(development, &builds));
    EQUAL(kinfolk_index_builds_count(builds), 0);
    kinfolk_index_builds_free(builds);
    end_two_environments();
}

static void a_text_larger_than_8_mb_is_refused(void) {
    static char text[8000002];
    kinfolk_schema_changes *changes = NULL;
    begin_two_environments();
    memset(text, ' ', sizeof text - 1);
    memcpy(text, "DEFINE SCHEMA", 13);
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_schema_difference(development, text, false, &changes));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_schema_apply(development, text, false, &changes));
    CHECK(changes == NULL);
    end_two_environments();
}

BEGIN
    RUN(a_save_extends_the_schema_and_its_text);
    RUN(a_difference_changes_nothing_and_an_application_the_same);
    RUN(an_exported_schema_applies_elsewhere);
    RUN(a_faulty_text_is_refused_with_its_place);
    RUN(missing_types_are_removed_on_request);
    RUN(a_deployed_schema_of_production_does_not_grow);
    RUN(the_operator_adds_and_removes_fields_of_any_type);
    RUN(an_index_of_existing_records_is_built);
    RUN(a_text_larger_than_8_mb_is_refused);
END
