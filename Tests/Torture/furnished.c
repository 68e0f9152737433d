/* Makes a store with rows in every table, and every kind of call on it. */

#include "furnished.h"

#include <sqlite3.h>

#define WORDING "Let people who have your address find you?"

static const char *const places[FURNISHED_PLACES] = { "com.example.notes", "com.example.chess" };

static const char *first_email(int person) { return brief("p%d@example.com", person); }
static const char *other_email(int person) { return brief("q%d@example.org", person); }

/* ---- Records with fields of all types */

static kinfolk_status set_and_free(kinfolk_record *record, const char *name, kinfolk_value *value) {
    kinfolk_status status = kinfolk_record_set_value(record, name, value);
    kinfolk_value_free(value);
    return status;
}

static kinfolk_status fill(kinfolk_record *record, const char *reference, long length) {
    static const uint8_t bytes[5] = { 0, 1, 254, 255, 7 };
    static const char *const texts[2] = { "one", "two" };
    static const int64_t numbers[2] = { INT64_MIN, INT64_MAX };
    static const double reals[2] = { -1.5, 1e300 }, latitudes[2] = { 51.5, -33.9 }, longitudes[2] = { -0.1, 151.2 };
    static const bool answers[2] = { true, false };
    const uint8_t *blobs[2];
    const char *references[2];
    const size_t lengths[2] = { 5, 1 };
    char *note = malloc((size_t)length + 1);
    kinfolk_value *value = NULL;
    kinfolk_status status;
    if (note == NULL) give_up("malloc");
    blobs[0] = blobs[1] = bytes;
    references[0] = references[1] = reference;
    memset(note, 'n', (size_t)length);
    note[length] = '\0';
    status = kinfolk_record_set_string(record, "text", note);
    free(note);
    if (status == KINFOLK_OK) status = kinfolk_record_set_int64(record, "number", length);
    if (status == KINFOLK_OK) status = kinfolk_record_set_double(record, "real", 0.5);
    if (status == KINFOLK_OK) status = kinfolk_record_set_boolean(record, "answer", true);
    if (status == KINFOLK_OK) status = kinfolk_record_set_bytes(record, "bytes", bytes, sizeof bytes);
    if (status == KINFOLK_OK) status = kinfolk_record_set_date(record, "date", 1700000000000000);
    if (status == KINFOLK_OK) status = kinfolk_record_set_location(record, "place", 51.5, -0.1);
    if (status == KINFOLK_OK)
        status = kinfolk_record_set_reference(record, "friend", reference, NULL, KINFOLK_REFERENCE_NONE);
    if (status == KINFOLK_OK) status = kinfolk_record_set_parent(record, "furniture");
    if (status == KINFOLK_OK) status = kinfolk_value_new_string_list(texts, NULL, 2, &value);
    if (status == KINFOLK_OK) status = set_and_free(record, "texts", value);
    if (status == KINFOLK_OK) status = kinfolk_value_new_int64_list(numbers, 2, &value);
    if (status == KINFOLK_OK) status = set_and_free(record, "numbers", value);
    if (status == KINFOLK_OK) status = kinfolk_value_new_double_list(reals, 2, &value);
    if (status == KINFOLK_OK) status = set_and_free(record, "reals", value);
    if (status == KINFOLK_OK) status = kinfolk_value_new_boolean_list(answers, 2, &value);
    if (status == KINFOLK_OK) status = set_and_free(record, "answers", value);
    if (status == KINFOLK_OK) status = kinfolk_value_new_bytes_list(blobs, lengths, 2, &value);
    if (status == KINFOLK_OK) status = set_and_free(record, "blobs", value);
    if (status == KINFOLK_OK) status = kinfolk_value_new_date_list(numbers, 2, &value);
    if (status == KINFOLK_OK) status = set_and_free(record, "dates", value);
    if (status == KINFOLK_OK) status = kinfolk_value_new_location_list(latitudes, longitudes, 2, &value);
    if (status == KINFOLK_OK) status = set_and_free(record, "places", value);
    if (status == KINFOLK_OK) status = kinfolk_value_new_reference_list(references, NULL, NULL, 2, &value);
    if (status == KINFOLK_OK) status = set_and_free(record, "friends", value);
    return status;
}

/* ---- Making the store */

static void require(kinfolk_status status, const char *what) {
    if (status == KINFOLK_OK) return;
    printf("  %s: %s (%s)\n", what, kinfolk_status_name(status), kinfolk_error_message());
    give_up("the store to damage could not be made");
}
#define NEED(call) require(call, #call)

static kinfolk_contacts *book_of(const char *prefix, int count, bool with_people) {
    kinfolk_contacts *contacts = NULL;
    int i;
    NEED(kinfolk_contacts_new(&contacts));
    for (i = 0; i < count; i++)
        NEED(kinfolk_contacts_add_email(contacts, brief("%s%d@example.net", prefix, i), NULL));
    for (i = 0; with_people && i < FURNISHED_PEOPLE; i += 3)
        NEED(kinfolk_contacts_add_email(contacts, first_email(i), "friend"));
    return contacts;
}

static void keep(uint8_t *buffer, size_t *length, const kinfolk_identities *identities) {
    const uint8_t *state = NULL;
    NEED(kinfolk_identities_sync_state(identities, &state, length));
    if (*length > STATE_LENGTH) give_up("a sync state is too long");
    memcpy(buffer, state, *length);
}

/* The name of a person's note, in both databases. */
static const char *note_name(int person) { return brief("note-%d", person); }

static kinfolk_status note_of(int person, const char *zone, kinfolk_record **note) {
    kinfolk_status status = kinfolk_record_new("Note", note_name(person), zone, note);
    if (status == KINFOLK_OK) status = kinfolk_record_set_string(*note, "title", brief("Title %d", person));
    if (status == KINFOLK_OK) status = kinfolk_record_set_int64(*note, "number", person);
    if (status == KINFOLK_OK) status = kinfolk_record_set_location(*note, "place", person % 90, -person % 180);
    return status;
}

/* Whether the notes of a person have a file, and what is in it. */
static bool has_file(int person) { return person % 8 == 0; }
static const char *file_of(int person) { return brief("File of %d", person); }

