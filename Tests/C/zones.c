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

/* ---- Tokens and copies */

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

static kinfolk_status page_of_zone(const kinfolk_database *database, const char *zone, const struct token *token,
                                   size_t limit, kinfolk_changes **changes) {
    return kinfolk_zone_changes(database, zone, token->bytes, token->length, limit, changes);
}

static kinfolk_status page_of_database(const kinfolk_database *database, const struct token *token,
                                       kinfolk_changes **changes) {
    return kinfolk_database_changes(database, token->bytes, token->length, changes);
}

/* A copy of a zone, which the tablet keeps. */
enum { COPIES = 500 };
struct copy {
    struct token token;
    size_t count, pages, saved, deleted, largest_page;
    struct {
        char name[16];
        int64_t number;
    } notes[COPIES];
};

static int64_t copied(const struct copy *copy, const char *name) {
    size_t i;
    for (i = 0; i < copy->count; i++)
        if (strcmp(copy->notes[i].name, name) == 0) return copy->notes[i].number;
    return NO_NOTE;
}

static void take(struct copy *copy, const char *name, int64_t number) {
    size_t i;
    for (i = 0; i < copy->count; i++)
        if (strcmp(copy->notes[i].name, name) == 0) break;
    REQUIRE(i < COPIES);
    if (i == copy->count) copy->count++;
    snprintf(copy->notes[i].name, sizeof copy->notes[i].name, "%s", name);
    copy->notes[i].number = number;
}

static void forget(struct copy *copy, const char *name) {
    size_t i;
    for (i = 0; i < copy->count; i++)
        if (strcmp(copy->notes[i].name, name) == 0) copy->notes[i] = copy->notes[--copy->count];
}

/* Brings a copy up to date. Counts the pages, and what they had. */
static void follow(struct copy *copy, const char *zone, size_t limit) {
    bool more_coming = true;
    copy->pages = copy->saved = copy->deleted = copy->largest_page = 0;
    while (more_coming) {
        kinfolk_changes *changes = NULL;
        size_t i, count;
        OK(page_of_zone(on_tablet, zone, &copy->token, limit, &changes));
        count = kinfolk_changes_count(changes);
        for (i = 0; i < count; i++) {
            kinfolk_record *record = NULL;
            OK(kinfolk_changes_record(changes, i, &record));
            SAME(kinfolk_changes_zone(changes, i), zone);
            CHECK((record == NULL) == kinfolk_changes_is_deleted(changes, i));
            if (record != NULL) {
                SAME(kinfolk_record_zone(record), zone);
                EQUAL(kinfolk_record_database(record), KINFOLK_DATABASE_PRIVATE);
                CHECK(kinfolk_changes_deleted_name(changes, i) == NULL);
                CHECK(kinfolk_changes_deleted_type(changes, i) == NULL);
                take(copy, kinfolk_record_name(record), field_of(record, "number"));
                copy->saved++;
            } else {
                SAME(kinfolk_changes_deleted_type(changes, i), "Note");
                forget(copy, kinfolk_changes_deleted_name(changes, i));
                copy->deleted++;
            }
            kinfolk_record_free(record);
        }
        if (count > copy->largest_page) copy->largest_page = count;
        copy->token = token_of(changes);
        copy->pages++;
        more_coming = kinfolk_changes_more_coming(changes);
        kinfolk_changes_free(changes);
        REQUIRE(copy->pages < 1000);
    }
}

/* ---- Zones */

static void zones_are_made_listed_and_deleted(void) {
    begin_with_types();
    SAME(zone_names(private_of_ada), "_defaultZone ");
    OK(kinfolk_zone_save(private_of_ada, "Notes"));
    OK(kinfolk_zone_save(private_of_ada, "Lists"));
    OK(kinfolk_zone_save(private_of_ada, "Notes")); /* it exists: nothing happens */
    SAME(zone_names(on_tablet), "_defaultZone Notes Lists ");
    put("Notes", "a", 1);
    OK(kinfolk_zone_save(on_tablet, "Notes"));
    EQUAL(number_in("Notes", "a"), 1);
    OK(kinfolk_zone_delete(on_tablet, "Notes"));
    SAME(zone_names(private_of_ada), "_defaultZone Lists ");
    FAILS(KINFOLK_ZONE_NOT_FOUND, kinfolk_zone_delete(private_of_ada, "Notes"));
    OK(kinfolk_zone_save(private_of_ada, "Notes")); /* a new zone, which is empty */
    SAME(zone_names(private_of_ada), "_defaultZone Lists Notes ");
    EQUAL(number_in("Notes", "a"), NO_NOTE);
    end_with_tablet();
}

