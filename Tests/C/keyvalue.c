/* The key-value store: values of all types, limits, and what other devices change. */

#include "harness.h"
#include "people.h"
#include "two_people.h"
#include "notes.h"

#include <pthread.h>

static kinfolk_session *phones, *tablets;
static kinfolk_keyvalue *phone, *tablet;

static kinfolk_session *open_on(const char *device) {
    kinfolk_session *session = NULL;
    OK(kinfolk_session_open_on_device(notes, ada, device, &session));
    return session;
}

static void begin_with_devices(void) {
    begin();
    phones = open_on("phone");
    tablets = open_on("tablet");
    OK(kinfolk_session_keyvalue(phones, &phone));
    OK(kinfolk_session_keyvalue(tablets, &tablet));
}

static void end_with_devices(void) {
    kinfolk_keyvalue_free(phone);
    kinfolk_keyvalue_free(tablet);
    kinfolk_session_free(phones);
    kinfolk_session_free(tablets);
    end();
}

static void set_text(kinfolk_keyvalue *store, const char *key, const char *text) {
    kinfolk_value *value = NULL;
    OK(kinfolk_value_new_string(text, strlen(text), &value));
    OK(kinfolk_keyvalue_set(store, key, value));
    kinfolk_value_free(value);
}

/* The text of a key; "-" if it has none. */
static const char *text_of(const kinfolk_keyvalue *store, const char *key) {
    static char text[100];
    kinfolk_value *value = NULL;
    const char *const *texts;
    const size_t *lengths;
    size_t count;
    if (kinfolk_keyvalue_get(store, key, &value) != KINFOLK_OK) return "-";
    OK(kinfolk_value_get_strings(value, &texts, &lengths, &count));
    snprintf(text, sizeof text, "%s", texts[0]);
    kinfolk_value_free(value);
    return text;
}

/* The reasons and keys of changes, "0:theme 2:large ". */
static const char *described(const kinfolk_keyvalue_changes *changes) {
    static char text[1000];
    size_t i;
    text[0] = '\0';
    for (i = 0; i < kinfolk_keyvalue_changes_count(changes); i++) {
        const char *key = kinfolk_keyvalue_changes_key(changes, i);
        char one[100];
        snprintf(one, sizeof one, "%d:%s ", (int)kinfolk_keyvalue_changes_reason(changes, i), key ? key : "-");
        strcat(text, one);
    }
    return text;
}

static const char *synchronized(kinfolk_keyvalue *store) {
    kinfolk_keyvalue_changes *changes = NULL;
    const char *text;
    OK(kinfolk_keyvalue_synchronize(store, &changes));
    text = described(changes);
    CHECK(kinfolk_keyvalue_changes_key(changes, 1000) == NULL);
    kinfolk_keyvalue_changes_free(changes);
    return text;
}

static void keys_are_set_read_listed_and_removed(void) {
    kinfolk_keyvalue_entries *entries = NULL;
    kinfolk_value *value = NULL;
    begin_with_devices();
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_keyvalue_get(phone, "theme", &value));
    OK(kinfolk_keyvalue_remove(phone, "theme"));
    set_text(phone, "theme", "dark");
    set_text(tablet, "theme", "light");
    set_text(tablet, "\xc3\xa9", "e");
    SAME(text_of(phone, "theme"), "light");
    OK(kinfolk_keyvalue_all(phone, &entries));
    EQUAL(kinfolk_keyvalue_entries_count(entries), 2);
    SAME(kinfolk_keyvalue_entries_key(entries, 0), "theme");
    SAME(kinfolk_keyvalue_entries_key(entries, 1), "\xc3\xa9");
    CHECK(kinfolk_keyvalue_entries_key(entries, 2) == NULL);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_keyvalue_entries_value(entries, 2, &value));
    OK(kinfolk_keyvalue_entries_value(entries, 0, &value));
    EQUAL(kinfolk_value_type(value), KINFOLK_STRING);
    kinfolk_value_free(value);
    kinfolk_keyvalue_entries_free(entries);
    OK(kinfolk_keyvalue_remove(phone, "theme"));
    SAME(text_of(tablet, "theme"), "-");
    end_with_devices();
}

