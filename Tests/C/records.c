/* User records: who may read and write them, and concurrent saves. */

#include "harness.h"
#include "people.h"
#include "two_people.h"

#include <time.h>

static kinfolk_session *adas, *graces;

static void begin(void) {
    make_two_people();
    adas = sign_in(notes, ada);
    graces = sign_in(notes, grace);
}

static void end(void) {
    kinfolk_session_free(adas);
    kinfolk_session_free(graces);
    free_two_people();
}

static void set(kinfolk_record *record, const char *name, int64_t value) {
    OK(kinfolk_record_set_int64(record, name, value));
}

static void save(kinfolk_record *record) {
    OK(kinfolk_record_save(adas, record, KINFOLK_SAVE_IF_UNCHANGED));
}

/* A field of a record must have this value; MISSING: the record must not have the field. */
#define MISSING INT64_MIN
static void check(const kinfolk_record *record, const char *name, int64_t wanted) {
    int64_t value = 0;
    if (wanted == MISSING) {
        FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_record_get_int64(record, name, &value));
        return;
    }
    OK(kinfolk_record_get_int64(record, name, &value));
    EQUAL(value, wanted);
}

/* The same for the record in the store. */
static void check_stored(const char *name, int64_t wanted) {
    kinfolk_record *record = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    check(record, name, wanted);
    kinfolk_record_free(record);
}

/* ---- Reading and writing */

static void a_new_user_has_two_empty_records(void) {
    kinfolk_record *public_record, *private_record;
    const int64_t day = INT64_C(86400000000);
    int64_t now = (int64_t)time(NULL) * 1000000;
    begin();
    public_record = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    private_record = own_record(adas, KINFOLK_DATABASE_PRIVATE);
    EQUAL(kinfolk_record_database(public_record), KINFOLK_DATABASE_PUBLIC);
    EQUAL(kinfolk_record_database(private_record), KINFOLK_DATABASE_PRIVATE);
    SAME(kinfolk_record_id(public_record), record_id(adas));
    SAME(kinfolk_record_id(private_record), record_id(adas));
    EQUAL(kinfolk_record_field_count(public_record), 0);
    EQUAL(kinfolk_record_field_count(private_record), 0);
    SAME(kinfolk_record_created_by(public_record), record_id(adas));
    SAME(kinfolk_record_modified_by(public_record), record_id(adas));
    /* The creation date is the start of the day of the first session. A minute later it may be another day. */
    EQUAL(kinfolk_record_created_at(public_record) % day, 0);
    CHECK(kinfolk_record_created_at(public_record) == now / day * day ||
          kinfolk_record_created_at(public_record) == (now + 60000000) / day * day);
    EQUAL(kinfolk_record_created_at(private_record), kinfolk_record_created_at(public_record));
    CHECK(kinfolk_record_modified_at(public_record) >= kinfolk_record_created_at(public_record));
    REQUIRE(kinfolk_record_change_tag(public_record) != NULL);
    CHECK(kinfolk_record_change_tag(public_record)[0] != '\0');
    kinfolk_record_free(public_record);
    kinfolk_record_free(private_record);
    end();
}

static void the_two_databases_are_separate(void) {
    kinfolk_record *public_record, *private_record;
    begin();
    public_record = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    set(public_record, "seen", 1);
    save(public_record);
    private_record = own_record(adas, KINFOLK_DATABASE_PRIVATE);
    EQUAL(kinfolk_record_field_count(private_record), 0);
    OK(kinfolk_container_add_field(notes, "hidden", KINFOLK_INT64)); /* in production, saving it would not */
    set(private_record, "hidden", 2);
    save(private_record);
    check_stored("seen", 1);
    check_stored("hidden", MISSING);
    kinfolk_record_free(public_record);
    kinfolk_record_free(private_record);
    end();
}

static void a_public_record_is_read_by_all_and_written_by_its_user(void) {
    kinfolk_record *record, *seen = NULL;
    begin();
    record = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    set(record, "age", 36);
    save(record);
    kinfolk_record_free(record);
    OK(kinfolk_record_fetch(graces, record_id(adas), KINFOLK_DATABASE_PUBLIC, &seen));
    check(seen, "age", 36);
    set(seen, "age", 85);
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_record_save(graces, seen, KINFOLK_SAVE_ALL_KEYS));
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_record_save(graces, seen, KINFOLK_SAVE_IF_UNCHANGED));
    check_stored("age", 36);
    kinfolk_record_free(seen);
    end();
}

