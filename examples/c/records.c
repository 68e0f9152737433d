/*
 * records.c: databases of records, step by step.
 *
 *     cc records.c -o records $(pkg-config --cflags --libs kinfolk)
 *     ./records
 *
 * The program makes its store, "records.db", in the folder where it runs, and stops if the store exists already.
 */

#include <kinfolk.h>
#include <stdio.h>
#include <stdlib.h>

/* Every call returns a status. If it is not KINFOLK_OK, this function says what went wrong and ends the program. */
static void must(kinfolk_status status) {
    if (status == KINFOLK_OK) return;
    fprintf(stderr, "records: %s (%s)\n", kinfolk_error_message(), kinfolk_status_name(status));
    exit(EXIT_FAILURE);
}

static kinfolk_database *open_database(const kinfolk_session *session, kinfolk_database_scope scope) {
    kinfolk_database *database;
    must(kinfolk_session_database(session, scope, &database));
    return database;
}

/* ---- 1. A record with fields of every type ---------------------------------------------------------------------- */

/* Sets a field to a list that was just made. The record copies it, so it can be freed at once. */
static void set_list(kinfolk_record *record, const char *field, kinfolk_status made, kinfolk_value **list) {
    must(made);
    must(kinfolk_record_set_value(record, field, *list));
    kinfolk_value_free(*list);
}

static void set_all_types(kinfolk_record *note, const char *author) {
    static const char *const tags[] = { "home", "weekly" };
    static const int64_t prices[] = { 320, 150 };
    static const double weights[] = { 0.5, 1.25 };
    static const bool bought[] = { true, false };
    static const uint8_t icon[] = { 0x89, 'P', 'N', 'G' };
    static const uint8_t *const icons[] = { icon, icon };
    static const size_t lengths[] = { 4, 4 };
    static const int64_t days[] = { INT64_C(1767225600000000), INT64_C(1767312000000000) }; /* microseconds */
    static const double latitudes[] = { 51.5, 48.86 }, longitudes[] = { -0.12, 2.35 };
    const char *readers[2];
    kinfolk_value *list = NULL;
    readers[0] = readers[1] = author;

    must(kinfolk_record_set_string(note, "title", "Groceries"));
    must(kinfolk_record_set_int64(note, "count", 2));
    must(kinfolk_record_set_double(note, "total", 4.7));
    must(kinfolk_record_set_boolean(note, "isDone", false));
    must(kinfolk_record_set_bytes(note, "icon", icon, sizeof icon));
    must(kinfolk_record_set_date(note, "due", days[0]));
    must(kinfolk_record_set_location(note, "shop", latitudes[0], longitudes[0]));
    must(kinfolk_record_set_reference(note, "author", author, NULL, KINFOLK_REFERENCE_NONE)); /* a user record */
    set_list(note, "tags", kinfolk_value_new_string_list(tags, NULL, 2, &list), &list);
    set_list(note, "prices", kinfolk_value_new_int64_list(prices, 2, &list), &list);
    set_list(note, "weights", kinfolk_value_new_double_list(weights, 2, &list), &list);
    set_list(note, "bought", kinfolk_value_new_boolean_list(bought, 2, &list), &list);
    set_list(note, "icons", kinfolk_value_new_bytes_list(icons, lengths, 2, &list), &list);
    set_list(note, "days", kinfolk_value_new_date_list(days, 2, &list), &list);
    set_list(note, "shops", kinfolk_value_new_location_list(latitudes, longitudes, 2, &list), &list);
    set_list(note, "readers", kinfolk_value_new_reference_list(readers, NULL, NULL, 2, &list), &list);
}

static const char page_type[] = "DEFINE SCHEMA\n"
                                "RECORD TYPE Page (\n"
                                "    text    STRING QUERYABLE,\n"
                                "    heading STRING QUERYABLE\n"
                                ");\n";

static void print_changes(kinfolk_schema_changes *changes) {
    size_t i;
    for (i = 0; i < kinfolk_schema_changes_count(changes); i++)
        printf("    %s\n", kinfolk_schema_changes_sentence(changes, i));
    kinfolk_schema_changes_free(changes);
}