static void zones_belong_to_one_private_database(void) {
    kinfolk_database *graces_private;
    kinfolk_changes *changes = NULL;
    kinfolk_record *note;
    begin_with_types();
    graces_private = open_database(graces, KINFOLK_DATABASE_PRIVATE);
    OK(kinfolk_zone_save(private_of_ada, "Notes"));
    SAME(zone_names(graces_private), "_defaultZone ");
    note = note_in_zone("Notes", "a", 1);
    FAILS(KINFOLK_ZONE_NOT_FOUND, kinfolk_database_save(graces_private, note, KINFOLK_SAVE_ALL_KEYS));
    FAILS(KINFOLK_ZONE_NOT_FOUND, kinfolk_zone_changes(graces_private, "Notes", NULL, 0, 0, &changes));
    FAILS(KINFOLK_ZONE_NOT_FOUND, kinfolk_zone_delete(graces_private, "Notes"));
    OK(kinfolk_zone_save(graces_private, "Notes"));
    OK(kinfolk_zone_delete(graces_private, "Notes"));
    SAME(zone_names(private_of_ada), "_defaultZone Notes ");
    kinfolk_record_free(note);
    kinfolk_database_free(graces_private);
    end_with_tablet();
}

static void a_public_database_has_only_the_default_zone(void) {
    kinfolk_changes *changes = NULL;
    kinfolk_record *note, *seen = NULL;
    begin_with_types();
    SAME(zone_names(by_ada), "_defaultZone ");
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_zone_save(by_ada, "Notes"));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_zone_delete(by_ada, "Notes"));
    FAILS(KINFOLK_ZONE_NOT_FOUND, kinfolk_zone_changes(by_ada, "Notes", NULL, 0, 0, &changes));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_zone_changes(by_ada, "_defaultZone", NULL, 0, 0, &changes));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_changes(by_ada, NULL, 0, &changes));
    note = note_in_zone("Notes", "a", 1);
    FAILS(KINFOLK_ZONE_NOT_FOUND, kinfolk_database_save(by_ada, note, KINFOLK_SAVE_ALL_KEYS));
    FAILS(KINFOLK_ZONE_NOT_FOUND, kinfolk_database_fetch(by_ada, "a", "Notes", &seen));
    CHECK(changes == NULL && seen == NULL);
    kinfolk_record_free(note);
    end_with_tablet();
}

static void malformed_names_of_zones_are_refused(void) {
    static const char *const bad_names[] = { "", "_", "_Notes", "_DefaultZone", "a\nb", "a\x7f", "caf\xc3\xa9", "\xff" };
    static const char *const good_names[] = { " ", "~", "a b", "notes", "Notes", "'; DROP TABLE zones; --" };
    char longest[257];
    kinfolk_record *record = NULL;
    kinfolk_records *records = NULL;
    kinfolk_changes *changes = NULL;
    kinfolk_batch *batch = NULL;
    size_t i;
    begin_with_types();
    OK(kinfolk_batch_new(&batch));
    memset(longest, 'z', 256);
    longest[256] = '\0';
    for (i = 0; i <= sizeof bad_names / sizeof bad_names[0]; i++) {
        const char *bad = i == sizeof bad_names / sizeof bad_names[0] ? longest : bad_names[i], *name = "a";
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_zone_save(private_of_ada, bad));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_zone_delete(private_of_ada, bad));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_zone_changes(private_of_ada, bad, NULL, 0, 0, &changes));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_new("Note", "a", bad, &record));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_new("Note", NULL, bad, &record));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_fetch(private_of_ada, "a", bad, &record));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_fetch_records(private_of_ada, &name, &bad, 1, &records));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_delete(private_of_ada, "a", bad, NULL, NULL));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_batch_delete(batch, KINFOLK_OPERATION_FORCE_DELETE, "a", bad, NULL));
    }
    CHECK(record == NULL && records == NULL && changes == NULL);
    EQUAL(kinfolk_batch_count(batch), 0);
    kinfolk_batch_free(batch);
    SAME(zone_names(private_of_ada), "_defaultZone ");
    longest[255] = '\0';
    for (i = 0; i <= sizeof good_names / sizeof good_names[0]; i++) {
        const char *good = i == sizeof good_names / sizeof good_names[0] ? longest : good_names[i];
        OK(kinfolk_zone_save(private_of_ada, good));
        put(good, "a", (int64_t)i);
        EQUAL(number_in(good, "a"), i);
    }
    end_with_tablet();
}

