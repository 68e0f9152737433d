/* Notifications: how they reach a device, by a call or a callback, and when they are delivered again. */

#include "harness.h"
#include "children.h"
#include "people.h"
#include "two_people.h"
#include "notes.h"

#include <pthread.h>

/* ---- The people of these tests: Ada's telephone receives what Grace, or another device of Ada's, does. */

static kinfolk_session *phone;

static kinfolk_session *open_on(const char *device) {
    kinfolk_session *session = NULL;
    OK(kinfolk_session_open_on_device(notes, ada, device, &session));
    return session;
}

static void begin_with_phone(void) {
    begin();
    OK(kinfolk_schema_add_field(notes, "Note", "number", KINFOLK_INT64, KINFOLK_INDEX_STANDARD));
    OK(kinfolk_schema_add_field(notes, "Note", "title", KINFOLK_STRING, KINFOLK_INDEX_STANDARD));
    phone = open_on("phone");
}

static void end_with_phone(void) {
    kinfolk_session_free(phone);
    end();
}

static void subscribe_to(const kinfolk_database *database, const char *predicate, uint32_t options, const char *id) {
    static const char *const keys[] = { "number", "title" }, *const title[] = { "title" };
    kinfolk_query *query = NULL;
    kinfolk_subscription *subscription = NULL;
    OK(kinfolk_query_new("Note", predicate, &query));
    OK(kinfolk_subscription_new_query(query, options, id, &subscription));
    OK(kinfolk_subscription_set_list(subscription, KINFOLK_INFO_DESIRED_KEYS, keys, 2));
    OK(kinfolk_subscription_set_list(subscription, KINFOLK_INFO_ALERT_LOCALIZATION_ARGS, title, 1));
    OK(kinfolk_subscription_set_text(subscription, KINFOLK_INFO_ALERT_LOCALIZATION_KEY, "NEW_NOTE"));
    OK(kinfolk_subscription_set_flag(subscription, KINFOLK_INFO_SHOULD_BADGE, true));
    OK(kinfolk_subscription_save(database, subscription));
    kinfolk_subscription_free(subscription);
    kinfolk_query_free(query);
}

#define ALL_EVENTS                                                                                                    \
    (KINFOLK_FIRES_ON_RECORD_CREATION | KINFOLK_FIRES_ON_RECORD_UPDATE | KINFOLK_FIRES_ON_RECORD_DELETION)

/* Makes a note or changes it. */
static void put(const kinfolk_database *database, const char *name, int64_t number, const char *title) {
    kinfolk_record *note = new_note(name, number);
    if (title != NULL) OK(kinfolk_record_set_string(note, "title", title));
    OK(kinfolk_database_save(database, note, KINFOLK_SAVE_ALL_KEYS));
    kinfolk_record_free(note);
}

/* ---- Fetching */

/* The names of the records of the notifications that wait, or come within some seconds, with a space after each. The last one is
 * acknowledged if asked for. */
static const char *names_of(const kinfolk_session *session, double seconds, bool acknowledges) {
    static char names[4000];
    kinfolk_notifications *list = NULL;
    size_t count, i;
    names[0] = '\0';
    OK(kinfolk_notifications_fetch(session, 0, seconds, &list));
    count = kinfolk_notifications_count(list);
    for (i = 0; i < count; i++) {
        kinfolk_notification *each = NULL;
        const char *name;
        const uint8_t *id;
        size_t length;
        OK(kinfolk_notifications_notification(list, i, &each));
        name = kinfolk_notification_record_name(each);
        strcat(strcat(names, name == NULL ? "-" : name), " ");
        OK(kinfolk_notification_id(each, &id, &length));
        CHECK(length >= 1 && length <= 256);
        if (acknowledges && i == count - 1) OK(kinfolk_notifications_acknowledge(session, id, length));
        kinfolk_notification_free(each);
    }
    kinfolk_notifications_free(list);
    return names;
}