/* Writes the file of a person's note. */
static void attach_file(const kinfolk_database *database, const char *zone, int person, kinfolk_record *note) {
    kinfolk_asset *asset = NULL;
    const char *content = file_of(person);
    NEED(kinfolk_asset_new(database, zone, &asset));
    NEED(kinfolk_asset_write(asset, (const uint8_t *)content, strlen(content)));
    NEED(kinfolk_asset_finish(asset));
    NEED(kinfolk_record_set_asset(note, "file", asset));
    kinfolk_asset_free(asset);
}

/* Saves a note in a zone, and one more that is deleted again. */
static void write_notes_of_zone(const kinfolk_database *database, const char *zone, int person) {
    kinfolk_record *note = NULL;
    NEED(note_of(person, zone, &note));
    if (has_file(person)) attach_file(database, zone, person, note);
    NEED(kinfolk_database_save(database, note, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(note);
    NEED(note_of(1000 + person, zone, &note));
    NEED(kinfolk_database_save(database, note, KINFOLK_SAVE_IF_UNCHANGED));
    NEED(kinfolk_database_delete(database, note_name(1000 + person), zone, NULL, NULL));
    kinfolk_record_free(note);
}

/* Writes to each database, and to a custom zone of the private one. */
static void write_notes(const kinfolk_session *session, int person) {
    int scope;
    for (scope = KINFOLK_DATABASE_PUBLIC; scope <= KINFOLK_DATABASE_PRIVATE; scope++) {
        kinfolk_database *database = NULL;
        NEED(kinfolk_session_database(session, (kinfolk_database_scope)scope, &database));
        write_notes_of_zone(database, NULL, person);
        if (scope == KINFOLK_DATABASE_PRIVATE) {
            NEED(kinfolk_zone_save(database, "Furniture"));
            write_notes_of_zone(database, "Furniture", person);
        }
        kinfolk_database_free(database);
    }
}

static void settle(const kinfolk_service *service, kinfolk_container *const *containers, struct furniture *furniture,
                   int person) {
    kinfolk_account *account = NULL;
    int place;
    NEED(kinfolk_account_create(service, brief("Given%d", person), "Family", &account));
    strcpy(furniture->account[person], kinfolk_account_id(account));
    NEED(kinfolk_account_add_email(account, first_email(person), true, NULL));
    if (person % 3 == 0) NEED(kinfolk_account_add_email(account, other_email(person), person % 2 == 0, NULL));
    for (place = 0; place < FURNISHED_PLACES; place++) {
        kinfolk_session *session = NULL;
        kinfolk_record *record = NULL;
        const char *id = NULL;
        if (place == 1 && person % 2 == 1) continue;
        NEED(kinfolk_session_open(containers[place], account, &session));
        NEED(kinfolk_session_user_record_id(session, &id));
        strcpy(furniture->record[person][place], id);
        if (place == 0 && person % 3 == 0) NEED(kinfolk_role_grant(containers[0], "Editor", account));
        if (person % 5 != 4)
            NEED(kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, WORDING, "1"));
        if (person % 7 == 0) {
            NEED(kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_DENIED, "", ""));
            NEED(kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, WORDING WORDING, "2"));
        }
        if (place == 0) write_notes(session, person);
        if (person % 2 == 0) {
            NEED(kinfolk_record_fetch(session, NULL, person % 4 ? KINFOLK_DATABASE_PRIVATE : KINFOLK_DATABASE_PUBLIC,
                                      &record));
            NEED(fill(record, id, person == 8 ? 20000 : 30 * person));
            NEED(kinfolk_record_save(session, record, KINFOLK_SAVE_IF_UNCHANGED));
            kinfolk_record_free(record);
        }
        kinfolk_session_free(session);
    }
    kinfolk_account_free(account);
}

static kinfolk_account *somebody(const kinfolk_service *service, const struct furniture *furniture, int person) {
    kinfolk_account *account = NULL;
    NEED(kinfolk_account_open(service, furniture->account[person], &account));
    return account;
}

/* Permits are spent, people erased, blocked, looked up; addresses are claimed, and codes requested. */
/* Lets an application, a server and an identity in. */
static void admit(const kinfolk_service *service, const kinfolk_container *container, struct furniture *furniture) {
    uint8_t point[65];
    char *token = NULL;
    kinfolk_account *account = somebody(service, furniture, 0);
    memset(point, 1, sizeof point);
    point[0] = 4;
    NEED(kinfolk_api_token_create(container, "web", "https://app.example.com", NULL, true, &token));
    kinfolk_free(token);
    NEED(kinfolk_server_key_add(container, "server", point, sizeof point, NULL));
    NEED(kinfolk_account_add_identity(account, "https://id.example.com", "1815"));
    kinfolk_account_free(account);
}

static void live(const kinfolk_service *service, kinfolk_container *const *containers, struct furniture *furniture) {
    int person;
    for (person = 0; person < FURNISHED_PEOPLE; person++) {
        kinfolk_account *account;
        kinfolk_session *session = NULL;
        kinfolk_contacts *book = book_of("x", 5, true);
        kinfolk_identities *identities = NULL;
        if (person > 3 && person < FURNISHED_PEOPLE - 2) {
            kinfolk_contacts_free(book);
            continue;
        }
        account = somebody(service, furniture, person);
        NEED(kinfolk_session_open(containers[0], account, &session));
        NEED(kinfolk_discover_contacts(session, book, NULL, 0, &identities));
        if (person == 0) keep(furniture->sync_state, &furniture->sync_length, identities);
        kinfolk_identities_free(identities);
        if (person == 0) {
            NEED(kinfolk_discover_contacts_privately(session, book, NULL, 0, 1, &identities));
            keep(furniture->private_state, &furniture->private_length, identities);
            kinfolk_identities_free(identities);
        }
        if (person < 3) NEED(kinfolk_session_block(session, furniture->record[person + 10][0]));
        if (person < 3) {
            kinfolk_account *found = NULL;
            NEED(kinfolk_container_find_account(containers[0], furniture->record[person][0], "ticket 17", &found));
            kinfolk_account_free(found);
        }
        kinfolk_contacts_free(book);
        kinfolk_session_free(session);
        if (person >= FURNISHED_PEOPLE - 2) NEED(kinfolk_account_erase(account, NULL));
        kinfolk_account_free(account);
    }
    NEED(kinfolk_container_block(containers[0], furniture->record[4][0], furniture->record[6][0]));
    admit(service, containers[0], furniture);
    for (person = 0; person < 2; person++) {
        kinfolk_account *account = somebody(service, furniture, 20 + person);
        kinfolk_claims *claim = NULL;
        char *recipient = NULL, *code = NULL, *pass = NULL;
        NEED(kinfolk_account_add_email(account, first_email(30 + person), true, &claim));
        strcpy(furniture->claim[person], kinfolk_claims_id(claim, 0));
        kinfolk_claims_free(claim);
        if (person == 0) NEED(kinfolk_service_acknowledge_notice(service, furniture->claim[0]));
        NEED(kinfolk_account_request_verification(account, first_email(20 + person), KINFOLK_CODE_SIGN_IN, NULL,
                                                  &recipient, &code, &pass));
        kinfolk_free(recipient);
        kinfolk_free(code);
        kinfolk_free(pass);
        kinfolk_account_free(account);
    }
}

