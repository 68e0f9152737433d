/* Closing a service: when it returns, nothing of the store is left in this process, whatever was under way. */

#include "harness.h"
#include "children.h"
#include "people.h"

#include <dirent.h>
#include <pthread.h>

/* ---- What a process has of a store */

/* How many descriptors of files or watches of the test's folder, and of sockets, this process has open. */
static int descriptors(void) {
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *entry;
    char target[1300];
    ssize_t length;
    int count = 0;
    REQUIRE(folder != NULL);
    while ((entry = readdir(folder)) != NULL) {
        length = readlinkat(dirfd(folder), entry->d_name, target, sizeof target - 1);
        if (length < 0) continue;
        target[length] = '\0';
        count += strstr(target, harness.folder) != NULL || strncmp(target, "socket:", 7) == 0 ||
                 strstr(target, "inotify") != NULL;
    }
    closedir(folder);
    return count;
}

/* How many lines of a file in /proc hold a text. */
static int lines_with(const char *path, const char *text) {
    FILE *file = fopen(path, "r");
    char line[2000];
    int count = 0;
    REQUIRE(file != NULL);
    while (fgets(line, sizeof line, file) != NULL) count += strstr(line, text) != NULL;
    fclose(file);
    return count;
}

/* How many locks anybody has on the file of the store. The -shm is gone: only its name remains to be looked for. */
static int locks(void) {
    struct stat status;
    char place[40];
    if (harness_server() != NULL || stat(file_path("kinfolk.db"), &status) != 0) return 0;
    snprintf(place, sizeof place, ":%llu ", (unsigned long long)status.st_ino);
    return lines_with("/proc/locks", place);
}

/* The store must be as if it had never been opened: one file without a log, that this process has not open. */
static bool is_closed(int others) {
    const bool is_gone = descriptors() == others && lines_with("/proc/self/maps", harness.folder) == 0 && locks() == 0;
    return is_gone && !file_exists(file_path("kinfolk.db-wal")) && !file_exists(file_path("kinfolk.db-shm"));
}

/* ---- Work that is under way */

static kinfolk_service *service;
static kinfolk_container *notes;
static kinfolk_account *ada;
static kinfolk_session *session;
static kinfolk_database *database, *private_database;
static kinfolk_keyvalue *settings;
static kinfolk_contacts *contacts;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int steps;

