/*
 * Custom zones and their changes. One session saves and deletes records, and makes and deletes zones. A reader follows each zone and
 * the database with change tokens, through pages, and in the end its copies equal what a small model says. Any text as the name of a
 * zone is refused or works, and a token is valid for its own zone and whole, or it is expired.
 */

#include "fuzz.h"
#include "store.h"

enum { ZONES = 3, NAMES = 5, FRESH_AFTER = 5000, LONGEST = 256 };

static kinfolk_database *database, *reader;
static unsigned inputs;

struct token {
    uint8_t bytes[LONGEST];
    size_t length;
};

/* A zone in the store, and the reader's copy of it. */
static struct zone {
    bool is_there, was_deleted; /* was_deleted: since the reader's last visit */
    int64_t numbers[NAMES], copied[NAMES]; /* -1: no record */
    struct token token;
} zones[ZONES];
static struct token of_database;

static const char *const zone_names[ZONES] = { "A", "B", "C" };
static const char *const names[NAMES] = { "a", "b", "c", "d", "e" };

static void begin(void) {
    static kinfolk_service *service; /* open while its sessions are used */
    kinfolk_account *ada;
    kinfolk_container *container = NULL;
    kinfolk_session *session = NULL, *other = NULL;
    kinfolk_service_free(service);
    service = store_make();
    ada = store_person(service, "Ada", "ada@example.com");
    OK(kinfolk_container_create(service, NOTES, &container));
    OK(kinfolk_schema_add_field(container, "Note", "number", KINFOLK_INT64, KINFOLK_INDEX_STANDARD));
    OK(kinfolk_session_open(container, ada, &session));
    OK(kinfolk_session_open(container, ada, &other));
    OK(kinfolk_session_database(session, KINFOLK_DATABASE_PRIVATE, &database));
    OK(kinfolk_session_database(other, KINFOLK_DATABASE_PRIVATE, &reader));
    kinfolk_session_free(session);
    kinfolk_session_free(other);
    kinfolk_container_free(container);
    kinfolk_account_free(ada);
}

static void empty(int64_t numbers[NAMES]) {
    size_t i;
    for (i = 0; i < NAMES; i++) numbers[i] = -1;
}

static struct token token_of(const kinfolk_changes *changes) {
    struct token token = { { 0 }, 0 };
    const uint8_t *bytes = NULL;
    OK(kinfolk_changes_token(changes, &bytes, &token.length));
    HOLDS(bytes != NULL && token.length >= 1 && token.length <= LONGEST);
    memcpy(token.bytes, bytes, token.length);
    return token;
}

/* ---- What the writer does */

static void make_zone(struct zone *zone, const char *name) {
    OK(kinfolk_zone_save(database, name));
    if (zone->is_there) return;
    zone->is_there = true;
    empty(zone->numbers);
}

static void delete_zone(struct zone *zone, const char *name) {
    kinfolk_status status = kinfolk_zone_delete(database, name);
    HOLDS((status == KINFOLK_OK) == zone->is_there);
    if (status != KINFOLK_OK) FAILED(status, KINFOLK_ZONE_NOT_FOUND, KINFOLK_ZONE_NOT_FOUND);
    if (zone->is_there) zone->was_deleted = true;
    zone->is_there = false;
}

static void put(struct zone *zone, const char *name, size_t at, uint8_t number) {
    kinfolk_record *record = NULL;
    kinfolk_status status;
    OK(kinfolk_record_new("Note", names[at], name, &record));
    OK(kinfolk_record_set_int64(record, "number", number));
    status = kinfolk_database_save(database, record, KINFOLK_SAVE_ALL_KEYS);
    HOLDS((status == KINFOLK_OK) == zone->is_there);
    if (status != KINFOLK_OK) FAILED(status, KINFOLK_ZONE_NOT_FOUND, KINFOLK_ZONE_NOT_FOUND);
    else zone->numbers[at] = number;
    kinfolk_record_free(record);
}

static void delete_record(struct zone *zone, const char *name, size_t at) {
    kinfolk_status status = kinfolk_database_delete(database, names[at], name, NULL, NULL);
    if (!zone->is_there) {
        FAILED(status, KINFOLK_ZONE_NOT_FOUND, KINFOLK_ZONE_NOT_FOUND);
        return;
    }
    HOLDS((status == KINFOLK_OK) == (zone->numbers[at] >= 0));
    zone->numbers[at] = -1;
}

/* ---- What the reader does */

static size_t index_of(const char *name) {
    size_t at = 0;
    while (at < NAMES && strcmp(name, names[at]) != 0) at++;
    HOLDS(at < NAMES);
    return at;
}