static const char schema[] =
    "DEFINE SCHEMA CREATE ROLE Editor;"
    "RECORD TYPE Note (title STRING QUERYABLE SORTABLE SEARCHABLE, number INT64 QUERYABLE SORTABLE,"
    " place LOCATION QUERYABLE,"
    " GRANT READ TO \"_world\", GRANT CREATE TO \"_icloud\", GRANT WRITE TO \"_creator\", GRANT WRITE TO Editor);";

void furnish(const char *store, struct furniture *furniture) {
    kinfolk_service *service = NULL;
    kinfolk_container *containers[FURNISHED_PLACES];
    char *old_key = NULL;
    uint32_t epoch = 0;
    int i;
    memset(furniture, 0, sizeof *furniture);
    NEED(kinfolk_service_open(store, NULL, &service));
    NEED(kinfolk_service_set_claim_wait(service, 3600));
    for (i = 0; i < FURNISHED_PLACES; i++) {
        NEED(kinfolk_container_create(service, places[i], &containers[i]));
        NEED(kinfolk_container_set_permits(containers[i], 100000, 1000, 100000));
        NEED(kinfolk_container_set_private_work(containers[i], 1000000, 1000000));
    }
    NEED(kinfolk_container_add_field(containers[0], "spare", KINFOLK_STRING));
    NEED(kinfolk_schema_apply(containers[0], schema, false, NULL));
    NEED(kinfolk_container_set_directory_modes(containers[0], KINFOLK_DIRECTORY_HASHED | KINFOLK_DIRECTORY_PRIVATE,
                                               NULL, NULL));
    for (i = 0; i < FURNISHED_PEOPLE; i++) settle(service, containers, furniture, i);
    NEED(kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, &old_key, NULL));
    kinfolk_free(old_key);
    NEED(kinfolk_container_renew_private_key(containers[0], NULL, NULL, &epoch));
    live(service, containers, furniture);
    NEED(kinfolk_container_announce_next_private_key(containers[0], &epoch));
    for (i = 0; i < FURNISHED_PLACES; i++) kinfolk_container_free(containers[i]);
    kinfolk_service_free(service);
}

void furnish_log(const char *store, const struct furniture *furniture) {
    kinfolk_service *service = NULL;
    kinfolk_container *container = NULL;
    int i;
    NEED(kinfolk_service_open(store, NULL, &service));
    NEED(kinfolk_container_open(service, places[0], &container));
    for (i = 10; i < 20; i++) {
        kinfolk_account *account = somebody(service, furniture, i);
        kinfolk_session *session = NULL;
        NEED(kinfolk_account_set_name(account, "Given", brief("Family%d", i)));
        NEED(kinfolk_session_open(container, account, &session));
        NEED(kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_DENIED, "", ""));
        NEED(kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, WORDING, "3"));
        kinfolk_session_free(session);
        kinfolk_account_free(account);
    }
    _exit(0);
}

static bool end_in_the_midst(uint64_t done, uint64_t total, void *context) {
    (void)total, (void)context;
    if (done > 0) _exit(0);
    return true;
}

void furnish_rotation(const char *store, bool is_leaked) {
    kinfolk_service *service = NULL;
    NEED(kinfolk_service_open(store, NULL, &service));
    NEED(kinfolk_service_rotate_keys(service, NULL, is_leaked, end_in_the_midst, NULL, NULL, NULL));
    give_up("the rotation reported no progress");
}

/* Tables into which this program writes nothing. A thread of the library would write after a zone is deleted, and a network service when
 * somebody signs in. */