/* The one notification that comes. */
static kinfolk_notification *next_of(const kinfolk_session *session) {
    kinfolk_notifications *list = NULL;
    kinfolk_notification *found = NULL, *none = NULL;
    OK(kinfolk_notifications_fetch(session, 1, 60, &list));
    EQUAL(kinfolk_notifications_count(list), 1);
    OK(kinfolk_notifications_notification(list, 0, &found));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_notifications_notification(list, 1, &none));
    CHECK(none == NULL);
    kinfolk_notifications_free(list); /* the notification does not need it */
    return found;
}

static void acknowledge(const kinfolk_session *session, const kinfolk_notification *notification) {
    const uint8_t *id = NULL;
    size_t length = 0;
    OK(kinfolk_notification_id(notification, &id, &length));
    OK(kinfolk_notifications_acknowledge(session, id, length));
}

static int64_t number_in(const kinfolk_notification *notification) {
    kinfolk_value *value = NULL;
    const int64_t *numbers = NULL;
    int64_t number = MISSING;
    size_t count = 0;
    if (kinfolk_notification_get_value(notification, "number", &value) != KINFOLK_OK) return MISSING;
    OK(kinfolk_value_get_int64s(value, &numbers, &count));
    if (count == 1) number = numbers[0];
    kinfolk_value_free(value);
    return number;
}

static void a_notification_tells_of_the_record(void) {
    kinfolk_notification *found;
    kinfolk_value *value = NULL;
    const char *const *texts;
    size_t count;
    begin_with_phone();
    subscribe_to(by_ada, "number >= 3", ALL_EVENTS, "notes");
    put(by_grace, "low", 2, NULL);
    put(by_grace, "high", 3, "Roses");
    found = next_of(phone);
    EQUAL(kinfolk_notification_kind(found), KINFOLK_NOTIFICATION_QUERY);
    EQUAL(kinfolk_notification_database(found), KINFOLK_DATABASE_PUBLIC);
    SAME(kinfolk_notification_subscription_id(found), "notes");
    EQUAL(kinfolk_notification_reason(found), KINFOLK_REASON_RECORD_CREATED);
    SAME(kinfolk_notification_record_name(found), "high");
    SAME(kinfolk_notification_record_type(found), "Note");
    SAME(kinfolk_notification_zone(found), "_defaultZone");
    EQUAL(kinfolk_notification_field_count(found), 2);
    SAME(kinfolk_notification_field_name(found, 0), "number");
    SAME(kinfolk_notification_field_name(found, 1), "title");
    CHECK(kinfolk_notification_field_name(found, 2) == NULL);
    EQUAL(number_in(found), 3);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_notification_get_value(found, "color", &value));
    SAME(kinfolk_notification_text(found, KINFOLK_INFO_ALERT_LOCALIZATION_KEY), "NEW_NOTE");
    SAME(kinfolk_notification_text(found, KINFOLK_INFO_ALERT_BODY), "");
    CHECK(kinfolk_notification_flag(found, KINFOLK_INFO_SHOULD_BADGE));
    CHECK(!kinfolk_notification_flag(found, KINFOLK_INFO_SHOULD_SEND_MUTABLE_CONTENT));
    OK(kinfolk_notification_get_list(found, KINFOLK_INFO_ALERT_LOCALIZATION_ARGS, &value));
    OK(kinfolk_value_get_strings(value, &texts, NULL, &count));
    CHECK(count == 1);
    SAME(texts[0], "Roses");
    kinfolk_value_free(value);
    acknowledge(phone, found);
    kinfolk_notification_free(found);

    put(by_grace, "high", 4, NULL);
    found = next_of(phone);
    EQUAL(kinfolk_notification_reason(found), KINFOLK_REASON_RECORD_UPDATED);
    EQUAL(number_in(found), 4);
    acknowledge(phone, found);
    kinfolk_notification_free(found);

    OK(kinfolk_database_delete(by_grace, "high", NULL, NULL, NULL));
    found = next_of(phone);
    EQUAL(kinfolk_notification_reason(found), KINFOLK_REASON_RECORD_DELETED);
    SAME(kinfolk_notification_record_name(found), "high");
    EQUAL(kinfolk_notification_field_count(found), 0);
    acknowledge(phone, found);
    kinfolk_notification_free(found);
    SAME(names_of(phone, 0, false), "");
    end_with_phone();
}