static void step(void) {
    pthread_mutex_lock(&lock);
    steps++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static int steps_so_far(void) {
    int count;
    pthread_mutex_lock(&lock);
    count = steps;
    pthread_mutex_unlock(&lock);
    return count;
}

static void wait_for_step(int count) {
    pthread_mutex_lock(&lock);
    while (steps < count) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void open_all(void) {
    steps = 0;
    service = open_store();
    OK(kinfolk_container_open_or_create(service, NOTES, &notes, NULL));
    if (kinfolk_account_find_by_email(service, "ada@example.com", &ada) != KINFOLK_OK)
        ada = make_person(service, "Ada", "Lovelace", "ada@example.com");
    session = sign_in(notes, ada);
    OK(kinfolk_session_database(session, KINFOLK_DATABASE_PUBLIC, &database));
    OK(kinfolk_session_database(session, KINFOLK_DATABASE_PRIVATE, &private_database));
    OK(kinfolk_session_keyvalue(session, &settings));
    OK(kinfolk_contacts_new(&contacts));
}

static void free_handles(void) {
    kinfolk_contacts_free(contacts);
    kinfolk_keyvalue_free(settings);
    kinfolk_database_free(private_database);
    kinfolk_database_free(database);
    kinfolk_session_free(session);
    kinfolk_account_free(ada);
    kinfolk_container_free(notes);
}

static void count_account(void *context) {
    (void)context;
    step();
}

static bool count_notification(const kinfolk_notification *notification, void *context) {
    (void)notification, (void)context;
    step();
    return true;
}

static void count_keys(const kinfolk_keyvalue_changes *changes, void *context) {
    (void)changes, (void)context;
    step();
}

static kinfolk_status save_note(const char *name) {
    kinfolk_record *note = NULL;
    kinfolk_status status = kinfolk_record_new("Note", name, NULL, &note);
    if (status == KINFOLK_OK) status = kinfolk_record_set_string(note, "title", "Groceries");
    if (status == KINFOLK_OK) status = kinfolk_database_save(database, note, KINFOLK_SAVE_ALL_KEYS);
    kinfolk_record_free(note);
    return status;
}

/* Threads of the service that are at work: for observers, notifications and indexes. */
static void begin_work(int round) {
    char name[40];
    OK(kinfolk_session_on_account_changed(session, count_account, NULL));
    OK(kinfolk_session_on_notification(session, count_notification, NULL));
    OK(kinfolk_keyvalue_on_change(settings, count_keys, NULL));
    snprintf(name, sizeof name, "note%d", round % 7);
    OK(save_note(name));
    OK(kinfolk_zone_save(private_database, "Passing"));
    OK(kinfolk_zone_delete(private_database, "Passing")); /* its rows are removed by a thread */
    snprintf(name, sizeof name, "f%d", round / 5 % 40);
    if (round % 5 == 0)
        OK(kinfolk_schema_add_field(notes, "Note", name, KINFOLK_STRING, KINFOLK_INDEX_QUERYABLE));
    if (round % 5 == 4) OK(kinfolk_schema_remove_field(notes, "Note", name));
    OK(kinfolk_account_set_name(ada, "Ada", round % 2 == 0 ? "Lovelace" : "Byron"));
}

/* A thread of the program, whose calls must either succeed or fail because the service is closed. */
static void *use(void *context) {
    int *faults = context, i;
    for (i = 0;; i++) {
        kinfolk_notifications *found = NULL;
        kinfolk_status status;
        step();
        status = i % 3 == 0 ? save_note("note") : i % 3 == 1 ? kinfolk_account_set_name(ada, "Ada", "King")
                            : kinfolk_notifications_fetch(session, 0, 3600, &found);
        kinfolk_notifications_free(found);
        if (status == KINFOLK_OK) continue;
        if (status != KINFOLK_SERVICE_UNAVAILABLE || strstr(kinfolk_error_message(), "closed") == NULL) ++*faults;
        return NULL;
    }
}

static void close_with_work(int rounds) {
    int others = descriptors(), round;
    for (round = 0; round < rounds && harness.faults == 0; round++) {
        pthread_t threads[2];
        int faults[2] = { 0, 0 }, i;
        open_all();
        begin_work(round);
        for (i = 0; i < 2; i++) REQUIRE(pthread_create(&threads[i], NULL, use, &faults[i]) == 0);
        if (round % 2 == 0) wait_for_step(1 + round % 5);
        kinfolk_service_free(service);
        CHECK(is_closed(others));
        for (i = 0; i < 2; i++) {
            pthread_join(threads[i], NULL);
            EQUAL(faults[i], 0);
        }
        free_handles();
        CHECK(is_closed(others));
    }
}

static void nothing_of_a_store_is_left_when_its_service_is_closed_at_work(void) {
    const char *is_long = getenv("KINFOLK_TEST_LONG");
    close_with_work(is_long != NULL && strcmp(is_long, "1") == 0 ? 10000 : 200);
}

/* ---- Later calls */

static void later_calls_fail(void) {
    kinfolk_account *account = NULL;
    kinfolk_record *record = NULL, *own;
    kinfolk_identities *found = NULL;
    kinfolk_notifications *notifications = NULL;
    kinfolk_account_status status = (kinfolk_account_status)77;
    const char *id;
    open_all();
    own = own_record(session, KINFOLK_DATABASE_PUBLIC);
    kinfolk_service_close(service);
    kinfolk_service_close(service);
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_account_create(service, "", "", &account));
    CHECK(strstr(kinfolk_error_message(), "closed") != NULL);
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_account_suspend(ada));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_session_user_record_id(session, &id));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_database_fetch(database, "note", NULL, &record));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, save_note("note"));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_discover_email(session, "ada@example.com", &found));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_discover_contacts(session, contacts, NULL, 0, &found));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_notifications_fetch(session, 0, 3600, &notifications));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_session_on_account_changed(session, count_account, NULL));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_session_on_notification(session, count_notification, NULL));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_keyvalue_on_change(settings, count_keys, NULL));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_service_back_up(service, file_path("copy.db"), NULL, NULL));
    OK(kinfolk_session_account_status(session, &status));
    EQUAL(status, KINFOLK_ACCOUNT_COULD_NOT_DETERMINE);
    CHECK(kinfolk_record_name(own) != NULL); /* what a handle holds in memory can be read */
    kinfolk_record_free(own);
    kinfolk_service_free(service);
    free_handles();
    kinfolk_service_close(NULL);
}

