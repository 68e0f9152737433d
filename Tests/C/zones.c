/* Custom zones, and their changes, which another session of the same user follows with change tokens. */

#include "harness.h"
#include "people.h"
#include "two_people.h"
#include "notes.h"

/* Another device of Ada. */
static kinfolk_session *tablets;
static kinfolk_database *on_tablet;

static void begin_with_types(void) {
    begin();
    OK(kinfolk_schema_add_field(notes, "Note", "number", KINFOLK_INT64, KINFOLK_INDEX_STANDARD));
    OK(kinfolk_schema_add_field(notes, "Note", "other", KINFOLK_REFERENCE, KINFOLK_INDEX_STANDARD));
    tablets = sign_in(notes, ada);
    on_tablet = open_database(tablets, KINFOLK_DATABASE_PRIVATE);
}

static void end_with_tablet(void) {
    kinfolk_database_free(on_tablet);
    kinfolk_session_free(tablets);
    end();
}

static kinfolk_record *note_in_zone(const char *zone, const char *name, int64_t number) {
    kinfolk_record *note = NULL;
    OK(kinfolk_record_new("Note", name, zone, &note));
    OK(kinfolk_record_set_int64(note, "number", number));
    return note;
}

/* Makes a note or changes it. */
static void put(const char *zone, const char *name, int64_t number) {
    kinfolk_record *note = note_in_zone(zone, name, number);
    OK(kinfolk_database_save(private_of_ada, note, KINFOLK_SAVE_ALL_KEYS));
    kinfolk_record_free(note);
}

/* The number of a note in a zone; NO_NOTE if there is no such note. */
static int64_t number_in(const char *zone, const char *name) {
    kinfolk_record *note = NULL;
    kinfolk_status status = kinfolk_database_fetch(private_of_ada, name, zone, &note);
    int64_t number = field_of(note, "number");
    if (status == KINFOLK_UNKNOWN_ITEM) return NO_NOTE;
    OK(status);
    SAME(kinfolk_record_zone(note), zone == NULL ? "_defaultZone" : zone);
    kinfolk_record_free(note);
    return number;
}

/* The names of the zones, with a space after each. */
static const char *zone_names(const kinfolk_database *database) {
    static char names[1000];
    kinfolk_zone_list *zones = NULL;
    size_t i;
    names[0] = '\0';
    OK(kinfolk_zones(database, &zones));
    for (i = 0; i < kinfolk_zone_list_count(zones); i++) {
        strcat(names, kinfolk_zone_list_name(zones, i));
        strcat(names, " ");
    }
    CHECK(kinfolk_zone_list_name(zones, i) == NULL);
    kinfolk_zone_list_free(zones);
    return names;
}

/* ---- Zones */

static void zones_are_made_listed_and_deleted(void) {
    kinfolk_zone_list *zones = NULL;
    begin_with_types();
    SAME(zone_names(private_of_ada), "_defaultZone ");
    OK(kinfolk_zone_save(private_of_ada, "Notes"));
    OK(kinfolk_zone_save(private_of_ada, "Lists"));
    SAME(zone_names(on_tablet), "_defaultZone Notes Lists ");
    OK(kinfolk_zones(on_tablet, &zones));
    OK(kinfolk_zone_delete(on_tablet, "Notes"));
    FAILS(KINFOLK_ZONE_NOT_FOUND, kinfolk_zone_delete(private_of_ada, "Notes"));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_zone_save(by_ada, "Notes")); /* a public database has no others */
    SAME(zone_names(private_of_ada), "_defaultZone Lists ");
    end_with_tablet();
    EQUAL(kinfolk_zone_list_count(zones), 3); /* as it was, and without its store */
    SAME(kinfolk_zone_list_name(zones, 1), "Notes");
    kinfolk_zone_list_free(zones);
}

static void a_malformed_name_of_a_zone_is_refused_by_each_call(void) {
    const char *name = "a", *bad = "_Notes";
    kinfolk_record *record = NULL;
    kinfolk_records *records = NULL;
    kinfolk_changes *changes = NULL;
    kinfolk_batch *batch = NULL;
    begin_with_types();
    OK(kinfolk_batch_new(&batch));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_zone_save(private_of_ada, bad));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_zone_delete(private_of_ada, bad));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_zone_changes(private_of_ada, bad, NULL, 0, 0, &changes));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_new("Note", "a", bad, &record));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_new("Note", NULL, bad, &record));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_fetch(private_of_ada, "a", bad, &record));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_fetch_records(private_of_ada, &name, &bad, 1, &records));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_delete(private_of_ada, "a", bad, NULL, NULL));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_batch_delete(batch, KINFOLK_OPERATION_FORCE_DELETE, "a", bad, NULL));
    CHECK(record == NULL && records == NULL && changes == NULL);
    EQUAL(kinfolk_batch_count(batch), 0);
    kinfolk_batch_free(batch);
    SAME(zone_names(private_of_ada), "_defaultZone ");
    end_with_tablet();
}