static void zones_and_databases_notify_other_devices(void) {
    kinfolk_subscription *zone = NULL, *all = NULL;
    kinfolk_notification *found;
    kinfolk_record *note = NULL;
    begin_with_phone();
    OK(kinfolk_zone_save(private_of_ada, "Notes"));
    OK(kinfolk_subscription_new_zone("Notes", "zone", &zone));
    OK(kinfolk_subscription_save(private_of_ada, zone));
    OK(kinfolk_record_new("Note", "first", "Notes", &note));
    OK(kinfolk_database_save(private_of_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    found = next_of(phone);
    EQUAL(kinfolk_notification_kind(found), KINFOLK_NOTIFICATION_ZONE);
    EQUAL(kinfolk_notification_database(found), KINFOLK_DATABASE_PRIVATE);
    SAME(kinfolk_notification_subscription_id(found), "zone");
    SAME(kinfolk_notification_zone(found), "Notes");
    CHECK(kinfolk_notification_record_name(found) == NULL && kinfolk_notification_record_type(found) == NULL);
    EQUAL(kinfolk_notification_reason(found), 0);
    acknowledge(phone, found);
    kinfolk_notification_free(found);
    OK(kinfolk_subscription_delete(private_of_ada, "zone"));

    OK(kinfolk_subscription_new_database("all", &all));
    OK(kinfolk_subscription_save(private_of_ada, all));
    OK(kinfolk_database_save(private_of_ada, note, KINFOLK_SAVE_ALL_KEYS));
    found = next_of(phone);
    EQUAL(kinfolk_notification_kind(found), KINFOLK_NOTIFICATION_DATABASE);
    SAME(kinfolk_notification_subscription_id(found), "all");
    CHECK(kinfolk_notification_zone(found) == NULL);
    kinfolk_notification_free(found);
    kinfolk_subscription_free(zone);
    kinfolk_subscription_free(all);
    kinfolk_record_free(note);
    end_with_phone();
}

static void a_notification_comes_again_until_it_is_acknowledged(void) {
    kinfolk_notification *first;
    begin_with_phone();
    subscribe_to(by_ada, NULL, KINFOLK_FIRES_ON_RECORD_CREATION, "notes");
    put(by_grace, "a", 1, NULL);
    put(by_grace, "b", 2, NULL);
    put(by_grace, "c", 3, NULL);
    first = next_of(phone);
    SAME(kinfolk_notification_record_name(first), "a");
    while (strcmp(names_of(phone, 60, false), "a b c ") != 0) pause_for(0.02);
    kinfolk_session_free(phone);
    phone = open_on("phone");
    SAME(names_of(phone, 60, false), "a b c ");
    acknowledge(phone, first);
    kinfolk_notification_free(first);
    SAME(names_of(phone, 60, true), "b c ");
    SAME(names_of(phone, 0, false), "");
    end_with_phone();
}

static void an_id_of_another_user_is_refused(void) {
    kinfolk_notification *found;
    kinfolk_notifications *list = NULL;
    kinfolk_session *anonymous = NULL;
    uint8_t bytes[257] = { 1 };
    const uint8_t *id;
    size_t length;
    begin_with_phone();
    subscribe_to(by_ada, NULL, KINFOLK_FIRES_ON_RECORD_CREATION, "notes");
    put(by_grace, "a", 1, NULL);
    found = next_of(phone);
    OK(kinfolk_notification_id(found, &id, &length));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_notifications_acknowledge(graces, id, length));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_notifications_acknowledge(phone, id, length - 1));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_notifications_acknowledge(phone, NULL, 0));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_notifications_acknowledge(phone, bytes, 257));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_notifications_fetch(phone, 401, 0, &list));
    OK(kinfolk_session_open_anonymous(notes, &anonymous));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_notifications_fetch(anonymous, 0, 0, &list));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_notifications_acknowledge(anonymous, id, length));
    CHECK(list == NULL);
    SAME(names_of(phone, 0, false), "a ");
    kinfolk_notification_free(found);
    kinfolk_session_free(anonymous);
    end_with_phone();
}