static bool is_reserved(const char *table) {
    static const char *const tables[] = { "outbox", "outbox_readers", "removed_zones", "removed_assets",
                                          "index_builds", "subscriptions", "subscription_keys", "devices",
                                          "notification_counts", "notifications", "used_signatures", "web_sessions",
                                          "pending_sign_ins", "sign_ins" };
    size_t i;
    for (i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (strcmp(table, tables[i]) == 0) return true;
    return false;
}

const char *furnished_emptiness(const char *store) {
    sqlite3 *db = NULL;
    sqlite3_stmt *names = NULL;
    const char *empty = NULL;
    if (sqlite3_open_v2(store, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db, "SELECT name FROM sqlite_master WHERE type = 'table'", -1, &names, NULL) != SQLITE_OK)
        give_up("the store cannot be read");
    while (empty == NULL && sqlite3_step(names) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(names, 0);
        sqlite3_stmt *rows = NULL;
        if (is_reserved(name)) continue;
        if (sqlite3_prepare_v2(db, text("SELECT 1 FROM %s", name), -1, &rows, NULL) != SQLITE_OK) give_up(name);
        if (sqlite3_step(rows) != SQLITE_ROW) empty = text("%s", name);
        sqlite3_finalize(rows);
    }
    sqlite3_finalize(names);
    sqlite3_close(db);
    return empty;
}

/* ---- Using a store that may be damaged */

/* The statuses that a missing row may cause: the item is unknown, the account counts as erased, or the session has ended. */
#define GONE (MAY(KINFOLK_UNKNOWN_ITEM) | MAY(KINFOLK_NOT_AUTHENTICATED))
#define LIMITED (MAY(KINFOLK_REQUEST_RATE_LIMITED) | MAY(KINFOLK_LIMIT_EXCEEDED))

static struct {
    const struct furniture *furniture;
    const char *folder;
    struct dice *dice;
    judge_fn judge;
    kinfolk_service *service;
    kinfolk_container *containers[FURNISHED_PLACES];
    /* Four people; the first one makes the requests. */
    kinfolk_account *accounts[4];
    kinfolk_session *sessions[4];
    int people[4];
    char code[64];
    bool has_changed;  /* whether calls have changed the values that `furniture` describes */
    bool said_corrupt; /* whether a call said that the store is damaged */
} use;

static bool tried(const char *call, kinfolk_status status, uint32_t expected) {
    use.judge(call, status, expected);
    use.said_corrupt |= status == KINFOLK_STORE_CORRUPT;
    return status == KINFOLK_OK;
}
#define TRY(expected, call) tried(#call, call, expected)

/* Reports a call that succeeded with another value than the one that was written. */
static void expect(bool is_right, const char *wrong) {
    if (!is_right) tried(wrong, KINFOLK_INTERNAL_ERROR, 0);
}

/* ---- The values that were written. They are known until calls change them. */

static void expect_name(int person, const char *given, const char *family) {
    bool is_first = strcmp(given, brief("Given%d", person)) == 0 && strcmp(family, "Family") == 0;
    /* furnish_log changes the names of some people. */
    bool is_other = strcmp(given, "Given") == 0 && strcmp(family, brief("Family%d", person)) == 0;
    if (!use.has_changed) expect(is_first || is_other, "the name of another person");
}

static void expect_record_id(int person, const char *id) {
    int other;
    if (use.has_changed) return;
    /* If no decision of a person is stored, the account does not authenticate the ID: the loss of its row makes a new one. */
    if (person % 5 != 4 || person % 7 == 0)
        expect(strcmp(id, use.furniture->record[person][0]) == 0, "another user record ID");
    for (other = 0; other < FURNISHED_PEOPLE; other++)
        expect(other == person || strcmp(id, use.furniture->record[other][0]) != 0, "the user record ID of another person");
}

static void expect_emails(int person, const kinfolk_emails *emails) {
    bool has_first = false;
    size_t i;
    if (use.has_changed) return;
    for (i = 0; i < kinfolk_emails_count(emails); i++) {
        const char *email = kinfolk_emails_address(emails, i);
        bool is_first = strcmp(email, first_email(person)) == 0, is_other = strcmp(email, other_email(person)) == 0;
        /* Two people claim the address of another person. */
        bool is_claimed = (person == 20 || person == 21) && strcmp(email, first_email(person + 10)) == 0;
        expect(is_first || (is_other && person % 3 == 0) || is_claimed, "the address of another person");
        has_first |= is_first && kinfolk_emails_is_verified(emails, i);
    }
    expect(has_first, "an address is missing");
}

/* `person` is the one that was searched for. */
static void expect_identity(int person, const kinfolk_identities *identities, size_t index) {
    if (use.has_changed) return;
    expect(strcmp(kinfolk_identities_record_id(identities, index), use.furniture->record[person][0]) == 0,
           "a discovery finds another person");
    expect_name(person, kinfolk_identities_given_name(identities, index), kinfolk_identities_family_name(identities, index));
}

/* Checks the people found with a book whose first contacts are `strangers`. */
static void expect_matches(const kinfolk_identities *identities, size_t strangers) {
    size_t i, at;
    for (i = 0; i < kinfolk_identities_count(identities); i++)
        for (at = 0; at < kinfolk_identities_contact_count(identities, i); at++) {
            size_t contact = kinfolk_identities_contact_index(identities, i, at);
            expect(contact >= strangers, "a discovery finds somebody by a stranger's address");
            if (contact >= strangers) expect_identity(3 * (int)(contact - strangers), identities, i);
        }
}

static void expect_fields(int person, const kinfolk_record *record) {
    int64_t number = 0;
    const char *friend = NULL;
    if (use.has_changed || kinfolk_record_field_count(record) == 0) return;
    if (!TRY(0, kinfolk_record_get_int64(record, "number", &number)) ||
        !TRY(0, kinfolk_record_get_reference(record, "friend", &friend, NULL, NULL)))
        return;
    expect(number == (person == 8 ? 20000 : 30 * person), "another number in a record");
    expect(strcmp(friend, use.furniture->record[person][0]) == 0, "another reference in a record");
}

static void read_record(int person, const kinfolk_session *session, const char *id, kinfolk_database_scope database) {
    kinfolk_record *record = NULL;
    size_t i;
    if (!TRY(GONE | MAY(KINFOLK_PERMISSION_FAILURE), kinfolk_record_fetch(session, id, database, &record))) return;
    for (i = 0; i < kinfolk_record_field_count(record); i++) {
        const char *name = kinfolk_record_field_name(record, i);
        kinfolk_field_type type;
        kinfolk_value *value = NULL;
        (void)TRY(0, kinfolk_record_field_type(record, name, &type));
        (void)TRY(0, kinfolk_record_get_value(record, name, &value));
        kinfolk_value_free(value);
    }
    expect_fields(person, record);
    kinfolk_record_free(record);
}

/* Reads the file of a note. The record, or a row of the file, may be lost. */
static void read_file(int person, const kinfolk_database *database, const kinfolk_record *note) {
    kinfolk_asset *asset = NULL;
    uint8_t bytes[64];
    size_t count = 0;
    const char *content = file_of(person);
    if (!TRY(MAY(KINFOLK_UNKNOWN_ITEM), kinfolk_record_get_asset(note, "file", database, &asset))) return;
    if (TRY(GONE | MAY(KINFOLK_ASSET_NOT_AVAILABLE), kinfolk_asset_read(asset, 0, bytes, sizeof bytes, &count)))
        expect(count == strlen(content) && memcmp(bytes, content, count) == 0, "another content of a file");
    kinfolk_asset_free(asset);
}

static void read_notes(int person, const kinfolk_session *session) {
    int scope;
    for (scope = KINFOLK_DATABASE_PUBLIC; scope <= KINFOLK_DATABASE_PRIVATE; scope++) {
        kinfolk_database *database = NULL;
        kinfolk_record *note = NULL;
        const char *title = NULL;
        int64_t number = 0;
        if (!TRY(0, kinfolk_session_database(session, (kinfolk_database_scope)scope, &database))) continue;
        if (TRY(GONE, kinfolk_database_fetch(database, note_name(person), NULL, &note)) && !use.has_changed &&
            TRY(0, kinfolk_record_get_string(note, "title", &title)) &&
            TRY(0, kinfolk_record_get_int64(note, "number", &number))) {
            expect(strcmp(title, brief("Title %d", person)) == 0 && number == person, "another value in a note");
            expect(strcmp(kinfolk_record_created_by(note), use.furniture->record[person][0]) == 0, "another creator of a note");
            if (has_file(person)) read_file(person, database, note);
        }
        kinfolk_record_free(note);
        kinfolk_database_free(database);
    }
}

/* The statuses of a save: the type of a field or record, which is open in the store, may be another one. */
#define SAVED                                                                                                        \
    (GONE | LIMITED | MAY(KINFOLK_SERVER_RECORD_CHANGED) | MAY(KINFOLK_INVALID_ARGUMENT) |                            \
     MAY(KINFOLK_ASSET_NOT_AVAILABLE))

static void save_note(int person, const kinfolk_session *session, kinfolk_database_scope scope) {
    kinfolk_database *database = NULL;
    kinfolk_record *note = NULL;
    if (TRY(0, kinfolk_session_database(session, scope, &database)) &&
        TRY(GONE, kinfolk_database_fetch(database, note_name(person), NULL, &note)) &&
        TRY(0, kinfolk_record_set_string(note, "title", "Another title")))
        (void)TRY(SAVED, kinfolk_database_save(database, note, (kinfolk_save_policy)dice_below(use.dice, 3)));
    kinfolk_record_free(note);
    kinfolk_database_free(database);
}

static void run_batch(int person, const kinfolk_session *session, kinfolk_database_scope scope) {
    kinfolk_database *database = NULL;
    kinfolk_batch *batch = NULL;
    kinfolk_record *made = NULL, *changed = NULL;
    size_t i;
    if (TRY(0, kinfolk_session_database(session, scope, &database)) && TRY(0, kinfolk_batch_new(&batch)) &&
        TRY(0, note_of(2000, NULL, &made)) && TRY(0, kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, made)) &&
        TRY(0, note_of(2001, NULL, &changed)) &&
        TRY(0, kinfolk_batch_save(batch, KINFOLK_OPERATION_FORCE_REPLACE, changed)) &&
        TRY(0, kinfolk_batch_delete(batch, KINFOLK_OPERATION_FORCE_DELETE, note_name(person), NULL, NULL)) &&
        TRY(GONE | LIMITED, kinfolk_batch_run(batch, database, dice_below(use.dice, 2) == 0, NULL)))
        for (i = 0; i < kinfolk_batch_count(batch); i++)
            (void)TRY(SAVED | MAY(KINFOLK_BATCH_REQUEST_FAILED) | MAY(KINFOLK_PERMISSION_FAILURE),
                      kinfolk_batch_status(batch, i));
    kinfolk_record_free(made);
    kinfolk_record_free(changed);
    kinfolk_batch_free(batch);
    kinfolk_database_free(database);
}

