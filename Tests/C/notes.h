/*
 * notes.h: two people with their databases, and records of the type "Note". Include it after people.h and two_people.h.
 */

#ifndef NOTES_H
#define NOTES_H

static kinfolk_session *adas, *graces;
/* The public database as each of them sees it, and Ada's private one. */
static kinfolk_database *by_ada, *by_grace, *private_of_ada;

static kinfolk_database *open_database(const kinfolk_session *session, kinfolk_database_scope scope) {
    kinfolk_database *database = NULL;
    OK(kinfolk_session_database(session, scope, &database));
    REQUIRE(database != NULL);
    return database;
}

static void begin(void) {
    make_two_people();
    adas = sign_in(notes, ada);
    graces = sign_in(notes, grace);
    by_ada = open_database(adas, KINFOLK_DATABASE_PUBLIC);
    by_grace = open_database(graces, KINFOLK_DATABASE_PUBLIC);
    private_of_ada = open_database(adas, KINFOLK_DATABASE_PRIVATE);
}

static void end(void) {
    kinfolk_database_free(by_ada);
    kinfolk_database_free(by_grace);
    kinfolk_database_free(private_of_ada);
    kinfolk_session_free(adas);
    kinfolk_session_free(graces);
    free_two_people();
}

/* A note that is not saved, with this name, or with a random one for NULL. */
static kinfolk_record *new_note(const char *name, int64_t number) {
    kinfolk_record *note = NULL;
    OK(kinfolk_record_new("Note", name, NULL, &note));
    OK(kinfolk_record_set_int64(note, "number", number));
    return note;
}

/* A note that is saved by Ada in her public or private database. */
HARNESS_UNUSED static kinfolk_record *saved_note(const kinfolk_database *database, const char *name, int64_t number) {
    kinfolk_record *note = new_note(name, number);
    OK(kinfolk_database_save(database, note, KINFOLK_SAVE_IF_UNCHANGED));
    return note;
}

/* The number of a note; MISSING if it has none. */
#define MISSING INT64_MIN
HARNESS_UNUSED static int64_t field_of(const kinfolk_record *note, const char *field) {
    int64_t value = MISSING;
    if (note == NULL || kinfolk_record_get_int64(note, field, &value) != KINFOLK_OK) return MISSING;
    return value;
}

/* The same for the note in the store; NO_NOTE if there is no note with this name. */
#define NO_NOTE (INT64_MIN + 1)
HARNESS_UNUSED static int64_t stored(const kinfolk_database *database, const char *name, const char *field) {
    kinfolk_record *note = NULL;
    kinfolk_status status = kinfolk_database_fetch(database, name, NULL, &note);
    int64_t value = field_of(note, field);
    if (status == KINFOLK_UNKNOWN_ITEM) return NO_NOTE;
    OK(status);
    kinfolk_record_free(note);
    return value;
}

#endif
