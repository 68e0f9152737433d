/* Subscriptions: what they hold, and which of them a database accepts. Their notifications are in notifications.c. */

#include "harness.h"
#include "people.h"
#include "two_people.h"
#include "notes.h"

static void begin_with_types(void) {
    begin();
    OK(kinfolk_schema_add_field(notes, "Note", "number", KINFOLK_INT64, KINFOLK_INDEX_STANDARD));
    OK(kinfolk_schema_add_field(notes, "Note", "title", KINFOLK_STRING, KINFOLK_INDEX_STANDARD));
}

/* A query for notes. */
static kinfolk_query *new_query(const char *predicate) {
    kinfolk_query *query = NULL;
    OK(kinfolk_query_new("Note", predicate, &query));
    return query;
}

static kinfolk_subscription *new_subscription(const char *id) {
    kinfolk_query *query = new_query("number >= 3");
    kinfolk_subscription *subscription = NULL;
    OK(kinfolk_subscription_new_query(query, KINFOLK_FIRES_ON_RECORD_CREATION, id, &subscription));
    kinfolk_query_free(query);
    return subscription;
}

/* The IDs of a user's subscriptions, with a space after each. */
static const char *ids_in(const kinfolk_database *database) {
    static char ids[2000];
    kinfolk_subscription_list *list = NULL;
    size_t i;
    ids[0] = '\0';
    OK(kinfolk_subscriptions(database, &list));
    for (i = 0; i < kinfolk_subscription_list_count(list); i++) {
        kinfolk_subscription *each = NULL;
        OK(kinfolk_subscription_list_subscription(list, i, &each));
        strcat(strcat(ids, kinfolk_subscription_id(each)), " ");
        kinfolk_subscription_free(each);
    }
    kinfolk_subscription_list_free(list);
    return ids;
}

/* The texts of a value, with a space after each. */
static const char *texts_of(kinfolk_value *value) {
    static char all[2000];
    const char *const *texts;
    size_t count, i;
    all[0] = '\0';
    OK(kinfolk_value_get_strings(value, &texts, NULL, &count));
    for (i = 0; i < count; i++) strcat(strcat(all, texts[i]), " ");
    kinfolk_value_free(value);
    return all;
}

static const char *list_of(const kinfolk_subscription *subscription, kinfolk_info_list which) {
    kinfolk_value *value = NULL;
    OK(kinfolk_subscription_get_list(subscription, which, &value));
    EQUAL(kinfolk_value_type(value), KINFOLK_STRING_LIST);
    return texts_of(value);
}

/* ---- What they hold */

static void a_query_subscription_is_what_its_query_was(void) {
    static const char *const keys[] = { "title", "number" };
    kinfolk_query *query = new_query("number >= %@ AND createdAt < %@ AND title = %@");
    kinfolk_value *number = NULL, *date = NULL, *title = NULL, *found = NULL;
    kinfolk_subscription *subscription = NULL;
    const int64_t *dates;
    size_t count;
    OK(kinfolk_value_new_int64(3, &number));
    OK(kinfolk_value_new_date(4, &date));
    OK(kinfolk_value_new_string("Groceries", 9, &title));
    OK(kinfolk_query_bind(query, number));
    OK(kinfolk_query_bind(query, date));
    OK(kinfolk_query_bind(query, title));
    OK(kinfolk_query_zone(query, "Notes"));
    OK(kinfolk_query_keys(query, keys, 2));
    OK(kinfolk_subscription_new_query(query, KINFOLK_FIRES_ON_RECORD_UPDATE | KINFOLK_FIRES_ONCE, "id", &subscription));
    OK(kinfolk_query_zone(query, NULL)); /* the subscription is a copy */
    kinfolk_query_free(query);
    kinfolk_value_free(number);
    kinfolk_value_free(date);
    kinfolk_value_free(title);

    SAME(kinfolk_subscription_id(subscription), "id");
    EQUAL(kinfolk_subscription_type(subscription), KINFOLK_SUBSCRIPTION_QUERY);
    EQUAL(kinfolk_subscription_options(subscription), 2 + 8);
    SAME(kinfolk_subscription_zone(subscription), "Notes");
    SAME(kinfolk_subscription_record_type(subscription), "Note");
    SAME(kinfolk_subscription_predicate(subscription), "number >= 3 AND createdAt < %@ AND title = 'Groceries'");
    EQUAL(kinfolk_subscription_argument_count(subscription), 1);
    OK(kinfolk_subscription_argument(subscription, 0, &found));
    OK(kinfolk_value_get_dates(found, &dates, &count));
    CHECK(count == 1 && dates[0] == 4);
    kinfolk_value_free(found);
    found = NULL;
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_subscription_argument(subscription, 1, &found));
    CHECK(found == NULL);
    SAME(list_of(subscription, KINFOLK_INFO_DESIRED_KEYS), "number title ");
    kinfolk_subscription_free(subscription);
}

