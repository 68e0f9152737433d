/* Records, one by one, in public and private databases, and the records of users. */

#include "harness.h"
#include "people.h"
#include "two_people.h"
#include "notes.h"

#include <time.h>

/* ---- New records */

static void a_new_record_is_in_no_database(void) {
    kinfolk_record *note = new_note("first", 1), *unnamed = new_note(NULL, 1), *another = new_note(NULL, 1);
    const char *name = kinfolk_record_name(unnamed);
    size_t i;
    SAME(kinfolk_record_type(note), "Note");
    SAME(kinfolk_record_name(note), "first");
    SAME(kinfolk_record_id(note), "first");
    SAME(kinfolk_record_zone(note), "_defaultZone");
    EQUAL(kinfolk_record_database(note), KINFOLK_DATABASE_NONE);
    CHECK(kinfolk_record_change_tag(note) == NULL);
    CHECK(kinfolk_record_created_by(note) == NULL && kinfolk_record_modified_by(note) == NULL);
    EQUAL(kinfolk_record_created_at(note), 0);
    EQUAL(kinfolk_record_modified_at(note), 0);
    /* A random UUID, as XXXXXXXX-XXXX-4XXX-YXXX-XXXXXXXXXXXX. */
    REQUIRE(strlen(name) == 36);
    for (i = 0; i < 36; i++) {
        if (i == 8 || i == 13 || i == 18 || i == 23) CHECK(name[i] == '-');
        else CHECK(strchr("0123456789ABCDEF", name[i]) != NULL);
    }
    CHECK(name[14] == '4' && strchr("89AB", name[19]) != NULL);
    CHECK(strcmp(name, kinfolk_record_name(another)) != 0);
    kinfolk_record_free(note);
    kinfolk_record_free(unnamed);
    kinfolk_record_free(another);
}

static void malformed_names_and_types_are_refused(void) {
    static const char *const bad_types[] = { "", "_Note", "1Note", "No te", "Note-", "N\xc3\xb6te", "\xff" };
    static const char *const bad_name = "_note";
    char longest[257];
    kinfolk_record *record = NULL;
    kinfolk_records *records = NULL;
    kinfolk_batch *batch = NULL;
    size_t i;
    begin();
    OK(kinfolk_batch_new(&batch));
    for (i = 0; i < sizeof bad_types / sizeof bad_types[0]; i++)
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_new(bad_types[i], "name", NULL, &record));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_new("Note", bad_name, NULL, &record));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_fetch(by_ada, bad_name, NULL, &record));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_fetch_records(by_ada, &bad_name, NULL, 1, &records));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_delete(by_ada, bad_name, NULL, NULL, NULL));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_batch_delete(batch, KINFOLK_OPERATION_FORCE_DELETE, bad_name, NULL, NULL));
    EQUAL(kinfolk_batch_count(batch), 0);
    kinfolk_batch_free(batch);

    memset(longest, 'n', 256);
    longest[256] = '\0';
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_new(longest, "name", NULL, &record));
    CHECK(record == NULL && records == NULL);
    longest[255] = '\0';
    OK(kinfolk_record_new(longest, longest, NULL, &record));
    OK(kinfolk_database_save(by_ada, record, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(record);
    OK(kinfolk_database_fetch(by_ada, longest, NULL, &record));
    SAME(kinfolk_record_name(record), longest);
    SAME(kinfolk_record_type(record), longest);
    kinfolk_record_free(record);
    end();
}

/* ---- User records */

static void a_new_user_has_two_empty_records(void) {
    kinfolk_record *public_record, *private_record;
    const int64_t day = INT64_C(86400000000);
    int64_t now = (int64_t)time(NULL) * 1000000;
    begin();
    public_record = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    private_record = own_record(adas, KINFOLK_DATABASE_PRIVATE);
    EQUAL(kinfolk_record_database(public_record), KINFOLK_DATABASE_PUBLIC);
    EQUAL(kinfolk_record_database(private_record), KINFOLK_DATABASE_PRIVATE);
    SAME(kinfolk_record_type(public_record), "Users");
    SAME(kinfolk_record_id(public_record), record_id(adas));
    SAME(kinfolk_record_id(private_record), record_id(adas));
    EQUAL(kinfolk_record_field_count(public_record), 0);
    SAME(kinfolk_record_created_by(public_record), record_id(adas));
    SAME(kinfolk_record_modified_by(public_record), record_id(adas));
    /* The creation date is the start of the day of the first session. A minute later it may be another day. */
    EQUAL(kinfolk_record_created_at(public_record) % day, 0);
    CHECK(kinfolk_record_created_at(public_record) == now / day * day ||
          kinfolk_record_created_at(public_record) == (now + 60000000) / day * day);
    CHECK(kinfolk_record_modified_at(public_record) >= kinfolk_record_created_at(public_record));
    REQUIRE(kinfolk_record_change_tag(public_record) != NULL);
    CHECK(kinfolk_record_change_tag(public_record)[0] != '\0');
    kinfolk_record_free(public_record);
    kinfolk_record_free(private_record);
    end();
}

static void a_user_record_is_fetched_by_its_id_and_saved_where_it_is_from(void) {
    kinfolk_record *record, *seen = NULL;
    begin();
    record = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    OK(kinfolk_record_set_int64(record, "age", 36));
    OK(kinfolk_record_save(adas, record, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(record);
    OK(kinfolk_record_fetch(graces, record_id(adas), KINFOLK_DATABASE_PUBLIC, &seen));
    EQUAL(field_of(seen, "age"), 36);
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_record_save(graces, seen, KINFOLK_SAVE_ALL_KEYS));
    kinfolk_record_free(seen);
    seen = NULL;
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_record_fetch(graces, record_id(adas), KINFOLK_DATABASE_PRIVATE, &seen));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_record_fetch(adas, NOBODY, KINFOLK_DATABASE_PUBLIC, &seen));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_fetch(adas, "_0123", KINFOLK_DATABASE_PUBLIC, &seen));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_fetch(adas, NULL, (kinfolk_database_scope)2, &seen));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_fetch(adas, NULL, (kinfolk_database_scope)-1, &seen));
    CHECK(seen == NULL);
    record = new_note("b", 1);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_save(adas, record, KINFOLK_SAVE_ALL_KEYS)); /* from nowhere */
    kinfolk_record_free(record);
    end();
}

