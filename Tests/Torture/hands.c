/* A writer's handles, and how it takes a step of its plan through the C API. */

#include "hands.h"

#include "shim_vfs.h"

#define CONSENT "Let people who have your address find you?"

kinfolk_status open_place(const kinfolk_service *service, int place, kinfolk_container **container) {
    kinfolk_status status = kinfolk_container_open(service, place_names[place], container);
    if (status != KINFOLK_UNKNOWN_ITEM) return status;
    status = kinfolk_container_create(service, place_names[place], container);
    if (status == KINFOLK_CONFLICT) return kinfolk_container_open(service, place_names[place], container);
    if (status != KINFOLK_OK) return status;
    status = kinfolk_container_set_permits(*container, PERMITS, 0, PERMITS);
    if (status == KINFOLK_OK) return status;
    kinfolk_container_free(*container);
    *container = NULL;
    return status;
}

kinfolk_status hands_open(struct hands *hands, const char *store, double wait, struct ids *ids) {
    /* A server has no place for a key file. */
    static const uint8_t key[KINFOLK_KEY_LENGTH] = { 0x4b, 0x69, 0x6e, 0x66, 0x6f, 0x6c, 0x6b };
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    kinfolk_status status;
    int place;
    memset(hands, 0, sizeof *hands);
    hands->ids = ids;
    options.wait = wait;
    if (strncmp(store, "postgresql://", 13) == 0) {
        options.key = key;
        options.key_length = sizeof key;
    }
    status = kinfolk_service_open(store, &options, &hands->service);
    for (place = 0; place < PLACES && status == KINFOLK_OK; place++)
        status = open_place(hands->service, place, &hands->places[place]);
    if (status != KINFOLK_OK) hands_close(hands);
    return status;
}

void hands_share(struct hands *hands, const struct hands *other, struct ids *ids) {
    memset(hands, 0, sizeof *hands);
    hands->service = other->service;
    memcpy(hands->places, other->places, sizeof hands->places);
    hands->ids = ids;
}

static void forget(struct hands *hands, int slot) {
    int place;
    for (place = 0; place < PLACES; place++) {
        kinfolk_session_free(hands->sessions[slot][place]);
        hands->sessions[slot][place] = NULL;
    }
    kinfolk_account_free(hands->accounts[slot]);
    hands->accounts[slot] = NULL;
}

void hands_empty(struct hands *hands) {
    int slot;
    for (slot = 0; slot < SLOTS; slot++) forget(hands, slot);
}

void hands_close(struct hands *hands) {
    int place;
    hands_empty(hands);
    for (place = 0; place < PLACES; place++) kinfolk_container_free(hands->places[place]);
    kinfolk_service_free(hands->service);
    shim_expect_closed();
    hands->service = NULL;
    memset(hands->places, 0, sizeof hands->places);
}

static kinfolk_status create(struct hands *hands, const struct world *after, const struct step *step) {
    long at = after->people[step->slot].number % REMEMBERED;
    kinfolk_status status;
    forget(hands, step->slot);
    hands->ids->account[at][0] = '\0';
    memset(hands->ids->record[at], 0, sizeof hands->ids->record[at]);
    memset(hands->ids->readers[at], 0, sizeof hands->ids->readers[at]);
    status = kinfolk_account_create(hands->service, given_name_text(step->value), family_name_text(after->writer),
                                    &hands->accounts[step->slot]);
    if (status == KINFOLK_OK) strcpy(hands->ids->account[at], kinfolk_account_id(hands->accounts[step->slot]));
    return status;
}

/* The session exists once it is open. If its record ID cannot be read, the step has succeeded nevertheless. */
static kinfolk_status sign_in(struct hands *hands, long at, const struct step *step) {
    kinfolk_session **session = &hands->sessions[step->slot][step->place];
    const char *id = NULL;
    kinfolk_status status;
    kinfolk_session_free(*session);
    *session = NULL;
    status = kinfolk_session_open(hands->places[step->place], hands->accounts[step->slot], session);
    if (status == KINFOLK_OK && kinfolk_session_user_record_id(*session, &id) == KINFOLK_OK)
        strcpy(hands->ids->record[at][step->place], id);
    return status;
}

/* In production a private database adds nothing to the schema: the operator adds the fields, in all places the same. Another writer may
 * have added them. */
