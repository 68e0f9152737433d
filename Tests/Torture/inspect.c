/* Checks that a store holds the expected data. */

#include "inspect.h"

#include <sqlite3.h>

static const char fine[] = "";

static const char *failed(const char *what) {
    return text("%s fails: %s", what, kinfolk_error_message());
}

/* ---- One person */

static const char *inspect_name(const kinfolk_account *account, const struct world *world,
                                const struct person *person) {
    char *given = NULL, *family = NULL;
    const char *why = fine;
    if (kinfolk_account_get_name(account, &given, &family) != KINFOLK_OK) return failed("get_name");
    if (strcmp(given, given_name_text(person->name)) != 0 || strcmp(family, family_name_text(world->writer)) != 0)
        why = text("is called \"%s\", not \"%s\"", given, given_name_text(person->name));
    kinfolk_free(given);
    kinfolk_free(family);
    return why;
}

/* The addresses of a person, in order. Each must be verified, and lead to this person. */
static const char *inspect_emails(const struct hands *hands, const kinfolk_account *account, const struct world *world,
                                  const struct person *person) {
    kinfolk_emails *emails = NULL;
    kinfolk_account *owner;
    const char *why = fine;
    int i;
    if (kinfolk_account_emails(account, &emails) != KINFOLK_OK) return failed("emails");
    if ((int)kinfolk_emails_count(emails) != person->email_count)
        why = text("has %d addresses, not %d", (int)kinfolk_emails_count(emails), person->email_count);
    for (i = 0; i < person->email_count && *why == '\0'; i++) {
        const char *address = email_text(world->writer, person->emails[i]);
        owner = NULL;
        if (strcmp(kinfolk_emails_address(emails, (size_t)i), address) != 0) why = "has another address";
        else if (!kinfolk_emails_is_verified(emails, (size_t)i)) why = "has its address unverified";
        else if (kinfolk_account_find_by_email(hands->service, address, &owner) != KINFOLK_OK)
            why = failed("find_by_email");
        else if (strcmp(kinfolk_account_id(owner), kinfolk_account_id(account)) != 0) why = "lost its address";
        kinfolk_account_free(owner);
    }
    kinfolk_emails_free(emails);
    return why;
}

static long occurrences(const char *in, const char *what) {
    long count = 0;
    while ((in = strstr(in, what)) != NULL) count++, in += strlen(what);
    return count;
}

/* The proof of consent is complete, and the person uses exactly the expected containers. */
static const char *inspect_export(const kinfolk_account *account, const struct person *person) {
    char *json = NULL;
    const char *why = fine;
    long decisions = 0, places = 0, found;
    int place;
    if (kinfolk_account_export(account, &json) != KINFOLK_OK) return failed("export");
    for (place = 0; place < PLACES; place++) {
        decisions += person->uses[place].decisions;
        places += person->uses[place].joined;
    }
    if ((found = occurrences(json, "\"decision\":")) != decisions)
        why = text("decided %ld times, not %ld", found, decisions);
    else if ((found = occurrences(json, "\"user_record_id\":")) != places)
        why = text("uses %ld containers, not %ld", found, places);
    kinfolk_free(json);
    return why;
}

static const char *inspect_record(const kinfolk_session *session, kinfolk_database_scope database, long value) {
    kinfolk_record *record = NULL;
    const char *why = fine, *note = NULL;
    int64_t found = 0;
    if (kinfolk_record_fetch(session, NULL, database, &record) != KINFOLK_OK) return failed("record_fetch");
    (void)kinfolk_record_get_int64(record, "value", &found);
    (void)kinfolk_record_get_string(record, "note", &note);
    if (found != value) why = text("saved %ld, not %ld", (long)found, value);
    else if (value != 0 && (note == NULL || strcmp(note, note_text(value)) != 0)) why = "saved half a record";
    kinfolk_record_free(record);
    return why;
}

/* The notes of a person in a database: those of whole batches. */
static const char *inspect_notes(const kinfolk_session *session, kinfolk_database_scope scope, int writer,
                                 const struct person *person, const long notes[NOTES]) {
    kinfolk_database *database = NULL;
    const char *why = fine;
    int i;
    if (kinfolk_session_database(session, scope, &database) != KINFOLK_OK) return failed("session_database");
    for (i = 0; i < NOTES && *why == '\0'; i++) {
        kinfolk_record *record = NULL;
        const char *note = NULL;
        int64_t found = 0;
        kinfolk_status status = kinfolk_database_fetch(database, note_name(writer, person, i), NULL, &record);
        if (status != KINFOLK_OK && status != KINFOLK_UNKNOWN_ITEM) why = failed("database_fetch");
        if (record != NULL) {
            (void)kinfolk_record_get_int64(record, "value", &found);
            (void)kinfolk_record_get_string(record, "note", &note);
        }
        if (*why == '\0' && found != notes[i]) why = text("has %ld in note %d, not %ld", (long)found, i, notes[i]);
        else if (*why == '\0' && found != 0 && (note == NULL || strcmp(note, note_text(found)) != 0))
            why = text("has half of note %d", i);
        kinfolk_record_free(record);
    }
    kinfolk_database_free(database);
    return why;
}

