/* Batches: several saves and deletions in one transaction, with a result for each. */

#include "harness.h"
#include "people.h"
#include "two_people.h"
#include "notes.h"

static kinfolk_batch *new_batch(void) {
    kinfolk_batch *batch = NULL;
    OK(kinfolk_batch_new(&batch));
    REQUIRE(batch != NULL);
    return batch;
}

/* Runs a batch. The number of items that failed. */
static size_t run(kinfolk_batch *batch, const kinfolk_database *database, bool is_atomic) {
    size_t failed = SIZE_MAX;
    OK(kinfolk_batch_run(batch, database, is_atomic, &failed));
    return failed;
}

/* ---- The seven operations */

/* A note {number: 1, mine: 1} in each state that a record may have in the store. */
enum state { NEVER_SAVED, DELETED, PRESENT, CHANGED /* by another handle: {number: 2, mine: 1, theirs: 2} */, STATES };

/* The handle of the note, which has {number: 5} and not `mine` any more. */
static kinfolk_record *note_in(enum state state, const char *name) {
    kinfolk_record *note = new_note(name, 1), *other = NULL;
    OK(kinfolk_record_set_int64(note, "mine", 1));
    if (state != NEVER_SAVED) OK(kinfolk_database_save(by_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    if (state == DELETED) OK(kinfolk_database_delete(by_ada, name, NULL, NULL, NULL));
    if (state == CHANGED) {
        OK(kinfolk_database_fetch(by_ada, name, NULL, &other));
        OK(kinfolk_record_set_int64(other, "number", 2));
        OK(kinfolk_record_set_int64(other, "theirs", 2));
        OK(kinfolk_database_save(by_ada, other, KINFOLK_SAVE_IF_UNCHANGED));
        kinfolk_record_free(other);
    }
    OK(kinfolk_record_set_int64(note, "number", 5));
    OK(kinfolk_record_remove(note, "mine"));
    return note;
}

#define CHANGED_ALREADY KINFOLK_SERVER_RECORD_CHANGED
#define NONE { KINFOLK_UNKNOWN_ITEM, NO_NOTE, NO_NOTE, NO_NOTE }

/* What each operation returns, and the fields "number", "mine" and "theirs" in the store afterwards. */
static const struct {
    kinfolk_operation operation;
    struct {
        kinfolk_status status;
        int64_t number, mine, theirs;
    } wanted[STATES];
} cases[] = {
    { KINFOLK_OPERATION_CREATE,
      { { KINFOLK_OK, 5, MISSING, MISSING }, { KINFOLK_OK, 5, MISSING, MISSING },
        { CHANGED_ALREADY, 1, 1, MISSING }, { CHANGED_ALREADY, 2, 1, 2 } } },
    { KINFOLK_OPERATION_UPDATE,
      { { KINFOLK_INVALID_ARGUMENT, NO_NOTE, NO_NOTE, NO_NOTE }, NONE,
        { KINFOLK_OK, 5, MISSING, MISSING }, { CHANGED_ALREADY, 2, 1, 2 } } },
    { KINFOLK_OPERATION_FORCE_UPDATE,
      { { KINFOLK_OK, 5, MISSING, MISSING }, { KINFOLK_OK, 5, MISSING, MISSING },
        { KINFOLK_OK, 5, MISSING, MISSING }, { KINFOLK_OK, 5, MISSING, 2 } } },
    { KINFOLK_OPERATION_REPLACE,
      { { KINFOLK_INVALID_ARGUMENT, NO_NOTE, NO_NOTE, NO_NOTE }, NONE,
        { KINFOLK_OK, 5, MISSING, MISSING }, { CHANGED_ALREADY, 2, 1, 2 } } },
    { KINFOLK_OPERATION_FORCE_REPLACE,
      { { KINFOLK_OK, 5, MISSING, MISSING }, { KINFOLK_OK, 5, MISSING, MISSING },
        { KINFOLK_OK, 5, MISSING, MISSING }, { KINFOLK_OK, 5, MISSING, MISSING } } },
    { KINFOLK_OPERATION_DELETE,
      { { KINFOLK_INVALID_ARGUMENT, NO_NOTE, NO_NOTE, NO_NOTE }, NONE,
        { KINFOLK_OK, NO_NOTE, NO_NOTE, NO_NOTE }, { CHANGED_ALREADY, 2, 1, 2 } } },
    { KINFOLK_OPERATION_FORCE_DELETE,
      { { KINFOLK_OK, NO_NOTE, NO_NOTE, NO_NOTE }, { KINFOLK_OK, NO_NOTE, NO_NOTE, NO_NOTE },
        { KINFOLK_OK, NO_NOTE, NO_NOTE, NO_NOTE }, { KINFOLK_OK, NO_NOTE, NO_NOTE, NO_NOTE } } },
};

static void check_case(size_t at, enum state state, bool is_atomic) {
    static unsigned names;
    kinfolk_status wanted = cases[at].wanted[state].status;
    kinfolk_batch *batch = new_batch();
    kinfolk_record *note, *saved = NULL, *server;
    bool deletes = cases[at].operation >= KINFOLK_OPERATION_DELETE;
    char name[32];
    int faults = harness.faults;
    snprintf(name, sizeof name, "note %u", ++names);
    note = note_in(state, name);
    if (deletes)
        OK(kinfolk_batch_delete(batch, cases[at].operation, name, NULL, kinfolk_record_change_tag(note)));
    else
        OK(kinfolk_batch_save(batch, cases[at].operation, note));
    EQUAL(run(batch, by_ada, is_atomic), wanted == KINFOLK_OK ? 0 : 1);
    SAME(kinfolk_batch_name(batch, 0), name);
    if (wanted == KINFOLK_OK) {
        OK(kinfolk_batch_status(batch, 0));
        OK(kinfolk_batch_record(batch, 0, &saved));
        CHECK((saved == NULL) == deletes);
        if (saved != NULL) {
            EQUAL(field_of(saved, "number"), cases[at].wanted[state].number);
            EQUAL(field_of(saved, "theirs"), cases[at].wanted[state].theirs);
            OK(kinfolk_database_save(by_ada, saved, KINFOLK_SAVE_IF_UNCHANGED)); /* it has the new tag */
        }
    } else {
        FAILS(wanted, kinfolk_batch_record(batch, 0, &saved));
        FAILS(wanted, kinfolk_batch_status(batch, 0));
        CHECK(saved == NULL);
        server = kinfolk_error_take_server_record();
        CHECK((server != NULL) == (wanted == KINFOLK_SERVER_RECORD_CHANGED));
        if (server != NULL) EQUAL(field_of(server, "number"), cases[at].wanted[state].number);
        kinfolk_record_free(server);
    }
    EQUAL(field_of(note, "number"), 5); /* the batch changes no handle */
    EQUAL(stored(by_ada, name, "number"), cases[at].wanted[state].number);
    EQUAL(stored(by_ada, name, "mine"), cases[at].wanted[state].mine);
    EQUAL(stored(by_ada, name, "theirs"), cases[at].wanted[state].theirs);
    if (harness.faults > faults) printf("        with operation %d, state %d\n", (int)cases[at].operation, (int)state);
    kinfolk_record_free(saved);
    kinfolk_record_free(note);
    kinfolk_batch_free(batch);
}

static void seven_operations_on_missing_present_and_changed_records(void) {
    size_t at;
    int state;
    begin();
    for (at = 0; at < sizeof cases / sizeof cases[0]; at++)
        for (state = 0; state < STATES; state++) {
            check_case(at, (enum state)state, false);
            check_case(at, (enum state)state, true);
        }
    end();
}

static void an_unknown_operation_is_refused(void) {
    kinfolk_record *note = new_note("a", 1);
    kinfolk_batch *batch = new_batch();
    int operation;
    for (operation = -1; operation < 10; operation++) {
        bool saves = operation >= KINFOLK_OPERATION_CREATE && operation <= KINFOLK_OPERATION_FORCE_REPLACE;
        bool deletes = operation == KINFOLK_OPERATION_DELETE || operation == KINFOLK_OPERATION_FORCE_DELETE;
        if (!saves) FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_batch_save(batch, (kinfolk_operation)operation, note));
        if (!deletes)
            FAILS(KINFOLK_INVALID_ARGUMENT,
                  kinfolk_batch_delete(batch, (kinfolk_operation)operation, "a", NULL, "tag"));
    }
    EQUAL(kinfolk_batch_count(batch), 0);
    kinfolk_record_free(note);
    kinfolk_batch_free(batch);
}

/* ---- Many records */

static const char *numbered(size_t number) {
    static char name[16];
    snprintf(name, sizeof name, "n%03u", (unsigned)number);
    return name;
}

/* A batch that creates the notes n000, n001 and so on, with their numbers. */
static kinfolk_batch *creations(size_t count) {
    kinfolk_batch *batch = new_batch();
    size_t i;
    for (i = 0; i < count; i++) {
        kinfolk_record *note = new_note(numbered(i), (int64_t)i);
        OK(kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, note));
        kinfolk_record_free(note);
    }
    return batch;
}