static void a_database_has_1000_custom_zones_at_most(void) {
    char name[16];
    int i;
    begin_with_types();
    for (i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "zone %d", i);
        OK(kinfolk_zone_save(private_of_ada, name));
    }
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_zone_save(private_of_ada, "one more"));
    OK(kinfolk_zone_save(private_of_ada, name)); /* it exists */
    OK(kinfolk_zone_delete(private_of_ada, name));
    OK(kinfolk_zone_save(private_of_ada, "one more"));
    end_with_tablet();
}

/* ---- Records in zones */

static void zones_have_records_of_their_own(void) {
    static const char *const names[] = { "a", "a", "a", "a", "b" };
    const char *zones[] = { NULL, "Notes", "Lists", "None", "Notes" };
    static const kinfolk_status wanted[] = { KINFOLK_OK, KINFOLK_OK, KINFOLK_OK, KINFOLK_ZONE_NOT_FOUND,
                                             KINFOLK_UNKNOWN_ITEM };
    kinfolk_records *records = NULL;
    kinfolk_record *unnamed, *seen;
    size_t i;
    begin_with_types();
    OK(kinfolk_zone_save(private_of_ada, "Notes"));
    OK(kinfolk_zone_save(private_of_ada, "Lists"));
    put(NULL, "a", 0);
    put("Notes", "a", 1);
    put("Lists", "a", 2);
    EQUAL(number_in(NULL, "a"), 0);
    EQUAL(number_in("_defaultZone", "a"), 0);
    EQUAL(number_in("Notes", "a"), 1);
    EQUAL(number_in("Lists", "a"), 2);
    OK(kinfolk_database_fetch_records(private_of_ada, names, zones, 5, &records));
    for (i = 0; i < 5; i++) {
        seen = NULL;
        EQUAL(kinfolk_records_record(records, i, &seen), wanted[i]);
        if (seen != NULL) EQUAL(field_of(seen, "number"), i);
        kinfolk_record_free(seen);
    }
    kinfolk_records_free(records);
    FAILS(KINFOLK_ZONE_NOT_FOUND, kinfolk_database_delete(private_of_ada, "a", "None", NULL, NULL));
    OK(kinfolk_database_delete(private_of_ada, "a", "Notes", NULL, NULL));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_database_delete(private_of_ada, "a", "Notes", NULL, NULL));
    EQUAL(number_in(NULL, "a"), 0);
    EQUAL(number_in("Notes", "a"), NO_NOTE);
    EQUAL(number_in("Lists", "a"), 2);
    unnamed = note_in_zone("Notes", NULL, 3);
    SAME(kinfolk_record_zone(unnamed), "Notes");
    EQUAL(strlen(kinfolk_record_name(unnamed)), 36);
    OK(kinfolk_database_save(private_of_ada, unnamed, KINFOLK_SAVE_IF_UNCHANGED));
    EQUAL(number_in("Notes", kinfolk_record_name(unnamed)), 3);
    kinfolk_record_free(unnamed);
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
    note = note_in_zone("Notes", "b", 3);
    OK(kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, note));
    kinfolk_record_free(note);
    note = note_in_zone("None", "b", 4);
    OK(kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, note));
    kinfolk_record_free(note);
    SAME(kinfolk_batch_zone(batch, 0), "Notes");
    SAME(kinfolk_batch_zone(batch, 1), "_defaultZone");
    SAME(kinfolk_batch_zone(batch, 2), "Notes");
    CHECK(kinfolk_batch_zone(batch, 4) == NULL);
    OK(kinfolk_batch_run(batch, private_of_ada, true, &failed));
    EQUAL(failed, 4);
    FAILS(KINFOLK_BATCH_REQUEST_FAILED, kinfolk_batch_status(batch, 0));
    FAILS(KINFOLK_ZONE_NOT_FOUND, kinfolk_batch_status(batch, 3));
    EQUAL(number_in("Notes", "a"), 1);
    OK(kinfolk_batch_run(batch, private_of_ada, false, &failed));
    EQUAL(failed, 1);
    FAILS(KINFOLK_ZONE_NOT_FOUND, kinfolk_batch_status(batch, 3));
    EQUAL(number_in("Notes", "a"), NO_NOTE);
    EQUAL(number_in(NULL, "a"), NO_NOTE);
    EQUAL(number_in("Notes", "b"), 3);
    kinfolk_batch_free(batch);
    end_with_tablet();
}