/* The record with a file, whose bytes must all be there. */
static const char *inspect_bytes(const kinfolk_asset *asset, long value) {
    size_t length, count = 0;
    const uint8_t *bytes = file_bytes(value, &length);
    uint8_t *found = malloc(length + 1), byte;
    const char *why = fine;
    if (found == NULL) give_up("malloc");
    if (kinfolk_asset_size(asset) != length) why = text("has a file of %ld bytes", (long)kinfolk_asset_size(asset));
    else if (kinfolk_asset_read(asset, 0, found, length + 1, &count) != KINFOLK_OK) why = failed("asset_read");
    else if (count != length || memcmp(bytes, found, length) != 0) why = "has other bytes in its file";
    else if (length > 0 && (kinfolk_asset_read(asset, length / 2, &byte, 1, &count) != KINFOLK_OK || count != 1 ||
                            byte != bytes[length / 2]))
        why = "has another byte in the middle of its file";
    free(found);
    return why;
}

static const char *inspect_record_with_file(const kinfolk_database *database, const char *name, long value) {
    kinfolk_record *record = NULL;
    kinfolk_asset *asset = NULL;
    const char *why = fine, *note = NULL;
    int64_t found = 0;
    kinfolk_status status = kinfolk_database_fetch(database, name, NULL, &record);
    if (status == KINFOLK_UNKNOWN_ITEM) return value == 0 ? fine : "lost its record with a file";
    if (status != KINFOLK_OK) return failed("database_fetch");
    (void)kinfolk_record_get_int64(record, "value", &found);
    (void)kinfolk_record_get_string(record, "note", &note);
    if (found != value) why = text("has %ld in the record with a file, not %ld", (long)found, value);
    else if (note == NULL || strcmp(note, note_text(value)) != 0) why = "has half of the record with a file";
    else if (kinfolk_record_get_asset(record, "file", database, &asset) != KINFOLK_OK) why = failed("get_asset");
    else why = inspect_bytes(asset, value);
    kinfolk_asset_free(asset);
    kinfolk_record_free(record);
    return why;
}

static const char *inspect_file_of(const kinfolk_session *session, kinfolk_database_scope scope, int writer,
                                   const struct person *person, long value) {
    kinfolk_database *database = NULL;
    const char *why;
    if (kinfolk_session_database(session, scope, &database) != KINFOLK_OK) return failed("session_database");
    why = inspect_record_with_file(database, file_name(writer, person), value);
    kinfolk_database_free(database);
    return why;
}

/* ---- Trees in zones */

/* All records of the tree are in the zone, or none. */
static const char *inspect_tree(const kinfolk_database *database, const struct use *use) {
    const char *why = fine;
    int node;
    for (node = 0; node < NOTES && *why == '\0'; node++) {
        kinfolk_record *record = NULL;
        int64_t found = 0;
        long expected = use->tree == 0 ? 0 : use->tree + node;
        kinfolk_status status = kinfolk_database_fetch(database, tree_name(node), tree_zone, &record);
        if (status != (!use->has_zone ? KINFOLK_ZONE_NOT_FOUND : expected == 0 ? KINFOLK_UNKNOWN_ITEM : KINFOLK_OK))
            why = text("has a tree whose node %d is answered with %s", node, kinfolk_status_name(status));
        if (record != NULL) (void)kinfolk_record_get_int64(record, "value", &found);
        if (*why == '\0' && found != expected)
            why = text("has %ld in node %d, not %ld", (long)found, node, expected);
        kinfolk_record_free(record);
    }
    return why;
}