static void zones_and_databases_have_no_predicate(void) {
    kinfolk_subscription *zone = NULL, *database = NULL;
    OK(kinfolk_subscription_new_zone("Notes", "zone", &zone));
    OK(kinfolk_subscription_new_database("database", &database));
    EQUAL(kinfolk_subscription_type(zone), KINFOLK_SUBSCRIPTION_ZONE);
    EQUAL(kinfolk_subscription_type(database), KINFOLK_SUBSCRIPTION_DATABASE);
    SAME(kinfolk_subscription_id(zone), "zone");
    SAME(kinfolk_subscription_id(database), "database");
    SAME(kinfolk_subscription_zone(zone), "Notes");
    CHECK(kinfolk_subscription_zone(database) == NULL);
    CHECK(kinfolk_subscription_record_type(zone) == NULL && kinfolk_subscription_predicate(zone) == NULL);
    CHECK(kinfolk_subscription_options(zone) == 0 && kinfolk_subscription_argument_count(database) == 0);
    kinfolk_subscription_free(zone);
    kinfolk_subscription_free(database);
}

static void without_an_id_it_is_random(void) {
    kinfolk_subscription *first = new_subscription(NULL), *second = new_subscription(NULL), *third = NULL;
    EQUAL(strlen(kinfolk_subscription_id(first)), 36);
    CHECK(strcmp(kinfolk_subscription_id(first), kinfolk_subscription_id(second)) != 0);
    OK(kinfolk_subscription_new_database(NULL, &third));
    EQUAL(strlen(kinfolk_subscription_id(third)), 36);
    kinfolk_subscription_free(first);
    kinfolk_subscription_free(second);
    kinfolk_subscription_free(third);
}

static void a_subscription_holds_each_text_list_and_flag(void) {
    kinfolk_subscription *subscription = new_subscription("id");
    char text[30], key[30];
    const char *keys[1];
    int i;
    keys[0] = key;
    for (i = KINFOLK_INFO_ALERT_BODY; i <= KINFOLK_INFO_COLLAPSE_ID_KEY; i++) {
        SAME(kinfolk_subscription_text(subscription, (kinfolk_info_text)i), "");
        snprintf(text, sizeof text, "text %d", i);
        OK(kinfolk_subscription_set_text(subscription, (kinfolk_info_text)i, text));
    }
    for (i = KINFOLK_INFO_DESIRED_KEYS; i <= KINFOLK_INFO_SUBTITLE_LOCALIZATION_ARGS; i++) {
        SAME(list_of(subscription, (kinfolk_info_list)i), "");
        snprintf(key, sizeof key, "key%d", i);
        OK(kinfolk_subscription_set_list(subscription, (kinfolk_info_list)i, keys, 1));
    }
    for (i = KINFOLK_INFO_SHOULD_BADGE; i <= KINFOLK_INFO_SHOULD_SEND_MUTABLE_CONTENT; i++) {
        CHECK(!kinfolk_subscription_flag(subscription, (kinfolk_info_flag)i));
        OK(kinfolk_subscription_set_flag(subscription, (kinfolk_info_flag)i, true));
    }
    for (i = KINFOLK_INFO_ALERT_BODY; i <= KINFOLK_INFO_COLLAPSE_ID_KEY; i++) {
        snprintf(text, sizeof text, "text %d", i);
        SAME(kinfolk_subscription_text(subscription, (kinfolk_info_text)i), text);
    }
    for (i = KINFOLK_INFO_DESIRED_KEYS; i <= KINFOLK_INFO_SUBTITLE_LOCALIZATION_ARGS; i++) {
        snprintf(text, sizeof text, "key%d ", i);
        SAME(list_of(subscription, (kinfolk_info_list)i), text);
    }
    for (i = KINFOLK_INFO_SHOULD_BADGE; i <= KINFOLK_INFO_SHOULD_SEND_MUTABLE_CONTENT; i++)
        CHECK(kinfolk_subscription_flag(subscription, (kinfolk_info_flag)i));
    OK(kinfolk_subscription_set_text(subscription, KINFOLK_INFO_TITLE, ""));
    OK(kinfolk_subscription_set_list(subscription, KINFOLK_INFO_DESIRED_KEYS, NULL, 0));
    OK(kinfolk_subscription_set_flag(subscription, KINFOLK_INFO_SHOULD_BADGE, false));
    SAME(kinfolk_subscription_text(subscription, KINFOLK_INFO_TITLE), "");
    SAME(list_of(subscription, KINFOLK_INFO_DESIRED_KEYS), "");
    CHECK(!kinfolk_subscription_flag(subscription, KINFOLK_INFO_SHOULD_BADGE));
    kinfolk_subscription_free(subscription);
}