/* ---- One record */

static void a_saved_record_knows_who_made_and_changed_it_and_when(void) {
    int64_t before = (int64_t)time(NULL) * 1000000, first_save;
    kinfolk_record *note, *seen = NULL;
    char tag[200];
    begin();
    note = saved_note(by_ada, NULL, 1);
    EQUAL(kinfolk_record_database(note), KINFOLK_DATABASE_PUBLIC);
    SAME(kinfolk_record_created_by(note), record_id(adas));
    SAME(kinfolk_record_modified_by(note), record_id(adas));
    first_save = kinfolk_record_created_at(note);
    CHECK(first_save >= before && first_save <= ((int64_t)time(NULL) + 1) * 1000000);
    EQUAL(kinfolk_record_modified_at(note), first_save);
    REQUIRE(kinfolk_record_change_tag(note) != NULL);
    snprintf(tag, sizeof tag, "%s", kinfolk_record_change_tag(note));

    OK(kinfolk_record_set_int64(note, "number", 2));
    OK(kinfolk_database_save(by_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    CHECK(strcmp(kinfolk_record_change_tag(note), tag) != 0);
    EQUAL(kinfolk_record_created_at(note), first_save);
    CHECK(kinfolk_record_modified_at(note) >= first_save);
    OK(kinfolk_database_fetch(by_grace, kinfolk_record_name(note), NULL, &seen));
    SAME(kinfolk_record_change_tag(seen), kinfolk_record_change_tag(note));
    SAME(kinfolk_record_created_by(seen), record_id(adas));
    EQUAL(kinfolk_record_created_at(seen), first_save);
    EQUAL(kinfolk_record_modified_at(seen), kinfolk_record_modified_at(note));
    EQUAL(field_of(seen, "number"), 2);
    kinfolk_record_free(seen);

    OK(kinfolk_database_delete(by_ada, kinfolk_record_name(note), NULL, kinfolk_record_change_tag(note), NULL));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_database_fetch(by_ada, kinfolk_record_name(note), NULL, &seen));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_database_delete(by_ada, kinfolk_record_name(note), NULL, NULL, NULL));
    kinfolk_record_free(note);
    end();
}