/* Shows the schema of development, adds a record type to it, and deploys it to production. */
static void deploy_schema(const kinfolk_container *development, const kinfolk_container *production) {
    kinfolk_schema_changes *changes;
    char *text;
    must(kinfolk_schema_export(development, &text));
    printf("%s", text);
    kinfolk_free(text);
    printf("To be applied:\n");
    must(kinfolk_schema_difference(development, page_type, false, &changes));
    print_changes(changes);
    must(kinfolk_schema_apply(development, page_type, false, NULL));
    must(kinfolk_schema_deployment_difference(production, &changes));
    printf("Deployed: %lu changes\n", (unsigned long)kinfolk_schema_changes_count(changes));
    kinfolk_schema_changes_free(changes);
    must(kinfolk_schema_deploy(production, NULL));
}

/* Saves a note with a field that the schema does not have. */
static void save_unknown_field(const kinfolk_database *database, const char *environment) {
    kinfolk_record *note;
    kinfolk_status status;
    must(kinfolk_record_new("Note", "unknown field", NULL, &note));
    must(kinfolk_record_set_string(note, "color", "yellow"));
    status = kinfolk_database_save(database, note, KINFOLK_SAVE_IF_UNCHANGED);
    printf("%s: %s\n", environment, status == KINFOLK_OK ? "saved" : kinfolk_error_message());
    kinfolk_record_free(note);
}

/* ---- 2. Single records ------------------------------------------------------------------------------------------ */

static void print_note(const kinfolk_record *note) {
    const char *title;
    must(kinfolk_record_get_string(note, "title", &title));
    printf("%s: %s, created by %s, modified %s\n", kinfolk_record_name(note), title, kinfolk_record_created_by(note),
           kinfolk_record_modified_at(note) == kinfolk_record_created_at(note) ? "never" : "since");
}

/* Saves a change of a note. If somebody else was faster, it makes the change in the record of the store. */
static void rename_note(const kinfolk_database *database, kinfolk_record **note, const char *title) {
    kinfolk_status status;
    must(kinfolk_record_set_string(*note, "title", title));
    while ((status = kinfolk_database_save(database, *note, KINFOLK_SAVE_IF_UNCHANGED)) ==
           KINFOLK_SERVER_RECORD_CHANGED) {
        kinfolk_record_free(*note);
        *note = kinfolk_error_take_server_record();
        must(kinfolk_record_set_string(*note, "title", title));
        printf("%s was changed meanwhile: trying again\n", kinfolk_record_name(*note));
    }
    must(status);
}

static void save_single_records(const kinfolk_database *database) {
    kinfolk_record *note, *same, *unnamed;
    const kinfolk_save_policy policies[] = { KINFOLK_SAVE_CHANGED_KEYS, KINFOLK_SAVE_ALL_KEYS };
    size_t i;

    must(kinfolk_record_new("Note", "shopping", NULL, &note)); /* a name of our own */
    must(kinfolk_record_set_string(note, "title", "Groceries"));
    must(kinfolk_database_save(database, note, KINFOLK_SAVE_IF_UNCHANGED));
    print_note(note);

    must(kinfolk_record_new("Note", NULL, NULL, &unnamed)); /* a random name */
    must(kinfolk_record_set_string(unnamed, "title", "Untitled"));
    must(kinfolk_database_save(database, unnamed, KINFOLK_SAVE_IF_UNCHANGED));

    must(kinfolk_database_fetch(database, "shopping", NULL, &same)); /* on another device, perhaps */
    rename_note(database, &same, "Groceries for Sunday");
    rename_note(database, &note, "Groceries for Monday");
    print_note(note);
    for (i = 0; i < 2; i++) { /* these two policies save without regard to the change tag */
        must(kinfolk_record_set_string(same, "title", i == 0 ? "For Tuesday" : "For Wednesday"));
        must(kinfolk_database_save(database, same, policies[i]));
    }
    if (kinfolk_database_delete(database, "shopping", NULL, kinfolk_record_change_tag(note), NULL) ==
        KINFOLK_SERVER_RECORD_CHANGED)
        printf("shopping is not deleted: %s\n", kinfolk_error_message());
    must(kinfolk_database_delete(database, "shopping", NULL, NULL, NULL)); /* whatever its tag is */
    must(kinfolk_database_delete(database, kinfolk_record_name(unnamed), NULL, NULL, NULL));
    kinfolk_record_free(unnamed);
    kinfolk_record_free(same);
    kinfolk_record_free(note);
}

/* Runs one operation on a record, as a batch of one, and prints its result. */
static void try_operation(const kinfolk_database *database, const char *name, kinfolk_operation operation,
                          const kinfolk_record *note) {
    kinfolk_batch *batch;
    must(kinfolk_batch_new(&batch));
    if (operation == KINFOLK_OPERATION_DELETE || operation == KINFOLK_OPERATION_FORCE_DELETE)
        must(kinfolk_batch_delete(batch, operation, kinfolk_record_name(note), NULL, kinfolk_record_change_tag(note)));
    else
        must(kinfolk_batch_save(batch, operation, note));
    must(kinfolk_batch_run(batch, database, false, NULL));
    printf("    %-14s %s\n", name, kinfolk_status_name(kinfolk_batch_status(batch, 0)));
    kinfolk_batch_free(batch);
}

