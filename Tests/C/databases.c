/* Records of any type, one by one, in public and private databases and in both environments. */

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
    static const char *const bad_names[] = { "", "_", "_note", "_defaultZone", "_0123456789ABCDEF0123456789abcdef",
                                             "a\nb", "a\x7f", "\x1f", "caf\xc3\xa9", "\xff" };
    static const char *const good_names[] = { " ", "a", "~", "a b", "-", ".", "!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}" };
    char longest[257];
    kinfolk_record *record = NULL;
    kinfolk_batch *batch = NULL;
    size_t i;
    begin();
    OK(kinfolk_batch_new(&batch));
    for (i = 0; i < sizeof bad_types / sizeof bad_types[0]; i++)
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_new(bad_types[i], "name", NULL, &record));
    for (i = 0; i < sizeof bad_names / sizeof bad_names[0]; i++) {
        const char *const *names = &bad_names[i];
        kinfolk_records *records = NULL;
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_new("Note", bad_names[i], NULL, &record));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_fetch(by_ada, bad_names[i], NULL, &record));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_fetch_records(by_ada, names, NULL, 1, &records));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_delete(by_ada, bad_names[i], NULL, NULL, NULL));
        FAILS(KINFOLK_INVALID_ARGUMENT,
              kinfolk_batch_delete(batch, KINFOLK_OPERATION_FORCE_DELETE, bad_names[i], NULL, NULL));
        CHECK(records == NULL);
    }
    CHECK(record == NULL);
    EQUAL(kinfolk_batch_count(batch), 0);

    memset(longest, 'n', 256);
    longest[256] = '\0';
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_new("Note", longest, NULL, &record));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_new(longest, "name", NULL, &record));
    longest[255] = '\0';
    OK(kinfolk_record_new(longest, longest, NULL, &record));
    SAME(kinfolk_record_name(record), longest);
    OK(kinfolk_database_save(by_ada, record, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(record);
    OK(kinfolk_database_fetch(by_ada, longest, NULL, &record));
    SAME(kinfolk_record_name(record), longest);
    SAME(kinfolk_record_type(record), longest);
    kinfolk_record_free(record);
    for (i = 0; i < sizeof good_names / sizeof good_names[0]; i++) {
        record = saved_note(by_ada, good_names[i], (int64_t)i);
        EQUAL(stored(by_ada, good_names[i], "number"), i);
        kinfolk_record_free(record);
    }
    kinfolk_batch_free(batch);
    end();
}

static void only_user_records_have_the_type_users_and_a_user_record_id(void) {
    kinfolk_record *record = NULL;
    begin();
    OK(kinfolk_record_new("Users", "ada", NULL, &record));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_save(by_ada, record, KINFOLK_SAVE_IF_UNCHANGED));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_save(by_ada, record, KINFOLK_SAVE_ALL_KEYS));
    kinfolk_record_free(record);
    OK(kinfolk_record_new("Note", record_id(adas), NULL, &record));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_save(by_ada, record, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(record);
    OK(kinfolk_record_new("Users", NOBODY, NULL, &record)); /* a user record cannot be made */
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_database_save(by_ada, record, KINFOLK_SAVE_ALL_KEYS));
    kinfolk_record_free(record);
    OK(kinfolk_record_new("Users", record_id(graces), NULL, &record));
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_database_save(by_ada, record, KINFOLK_SAVE_ALL_KEYS));
    kinfolk_record_free(record);
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_database_delete(by_ada, record_id(adas), NULL, NULL, NULL));
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_database_delete(private_of_ada, record_id(adas), NULL, NULL, NULL));
    OK(kinfolk_database_fetch(by_ada, record_id(adas), NULL, &record)); /* it is fetched by its ID */
    SAME(kinfolk_record_type(record), "Users");
    OK(kinfolk_record_set_int64(record, "age", 36));
    OK(kinfolk_database_save(by_ada, record, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(record);
    record = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    EQUAL(field_of(record, "age"), 36);
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

static void a_value_of_every_type_returns_in_a_record(void) {
    static const char *const texts[] = { "garden", "" };
    static const uint8_t raw[] = { 0, 255, 0 };
    const char *const *got_texts = NULL;
    const char *text = NULL;
    const uint8_t *bytes = NULL;
    kinfolk_record *note = new_note("types", 1), *seen = NULL;
    kinfolk_value *value = NULL;
    size_t length = 0, count = 0;
    int64_t date = 0;
    double latitude = 0, longitude = 0, number = 0;
    bool boolean = false;
    begin();
    OK(kinfolk_record_set_string(note, "text", "a \xe2\x82\xac"));
    OK(kinfolk_record_set_double(note, "double", -0.5));
    OK(kinfolk_record_set_boolean(note, "boolean", true));
    OK(kinfolk_record_set_bytes(note, "bytes", raw, sizeof raw));
    OK(kinfolk_record_set_date(note, "date", -1));
    OK(kinfolk_record_set_location(note, "place", 51.5, -0.12));
    OK(kinfolk_record_set_reference(note, "owner", record_id(graces), NULL, KINFOLK_REFERENCE_NONE));
    OK(kinfolk_value_new_string_list(texts, NULL, 2, &value));
    OK(kinfolk_record_set_value(note, "texts", value));
    kinfolk_value_free(value);
    OK(kinfolk_database_save(by_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    OK(kinfolk_database_fetch(by_grace, "types", NULL, &seen));
    EQUAL(kinfolk_record_field_count(seen), 9);
    OK(kinfolk_record_get_string(seen, "text", &text));
    SAME(text, "a \xe2\x82\xac");
    OK(kinfolk_record_get_double(seen, "double", &number));
    CHECK(number == -0.5);
    OK(kinfolk_record_get_boolean(seen, "boolean", &boolean));
    CHECK(boolean);
    OK(kinfolk_record_get_bytes(seen, "bytes", &bytes, &length));
    CHECK(length == sizeof raw && memcmp(bytes, raw, length) == 0);
    OK(kinfolk_record_get_date(seen, "date", &date));
    EQUAL(date, -1);
    OK(kinfolk_record_get_location(seen, "place", &latitude, &longitude));
    CHECK(latitude == 51.5 && longitude == -0.12);
    OK(kinfolk_record_get_reference(seen, "owner", &text, NULL, NULL));
    SAME(text, record_id(graces));
    OK(kinfolk_record_get_value(seen, "texts", &value));
    OK(kinfolk_value_get_strings(value, &got_texts, NULL, &count));
    REQUIRE(count == 2);
    SAME(got_texts[0], "garden");
    SAME(got_texts[1], "");
    kinfolk_value_free(value);
    kinfolk_record_free(note);
    kinfolk_record_free(seen);
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

static void three_policies_on_a_changed_record(void) {
    kinfolk_record *note, *server;
    begin();
    note = stale_note("a");
    OK(kinfolk_record_set_int64(note, "mine", 3));
    FAILS(KINFOLK_SERVER_RECORD_CHANGED, kinfolk_database_save(by_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    server = kinfolk_error_take_server_record();
    REQUIRE(server != NULL);
    SAME(kinfolk_record_name(server), "a");
    EQUAL(field_of(server, "number"), 2);
    EQUAL(field_of(server, "mine"), 1);
    EQUAL(stored(by_ada, "a", "mine"), 1);
    EQUAL(field_of(note, "number"), 1); /* the handle stays as it was */
    OK(kinfolk_record_set_int64(server, "mine", 3)); /* merged, and saved */
    OK(kinfolk_database_save(by_ada, server, KINFOLK_SAVE_IF_UNCHANGED));
    EQUAL(stored(by_ada, "a", "mine"), 3);
    kinfolk_record_free(server);
    kinfolk_record_free(note);

    note = stale_note("b");
    OK(kinfolk_record_set_int64(note, "mine", 3));
    OK(kinfolk_database_save(by_ada, note, KINFOLK_SAVE_CHANGED_KEYS));
    EQUAL(stored(by_ada, "b", "mine"), 3);
    EQUAL(stored(by_ada, "b", "number"), 2);
    EQUAL(stored(by_ada, "b", "theirs"), 2);
    EQUAL(field_of(note, "theirs"), 2); /* the handle has the record of the store now */
    kinfolk_record_free(note);

    note = stale_note("c");
    OK(kinfolk_database_save(by_ada, note, KINFOLK_SAVE_ALL_KEYS));
    EQUAL(stored(by_ada, "c", "number"), 1);
    EQUAL(stored(by_ada, "c", "theirs"), 2);
    kinfolk_record_free(note);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_save(by_ada, NULL, KINFOLK_SAVE_ALL_KEYS));
    end();
}

static void three_policies_on_a_missing_record(void) {
    static const kinfolk_save_policy policies[] = { KINFOLK_SAVE_IF_UNCHANGED, KINFOLK_SAVE_CHANGED_KEYS,
                                                    KINFOLK_SAVE_ALL_KEYS };
    char name[2] = "a";
    size_t i;
    begin();
    for (i = 0; i < 3; i++, name[0]++) {
        kinfolk_record *note = new_note(name, 1);
        OK(kinfolk_database_save(by_ada, note, policies[i])); /* each makes a new record */
        OK(kinfolk_database_delete(by_ada, name, NULL, NULL, NULL));
        OK(kinfolk_record_set_int64(note, "number", 2));
        if (policies[i] == KINFOLK_SAVE_IF_UNCHANGED)
            FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_database_save(by_ada, note, policies[i]));
        else
            OK(kinfolk_database_save(by_ada, note, policies[i]));
        EQUAL(stored(by_ada, name, "number"), policies[i] == KINFOLK_SAVE_IF_UNCHANGED ? NO_NOTE : 2);
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_save(by_ada, note, (kinfolk_save_policy)3));
        kinfolk_record_free(note);
    }
    end();
}

static void a_new_record_does_not_replace_another(void) {
    kinfolk_record *first, *second, *server;
    begin();
    first = saved_note(by_ada, "taken", 1);
    second = new_note("taken", 2);
    FAILS(KINFOLK_SERVER_RECORD_CHANGED, kinfolk_database_save(by_ada, second, KINFOLK_SAVE_IF_UNCHANGED));
    server = kinfolk_error_take_server_record();
    EQUAL(field_of(server, "number"), 1);
    kinfolk_record_free(server);
    EQUAL(stored(by_ada, "taken", "number"), 1);
    kinfolk_record_free(first);
    kinfolk_record_free(second);
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

static void a_record_belongs_to_its_database(void) {
    kinfolk_record *note;
    kinfolk_session *elsewhere;
    kinfolk_database *in_games;
    begin();
    elsewhere = sign_in(games, ada);
    in_games = open_database(elsewhere, KINFOLK_DATABASE_PUBLIC);
    note = saved_note(by_ada, "a", 1);
    EQUAL(stored(private_of_ada, "a", "number"), NO_NOTE);
    EQUAL(stored(in_games, "a", "number"), NO_NOTE);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_database_save(private_of_ada, note, KINFOLK_SAVE_ALL_KEYS));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_database_save(in_games, note, KINFOLK_SAVE_ALL_KEYS));
    OK(kinfolk_record_save(adas, note, KINFOLK_SAVE_ALL_KEYS)); /* to where it is from */
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_record_save(elsewhere, note, KINFOLK_SAVE_ALL_KEYS));
    kinfolk_record_free(note);
    note = new_note("b", 1);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_save(adas, note, KINFOLK_SAVE_ALL_KEYS)); /* from nowhere */
    kinfolk_record_free(note);
    kinfolk_database_free(in_games);
    kinfolk_session_free(elsewhere);
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

static void a_fetch_has_400_names_and_2_mb_at_most(void) {
    static const char *names[401];
    static uint8_t large[999996]; /* 1,000,000 with the name of its field */
    kinfolk_records *records = NULL;
    kinfolk_record *note, *seen = NULL;
    char name[] = "a";
    size_t i;
    begin();
    for (i = 0; i < 401; i++) names[i] = "missing";
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_database_fetch_records(by_ada, names, NULL, 401, &records));
    CHECK(records == NULL);
    OK(kinfolk_database_fetch_records(by_ada, names, NULL, 400, &records));
    EQUAL(kinfolk_records_count(records), 400);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_records_record(records, 399, &seen));
    kinfolk_records_free(records);
    for (i = 0; i < 2; i++, name[0]++) { /* a and b have 1 MB each */
        OK(kinfolk_record_new("Large", name, NULL, &note));
        OK(kinfolk_record_set_bytes(note, "data", large, sizeof large));
        OK(kinfolk_database_save(by_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
        kinfolk_record_free(note);
    }
    note = saved_note(by_ada, "c", 3);
    names[0] = "a", names[1] = "b", names[2] = "c";
    OK(kinfolk_database_fetch_records(by_ada, names, NULL, 3, &records));
    for (i = 0; i < 2; i++) {
        OK(kinfolk_records_record(records, i, &seen));
        kinfolk_record_free(seen);
    }
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_records_record(records, 2, &seen));
    kinfolk_records_free(records);
    OK(kinfolk_database_fetch_records(by_ada, names + 2, NULL, 1, &records)); /* the rest, with another call */
    OK(kinfolk_records_record(records, 0, &seen));
    EQUAL(field_of(seen, "number"), 3);
    kinfolk_record_free(seen);
    kinfolk_records_free(records);
    kinfolk_record_free(note);
    end();
}

/* ---- Who may do what */

static void a_public_record_is_changed_by_its_creator_only(void) {
    kinfolk_record *note, *seen = NULL;
    begin();
    note = saved_note(by_ada, "a", 1);
    OK(kinfolk_database_fetch(by_grace, "a", NULL, &seen));
    OK(kinfolk_record_set_int64(seen, "number", 2));
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_database_save(by_grace, seen, KINFOLK_SAVE_IF_UNCHANGED));
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_database_save(by_grace, seen, KINFOLK_SAVE_ALL_KEYS));
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_database_delete(by_grace, "a", NULL, NULL, NULL));
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_database_delete(by_grace, "a", NULL, kinfolk_record_change_tag(seen), NULL));
    EQUAL(stored(by_ada, "a", "number"), 1);
    kinfolk_record_free(seen);
    kinfolk_record_free(note);
    end();
}

