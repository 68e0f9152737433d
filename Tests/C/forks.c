/* Forking while a service is open: inherited handles fail in the child, a new service works there, and the parent continues. */

#include "harness.h"
#include "children.h"
#include "people.h"

#include <dirent.h>
#include <pthread.h>

static kinfolk_service *service;
static kinfolk_container *notes;
static kinfolk_account *ada;
static kinfolk_session *session;
static kinfolk_record *record;
static kinfolk_contacts *contacts;
static kinfolk_identities *identities;

static void ignore(void *context) {
    (void)context;
}

static void begin(void) {
    service = open_store();
    notes = make_container(service, NOTES);
    ada = make_person(service, "Ada", "Lovelace", "ada@example.com");
    session = sign_in(notes, ada);
    OK(kinfolk_session_on_account_changed(session, ignore, NULL)); /* makes threads, which the child loses */
    record = own_record(session, KINFOLK_DATABASE_PUBLIC);
    OK(kinfolk_record_set_string(record, "city", "London"));
    OK(kinfolk_contacts_new(&contacts));
    OK(kinfolk_contacts_add_email(contacts, "grace@example.com", NULL));
    OK(kinfolk_discover_contacts(session, contacts, NULL, 0, &identities));
}

static void free_all(void) {
    kinfolk_service_free(service);
    kinfolk_container_free(notes);
    kinfolk_account_free(ada);
    kinfolk_session_free(session);
    kinfolk_record_free(record);
    kinfolk_contacts_free(contacts);
    kinfolk_identities_free(identities);
}

/* The parent's handles must still work. */
static void go_on(const char *email) {
    kinfolk_account *another = make_person(service, "Some", "Body", email), *found = NULL;
    OK(kinfolk_account_find_by_email(service, email, &found));
    OK(kinfolk_record_set_string(record, "last", email));
    OK(kinfolk_record_save(session, record, KINFOLK_SAVE_ALL_KEYS));
    kinfolk_account_free(another);
    kinfolk_account_free(found);
}

static void try_inherited_handles(void) {
    kinfolk_account *account = NULL;
    kinfolk_container *container = NULL;
    kinfolk_session *another = NULL;
    kinfolk_record *fetched = NULL;
    kinfolk_identities *found = NULL;
    kinfolk_emails *emails = NULL;
    kinfolk_audit *audit = NULL;
    kinfolk_blocked *blocked = NULL;
    kinfolk_account_status status = (kinfolk_account_status)77;
    kinfolk_discoverability discoverability;
    char *text = NULL;
    bool suspended;
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_account_create(service, "", "", &account));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_account_find_by_email(service, "ada@example.com", &account));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_account_open(service, kinfolk_account_id(ada), &account));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_account_get_name(ada, &text, NULL));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_account_set_name(ada, "", ""));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_account_emails(ada, &emails));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_account_is_suspended(ada, &suspended));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_account_suspend(ada));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_account_export(ada, &text));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_account_erase(ada, NULL));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_container_create(service, GAMES, &container));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_container_open(service, NOTES, &container));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_container_set_permits(notes, 3, 1, 3));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_container_find_account(notes, NOBODY, "reason", &account));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_container_block(notes, NOBODY, kinfolk_record_id(record)));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_service_audit_log(service, 0, 1, &audit));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_service_back_up(service, file_path("copy.db"), NULL, NULL));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_service_copy(service, file_path("copy.db"), NULL, NULL));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, &text, NULL));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_session_block(session, NOBODY));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_session_blocked(session, &blocked));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_session_open(notes, ada, &another));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_session_discoverability(session, &discoverability));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE,
          kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, "text", "1"));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_session_on_account_changed(session, ignore, NULL));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_record_fetch(session, NULL, KINFOLK_DATABASE_PUBLIC, &fetched));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_record_save(session, record, KINFOLK_SAVE_ALL_KEYS));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_discover_record_id(session, NOBODY, &found));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_discover_email(session, "ada@example.com", &found));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_discover_contacts(session, contacts, NULL, 0, &found));
    OK(kinfolk_session_account_status(session, &status)); /* a store that cannot be reached gives a status, not a crash */
    EQUAL(status, KINFOLK_ACCOUNT_COULD_NOT_DETERMINE);
    CHECK(account == NULL && container == NULL && another == NULL && fetched == NULL && found == NULL && text == NULL);
    CHECK(audit == NULL && blocked == NULL && !file_exists(file_path("copy.db")));
}

static void inherited_handles_fail_with_a_clear_message(void) {
    begin();
    in_child(try_inherited_handles);
    go_on("after@example.com");
    in_child(try_inherited_handles); /* each child anew */
    free_all();
}

static void free_inherited_handles(void) {
    free_all();
}

static void freeing_inherited_handles_does_not_affect_the_parent(void) {
    kinfolk_service *other;
    kinfolk_account *found = NULL;
    begin();
    in_child(free_inherited_handles);
    go_on("after@example.com");
    other = open_store(); /* others see what the parent wrote later, so it did not lose its locks either */
    OK(kinfolk_account_find_by_email(other, "after@example.com", &found));
    kinfolk_account_free(found);
    kinfolk_service_free(other);
    free_all();
}

/* How many files of the test's store, and how many sockets, this process has open. */
static int open_connections(void) {
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
        count += strncmp(target, "socket:", 7) == 0 || strstr(target, harness.folder) != NULL;
    }
    closedir(folder);
    return count;
}

static int connections_of_others;