static void what_is_too_much_or_unknown_is_refused_and_changes_nothing(void) {
    static const char *const malformed[] = { "1number" };
    kinfolk_subscription *subscription = new_subscription("id"), *made = NULL;
    kinfolk_query *query = new_query("number >= 3"), *invalid = new_query("number >=");
    const char *keys[101];
    char text[4098];
    size_t i;
    memset(text, 't', sizeof text - 1);
    text[4097] = '\0';
    for (i = 0; i < 101; i++) keys[i] = "k";
    OK(kinfolk_subscription_set_text(subscription, KINFOLK_INFO_TITLE, "kept"));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_subscription_set_text(subscription, KINFOLK_INFO_TITLE, text));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_subscription_set_text(subscription, KINFOLK_INFO_TITLE, "\xff"));
    SAME(kinfolk_subscription_text(subscription, KINFOLK_INFO_TITLE), "kept");
    text[4096 - 4] = '\0'; /* and the title has 4 bytes */
    OK(kinfolk_subscription_set_text(subscription, KINFOLK_INFO_SUBTITLE, text));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_subscription_set_text(subscription, KINFOLK_INFO_CATEGORY, "c"));
    OK(kinfolk_subscription_set_text(subscription, KINFOLK_INFO_SUBTITLE, ""));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_subscription_set_list(subscription, KINFOLK_INFO_DESIRED_KEYS, keys, 101));
    OK(kinfolk_subscription_set_list(subscription, KINFOLK_INFO_DESIRED_KEYS, keys, 1));
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_subscription_set_list(subscription, KINFOLK_INFO_DESIRED_KEYS, malformed, 1));
    SAME(list_of(subscription, KINFOLK_INFO_DESIRED_KEYS), "k ");
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_subscription_set_text(subscription, (kinfolk_info_text)12, "t"));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_subscription_set_flag(subscription, (kinfolk_info_flag)0, true));
    CHECK(kinfolk_subscription_text(subscription, (kinfolk_info_text)12) == NULL);

    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_subscription_new_query(invalid, 1, "id", &made));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_subscription_new_query(query, 0, "id", &made));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_subscription_new_query(query, 0x80000001, "id", &made));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_subscription_new_query(query, 1, "\xc3\xa4", &made));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_subscription_new_zone("_defaultZone", "id", &made));
    CHECK(made == NULL);
    kinfolk_query_free(query);
    kinfolk_query_free(invalid);
    kinfolk_subscription_free(subscription);
}

/* ---- In a database */

static void a_saved_subscription_is_fetched_and_listed(void) {
    static const char *const keys[] = { "number" };
    kinfolk_subscription *subscription, *zone = NULL, *found = NULL;
    begin_with_types();
    SAME(ids_in(private_of_ada), "");
    subscription = new_subscription("b");
    OK(kinfolk_subscription_set_text(subscription, KINFOLK_INFO_ALERT_BODY, "A new note"));
    OK(kinfolk_subscription_set_list(subscription, KINFOLK_INFO_DESIRED_KEYS, keys, 1));
    OK(kinfolk_subscription_set_flag(subscription, KINFOLK_INFO_SHOULD_BADGE, true));
    OK(kinfolk_subscription_save(private_of_ada, subscription));
    OK(kinfolk_zone_save(private_of_ada, "Notes"));
    OK(kinfolk_subscription_new_zone("Notes", "a", &zone));
    OK(kinfolk_subscription_save(private_of_ada, zone));
    SAME(ids_in(private_of_ada), "a b ");
    SAME(ids_in(by_ada), "");
    SAME(ids_in(by_grace), "");

    OK(kinfolk_subscription_fetch(private_of_ada, "b", &found));
    SAME(kinfolk_subscription_predicate(found), kinfolk_subscription_predicate(subscription));
    SAME(kinfolk_subscription_record_type(found), "Note");
    EQUAL(kinfolk_subscription_options(found), KINFOLK_FIRES_ON_RECORD_CREATION);
    SAME(kinfolk_subscription_text(found, KINFOLK_INFO_ALERT_BODY), "A new note");
    SAME(list_of(found, KINFOLK_INFO_DESIRED_KEYS), "number ");
    CHECK(kinfolk_subscription_flag(found, KINFOLK_INFO_SHOULD_BADGE));
    OK(kinfolk_subscription_set_text(found, KINFOLK_INFO_ALERT_BODY, "changed")); /* and saved again */
    OK(kinfolk_subscription_save(private_of_ada, found));
    kinfolk_subscription_free(found);
    OK(kinfolk_subscription_fetch(private_of_ada, "b", &found));
    SAME(kinfolk_subscription_text(found, KINFOLK_INFO_ALERT_BODY), "changed");
    SAME(ids_in(private_of_ada), "a b ");
    kinfolk_subscription_free(found);

    OK(kinfolk_subscription_delete(private_of_ada, "a"));
    SAME(ids_in(private_of_ada), "b ");
    found = NULL;
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_subscription_delete(private_of_ada, "a"));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_subscription_fetch(private_of_ada, "a", &found));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_subscription_fetch(private_of_ada, "", &found));
    CHECK(found == NULL);
    kinfolk_subscription_free(subscription);
    kinfolk_subscription_free(zone);
    end();
}