static void arrays_and_dictionaries_hold_values_of_all_types(void) {
    static const char *const texts[] = { "b", "a", "c" };
    static const int64_t numbers[] = { 1, -2 };
    static const uint8_t bytes[] = { 0, 255 };
    kinfolk_value *parts[6] = { NULL }, *array = NULL, *all = NULL, *found = NULL, *element = NULL, *inner = NULL;
    const char *text;
    size_t length, count, i;
    const int64_t *read;
    begin_with_devices();
    OK(kinfolk_value_new_int64_list(numbers, 2, &parts[0]));
    OK(kinfolk_value_new_boolean(true, &parts[1]));
    OK(kinfolk_value_new_bytes(bytes, 2, &parts[2]));
    OK(kinfolk_value_new_date(-1, &parts[3]));
    OK(kinfolk_value_new_double(1.5, &parts[4]));
    OK(kinfolk_value_new_string("a\0b", 3, &parts[5]));
    OK(kinfolk_value_new_array((const kinfolk_value *const *)parts, 6, &array));
    EQUAL(kinfolk_value_type(array), KINFOLK_ARRAY);
    EQUAL(kinfolk_value_count(array), 6);
    parts[0] = (kinfolk_value_free(parts[0]), array);
    OK(kinfolk_value_new_dictionary(texts, NULL, (const kinfolk_value *const *)parts, 3, &all));
    OK(kinfolk_keyvalue_set(phone, "all", all));
    OK(kinfolk_keyvalue_get(tablet, "all", &found));
    EQUAL(kinfolk_value_type(found), KINFOLK_DICTIONARY);
    EQUAL(kinfolk_value_count(found), 3);
    for (i = 0; i < 3; i++) {
        static const char *const sorted[] = { "a", "b", "c" };
        OK(kinfolk_value_get_text(found, i, &text, &length));
        SAME(text, sorted[i]);
        EQUAL(length, 1);
    }
    OK(kinfolk_value_get_element(found, 1, &element));
    EQUAL(kinfolk_value_type(element), KINFOLK_ARRAY);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_get_text(element, 0, &text, &length));
    OK(kinfolk_value_get_element(element, 0, &inner));
    EQUAL(kinfolk_value_type(inner), KINFOLK_ARRAY);
    EQUAL(kinfolk_value_count(inner), 2);
    kinfolk_value_free(element);
    OK(kinfolk_value_get_element(inner, 1, &element));
    OK(kinfolk_value_get_int64s(element, &read, &count));
    EQUAL(read[0], -2);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_get_int64s(inner, &read, &count));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_value_get_element(found, 3, &inner));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_get_element(element, 0, &inner));
    kinfolk_value_free(element);
    kinfolk_value_free(inner);
    kinfolk_value_free(found);
    kinfolk_value_free(all);
    for (i = 0; i < 6; i++) kinfolk_value_free(parts[i]);
    end_with_devices();
}

static void values_are_refused_where_they_do_not_belong(void) {
    kinfolk_value *array = NULL, *location = NULL, *other = NULL;
    kinfolk_record *note;
    kinfolk_query *query = NULL;
    static const char *const twice[] = { "a", "a" }, *const wrong[] = { "\xff" };
    const kinfolk_value *two[2];
    begin_with_devices();
    OK(kinfolk_value_new_array(NULL, 0, &array));
    note = new_note("note", 1);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_set_value(note, "array", array));
    OK(kinfolk_query_new("Note", "number IN %@", &query));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_query_bind(query, array));
    OK(kinfolk_value_new_location(1, 2, &location));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_keyvalue_set(phone, "place", location));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_keyvalue_set(phone, "\xff", array));
    two[0] = two[1] = location;
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_array(two, 1, &other));
    two[0] = two[1] = array;
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_dictionary(twice, NULL, two, 2, &other));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_dictionary(wrong, NULL, two, 1, &other));
    two[1] = NULL;
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_array(two, 2, &other));
    kinfolk_value_free(location);
    kinfolk_value_free(array);
    kinfolk_query_free(query);
    kinfolk_record_free(note);
    end_with_devices();
}

static void depth_and_size_are_limited_and_a_full_store_is_reported(void) {
    kinfolk_value *value = NULL, *outer = NULL;
    const kinfolk_value *many[11];
    static char text[100000];
    int i;
    begin_with_devices();
    OK(kinfolk_value_new_int64(1, &value));
    for (i = 0; i < 32; i++) {
        OK(kinfolk_value_new_array((const kinfolk_value *const *)&value, 1, &outer));
        kinfolk_value_free(value);
        value = outer;
    }
    OK(kinfolk_keyvalue_set(phone, "deep", value));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_array((const kinfolk_value *const *)&value, 1, &outer));
    kinfolk_value_free(value);
    memset(text, 'x', sizeof text);
    OK(kinfolk_value_new_string(text, sizeof text, &value));
    for (i = 0; i < 11; i++) many[i] = value;
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_value_new_array(many, 11, &outer));
    for (i = 0; i < 9; i++) {
        char key[2] = { (char)('0' + i), '\0' };
        OK(kinfolk_keyvalue_set(phone, key, value));
    }
    FAILS(KINFOLK_QUOTA_EXCEEDED, kinfolk_keyvalue_set(phone, "9", value));
    SAME(synchronized(phone), "2:9 ");
    SAME(synchronized(phone), "");
    kinfolk_value_free(value);
    end_with_devices();
}