static void a_wait_has_any_number_of_seconds(void) {
    double before;
    begin_with_phone();
    subscribe_to(by_ada, NULL, KINFOLK_FIRES_ON_RECORD_CREATION, "notes");
    before = seconds_now();
    SAME(names_of(phone, 0.3, false), "");
    CHECK(seconds_now() - before >= 0.3);
    SAME(names_of(phone, -1, false), "");
    SAME(names_of(phone, 1e-300, false), "");
    end_with_phone();
}

/* ---- Callbacks */

/* What a callback was told, which other threads can wait for. */
struct told {
    pthread_mutex_t lock;
    pthread_cond_t raised;
    int times, refusals; /* how many notifications are refused before one is accepted */
    char names[1000];
    kinfolk_session *session;
    kinfolk_service *service; /* which is then freed */
    bool unregister, release, reads;
};

#define TOLD_INIT { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, "", NULL, NULL, false, false, false }

static bool tell(const kinfolk_notification *notification, void *context) {
    struct told *told = context;
    const char *name = kinfolk_notification_record_name(notification);
    bool is_handled;
    if (told->unregister) kinfolk_session_on_notification(told->session, NULL, NULL);
    if (told->release) kinfolk_session_free(told->session);
    kinfolk_service_free(told->service);
    if (told->reads) {
        kinfolk_devices *devices = NULL;
        if (kinfolk_session_devices(told->session, &devices) != KINFOLK_OK) abort();
        kinfolk_devices_free(devices);
    }
    pthread_mutex_lock(&told->lock);
    told->times++;
    is_handled = told->refusals-- <= 0;
    if (strlen(told->names) < sizeof told->names - 300) strcat(strcat(told->names, name == NULL ? "-" : name), " ");
    pthread_cond_broadcast(&told->raised);
    pthread_mutex_unlock(&told->lock);
    return is_handled;
}

static int times(struct told *told) {
    int times;
    pthread_mutex_lock(&told->lock);
    times = told->times;
    pthread_mutex_unlock(&told->lock);
    return times;
}

/* Waits up to a minute until the function was called so often. */
static bool is_told(struct told *told, int wanted) {
    struct timespec until;
    bool is_enough;
    int status = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 60;
    pthread_mutex_lock(&told->lock);
    while (told->times < wanted && status == 0) status = pthread_cond_timedwait(&told->raised, &told->lock, &until);
    is_enough = told->times >= wanted;
    pthread_mutex_unlock(&told->lock);
    return is_enough;
}

static void a_callback_gets_what_waits_and_what_comes(void) {
    struct told told = TOLD_INIT;
    begin_with_phone();
    subscribe_to(by_ada, NULL, KINFOLK_FIRES_ON_RECORD_CREATION, "notes");
    put(by_grace, "a", 1, NULL);
    told.session = phone;
    told.reads = true;
    OK(kinfolk_session_on_notification(phone, tell, &told));
    CHECK(is_told(&told, 1));
    put(by_grace, "b", 2, NULL);
    CHECK(is_told(&told, 2));
    OK(kinfolk_session_on_notification(phone, NULL, NULL));
    OK(kinfolk_session_on_notification(phone, NULL, NULL));
    SAME(told.names, "a b ");
    put(by_grace, "c", 3, NULL);
    SAME(names_of(phone, 60, false), "c "); /* the others were acknowledged */
    EQUAL(times(&told), 2);
    end_with_phone();
}

static void a_refused_notification_is_delivered_again(void) {
    struct told told = TOLD_INIT;
    begin_with_phone();
    told.refusals = 2;
    subscribe_to(by_ada, NULL, KINFOLK_FIRES_ON_RECORD_CREATION, "notes");
    OK(kinfolk_session_on_notification(phone, tell, &told));
    put(by_grace, "a", 1, NULL);
    put(by_grace, "b", 2, NULL);
    CHECK(is_told(&told, 4));
    OK(kinfolk_session_on_notification(phone, NULL, NULL));
    SAME(told.names, "a a a b ");
    SAME(names_of(phone, 0, false), "");
    end_with_phone();
}