static void count_connections(void) {
    EQUAL(open_connections(), connections_of_others);
}

/* A child that had these files could end the parent's sessions, or release its locks. This test is the first, for a thread of one
 * before it could close a connection while they are counted. */
static void no_connection_is_inherited(void) {
    connections_of_others = open_connections();
    begin();
    CHECK(open_connections() > connections_of_others);
    in_child(count_connections);
    free_all();
}

static void open_afresh(void) {
    kinfolk_service *fresh = open_store();
    kinfolk_account *found = NULL;
    kinfolk_container *container = NULL;
    kinfolk_session *mine;
    kinfolk_value *value = NULL;
    const char *city = NULL;
    OK(kinfolk_account_find_by_email(fresh, "ada@example.com", &found));
    OK(kinfolk_container_open(fresh, NOTES, &container));
    mine = sign_in(container, found);
    SAME(record_id(mine), kinfolk_record_id(record)); /* the values in a handle can still be read */
    OK(kinfolk_record_get_string(record, "city", &city));
    SAME(city, "London");
    OK(kinfolk_record_get_value(record, "city", &value));
    kinfolk_value_free(value);
    kinfolk_account_free(make_person(fresh, "Some", "Body", "child@example.com"));
    kinfolk_session_free(mine);
    kinfolk_container_free(container);
    kinfolk_account_free(found);
    kinfolk_service_free(fresh);
    free_all();
}

static void a_child_can_open_the_store_again(void) {
    kinfolk_account *found = NULL;
    begin();
    in_child(open_afresh);
    go_on("after@example.com");
    OK(kinfolk_account_find_by_email(service, "child@example.com", &found));
    kinfolk_account_free(found);
    free_all();
}

static void open_afresh_in_a_grandchild(void) {
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_account_suspend(ada));
    in_child(open_afresh);
}

static void a_grandchild_can_open_the_store_too(void) {
    kinfolk_account *found = NULL;
    begin();
    in_child(open_afresh_in_a_grandchild);
    OK(kinfolk_account_find_by_email(service, "child@example.com", &found));
    kinfolk_account_free(found);
    free_all();
}

/* ---- While other threads are in the middle of it */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool stop;
static int written, faults;

static bool is_stopped(void) {
    bool stopped;
    pthread_mutex_lock(&lock);
    stopped = stop;
    pthread_mutex_unlock(&lock);
    return stopped;
}

static void *keep_writing(void *context) {
    int number = *(int *)context, done = 0;
    char email[40];
    while (!is_stopped()) {
        kinfolk_account *account = NULL;
        snprintf(email, sizeof email, "w%d.%d@example.com", number, done);
        if (kinfolk_account_create(service, "Some", "Body", &account) != KINFOLK_OK ||
            kinfolk_account_add_email(account, email, true, NULL) != KINFOLK_OK) {
            pthread_mutex_lock(&lock);
            faults++;
            pthread_mutex_unlock(&lock);
        }
        kinfolk_account_free(account);
        done++;
    }
    pthread_mutex_lock(&lock);
    written += done;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void work_in_the_middle(void) {
    kinfolk_account *account = NULL;
    kinfolk_service *fresh;
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_account_create(service, "", "", &account));
    fresh = open_store();
    OK(kinfolk_account_find_by_email(fresh, "ada@example.com", &account));
    kinfolk_account_free(account);
    kinfolk_account_free(make_person(fresh, "Some", "Body", NULL));
    kinfolk_service_free(fresh);
    free_all();
}

static void forking_while_other_threads_work_does_not_hang(void) {
    pthread_t threads[4];
    int numbers[4], i;
    kinfolk_account *found = NULL;
    begin();
    stop = false;
    written = faults = 0;
    for (i = 0; i < 4; i++) {
        numbers[i] = i;
        REQUIRE(pthread_create(&threads[i], NULL, keep_writing, &numbers[i]) == 0);
    }
    for (i = 0; i < 30; i++) in_child(work_in_the_middle);
    pthread_mutex_lock(&lock);
    stop = true;
    pthread_mutex_unlock(&lock);
    for (i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    EQUAL(faults, 0);
    CHECK(written > 4);
    OK(kinfolk_account_find_by_email(service, "w0.0@example.com", &found));
    kinfolk_account_free(found);
    free_all();
}

static void *open_and_close(void *context) {
    (void)context;
    while (!is_stopped()) kinfolk_service_free(open_store());
    return NULL;
}

static void open_and_write(void) {
    kinfolk_service *fresh = open_store();
    kinfolk_account_free(make_person(fresh, "Some", "Body", NULL));
    kinfolk_service_free(fresh);
}

/* A store that is just being closed holds files that a child must not inherit. */
static void forking_while_a_service_is_freed_is_safe(void) {
    pthread_t thread;
    int i;
    begin();
    stop = false;
    REQUIRE(pthread_create(&thread, NULL, open_and_close, NULL) == 0);
    for (i = 0; i < 100; i++) in_child(open_and_write);
    pthread_mutex_lock(&lock);
    stop = true;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    free_all();
}

BEGIN
    RUN(no_connection_is_inherited);
    RUN(inherited_handles_fail_with_a_clear_message);
    RUN(freeing_inherited_handles_does_not_affect_the_parent);
    RUN(a_child_can_open_the_store_again);
    RUN(a_grandchild_can_open_the_store_too);
    RUN(forking_while_other_threads_work_does_not_hang);
    RUN(forking_while_a_service_is_freed_is_safe);
END
