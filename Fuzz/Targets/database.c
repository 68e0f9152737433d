/*
 * Records of any name in a public and a private database: two users save and delete them with each operation and policy, one by one
 * and in batches. A small model predicts each result, and what the store has in the end.
 */

#include "fuzz.h"
#include "store.h"

enum { NAMES = 6, FRESH_AFTER = 20000 };
enum { PUBLIC_OF_ADA, PUBLIC_OF_GRACE, PRIVATE_OF_ADA, DATABASES };

static kinfolk_database *databases[DATABASES];
static unsigned inputs, saves;

/* A record in the store, and a handle of it, which may be stale. A version is a number instead of a change tag. */
static struct note {
    bool is_there;
    int64_t number;
    unsigned version;
    int creator;
    kinfolk_record *handle;
    unsigned handles_version; /* 0: never saved */
    int64_t handles_number;
} notes[2][NAMES]; /* in the public database, and in the private one */

static void begin(void) {
    static kinfolk_service *service; /* open while its sessions are used */
    kinfolk_account *ada;
    kinfolk_account *grace;
    kinfolk_container *container = NULL, *development = NULL;
    kinfolk_session *adas = NULL, *graces = NULL;
    kinfolk_service_free(service);
    service = store_make();
    ada = store_person(service, "Ada", "ada@example.com");
    grace = store_person(service, "Grace", "grace@example.com");
    OK(kinfolk_container_create(service, NOTES, &container));
    OK(kinfolk_container_open_environment(service, NOTES, KINFOLK_ENVIRONMENT_DEVELOPMENT, &development));
    OK(kinfolk_session_open(development, ada, &adas));
    OK(kinfolk_session_open(development, grace, &graces));
    OK(kinfolk_session_database(adas, KINFOLK_DATABASE_PUBLIC, &databases[PUBLIC_OF_ADA]));
    OK(kinfolk_session_database(graces, KINFOLK_DATABASE_PUBLIC, &databases[PUBLIC_OF_GRACE]));
    OK(kinfolk_session_database(adas, KINFOLK_DATABASE_PRIVATE, &databases[PRIVATE_OF_ADA]));
    kinfolk_session_free(adas);
    kinfolk_session_free(graces);
    kinfolk_container_free(container);
    kinfolk_container_free(development);
    kinfolk_account_free(ada);
    kinfolk_account_free(grace);
}

static const char *name_of(size_t at) {
    static char names[NAMES][4];
    snprintf(names[at], sizeof names[at], "n%u", (unsigned)at);
    return names[at];
}

static struct note *note_of(int database, size_t at) { return &notes[database == PRIVATE_OF_ADA][at]; }

/* ---- The model */

/* What an operation of the user of a database returns. */
static kinfolk_status predict(kinfolk_operation operation, const struct note *note, int database) {
    bool needs_tag = operation == KINFOLK_OPERATION_UPDATE || operation == KINFOLK_OPERATION_REPLACE ||
                     operation == KINFOLK_OPERATION_DELETE;
    if (needs_tag && note->handles_version == 0) return KINFOLK_INVALID_ARGUMENT;
    if (!note->is_there) return needs_tag ? KINFOLK_UNKNOWN_ITEM : KINFOLK_OK;
    if (operation == KINFOLK_OPERATION_CREATE) return KINFOLK_SERVER_RECORD_CHANGED;
    if (note->creator != database) return KINFOLK_PERMISSION_FAILURE;
    return needs_tag && note->handles_version != note->version ? KINFOLK_SERVER_RECORD_CHANGED : KINFOLK_OK;
}

static bool is_deletion(kinfolk_operation operation) { return operation >= KINFOLK_OPERATION_DELETE; }

/* The operation succeeded. */
static void apply(kinfolk_operation operation, struct note *note, int database) {
    if (is_deletion(operation)) {
        note->is_there = false;
        return;
    }
    if (!note->is_there) note->creator = database;
    note->is_there = true;
    note->number = note->handles_number;
    note->version = note->handles_version = ++saves;
}