/* What a reader is told: each record once, and deletions only after its token. */
static const char *inspect_changes(const kinfolk_database *database, const struct use *use,
                                   const struct reader *reader) {
    kinfolk_changes *changes = NULL;
    size_t saved = 0, deleted = 0, i, length = reader == NULL ? 0 : reader->length;
    size_t expected_saved = reader == NULL && use->tree != 0 ? NOTES : 0;
    size_t expected_deleted = reader != NULL && use->tree == 0 ? NOTES : 0;
    kinfolk_status status =
        kinfolk_zone_changes(database, tree_zone, length == 0 ? NULL : reader->token, length, 0, &changes);
    /* A copy of a store is a store of its own: tokens of the other one have expired. */
    if (status == KINFOLK_CHANGE_TOKEN_EXPIRED && reader != NULL) return fine;
    if (status != (use->has_zone ? KINFOLK_OK : KINFOLK_ZONE_NOT_FOUND))
        return text("has a zone whose changes are answered with %s", kinfolk_status_name(status));
    if (status != KINFOLK_OK) return fine;
    for (i = 0; i < kinfolk_changes_count(changes); i++)
        if (kinfolk_changes_is_deleted(changes, i)) deleted++;
        else saved++;
    if (kinfolk_changes_more_coming(changes)) saved = SIZE_MAX;
    kinfolk_changes_free(changes);
    if (saved == expected_saved && deleted == expected_deleted) return fine;
    return text("has a zone with %ld saved and %ld deleted records%s, not %ld and %ld", (long)saved, (long)deleted,
                reader == NULL ? "" : " after a token", (long)expected_saved, (long)expected_deleted);
}

static const char *inspect_zone(const kinfolk_session *session, const struct use *use, const struct reader *reader) {
    kinfolk_database *database = NULL;
    bool knows = reader->length > 0 && use->has_zone && reader->tree == (use->tree == 0 ? use->cut : use->tree);
    const char *why = fine;
    if (kinfolk_session_database(session, KINFOLK_DATABASE_PRIVATE, &database) != KINFOLK_OK)
        return failed("session_database");
    why = inspect_tree(database, use);
    if (*why == '\0') why = inspect_changes(database, use, NULL);
    if (*why == '\0' && knows) why = inspect_changes(database, use, reader);
    kinfolk_database_free(database);
    return why;
}

/* ---- Keys and documents */

static const char *inspect_setting(const kinfolk_session *session, const struct use *use) {
    kinfolk_keyvalue *store = NULL;
    kinfolk_value *value = NULL;
    const int64_t *numbers = NULL;
    size_t count;
    kinfolk_status status = kinfolk_session_keyvalue(session, &store);
    const char *why = fine;
    if (status == KINFOLK_OK) status = kinfolk_keyvalue_get(store, setting_key, &value);
    if (status != (use->setting == 0 ? KINFOLK_UNKNOWN_ITEM : KINFOLK_OK))
        why = text("has a key that is answered with %s", kinfolk_status_name(status));
    else if (value != NULL && kinfolk_value_get_int64s(value, &numbers, &count) != KINFOLK_OK) why = "has another value";
    else if (value != NULL && numbers[0] != use->setting)
        why = text("has the value %ld, not %ld", (long)numbers[0], use->setting);
    kinfolk_value_free(value);
    kinfolk_keyvalue_free(store);
    return why;
}

/* Whether a version is there, complete. The current one has the contents of a value. */
static const char *inspect_version(const kinfolk_document *document, size_t version, long value) {
    static uint8_t found[FILE_MOST + 1];
    kinfolk_asset *asset = NULL;
    const char *why = fine;
    size_t length, count = 0;
    const uint8_t *bytes = file_bytes(value, &length);
    if (kinfolk_document_version_asset(document, version, &asset) != KINFOLK_OK) return failed("document_version_asset");
    if (kinfolk_asset_read(asset, 0, found, sizeof found, &count) != KINFOLK_OK) why = failed("asset_read");
    else if (count != kinfolk_asset_size(asset)) why = text("has a version that is cut after %ld bytes", (long)count);
    else if (version == 0 && (count != length || memcmp(found, bytes, length) != 0)) why = "has other contents in a document";
    kinfolk_asset_free(asset);
    return why;
}

static const char *inspect_document(const kinfolk_session *session, const struct use *use) {
    kinfolk_document *document = NULL;
    const char *why = fine;
    size_t versions = use->versions > 11 ? 11 : (size_t)use->versions, version;
    kinfolk_status status = kinfolk_document_open(session, document_path, &document);
    if (status != (use->document == 0 ? KINFOLK_UNKNOWN_ITEM : KINFOLK_OK))
        return text("has a document that is answered with %s", kinfolk_status_name(status));
    if (status != KINFOLK_OK) return fine;
    if (kinfolk_document_version_count(document) != versions || kinfolk_document_conflict_count(document) != 0)
        why = text("has a document with %ld versions, not %ld", (long)kinfolk_document_version_count(document),
                   (long)versions);
    for (version = 0; version < versions && *why == '\0'; version++)
        why = inspect_version(document, version, use->document);
    kinfolk_document_free(document);
    return why;
}