static kinfolk_status add_fields(const kinfolk_container *container) {
    kinfolk_status status = kinfolk_container_add_field(container, "value", KINFOLK_INT64);
    if (status == KINFOLK_OK || status == KINFOLK_CONFLICT)
        status = kinfolk_container_add_field(container, "note", KINFOLK_STRING);
    return status == KINFOLK_CONFLICT ? KINFOLK_OK : status;
}

static kinfolk_status save(const kinfolk_container *container, const kinfolk_session *session,
                           const struct step *step) {
    kinfolk_database_scope database = step->database == 0 ? KINFOLK_DATABASE_PUBLIC : KINFOLK_DATABASE_PRIVATE;
    kinfolk_record *record = NULL;
    kinfolk_status status = kinfolk_record_fetch(session, NULL, database, &record);
    if (status == KINFOLK_OK) status = kinfolk_record_set_int64(record, "value", step->value);
    if (status == KINFOLK_OK) status = kinfolk_record_set_string(record, "note", note_text(step->value));
    if (status == KINFOLK_OK) status = kinfolk_record_save(session, record, KINFOLK_SAVE_IF_UNCHANGED);
    if (status == KINFOLK_INVALID_ARGUMENT && database == KINFOLK_DATABASE_PRIVATE) {
        status = add_fields(container);
        if (status == KINFOLK_OK) status = kinfolk_record_save(session, record, KINFOLK_SAVE_IF_UNCHANGED);
    }
    kinfolk_record_free(record);
    return status;
}

/* The item that a batch of separate items must refuse: an update of a record that was never fetched. */
static kinfolk_status add_bad_item(kinfolk_batch *batch) {
    kinfolk_record *record = NULL;
    kinfolk_status status = kinfolk_record_new("Note", NULL, NULL, &record);
    if (status == KINFOLK_OK) status = kinfolk_batch_save(batch, KINFOLK_OPERATION_UPDATE, record);
    kinfolk_record_free(record);
    return status;
}

static kinfolk_status add_note(kinfolk_batch *batch, const char *name, long value) {
    kinfolk_record *record = NULL;
    kinfolk_status status = kinfolk_record_new("Note", name, NULL, &record);
    if (status == KINFOLK_OK) status = kinfolk_record_set_int64(record, "value", value);
    if (status == KINFOLK_OK) status = kinfolk_record_set_string(record, "note", note_text(value));
    if (status == KINFOLK_OK) status = kinfolk_batch_save(batch, KINFOLK_OPERATION_FORCE_REPLACE, record);
    kinfolk_record_free(record);
    return status;
}

static kinfolk_status fill(kinfolk_batch *batch, int writer, const struct person *person, const struct step *step) {
    kinfolk_status status = step->atomic ? KINFOLK_OK : add_bad_item(batch);
    int note;
    for (note = 0; note < NOTES && status == KINFOLK_OK; note++) {
        const char *name = note_name(writer, person, note);
        if (step->saved >> note & 1) status = add_note(batch, name, step->value + note);
        else if (step->deleted >> note & 1)
            status = kinfolk_batch_delete(batch, KINFOLK_OPERATION_FORCE_DELETE, name, NULL, NULL);
    }
    return status;
}

/* Each item must succeed, but for the bad one. */
static kinfolk_status check_items(const kinfolk_batch *batch, size_t failed, const struct step *step) {
    size_t bad = step->atomic ? 0 : 1, i;
    if (failed == bad) return KINFOLK_OK;
    for (i = bad; i < kinfolk_batch_count(batch); i++) {
        kinfolk_status status = kinfolk_batch_status(batch, i);
        if (status != KINFOLK_OK) return status;
    }
    return KINFOLK_INTERNAL_ERROR;
}

static kinfolk_status run_batch(const kinfolk_session *session, int writer, const struct person *person,
                                const struct step *step) {
    kinfolk_database *database = NULL;
    kinfolk_batch *batch = NULL;
    size_t failed = 0;
    kinfolk_status status = kinfolk_session_database(
        session, step->database == 0 ? KINFOLK_DATABASE_PUBLIC : KINFOLK_DATABASE_PRIVATE, &database);
    if (status == KINFOLK_OK) status = kinfolk_batch_new(&batch);
    if (status == KINFOLK_OK) status = fill(batch, writer, person, step);
    if (status == KINFOLK_OK) status = kinfolk_batch_run(batch, database, step->atomic, &failed);
    if (status == KINFOLK_OK) status = check_items(batch, failed, step);
    kinfolk_batch_free(batch);
    kinfolk_database_free(database);
    return status;
}