/* Takes the changes of a page into the copy. */
static void take_page(struct zone *zone, const char *name, const kinfolk_changes *changes) {
    size_t count = kinfolk_changes_count(changes), i;
    for (i = 0; i < count; i++) {
        kinfolk_record *record = NULL;
        const char *deleted = kinfolk_changes_deleted_name(changes, i);
        OK(kinfolk_changes_record(changes, i, &record));
        HOLDS(strcmp(kinfolk_changes_zone(changes, i), name) == 0);
        HOLDS((record == NULL) == kinfolk_changes_is_deleted(changes, i) && (record == NULL) == (deleted != NULL));
        if (record == NULL) {
            HOLDS(strcmp(kinfolk_changes_deleted_type(changes, i), "Note") == 0);
            zone->copied[index_of(deleted)] = -1;
        } else {
            HOLDS(strcmp(kinfolk_record_zone(record), name) == 0);
            OK(kinfolk_record_get_int64(record, "number", &zone->copied[index_of(kinfolk_record_name(record))]));
        }
        kinfolk_record_free(record);
    }
}

/* Brings the copy of a zone up to date, or begins again where the token says so. */
static void follow(struct zone *zone, const char *name, size_t limit) {
    bool more_coming = true;
    size_t pages = 0;
    while (more_coming) {
        kinfolk_changes *changes = NULL;
        kinfolk_status status =
            kinfolk_zone_changes(reader, name, zone->token.bytes, zone->token.length, limit, &changes);
        HOLDS(pages++ < 100);
        if (!zone->is_there) {
            FAILED(status, KINFOLK_ZONE_NOT_FOUND, KINFOLK_ZONE_NOT_FOUND);
            zone->token.length = 0;
            zone->was_deleted = false;
            return;
        }
        HOLDS((status == KINFOLK_CHANGE_TOKEN_EXPIRED) == (zone->was_deleted && zone->token.length > 0));
        if (zone->token.length == 0) empty(zone->copied);
        zone->was_deleted = false;
        if (status == KINFOLK_CHANGE_TOKEN_EXPIRED) {
            zone->token.length = 0;
            continue;
        }
        OK(status);
        take_page(zone, name, changes);
        zone->token = token_of(changes);
        more_coming = kinfolk_changes_more_coming(changes);
        kinfolk_changes_free(changes);
    }
    HOLDS(memcmp(zone->copied, zone->numbers, sizeof zone->numbers) == 0);
}

static void follow_database(void) {
    kinfolk_changes *changes = NULL;
    size_t i;
    OK(kinfolk_database_changes(reader, of_database.bytes, of_database.length, &changes));
    for (i = 0; i < kinfolk_changes_count(changes); i++) {
        const char *zone = kinfolk_changes_zone(changes, i);
        HOLDS(zone != NULL && kinfolk_changes_deleted_name(changes, i) == NULL);
        if (zone[0] >= 'A' && zone[0] < 'A' + ZONES && zone[1] == '\0')
            HOLDS(zones[zone[0] - 'A'].is_there != kinfolk_changes_is_deleted(changes, i));
    }
    of_database = token_of(changes);
    kinfolk_changes_free(changes);
}

/* Any bytes as a token: parts of a genuine one, or what the input holds. */
static void use_any_token(input *in) {
    uint8_t choice = take_byte(in);
    const struct zone *own = &zones[choice % ZONES], *other = &zones[(choice >> 2) % ZONES];
    struct token token = choice & 0x80 ? of_database : other->token;
    bool is_genuine;
    kinfolk_changes *changes = NULL;
    kinfolk_status status;
    if (choice & 0x40) {
        const uint8_t *bytes = take_bytes(in, &token.length);
        memcpy(token.bytes, bytes, token.length);
    } else if (token.length > 0) {
        token.bytes[take_byte(in) % token.length] ^= take_byte(in);
        token.length -= take_byte(in) % token.length;
    }
    if (token.length == 0) return; /* no token at all */
    is_genuine = token.length == own->token.length && memcmp(token.bytes, own->token.bytes, token.length) == 0;
    status = kinfolk_zone_changes(reader, zone_names[choice % ZONES], token.bytes, token.length, 0, &changes);
    if (!own->is_there) FAILED(status, KINFOLK_ZONE_NOT_FOUND, KINFOLK_ZONE_NOT_FOUND);
    else if (!is_genuine || own->was_deleted) FAILED(status, KINFOLK_CHANGE_TOKEN_EXPIRED, KINFOLK_CHANGE_TOKEN_EXPIRED);
    else OK(status);
    kinfolk_changes_free(changes);
    changes = NULL;
    is_genuine = token.length == of_database.length && memcmp(token.bytes, of_database.bytes, token.length) == 0;
    status = kinfolk_database_changes(reader, token.bytes, token.length, &changes);
    HOLDS(status == (is_genuine ? KINFOLK_OK : KINFOLK_CHANGE_TOKEN_EXPIRED));
    kinfolk_changes_free(changes);
}