static void a_closed_store_can_be_moved_and_opened_again(void) {
    kinfolk_account *found = NULL;
    open_all();
    begin_work(0);
    kinfolk_service_close(service);
    REQUIRE(rename(file_path("kinfolk.db"), file_path("moved.db")) == 0);
    kinfolk_service_free(service);
    service = open_with_key(file_path("moved.db"), file_path("kinfolk.key"));
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &found));
    kinfolk_account_free(found);
    kinfolk_service_free(service);
    free_handles();
}

/* ---- Several threads */

static void *close_it(void *context) {
    kinfolk_service_close(service);
    *(bool *)context = is_closed(0);
    return NULL;
}

static void each_of_several_closes_returns_when_the_service_is_closed(void) {
    int round;
    REQUIRE(descriptors() == 0);
    for (round = 0; round < 20; round++) {
        pthread_t threads[4];
        bool closed[4] = { false, false, false, false };
        int i;
        open_all();
        begin_work(round);
        for (i = 0; i < 4; i++) REQUIRE(pthread_create(&threads[i], NULL, close_it, &closed[i]) == 0);
        for (i = 0; i < 4; i++) {
            pthread_join(threads[i], NULL);
            CHECK(closed[i]);
        }
        kinfolk_service_free(service);
        free_handles();
    }
}

static kinfolk_status waiting_status;
static char waiting_message[300];

static void *wait_for_another_process(void *context) {
    (void)context;
    waiting_status = kinfolk_account_set_name(ada, "Ada", "King");
    snprintf(waiting_message, sizeof waiting_message, "%s", kinfolk_error_message());
    step();
    return NULL;
}

/* Another writer has the store. Neither the write that has begun nor the ones in the queue wait for it any longer. */
static void writes_that_wait_fail_when_the_service_is_closed(void) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    pthread_t threads[3];
    struct raw_store other;
    double start;
    int i;
    open_all();
    free_handles();
    kinfolk_service_free(service);
    options.wait = HARNESS_PATIENCE;
    OK(store_open(STORE, &options, &service));
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &ada));
    steps = 0;
    other = raw_open(STORE);
    raw_run(&other, "BEGIN IMMEDIATE");
    for (i = 0; i < 3; i++) REQUIRE(pthread_create(&threads[i], NULL, wait_for_another_process, NULL) == 0);
    pause_for(0.2); /* whatever they have done until now, they must end */
    start = seconds_now();
    kinfolk_service_close(service);
    CHECK(seconds_now() - start < HARNESS_PATIENCE / 2);
    for (i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    EQUAL(waiting_status, KINFOLK_SERVICE_UNAVAILABLE);
    CHECK(strstr(waiting_message, "closed") != NULL);
    raw_run(&other, "ROLLBACK");
    raw_close(&other);
    kinfolk_service_free(service);
    kinfolk_account_free(ada);
}

/* ---- Closing in a function that the library calls */

static void close_in_account(void *context) {
    kinfolk_service_close(context);
    step();
}