/* The seven operations on a handle whose record another handle has changed. */
static void try_operations(const kinfolk_database *database) {
    kinfolk_record *note, *other;
    must(kinfolk_record_new("Note", "contested", NULL, &note));
    must(kinfolk_record_set_string(note, "title", "First"));
    must(kinfolk_database_save(database, note, KINFOLK_SAVE_IF_UNCHANGED));
    must(kinfolk_database_fetch(database, "contested", NULL, &other));
    must(kinfolk_record_set_string(other, "title", "Second"));
    must(kinfolk_database_save(database, other, KINFOLK_SAVE_IF_UNCHANGED));
    printf("Seven operations on a changed record:\n");
    try_operation(database, "create", KINFOLK_OPERATION_CREATE, note);
    try_operation(database, "update", KINFOLK_OPERATION_UPDATE, note);
    try_operation(database, "forceUpdate", KINFOLK_OPERATION_FORCE_UPDATE, note);
    try_operation(database, "replace", KINFOLK_OPERATION_REPLACE, note);
    try_operation(database, "forceReplace", KINFOLK_OPERATION_FORCE_REPLACE, note);
    try_operation(database, "delete", KINFOLK_OPERATION_DELETE, note);
    try_operation(database, "forceDelete", KINFOLK_OPERATION_FORCE_DELETE, note);
    kinfolk_record_free(other);
    kinfolk_record_free(note);
}

/* ---- 3. Batches ------------------------------------------------------------------------------------------------- */

enum { NOTES = 400 };

/* A batch that creates 400 notes, "note 0" and so on. */
static kinfolk_batch *four_hundred_notes(void) {
    kinfolk_batch *batch;
    char name[16];
    int i;
    must(kinfolk_batch_new(&batch));
    for (i = 0; i < NOTES; i++) {
        kinfolk_record *note;
        snprintf(name, sizeof name, "note %d", i);
        must(kinfolk_record_new("Note", name, NULL, &note));
        must(kinfolk_record_set_int64(note, "count", i));
        must(kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, note));
        kinfolk_record_free(note);
    }
    return batch;
}

/* Runs a batch, and prints how many items were not done, and why the items failed that are not victims of others. */
static void run_batch(kinfolk_batch *batch, const kinfolk_database *database, bool is_atomic) {
    size_t failed, i;
    must(kinfolk_batch_run(batch, database, is_atomic, &failed));
    printf("%lu of %lu done\n", (unsigned long)(kinfolk_batch_count(batch) - failed),
           (unsigned long)kinfolk_batch_count(batch));
    for (i = 0; i < kinfolk_batch_count(batch); i++) {
        kinfolk_status status = kinfolk_batch_status(batch, i);
        if (status != KINFOLK_OK && status != KINFOLK_BATCH_REQUEST_FAILED)
            printf("    %s: %s\n", kinfolk_batch_name(batch, i), kinfolk_error_message());
    }
}

static void save_many_records(const kinfolk_database *database) {
    kinfolk_batch *saves = four_hundred_notes(), *deletions;
    kinfolk_record *taken;
    size_t i;

    must(kinfolk_record_new("Note", "note 7", NULL, &taken));
    must(kinfolk_database_save(database, taken, KINFOLK_SAVE_IF_UNCHANGED));
    printf("Atomic: ");
    run_batch(saves, database, true); /* everything or nothing */
    printf("Each for itself: ");
    run_batch(saves, database, false);

    must(kinfolk_batch_new(&deletions));
    for (i = 0; i < NOTES; i++)
        must(kinfolk_batch_delete(deletions, KINFOLK_OPERATION_FORCE_DELETE, kinfolk_batch_name(saves, i), NULL, NULL));
    printf("Deletions: ");
    run_batch(deletions, database, true);
    kinfolk_batch_free(deletions);
    kinfolk_batch_free(saves);
    kinfolk_record_free(taken);
}

/* ---- 4. Export and erasure -------------------------------------------------------------------------------------- */