/* Any text as the name of a zone. */
static void use_any_name(input *in) {
    char *name = take_text(in);
    size_t length = strlen(name), i;
    bool is_custom = length >= 1 && length <= 255 && name[0] != '_', is_default = strcmp(name, "_defaultZone") == 0;
    kinfolk_record *record = NULL, *seen = NULL;
    kinfolk_changes *changes = NULL;
    kinfolk_zone_list *list = NULL;
    kinfolk_batch *batch = NULL;
    kinfolk_status status;
    for (i = 0; i < length; i++) is_custom = is_custom && name[i] >= 0x20 && name[i] <= 0x7e;
    OK(kinfolk_batch_new(&batch));
    status = kinfolk_record_new("Note", "a", name, &record);
    HOLDS((status == KINFOLK_OK) == (is_custom || is_default));
    status = kinfolk_batch_delete(batch, KINFOLK_OPERATION_FORCE_DELETE, "a", name, NULL);
    HOLDS((status == KINFOLK_OK) == (is_custom || is_default));
    if (status == KINFOLK_OK) HOLDS(strcmp(kinfolk_batch_zone(batch, 0), name) == 0);
    if (length != 1 || name[0] < 'A' || name[0] >= 'A' + ZONES) { /* not one of the model */
        status = kinfolk_zone_save(database, name);
        HOLDS((status == KINFOLK_OK) == is_custom);
        if (status == KINFOLK_OK) {
            OK(kinfolk_database_save(database, record, KINFOLK_SAVE_IF_UNCHANGED));
            OK(kinfolk_database_fetch(reader, "a", name, &seen));
            HOLDS(strcmp(kinfolk_record_zone(seen), name) == 0);
            OK(kinfolk_zones(reader, &list));
            HOLDS(strcmp(kinfolk_zone_list_name(list, kinfolk_zone_list_count(list) - 1), name) == 0);
            OK(kinfolk_zone_changes(reader, name, NULL, 0, 1, &changes));
            HOLDS(kinfolk_changes_count(changes) == 1 && strcmp(kinfolk_changes_zone(changes, 0), name) == 0);
            OK(kinfolk_zone_delete(database, name));
            FAILED(kinfolk_zone_delete(database, name), KINFOLK_ZONE_NOT_FOUND, KINFOLK_ZONE_NOT_FOUND);
        } else {
            FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_INVALID_ARGUMENT);
            FAILED(kinfolk_zone_delete(database, name), KINFOLK_INVALID_ARGUMENT, KINFOLK_INVALID_ARGUMENT);
            status = kinfolk_zone_changes(reader, name, NULL, 0, 0, &changes);
            FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_INVALID_ARGUMENT);
            HOLDS((kinfolk_database_fetch(reader, "b", name, &seen) == KINFOLK_UNKNOWN_ITEM) == is_default);
        }
    }
    kinfolk_zone_list_free(list);
    kinfolk_changes_free(changes);
    kinfolk_record_free(seen);
    kinfolk_record_free(record);
    kinfolk_batch_free(batch);
    free(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = { data, size };
    size_t i;
    if (inputs++ % FRESH_AFTER == 0) {
        kinfolk_database_free(database);
        kinfolk_database_free(reader);
        begin();
        of_database.length = 0;
    }
    memset(zones, 0, sizeof zones);
    while (in.left > 0) {
        uint8_t step = take_byte(&in);
        struct zone *zone = &zones[(step >> 3) % ZONES];
        const char *name = zone_names[(step >> 3) % ZONES];
        size_t at = (step >> 5) % NAMES;
        switch (step & 7) {
        case 0: make_zone(zone, name); break;
        case 1: delete_zone(zone, name); break;
        case 2: case 3: put(zone, name, at, take_byte(&in)); break;
        case 4: delete_record(zone, name, at); break;
        case 5: follow(zone, name, step >> 5); break;
        case 6: follow_database(); use_any_token(&in); break;
        default: use_any_name(&in);
        }
    }
    for (i = 0; i < ZONES; i++) { /* all is followed, and then there is no zone */
        follow(&zones[i], zone_names[i], 0);
        delete_zone(&zones[i], zone_names[i]);
    }
    follow_database();
    return 0;
}