static void four_hundred_records_are_saved_and_deleted_with_a_result_for_each(void) {
    static const size_t TAKEN = 123;
    kinfolk_batch *batch;
    kinfolk_record *note;
    size_t i;
    begin();
    kinfolk_record_free(saved_note(by_ada, numbered(TAKEN), 7));
    batch = creations(400);
    EQUAL(kinfolk_batch_count(batch), 400);
    EQUAL(run(batch, by_ada, false), 1);
    for (i = 0; i < 400; i++) {
        SAME(kinfolk_batch_name(batch, i), numbered(i));
        if (i == TAKEN) {
            FAILS(KINFOLK_SERVER_RECORD_CHANGED, kinfolk_batch_status(batch, i));
            continue;
        }
        OK(kinfolk_batch_record(batch, i, &note));
        SAME(kinfolk_record_name(note), numbered(i));
        EQUAL(field_of(note, "number"), i);
        kinfolk_record_free(note);
    }
    EQUAL(stored(by_grace, "n399", "number"), 399);
    EQUAL(stored(by_grace, numbered(TAKEN), "number"), 7);
    kinfolk_batch_free(batch);

    batch = new_batch();
    for (i = 0; i < 400; i++) OK(kinfolk_batch_delete(batch, KINFOLK_OPERATION_FORCE_DELETE, numbered(i), NULL, NULL));
    EQUAL(run(batch, by_ada, false), 0);
    for (i = 0; i < 400; i++) EQUAL(stored(by_ada, numbered(i), "number"), NO_NOTE);
    kinfolk_batch_free(batch);
    end();
}