/* ---- Uses of a person */

/* Spent permits must stay spent. */
static const char *inspect_permits(const kinfolk_session *session, const struct world *world, const struct use *use) {
    kinfolk_status status = ask_about_strangers(session, world->writer, -1, PERMITS - use->asked + 1);
    if (status == KINFOLK_REQUEST_RATE_LIMITED) return fine;
    return status == KINFOLK_OK ? text("got back permits (%d were spent)", use->asked) : failed("discover_contacts");
}

double inspect_permits_left(const struct hands *hands, const char *account_id, int place) {
    kinfolk_account *account = NULL;
    char *json = NULL, *use = NULL, *end, *permits;
    double left = -1;
    if (kinfolk_account_open(hands->service, account_id, &account) == KINFOLK_OK &&
        kinfolk_account_export(account, &json) == KINFOLK_OK)
        use = strstr(json, place_names[place]);
    if (use != NULL) use = strstr(use, "\"limits\":");
    if (use != NULL && (end = strchr(use, ']')) != NULL) {
        *end = '\0';
        left = PERMITS; /* no row: no permit was ever spent */
        permits = strstr(use, "\"permits\"");
        if (permits != NULL && (permits = strstr(permits, "\"spent\":")) != NULL) left -= strtod(permits + 8, NULL);
    }
    kinfolk_free(json);
    kinfolk_account_free(account);
    return left;
}

static const char *inspect_use(const struct hands *hands, const kinfolk_account *account, const struct world *world,
                               const struct person *person, int place, const struct ids *ids) {
    const char *known_id = ids->record[person->number % REMEMBERED][place];
    const struct use *use = &person->uses[place];
    kinfolk_discoverability decision;
    kinfolk_session *session = NULL;
    const char *id = NULL, *why = fine;
    if (kinfolk_session_open(hands->places[place], account, &session) != KINFOLK_OK) return failed("session_open");
    if (kinfolk_session_user_record_id(session, &id) != KINFOLK_OK) why = failed("user_record_id");
    else if (known_id[0] != '\0' && strcmp(id, known_id) != 0) why = "has another user record ID";
    else if (kinfolk_session_discoverability(session, &decision) != KINFOLK_OK) why = failed("discoverability");
    else if (decision != use->decision) why = text("decided %d, not %d", (int)decision, (int)use->decision);
    else why = inspect_record(session, KINFOLK_DATABASE_PUBLIC, use->saved[0]);
    if (*why == '\0' && !person->suspended) why = inspect_record(session, KINFOLK_DATABASE_PRIVATE, use->saved[1]);
    if (*why == '\0') why = inspect_notes(session, KINFOLK_DATABASE_PUBLIC, world->writer, person, use->notes[0]);
    if (*why == '\0' && !person->suspended)
        why = inspect_notes(session, KINFOLK_DATABASE_PRIVATE, world->writer, person, use->notes[1]);
    if (*why == '\0')
        why = inspect_file_of(session, KINFOLK_DATABASE_PUBLIC, world->writer, person, use->files[0]);
    if (*why == '\0' && !person->suspended)
        why = inspect_file_of(session, KINFOLK_DATABASE_PRIVATE, world->writer, person, use->files[1]);
    if (*why == '\0' && !person->suspended)
        why = inspect_zone(session, use, &ids->readers[person->number % REMEMBERED][place]);
    if (*why == '\0' && !person->suspended) why = inspect_setting(session, use);
    if (*why == '\0' && !person->suspended) why = inspect_document(session, use);
    if (*why == '\0' && !person->suspended && use->asked > 0 && !hands->may_not_write)
        why = inspect_permits(session, world, use);
    kinfolk_session_free(session);
    return why;
}

static const char *inspect_person(const struct hands *hands, const struct world *world, const struct person *person,
                                  const struct ids *ids) {
    const char *id = ids->account[person->number % REMEMBERED], *why;
    kinfolk_account *account = NULL;
    bool suspended = false;
    int place;
    if (id[0] == '\0') return fine;
    if (kinfolk_account_open(hands->service, id, &account) != KINFOLK_OK) return failed("account_open");
    why = inspect_name(account, world, person);
    if (*why == '\0') why = inspect_emails(hands, account, world, person);
    if (*why == '\0' && kinfolk_account_is_suspended(account, &suspended) != KINFOLK_OK) why = failed("is_suspended");
    if (*why == '\0' && suspended != person->suspended) why = suspended ? "is suspended" : "is not suspended";
    if (*why == '\0') why = inspect_export(account, person);
    for (place = 0; place < PLACES && *why == '\0'; place++)
        if (person->uses[place].joined)
            why = inspect_use(hands, account, world, person, place, ids);
    kinfolk_account_free(account);
    return why;
}

