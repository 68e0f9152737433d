/* Grants of record types, and roles that the operator gives to accounts. */

#include "harness.h"
#include "people.h"
#include "two_people.h"
#include "notes.h"

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

static kinfolk_record *note;

/* Ada's note, which nobody else may read. */
static void begin_with_grants(void) {
    begin();
    OK(kinfolk_schema_apply(notes, schema, false, NULL));
    note = saved_note(by_ada, "a", 1);
}

static void end_with_grants(void) {
    kinfolk_record_free(note);
    end();
}

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
    begin_with_grants();
    check_roles(grace, NULL, NULL);
    OK(kinfolk_role_grant(notes, "Reader", grace));
    OK(kinfolk_role_grant(notes, "Editor", grace));
    OK(kinfolk_role_grant(notes, "Editor", grace));
    check_roles(grace, "Editor", "Reader");
    check_roles(ada, NULL, NULL);
    OK(kinfolk_role_revoke(notes, "Editor", grace));
    check_roles(grace, "Reader", NULL);
    end_with_grants();
}

static void a_role_begins_and_ends_with_the_next_call(void) {
    kinfolk_record *fetched = NULL;
    begin_with_grants();
    EQUAL(stored(by_grace, "a", "number"), NO_NOTE);
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_database_save(by_grace, note, KINFOLK_SAVE_IF_UNCHANGED));
    OK(kinfolk_role_grant(notes, "Editor", grace));
    OK(kinfolk_database_fetch(by_grace, "a", NULL, &fetched));
    OK(kinfolk_record_set_int64(fetched, "number", 2));
    OK(kinfolk_database_save(by_grace, fetched, KINFOLK_SAVE_IF_UNCHANGED));
    EQUAL(stored(by_ada, "a", "number"), 2);
    OK(kinfolk_role_revoke(notes, "Editor", grace));
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_database_save(by_grace, fetched, KINFOLK_SAVE_IF_UNCHANGED));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_database_delete(by_grace, "a", NULL, NULL, NULL));
    EQUAL(stored(by_grace, "a", "number"), NO_NOTE);
    EQUAL(stored(by_ada, "a", "number"), 2);
    kinfolk_record_free(fetched);
    end_with_grants();
}

static void a_hidden_record_looks_like_a_missing_one_in_a_batch(void) {
    static const char *const names[] = { "a", "missing" };
    kinfolk_batch *batch = NULL;
    size_t failed = 0, i;
    begin_with_grants();
    OK(kinfolk_batch_new(&batch));
    for (i = 0; i < 2; i++) OK(kinfolk_batch_delete(batch, KINFOLK_OPERATION_DELETE, names[i], NULL, "0123456789abcdef"));
    OK(kinfolk_batch_run(batch, by_grace, false, &failed));
    EQUAL(failed, 2);
    for (i = 0; i < 2; i++) EQUAL(kinfolk_batch_status(batch, i), KINFOLK_UNKNOWN_ITEM);
    kinfolk_batch_free(batch);
    EQUAL(stored(by_ada, "a", "number"), 1);
    end_with_grants();
}

static void a_name_or_an_account_that_is_not_valid_is_refused(void) {
    kinfolk_roles *roles = NULL;
    begin_with_grants();
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_role_grant(notes, "_world", grace));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_role_grant(notes, "", grace));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_role_revoke(notes, "Edi tor", grace));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_role_grant(notes, "Author", grace));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_role_revoke(notes, "Editor", grace));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_role_grant(games, "Editor", grace)); /* another schema */
    OK(kinfolk_account_erase(grace, NULL));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_role_grant(notes, "Editor", grace));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_role_revoke(notes, "Editor", grace));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_roles(notes, grace, &roles));
    CHECK(roles == NULL);
    end_with_grants();
}

BEGIN
    RUN(an_account_has_the_roles_that_it_was_given);
    RUN(a_role_begins_and_ends_with_the_next_call);
    RUN(a_hidden_record_looks_like_a_missing_one_in_a_batch);
    RUN(a_name_or_an_account_that_is_not_valid_is_refused);
END
