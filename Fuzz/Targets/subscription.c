/*
 * Subscriptions, notifications and devices. A subscription is refused with one sentence, or it is stored and read back as it was. When
 * another device saves a record, it makes a notification exactly if its query finds the record. Any text as the name of a device, any bytes
 * as the ID of a notification.
 */

#include "fuzz.h"
#include "fields.h"
#include "store.h"

enum { MOST_ARGUMENTS = 3, FRESH_AFTER = 2000, TEXTS = KINFOLK_INFO_COLLAPSE_ID_KEY, LISTS = 4, FLAGS = 3 };

static kinfolk_container *container;
static kinfolk_account *account;
static kinfolk_session *session;
static kinfolk_database *database, *elsewhere;
static unsigned inputs;

static const char schema[] = "DEFINE SCHEMA\n"
                             "RECORD TYPE Note (\n"
                             "    number INT64 QUERYABLE SORTABLE,\n"
                             "    real   DOUBLE QUERYABLE,\n"
                             "    title  STRING QUERYABLE SORTABLE SEARCHABLE,\n"
                             "    due    TIMESTAMP SORTABLE,\n"
                             "    place  LOCATION,\n"
                             "    tags   LIST<STRING> QUERYABLE\n"
                             ");\n";

static void end(void) {
    kinfolk_database_free(database);
    kinfolk_database_free(elsewhere);
    kinfolk_session_free(session);
    kinfolk_container_free(container);
    kinfolk_account_free(account);
    database = NULL;
}

static void begin(void) {
    static kinfolk_service *service; /* open while its sessions are used */
    kinfolk_session *other = NULL;
    kinfolk_query *query = NULL;
    kinfolk_subscription *all = NULL;
    if (database != NULL) end();
    kinfolk_service_free(service);
    service = store_make();
    account = store_person(service, "Ada", "ada@example.com");
    OK(kinfolk_container_create(service, NOTES, &container));
    OK(kinfolk_schema_apply(container, schema, false, NULL));
    OK(kinfolk_session_open_on_device(container, account, "phone", &session));
    OK(kinfolk_session_open(container, account, &other));
    OK(kinfolk_session_database(session, KINFOLK_DATABASE_PRIVATE, &database));
    OK(kinfolk_session_database(other, KINFOLK_DATABASE_PRIVATE, &elsewhere));
    OK(kinfolk_zone_save(database, "Empty"));
    OK(kinfolk_query_new("Note", NULL, &query));
    OK(kinfolk_subscription_new_query(query, KINFOLK_FIRES_ON_RECORD_CREATION | KINFOLK_FIRES_ON_RECORD_UPDATE, "all",
                                      &all));
    OK(kinfolk_subscription_save(database, all));
    kinfolk_subscription_free(all);
    kinfolk_query_free(query);
    kinfolk_session_free(other);
}

static void check_failure(kinfolk_status status) { FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_LIMIT_EXCEEDED); }

static bool is_identifier(const char *text) {
    size_t length = strlen(text), i;
    for (i = 0; i < length; i++)
        if (text[i] < ' ' || text[i] > '~') return false;
    return length >= 1 && length <= 255;
}

/* ---- Subscriptions */

static kinfolk_query *take_query(input *in) {
    kinfolk_query *query = NULL;
    size_t count = take_byte(in) % (MOST_ARGUMENTS + 1);
    char *predicate = take_text(in);
    kinfolk_status status = kinfolk_query_new("Note", predicate, &query);
    if (status != KINFOLK_OK) check_failure(status);
    free(predicate);
    while (count-- > 0) {
        field value;
        kinfolk_value *made = NULL;
        memset(&value, 0, sizeof value);
        value.type = field_types[take_byte(in) % 16];
        take_value(&value, in);
        if (make_value(&value, &made) != KINFOLK_OK) OK(kinfolk_value_new_int64(0, &made));
        if (query != NULL) OK(kinfolk_query_bind(query, made));
        kinfolk_value_free(made);
        field_end(&value);
    }
    return query;
}