/* ---- A world */

static bool lives(const struct world *world, long number) {
    int slot;
    for (slot = 0; slot < SLOTS; slot++)
        if (world->people[slot].lives && world->people[slot].number == number) return true;
    return false;
}

const char *inspect_world(const struct hands *hands, const struct world *world, const struct ids *ids) {
    const char *why = fine;
    long number;
    int slot;
    for (slot = 0; slot < SLOTS && *why == '\0'; slot++)
        if (world->people[slot].lives) why = inspect_person(hands, world, &world->people[slot], ids);
    if (*why != '\0') return text("person %ld of writer %d %s", world->people[slot - 1].number, world->writer, why);
    for (number = world->made > LOOKED_BACK ? world->made - LOOKED_BACK : 0; number < world->made; number++) {
        const char *id = ids->account[number % REMEMBERED];
        kinfolk_account *account = NULL;
        kinfolk_status status;
        if (lives(world, number) || id[0] == '\0') continue;
        status = kinfolk_account_open(hands->service, id, &account);
        kinfolk_account_free(account);
        if (status != KINFOLK_UNKNOWN_ITEM)
            return text("person %ld of writer %d, erased, answers with %s", number, world->writer,
                        kinfolk_status_name(status));
    }
    return fine;
}

/* ---- The directory */

static long first_email(const struct world *world) {
    return world->next_email > LOOKED_BACK ? world->next_email - LOOKED_BACK : 0;
}

/* The identity to which a contact led, or -1. */
static long identity_of(const kinfolk_identities *identities, size_t contact) {
    size_t i, j;
    for (i = 0; i < kinfolk_identities_count(identities); i++)
        for (j = 0; j < kinfolk_identities_contact_count(identities, i); j++)
            if (kinfolk_identities_contact_index(identities, i, j) == contact) return (long)i;
    return -1;
}

static const char *compare_found(const kinfolk_identities *identities, const struct world *world, const struct ids *ids,
                                 int place) {
    long email;
    for (email = first_email(world); email < world->next_email; email++) {
        const struct person *person = world_owner(world, email);
        bool expected = person != NULL && person_is_findable(person, place);
        long found = identity_of(identities, (size_t)(email - first_email(world)));
        const char *id = person == NULL ? "" : ids->record[person->number % REMEMBERED][place];
        if (expected != (found >= 0))
            return text("address %ld of writer %d is%s found in %s", email, world->writer, found >= 0 ? "" : " not",
                        place_names[place]);
        if (found < 0) continue;
        if (id[0] != '\0' && strcmp(kinfolk_identities_record_id(identities, (size_t)found), id) != 0)
            return text("address %ld of writer %d finds somebody else", email, world->writer);
        if (strcmp(kinfolk_identities_given_name(identities, (size_t)found), given_name_text(person->name)) != 0)
            return text("address %ld of writer %d finds an old name", email, world->writer);
    }
    return fine;
}

/* A new account has permits for all these addresses. */
static const char *look_for_all(const kinfolk_session *session, const struct world *world, const struct ids *ids,
                                int place) {
    kinfolk_contacts *contacts = NULL;
    kinfolk_identities *identities = NULL;
    const char *why = fine;
    long email;
    if (kinfolk_contacts_new(&contacts) != KINFOLK_OK) return failed("contacts_new");
    for (email = first_email(world); email < world->next_email; email++)
        if (kinfolk_contacts_add_email(contacts, email_text(world->writer, email), NULL) != KINFOLK_OK)
            why = failed("contacts_add_email");
    if (*why == '\0' && kinfolk_discover_contacts(session, contacts, NULL, 0, &identities) != KINFOLK_OK)
        why = failed("discover_contacts");
    if (*why == '\0') why = compare_found(identities, world, ids, place);
    kinfolk_identities_free(identities);
    kinfolk_contacts_free(contacts);
    return why;
}