static void a_new_callback_replaces_the_one_before(void) {
    struct told first = TOLD_INIT, told = TOLD_INIT;
    begin_with_phone();
    subscribe_to(by_ada, NULL, KINFOLK_FIRES_ON_RECORD_CREATION, "notes");
    OK(kinfolk_session_on_notification(phone, tell, &first));
    OK(kinfolk_session_on_notification(phone, tell, &told));
    put(by_grace, "a", 1, NULL);
    CHECK(is_told(&told, 1));
    EQUAL(times(&first), 0);
    end_with_phone();
}

static void a_callback_can_remove_itself(void) {
    struct told unregisters = TOLD_INIT, frees = TOLD_INIT, told = TOLD_INIT;
    begin_with_phone();
    subscribe_to(by_ada, NULL, KINFOLK_FIRES_ON_RECORD_CREATION, "notes");
    unregisters.session = open_on("watch");
    unregisters.unregister = true;
    frees.session = open_on("tablet");
    frees.release = true;
    OK(kinfolk_session_on_notification(unregisters.session, tell, &unregisters));
    OK(kinfolk_session_on_notification(frees.session, tell, &frees));
    OK(kinfolk_session_on_notification(phone, tell, &told));
    put(by_grace, "a", 1, NULL);
    CHECK(is_told(&told, 1) && is_told(&unregisters, 1) && is_told(&frees, 1));
    put(by_grace, "b", 2, NULL);
    CHECK(is_told(&told, 2));
    put(by_grace, "c", 3, NULL);
    CHECK(is_told(&told, 3));
    EQUAL(times(&unregisters), 1);
    EQUAL(times(&frees), 1);
    while (strcmp(names_of(unregisters.session, 60, false), "b c ") != 0) continue; /* the first one was acknowledged */
    kinfolk_session_free(unregisters.session);
    end_with_phone();
}

static void a_callback_can_free_the_service(void) {
    struct told told = TOLD_INIT;
    begin_with_phone();
    subscribe_to(by_ada, NULL, KINFOLK_FIRES_ON_RECORD_CREATION, "notes");
    put(by_grace, "a", 1, NULL);
    SAME(names_of(phone, 60, false), "a ");
    told.session = phone;
    told.release = true;
    told.service = service;
    kinfolk_database_free(by_ada);
    kinfolk_database_free(by_grace);
    kinfolk_database_free(private_of_ada);
    kinfolk_session_free(adas);
    kinfolk_session_free(graces);
    service = NULL;
    free_two_people();
    OK(kinfolk_session_on_notification(phone, tell, &told));
    CHECK(is_told(&told, 1));
    CHECK(store_is_closed());
    EQUAL(times(&told), 1);
}

static void freeing_the_session_removes_the_callback(void) {
    struct told told[20];
    int round, before[20];
    char name[20];
    begin_with_phone();
    subscribe_to(by_ada, NULL, KINFOLK_FIRES_ON_RECORD_CREATION, "notes");
    for (round = 0; round < 20; round++) { /* while a notification is on its way */
        kinfolk_session *another = open_on("another");
        memset(&told[round], 0, sizeof told[round]);
        REQUIRE(pthread_mutex_init(&told[round].lock, NULL) == 0 && pthread_cond_init(&told[round].raised, NULL) == 0);
        OK(kinfolk_session_on_notification(another, tell, &told[round]));
        snprintf(name, sizeof name, "note%d", round);
        put(by_grace, name, round, NULL);
        kinfolk_session_free(another);
        before[round] = times(&told[round]);
    }
    while (strstr(names_of(phone, 60, false), "note19 ") == NULL) continue;
    for (round = 0; round < 20; round++) EQUAL(times(&told[round]), before[round]);
    end_with_phone();
}

/* Threads that register and remove callbacks, and free sessions, while others save notes. */

enum { THREADS = 4 };

struct worker {
    pthread_t thread;
    int number;
    double until;
    kinfolk_status failed; /* KINFOLK_OK, or the first failure */
    struct told *told;
};

static bool went_well(struct worker *worker, kinfolk_status status) {
    if (status != KINFOLK_OK && worker->failed == KINFOLK_OK) worker->failed = status;
    return status == KINFOLK_OK;
}