static void references_and_parents_stay_in_their_zone(void) {
    kinfolk_record *note, *seen = NULL;
    const char *target = NULL, *zone = NULL;
    begin_with_types();
    OK(kinfolk_zone_save(private_of_ada, "Notes"));
    put("Notes", "a", 1);
    note = note_in_zone("Notes", "b", 2);
    OK(kinfolk_record_set_reference(note, "other", "a", NULL, KINFOLK_REFERENCE_NONE));
    OK(kinfolk_record_set_parent(note, "a"));
    OK(kinfolk_database_save(private_of_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    OK(kinfolk_database_fetch(private_of_ada, "b", "Notes", &seen));
    OK(kinfolk_record_get_reference(seen, "other", &target, &zone, NULL));
    SAME(target, "a");
    SAME(zone, "Notes");
    SAME(kinfolk_record_parent(seen), "a");
    kinfolk_record_free(seen);
    OK(kinfolk_record_set_reference(note, "other", "a", "_defaultZone", KINFOLK_REFERENCE_NONE));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_save(private_of_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    OK(kinfolk_record_set_reference(note, "other", record_id(graces), NULL, KINFOLK_REFERENCE_NONE)); /* a user */
    OK(kinfolk_database_save(private_of_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(note);
    end_with_tablet();
}

/* ---- The changes of a zone */

static void another_session_follows_a_zone_through_pages(void) {
    static struct copy copy;
    kinfolk_batch *batch = NULL;
    kinfolk_changes *changes = NULL;
    char name[16];
    size_t failed = 7;
    int i;
    begin_with_types();
    memset(&copy, 0, sizeof copy);
    OK(kinfolk_zone_save(private_of_ada, "Notes"));
    OK(kinfolk_zone_save(private_of_ada, "Lists"));
    follow(&copy, "Notes", 0);
    EQUAL(copy.count, 0);
    EQUAL(copy.pages, 1);
    for (i = 0; i < 30; i++) {
        snprintf(name, sizeof name, "n%d", i);
        put("Notes", name, i);
        put("Lists", name, 1000); /* of another zone */
        put(NULL, name, 2000);
    }
    OK(kinfolk_batch_new(&batch));
    for (i = 30; i < 50; i++) {
        kinfolk_record *note;
        snprintf(name, sizeof name, "n%d", i);
        note = note_in_zone("Notes", name, i);
        OK(kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, note));
        kinfolk_record_free(note);
    }
    OK(kinfolk_batch_run(batch, private_of_ada, true, &failed));
    EQUAL(failed, 0);
    kinfolk_batch_free(batch);
    follow(&copy, "Notes", 7);
    EQUAL(copy.count, 50);
    EQUAL(copy.saved, 50);
    EQUAL(copy.pages, 7); /* 7, 7, 7, 7, 2, the batch, which is not split, and an empty page */
    EQUAL(copy.largest_page, 20);
    for (i = 0; i < 50; i++) {
        snprintf(name, sizeof name, "n%d", i);
        EQUAL(copied(&copy, name), i);
    }

    for (i = 0; i < 5; i++) put("Notes", "n0", 100 + i); /* returned once */
    OK(kinfolk_database_delete(private_of_ada, "n1", "Notes", NULL, NULL));
    OK(kinfolk_database_delete(private_of_ada, "n2", "Notes", NULL, NULL));
    put("Notes", "n2", 102); /* deleted and made again */
    put("Notes", "passing", 1);
    OK(kinfolk_database_delete(private_of_ada, "passing", "Notes", NULL, NULL));
    follow(&copy, "Notes", 1);
    EQUAL(copy.count, 49);
    EQUAL(copy.saved, 2);
    EQUAL(copy.deleted, 2); /* a deletion of a record that the tablet never saw is allowed */
    EQUAL(copied(&copy, "n0"), 104);
    EQUAL(copied(&copy, "n1"), NO_NOTE);
    EQUAL(copied(&copy, "n2"), 102);
    EQUAL(copied(&copy, "passing"), NO_NOTE);

    follow(&copy, "Notes", 0); /* nothing new */
    EQUAL(copy.saved + copy.deleted, 0);
    memset(&copy, 0, sizeof copy); /* a new copy: without the deletions */
    follow(&copy, "Notes", 400);
    EQUAL(copy.count, 49);
    EQUAL(copy.saved, 49);
    EQUAL(copy.deleted, 0);
    FAILS(KINFOLK_INVALID_ARGUMENT, page_of_zone(on_tablet, "Notes", &copy.token, 401, &changes));
    FAILS(KINFOLK_INVALID_ARGUMENT, page_of_zone(on_tablet, "Notes", &copy.token, SIZE_MAX, &changes));
    CHECK(changes == NULL);
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
    OK(page_of_zone(private_of_ada, "Notes", &token, 0, &changes));
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

/* ---- The changes of a database */

/* The zones that changed since a token, which is moved on: "+Name" or "-Name", with a space after each. */
static const char *changed_zones(struct token *token) {
    static char names[400];
    bool more_coming = true;
    names[0] = '\0';
    while (more_coming) {
        kinfolk_changes *changes = NULL;
        size_t i;
        OK(page_of_database(on_tablet, token, &changes));
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
    OK(kinfolk_zone_save(private_of_ada, "C"));
    SAME(changed_zones(&token), "+A +B +C ");
    SAME(changed_zones(&token), "");
    put(NULL, "a", 1); /* the default zone is not tracked */
    SAME(changed_zones(&token), "");
    put("B", "b", 1);
    put("A", "a", 1);
    put("B", "b", 2);
    SAME(changed_zones(&token), "+A +B ");
    OK(kinfolk_database_delete(private_of_ada, "a", "A", NULL, NULL));
    OK(kinfolk_zone_delete(private_of_ada, "B"));
    OK(kinfolk_zone_delete(private_of_ada, "C"));
    OK(kinfolk_zone_save(private_of_ada, "C")); /* made again */
    SAME(changed_zones(&token), "+A +C -B ");
    token = NO_TOKEN;
    SAME(changed_zones(&token), "+A +C ");
    end_with_tablet();
}

/* ---- Tokens that are not valid */

static void a_deleted_zone_has_no_changes(void) {
    static struct copy copy;
    kinfolk_changes *changes = NULL;
    begin_with_types();
    memset(&copy, 0, sizeof copy);
    OK(kinfolk_zone_save(private_of_ada, "Notes"));
    put("Notes", "a", 1);
    follow(&copy, "Notes", 0);
    OK(kinfolk_zone_delete(private_of_ada, "Notes"));
    FAILS(KINFOLK_ZONE_NOT_FOUND, page_of_zone(on_tablet, "Notes", &copy.token, 0, &changes));
    FAILS(KINFOLK_ZONE_NOT_FOUND, kinfolk_zone_changes(on_tablet, "Notes", NULL, 0, 0, &changes));
    OK(kinfolk_zone_save(private_of_ada, "Notes"));
    FAILS(KINFOLK_CHANGE_TOKEN_EXPIRED, page_of_zone(on_tablet, "Notes", &copy.token, 0, &changes));
    CHECK(changes == NULL);
    memset(&copy, 0, sizeof copy);
    follow(&copy, "Notes", 0);
    EQUAL(copy.count, 0);
    end_with_tablet();
}

/* A token that is valid for something else than the zone "Notes" and the private database of Ada. */
static void is_of_something_else(const struct token *token) {
    kinfolk_changes *changes = NULL;
    FAILS(KINFOLK_CHANGE_TOKEN_EXPIRED, page_of_zone(on_tablet, "Notes", token, 0, &changes));
    FAILS(KINFOLK_CHANGE_TOKEN_EXPIRED, page_of_database(on_tablet, token, &changes));
    CHECK(changes == NULL);
}

/* Makes the zone "Notes", and takes the tokens of it and of the database. */
static void take_tokens(const kinfolk_database *database, struct token *zones, struct token *databases) {
    kinfolk_changes *changes = NULL;
    OK(kinfolk_zone_save(database, "Notes"));
    OK(kinfolk_zone_changes(database, "Notes", NULL, 0, 0, &changes));
    *zones = token_of(changes);
    kinfolk_changes_free(changes);
    OK(kinfolk_database_changes(database, NULL, 0, &changes));
    *databases = token_of(changes);
    kinfolk_changes_free(changes);
}

static void a_token_is_valid_for_one_zone_user_and_environment(void) {
    kinfolk_container *development = NULL;
    kinfolk_session *session;
    kinfolk_database *other;
    kinfolk_changes *changes = NULL;
    struct token of_zone, of_database, of_another, of_another_database;
    begin_with_types();
    take_tokens(private_of_ada, &of_zone, &of_database);
    FAILS(KINFOLK_CHANGE_TOKEN_EXPIRED, page_of_zone(on_tablet, "Notes", &of_database, 0, &changes));
    FAILS(KINFOLK_CHANGE_TOKEN_EXPIRED, page_of_database(on_tablet, &of_zone, &changes));
    OK(kinfolk_zone_save(private_of_ada, "Lists"));
    FAILS(KINFOLK_CHANGE_TOKEN_EXPIRED, page_of_zone(on_tablet, "Lists", &of_zone, 0, &changes));
    CHECK(changes == NULL);

    other = open_database(graces, KINFOLK_DATABASE_PRIVATE);
    take_tokens(other, &of_another, &of_another_database);
    is_of_something_else(&of_another);
    is_of_something_else(&of_another_database);
    kinfolk_database_free(other);

    OK(kinfolk_container_open_environment(service, NOTES, KINFOLK_ENVIRONMENT_DEVELOPMENT, &development));
    session = sign_in(development, ada);
    other = open_database(session, KINFOLK_DATABASE_PRIVATE);
    take_tokens(other, &of_another, &of_another_database);
    is_of_something_else(&of_another);
    is_of_something_else(&of_another_database);
    kinfolk_database_free(other);
    kinfolk_session_free(session);
    kinfolk_container_free(development);

    OK(page_of_zone(on_tablet, "Notes", &of_zone, 0, &changes)); /* it is still valid for the right zone */
    kinfolk_changes_free(changes);
    OK(page_of_database(on_tablet, &of_database, &changes));
    kinfolk_changes_free(changes);
    end_with_tablet();
}

static void a_forged_token_is_refused(void) {
    static const uint8_t too_long[257];
    kinfolk_changes *changes = NULL;
    struct token of_zone, of_database, forged;
    size_t i;
    begin_with_types();
    take_tokens(private_of_ada, &of_zone, &of_database);
    for (i = 0; i < of_zone.length; i++) { /* one bit changed */
        forged = of_zone;
        forged.bytes[i] ^= (uint8_t)(1 << i % 8);
        is_of_something_else(&forged);
    }
    for (i = 1; i < of_zone.length; i++) { /* cut */
        forged = of_zone;
        forged.length = i;
        is_of_something_else(&forged);
    }
    forged = of_database;
    forged.length++; /* too long by a byte */
    is_of_something_else(&forged);
    memset(&forged, 0, sizeof forged);
    forged.length = sizeof forged.bytes;
    is_of_something_else(&forged);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_zone_changes(on_tablet, "Notes", too_long, sizeof too_long, 0, &changes));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_database_changes(on_tablet, too_long, sizeof too_long, &changes));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_zone_changes(on_tablet, "Notes", NULL, 1, 0, &changes));
    CHECK(changes == NULL);
    end_with_tablet();
}

static void a_token_survives_a_rotation_of_keys(void) {
    static struct copy copy;
    struct token of_database;
    begin_with_types();
    memset(&copy, 0, sizeof copy);
    take_tokens(private_of_ada, &copy.token, &of_database);
    put("Notes", "a", 1);
    put("Notes", "b", 2);
    follow(&copy, "Notes", 0);
    OK(kinfolk_database_delete(private_of_ada, "b", "Notes", NULL, NULL));
    OK(kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, NULL, NULL));
    put("Notes", "c", 3);
    EQUAL(number_in("Notes", "a"), 1);
    follow(&copy, "Notes", 0);
    EQUAL(copy.count, 2);
    EQUAL(copy.saved, 1);
    EQUAL(copy.deleted, 1);
    SAME(changed_zones(&of_database), "+Notes ");
    end_with_tablet();
}

static void a_restored_store_expires_the_tokens(void) {
    kinfolk_changes *changes = NULL;
    struct token of_zone, of_database;
    begin_with_types();
    take_tokens(private_of_ada, &of_zone, &of_database);
    OK(kinfolk_service_back_up(service, file_path("copy.db"), NULL, NULL));
    put("Notes", "a", 1); /* the number of this change is used again after the restore */
    take_tokens(private_of_ada, &of_zone, &of_database);
    end_with_tablet();
    OK(kinfolk_store_restore(STORE, file_path("copy.db"), NULL, false, NULL, NULL));
    service = open_store();
    OK(kinfolk_container_open(service, NOTES, &notes));
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &ada));
    adas = sign_in(notes, ada);
    private_of_ada = on_tablet = open_database(adas, KINFOLK_DATABASE_PRIVATE);
    put("Notes", "b", 2);
    put("Notes", "c", 3);
    is_of_something_else(&of_zone);
    is_of_something_else(&of_database);
    OK(kinfolk_zone_changes(private_of_ada, "Notes", NULL, 0, 0, &changes));
    EQUAL(kinfolk_changes_count(changes), 2);
    kinfolk_changes_free(changes);
    kinfolk_database_free(private_of_ada);
    kinfolk_session_free(adas);
    kinfolk_account_free(ada);
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
}