static void look_at_person(int at) {
    const kinfolk_account *account = use.accounts[at];
    const kinfolk_session *session = use.sessions[at];
    char *given = NULL, *family = NULL, *json = NULL;
    kinfolk_emails *emails = NULL;
    kinfolk_claims *claims = NULL;
    kinfolk_blocked *blocked = NULL;
    kinfolk_account_status standing;
    kinfolk_discoverability decision;
    const char *id = NULL;
    bool is_suspended = false;
    uint32_t permits;
    if (account == NULL) return;
    if (TRY(GONE, kinfolk_account_get_name(account, &given, &family))) expect_name(use.people[at], given, family);
    kinfolk_free(given);
    kinfolk_free(family);
    if (TRY(GONE, kinfolk_account_emails(account, &emails))) expect_emails(use.people[at], emails);
    kinfolk_emails_free(emails);
    if (TRY(GONE, kinfolk_account_claims(account, &claims))) kinfolk_claims_free(claims);
    (void)TRY(GONE, kinfolk_account_is_suspended(account, &is_suspended));
    if (TRY(GONE, kinfolk_account_export(account, &json))) kinfolk_free(json);
    if (session == NULL) return;
    if (TRY(GONE, kinfolk_session_export(session, &json))) kinfolk_free(json);
    (void)TRY(GONE, kinfolk_session_permits_left(session, &permits));
    (void)TRY(0, kinfolk_session_account_status(session, &standing));
    if (TRY(GONE, kinfolk_session_user_record_id(session, &id))) expect_record_id(use.people[at], id);
    (void)TRY(GONE, kinfolk_session_discoverability(session, &decision));
    if (TRY(GONE, kinfolk_session_blocked(session, &blocked))) kinfolk_blocked_free(blocked);
    read_record(use.people[at], session, NULL, KINFOLK_DATABASE_PUBLIC);
    read_record(use.people[at], session, NULL, KINFOLK_DATABASE_PRIVATE);
    read_notes(use.people[at], session);
}