static void only_its_user_reads_a_private_record(void) {
    kinfolk_record *record, *seen = NULL;
    begin();
    record = own_record(adas, KINFOLK_DATABASE_PRIVATE);
    OK(kinfolk_container_add_field(notes, "age", KINFOLK_INT64));
    set(record, "age", 36);
    save(record);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_record_fetch(graces, record_id(adas), KINFOLK_DATABASE_PRIVATE, &seen));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_record_fetch(graces, NOBODY, KINFOLK_DATABASE_PRIVATE, &seen));
    CHECK(seen == NULL);
    set(record, "age", 37);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_record_save(graces, record, KINFOLK_SAVE_ALL_KEYS));
    OK(kinfolk_record_fetch(adas, record_id(adas), KINFOLK_DATABASE_PRIVATE, &seen)); /* by ID too */
    check(seen, "age", 36);
    kinfolk_record_free(record);
    kinfolk_record_free(seen);
    end();
}

static void a_record_belongs_to_its_container(void) {
    kinfolk_session *elsewhere;
    kinfolk_record *record, *seen = NULL;
    begin();
    elsewhere = sign_in(games, ada);
    record = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_record_fetch(elsewhere, record_id(adas), KINFOLK_DATABASE_PUBLIC, &seen));
    set(record, "age", 36);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_record_save(elsewhere, record, KINFOLK_SAVE_ALL_KEYS));
    CHECK(seen == NULL);
    kinfolk_record_free(record);
    kinfolk_session_free(elsewhere);
    end();
}

static void unknown_and_malformed_ids_have_different_statuses(void) {
    static const char *const bad[] = { "", "_", "_0123", "0123456789abcdef0123456789abcdef0", "_0123456789ABCDEF0123456789abcdef", "\xff" };
    kinfolk_record *record = NULL;
    size_t i;
    begin();
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_record_fetch(adas, NOBODY, KINFOLK_DATABASE_PUBLIC, &record));
    for (i = 0; i < sizeof bad / sizeof bad[0]; i++)
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_fetch(adas, bad[i], KINFOLK_DATABASE_PUBLIC, &record));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_fetch(adas, NULL, (kinfolk_database_scope)2, &record));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_fetch(adas, NULL, (kinfolk_database_scope)-1, &record));
    CHECK(record == NULL);
    end();
}

static void a_handle_is_a_copy(void) {
    kinfolk_record *first, *second;
    begin();
    first = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    second = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    set(first, "age", 36);
    check_stored("age", MISSING);
    save(first);
    check(second, "age", MISSING);
    kinfolk_record_free(first);
    kinfolk_record_free(second);
    end();
}

static void saving_updates_the_handle(void) {
    kinfolk_record *record, *fetched;
    const char *before;
    char tag[200];
    begin();
    record = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    before = kinfolk_record_change_tag(record);
    snprintf(tag, sizeof tag, "%s", before);
    set(record, "age", 36);
    save(record);
    SAME(before, tag); /* borrowed, also now */
    CHECK(strcmp(kinfolk_record_change_tag(record), tag) != 0);
    fetched = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    SAME(kinfolk_record_change_tag(record), kinfolk_record_change_tag(fetched));
    EQUAL(kinfolk_record_modified_at(record), kinfolk_record_modified_at(fetched));
    EQUAL(kinfolk_record_created_at(record), kinfolk_record_created_at(fetched));
    CHECK(kinfolk_record_modified_at(record) >= kinfolk_record_created_at(record));
    set(record, "age", 37); /* and so it may be saved again */
    save(record);
    check_stored("age", 37);
    kinfolk_record_free(record);
    kinfolk_record_free(fetched);
    end();
}

/* ---- Conflicts */

/* Two handles of one record {x: 1, y: 1}. Then the other handle saved x: 2 and z: 2. */
static kinfolk_record *stale_record(void) {
    kinfolk_record *record = own_record(adas, KINFOLK_DATABASE_PUBLIC), *other;
    set(record, "x", 1);
    set(record, "y", 1);
    save(record);
    other = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    set(other, "x", 2);
    set(other, "z", 2);
    save(other);
    kinfolk_record_free(other);
    return record;
}

static void saving_a_stale_record_fails_with_the_servers_record(void) {
    kinfolk_record *record, *server;
    char tag[200];
    begin();
    record = stale_record();
    snprintf(tag, sizeof tag, "%s", kinfolk_record_change_tag(record));
    set(record, "y", 3);
    FAILS(KINFOLK_SERVER_RECORD_CHANGED, kinfolk_record_save(adas, record, KINFOLK_SAVE_IF_UNCHANGED));
    CHECK(kinfolk_error_retry_after() == 0);
    server = kinfolk_error_take_server_record();
    REQUIRE(server != NULL);
    CHECK(kinfolk_error_take_server_record() == NULL);
    check(server, "x", 2);
    check(server, "y", 1);
    check(server, "z", 2);
    SAME(kinfolk_record_id(server), record_id(adas));
    check(record, "x", 1); /* the failed save changed neither the handle nor the store */
    check(record, "y", 3);
    SAME(kinfolk_record_change_tag(record), tag);
    check_stored("y", 1);

    set(server, "y", 3); /* merged by hand, and saved */
    save(server);
    check_stored("x", 2);
    check_stored("y", 3);
    kinfolk_record_free(record);
    kinfolk_record_free(server);
    end();
}