/* The record must be in the store as the model says, for the user of this database. */
static void check(int database, size_t at, const kinfolk_record *record) {
    struct note *note = note_of(database, at);
    int64_t number = 0;
    HOLDS(note->is_there && strcmp(kinfolk_record_name(record), name_of(at)) == 0);
    HOLDS(strcmp(kinfolk_record_type(record), "Note") == 0);
    OK(kinfolk_record_get_int64(record, "number", &number));
    HOLDS(number == note->number && kinfolk_record_field_count(record) == 1);
}

/* The present failure must hold the record of the store exactly if it was changed. */
static void check_failure(kinfolk_status status, kinfolk_status wanted, int database, size_t at) {
    kinfolk_record *server = kinfolk_error_take_server_record();
    FAILED(status, wanted, wanted);
    HOLDS((server != NULL) == (wanted == KINFOLK_SERVER_RECORD_CHANGED));
    if (server != NULL) check(database, at, server);
    kinfolk_record_free(server);
}

/* ---- The steps */

/* A handle of the note, with a new number. */
static kinfolk_record *touch(struct note *note, size_t at, input *in) {
    if (note->handle == NULL) {
        OK(kinfolk_record_new("Note", name_of(at), NULL, &note->handle));
        note->handles_version = 0;
    }
    note->handles_number = take_byte(in);
    OK(kinfolk_record_set_int64(note->handle, "number", note->handles_number));
    return note->handle;
}

static void fetch(int database, size_t at) {
    struct note *note = note_of(database, at);
    kinfolk_record *record = NULL;
    kinfolk_status status = kinfolk_database_fetch(databases[database], name_of(at), NULL, &record);
    HOLDS((status == KINFOLK_OK) == note->is_there);
    if (status != KINFOLK_OK) {
        FAILED(status, KINFOLK_UNKNOWN_ITEM, KINFOLK_UNKNOWN_ITEM);
    } else {
        check(database, at, record);
        note->handles_version = note->version;
    }
    kinfolk_record_free(note->handle);
    note->handle = record;
}

static void save_one(int database, size_t at, uint8_t choice, input *in) {
    struct note *note = note_of(database, at);
    kinfolk_record *record = touch(note, at, in);
    kinfolk_save_policy policy = (kinfolk_save_policy)(choice % 3);
    kinfolk_operation operation = policy != KINFOLK_SAVE_IF_UNCHANGED ? KINFOLK_OPERATION_FORCE_UPDATE
                                  : note->handles_version == 0        ? KINFOLK_OPERATION_CREATE
                                                                      : KINFOLK_OPERATION_UPDATE;
    kinfolk_status wanted = predict(operation, note, database);
    kinfolk_status status = kinfolk_database_save(databases[database], record, policy);
    HOLDS(status == wanted);
    if (status == KINFOLK_OK) {
        apply(operation, note, database);
        check(database, at, record);
    } else {
        check_failure(status, wanted, database, at);
    }
}

static void delete_one(int database, size_t at, uint8_t choice) {
    struct note *note = note_of(database, at);
    const char *tag = choice & 1 ? kinfolk_record_change_tag(note->handle) : NULL;
    kinfolk_operation operation = tag == NULL ? KINFOLK_OPERATION_FORCE_DELETE : KINFOLK_OPERATION_DELETE;
    kinfolk_status wanted = predict(operation, note, database);
    kinfolk_status status;
    if (tag == NULL && !note->is_there) wanted = KINFOLK_UNKNOWN_ITEM;
    status = kinfolk_database_delete(databases[database], name_of(at), NULL, tag, NULL);
    HOLDS(status == wanted);
    if (status == KINFOLK_OK) apply(operation, note, database);
    else check_failure(status, wanted, database, at);
}