static void a_name_of_a_zone_has_any_printable_characters(void) {
    static const char *const names[] = { " ", "~", "a b", "notes", "Notes", "'; DROP TABLE zones; --" };
    char longest[256];
    size_t i;
    begin_with_types();
    memset(longest, 'z', 255);
    longest[255] = '\0';
    for (i = 0; i <= sizeof names / sizeof names[0]; i++) {
        const char *name = i == sizeof names / sizeof names[0] ? longest : names[i];
        OK(kinfolk_zone_save(private_of_ada, name));
        put(name, "a", (int64_t)i);
        EQUAL(number_in(name, "a"), i);
    }
    end_with_tablet();
}

/* ---- Records in zones */

static void a_zone_is_named_in_each_call_about_records(void) {
    static const char *const names[] = { "a", "a", "a", "b" };
    const char *zones[] = { NULL, "Notes", "None", "Notes" };
    static const kinfolk_status wanted[] = { KINFOLK_OK, KINFOLK_OK, KINFOLK_ZONE_NOT_FOUND, KINFOLK_UNKNOWN_ITEM };
    kinfolk_records *records = NULL;
    kinfolk_record *unnamed, *seen;
    kinfolk_deleted *deleted = NULL;
    const char *target = NULL, *zone = NULL;
    size_t i;
    begin_with_types();
    OK(kinfolk_zone_save(private_of_ada, "Notes"));
    put(NULL, "a", 0);
    put("Notes", "a", 1);
    EQUAL(number_in(NULL, "a"), 0);
    EQUAL(number_in("_defaultZone", "a"), 0);
    EQUAL(number_in("Notes", "a"), 1);
    OK(kinfolk_database_fetch_records(private_of_ada, names, zones, 4, &records));
    for (i = 0; i < 4; i++) {
        seen = NULL;
        EQUAL(kinfolk_records_record(records, i, &seen), wanted[i]);
        if (seen != NULL) EQUAL(field_of(seen, "number"), i);
        kinfolk_record_free(seen);
    }
    kinfolk_records_free(records);
    unnamed = note_in_zone("Notes", NULL, 3);
    SAME(kinfolk_record_zone(unnamed), "Notes");
    EQUAL(strlen(kinfolk_record_name(unnamed)), 36);
    OK(kinfolk_record_set_reference(unnamed, "other", "a", NULL, KINFOLK_REFERENCE_NONE)); /* of its own zone */
    OK(kinfolk_database_save(private_of_ada, unnamed, KINFOLK_SAVE_IF_UNCHANGED));
    OK(kinfolk_record_get_reference(unnamed, "other", &target, &zone, NULL));
    SAME(target, "a");
    SAME(zone, "Notes");
    EQUAL(number_in("Notes", kinfolk_record_name(unnamed)), 3);
    kinfolk_record_free(unnamed);
    OK(kinfolk_database_delete(private_of_ada, "a", "Notes", NULL, &deleted));
    SAME(kinfolk_deleted_zone(deleted, 0), "Notes");
    kinfolk_deleted_free(deleted);
    EQUAL(number_in(NULL, "a"), 0);
    EQUAL(number_in("Notes", "a"), NO_NOTE);
    end_with_tablet();
}

static void a_batch_changes_records_of_several_zones(void) {
    kinfolk_batch *batch = NULL;
    kinfolk_record *note;
    size_t failed = 7;
    begin_with_types();
    OK(kinfolk_zone_save(private_of_ada, "Notes"));
    put("Notes", "a", 1);
    put(NULL, "a", 2);
    OK(kinfolk_batch_new(&batch));
    OK(kinfolk_batch_delete(batch, KINFOLK_OPERATION_FORCE_DELETE, "a", "Notes", NULL));
    OK(kinfolk_batch_delete(batch, KINFOLK_OPERATION_FORCE_DELETE, "a", NULL, NULL));
    note = note_in_zone("None", "b", 4);
    OK(kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, note));
    kinfolk_record_free(note);
    SAME(kinfolk_batch_zone(batch, 0), "Notes");
    SAME(kinfolk_batch_zone(batch, 1), "_defaultZone");
    SAME(kinfolk_batch_zone(batch, 2), "None");
    CHECK(kinfolk_batch_zone(batch, 3) == NULL);
    OK(kinfolk_batch_run(batch, private_of_ada, false, &failed));
    EQUAL(failed, 1);
    FAILS(KINFOLK_ZONE_NOT_FOUND, kinfolk_batch_status(batch, 2));
    EQUAL(number_in("Notes", "a"), NO_NOTE);
    EQUAL(number_in(NULL, "a"), NO_NOTE);
    kinfolk_batch_free(batch);
    end_with_tablet();
}