static void look_around(void) {
    kinfolk_account *account = NULL;
    kinfolk_audit *audit = NULL;
    kinfolk_claims *claims = NULL;
    kinfolk_private_epochs *epochs = NULL;
    uint8_t key[KINFOLK_PUBLIC_KEY_LENGTH];
    kinfolk_accounts *accounts = NULL;
    kinfolk_containers *list = NULL;
    kinfolk_operator_blocks *blocks = NULL;
    kinfolk_statistics *statistics = NULL;
    double wait;
    uint32_t modes, capacity, unverified;
    uint64_t multiplications, rows;
    int i;
    for (i = 0; i < FURNISHED_PEOPLE; i += 5) {
        if (TRY(GONE, kinfolk_account_find_by_email(use.service, first_email(i), &account)) && !use.has_changed)
            expect(strcmp(kinfolk_account_id(account), use.furniture->account[i]) == 0, "another account has the address");
        kinfolk_account_free(account);
        account = NULL;
    }
    (void)TRY(0, kinfolk_service_claim_wait(use.service, &wait));
    (void)TRY(GONE, kinfolk_service_bucket_public_key(use.service, key));
    if (TRY(0, kinfolk_service_audit_log(use.service, 0, 100, &audit))) kinfolk_audit_free(audit);
    if (TRY(0, kinfolk_service_claims(use.service, NULL, 100, &claims))) kinfolk_claims_free(claims);
    if (TRY(GONE, kinfolk_service_accounts(use.service, NULL, 100, &accounts))) kinfolk_accounts_free(accounts);
    if (TRY(GONE, kinfolk_service_containers(use.service, &list))) kinfolk_containers_free(list);
    for (i = 0; i < FURNISHED_PLACES; i++) {
        if (use.containers[i] == NULL) continue;
        (void)TRY(GONE, kinfolk_container_permits(use.containers[i], &capacity, &wait, &unverified));
        (void)TRY(GONE, kinfolk_container_private_work(use.containers[i], &multiplications, &rows));
        (void)TRY(GONE, kinfolk_container_field_limit(use.containers[i], &capacity));
        if (TRY(GONE, kinfolk_container_operator_blocks(use.containers[i], NULL, NULL, 100, &blocks)))
            kinfolk_operator_blocks_free(blocks);
        if (TRY(GONE, kinfolk_container_statistics(use.containers[i], &statistics)))
            kinfolk_statistics_free(statistics);
        (void)TRY(GONE, kinfolk_container_directory_modes(use.containers[i], &modes));
        if (TRY(GONE, kinfolk_container_private_epochs(use.containers[i], &epochs)))
            kinfolk_private_epochs_free(epochs);
    }
    for (i = 0; i < 4; i++) look_at_person(i);
}

static void search(const kinfolk_session *session, const char *prefix, bool with_states) {
    const struct furniture *furniture = use.furniture;
    kinfolk_identities *identities = NULL;
    kinfolk_contacts *book = book_of(prefix, 3, true);
    /* The last status: the modes of a container were changed. */
    const uint32_t expected = GONE | LIMITED | MAY(KINFOLK_PERMISSION_FAILURE);
    /* The lost bucket key was replaced by a new one. */
    const uint32_t privately = expected | MAY(KINFOLK_CONFLICT) | MAY(KINFOLK_KEY_MISMATCH);
    int i;
    for (i = 0; i < FURNISHED_PEOPLE; i += 4) {
        if (TRY(expected, kinfolk_discover_record_id(session, furniture->record[i][0], &identities))) {
            if (kinfolk_identities_count(identities) > 0) expect_identity(i, identities, 0);
            kinfolk_identities_free(identities);
        }
        if (TRY(expected, kinfolk_discover_email(session, first_email(i), &identities))) {
            if (kinfolk_identities_count(identities) > 0) expect_identity(i, identities, 0);
            kinfolk_identities_free(identities);
        }
    }
    if (TRY(expected, kinfolk_discover_contacts(session, book, with_states ? furniture->sync_state : NULL,
                                                with_states ? furniture->sync_length : 0, &identities))) {
        expect_matches(identities, 3);
        kinfolk_identities_free(identities);
    }
    if (TRY(privately, kinfolk_discover_contacts_privately(session, book, with_states ? furniture->private_state : NULL,
                                                           with_states ? furniture->private_length : 0, 1, &identities))) {
        expect_matches(identities, 3);
        kinfolk_identities_free(identities);
    }
    kinfolk_contacts_free(book);
}

static kinfolk_discoverability prompt(const char *wording, void *context) {
    (void)wording, (void)context;
    return KINFOLK_DISCOVERABILITY_GRANTED;
}

static void import_people(const kinfolk_container *container) {
    const char *path = text("%s/people.csv", use.folder);
    FILE *file = fopen(path, "w");
    kinfolk_people_import *report = NULL;
    int i;
    if (file == NULL) give_up(path);
    fprintf(file, "given_name,family_name,email,consent\n");
    for (i = 0; i < 20; i++) fprintf(file, "Given,Family,%s%d@example.com,%s\n", i % 2 ? "p" : "im", i, i % 3 ? "yes" : "");
    fclose(file);
    if (TRY(GONE | LIMITED, kinfolk_container_import_people(container, path, WORDING, "6", NULL, NULL, &report)))
        kinfolk_people_import_free(report);
}