static bool close_in_notification(const kinfolk_notification *notification, void *context) {
    (void)notification;
    kinfolk_service_close(context);
    step();
    return true;
}

static void close_in_keys(const kinfolk_keyvalue_changes *changes, void *context) {
    (void)changes;
    kinfolk_service_close(context);
    step();
}

static kinfolk_subscription *all_notes(void) {
    kinfolk_subscription *subscription = NULL;
    kinfolk_query *query = NULL;
    OK(kinfolk_query_new("Note", "TRUEPREDICATE", &query));
    OK(kinfolk_subscription_new_query(query, KINFOLK_FIRES_ON_RECORD_CREATION | KINFOLK_FIRES_ON_RECORD_UPDATE, "all",
                                      &subscription));
    kinfolk_query_free(query);
    return subscription;
}

/* Functions on both threads of the service close it, at the same time, while other threads use it and close it too. */
static void functions_may_close_the_service_that_calls_them(void) {
    int others = descriptors(), round;
    for (round = 0; round < 30 && harness.faults == 0; round++) {
        kinfolk_subscription *subscription;
        kinfolk_session *other;
        kinfolk_keyvalue *same;
        kinfolk_database *theirs;
        kinfolk_value *value;
        open_all();
        OK(save_note("note"));
        subscription = all_notes();
        OK(kinfolk_subscription_save(database, subscription));
        kinfolk_subscription_free(subscription);
        other = sign_in(notes, ada);
        OK(kinfolk_session_keyvalue(other, &same));
        OK(kinfolk_session_database(other, KINFOLK_DATABASE_PUBLIC, &theirs));
        OK(kinfolk_value_new_string("dark", 4, &value));
        steps = 0;
        /* One of them may be called, and close the service, before the next is registered. */
        (void)kinfolk_session_on_account_changed(session, round % 3 == 1 ? count_account : close_in_account, service);
        (void)kinfolk_keyvalue_on_change(settings, round % 3 == 2 ? count_keys : close_in_keys, service);
        (void)kinfolk_session_on_notification(session, round % 2 == 0 ? count_notification : close_in_notification, service);
        {
            kinfolk_record *note = NULL;
            (void)kinfolk_account_set_name(ada, "Ada", round % 2 == 0 ? "Lovelace" : "Byron");
            (void)kinfolk_keyvalue_set(same, "theme", value);
            if (kinfolk_database_fetch(theirs, "note", NULL, &note) == KINFOLK_OK)
                (void)kinfolk_database_save(theirs, note, KINFOLK_SAVE_ALL_KEYS);
            kinfolk_record_free(note);
        }
        wait_for_step(1);
        if (round % 4 == 0) kinfolk_service_close(service);
        kinfolk_service_free(service);
        CHECK(is_closed(others));
        kinfolk_value_free(value);
        kinfolk_database_free(theirs);
        kinfolk_keyvalue_free(same);
        kinfolk_session_free(other);
        free_handles();
    }
}

static bool close_in_progress(uint64_t done, uint64_t total, void *context) {
    (void)done, (void)total;
    if (steps_so_far() == 0) kinfolk_service_close(context);
    step();
    return true;
}

static void a_progress_function_may_close_the_service(void) {
    kinfolk_check *check = NULL;
    int others = descriptors();
    open_all();
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_service_back_up(service, file_path("copy.db"), close_in_progress, service));
    CHECK(strstr(kinfolk_error_message(), "closed") != NULL);
    CHECK(is_closed(others) && !file_exists(file_path("copy.db")));
    kinfolk_service_free(service);
    free_handles();
    open_all();
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_service_check(service, close_in_progress, service, &check));
    CHECK(is_closed(others));
    CHECK(check == NULL);
    kinfolk_service_free(service);
    free_handles();
}

static bool close_between_steps(uint64_t done, uint64_t total, void *context) {
    (void)done, (void)total;
    step();
    kinfolk_service_close(context);
    return true;
}