static void a_handle_is_a_copy_which_saving_updates(void) {
    kinfolk_record *record, *before = NULL, *after = NULL;
    const char *borrowed;
    char tag[200];
    begin();
    record = saved_note(by_ada, "a", 1);
    OK(kinfolk_database_fetch(by_ada, "a", NULL, &before));
    borrowed = kinfolk_record_change_tag(record);
    snprintf(tag, sizeof tag, "%s", borrowed);
    OK(kinfolk_record_set_int64(record, "number", 2));
    EQUAL(stored(by_ada, "a", "number"), 1);
    OK(kinfolk_database_save(by_ada, record, KINFOLK_SAVE_IF_UNCHANGED));
    SAME(borrowed, tag); /* also now */
    CHECK(strcmp(kinfolk_record_change_tag(record), tag) != 0);
    EQUAL(field_of(before, "number"), 1);
    OK(kinfolk_database_fetch(by_ada, "a", NULL, &after));
    SAME(kinfolk_record_change_tag(record), kinfolk_record_change_tag(after));
    EQUAL(kinfolk_record_modified_at(record), kinfolk_record_modified_at(after));
    OK(kinfolk_record_set_int64(record, "number", 3)); /* and so it may be saved again */
    OK(kinfolk_database_save(by_ada, record, KINFOLK_SAVE_IF_UNCHANGED));
    EQUAL(stored(by_ada, "a", "number"), 3);
    kinfolk_record_free(record);
    kinfolk_record_free(before);
    kinfolk_record_free(after);
    end();
}

static void references_and_a_parent_return_in_a_record(void) {
    static const char *const names[] = { "milk", NOBODY, "a note" };
    static const kinfolk_reference_action actions[] = { KINFOLK_REFERENCE_NONE, KINFOLK_REFERENCE_NONE,
                                                        KINFOLK_REFERENCE_NONE };
    const char *const *got_names = NULL, *const *zones = NULL;
    const kinfolk_reference_action *got_actions = NULL;
    kinfolk_reference_action action = KINFOLK_REFERENCE_NONE;
    const char *name = NULL, *zone = NULL;
    kinfolk_record *note = new_note("item", 1), *seen = NULL;
    kinfolk_value *value = NULL;
    size_t count = 0, i;
    begin();
    CHECK(kinfolk_record_parent(note) == NULL && kinfolk_record_parent(NULL) == NULL);
    OK(kinfolk_record_set_reference(note, "list", "groceries", NULL, KINFOLK_REFERENCE_DELETE_SELF));
    OK(kinfolk_record_get_reference(note, "list", &name, &zone, &action));
    SAME(name, "groceries");
    SAME(zone, "_defaultZone");
    EQUAL(action, KINFOLK_REFERENCE_DELETE_SELF);
    OK(kinfolk_record_set_reference(note, "list", "groceries", "_defaultZone", KINFOLK_REFERENCE_NONE));
    OK(kinfolk_value_new_reference_list(names, NULL, actions, 3, &value));
    OK(kinfolk_value_get_references(value, &got_names, &zones, &got_actions, &count));
    SAME(zones[0], "");
    SAME(zones[1], "_defaultZone");
    OK(kinfolk_record_set_value(note, "lists", value));
    kinfolk_value_free(value);
    OK(kinfolk_record_set_parent(note, "groceries"));
    OK(kinfolk_database_save(by_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    OK(kinfolk_database_fetch(by_grace, "item", NULL, &seen));
    SAME(kinfolk_record_parent(seen), "groceries");
    OK(kinfolk_record_get_reference(seen, "list", &name, NULL, NULL));
    SAME(name, "groceries");
    OK(kinfolk_record_get_value(seen, "lists", &value));
    OK(kinfolk_value_get_references(value, &got_names, &zones, &got_actions, &count));
    REQUIRE(count == 3);
    for (i = 0; i < count; i++) {
        SAME(got_names[i], names[i]);
        SAME(zones[i], "_defaultZone");
        EQUAL(got_actions[i], actions[i]);
    }
    kinfolk_value_free(value);
    kinfolk_record_free(seen);

    OK(kinfolk_record_set_parent(note, NULL));
    OK(kinfolk_database_save(by_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    OK(kinfolk_database_fetch(by_ada, "item", NULL, &seen));
    CHECK(kinfolk_record_parent(seen) == NULL);
    kinfolk_record_free(seen);

    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_set_parent(note, NOBODY));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_set_parent(note, "_groceries"));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_set_parent(NULL, "groceries"));
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_record_set_reference(note, "list", NOBODY, NULL, KINFOLK_REFERENCE_VALIDATE));
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_record_set_reference(note, "list", "milk", NULL, (kinfolk_reference_action)3));
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_record_set_reference(note, "list", "milk", "", KINFOLK_REFERENCE_NONE));
    kinfolk_record_free(note);
    end();
}