static void others_changes_are_reported_once(void) {
    begin_with_devices();
    SAME(synchronized(phone), "");
    set_text(tablet, "theme", "dark");
    set_text(phone, "own", "x");
    SAME(synchronized(phone), "0:theme ");
    SAME(synchronized(phone), "");
    SAME(synchronized(tablet), "1:own ");
    OK(kinfolk_keyvalue_remove(tablet, "theme"));
    kinfolk_keyvalue_free(phone);
    OK(kinfolk_session_keyvalue(phones, &phone));
    SAME(synchronized(phone), "0:theme ");
    end_with_devices();
}

/* ---- Callbacks */

typedef struct told {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    char text[1000];
    kinfolk_keyvalue *removes;
} told;

#define TOLD { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, "", NULL }

static void tell(const kinfolk_keyvalue_changes *changes, void *context) {
    told *told = context;
    if (told->removes != NULL) OK(kinfolk_keyvalue_on_change(told->removes, NULL, NULL));
    pthread_mutex_lock(&told->lock);
    strcat(told->text, described(changes));
    pthread_cond_broadcast(&told->changed);
    pthread_mutex_unlock(&told->lock);
}

/* Waits until the changes are these. The watchdog of the harness ends a wait that does not end. */
static void wait_for(told *told, const char *text) {
    pthread_mutex_lock(&told->lock);
    while (strcmp(told->text, text) != 0) pthread_cond_wait(&told->changed, &told->lock);
    pthread_mutex_unlock(&told->lock);
}

static void a_callback_is_told_of_others_changes_and_of_the_account(void) {
    told told = TOLD;
    kinfolk_keyvalue *nobodys = NULL;
    kinfolk_session *anonymous = NULL;
    begin_with_devices();
    OK(kinfolk_session_open_anonymous(notes, &anonymous));
    OK(kinfolk_session_keyvalue(anonymous, &nobodys));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_keyvalue_on_change(nobodys, tell, &told));
    kinfolk_keyvalue_free(nobodys);
    kinfolk_session_free(anonymous);
    SAME(synchronized(phone), "");
    OK(kinfolk_keyvalue_on_change(phone, tell, &told));
    set_text(tablet, "theme", "dark");
    wait_for(&told, "0:theme ");
    OK(kinfolk_account_suspend(ada));
    wait_for(&told, "0:theme 3:- ");
    OK(kinfolk_account_resume(ada));
    wait_for(&told, "0:theme 3:- 3:theme ");
    OK(kinfolk_keyvalue_on_change(phone, NULL, NULL));
    set_text(tablet, "size", "1");
    SAME(synchronized(phone), "0:size ");
    SAME(told.text, "0:theme 3:- 3:theme ");
    end_with_devices();
}

static void a_callback_can_remove_itself(void) {
    told told = TOLD;
    begin_with_devices();
    SAME(synchronized(phone), "");
    told.removes = phone;
    OK(kinfolk_keyvalue_on_change(phone, tell, &told));
    set_text(tablet, "theme", "dark");
    wait_for(&told, "0:theme ");
    set_text(tablet, "theme", "light");
    SAME(synchronized(phone), "0:theme ");
    SAME(told.text, "0:theme ");
    end_with_devices();
}

static void freeing_the_store_ends_the_callback(void) {
    told told = TOLD;
    int i;
    begin_with_devices();
    for (i = 0; i < 50; i++) {
        kinfolk_keyvalue *store = NULL;
        OK(kinfolk_session_keyvalue(phones, &store));
        OK(kinfolk_keyvalue_on_change(store, tell, &told));
        set_text(tablet, "theme", i % 2 ? "dark" : "light");
        kinfolk_keyvalue_free(store);
        pthread_mutex_lock(&told.lock);
        told.text[0] = '\0';
        pthread_mutex_unlock(&told.lock);
    }
    SAME(told.text, "");
    end_with_devices();
}

BEGIN
    RUN(keys_are_set_read_listed_and_removed);
    RUN(arrays_and_dictionaries_hold_values_of_all_types);
    RUN(values_are_refused_where_they_do_not_belong);
    RUN(depth_and_size_are_limited_and_a_full_store_is_reported);
    RUN(others_changes_are_reported_once);
    RUN(a_callback_is_told_of_others_changes_and_of_the_account);
    RUN(a_callback_can_remove_itself);
    RUN(freeing_the_store_ends_the_callback);
END