const char *inspect_directory(const struct hands *hands, const struct world *world, const struct ids *ids) {
    kinfolk_account *newcomer = NULL;
    const char *why = fine;
    int place;
    if (kinfolk_account_create(hands->service, "New", "Comer", &newcomer) != KINFOLK_OK)
        return failed("account_create");
    for (place = 0; place < PLACES && *why == '\0'; place++) {
        kinfolk_session *session = NULL;
        if (kinfolk_session_open(hands->places[place], newcomer, &session) != KINFOLK_OK) why = failed("session_open");
        else why = look_for_all(session, world, ids, place);
        kinfolk_session_free(session);
    }
    if (kinfolk_account_erase(newcomer, NULL) != KINFOLK_OK && *why == '\0') why = failed("account_erase");
    kinfolk_account_free(newcomer);
    return why;
}

const char *inspect_soundness(const struct hands *hands) {
    kinfolk_check *check = NULL;
    const char *why = fine;
    if (kinfolk_service_check(hands->service, NULL, NULL, &check) != KINFOLK_OK) return failed("service_check");
    if (!kinfolk_check_is_sound(check))
        why = text("the check finds %d in table \"%s\", and %d more", (int)kinfolk_check_finding_kind(check, 0),
                   kinfolk_check_finding_table(check, 0), (int)kinfolk_check_finding_count(check) - 1);
    kinfolk_check_free(check);
    return why;
}

const char *inspect_both(const struct hands *hands, const struct world *world, const struct ids *ids) {
    const char *why = inspect_world(hands, world, ids);
    return *why == '\0' ? inspect_directory(hands, world, ids) : why;
}

/* ---- The tables */