/* One operation for each of several notes. */
static void run_batch(int database, input *in) {
    kinfolk_operation operations[NAMES];
    kinfolk_status wanted[NAMES], status;
    size_t names[NAMES], count = 0, failed = 0, failures = 0, first = NAMES, at, i;
    uint8_t chosen = take_byte(in);
    bool is_atomic = chosen & 0x80, is_malformed = false;
    kinfolk_batch *batch = NULL;
    kinfolk_record *record = NULL;
    kinfolk_deleted *deleted = NULL;
    OK(kinfolk_batch_new(&batch));
    for (at = 0; at < NAMES; at++) {
        struct note *note = note_of(database, at);
        if ((chosen >> at & 1) == 0) continue;
        names[count] = at;
        operations[count] = (kinfolk_operation)(take_byte(in) % 7 + 1);
        record = touch(note, at, in);
        if (is_deletion(operations[count]))
            OK(kinfolk_batch_delete(batch, operations[count], name_of(at), NULL, kinfolk_record_change_tag(record)));
        else
            OK(kinfolk_batch_save(batch, operations[count], record));
        wanted[count] = predict(operations[count], note, database);
        if (wanted[count] != KINFOLK_OK) failures++;
        if (wanted[count] != KINFOLK_OK && first == NAMES) first = count;
        is_malformed = is_malformed || wanted[count] == KINFOLK_INVALID_ARGUMENT;
        count++;
    }
    for (i = 0; i < count && is_atomic && failures > 0; i++)
        if (is_malformed ? wanted[i] != KINFOLK_INVALID_ARGUMENT : i != first) wanted[i] = KINFOLK_BATCH_REQUEST_FAILED;
    if (is_atomic && failures > 0) failures = count;
    OK(kinfolk_batch_run(batch, databases[database], is_atomic, &failed));
    HOLDS(failed == failures && kinfolk_batch_count(batch) == count);
    for (i = 0; i < count; i++) {
        struct note *note = note_of(database, names[i]);
        record = NULL;
        status = kinfolk_batch_record(batch, i, &record);
        HOLDS(status == wanted[i] && strcmp(kinfolk_batch_name(batch, i), name_of(names[i])) == 0);
        if (status != KINFOLK_OK) {
            check_failure(status, wanted[i], database, names[i]);
            continue;
        }
        apply(operations[i], note, database);
        HOLDS((record == NULL) == is_deletion(operations[i]));
        if (record == NULL) continue;
        check(database, names[i], record);
        kinfolk_record_free(note->handle);
        note->handle = record;
    }
    OK(kinfolk_batch_deleted(batch, &deleted));
    kinfolk_deleted_free(deleted);
    kinfolk_batch_free(batch);
}

/* Any texts as a type and as a name. */
static void use_any_name(input *in) {
    char *type = take_text(in), *name = take_text(in);
    size_t length = strlen(name), i;
    bool is_user = is_record_id(name), is_good = length >= 1 && length <= 255 && (name[0] != '_' || is_user), is_type;
    kinfolk_record *record = NULL;
    kinfolk_records *records = NULL;
    kinfolk_back_references *back = NULL;
    kinfolk_deleted *deleted = NULL;
    kinfolk_status status;
    for (i = 0; i < length; i++) is_good = is_good && name[i] >= 0x20 && name[i] <= 0x7e;
    OK(kinfolk_record_new("Note", NULL, NULL, &record));
    HOLDS((kinfolk_record_set_parent(record, name) == KINFOLK_OK) == (is_good && !is_user));
    if (is_good && !is_user) HOLDS(strcmp(kinfolk_record_parent(record), name) == 0);
    OK(kinfolk_record_set_parent(record, NULL));
    HOLDS(kinfolk_record_parent(record) == NULL);
    kinfolk_record_free(record);
    record = NULL;
    if (kinfolk_database_back_references(databases[PUBLIC_OF_ADA], name, length % 2 ? type : NULL, NULL, 400, &back) ==
        KINFOLK_OK) {
        HOLDS(is_good && kinfolk_back_references_count(back) == 0 && kinfolk_back_references_name(back, 0) == NULL);
        HOLDS(kinfolk_back_references_type(back, 0) == NULL && kinfolk_back_references_kind(back, 0) == 0);
        kinfolk_back_references_free(back);
    }
    is_type = strlen(type) >= 1 && strlen(type) <= 255 && (type[0] < '0' || type[0] > '9') && type[0] != '_';
    for (i = 0; type[i] != '\0'; i++)
        is_type = is_type && strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_", type[i]) != NULL;
    status = kinfolk_record_new(type, name, NULL, &record);
    HOLDS((status == KINFOLK_OK) == (is_good && is_type));
    if (status != KINFOLK_OK) FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_INVALID_ARGUMENT);
    kinfolk_record_free(record);
    status = kinfolk_database_delete(databases[PUBLIC_OF_ADA], name, NULL, name, NULL);
    if (length != 2) HOLDS(status == (!is_good ? KINFOLK_INVALID_ARGUMENT : is_user ? status : KINFOLK_UNKNOWN_ITEM));
    HOLDS(status != KINFOLK_OK);
    record = NULL;
    if (is_good && length != 2) { /* not one of the model */
        const char *names[1];
        names[0] = name;
        OK(kinfolk_record_new("Note", name, NULL, &record));
        status = kinfolk_database_save(databases[PUBLIC_OF_ADA], record, KINFOLK_SAVE_IF_UNCHANGED);
        HOLDS((status == KINFOLK_OK) == !is_user);
        OK(kinfolk_database_fetch_records(databases[PUBLIC_OF_GRACE], names, NULL, 1, &records));
        kinfolk_record_free(record);
        record = NULL;
        HOLDS((kinfolk_records_record(records, 0, &record) == KINFOLK_OK) == !is_user);
        if (!is_user) HOLDS(strcmp(kinfolk_record_name(record), name) == 0);
        if (!is_user) {
            OK(kinfolk_database_delete(databases[PUBLIC_OF_ADA], name, NULL, kinfolk_record_change_tag(record), &deleted));
            HOLDS(kinfolk_deleted_count(deleted) == 1 && strcmp(kinfolk_deleted_name(deleted, 0), name) == 0);
            HOLDS(strcmp(kinfolk_deleted_type(deleted, 0), "Note") == 0);
            HOLDS(strcmp(kinfolk_deleted_zone(deleted, 0), "_defaultZone") == 0);
            kinfolk_deleted_free(deleted);
        }
        kinfolk_records_free(records);
        kinfolk_record_free(record);
    }
    free(type);
    free(name);
}