static void erase(kinfolk_account *account, bool keeps_public_records) {
    kinfolk_erasure *erasure;
    char *json;
    must(kinfolk_account_export(account, &json)); /* give it to the person */
    printf("Exported: %s\n", json[0] == '{' ? "everything, as JSON" : "nothing");
    kinfolk_free(json);
    if (keeps_public_records)
        must(kinfolk_account_erase_keeping_public_records(account, &erasure));
    else
        must(kinfolk_account_erase(account, &erasure));
    printf("Erased records: %lu\n", (unsigned long)kinfolk_erasure_record_count(erasure));
    kinfolk_erasure_free(erasure);
}

static void save_titled(const kinfolk_database *database, const char *name, const char *title) {
    kinfolk_record *note;
    must(kinfolk_record_new("Note", name, NULL, &note));
    must(kinfolk_record_set_string(note, "title", title));
    must(kinfolk_database_save(database, note, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(note);
}

int main(void) {
    kinfolk_service *service;
    kinfolk_container *production, *development;
    kinfolk_account *ada, *grace;
    kinfolk_session *ada_here, *ada_in_development, *grace_here, *anybody;
    kinfolk_database *shared, *private_of_ada, *shared_in_development, *shared_by_grace, *shared_by_anybody;
    kinfolk_record *note;
    const char *id;

    must(kinfolk_service_open("records.db", NULL, &service));
    must(kinfolk_container_create(service, "com.example.notes", &production));
    must(kinfolk_container_open_environment(service, "com.example.notes", KINFOLK_ENVIRONMENT_DEVELOPMENT,
                                            &development));
    must(kinfolk_account_create(service, "Ada", "Example", &ada));
    must(kinfolk_account_create(service, "Grace", "Sample", &grace));
    must(kinfolk_session_open(production, ada, &ada_here));
    must(kinfolk_session_open(development, ada, &ada_in_development));
    must(kinfolk_session_open(production, grace, &grace_here));
    must(kinfolk_session_open_anonymous(production, &anybody));
    shared = open_database(ada_here, KINFOLK_DATABASE_PUBLIC);
    private_of_ada = open_database(ada_here, KINFOLK_DATABASE_PRIVATE);
    shared_in_development = open_database(ada_in_development, KINFOLK_DATABASE_PUBLIC);
    shared_by_grace = open_database(grace_here, KINFOLK_DATABASE_PUBLIC);
    shared_by_anybody = open_database(anybody, KINFOLK_DATABASE_PUBLIC);

    /* 1. A record of a new type, in development. The schema grows. */
    must(kinfolk_session_user_record_id(ada_in_development, &id));
    must(kinfolk_record_new("Note", "everything", NULL, &note));
    set_all_types(note, id);
    must(kinfolk_database_save(shared_in_development, note, KINFOLK_SAVE_IF_UNCHANGED));
    printf("%s has %lu fields\n", kinfolk_record_name(note), (unsigned long)kinfolk_record_field_count(note));
    kinfolk_record_free(note);
    deploy_schema(development, production);
    save_unknown_field(shared, "In production");
    save_unknown_field(shared_in_development, "In development");

    /* 2. and 3. Single records, and 400 at once, in production. */
    save_single_records(shared);
    try_operations(shared);
    save_many_records(shared);

    /* 4. Two people leave. Of Grace, the operator keeps what she published. */
    save_titled(shared, "ada's", "From Ada");
    save_titled(private_of_ada, "diary", "Nobody else reads this");
    save_titled(shared_by_grace, "grace's", "From Grace");
    erase(ada, false);
    erase(grace, true);
    if (kinfolk_database_fetch(shared_by_anybody, "ada's", NULL, &note) == KINFOLK_UNKNOWN_ITEM)
        printf("ada's: %s\n", kinfolk_error_message());
    must(kinfolk_database_fetch(shared_by_anybody, "grace's", NULL, &note));
    printf("grace's: created by %s\n", kinfolk_record_created_by(note) == NULL ? "nobody" : "somebody");
    kinfolk_record_free(note);

    kinfolk_database_free(shared); /* handles may be freed in any order */
    kinfolk_database_free(private_of_ada);
    kinfolk_database_free(shared_in_development);
    kinfolk_database_free(shared_by_grace);
    kinfolk_database_free(shared_by_anybody);
    kinfolk_session_free(ada_here);
    kinfolk_session_free(ada_in_development);
    kinfolk_session_free(grace_here);
    kinfolk_session_free(anybody);
    kinfolk_account_free(ada);
    kinfolk_account_free(grace);
    kinfolk_container_free(production);
    kinfolk_container_free(development);
    kinfolk_service_free(service);
    return EXIT_SUCCESS;
}