/* Each query counts rows that must not exist. */
static const struct {
    const char *what, *sql;
} strays[] = {
    { "addresses without an account",
      "SELECT count(*) FROM emails WHERE account_id NOT IN (SELECT account_id FROM accounts)" },
    { "users without an account",
      "SELECT count(*) FROM users WHERE account_id NOT IN (SELECT account_id FROM accounts)" },
    { "consents without a user", "SELECT count(*) FROM consents c WHERE NOT EXISTS (SELECT 1 FROM users u WHERE "
                                 "u.account_id = c.account_id AND u.container_id = c.container_id)" },
    { "consents without a wording", "SELECT count(*) FROM consents c WHERE NOT EXISTS (SELECT 1 FROM wordings w WHERE "
                                    "w.container_id = c.container_id AND w.wording_id = c.wording_id)" },
    { "limits without a user", "SELECT count(*) FROM limits l WHERE NOT EXISTS (SELECT 1 FROM users u WHERE "
                               "u.account_id = l.account_id AND u.container_id = l.container_id)" },
    { "records without a user", "SELECT count(*) FROM records r WHERE (length(r.owner) > 0 OR r.type = 0) AND NOT EXISTS "
                                "(SELECT 1 FROM users u WHERE u.container_id = r.container_id AND u.record_id = "
                                "CASE WHEN r.type = 0 THEN r.name_tag ELSE r.owner END)" },
    /* A note has two QUERYABLE fields, and in a public database a creator: alone, and with the type. A key has no entries; the document
     * has one for its path, one for its folder, and one that says whether it is excluded. */
    { "records with other index entries", "SELECT count(*) FROM (SELECT container_id, owner, number, sum(entries) FROM "
                                          "(SELECT container_id, owner, number, 1 AS entries FROM index_entries UNION ALL "
                                          "SELECT container_id, owner, number, CASE WHEN type IN (0, -1) THEN 0 WHEN "
                                          "type = -2 THEN -3 WHEN length(owner) = 0 THEN -4 ELSE -2 END FROM records) AS e "
                                          "GROUP BY container_id, owner, number HAVING sum(entries) <> 0) AS f" },
    { "databases with another number of bytes", "SELECT count(*) FROM (SELECT container_id, owner FROM (SELECT "
                                                "container_id, owner, bytes FROM record_bytes WHERE kind = 0 UNION ALL "
                                                "SELECT container_id, owner, -bytes FROM assets UNION ALL "
                                                "SELECT container_id, owner, -length(sealed_fields) FROM records r WHERE NOT "
                                                "EXISTS (SELECT 1 FROM removed_zones z WHERE z.container_id = "
                                                "r.container_id AND z.owner = r.owner AND z.zone = r.zone)) AS b "
                                                "GROUP BY container_id, owner HAVING sum(bytes) <> 0) AS c" },
    { "records with a later change than their zone",
      "SELECT count(*) FROM records r JOIN zones z ON z.container_id = r.container_id AND z.owner = r.owner AND "
      "z.zone = r.zone WHERE r.change > z.change OR r.change <= z.zone" },
    { "zones with a later change than their database",
      "SELECT count(*) FROM zones z WHERE NOT EXISTS (SELECT 1 FROM change_counts c WHERE c.container_id = "
      "z.container_id AND c.owner = z.owner AND c.last_change >= z.change)" },
    { "deletions that their zone did not count",
      "SELECT count(*) FROM tombstones t JOIN zones z ON z.container_id = t.container_id AND z.owner = t.owner AND "
      "z.zone = t.zone WHERE t.change > z.change OR t.deletion > z.deletions" },
    { "deletions of living records",
      "SELECT count(*) FROM tombstones t JOIN records r ON r.container_id = t.container_id AND r.owner = t.owner AND "
      "r.zone = t.zone AND r.name_tag = t.name_tag" },
    { "references of nobody",
      "SELECT count(*) FROM record_references f WHERE (f.zone = 0 OR EXISTS (SELECT 1 FROM zones z WHERE "
      "z.container_id = f.container_id AND z.owner = f.owner AND z.zone = f.zone)) AND NOT EXISTS (SELECT 1 FROM "
      "records r WHERE r.number = f.source AND r.container_id = f.container_id AND r.owner = f.owner AND "
      "r.zone = f.zone)" },
    { "references to nobody that delete the source or need the target",
      "SELECT count(*) FROM record_references f JOIN zones z ON z.container_id = f.container_id AND z.owner = f.owner "
      "AND z.zone = f.zone WHERE f.kind IN (1, 2) AND NOT EXISTS (SELECT 1 FROM records r WHERE r.container_id = "
      "f.container_id AND r.owner = f.owner AND r.zone = f.zone AND r.name_tag = f.target)" },
    { "assets without an owner",
      "SELECT count(*) FROM assets a WHERE length(a.owner) > 0 AND NOT EXISTS (SELECT 1 FROM users u WHERE "
      "u.container_id = a.container_id AND u.record_id = a.owner)" },
    { "assets that no record names, or the reverse",
      "SELECT abs((SELECT count(*) FROM assets WHERE expires_at = 0) - (SELECT count(*) FROM (SELECT DISTINCT "
      "container_id, owner, zone, target FROM record_references WHERE kind = 3) AS t))" },
    { "chunks of nobody",
      "SELECT count(*) FROM asset_chunks c WHERE NOT EXISTS (SELECT 1 FROM assets a WHERE a.container_id = "
      "c.container_id AND a.number = c.asset) AND NOT EXISTS (SELECT 1 FROM removed_assets r WHERE r.container_id = "
      "c.container_id AND r.asset = c.asset)" },
    { "assets with missing chunks",
      "SELECT count(*) FROM assets a WHERE (SELECT count(*) FROM asset_chunks c WHERE c.container_id = "
      "a.container_id AND c.asset = a.number) <> (SELECT coalesce(max(chunk), -1) + 1 FROM asset_chunks c WHERE "
      "c.container_id = a.container_id AND c.asset = a.number)" },
    { "counts of bytes of nobody", "SELECT count(*) FROM record_bytes b WHERE kind = 1 AND NOT EXISTS "
                                                 "(SELECT 1 FROM users u WHERE u.container_id = b.container_id AND "
                                                 "u.record_id = b.owner)" },
    { "owners of addresses that they do not have", "SELECT count(*) FROM verified_emails v WHERE NOT EXISTS (SELECT 1 FROM "
                                            "emails e WHERE e.account_id = v.account_id AND e.tag = v.tag AND "
                                            "e.verified_at IS NOT NULL)" },
    { "verified addresses without an owner", "SELECT count(*) FROM emails e WHERE e.verified_at IS NOT NULL AND NOT "
                                              "EXISTS (SELECT 1 FROM verified_emails v WHERE v.tag = e.tag AND "
                                              "v.account_id = e.account_id)" },
    /* The directory holds exactly the people who granted it and are not suspended, with one row for each of their addresses. */
    { "people wrongly in or out of the directory",
      "WITH granted AS (SELECT u.container_id, u.record_id, (SELECT count(*) FROM emails e WHERE e.account_id = "
      "u.account_id AND e.verified_at IS NOT NULL AND e.is_discoverable = 1) AS addresses FROM users u JOIN accounts a "
      "ON a.account_id = u.account_id WHERE a.is_suspended = 0 AND 1 = (SELECT c.decision FROM consents c WHERE "
      "c.account_id = u.account_id AND c.container_id = u.container_id ORDER BY c.number DESC LIMIT 1)) "
      "SELECT (SELECT count(*) FROM (SELECT container_id, record_id FROM granted EXCEPT SELECT container_id, record_id "
      "FROM identities) AS missing) + (SELECT count(*) FROM (SELECT container_id, record_id FROM identities EXCEPT "
      "SELECT container_id, record_id FROM granted) AS others) + (SELECT count(*) FROM granted g WHERE g.addresses <> "
      "(SELECT count(*) FROM directory d WHERE d.container_id = g.container_id AND d.record_id = g.record_id)) + "
      "(SELECT count(*) FROM directory d WHERE NOT EXISTS (SELECT 1 FROM granted g WHERE g.container_id = "
      "d.container_id AND g.record_id = d.record_id))" },
};