static void records_are_deleted_with_their_target(void) {
    static const char *const names[] = { "a", "b" };
    kinfolk_record *list = new_note("list", 1), *item;
    kinfolk_deleted *deleted = NULL;
    kinfolk_back_references *page = NULL, *next = NULL;
    kinfolk_batch *batch = NULL;
    size_t i;
    begin();
    item = new_note("c", 1);
    OK(kinfolk_record_set_reference(item, "list", "list", NULL, KINFOLK_REFERENCE_VALIDATE));
    FAILS(KINFOLK_REFERENCE_VIOLATION, kinfolk_database_save(by_ada, item, KINFOLK_SAVE_IF_UNCHANGED));
    OK(kinfolk_database_save(by_ada, list, KINFOLK_SAVE_IF_UNCHANGED));
    OK(kinfolk_database_save(by_ada, item, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(item);
    for (i = 0; i < 2; i++) {
        item = new_note(names[i], 1);
        OK(kinfolk_record_set_reference(item, "list", i == 0 ? "list" : "a", NULL, KINFOLK_REFERENCE_DELETE_SELF));
        OK(kinfolk_record_set_parent(item, "list"));
        OK(kinfolk_database_save(by_ada, item, KINFOLK_SAVE_IF_UNCHANGED));
        kinfolk_record_free(item);
    }
    OK(kinfolk_database_back_references(by_grace, "list", NULL, NULL, 3, &page));
    EQUAL(kinfolk_back_references_count(page), 3);
    SAME(kinfolk_back_references_name(page, 0), "a");
    SAME(kinfolk_back_references_name(page, 1), "b");
    EQUAL(kinfolk_back_references_kind(page, 1), KINFOLK_BACK_REFERENCE_PARENT);
    EQUAL(kinfolk_back_references_kind(page, 2), KINFOLK_BACK_REFERENCE_DELETE_SELF);
    SAME(kinfolk_back_references_type(page, 2), "Note");
    CHECK(kinfolk_back_references_name(page, 3) == NULL);
    OK(kinfolk_database_back_references(by_grace, "list", "_defaultZone", page, 3, &next));
    EQUAL(kinfolk_back_references_count(next), 1);
    EQUAL(kinfolk_back_references_kind(next, 0), KINFOLK_BACK_REFERENCE_VALIDATE);
    kinfolk_back_references_free(page);
    kinfolk_back_references_free(next);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_back_references(by_ada, "list", NULL, NULL, 401, &page));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_database_back_references(by_ada, "nothing", NULL, NULL, 400, &page));
    FAILS(KINFOLK_REFERENCE_VIOLATION, kinfolk_database_delete(by_ada, "list", NULL, NULL, &deleted));
    CHECK(deleted == NULL);
    OK(kinfolk_database_delete(by_ada, "c", NULL, NULL, NULL));
    OK(kinfolk_database_delete(by_ada, "list", NULL, kinfolk_record_change_tag(list), &deleted));
    EQUAL(kinfolk_deleted_count(deleted), 3);
    SAME(kinfolk_deleted_name(deleted, 0), "list");
    SAME(kinfolk_deleted_name(deleted, 1), "a");
    SAME(kinfolk_deleted_name(deleted, 2), "b");
    SAME(kinfolk_deleted_zone(deleted, 2), "_defaultZone");
    SAME(kinfolk_deleted_type(deleted, 2), "Note");
    CHECK(kinfolk_deleted_name(deleted, 3) == NULL && kinfolk_deleted_count(NULL) == 0);
    kinfolk_deleted_free(deleted);

    OK(kinfolk_batch_new(&batch));
    item = new_note("d", 1);
    OK(kinfolk_record_set_reference(item, "list", "list", NULL, KINFOLK_REFERENCE_DELETE_SELF));
    OK(kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, item));
    OK(kinfolk_batch_save(batch, KINFOLK_OPERATION_FORCE_REPLACE, list));
    OK(kinfolk_batch_run(batch, by_ada, true, NULL));
    kinfolk_batch_free(batch);
    kinfolk_record_free(item);
    OK(kinfolk_batch_new(&batch));
    OK(kinfolk_batch_delete(batch, KINFOLK_OPERATION_FORCE_DELETE, "list", NULL, NULL));
    OK(kinfolk_batch_run(batch, by_ada, false, NULL));
    OK(kinfolk_batch_deleted(batch, &deleted));
    EQUAL(kinfolk_deleted_count(deleted), 2);
    SAME(kinfolk_deleted_name(deleted, 1), "d");
    kinfolk_deleted_free(deleted);
    kinfolk_batch_free(batch);
    kinfolk_record_free(list);
    end();
}