static void nobody_else_reads_or_writes_a_private_database(void) {
    const char *names[1] = { "a" };
    kinfolk_database *graces_private;
    kinfolk_records *records = NULL;
    kinfolk_record *note, *seen = NULL;
    begin();
    graces_private = open_database(graces, KINFOLK_DATABASE_PRIVATE);
    note = saved_note(by_ada, "public", 1); /* which adds the type */
    kinfolk_record_free(note);
    note = saved_note(private_of_ada, "a", 1);
    EQUAL(kinfolk_record_database(note), KINFOLK_DATABASE_PRIVATE);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_database_fetch(graces_private, "a", NULL, &seen));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_database_fetch(graces_private, record_id(adas), NULL, &seen));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_database_fetch(by_grace, "a", NULL, &seen));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_database_delete(graces_private, "a", NULL, NULL, NULL));
    OK(kinfolk_database_fetch_records(graces_private, names, NULL, 1, &records));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_records_record(records, 0, &seen));
    kinfolk_records_free(records);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_database_save(graces_private, note, KINFOLK_SAVE_IF_UNCHANGED));
    CHECK(seen == NULL);
    seen = saved_note(graces_private, "a", 2); /* a record of the same name, in another database */
    EQUAL(stored(private_of_ada, "a", "number"), 1);
    OK(kinfolk_database_delete(graces_private, "a", NULL, NULL, NULL));
    EQUAL(stored(private_of_ada, "a", "number"), 1);
    kinfolk_record_free(seen);
    kinfolk_record_free(note);
    kinfolk_database_free(graces_private);
    end();
}