/* Makes one of the possible changes. */
enum { CHANGES = 37 };
static void change(int which) {
    const struct furniture *furniture = use.furniture;
    const int at = (int)dice_below(use.dice, 4), person = use.people[at];
    const kinfolk_account *account = use.accounts[at];
    const kinfolk_session *session = use.sessions[at];
    const kinfolk_container *container = use.containers[0];
    const uint32_t to_address = GONE | LIMITED | MAY(KINFOLK_CONFLICT);
    kinfolk_account *other = NULL;
    kinfolk_session *signed_in = NULL;
    kinfolk_container *made = NULL;
    kinfolk_record *record = NULL;
    kinfolk_claims *claims = NULL;
    kinfolk_erasure *erasure = NULL;
    kinfolk_discoverability decision;
    char *recipient = NULL, *code = NULL, *pass = NULL;
    uint32_t epoch = 0, consequences = 0;
    if (account == NULL || session == NULL || container == NULL) return;
    switch (which) {
    case 0: (void)TRY(GONE, kinfolk_account_set_name(account, "Given", "Other")); break;
    case 1: (void)TRY(to_address, kinfolk_account_add_email(account, brief("new%d@example.com", at), true, NULL)); break;
    case 2: (void)TRY(to_address, kinfolk_account_add_email(account, brief("open%d@example.com", at), false, NULL)); break;
    case 3:
        if (TRY(to_address, kinfolk_account_add_email(account, first_email(person + 1), true, &claims)))
            kinfolk_claims_free(claims);
        break;
    case 4: (void)TRY(GONE, kinfolk_account_set_email_discoverable(account, first_email(person), at % 2)); break;
    case 5: (void)TRY(GONE, kinfolk_account_remove_email(account, first_email(person))); break;
    case 6:
        if (TRY(to_address, kinfolk_account_request_verification(account, first_email(person), KINFOLK_CODE_SIGN_IN,
                                                                 NULL, &recipient, &code, &pass)) &&
            code != NULL)
            (void)TRY(to_address | MAY(KINFOLK_PERMISSION_FAILURE),
                      kinfolk_account_confirm_sign_in(account, first_email(person), code));
        kinfolk_free(recipient);
        kinfolk_free(code);
        kinfolk_free(pass);
        break;
    case 7:
        (void)TRY(to_address | MAY(KINFOLK_PERMISSION_FAILURE),
                  kinfolk_account_verify_email(account, other_email(person), "0000-0000", &claims));
        kinfolk_claims_free(claims);
        break;
    case 8: (void)TRY(GONE | LIMITED, kinfolk_service_transfer_email(use.service, first_email(33), account)); break;
    case 9: (void)TRY(GONE, kinfolk_service_acknowledge_notice(use.service, furniture->claim[1])); break;
    case 10: (void)TRY(GONE, kinfolk_service_dismiss_claim(use.service, furniture->claim[0])); break;
    case 11:
        (void)TRY(GONE, kinfolk_account_suspend(account));
        (void)TRY(GONE, kinfolk_account_resume(account));
        break;
    case 12:
        (void)TRY(GONE, kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_DENIED, "", ""));
        (void)TRY(GONE, kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, WORDING, "4"));
        break;
    case 13:
        (void)TRY(GONE, kinfolk_session_request_discoverability(session, WORDING, "5", prompt, NULL, &decision));
        break;
    case 14: (void)TRY(GONE | LIMITED, kinfolk_session_block(session, furniture->record[person == 7 ? 9 : 7][0])); break;
    case 15: (void)TRY(GONE, kinfolk_session_unblock(session, furniture->record[10][0])); break;
    case 16:
        (void)TRY(GONE, kinfolk_container_block(container, furniture->record[1][0], furniture->record[9][0]));
        (void)TRY(GONE, kinfolk_container_unblock(container, furniture->record[4][0], furniture->record[6][0]));
        break;
    case 17:
        if (TRY(GONE, kinfolk_container_find_account(container, furniture->record[11][0], "ticket 18", &other)))
            kinfolk_account_free(other);
        break;
    case 18:
    case 19:
        if (TRY(GONE, kinfolk_record_fetch(session, NULL, which - 18, &record)) &&
            TRY(0, fill(record, furniture->record[0][0], 100)))
            /* The last status: a field has another type, because types are not authenticated. */
            (void)TRY(GONE | LIMITED | MAY(KINFOLK_SERVER_RECORD_CHANGED) | MAY(KINFOLK_INVALID_ARGUMENT),
                      kinfolk_record_save(session, record, (kinfolk_save_policy)dice_below(use.dice, 3)));
        kinfolk_record_free(record);
        break;
    case 20:
        (void)TRY(GONE, kinfolk_container_set_permits(container, 90000, 900, 90000));
        (void)TRY(GONE, kinfolk_container_set_private_work(container, 900000, 900000));
        (void)TRY(GONE, kinfolk_container_set_field_limit(container, 40));
        break;
    case 21:
        (void)TRY(GONE | LIMITED | MAY(KINFOLK_CONFLICT), kinfolk_container_add_field(container, "extra", KINFOLK_DATE));
        (void)TRY(GONE, kinfolk_container_remove_field(container, "reals"));
        break;
    case 22:
        (void)TRY(GONE, kinfolk_container_set_prefix_bits(container, 4));
        (void)TRY(GONE, kinfolk_container_set_prefix_bits(container, -1));
        break;
    case 23: (void)TRY(GONE | MAY(KINFOLK_CONFLICT), kinfolk_container_announce_next_private_key(container, &epoch)); break;
    case 24:
        if (TRY(GONE | LIMITED | MAY(KINFOLK_CONFLICT),
                kinfolk_container_renew_private_key(container, NULL, NULL, &epoch)))
            (void)TRY(GONE, kinfolk_container_end_private_epochs(container, epoch));
        break;
    case 25:
        (void)TRY(GONE | MAY(KINFOLK_CONFLICT), kinfolk_container_set_directory_modes(
                                                    container, (uint32_t)dice_below(use.dice, 3) + 1, NULL, NULL));
        break;
    case 26:
    case 27:
        /* A rotation because of a leak is refused while a planned rotation is running. */
        if (TRY(GONE | MAY(KINFOLK_CONFLICT),
                kinfolk_service_rotate_keys(use.service, NULL, which == 26, NULL, NULL, &code, &consequences)))
            kinfolk_free(code);
        break;
    case 28:
        if (TRY(GONE, kinfolk_account_erase(account, &erasure))) kinfolk_erasure_free(erasure);
        break;
    case 29: import_people(container); break;
    case 30:
        if (TRY(to_address, kinfolk_account_find_or_create(use.service, first_email(person), "Given", "Family", &other,
                                                              NULL)))
            kinfolk_account_free(other);
        break;
    case 31:
        (void)TRY(GONE, kinfolk_container_delete(use.service, places[1], NULL, NULL, NULL, NULL));
        if (TRY(GONE | MAY(KINFOLK_CONFLICT), kinfolk_container_open_or_create(use.service, places[1], &made, NULL)))
            kinfolk_container_free(made);
        break;
    case 32:
        if (TRY(0, kinfolk_account_create(use.service, "New", "Person", &other)) &&
            TRY(GONE, kinfolk_session_open(container, other, &signed_in)))
            search(signed_in, "z", false);
        kinfolk_session_free(signed_in);
        kinfolk_account_free(other);
        if (TRY(MAY(KINFOLK_CONFLICT), kinfolk_container_create(use.service, "com.example.later", &made)))
            kinfolk_container_free(made);
        break;
    case 33:
    case 34: save_note(person, session, (kinfolk_database_scope)(which - 33)); break;
    case 35: run_batch(person, session, (kinfolk_database_scope)dice_below(use.dice, 2)); break;
    case 36:
        if (TRY(GONE, kinfolk_schema_export(container, &code))) kinfolk_free(code);
        code = NULL;
        /* A field that has another type now, or a limit that is reached. */
        (void)TRY(GONE | LIMITED | MAY(KINFOLK_INVALID_ARGUMENT), kinfolk_schema_apply(container, schema, false, NULL));
        break;
    }
}

