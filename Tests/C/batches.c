/* Batches: several saves and deletions in one transaction, with a result for each. RecordBatchTests has the rules. */

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

/* Ada's note in the store {number: 1, mine: 1}, of which the handle has {number: 5} and not `mine`. */
static kinfolk_record *changed_note(const char *name) {
    kinfolk_record *note = new_note(name, 1);
    OK(kinfolk_record_set_int64(note, "mine", 1));
    OK(kinfolk_database_save(by_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    OK(kinfolk_record_set_int64(note, "number", 5));
    OK(kinfolk_record_remove(note, "mine"));
    return note;
}

static void each_of_the_seven_operations_is_done(void) {
    static const kinfolk_operation saves[] = { KINFOLK_OPERATION_CREATE, KINFOLK_OPERATION_UPDATE, KINFOLK_OPERATION_FORCE_UPDATE,
                                               KINFOLK_OPERATION_REPLACE, KINFOLK_OPERATION_FORCE_REPLACE };
    kinfolk_batch *batch;
    kinfolk_record *note, *saved = NULL;
    char name[2] = "a";
    size_t i;
    begin();
    batch = new_batch();
    for (i = 0; i < 5; i++, name[0]++) {
        note = i == 0 ? new_note(name, 5) : changed_note(name);
        OK(kinfolk_batch_save(batch, saves[i], note));
        kinfolk_record_free(note);
    }
    note = changed_note("f");
    OK(kinfolk_batch_delete(batch, KINFOLK_OPERATION_DELETE, "f", NULL, kinfolk_record_change_tag(note)));
    kinfolk_record_free(note);
    OK(kinfolk_batch_delete(batch, KINFOLK_OPERATION_FORCE_DELETE, "g", NULL, NULL)); /* which is not there */
    EQUAL(kinfolk_batch_count(batch), 7);
    EQUAL(run(batch, by_ada, true), 0);
    for (i = 0, name[0] = 'a'; i < 7; i++, name[0]++) {
        SAME(kinfolk_batch_name(batch, i), name);
        SAME(kinfolk_batch_zone(batch, i), "_defaultZone");
        OK(kinfolk_batch_status(batch, i));
        OK(kinfolk_batch_record(batch, i, &saved));
        CHECK((saved == NULL) == (i >= 5)); /* a deletion has no record */
        EQUAL(stored(by_ada, name, "number"), i < 5 ? 5 : NO_NOTE);
        EQUAL(stored(by_ada, name, "mine"), i < 5 ? MISSING : NO_NOTE);
        if (saved != NULL) OK(kinfolk_database_save(by_ada, saved, KINFOLK_SAVE_IF_UNCHANGED)); /* it has the new tag */
        kinfolk_record_free(saved);
        saved = NULL;
    }
    kinfolk_batch_free(batch);
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

static void each_item_has_a_result(void) {
    static const size_t TAKEN = 12;
    kinfolk_batch *batch;
    kinfolk_record *saved = NULL, *server;
    size_t i;
    begin();
    kinfolk_record_free(saved_note(by_ada, numbered(TAKEN), 7));
    batch = creations(40);
    EQUAL(run(batch, by_ada, true), 40); /* everything or nothing */
    for (i = 0; i < 40; i++) {
        if (i != TAKEN) FAILS(KINFOLK_BATCH_REQUEST_FAILED, kinfolk_batch_status(batch, i));
        CHECK(kinfolk_batch_record(batch, i, &saved) != KINFOLK_OK && saved == NULL);
        if (i != TAKEN) EQUAL(stored(by_ada, numbered(i), "number"), NO_NOTE);
    }
    FAILS(KINFOLK_SERVER_RECORD_CHANGED, kinfolk_batch_status(batch, TAKEN));
    server = kinfolk_error_take_server_record();
    EQUAL(field_of(server, "number"), 7);
    kinfolk_record_free(server);

    EQUAL(run(batch, by_ada, false), 1); /* the same batch, each item alone */
    for (i = 0; i < 40; i++) {
        SAME(kinfolk_batch_name(batch, i), numbered(i));
        if (i == TAKEN) {
            FAILS(KINFOLK_SERVER_RECORD_CHANGED, kinfolk_batch_status(batch, i));
            continue;
        }
        OK(kinfolk_batch_record(batch, i, &saved));
        SAME(kinfolk_record_name(saved), numbered(i));
        EQUAL(field_of(saved, "number"), i);
        kinfolk_record_free(saved);
    }
    EQUAL(stored(by_grace, "n039", "number"), 39);
    EQUAL(stored(by_grace, numbered(TAKEN), "number"), 7);
    kinfolk_batch_free(batch);
    end();
}

static void a_batch_that_is_refused_as_a_whole_has_no_results(void) {
    kinfolk_batch *batch;
    size_t failed = 7;
    begin();
    batch = creations(401);
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_batch_run(batch, by_ada, false, &failed));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_batch_run(batch, by_ada, true, &failed));
    EQUAL(failed, 7);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_batch_status(batch, 0));
    kinfolk_batch_free(batch);
    batch = new_batch();
    EQUAL(run(batch, by_ada, true), 0); /* nothing is a batch too */
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

BEGIN
    RUN(each_of_the_seven_operations_is_done);
    RUN(an_unknown_operation_is_refused);
    RUN(each_item_has_a_result);
    RUN(a_batch_that_is_refused_as_a_whole_has_no_results);
    RUN(a_batch_keeps_copies_and_the_results_of_its_last_run);
END