static void a_later_failure_frees_the_servers_record(void) {
    kinfolk_record *record;
    char *canonical = NULL;
    begin();
    record = stale_record();
    set(record, "y", 3);
    FAILS(KINFOLK_SERVER_RECORD_CHANGED, kinfolk_record_save(adas, record, KINFOLK_SAVE_IF_UNCHANGED));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_email_canonicalize("", &canonical));
    CHECK(kinfolk_error_take_server_record() == NULL);
    kinfolk_record_free(record);
    end();
}

static void changed_keys_writes_only_changed_fields(void) {
    kinfolk_record *record;
    begin();
    record = stale_record();
    set(record, "y", 3);
    OK(kinfolk_record_save(adas, record, KINFOLK_SAVE_CHANGED_KEYS));
    check_stored("x", 2);
    check_stored("y", 3);
    check_stored("z", 2);
    check(record, "x", 2); /* the handle has the fields of the server */
    check(record, "z", 2);
    set(record, "x", 4); /* and its tag */
    save(record);
    check_stored("x", 4);
    kinfolk_record_free(record);
    end();
}

static void all_keys_writes_all_fields_of_the_handle(void) {
    kinfolk_record *record;
    begin();
    record = stale_record();
    set(record, "y", 3);
    OK(kinfolk_record_save(adas, record, KINFOLK_SAVE_ALL_KEYS));
    check_stored("x", 1);
    check_stored("y", 3);
    check_stored("z", 2); /* this handle has no such field, so it stays */
    check(record, "z", 2);
    kinfolk_record_free(record);
    end();
}

static void a_removed_field_is_removed_under_each_policy(void) {
    kinfolk_record *record;
    begin();
    record = stale_record();
    OK(kinfolk_record_remove(record, "x"));
    FAILS(KINFOLK_SERVER_RECORD_CHANGED, kinfolk_record_save(adas, record, KINFOLK_SAVE_IF_UNCHANGED));
    check_stored("x", 2);
    OK(kinfolk_record_save(adas, record, KINFOLK_SAVE_CHANGED_KEYS));
    check_stored("x", MISSING);
    check_stored("y", 1);
    check_stored("z", 2);
    OK(kinfolk_record_remove(record, "y"));
    save(record);
    check_stored("y", MISSING);
    OK(kinfolk_record_remove(record, "z"));
    OK(kinfolk_record_save(adas, record, KINFOLK_SAVE_ALL_KEYS));
    check_stored("z", MISSING);
    EQUAL(kinfolk_record_field_count(record), 0);
    kinfolk_record_free(record);
    end();
}

static void a_field_removed_and_set_again_is_set(void) {
    kinfolk_record *record;
    begin();
    record = stale_record();
    OK(kinfolk_record_remove(record, "x"));
    set(record, "x", 5);
    OK(kinfolk_record_save(adas, record, KINFOLK_SAVE_CHANGED_KEYS));
    check_stored("x", 5);
    kinfolk_record_free(record);
    end();
}

static void an_unknown_policy_is_refused(void) {
    kinfolk_record *record;
    begin();
    record = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    set(record, "x", 1);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_save(adas, record, (kinfolk_save_policy)3));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_save(adas, record, (kinfolk_save_policy)-1));
    check_stored("x", MISSING);
    kinfolk_record_free(record);
    end();
}

/* ---- Types and sizes */