static void a_database_refuses_what_it_cannot_watch(void) {
    kinfolk_subscription *notes_of = new_subscription("id"), *zone = NULL, *database = NULL, *other = NULL;
    kinfolk_query *query = NULL;
    kinfolk_session *anonymous = NULL;
    kinfolk_database *by_nobody;
    kinfolk_subscription_list *list = NULL;
    begin_with_types();
    OK(kinfolk_subscription_new_zone("Notes", "zone", &zone));
    OK(kinfolk_subscription_new_database("database", &database));
    OK(kinfolk_query_new("Nothing", NULL, &query));
    OK(kinfolk_subscription_new_query(query, 1, "other", &other));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_subscription_save(private_of_ada, other));
    FAILS(KINFOLK_ZONE_NOT_FOUND, kinfolk_subscription_save(private_of_ada, zone));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_subscription_save(by_ada, database));
    OK(kinfolk_session_open_anonymous(notes, &anonymous));
    by_nobody = open_database(anonymous, KINFOLK_DATABASE_PUBLIC);
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_subscription_save(by_nobody, notes_of));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_subscriptions(by_nobody, &list));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_subscription_delete(by_nobody, "id"));
    CHECK(list == NULL);
    kinfolk_query_free(query);
    kinfolk_database_free(by_nobody);
    kinfolk_session_free(anonymous);
    kinfolk_subscription_free(notes_of);
    kinfolk_subscription_free(zone);
    kinfolk_subscription_free(database);
    kinfolk_subscription_free(other);
    end();
}

/* ---- Devices */

/* The names of a user's devices, with a space after each: "-" for none, and "*" before that of the session. */
static const char *devices_of(const kinfolk_session *session) {
    static char names[2000];
    kinfolk_devices *devices = NULL;
    size_t i;
    names[0] = '\0';
    OK(kinfolk_session_devices(session, &devices));
    for (i = 0; i < kinfolk_devices_count(devices); i++) {
        const char *name = kinfolk_devices_name(devices, i);
        if (kinfolk_devices_is_current(devices, i)) strcat(names, "*");
        strcat(strcat(names, name == NULL ? "-" : name), " ");
    }
    CHECK(kinfolk_devices_name(devices, i) == NULL && !kinfolk_devices_is_current(devices, i));
    kinfolk_devices_free(devices);
    return names;
}

static void a_name_identifies_a_device(void) {
    kinfolk_session *phone = NULL, *again = NULL, *tablet = NULL;
    kinfolk_devices *devices = NULL;
    char long_name[257];
    begin();
    SAME(devices_of(adas), "");
    OK(kinfolk_session_open_on_device(notes, ada, "phone", &phone));
    OK(kinfolk_session_open_on_device(notes, ada, "B\xc3\xbcro", &tablet));
    OK(kinfolk_session_open_on_device(notes, ada, "phone", &again));
    SAME(devices_of(phone), "B\xc3\xbcro *phone ");
    SAME(devices_of(again), "B\xc3\xbcro *phone ");
    SAME(devices_of(adas), "B\xc3\xbcro phone ");
    SAME(devices_of(graces), "");
    SAME(record_id(phone), record_id(adas));

    memset(long_name, 'n', 256);
    long_name[256] = '\0';
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_session_open_on_device(notes, ada, "", &again));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_session_open_on_device(notes, ada, long_name, &again));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_session_remove_device(adas, ""));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_session_remove_device(adas, "watch"));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_session_remove_device(graces, "phone"));
    OK(kinfolk_session_remove_device(adas, "phone"));
    SAME(devices_of(adas), "B\xc3\xbcro ");
    kinfolk_session_free(again);
    OK(kinfolk_session_open_anonymous(notes, &again));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_devices(again, &devices));
    CHECK(devices == NULL);
    kinfolk_session_free(phone);
    kinfolk_session_free(again);
    kinfolk_session_free(tablet);
    end();
}

BEGIN
    RUN(a_query_subscription_is_what_its_query_was);
    RUN(zones_and_databases_have_no_predicate);
    RUN(without_an_id_it_is_random);
    RUN(a_subscription_holds_each_text_list_and_flag);
    RUN(what_is_too_much_or_unknown_is_refused_and_changes_nothing);
    RUN(a_saved_subscription_is_fetched_and_listed);
    RUN(a_database_refuses_what_it_cannot_watch);
    RUN(a_name_identifies_a_device);
END