static void take_info(kinfolk_subscription *subscription, input *in) {
    size_t count = take_byte(in) % 4;
    while (count-- > 0) {
        uint8_t which = take_byte(in);
        char *text = take_text(in);
        const char *keys[1];
        kinfolk_status status;
        keys[0] = text;
        status = which < 128 ? kinfolk_subscription_set_text(subscription, (kinfolk_info_text)(which % (TEXTS + 2)), text)
                             : kinfolk_subscription_set_list(subscription, (kinfolk_info_list)(which % (LISTS + 2)), keys, 1);
        if (status != KINFOLK_OK) check_failure(status);
        else HOLDS(is_utf_8(text, strlen(text)) && (which < 128 || is_name(text)));
        if (kinfolk_subscription_set_flag(subscription, (kinfolk_info_flag)(which % (FLAGS + 2)), which & 1) == KINFOLK_OK)
            HOLDS(kinfolk_subscription_flag(subscription, (kinfolk_info_flag)(which % (FLAGS + 2))) == (which & 1));
        free(text);
    }
}

static bool is_same(const char *one, const char *other) {
    return one == NULL || other == NULL ? one == other : strcmp(one, other) == 0;
}

static void compare_values(kinfolk_value *one, kinfolk_value *other) {
    HOLDS(kinfolk_value_type(one) == kinfolk_value_type(other) && kinfolk_value_count(one) == kinfolk_value_count(other));
    if (kinfolk_value_type(one) == KINFOLK_STRING_LIST) {
        const char *const *texts, *const *others;
        const size_t *lengths, *other_lengths;
        size_t count, i;
        OK(kinfolk_value_get_strings(one, &texts, &lengths, &count));
        OK(kinfolk_value_get_strings(other, &others, &other_lengths, &count));
        for (i = 0; i < count; i++) HOLDS(lengths[i] == other_lengths[i] && memcmp(texts[i], others[i], lengths[i]) == 0);
    }
    kinfolk_value_free(one);
    kinfolk_value_free(other);
}

static void compare(const kinfolk_subscription *one, const kinfolk_subscription *other) {
    kinfolk_value *value = NULL, *other_value = NULL;
    size_t i;
    HOLDS(is_same(kinfolk_subscription_id(one), kinfolk_subscription_id(other)));
    HOLDS(kinfolk_subscription_type(one) == kinfolk_subscription_type(other));
    HOLDS(kinfolk_subscription_options(one) == kinfolk_subscription_options(other));
    HOLDS(is_same(kinfolk_subscription_zone(one), kinfolk_subscription_zone(other)));
    HOLDS(is_same(kinfolk_subscription_record_type(one), kinfolk_subscription_record_type(other)));
    HOLDS(is_same(kinfolk_subscription_predicate(one), kinfolk_subscription_predicate(other)));
    HOLDS(kinfolk_subscription_argument_count(one) == kinfolk_subscription_argument_count(other));
    for (i = 0; i < kinfolk_subscription_argument_count(one); i++) {
        OK(kinfolk_subscription_argument(one, i, &value));
        OK(kinfolk_subscription_argument(other, i, &other_value));
        compare_values(value, other_value);
    }
    for (i = 1; i <= TEXTS; i++)
        HOLDS(is_same(kinfolk_subscription_text(one, (kinfolk_info_text)i),
                      kinfolk_subscription_text(other, (kinfolk_info_text)i)));
    for (i = 1; i <= LISTS; i++) {
        OK(kinfolk_subscription_get_list(one, (kinfolk_info_list)i, &value));
        OK(kinfolk_subscription_get_list(other, (kinfolk_info_list)i, &other_value));
        compare_values(value, other_value);
    }
    for (i = 1; i <= FLAGS; i++)
        HOLDS(kinfolk_subscription_flag(one, (kinfolk_info_flag)i) == kinfolk_subscription_flag(other, (kinfolk_info_flag)i));
}

/* ---- Notifications */