static void one_failure_stops_an_atomic_batch(void) {
    static const size_t TAKEN = 200;
    kinfolk_batch *batch;
    kinfolk_record *saved = NULL, *server;
    size_t i;
    begin();
    kinfolk_record_free(saved_note(by_ada, numbered(TAKEN), 7));
    batch = creations(400);
    EQUAL(run(batch, by_ada, true), 400);
    for (i = 0; i < 400; i++) {
        if (i != TAKEN) FAILS(KINFOLK_BATCH_REQUEST_FAILED, kinfolk_batch_status(batch, i));
        CHECK(kinfolk_batch_record(batch, i, &saved) != KINFOLK_OK && saved == NULL);
        if (i != TAKEN) EQUAL(stored(by_ada, numbered(i), "number"), NO_NOTE);
    }
    FAILS(KINFOLK_SERVER_RECORD_CHANGED, kinfolk_batch_status(batch, TAKEN));
    server = kinfolk_error_take_server_record();
    EQUAL(field_of(server, "number"), 7);
    kinfolk_record_free(server);

    OK(kinfolk_database_delete(by_ada, numbered(TAKEN), NULL, NULL, NULL)); /* the same batch, without the cause */
    EQUAL(run(batch, by_ada, true), 0);
    for (i = 0; i < 400; i++) OK(kinfolk_batch_status(batch, i));
    EQUAL(stored(by_ada, "n000", "number"), 0);
    EQUAL(stored(by_ada, numbered(TAKEN), "number"), TAKEN);
    kinfolk_batch_free(batch);
    end();
}

static void a_malformed_item_stops_an_atomic_batch(void) {
    kinfolk_batch *batch;
    kinfolk_record *bad = NULL, *note;
    begin();
    note = new_note("good", 1);
    OK(kinfolk_record_new("Users", "bad", NULL, &bad));
    batch = new_batch();
    OK(kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, note));
    OK(kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, bad));
    EQUAL(run(batch, by_ada, true), 2);
    FAILS(KINFOLK_BATCH_REQUEST_FAILED, kinfolk_batch_status(batch, 0));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_batch_status(batch, 1));
    EQUAL(stored(by_ada, "good", "number"), NO_NOTE);
    EQUAL(run(batch, by_ada, false), 1);
    OK(kinfolk_batch_status(batch, 0));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_batch_status(batch, 1));
    EQUAL(stored(by_ada, "good", "number"), 1);
    kinfolk_batch_free(batch);
    kinfolk_record_free(bad);
    kinfolk_record_free(note);
    end();
}