/* ---- Conflicts */

/* A note {number: 1, mine: 1}, which Ada has saved as {number: 2, theirs: 2} through another handle since. */
static kinfolk_record *stale_note(const char *name) {
    kinfolk_record *note = new_note(name, 1), *other = NULL;
    OK(kinfolk_record_set_int64(note, "mine", 1));
    OK(kinfolk_database_save(by_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    OK(kinfolk_database_fetch(by_ada, name, NULL, &other));
    OK(kinfolk_record_set_int64(other, "number", 2));
    OK(kinfolk_record_set_int64(other, "theirs", 2));
    OK(kinfolk_database_save(by_ada, other, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(other);
    return note;
}

static void a_stale_save_fails_with_the_record_of_the_store(void) {
    kinfolk_record *note, *server;
    char tag[200];
    begin();
    note = stale_note("a");
    snprintf(tag, sizeof tag, "%s", kinfolk_record_change_tag(note));
    OK(kinfolk_record_set_int64(note, "mine", 3));
    FAILS(KINFOLK_SERVER_RECORD_CHANGED, kinfolk_database_save(by_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    CHECK(kinfolk_error_retry_after() == 0);
    server = kinfolk_error_take_server_record();
    REQUIRE(server != NULL);
    CHECK(kinfolk_error_take_server_record() == NULL);
    SAME(kinfolk_record_name(server), "a");
    EQUAL(field_of(server, "number"), 2);
    EQUAL(field_of(server, "mine"), 1);
    EQUAL(field_of(note, "number"), 1); /* the failed save changed neither the handle nor the store */
    EQUAL(field_of(note, "mine"), 3);
    SAME(kinfolk_record_change_tag(note), tag);
    EQUAL(stored(by_ada, "a", "mine"), 1);
    OK(kinfolk_record_set_int64(server, "mine", 3)); /* merged, and saved */
    OK(kinfolk_database_save(by_ada, server, KINFOLK_SAVE_IF_UNCHANGED));
    EQUAL(stored(by_ada, "a", "mine"), 3);
    EQUAL(stored(by_ada, "a", "number"), 2);
    kinfolk_record_free(server);
    kinfolk_record_free(note);
    end();
}

static void a_later_failure_frees_the_record_of_the_store(void) {
    kinfolk_record *note;
    char *canonical = NULL;
    begin();
    note = stale_note("a");
    FAILS(KINFOLK_SERVER_RECORD_CHANGED, kinfolk_database_save(by_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_email_canonicalize("", &canonical));
    CHECK(kinfolk_error_take_server_record() == NULL);
    kinfolk_record_free(note);
    end();
}

static void the_policy_says_what_a_stale_save_writes(void) {
    kinfolk_record *note;
    begin();
    note = stale_note("a");
    OK(kinfolk_record_set_int64(note, "mine", 3));
    OK(kinfolk_database_save(by_ada, note, KINFOLK_SAVE_CHANGED_KEYS));
    EQUAL(stored(by_ada, "a", "mine"), 3);
    EQUAL(stored(by_ada, "a", "number"), 2);
    EQUAL(field_of(note, "theirs"), 2); /* the handle has the record of the store now */
    OK(kinfolk_record_remove(note, "mine"));
    OK(kinfolk_database_save(by_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    EQUAL(stored(by_ada, "a", "mine"), MISSING);
    kinfolk_record_free(note);
    note = stale_note("b");
    OK(kinfolk_database_save(by_ada, note, KINFOLK_SAVE_ALL_KEYS));
    EQUAL(stored(by_ada, "b", "number"), 1);
    EQUAL(stored(by_ada, "b", "theirs"), 2);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_save(by_ada, note, (kinfolk_save_policy)3));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_save(adas, note, (kinfolk_save_policy)-1));
    kinfolk_record_free(note);
    end();
}

static void a_deletion_with_a_stale_tag_fails(void) {
    kinfolk_record *note, *server;
    begin();
    note = stale_note("a");
    FAILS(KINFOLK_SERVER_RECORD_CHANGED, kinfolk_database_delete(by_ada, "a", NULL, kinfolk_record_change_tag(note), NULL));
    server = kinfolk_error_take_server_record();
    EQUAL(field_of(server, "number"), 2);
    FAILS(KINFOLK_SERVER_RECORD_CHANGED, kinfolk_database_delete(by_ada, "a", NULL, "", NULL));
    EQUAL(stored(by_ada, "a", "number"), 2);
    OK(kinfolk_database_delete(by_ada, "a", NULL, kinfolk_record_change_tag(server), NULL));
    EQUAL(stored(by_ada, "a", "number"), NO_NOTE);
    kinfolk_record_free(server);
    kinfolk_record_free(note);
    end();
}

/* ---- Several records */

static void several_records_are_fetched_at_once(void) {
    const char *names[3] = { "b", "missing", "a" };
    kinfolk_record *a, *b, *seen = NULL;
    kinfolk_records *records = NULL;
    begin();
    a = saved_note(by_ada, "a", 1);
    b = saved_note(by_ada, "b", 2);
    OK(kinfolk_database_fetch_records(by_grace, names, NULL, 3, &records));
    EQUAL(kinfolk_records_count(records), 3);
    OK(kinfolk_records_record(records, 0, &seen));
    SAME(kinfolk_record_name(seen), "b");
    EQUAL(field_of(seen, "number"), 2);
    kinfolk_record_free(seen);
    seen = NULL;
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_records_record(records, 1, &seen));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_records_record(records, 3, &seen));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_records_record(records, SIZE_MAX, &seen));
    CHECK(seen == NULL);
    OK(kinfolk_records_record(records, 2, &seen));
    SAME(kinfolk_record_name(seen), "a");
    kinfolk_records_free(records);
    EQUAL(field_of(seen, "number"), 1); /* it does not need the list */
    kinfolk_record_free(seen);
    OK(kinfolk_database_fetch_records(by_grace, NULL, NULL, 0, &records));
    EQUAL(kinfolk_records_count(records), 0);
    kinfolk_records_free(records);
    kinfolk_record_free(a);
    kinfolk_record_free(b);
    end();
}

/* ---- Limits, and who may do what */

static void a_record_has_a_thousand_fields_at_most(void) {
    kinfolk_record *record = NULL;
    kinfolk_value *value = NULL;
    char name[16];
    int i;
    OK(kinfolk_record_new("Note", NULL, NULL, &record));
    for (i = 1000; i > 0; i--) { /* against their order */
        sprintf(name, "f%04d", i);
        OK(kinfolk_record_set_boolean(record, name, true));
    }
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_record_set_int64(record, "g", 1));
    OK(kinfolk_value_new_string_list(NULL, NULL, 0, &value));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_record_set_value(record, "g", value));
    kinfolk_value_free(value);
    EQUAL(kinfolk_record_field_count(record), 1000);
    OK(kinfolk_record_set_int64(record, "f0007", 1)); /* an existing one */
    OK(kinfolk_record_remove(record, "f0008"));
    OK(kinfolk_record_set_int64(record, "g", 1));
    EQUAL(kinfolk_record_field_count(record), 1000);
    kinfolk_record_free(record);
}

static void a_session_without_an_account_only_reads_the_public_database(void) {
    const char *names[1] = { "a" };
    kinfolk_session *anonymous = NULL;
    kinfolk_database *public_database, *private_database;
    kinfolk_records *records = NULL;
    kinfolk_batch *batch = NULL;
    kinfolk_record *note, *other = new_note("b", 1), *seen = NULL;
    begin();
    OK(kinfolk_session_open_anonymous(notes, &anonymous));
    public_database = open_database(anonymous, KINFOLK_DATABASE_PUBLIC);
    private_database = open_database(anonymous, KINFOLK_DATABASE_PRIVATE);
    note = saved_note(by_ada, "a", 1);
    EQUAL(stored(public_database, "a", "number"), 1);
    OK(kinfolk_batch_new(&batch));
    OK(kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, other));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_database_save(public_database, other, KINFOLK_SAVE_ALL_KEYS));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_database_delete(public_database, "a", NULL, NULL, NULL));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_batch_run(batch, public_database, false, NULL));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_database_fetch(private_database, "a", NULL, &seen));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_database_fetch_records(private_database, names, NULL, 1, &records));
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_database_delete(by_grace, "a", NULL, NULL, NULL));
    CHECK(seen == NULL && records == NULL);
    kinfolk_batch_free(batch);
    kinfolk_record_free(note);
    kinfolk_record_free(other);
    kinfolk_database_free(public_database);
    kinfolk_database_free(private_database);
    kinfolk_session_free(anonymous);
    end();
}