static void a_fields_type_is_fixed_by_its_first_use_in_the_container(void) {
    kinfolk_session *elsewhere;
    kinfolk_record *record, *other;
    begin();
    record = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    set(record, "age", 36);
    save(record);
    other = own_record(graces, KINFOLK_DATABASE_PUBLIC);
    OK(kinfolk_record_set_string(other, "age", "85"));
    OK(kinfolk_record_set_int64(other, "fresh", 1));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_save(graces, other, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(other);
    other = own_record(graces, KINFOLK_DATABASE_PUBLIC); /* nothing of it was saved, and no type was fixed */
    EQUAL(kinfolk_record_field_count(other), 0);
    OK(kinfolk_record_set_string(other, "fresh", "a string"));
    OK(kinfolk_record_save(graces, other, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(other);

    OK(kinfolk_record_remove(record, "age")); /* the type stays when no record has the field any more */
    save(record);
    OK(kinfolk_record_set_date(record, "age", 36));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_save(adas, record, KINFOLK_SAVE_ALL_KEYS));
    elsewhere = sign_in(games, ada);
    other = own_record(elsewhere, KINFOLK_DATABASE_PUBLIC);
    OK(kinfolk_record_set_string(other, "age", "thirty-six"));
    OK(kinfolk_record_save(elsewhere, other, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(record);
    kinfolk_record_free(other);
    kinfolk_session_free(elsewhere);
    end();
}

/* A text of this many bytes, to be freed. */
static char *text_of(size_t length) {
    char *text = malloc(length + 1);
    REQUIRE(text != NULL);
    memset(text, 't', length);
    text[length] = '\0';
    return text;
}

static void a_record_has_a_thousand_fields_at_most(void) {
    kinfolk_record *record;
    kinfolk_value *value = NULL;
    char name[16];
    int i;
    begin();
    record = own_record(adas, KINFOLK_DATABASE_PUBLIC);
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
    end();
}

static void a_record_has_a_million_bytes_at_most(void) {
    kinfolk_record *record, *other;
    char *most = text_of(999999), *more = text_of(1000000), *too_much = text_of(1000001), *half = text_of(600000);
    const char *text = NULL;
    begin();
    record = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_record_set_string(record, "a", too_much));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_record_set_bytes(record, "b", (const uint8_t *)too_much, 1000001));
    EQUAL(kinfolk_record_field_count(record), 0);
    OK(kinfolk_record_set_string(record, "a", more));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_record_save(adas, record, KINFOLK_SAVE_IF_UNCHANGED)); /* with the name */
    OK(kinfolk_record_set_string(record, "a", most));
    save(record);
    other = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    OK(kinfolk_record_get_string(other, "a", &text));
    CHECK(strcmp(text, most) == 0);
    kinfolk_record_free(other);

    OK(kinfolk_record_set_string(record, "a", half));
    save(record);
    other = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    OK(kinfolk_record_remove(other, "a"));
    save(other);
    kinfolk_record_free(record);
    record = own_record(adas, KINFOLK_DATABASE_PUBLIC); /* empty again */
    OK(kinfolk_record_set_string(other, "a", half));
    save(other);
    OK(kinfolk_record_set_string(record, "b", half)); /* 600,000 here, 600,000 there */
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_record_save(adas, record, KINFOLK_SAVE_CHANGED_KEYS));
    kinfolk_record_free(record);
    kinfolk_record_free(other);
    record = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    EQUAL(kinfolk_record_field_count(record), 1);
    kinfolk_record_free(record);
    free(most), free(more), free(too_much), free(half);
    end();
}

static void a_record_may_have_a_thousand_fields(void) {
    kinfolk_record *record;
    char name[20];
    int i;
    begin();
    OK(kinfolk_container_set_field_limit(notes, 1000));
    record = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    for (i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "field%d", i);
        set(record, name, i);
    }
    save(record);
    kinfolk_record_free(record);
    record = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    EQUAL(kinfolk_record_field_count(record), 1000);
    check(record, "field999", 999);
    kinfolk_record_free(record);
    end();
}

static void a_person_adds_no_more_fields_than_the_operator_allows(void) {
    kinfolk_record *record;
    begin();
    OK(kinfolk_container_set_field_limit(notes, 1));
    record = own_record(adas, KINFOLK_DATABASE_PUBLIC);
    set(record, "one", 1);
    set(record, "two", 2);
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_record_save(adas, record, KINFOLK_SAVE_IF_UNCHANGED));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_add_field(notes, "two", (kinfolk_field_type)99));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_add_field(notes, "2", KINFOLK_INT64));
    OK(kinfolk_container_add_field(notes, "two", KINFOLK_INT64));
    FAILS(KINFOLK_CONFLICT, kinfolk_container_add_field(notes, "two", KINFOLK_STRING));
    save(record);
    kinfolk_record_free(record);
    end();
}

BEGIN
    RUN(a_person_adds_no_more_fields_than_the_operator_allows);
    RUN(a_new_user_has_two_empty_records);
    RUN(the_two_databases_are_separate);
    RUN(a_public_record_is_read_by_all_and_written_by_its_user);
    RUN(only_its_user_reads_a_private_record);
    RUN(a_record_belongs_to_its_container);
    RUN(unknown_and_malformed_ids_have_different_statuses);
    RUN(a_handle_is_a_copy);
    RUN(saving_updates_the_handle);
    RUN(saving_a_stale_record_fails_with_the_servers_record);
    RUN(a_later_failure_frees_the_servers_record);
    RUN(changed_keys_writes_only_changed_fields);
    RUN(all_keys_writes_all_fields_of_the_handle);
    RUN(a_removed_field_is_removed_under_each_policy);
    RUN(a_field_removed_and_set_again_is_set);
    RUN(an_unknown_policy_is_refused);
    RUN(a_fields_type_is_fixed_by_its_first_use_in_the_container);
    RUN(a_record_has_a_thousand_fields_at_most);
    RUN(a_record_has_a_million_bytes_at_most);
    RUN(a_record_may_have_a_thousand_fields);
END