/* ---- Trees in zones */

static kinfolk_status add_node(kinfolk_batch *batch, int node, long value) {
    kinfolk_record *record = NULL;
    kinfolk_status status = kinfolk_record_new("Note", tree_name(node), tree_zone, &record);
    if (status == KINFOLK_OK) status = kinfolk_record_set_int64(record, "value", value);
    if (status == KINFOLK_OK) status = kinfolk_record_set_string(record, "note", note_text(value));
    if (status == KINFOLK_OK && node > 0) status = kinfolk_record_set_parent(record, tree_name(tree_above(node)));
    if (status == KINFOLK_OK && node > 0)
        status = kinfolk_record_set_reference(record, "above", tree_name(tree_above(node)), NULL,
                                              KINFOLK_REFERENCE_DELETE_SELF);
    if (status == KINFOLK_OK) status = kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, record);
    kinfolk_record_free(record);
    return status;
}

/* Saves the tree from the leaves to the root, so that each record refers to a later one. */
static kinfolk_status save_tree(const kinfolk_database *database, long value) {
    kinfolk_batch *batch = NULL;
    kinfolk_status status = kinfolk_batch_new(&batch);
    size_t i;
    int node;
    for (node = NOTES - 1; node >= 0 && status == KINFOLK_OK; node--) status = add_node(batch, node, value + node);
    if (status == KINFOLK_OK) status = kinfolk_batch_run(batch, database, true, NULL);
    for (i = 0; i < NOTES && (status == KINFOLK_OK || status == KINFOLK_BATCH_REQUEST_FAILED); i++)
        status = kinfolk_batch_status(batch, i);
    kinfolk_batch_free(batch);
    return status;
}

/* In production the operator adds the field. It is not QUERYABLE, so that all notes have as many index entries. */
static kinfolk_status save_tree_with_field(const kinfolk_container *container, const kinfolk_database *database,
                                           long value) {
    kinfolk_status status = save_tree(database, value);
    if (status != KINFOLK_INVALID_ARGUMENT) return status;
    status = kinfolk_schema_add_field(container, "Note", "above", KINFOLK_REFERENCE, 0);
    return status == KINFOLK_OK || status == KINFOLK_CONFLICT ? save_tree(database, value) : status;
}

/* Keeps a token for the changes that follow. Without a token the reader is not checked: the tree was saved in any case. */
static void begin_reader(const kinfolk_database *database, long tree, struct reader *reader) {
    kinfolk_changes *changes = NULL;
    const uint8_t *token = NULL;
    size_t length = 0;
    reader->tree = tree;
    reader->length = 0;
    if (kinfolk_zone_changes(database, tree_zone, NULL, 0, 0, &changes) == KINFOLK_OK &&
        !kinfolk_changes_more_coming(changes) && kinfolk_changes_token(changes, &token, &length) == KINFOLK_OK &&
        length <= sizeof reader->token) {
        memcpy(reader->token, token, length);
        reader->length = length;
    }
    kinfolk_changes_free(changes);
}

static kinfolk_status cut_tree(const kinfolk_database *database) {
    kinfolk_deleted *deleted = NULL;
    kinfolk_status status = kinfolk_database_delete(database, tree_name(0), tree_zone, NULL, &deleted);
    if (status == KINFOLK_OK && kinfolk_deleted_count(deleted) != NOTES) status = KINFOLK_INTERNAL_ERROR;
    kinfolk_deleted_free(deleted);
    return status;
}

static kinfolk_status work_in_zone(const kinfolk_container *container, const kinfolk_session *session,
                                   const struct step *step, struct reader *reader) {
    kinfolk_database *database = NULL;
    kinfolk_status status = kinfolk_session_database(session, KINFOLK_DATABASE_PRIVATE, &database);
    if (status != KINFOLK_OK) return status;
    if (step->kind == STEP_ZONE) status = kinfolk_zone_save(database, tree_zone);
    else if (step->kind == STEP_CUT) status = cut_tree(database);
    else if (step->kind == STEP_REMOVE_ZONE) status = kinfolk_zone_delete(database, tree_zone);
    else status = save_tree_with_field(container, database, step->value);
    if (status == KINFOLK_OK && step->kind == STEP_TREE) begin_reader(database, step->value, reader);
    kinfolk_database_free(database);
    return status;
}

/* ---- Files */