static void a_database_outlives_its_session(void) {
    kinfolk_database *database;
    kinfolk_session *session;
    kinfolk_record *note;
    begin();
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_session_database(adas, KINFOLK_DATABASE_NONE, &database));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_session_database(adas, (kinfolk_database_scope)-1, &database));
    session = sign_in(notes, ada);
    database = open_database(session, KINFOLK_DATABASE_PUBLIC);
    kinfolk_session_free(session);
    note = saved_note(database, "a", 1);
    EQUAL(stored(database, "a", "number"), 1);
    kinfolk_record_free(note);
    kinfolk_database_free(database);
    end();
}

static void the_operator_can_keep_public_records(void) {
    kinfolk_record *note, *seen = NULL;
    char erased[64];
    begin();
    kinfolk_record_free(saved_note(by_ada, "kept", 1));
    kinfolk_record_free(saved_note(private_of_ada, "gone", 1));
    note = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    OK(kinfolk_record_set_int64(note, "number", 1));
    OK(kinfolk_record_save(adas, note, KINFOLK_SAVE_ALL_KEYS));
    kinfolk_record_free(note);
    snprintf(erased, sizeof erased, "%s", record_id(adas));
    OK(kinfolk_account_erase_keeping_public_records(ada, NULL));
    OK(kinfolk_database_fetch(by_grace, "kept", NULL, &seen));
    EQUAL(field_of(seen, "number"), 1);
    CHECK(kinfolk_record_created_by(seen) == NULL && kinfolk_record_modified_by(seen) == NULL);
    CHECK(kinfolk_record_created_at(seen) != 0);
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_database_save(by_grace, seen, KINFOLK_SAVE_ALL_KEYS)); /* nobody's */
    kinfolk_record_free(seen);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_database_fetch(by_grace, erased, NULL, &seen));
    end();
}

BEGIN
    RUN(a_new_record_is_in_no_database);
    RUN(malformed_names_and_types_are_refused);
    RUN(a_new_user_has_two_empty_records);
    RUN(a_user_record_is_fetched_by_its_id_and_saved_where_it_is_from);
    RUN(a_saved_record_knows_who_made_and_changed_it_and_when);
    RUN(a_handle_is_a_copy_which_saving_updates);
    RUN(references_and_a_parent_return_in_a_record);
    RUN(records_are_deleted_with_their_target);
    RUN(a_stale_save_fails_with_the_record_of_the_store);
    RUN(a_later_failure_frees_the_record_of_the_store);
    RUN(the_policy_says_what_a_stale_save_writes);
    RUN(a_deletion_with_a_stale_tag_fails);
    RUN(several_records_are_fetched_at_once);
    RUN(a_record_has_a_thousand_fields_at_most);
    RUN(a_session_without_an_account_only_reads_the_public_database);
    RUN(a_database_outlives_its_session);
    RUN(the_operator_can_keep_public_records);
END