/* ---- Tokens */

struct token {
    uint8_t bytes[256];
    size_t length;
};

static const struct token NO_TOKEN;

static struct token token_of(const kinfolk_changes *changes) {
    struct token token = { { 0 }, 0 };
    const uint8_t *bytes = NULL;
    OK(kinfolk_changes_token(changes, &bytes, &token.length));
    REQUIRE(token.length >= 1 && token.length <= sizeof token.bytes);
    memcpy(token.bytes, bytes, token.length);
    return token;
}

static void a_token_leads_through_all_pages(void) {
    struct token token = NO_TOKEN;
    char name[8];
    int i, pages = 0, found = 0;
    bool more_coming = true;
    begin_with_types();
    OK(kinfolk_zone_save(private_of_ada, "Notes"));
    for (i = 0; i < 10; i++) {
        snprintf(name, sizeof name, "n%d", i);
        put("Notes", name, i);
    }
    for (; more_coming && pages < 10; pages++) {
        kinfolk_changes *changes = NULL;
        size_t at;
        OK(kinfolk_zone_changes(on_tablet, "Notes", token.bytes, token.length, 4, &changes));
        CHECK(kinfolk_changes_count(changes) <= 4);
        for (at = 0; at < kinfolk_changes_count(changes); at++) {
            kinfolk_record *record = NULL;
            OK(kinfolk_changes_record(changes, at, &record));
            EQUAL(field_of(record, "number"), found++);
            SAME(kinfolk_record_zone(record), "Notes");
            EQUAL(kinfolk_record_database(record), KINFOLK_DATABASE_PRIVATE);
            SAME(kinfolk_changes_zone(changes, at), "Notes");
            CHECK(kinfolk_changes_deleted_name(changes, at) == NULL && kinfolk_changes_deleted_type(changes, at) == NULL);
            kinfolk_record_free(record);
        }
        token = token_of(changes);
        more_coming = kinfolk_changes_more_coming(changes);
        kinfolk_changes_free(changes);
    }
    EQUAL(found, 10);
    CHECK(pages > 1);
    end_with_tablet();
}

static void a_page_outlives_its_database_and_is_read_by_index(void) {
    kinfolk_changes *changes = NULL;
    kinfolk_record *record = NULL, *untouched;
    struct token token;
    begin_with_types();
    OK(kinfolk_zone_save(private_of_ada, "Notes"));
    put("Notes", "a", 1);
    put("Notes", "b", 2);
    OK(kinfolk_zone_changes(private_of_ada, "Notes", NULL, 0, 0, &changes));
    token = token_of(changes);
    kinfolk_changes_free(changes);
    put("Notes", "a", 3);
    OK(kinfolk_database_delete(private_of_ada, "b", "Notes", NULL, NULL));
    OK(kinfolk_zone_changes(private_of_ada, "Notes", token.bytes, token.length, 0, &changes));
    end_with_tablet();
    EQUAL(kinfolk_changes_count(changes), 2);
    CHECK(!kinfolk_changes_more_coming(changes));
    OK(kinfolk_changes_record(changes, 0, &record));
    SAME(kinfolk_record_name(record), "a");
    EQUAL(field_of(record, "number"), 3);
    kinfolk_record_free(record);
    CHECK(!kinfolk_changes_is_deleted(changes, 0));
    untouched = record = (kinfolk_record *)&token;
    OK(kinfolk_changes_record(changes, 1, &record));
    CHECK(record == NULL);
    CHECK(kinfolk_changes_is_deleted(changes, 1));
    SAME(kinfolk_changes_deleted_name(changes, 1), "b");
    SAME(kinfolk_changes_deleted_type(changes, 1), "Note");
    SAME(kinfolk_changes_zone(changes, 1), "Notes");
    record = untouched;
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_changes_record(changes, 2, &record));
    CHECK(record == untouched);
    CHECK(kinfolk_changes_zone(changes, 2) == NULL && kinfolk_changes_deleted_name(changes, 2) == NULL);
    kinfolk_changes_free(changes);
}