/* Writes the file of a value in pieces, the second of which is large. */
static kinfolk_status upload(const kinfolk_database *database, long value, kinfolk_asset **asset) {
    size_t length, first;
    const uint8_t *bytes = file_bytes(value, &length);
    kinfolk_status status = kinfolk_asset_new(database, NULL, asset);
    first = length < 1000 ? length : 1000;
    if (status == KINFOLK_OK) status = kinfolk_asset_write(*asset, bytes, first);
    if (status == KINFOLK_OK) status = kinfolk_asset_write(*asset, bytes + first, length - first);
    return status == KINFOLK_OK ? kinfolk_asset_finish(*asset) : status;
}

/* In production a private database adds nothing to the schema: the operator adds the field. */
static kinfolk_status save_with_file(const kinfolk_container *container, const kinfolk_database *database,
                                     const char *name, long value, const kinfolk_asset *asset) {
    kinfolk_record *record = NULL;
    kinfolk_status status = kinfolk_record_new("Note", name, NULL, &record);
    if (status == KINFOLK_OK) status = kinfolk_record_set_int64(record, "value", value);
    if (status == KINFOLK_OK) status = kinfolk_record_set_string(record, "note", note_text(value));
    if (status == KINFOLK_OK) status = kinfolk_record_set_asset(record, "file", asset);
    if (status == KINFOLK_OK) status = kinfolk_database_save(database, record, KINFOLK_SAVE_ALL_KEYS);
    if (status == KINFOLK_INVALID_ARGUMENT) {
        status = kinfolk_schema_add_field(container, "Note", "file", KINFOLK_ASSET, 0);
        if (status == KINFOLK_OK || status == KINFOLK_CONFLICT)
            status = kinfolk_database_save(database, record, KINFOLK_SAVE_ALL_KEYS);
    }
    kinfolk_record_free(record);
    return status;
}

static kinfolk_status work_on_file(const kinfolk_container *container, const kinfolk_session *session, int writer,
                                   const struct person *person, const struct step *step) {
    const char *name = file_name(writer, person);
    kinfolk_database *database = NULL;
    kinfolk_asset *asset = NULL;
    kinfolk_status status = kinfolk_session_database(
        session, step->database == 0 ? KINFOLK_DATABASE_PUBLIC : KINFOLK_DATABASE_PRIVATE, &database);
    if (status == KINFOLK_OK && step->kind == STEP_DETACH)
        status = kinfolk_database_delete(database, name, NULL, NULL, NULL);
    else if (status == KINFOLK_OK) status = upload(database, step->value, &asset);
    if (status == KINFOLK_OK && step->kind == STEP_ATTACH)
        status = save_with_file(container, database, name, step->value, asset);
    kinfolk_asset_free(asset);
    kinfolk_database_free(database);
    return status;
}

/* ---- Keys and documents */

static kinfolk_status work_on_setting(const kinfolk_session *session, const struct step *step) {
    kinfolk_keyvalue *store = NULL;
    kinfolk_value *value = NULL;
    kinfolk_status status = kinfolk_session_keyvalue(session, &store);
    if (status == KINFOLK_OK) status = kinfolk_value_new_int64(step->value, &value);
    if (status == KINFOLK_OK)
        status = step->kind == STEP_SETTING ? kinfolk_keyvalue_set(store, setting_key, value)
                                            : kinfolk_keyvalue_remove(store, setting_key);
    kinfolk_value_free(value);
    kinfolk_keyvalue_free(store);
    return status;
}

static kinfolk_status work_on_document(const kinfolk_session *session, const struct step *step) {
    kinfolk_document *document = NULL;
    size_t length;
    const uint8_t *bytes = file_bytes(step->value, &length);
    kinfolk_status status = kinfolk_document_open(session, document_path, &document);
    if (status == KINFOLK_OK && step->kind == STEP_REMOVE_DOCUMENT) status = kinfolk_document_delete(document);
    else if (status == KINFOLK_OK) status = kinfolk_document_save(document, bytes, length);
    else if (status == KINFOLK_UNKNOWN_ITEM && step->kind == STEP_DOCUMENT)
        status = kinfolk_document_create(session, document_path, bytes, length, &document);
    if (status == KINFOLK_OK && kinfolk_document_conflict_count(document) > 0) status = KINFOLK_INTERNAL_ERROR;
    kinfolk_document_free(document);
    return status;
}

/* ---- Steps */