static void a_session_without_an_account_reads_the_public_database(void) {
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
    OK(kinfolk_database_fetch_records(public_database, names, NULL, 1, &records));
    OK(kinfolk_records_record(records, 0, &seen));
    kinfolk_record_free(seen);
    kinfolk_records_free(records);
    OK(kinfolk_batch_new(&batch));
    OK(kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, other));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_database_save(public_database, other, KINFOLK_SAVE_ALL_KEYS));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_database_delete(public_database, "a", NULL, NULL, NULL));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_batch_run(batch, public_database, false, NULL));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_database_fetch(private_database, "a", NULL, &seen));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_database_fetch_records(private_database, names, NULL, 1, &records));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_database_save(private_database, other, KINFOLK_SAVE_ALL_KEYS));
    EQUAL(stored(by_ada, "b", "number"), NO_NOTE);

    OK(kinfolk_account_suspend(ada)); /* a suspended account may do the same */
    EQUAL(stored(by_ada, "a", "number"), 1);
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_database_save(by_ada, note, KINFOLK_SAVE_ALL_KEYS));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_database_fetch(private_of_ada, "a", NULL, &seen));
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

/* ---- Environments and the schema */

static void nothing_crosses_between_environments(void) {
    kinfolk_container *development = NULL, *again = NULL;
    kinfolk_session *session;
    kinfolk_database *database;
    kinfolk_record *note, *seen = NULL;
    begin();
    OK(kinfolk_container_open_environment(service, NOTES, KINFOLK_ENVIRONMENT_DEVELOPMENT, &development));
    OK(kinfolk_container_open_environment(service, NOTES, KINFOLK_ENVIRONMENT_PRODUCTION, &again));
    EQUAL(kinfolk_container_environment(notes), KINFOLK_ENVIRONMENT_PRODUCTION);
    EQUAL(kinfolk_container_environment(again), KINFOLK_ENVIRONMENT_PRODUCTION);
    EQUAL(kinfolk_container_environment(development), KINFOLK_ENVIRONMENT_DEVELOPMENT);
    SAME(kinfolk_container_name(development), NOTES);
    session = sign_in(development, ada);
    CHECK(strcmp(record_id(session), record_id(adas)) != 0);
    database = open_database(session, KINFOLK_DATABASE_PUBLIC);
    note = saved_note(by_ada, "a", 1);
    EQUAL(stored(database, "a", "number"), NO_NOTE);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_database_save(database, note, KINFOLK_SAVE_ALL_KEYS));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_database_fetch(database, record_id(adas), NULL, &seen));
    kinfolk_record_free(note);
    OK(kinfolk_record_new("Note", "a", NULL, &note));
    OK(kinfolk_record_set_string(note, "number", "one")); /* another schema, too */
    OK(kinfolk_database_save(database, note, KINFOLK_SAVE_IF_UNCHANGED));
    EQUAL(stored(by_ada, "a", "number"), 1);
    kinfolk_record_free(note);
    kinfolk_container_free(again);
    FAILS(KINFOLK_UNKNOWN_ITEM,
          kinfolk_container_open_environment(service, "com.example.none", KINFOLK_ENVIRONMENT_DEVELOPMENT, &again));
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_container_open_environment(service, "none", KINFOLK_ENVIRONMENT_DEVELOPMENT, &again));
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_container_open_environment(service, NOTES, (kinfolk_environment)2, &again));
    kinfolk_database_free(database);
    kinfolk_session_free(session);
    kinfolk_container_free(development);
    end();
}