const char *inspect_tables(inspect_query *query, void *store, long *accounts) {
    size_t i;
    for (i = 0; i < sizeof strays / sizeof strays[0]; i++) {
        long count = query(store, strays[i].sql);
        if (count != 0) return text("%s: %ld", strays[i].what, count);
    }
    *accounts = query(store, "SELECT count(*) FROM accounts");
    return fine;
}

/* ---- The file */

static long query_file(void *store, const char *sql) {
    sqlite3 *db = store;
    sqlite3_stmt *statement = NULL;
    long result = -1;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW)
        result = (long)sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return result;
}

static const char *integrity(sqlite3 *db) {
    sqlite3_stmt *statement = NULL;
    const char *why = "the integrity check could not run", *said;
    if (sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        said = (const char *)sqlite3_column_text(statement, 0);
        if (said == NULL) said = "";
        why = strcmp(said, "ok") == 0 ? fine : text("integrity check: %.200s", said);
    }
    sqlite3_finalize(statement);
    return why;
}

const char *inspect_file(const char *store, long *accounts) {
    sqlite3 *db = NULL;
    const char *why;
    if (sqlite3_open_v2(store, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
        sqlite3_busy_timeout(db, 30000) != SQLITE_OK || sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK) {
        why = text("cannot be read: %s", sqlite3_errmsg(db));
        sqlite3_close(db);
        return why;
    }
    why = integrity(db);
    if (*why == '\0') why = inspect_tables(query_file, db, accounts);
    sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    sqlite3_close(db);
    return why;
}

/* ---- Uploads */

/* A day passes for the uploads. */
static const char *age_uploads(const char *store, long *uploads) {
    sqlite3 *db = NULL;
    const char *why = fine;
    if (sqlite3_open_v2(store, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
        sqlite3_busy_timeout(db, 30000) != SQLITE_OK)
        why = text("cannot be opened: %s", sqlite3_errmsg(db));
    *uploads = query_file(db, "SELECT count(*) FROM assets WHERE expires_at > 0");
    if (*why == '\0' &&
        sqlite3_exec(db, "UPDATE assets SET expires_at = 1 WHERE expires_at > 0", NULL, NULL, NULL) != SQLITE_OK)
        why = text("cannot be written: %s", sqlite3_errmsg(db));
    sqlite3_close(db);
    return why;
}

/* Waits until the threads of a service have deleted everything. */
static const char *await_removal(const char *store) {
    double until = seconds_now() + 60;
    sqlite3 *db = NULL;
    long left = -1;
    if (sqlite3_open_v2(store, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
        sqlite3_busy_timeout(db, 30000) == SQLITE_OK)
        while (left != 0 && seconds_now() < until) {
            if (left != -1) pause_for(0.01);
            left = query_file(db, "SELECT (SELECT count(*) FROM assets WHERE expires_at > 0) + (SELECT count(*) FROM "
                                  "removed_assets)");
        }
    sqlite3_close(db);
    return left == 0 ? fine : text("%ld expired uploads or deleted assets are left", left);
}

const char *inspect_expiry(const char *store, long *uploads) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    struct hands hands;
    kinfolk_account *account = NULL;
    const char *why = age_uploads(store, uploads);
    if (*why != '\0') return why;
    memset(&hands, 0, sizeof hands);
    options.existing_only = true;
    if (kinfolk_service_open(store, &options, &hands.service) != KINFOLK_OK) return failed("service_open");
    /* A service looks for expired uploads after its first change. */
    if (kinfolk_account_create(hands.service, "New", "Comer", &account) != KINFOLK_OK ||
        kinfolk_account_erase(account, NULL) != KINFOLK_OK)
        why = failed("account_create");
    kinfolk_account_free(account);
    if (*why == '\0') why = await_removal(store);
    if (*why == '\0') why = inspect_soundness(&hands);
    hands_close(&hands);
    return why;
}