/* Frees all handles. */
static void leave(void) {
    int i;
    for (i = 0; i < 4; i++) {
        kinfolk_session_free(use.sessions[i]);
        kinfolk_account_free(use.accounts[i]);
        use.sessions[i] = NULL;
        use.accounts[i] = NULL;
    }
    for (i = 0; i < FURNISHED_PLACES; i++) {
        kinfolk_container_free(use.containers[i]);
        use.containers[i] = NULL;
    }
    kinfolk_service_free(use.service);
    use.service = NULL;
}

static bool enter(const char *store, uint32_t expected) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    int i;
    options.existing_only = true;
    options.wait = 5;
    if (!TRY(expected, kinfolk_service_open(store, &options, &use.service))) return false;
    for (i = 0; i < FURNISHED_PLACES; i++)
        (void)TRY(GONE, kinfolk_container_open(use.service, places[i], &use.containers[i]));
    for (i = 0; i < 4; i++) {
        if (!TRY(GONE, kinfolk_account_open(use.service, use.furniture->account[use.people[i]], &use.accounts[i])) ||
            use.containers[0] == NULL)
            continue;
        (void)TRY(GONE, kinfolk_session_open(use.containers[0], use.accounts[i], &use.sessions[i]));
    }
    return true;
}

static void open_with_wrong_key(const char *store, uint32_t untold) {
    static const uint8_t key[KINFOLK_KEY_LENGTH] = { 7 };
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    kinfolk_service *service = NULL;
    options.existing_only = true;
    options.key = key;
    options.key_length = sizeof key;
    if (TRY(untold | MAY(KINFOLK_KEY_MISMATCH), kinfolk_service_open(store, &options, &service))) {
        tried("kinfolk_service_open with a wrong key succeeds", KINFOLK_PERMISSION_FAILURE, 0);
        kinfolk_service_free(service);
    }
}

/* If a call said that the store is damaged, a check must not call it sound. */
static void check_it(void) {
    kinfolk_check *check = NULL;
    bool said_corrupt = use.said_corrupt, is_sound;
    if (!TRY(0, kinfolk_service_check(use.service, NULL, NULL, &check))) return;
    is_sound = kinfolk_check_is_sound(check);
    (void)tried("kinfolk_check_is_sound", is_sound ? KINFOLK_OK : KINFOLK_STORE_CORRUPT, 0);
    expect(!is_sound || !said_corrupt, "a check says that a damaged store is sound");
    kinfolk_check_free(check);
}

/* Opens a store with the key of the one that was damaged, and reads from it. */
static void open_another(const char *path, bool is_read_only, uint32_t expected) {
    const char *key = text("%s/kinfolk.key", use.folder);
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    kinfolk_service *service = NULL;
    kinfolk_account *account = NULL;
    char *given = NULL, *family = NULL;
    options.existing_only = true;
    options.key_file = key;
    options.read_only = is_read_only;
    if (!TRY(expected, kinfolk_service_open(path, &options, &service))) return;
    if (TRY(GONE, kinfolk_account_open(service, use.furniture->account[use.people[0]], &account)) &&
        TRY(GONE, kinfolk_account_get_name(account, &given, &family)))
        expect_name(use.people[0], given, family);
    kinfolk_free(given);
    kinfolk_free(family);
    kinfolk_account_free(account);
    kinfolk_service_free(service);
}

/* A backup and a copy can be opened, or report damage. So does restoring a backup to another place. */
static void copy_it(uint32_t untold) {
    const char *backup = text("%s/backup.db", use.folder), *copy = text("%s/copy.db", use.folder),
               *restored = text("%s/restored.db", use.folder), *key = text("%s/kinfolk.key", use.folder);
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    options.key_file = key;
    if (TRY(0, kinfolk_service_back_up(use.service, backup, NULL, NULL))) {
        open_another(backup, true, untold);
        if (TRY(untold, kinfolk_store_restore(restored, backup, &options, false, NULL, NULL)))
            open_another(restored, true, untold);
    }
    if (TRY(0, kinfolk_service_copy(use.service, copy, NULL, NULL))) open_another(copy, false, untold);
}

void use_furnished(const char *store, const struct furniture *furniture, const char *folder, struct dice *dice,
                   uint32_t untold, judge_fn judge) {
    bool was_older = false;
    int order[CHANGES], i, changes = 6 + (int)dice_below(dice, CHANGES);
    memset(&use, 0, sizeof use);
    use.furniture = furniture;
    use.folder = folder;
    use.dice = dice;
    use.judge = judge;
    for (i = 0; i < 4; i++) use.people[i] = (int)dice_below(dice, FURNISHED_PEOPLE - 2);
    open_with_wrong_key(store, untold);
    if (!enter(store, untold)) {
        /* An older state is accepted on purpose. */
        if (!TRY(untold, kinfolk_store_accept_older(store, NULL, &was_older)) || !was_older || !enter(store, 0)) return;
    }
    use.said_corrupt = false;
    look_around();
    if (use.sessions[0] != NULL) search(use.sessions[0], "y", true);
    check_it();
    if (dice_below(dice, 3) == 0) copy_it(untold);
    use.has_changed = true;
    for (i = 0; i < CHANGES; i++) order[i] = i;
    for (i = 0; i < CHANGES && i < changes; i++) {
        int j = i + (int)dice_below(dice, CHANGES - i), which = order[j];
        order[j] = order[i];
        change(which);
    }
    if (use.sessions[1] != NULL) search(use.sessions[1], "w", false);
    leave();
    open_another(store, true, untold);
    if (!enter(store, untold)) return;
    look_around();
    (void)TRY(GONE | MAY(KINFOLK_CONFLICT), kinfolk_service_rotate_keys(use.service, NULL, false, NULL, NULL, NULL, NULL));
    leave();
}