/* ---- The end: the store has what the model has, and then nothing */

static void check_and_delete(int database) {
    const char *names[NAMES];
    kinfolk_records *records = NULL;
    kinfolk_batch *batch = NULL;
    size_t at, failed = 0;
    int reader = database == PUBLIC_OF_ADA ? PUBLIC_OF_GRACE : database;
    OK(kinfolk_batch_new(&batch));
    for (at = 0; at < NAMES; at++) names[at] = name_of(at);
    OK(kinfolk_database_fetch_records(databases[reader], names, NULL, NAMES, &records));
    HOLDS(kinfolk_records_count(records) == NAMES);
    for (at = 0; at < NAMES; at++) {
        struct note *note = note_of(database, at);
        kinfolk_record *record = NULL;
        HOLDS((kinfolk_records_record(records, at, &record) == KINFOLK_OK) == note->is_there);
        if (note->is_there) check(database, at, record);
        if (note->is_there && note->creator == database) {
            OK(kinfolk_batch_delete(batch, KINFOLK_OPERATION_FORCE_DELETE, names[at], NULL, NULL));
            note->is_there = false;
        }
        kinfolk_record_free(record);
        if (database == PUBLIC_OF_ADA) continue; /* Grace's follow */
        kinfolk_record_free(note->handle);
        note->handle = NULL;
        note->handles_version = 0;
    }
    OK(kinfolk_batch_run(batch, databases[database], true, &failed));
    HOLDS(failed == 0);
    kinfolk_records_free(records);
    kinfolk_batch_free(batch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = { data, size };
    int database;
    if (inputs++ % FRESH_AFTER == 0) {
        for (database = 0; database < DATABASES; database++) kinfolk_database_free(databases[database]);
        begin();
    }
    while (in.left > 0) {
        uint8_t step = take_byte(&in);
        size_t at = step >> 3 & 7;
        database = (step >> 6) % DATABASES;
        at %= NAMES;
        switch (step & 7) {
        case 0: fetch(database, at); break;
        case 1: case 2: case 3: save_one(database, at, step & 7, &in); break;
        case 4: case 5: delete_one(database, at, step & 7); break;
        case 6: run_batch(database, &in); break;
        default: use_any_name(&in);
        }
    }
    for (database = 0; database < DATABASES; database++) check_and_delete(database);
    return 0;
}
