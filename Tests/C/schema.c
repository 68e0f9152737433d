/* Schemas: their texts, what a text or a deployment changes, fields that the operator adds, and roles. */

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

static void a_faulty_text_is_refused_with_its_place(void) {
    static const char text[] = "DEFINE SCHEMA\nRECORD TYPE Note (\n    title STRNG\n);\n";
    kinfolk_schema_changes *changes = NULL;
    begin_two_environments();
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_schema_difference(development, text, false, &changes));
    CHECK(strstr(kinfolk_error_message(), "Line 3, column 11") != NULL);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_schema_apply(development, text, true, &changes));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_schema_apply(development, "", false, &changes));
    CHECK(changes == NULL);
    CHECK(!holds(development, "Note"));
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

static void a_schema_is_deployed(void) {
    kinfolk_schema_changes *changes = NULL;
    kinfolk_record *note;
    begin_two_environments();
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_schema_deploy(games, NULL)); /* never opened for development */
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_schema_deployment_difference(games, &changes));
    CHECK(changes == NULL);
    OK(kinfolk_schema_apply(development, notes_schema, false, NULL));
    OK(kinfolk_schema_deployment_difference(development, &changes));
    check_change(changes, KINFOLK_SCHEMA_ADD_RECORD_TYPE, "Note", NULL, NULL);
    CHECK(!holds(notes, "RECORD TYPE Note"));
    kinfolk_schema_changes_free(changes);
    OK(kinfolk_schema_deploy(notes, &changes)); /* the handle of either environment */
    check_change(changes, KINFOLK_SCHEMA_ADD_RECORD_TYPE, "Note", NULL, NULL);
    kinfolk_schema_changes_free(changes);
    CHECK(holds(notes, "RECORD TYPE Note"));
    note = new_note("a", 1);
    OK(kinfolk_record_set_int64(note, "unknown", 1));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_save(by_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    CHECK(strstr(kinfolk_error_message(), "unknown") != NULL); /* it says which field */
    kinfolk_record_free(note);
    OK(kinfolk_schema_deploy(notes, NULL));
    end_two_environments();
}

static void the_operator_adds_and_removes_fields_of_any_type(void) {
    begin_two_environments();
    OK(kinfolk_schema_add_field(notes, "Note", "number", KINFOLK_INT64, KINFOLK_INDEX_STANDARD));
    OK(kinfolk_schema_add_field(notes, "Note", "plain", KINFOLK_STRING, 0));
    CHECK(holds(notes, "INT64 QUERYABLE") && !holds(notes, "STRING QUERYABLE"));
    OK(kinfolk_schema_add_field(notes, "Note", "found", KINFOLK_STRING, KINFOLK_INDEX_QUERYABLE));
    OK(kinfolk_schema_add_field(notes, "Note", "list", KINFOLK_STRING_LIST, KINFOLK_INDEX_STANDARD));
    CHECK(holds(notes, "STRING QUERYABLE") && holds(notes, "LIST<STRING>"));
    FAILS(KINFOLK_CONFLICT, kinfolk_schema_add_field(notes, "Note", "plain", KINFOLK_STRING, 0));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_schema_add_field(notes, "No te", "a", KINFOLK_STRING, 0));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_schema_add_field(notes, "Note", "1a", KINFOLK_STRING, 0));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_schema_add_field(notes, "Note", "a", (kinfolk_field_type)10, 0));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_schema_add_field(notes, "Note", "a", KINFOLK_STRING, 8));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_schema_add_field(notes, "Note", "a", KINFOLK_STRING, 257));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_schema_add_field(notes, "Note", "a", KINFOLK_STRING, UINT32_MAX));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_schema_remove_field(notes, "Note", "missing"));
    OK(kinfolk_schema_remove_field(notes, "Note", "number"));
    CHECK(!holds(notes, "number"));
    OK(kinfolk_container_add_field(notes, "age", KINFOLK_INT64)); /* of the type Users */
    CHECK(holds(notes, "age"));
    FAILS(KINFOLK_CONFLICT, kinfolk_schema_add_field(notes, "Users", "age", KINFOLK_INT64, 0));
    FAILS(KINFOLK_CONFLICT, kinfolk_container_add_field(notes, "age", KINFOLK_STRING));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_add_field(notes, "two", (kinfolk_field_type)99));
    OK(kinfolk_container_remove_field(notes, "age"));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_remove_field(notes, "age"));
    CHECK(!holds(notes, "age"));
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

/* ---- Roles */

static const char schema[] = "DEFINE SCHEMA\n"
                             "CREATE ROLE Editor;\n"
                             "CREATE ROLE Reader;\n"
                             "RECORD TYPE Note (\n"
                             "    number INT64,\n"
                             "    GRANT READ, WRITE TO \"_creator\",\n"
                             "    GRANT CREATE TO \"_icloud\",\n"
                             "    GRANT READ, WRITE TO Editor,\n"
                             "    GRANT READ TO Reader\n"
                             ");\n";

static void check_roles(const kinfolk_account *account, const char *first, const char *second) {
    kinfolk_roles *roles = NULL;
    size_t count = (first != NULL) + (second != NULL);
    OK(kinfolk_container_roles(notes, account, &roles));
    EQUAL(kinfolk_roles_count(roles), count);
    if (first != NULL) SAME(kinfolk_roles_name(roles, 0), first);
    if (second != NULL) SAME(kinfolk_roles_name(roles, 1), second);
    CHECK(kinfolk_roles_name(roles, count) == NULL);
    kinfolk_roles_free(roles);
}

static void an_account_has_the_roles_that_it_was_given(void) {
    kinfolk_roles *roles = NULL;
    begin();
    OK(kinfolk_schema_apply(notes, schema, false, NULL));
    kinfolk_record_free(saved_note(by_ada, "a", 1));
    check_roles(grace, NULL, NULL);
    EQUAL(stored(by_grace, "a", "number"), NO_NOTE);
    OK(kinfolk_role_grant(notes, "Reader", grace));
    OK(kinfolk_role_grant(notes, "Editor", grace));
    check_roles(grace, "Editor", "Reader");
    check_roles(ada, NULL, NULL);
    EQUAL(stored(by_grace, "a", "number"), 1); /* with the next call of her session */
    OK(kinfolk_role_revoke(notes, "Editor", grace));
    check_roles(grace, "Reader", NULL);
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_database_delete(by_grace, "a", NULL, NULL, NULL));

    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_role_grant(notes, "_world", grace));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_role_revoke(notes, "Edi tor", grace));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_role_grant(notes, "Author", grace));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_role_revoke(notes, "Editor", grace));
    OK(kinfolk_account_erase(grace, NULL));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_role_grant(notes, "Editor", grace));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_roles(notes, grace, &roles));
    CHECK(roles == NULL);
    end();
}

BEGIN
    RUN(a_difference_changes_nothing_and_an_application_the_same);
    RUN(a_faulty_text_is_refused_with_its_place);
    RUN(missing_types_are_removed_on_request);
    RUN(a_schema_is_deployed);
    RUN(the_operator_adds_and_removes_fields_of_any_type);
    RUN(an_index_of_existing_records_is_built);
    RUN(an_account_has_the_roles_that_it_was_given);
END