static void a_private_database_extends_only_the_schema_of_development(void) {
    kinfolk_container *development = NULL;
    kinfolk_session *session;
    kinfolk_database *database;
    kinfolk_record *note;
    begin();
    note = new_note("a", 1);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_save(private_of_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(saved_note(by_grace, "a", 1));
    OK(kinfolk_database_save(private_of_ada, note, KINFOLK_SAVE_IF_UNCHANGED)); /* Grace has added the type */
    OK(kinfolk_record_set_int64(note, "secret", 1));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_save(private_of_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    EQUAL(stored(private_of_ada, "a", "secret"), MISSING);
    kinfolk_record_free(note);
    OK(kinfolk_container_open_environment(service, NOTES, KINFOLK_ENVIRONMENT_DEVELOPMENT, &development));
    session = sign_in(development, ada);
    database = open_database(session, KINFOLK_DATABASE_PRIVATE);
    note = new_note("a", 1);
    OK(kinfolk_record_set_int64(note, "secret", 1));
    OK(kinfolk_database_save(database, note, KINFOLK_SAVE_IF_UNCHANGED));
    EQUAL(stored(database, "a", "secret"), 1);
    kinfolk_record_free(note);
    kinfolk_database_free(database);
    kinfolk_session_free(session);
    kinfolk_container_free(development);
    end();
}

static void a_field_keeps_its_type_within_its_record_type(void) {
    kinfolk_record *note, *other = NULL;
    begin();
    note = saved_note(by_ada, "a", 1);
    OK(kinfolk_record_new("Note", "b", NULL, &other));
    OK(kinfolk_record_set_string(other, "number", "one"));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_save(by_grace, other, KINFOLK_SAVE_IF_UNCHANGED));
    EQUAL(stored(by_ada, "b", "number"), NO_NOTE);
    kinfolk_record_free(other);
    OK(kinfolk_record_new("Page", "b", NULL, &other)); /* another record type */
    OK(kinfolk_record_set_string(other, "number", "one"));
    OK(kinfolk_database_save(by_grace, other, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(other);
    OK(kinfolk_record_new("Page", "a", NULL, &other)); /* a record keeps its type */
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_save(by_ada, other, KINFOLK_SAVE_ALL_KEYS));
    kinfolk_record_free(other);
    kinfolk_record_free(note);
    end();
}

static void a_person_adds_a_limited_number_of_types_and_fields(void) {
    kinfolk_record *note;
    begin();
    OK(kinfolk_container_set_field_limit(notes, 2));
    note = saved_note(by_ada, "a", 1); /* a type and a field */
    OK(kinfolk_record_set_int64(note, "more", 1));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_database_save(by_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    EQUAL(stored(by_ada, "a", "more"), MISSING);
    kinfolk_record_free(note);
    end();
}

static void a_record_has_1_mb_at_most(void) {
    static uint8_t large[999997];
    kinfolk_record *note = NULL;
    begin();
    OK(kinfolk_record_new("Large", "a", NULL, &note));
    OK(kinfolk_record_set_bytes(note, "data", large, sizeof large));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_database_save(by_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    EQUAL(stored(by_ada, "a", "data"), NO_NOTE);
    OK(kinfolk_record_set_bytes(note, "data", large, sizeof large - 1));
    OK(kinfolk_database_save(by_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(note);
    end();
}

/* ---- Export and erasure */

static void an_erased_account_leaves_no_record(void) {
    static const char content[] = "Nobody is to read this";
    kinfolk_erasure *erasure = NULL;
    kinfolk_record *note;
    char *json = NULL;
    begin();
    note = new_note("in public", 1);
    OK(kinfolk_record_set_string(note, "text", content));
    OK(kinfolk_database_save(by_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(note);
    note = new_note("in private", 2);
    OK(kinfolk_record_set_string(note, "text", content));
    OK(kinfolk_database_save(private_of_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(note);
    OK(kinfolk_account_export(ada, &json));
    CHECK(strstr(json, content) != NULL && strstr(strstr(json, content) + 1, content) != NULL);
    CHECK(strstr(json, "in public") != NULL && strstr(json, "in private") != NULL && strstr(json, "Note") != NULL);
    kinfolk_free(json);
    OK(kinfolk_account_erase(ada, &erasure));
    CHECK(kinfolk_erasure_record_count(erasure) >= 2);
    kinfolk_erasure_free(erasure);
    EQUAL(stored(by_grace, "in public", "number"), NO_NOTE);
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_database_fetch(private_of_ada, "in private", NULL, &note));
    if (harness_server() == NULL) {
        CHECK(!file_holds(STORE, content, sizeof content - 1));
        CHECK(!file_holds(file_path("kinfolk.db-wal"), content, sizeof content - 1));
    }
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
    RUN(only_user_records_have_the_type_users_and_a_user_record_id);
    RUN(a_saved_record_knows_who_made_and_changed_it_and_when);
    RUN(a_value_of_every_type_returns_in_a_record);
    RUN(references_and_a_parent_return_in_a_record);
    RUN(records_are_deleted_with_their_target);
    RUN(three_policies_on_a_changed_record);
    RUN(three_policies_on_a_missing_record);
    RUN(a_new_record_does_not_replace_another);
    RUN(a_deletion_with_a_stale_tag_fails);
    RUN(a_record_belongs_to_its_database);
    RUN(several_records_are_fetched_at_once);
    RUN(a_fetch_has_400_names_and_2_mb_at_most);
    RUN(a_public_record_is_changed_by_its_creator_only);
    RUN(nobody_else_reads_or_writes_a_private_database);
    RUN(a_session_without_an_account_reads_the_public_database);
    RUN(a_database_outlives_its_session);
    RUN(nothing_crosses_between_environments);
    RUN(a_private_database_extends_only_the_schema_of_development);
    RUN(a_field_keeps_its_type_within_its_record_type);
    RUN(a_person_adds_a_limited_number_of_types_and_fields);
    RUN(a_record_has_1_mb_at_most);
    RUN(an_erased_account_leaves_no_record);
    RUN(the_operator_can_keep_public_records);
END