static void *come_and_go(void *context) {
    struct worker *worker = context;
    char name[40];
    int round;
    for (round = 0; seconds_now() < worker->until && worker->failed == KINFOLK_OK; round++) {
        kinfolk_session *session = NULL;
        kinfolk_record *note = NULL;
        if (worker->number % 2 == 0) {
            snprintf(name, sizeof name, "note%d.%d", worker->number, round % 50);
            if (went_well(worker, kinfolk_record_new("Note", name, NULL, &note)))
                went_well(worker, kinfolk_database_save(by_grace, note, KINFOLK_SAVE_ALL_KEYS));
            kinfolk_record_free(note);
            continue;
        }
        if (!went_well(worker, kinfolk_session_open_on_device(notes, ada, round % 4 < 2 ? "one" : "two", &session))) break;
        went_well(worker, kinfolk_session_on_notification(session, tell, worker->told));
        pause_for(round % 3 * 0.002);
        if (round % 2 == 0) went_well(worker, kinfolk_session_on_notification(session, NULL, NULL));
        kinfolk_session_free(session);
    }
    return NULL;
}

static void callbacks_come_and_go_while_records_are_saved(void) {
    struct told told = TOLD_INIT;
    struct worker workers[THREADS];
    int i, before;
    begin_with_phone();
    subscribe_to(by_ada, NULL, KINFOLK_FIRES_ON_RECORD_CREATION | KINFOLK_FIRES_ON_RECORD_UPDATE, "notes");
    for (i = 0; i < THREADS; i++) {
        workers[i].number = i;
        workers[i].until = seconds_now() + 3;
        workers[i].failed = KINFOLK_OK;
        workers[i].told = &told;
        REQUIRE(pthread_create(&workers[i].thread, NULL, come_and_go, &workers[i]) == 0);
    }
    for (i = 0; i < THREADS; i++) {
        REQUIRE(pthread_join(workers[i].thread, NULL) == 0);
        EQUAL(workers[i].failed, KINFOLK_OK);
    }
    /* How many were told while the callbacks came and went depends on the machine. */
    before = times(&told);
    put(by_grace, "last", 0, NULL);
    while (strstr(names_of(phone, 60, true), "last ") == NULL) continue;
    EQUAL(times(&told), before);
    end_with_phone();
    CHECK(store_is_closed());
}

/* The last handle is freed while a thread of the service makes notifications. */
static void a_store_closes_while_its_notifications_are_made(void) {
    int round;
    begin_with_phone();
    subscribe_to(by_ada, NULL, KINFOLK_FIRES_ON_RECORD_CREATION | KINFOLK_FIRES_ON_RECORD_UPDATE, "notes");
    end_with_phone();
    for (round = 0; round < 60 && harness.faults == 0; round++) {
        service = open_store();
        OK(kinfolk_container_open(service, NOTES, &notes));
        OK(kinfolk_account_find_by_email(service, "grace@example.com", &grace));
        graces = sign_in(notes, grace);
        by_grace = open_database(graces, KINFOLK_DATABASE_PUBLIC);
        put(by_grace, "a", round, NULL);
        pause_for(round % 30 * 0.001);
        kinfolk_database_free(by_grace);
        kinfolk_session_free(graces);
        kinfolk_account_free(grace);
        kinfolk_container_free(notes);
        kinfolk_service_free(service);
        CHECK(store_is_closed());
    }
}

static void an_anonymous_session_cannot_register_a_callback(void) {
    struct told told = TOLD_INIT;
    kinfolk_session *anonymous = NULL;
    begin_with_phone();
    OK(kinfolk_session_open_anonymous(notes, &anonymous));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_on_notification(anonymous, tell, &told));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_on_notification(anonymous, NULL, NULL));
    kinfolk_session_free(anonymous);
    end_with_phone();
}

/* ---- Other processes */

/* What another program does: it opens the store, saves a note as Grace, and ends. */
static void save_as_grace(void) {
    kinfolk_service *other = open_store();
    kinfolk_container *container = NULL;
    kinfolk_account *account = NULL;
    kinfolk_session *session = NULL;
    kinfolk_database *database;
    OK(kinfolk_container_open(other, NOTES, &container));
    OK(kinfolk_account_find_by_email(other, "grace@example.com", &account));
    session = sign_in(container, account);
    database = open_database(session, KINFOLK_DATABASE_PUBLIC);
    put(database, "child", 7, "From elsewhere");
    kinfolk_database_free(database);
    kinfolk_session_free(session);
    kinfolk_account_free(account);
    kinfolk_container_free(container);
    kinfolk_service_free(other);
}