/* Reads all that a notification says. */
static void read_notification(const kinfolk_notification *notification, const kinfolk_subscription *subscription) {
    kinfolk_value *value = NULL;
    size_t i;
    HOLDS(kinfolk_notification_kind(notification) == KINFOLK_NOTIFICATION_QUERY);
    HOLDS(kinfolk_notification_database(notification) == KINFOLK_DATABASE_PRIVATE);
    HOLDS(is_same(kinfolk_notification_record_name(notification), "note"));
    HOLDS(is_same(kinfolk_notification_record_type(notification), "Note"));
    HOLDS(is_same(kinfolk_notification_zone(notification), "_defaultZone"));
    for (i = 0; i < kinfolk_notification_field_count(notification); i++) {
        OK(kinfolk_notification_get_value(notification, kinfolk_notification_field_name(notification, i), &value));
        kinfolk_value_free(value);
    }
    for (i = 1; i <= TEXTS && subscription != NULL; i++)
        HOLDS(is_same(kinfolk_notification_text(notification, (kinfolk_info_text)i),
                      kinfolk_subscription_text(subscription, (kinfolk_info_text)i)));
    for (i = 1; i <= FLAGS && subscription != NULL; i++)
        HOLDS(kinfolk_notification_flag(notification, (kinfolk_info_flag)i) ==
              kinfolk_subscription_flag(subscription, (kinfolk_info_flag)i));
    for (i = 1; i <= LISTS; i++) {
        OK(kinfolk_notification_get_list(notification, (kinfolk_info_list)i, &value));
        kinfolk_value_free(value);
    }
}

/* Fetches until the notification of "all" has come, and acknowledges all. Returns whether there was one of the subscription, too. */
static bool is_notified(const kinfolk_subscription *subscription) {
    bool is_over = false, is_found = false;
    while (!is_over) {
        kinfolk_notifications *list = NULL;
        size_t i, length = 0;
        const uint8_t *id = NULL;
        OK(kinfolk_notifications_fetch(session, 0, 60, &list));
        HOLDS(kinfolk_notifications_count(list) > 0);
        for (i = 0; i < kinfolk_notifications_count(list); i++) {
            kinfolk_notification *each = NULL;
            bool is_all;
            OK(kinfolk_notifications_notification(list, i, &each));
            is_all = is_same(kinfolk_notification_subscription_id(each), "all");
            read_notification(each, is_all ? NULL : subscription);
            if (is_all) is_over = true;
            else is_found = true;
            OK(kinfolk_notification_id(each, &id, &length));
            OK(kinfolk_notifications_acknowledge(session, id, length));
            kinfolk_notification_free(each);
        }
        kinfolk_notifications_free(list);
    }
    return is_found;
}

/* Another device saves a note. */
static void save_note(input *in) {
    kinfolk_record *note = NULL;
    kinfolk_value *tags = NULL;
    char *title = take_text(in);
    const char *words[1];
    words[0] = title;
    OK(kinfolk_record_new("Note", "note", NULL, &note));
    OK(kinfolk_record_set_int64(note, "number", (int8_t)take_byte(in)));
    if (is_utf_8(title, strlen(title))) {
        OK(kinfolk_record_set_string(note, "title", title));
        OK(kinfolk_value_new_string_list(words, NULL, 1, &tags));
        OK(kinfolk_record_set_value(note, "tags", tags));
        kinfolk_value_free(tags);
    }
    if (take_byte(in) & 1) OK(kinfolk_record_set_double(note, "real", take_double(in)));
    if (take_byte(in) & 1) OK(kinfolk_record_set_date(note, "due", (int8_t)take_byte(in)));
    if (take_byte(in) & 1) OK(kinfolk_record_set_location(note, "place", 1, (int8_t)take_byte(in) % 90));
    OK(kinfolk_database_save(elsewhere, note, KINFOLK_SAVE_ALL_KEYS));
    kinfolk_record_free(note);
    free(title);
}