static void a_copy_ends_when_its_service_is_closed(void) {
    int others = descriptors();
    open_all();
    steps = 0;
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_service_copy(service, file_path("copy.db"), close_between_steps, service));
    CHECK(strstr(kinfolk_error_message(), "closed") != NULL);
    EQUAL(steps_so_far(), 1);
    CHECK(is_closed(others));
    kinfolk_service_free(service);
    free_handles();
}

static kinfolk_service *both[2];

/* Called in a transaction of one service; another thread is in one of the other service. */
static bool close_both(uint64_t done, uint64_t total, void *context) {
    bool *is_first = context;
    (void)done, (void)total;
    if (*is_first) {
        *is_first = false;
        step();
        wait_for_step(2);
        kinfolk_service_close(both[0]);
        kinfolk_service_close(both[1]);
    }
    return true;
}

static void *check_and_close_both(void *context) {
    bool is_first = true;
    kinfolk_check *check = NULL;
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_service_check(context, close_both, &is_first, &check));
    return NULL;
}

static void functions_in_transactions_of_two_services_may_close_both(void) {
    int others = descriptors(), i;
    pthread_t threads[2];
    open_all();
    free_handles();
    both[0] = service;
    OK(kinfolk_service_open(file_path("second.db"), NULL, &both[1]));
    steps = 0;
    for (i = 0; i < 2; i++) REQUIRE(pthread_create(&threads[i], NULL, check_and_close_both, both[i]) == 0);
    for (i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    CHECK(is_closed(others));
    for (i = 0; i < 2; i++) kinfolk_service_free(both[i]);
}

static bool was_closed_inside;

/* Another thread closes the service by now, and waits for this function until it closes the service too. */
static void close_beside_another_thread(void *context) {
    kinfolk_account *account = NULL;
    step();
    while (kinfolk_account_find_by_email(context, "ada@example.com", &account) == KINFOLK_OK) {
        kinfolk_account_free(account);
        pause_for(0.01);
    }
    kinfolk_service_close(context);
    was_closed_inside = is_closed(0);
}

static void a_function_may_close_the_service_that_another_thread_closes(void) {
    REQUIRE(descriptors() == 0);
    open_all();
    steps = 0;
    OK(kinfolk_session_on_account_changed(session, close_beside_another_thread, service));
    OK(kinfolk_account_suspend(ada));
    wait_for_step(1);
    kinfolk_service_close(service);
    CHECK(was_closed_inside);
    CHECK(is_closed(0));
    kinfolk_service_free(service);
    free_handles();
}

/* ---- Forks */

static void close_inherited(void) {
    kinfolk_service_close(service); /* must not wait for threads that do not exist here */
    kinfolk_service_free(service);
    free_handles();
}

static void closing_in_a_forked_child_does_not_affect_the_parent(void) {
    open_all();
    begin_work(0);
    in_child(close_inherited);
    OK(save_note("after"));
    kinfolk_service_close(service);
    in_child(close_inherited);
    kinfolk_service_free(service);
    free_handles();
}

BEGIN
    RUN_ON_FILES(nothing_of_a_store_is_left_when_its_service_is_closed_at_work);
    RUN(later_calls_fail);
    RUN_ON_FILES(a_closed_store_can_be_moved_and_opened_again);
    RUN_ON_FILES(each_of_several_closes_returns_when_the_service_is_closed);
    RUN_ON_FILES(writes_that_wait_fail_when_the_service_is_closed);
    RUN_ON_FILES(functions_may_close_the_service_that_calls_them);
    RUN_ON_FILES(a_progress_function_may_close_the_service);
    RUN_ON_FILES(a_copy_ends_when_its_service_is_closed);
    RUN_ON_FILES(functions_in_transactions_of_two_services_may_close_both);
    RUN_ON_FILES(a_function_may_close_the_service_that_another_thread_closes);
    RUN(closing_in_a_forked_child_does_not_affect_the_parent);
END