/* ---- Who may use zones, and which have changes */

static void the_default_zone_has_no_changes(void) {
    kinfolk_changes *changes = NULL;
    begin_with_types();
    put(NULL, "a", 1);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_zone_save(private_of_ada, "_defaultZone"));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_zone_delete(private_of_ada, "_defaultZone"));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_zone_changes(private_of_ada, "_defaultZone", NULL, 0, 0, &changes));
    CHECK(changes == NULL);
    EQUAL(number_in(NULL, "a"), 1);
    end_with_tablet();
}

static void zones_need_an_account_in_good_standing(void) {
    kinfolk_session *anonymous = NULL;
    kinfolk_database *databases[2];
    kinfolk_zone_list *zones = NULL;
    kinfolk_changes *changes = NULL;
    int i;
    begin_with_types();
    OK(kinfolk_zone_save(private_of_ada, "Notes"));
    OK(kinfolk_session_open_anonymous(notes, &anonymous));
    databases[0] = open_database(anonymous, KINFOLK_DATABASE_PRIVATE);
    databases[1] = private_of_ada;
    OK(kinfolk_account_suspend(ada));
    for (i = 0; i < 2; i++) {
        FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_zone_save(databases[i], "Lists"));
        FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_zone_delete(databases[i], "Notes"));
        FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_zones(databases[i], &zones));
        FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_zone_changes(databases[i], "Notes", NULL, 0, 0, &changes));
        FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_database_changes(databases[i], NULL, 0, &changes));
    }
    CHECK(zones == NULL && changes == NULL);
    OK(kinfolk_account_resume(ada));
    SAME(zone_names(private_of_ada), "_defaultZone Notes ");
    kinfolk_database_free(databases[0]);
    kinfolk_session_free(anonymous);
    end_with_tablet();
}

BEGIN
    RUN(zones_are_made_listed_and_deleted);
    RUN(zones_belong_to_one_private_database);
    RUN(a_public_database_has_only_the_default_zone);
    RUN(malformed_names_of_zones_are_refused);
    RUN_ON_FILES(a_database_has_1000_custom_zones_at_most);
    RUN(zones_have_records_of_their_own);
    RUN(a_batch_changes_records_of_several_zones);
    RUN(references_and_parents_stay_in_their_zone);
    RUN(another_session_follows_a_zone_through_pages);
    RUN(a_page_outlives_its_database_and_is_read_by_index);
    RUN(a_database_says_which_zones_changed);
    RUN(a_deleted_zone_has_no_changes);
    RUN(a_token_is_valid_for_one_zone_user_and_environment);
    RUN(a_forged_token_is_refused);
    RUN(a_token_survives_a_rotation_of_keys);
    RUN_ON_FILES(a_restored_store_expires_the_tokens);
    RUN(the_default_zone_has_no_changes);
    RUN(zones_need_an_account_in_good_standing);
END