kinfolk_status ask_about_strangers(const kinfolk_session *session, int writer, long value, int count) {
    kinfolk_contacts *contacts = NULL;
    kinfolk_identities *identities = NULL;
    kinfolk_status status = kinfolk_contacts_new(&contacts);
    int i;
    for (i = 0; i < count && status == KINFOLK_OK; i++)
        status = kinfolk_contacts_add_email(contacts, brief("w%d.v%ld.n%d@example.org", writer, value, i), NULL);
    if (status == KINFOLK_OK) status = kinfolk_discover_contacts(session, contacts, NULL, 0, &identities);
    kinfolk_identities_free(identities);
    kinfolk_contacts_free(contacts);
    return status;
}

/* Opens the handles that a step needs, after the service was reopened. */
static kinfolk_status reach(struct hands *hands, long at, const struct step *step) {
    kinfolk_status status = KINFOLK_OK;
    kinfolk_account **account = &hands->accounts[step->slot];
    kinfolk_session **session = &hands->sessions[step->slot][step->place];
    bool needs_session = step->kind == STEP_GRANT || step->kind == STEP_DENY || step->kind == STEP_SAVE ||
                         step->kind == STEP_BATCH || step->kind == STEP_ZONE || step->kind == STEP_TREE ||
                         step->kind == STEP_CUT || step->kind == STEP_REMOVE_ZONE || step->kind == STEP_ATTACH ||
                         step->kind == STEP_DETACH || step->kind == STEP_UPLOAD || step->kind == STEP_SETTING ||
                         step->kind == STEP_UNSET || step->kind == STEP_DOCUMENT ||
                         step->kind == STEP_REMOVE_DOCUMENT || step->kind == STEP_DISCOVER;
    if (*account == NULL) status = kinfolk_account_open(hands->service, hands->ids->account[at], account);
    if (status == KINFOLK_OK && needs_session && *session == NULL)
        status = kinfolk_session_open(hands->places[step->place], *account, session);
    return status;
}

kinfolk_status hands_take(struct hands *hands, const struct world *after, const struct step *step) {
    int writer = after->writer;
    long at = after->people[step->slot].number % REMEMBERED;
    kinfolk_account *account;
    kinfolk_session *session;
    kinfolk_status status;
    if (step->kind == STEP_CREATE) return create(hands, after, step);
    status = reach(hands, at, step);
    if (status != KINFOLK_OK) return status;
    account = hands->accounts[step->slot];
    session = hands->sessions[step->slot][step->place];
    switch (step->kind) {
    case STEP_ADD_EMAIL: return kinfolk_account_add_email(account, email_text(writer, step->email), true, NULL);
    case STEP_TAKE_EMAIL:
        return kinfolk_service_transfer_email(hands->service, email_text(writer, step->email), account);
    case STEP_REMOVE_EMAIL: return kinfolk_account_remove_email(account, email_text(writer, step->email));
    case STEP_RENAME:
        return kinfolk_account_set_name(account, given_name_text(step->value), family_name_text(writer));
    case STEP_SIGN_IN: return sign_in(hands, at, step);
    case STEP_GRANT:
        return kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, CONSENT, "1");
    case STEP_DENY: return kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_DENIED, "", "");
    case STEP_SAVE: return save(hands->places[step->place], session, step);
    case STEP_BATCH: return run_batch(session, writer, &after->people[step->slot], step);
    case STEP_ZONE:
    case STEP_TREE:
    case STEP_CUT:
    case STEP_REMOVE_ZONE:
        return work_in_zone(hands->places[step->place], session, step, &hands->ids->readers[at][step->place]);
    case STEP_ATTACH:
    case STEP_DETACH:
    case STEP_UPLOAD:
        return work_on_file(hands->places[step->place], session, writer, &after->people[step->slot], step);
    case STEP_SETTING:
    case STEP_UNSET: return work_on_setting(session, step);
    case STEP_DOCUMENT:
    case STEP_REMOVE_DOCUMENT: return work_on_document(session, step);
    case STEP_DISCOVER: return ask_about_strangers(session, writer, step->value, step->count);
    case STEP_SUSPEND: return kinfolk_account_suspend(account);
    case STEP_RESUME: return kinfolk_account_resume(account);
    case STEP_ERASE:
        status = kinfolk_account_erase(account, NULL);
        if (status == KINFOLK_OK) forget(hands, step->slot);
        return status;
    case STEP_CREATE: break;
    }
    return KINFOLK_INTERNAL_ERROR;
}