/* The zones that changed since a token, which is moved on: "+Name" or "-Name", with a space after each. */
static const char *changed_zones(struct token *token) {
    static char names[400];
    bool more_coming = true;
    names[0] = '\0';
    while (more_coming) {
        kinfolk_changes *changes = NULL;
        size_t i;
        OK(kinfolk_database_changes(on_tablet, token->bytes, token->length, &changes));
        for (i = 0; i < kinfolk_changes_count(changes); i++) {
            kinfolk_record *record = NULL;
            strcat(names, kinfolk_changes_is_deleted(changes, i) ? "-" : "+");
            strcat(names, kinfolk_changes_zone(changes, i));
            strcat(names, " ");
            OK(kinfolk_changes_record(changes, i, &record));
            CHECK(record == NULL && kinfolk_changes_deleted_name(changes, i) == NULL);
        }
        *token = token_of(changes);
        more_coming = kinfolk_changes_more_coming(changes);
        kinfolk_changes_free(changes);
    }
    return names;
}

static void a_database_says_which_zones_changed(void) {
    struct token token = NO_TOKEN;
    begin_with_types();
    SAME(changed_zones(&token), "");
    OK(kinfolk_zone_save(private_of_ada, "A"));
    OK(kinfolk_zone_save(private_of_ada, "B"));
    SAME(changed_zones(&token), "+A +B ");
    put("A", "a", 1);
    OK(kinfolk_zone_delete(private_of_ada, "B"));
    SAME(changed_zones(&token), "+A -B ");
    SAME(changed_zones(&token), "");
    end_with_tablet();
}

static void a_wrong_token_is_refused(void) {
    static const uint8_t too_long[257];
    kinfolk_changes *changes = NULL;
    struct token token;
    begin_with_types();
    OK(kinfolk_zone_save(private_of_ada, "Notes"));
    OK(kinfolk_zone_changes(on_tablet, "Notes", NULL, 0, 0, &changes));
    token = token_of(changes);
    kinfolk_changes_free(changes);
    changes = NULL;
    FAILS(KINFOLK_CHANGE_TOKEN_EXPIRED, kinfolk_database_changes(on_tablet, token.bytes, token.length, &changes));
    FAILS(KINFOLK_CHANGE_TOKEN_EXPIRED, kinfolk_zone_changes(on_tablet, "Notes", token.bytes, token.length - 1, 0, &changes));
    token.bytes[0] ^= 1;
    FAILS(KINFOLK_CHANGE_TOKEN_EXPIRED, kinfolk_zone_changes(on_tablet, "Notes", token.bytes, token.length, 0, &changes));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_zone_changes(on_tablet, "Notes", too_long, sizeof too_long, 0, &changes));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_changes(on_tablet, too_long, sizeof too_long, &changes));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_zone_changes(on_tablet, "Notes", NULL, 1, 0, &changes));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_zone_changes(on_tablet, "Notes", NULL, 0, 401, &changes));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_zone_changes(on_tablet, "Notes", NULL, 0, SIZE_MAX, &changes));
    CHECK(changes == NULL);
    end_with_tablet();
}

static void zones_need_an_account(void) {
    kinfolk_session *anonymous = NULL;
    kinfolk_database *database;
    kinfolk_zone_list *zones = NULL;
    kinfolk_changes *changes = NULL;
    begin_with_types();
    OK(kinfolk_session_open_anonymous(notes, &anonymous));
    database = open_database(anonymous, KINFOLK_DATABASE_PRIVATE);
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_zone_save(database, "Lists"));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_zone_delete(database, "Notes"));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_zones(database, &zones));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_zone_changes(database, "Notes", NULL, 0, 0, &changes));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_database_changes(database, NULL, 0, &changes));
    CHECK(zones == NULL && changes == NULL);
    kinfolk_database_free(database);
    kinfolk_session_free(anonymous);
    end_with_tablet();
}

BEGIN
    RUN(zones_are_made_listed_and_deleted);
    RUN(a_malformed_name_of_a_zone_is_refused_by_each_call);
    RUN(a_name_of_a_zone_has_any_printable_characters);
    RUN(a_zone_is_named_in_each_call_about_records);
    RUN(a_batch_changes_records_of_several_zones);
    RUN(a_token_leads_through_all_pages);
    RUN(a_page_outlives_its_database_and_is_read_by_index);
    RUN(a_database_says_which_zones_changed);
    RUN(a_wrong_token_is_refused);
    RUN(zones_need_an_account);
END