/* The same, once the parent says so by a file. */
static void wait_and_save_as_grace(void) {
    while (!file_exists(file_path("go"))) pause_for(0.01);
    save_as_grace();
}

static void what_another_process_saves_calls_the_callback(void) {
    struct told told = TOLD_INIT;
    pid_t child = start_child(wait_and_save_as_grace); /* before a service is open here, as another program */
    begin_with_phone();
    subscribe_to(by_ada, NULL, KINFOLK_FIRES_ON_RECORD_CREATION, "notes");
    OK(kinfolk_session_on_notification(phone, tell, &told));
    write_file(file_path("go"), "", 0);
    CHECK(is_told(&told, 1));
    finish_child(child);
    SAME(told.names, "child ");
    end_with_phone();
}

static struct told inherited_told = TOLD_INIT;
static kinfolk_notifications *inherited_list;
static kinfolk_subscription *inherited_subscription;

static void use_inherited_handles(void) {
    kinfolk_notifications *list = NULL;
    kinfolk_notification *notification = NULL;
    kinfolk_devices *devices = NULL;
    const uint8_t *id;
    size_t length;
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_notifications_fetch(phone, 0, 60, &list));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_session_on_notification(phone, tell, &inherited_told));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_session_on_notification(phone, NULL, NULL));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_session_devices(phone, &devices));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_subscription_save(by_ada, inherited_subscription));
    OK(kinfolk_notifications_notification(inherited_list, 0, &notification)); /* what is in memory can be read */
    SAME(kinfolk_notification_record_name(notification), "a");
    OK(kinfolk_notification_id(notification, &id, &length));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_notifications_acknowledge(phone, id, length));
    SAME(kinfolk_subscription_id(inherited_subscription), "inherited");
    kinfolk_notification_free(notification);
    kinfolk_notifications_free(inherited_list);
    kinfolk_subscription_free(inherited_subscription);
    end_with_phone();
}

static void a_child_cannot_use_inherited_handles_and_does_not_disturb_the_parent(void) {
    begin_with_phone();
    subscribe_to(by_ada, NULL, KINFOLK_FIRES_ON_RECORD_CREATION, "notes");
    OK(kinfolk_subscription_new_database("inherited", &inherited_subscription));
    put(by_grace, "a", 1, NULL);
    OK(kinfolk_notifications_fetch(phone, 0, 60, &inherited_list));
    OK(kinfolk_session_on_notification(phone, tell, &inherited_told));
    CHECK(is_told(&inherited_told, 1));
    in_child(use_inherited_handles);
    put(by_grace, "b", 2, NULL);
    CHECK(is_told(&inherited_told, 2));
    SAME(inherited_told.names, "a b ");
    kinfolk_notifications_free(inherited_list);
    kinfolk_subscription_free(inherited_subscription);
    end_with_phone();
}

BEGIN
    RUN(a_notification_tells_of_the_record);
    RUN(zones_and_databases_notify_other_devices);
    RUN(a_notification_comes_again_until_it_is_acknowledged);
    RUN(an_id_of_another_user_is_refused);
    RUN(a_wait_has_any_number_of_seconds);
    RUN(a_callback_gets_what_waits_and_what_comes);
    RUN(a_refused_notification_is_delivered_again);
    RUN(a_new_callback_replaces_the_one_before);
    RUN(a_callback_can_remove_itself);
    RUN(a_callback_can_free_the_service);
    RUN(freeing_the_session_removes_the_callback);
    RUN(callbacks_come_and_go_while_records_are_saved);
    RUN(a_store_closes_while_its_notifications_are_made);
    RUN(an_anonymous_session_cannot_register_a_callback);
    RUN(what_another_process_saves_calls_the_callback);
    RUN(a_child_cannot_use_inherited_handles_and_does_not_disturb_the_parent);
END