static void fields_of_a_failed_atomic_batch_are_not_in_the_schema(void) {
    kinfolk_batch *batch;
    kinfolk_record *note, *other = NULL;
    begin();
    kinfolk_record_free(saved_note(by_ada, "taken", 1));
    note = new_note("a", 1);
    OK(kinfolk_record_set_int64(note, "fresh", 1));
    other = new_note("taken", 2);
    batch = new_batch();
    OK(kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, note));
    OK(kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, other));
    EQUAL(run(batch, by_ada, true), 2);
    kinfolk_record_free(note);
    note = new_note("a", 1);
    OK(kinfolk_record_set_string(note, "fresh", "of another type"));
    OK(kinfolk_database_save(by_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_batch_free(batch);
    kinfolk_record_free(note);
    kinfolk_record_free(other);
    end();
}

/* ---- Limits */

static void a_batch_has_400_items_at_most(void) {
    kinfolk_batch *batch;
    size_t failed = 7;
    begin();
    batch = creations(401);
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_batch_run(batch, by_ada, false, &failed));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_batch_run(batch, by_ada, true, &failed));
    EQUAL(failed, 7);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_batch_status(batch, 0)); /* no results */
    EQUAL(stored(by_ada, "n000", "number"), NO_NOTE);
    kinfolk_batch_free(batch);
    batch = new_batch();
    EQUAL(run(batch, by_ada, true), 0); /* nothing is a batch too */
    kinfolk_batch_free(batch);
    end();
}

static void the_records_of_a_batch_have_2_mb_at_most(void) {
    static uint8_t large[999997];
    kinfolk_batch *batch;
    kinfolk_record *record = NULL;
    char name[] = "a";
    size_t i;
    begin();
    batch = new_batch();
    for (i = 0; i < 3; i++, name[0]++) { /* 1,000,000, 999,994 and 7 bytes */
        OK(kinfolk_record_new("Large", name, NULL, &record));
        OK(kinfolk_record_set_bytes(record, "data", large, i == 0 ? 999996 : i == 1 ? 999990 : 3));
        OK(kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, record));
        kinfolk_record_free(record);
    }
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_batch_run(batch, by_ada, false, NULL));
    EQUAL(stored(by_ada, "a", "data"), NO_NOTE);
    kinfolk_batch_free(batch);

    batch = new_batch();
    for (i = 0, name[0] = 'a'; i < 3; i++, name[0]++) { /* the last with 6 */
        OK(kinfolk_record_new("Large", name, NULL, &record));
        OK(kinfolk_record_set_bytes(record, "data", large, i == 0 ? 999996 : i == 1 ? 999990 : 2));
        OK(kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, record));
        kinfolk_record_free(record);
    }
    EQUAL(run(batch, by_ada, true), 0);
    kinfolk_batch_free(batch);

    batch = new_batch(); /* one record that is too large fails alone */
    OK(kinfolk_record_new("Large", "d", NULL, &record));
    OK(kinfolk_record_set_bytes(record, "data", large, 999997));
    OK(kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, record));
    kinfolk_record_free(record);
    record = new_note("small", 1);
    OK(kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, record));
    EQUAL(run(batch, by_ada, false), 1);
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_batch_status(batch, 0));
    EQUAL(stored(by_ada, "small", "number"), 1);
    kinfolk_record_free(record);
    kinfolk_batch_free(batch);
    end();
}

static void a_batch_has_one_operation_for_each_record(void) {
    kinfolk_batch *batch;
    kinfolk_record *note;
    begin();
    note = new_note("a", 1);
    batch = new_batch();
    OK(kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, note));
    OK(kinfolk_batch_delete(batch, KINFOLK_OPERATION_FORCE_DELETE, "a", NULL, NULL));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_batch_run(batch, by_ada, false, NULL));
    EQUAL(stored(by_ada, "a", "number"), NO_NOTE);
    kinfolk_record_free(note);
    kinfolk_batch_free(batch);
    end();
}