static void subscribe(kinfolk_query *query, kinfolk_subscription *subscription, input *in) {
    kinfolk_subscription *found = NULL;
    kinfolk_status status = kinfolk_subscription_save(database, subscription);
    size_t count = 0;
    if (status != KINFOLK_OK) {
        check_failure(status);
        return;
    }
    OK(kinfolk_subscription_fetch(database, kinfolk_subscription_id(subscription), &found));
    compare(subscription, found);
    kinfolk_subscription_free(found);
    save_note(in);
    status = kinfolk_query_count(query, database, &count);
    if (status != KINFOLK_OK) check_failure(status);
    else HOLDS(is_notified(subscription) == (count == 1));
    status = kinfolk_subscription_delete(database, kinfolk_subscription_id(subscription));
    if (status != KINFOLK_OK) FAILED(status, KINFOLK_UNKNOWN_ITEM, KINFOLK_UNKNOWN_ITEM); /* it fired once */
}

/* ---- Oddities */

static void use_oddities(input *in) {
    char *text = take_text(in);
    size_t length = 0, count, i;
    const uint8_t *bytes = take_bytes(in, &length);
    kinfolk_subscription *made = NULL;
    kinfolk_session *other = NULL;
    kinfolk_devices *devices = NULL;
    bool is_good = is_identifier(text), is_found = false;
    kinfolk_status status = kinfolk_notifications_acknowledge(session, bytes, length);
    FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_INVALID_ARGUMENT);
    status = kinfolk_subscription_new_database(text, &made);
    HOLDS((status == KINFOLK_OK) == is_good);
    if (is_good) HOLDS(kinfolk_subscription_type(made) == KINFOLK_SUBSCRIPTION_DATABASE);
    kinfolk_subscription_free(made);
    made = NULL;
    status = kinfolk_subscription_new_zone(text, NULL, &made);
    HOLDS((status == KINFOLK_OK) == (is_good && text[0] != '_'));
    if (made != NULL) HOLDS(is_same(kinfolk_subscription_zone(made), text));
    kinfolk_subscription_free(made);
    made = NULL;
    if (!is_good || strcmp(text, "all") != 0) {
        FAILED(kinfolk_subscription_fetch(database, text, &made), KINFOLK_INVALID_ARGUMENT, KINFOLK_UNKNOWN_ITEM);
        FAILED(kinfolk_subscription_delete(database, text), KINFOLK_INVALID_ARGUMENT, KINFOLK_UNKNOWN_ITEM);
    }
    is_good = is_utf_8(text, strlen(text)) && strlen(text) >= 1 && strlen(text) <= 255;
    status = kinfolk_session_open_on_device(container, account, text, &other);
    HOLDS((status == KINFOLK_OK) == is_good);
    kinfolk_session_free(other);
    OK(kinfolk_session_devices(session, &devices));
    count = kinfolk_devices_count(devices);
    for (i = 0; i < count; i++) {
        const char *name = kinfolk_devices_name(devices, i);
        if (name != NULL && strcmp(name, text) == 0) is_found = true;
        HOLDS(kinfolk_devices_is_current(devices, i) == is_same(name, "phone"));
    }
    HOLDS(is_found == is_good);
    kinfolk_devices_free(devices);
    if (is_good && strcmp(text, "phone") != 0) OK(kinfolk_session_remove_device(session, text));
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = { data, size };
    kinfolk_query *query;
    kinfolk_subscription *subscription = NULL;
    uint32_t options = take_byte(&in);
    char *id = take_text(&in);
    kinfolk_status status;
    if (database == NULL || inputs++ >= FRESH_AFTER) {
        begin();
        inputs = 0;
    }
    query = take_query(&in);
    if (options == 0) options = (uint32_t)take_number(&in, 4);
    status = query == NULL ? KINFOLK_OK : kinfolk_subscription_new_query(query, options, id, &subscription);
    if (status != KINFOLK_OK) check_failure(status);
    if (subscription != NULL) {
        HOLDS(is_identifier(id) && options % 8 != 0 && options < 16);
        take_info(subscription, &in);
        /* The others fire when a note exists, or do not. */
        if (strcmp(id, "all") != 0 && (options & 3) == 3) subscribe(query, subscription, &in);
        kinfolk_subscription_free(subscription);
    }
    use_oddities(&in);
    kinfolk_query_free(query);
    free(id);
    return 0;
}