/* ---- Handles */

static void a_batch_keeps_copies_and_the_results_of_its_last_run(void) {
    kinfolk_batch *batch;
    kinfolk_record *note;
    const char *name;
    begin();
    note = new_note("a", 1);
    batch = new_batch();
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_batch_status(batch, 0));
    OK(kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, note));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_batch_status(batch, 0)); /* it was not run */
    OK(kinfolk_record_set_int64(note, "number", 2));
    kinfolk_record_free(note);
    EQUAL(run(batch, by_ada, false), 0);
    EQUAL(stored(by_ada, "a", "number"), 1);
    name = kinfolk_batch_name(batch, 0);
    OK(kinfolk_batch_run(batch, by_ada, false, NULL));
    FAILS(KINFOLK_SERVER_RECORD_CHANGED, kinfolk_batch_status(batch, 0)); /* the second run finds the record */
    EQUAL(run(batch, by_grace, false), 1); /* and the third does so for Grace */
    FAILS(KINFOLK_SERVER_RECORD_CHANGED, kinfolk_batch_status(batch, 0));
    OK(kinfolk_batch_delete(batch, KINFOLK_OPERATION_FORCE_DELETE, "b", NULL, NULL));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_batch_status(batch, 0)); /* an added item removes the results */
    EQUAL(kinfolk_batch_count(batch), 2);
    CHECK(kinfolk_batch_name(batch, 2) == NULL && kinfolk_batch_name(batch, SIZE_MAX) == NULL);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_batch_status(batch, SIZE_MAX));
    SAME(name, "a"); /* borrowed */
    kinfolk_batch_free(batch);
    end();
}

static void a_batch_writes_as_the_user_of_its_database(void) {
    kinfolk_database *graces_private;
    kinfolk_batch *batch;
    kinfolk_record *note, *theirs;
    begin();
    graces_private = open_database(graces, KINFOLK_DATABASE_PRIVATE);
    note = saved_note(by_ada, "a", 1);
    theirs = saved_note(private_of_ada, "b", 1);
    batch = new_batch();
    OK(kinfolk_batch_save(batch, KINFOLK_OPERATION_UPDATE, note));
    OK(kinfolk_batch_delete(batch, KINFOLK_OPERATION_FORCE_DELETE, "a2", NULL, NULL));
    EQUAL(run(batch, by_grace, false), 1);
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_batch_status(batch, 0));
    kinfolk_batch_free(batch);
    batch = new_batch();
    OK(kinfolk_batch_delete(batch, KINFOLK_OPERATION_FORCE_DELETE, "a", NULL, NULL));
    EQUAL(run(batch, by_grace, true), 1);
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_batch_status(batch, 0));
    kinfolk_batch_free(batch);
    batch = new_batch(); /* Ada's private record does not exist for Grace */
    OK(kinfolk_batch_save(batch, KINFOLK_OPERATION_UPDATE, theirs));
    OK(kinfolk_batch_delete(batch, KINFOLK_OPERATION_DELETE, "a", NULL, kinfolk_record_change_tag(theirs)));
    EQUAL(run(batch, graces_private, false), 2);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_batch_status(batch, 0));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_batch_status(batch, 1));
    EQUAL(stored(private_of_ada, "b", "number"), 1);
    EQUAL(stored(by_ada, "a", "number"), 1);
    kinfolk_batch_free(batch);
    kinfolk_record_free(note);
    kinfolk_record_free(theirs);
    kinfolk_database_free(graces_private);
    end();
}

BEGIN
    RUN(seven_operations_on_missing_present_and_changed_records);
    RUN(an_unknown_operation_is_refused);
    RUN(four_hundred_records_are_saved_and_deleted_with_a_result_for_each);
    RUN(one_failure_stops_an_atomic_batch);
    RUN(a_malformed_item_stops_an_atomic_batch);
    RUN(fields_of_a_failed_atomic_batch_are_not_in_the_schema);
    RUN(a_batch_has_400_items_at_most);
    RUN(the_records_of_a_batch_have_2_mb_at_most);
    RUN(a_batch_has_one_operation_for_each_record);
    RUN(a_batch_keeps_copies_and_the_results_of_its_last_run);
    RUN(a_batch_writes_as_the_user_of_its_database);
END
