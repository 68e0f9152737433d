/* Several processes on one store: nothing is lost, not even when one of them is killed. */

#include "harness.h"
#include "children.h"
#include "people.h"

enum { PROCESSES = 4 };

/* The work of a child, which inherits these variables when it is forked. */
static void (*work_to_do)(int number, const char *store);
static int number_of_child;

static void do_work(void) { work_to_do(number_of_child, STORE); }

static pid_t start(void (*work)(int number, const char *store), int number) {
    work_to_do = work;
    number_of_child = number;
    return start_child(do_work);
}

static void run_processes(void (*work)(int number, const char *store)) {
    pid_t children[PROCESSES];
    int i;
    for (i = 0; i < PROCESSES; i++) children[i] = start(work, i);
    for (i = 0; i < PROCESSES; i++) finish_child(children[i]);
}

static kinfolk_service *open_at(const char *store) {
    kinfolk_service *service = NULL;
    OK(store_open(store, NULL, &service));
    return service;
}

/* Prepares a store in a separate process: a container, and Ada with a public record. */
static void prepare(int number, const char *store) {
    kinfolk_service *service = open_at(store);
    kinfolk_container *notes = make_container(service, NOTES);
    (void)number;
    kinfolk_session_free(make_findable(service, notes, "Ada", "Lovelace", "ada@example.com"));
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
}

/* ---- Opening at once */

static void open_and_add(int number, const char *store) {
    kinfolk_service *service = open_at(store);
    char email[40];
    snprintf(email, sizeof email, "opener%d@example.com", number);
    kinfolk_account_free(make_person(service, "Some", "Body", email));
    kinfolk_service_free(service);
}

static void processes_that_make_a_store_concurrently_make_one(void) {
    char email[40];
    kinfolk_service *service;
    kinfolk_account *account = NULL;
    int i, round;
    for (round = 0; round < 5; round++) {
        run_processes(open_and_add);
        service = open_store();
        for (i = 0; i < PROCESSES; i++) {
            snprintf(email, sizeof email, "opener%d@example.com", i);
            OK(kinfolk_account_find_by_email(service, email, &account));
            kinfolk_account_free(account);
        }
        kinfolk_service_free(service);
        store_remove();
    }
}

/* ---- Writing at once */

enum { EACH = 100 };

static void write_much(int number, const char *store) {
    kinfolk_service *service = open_at(store);
    kinfolk_container *notes = NULL;
    kinfolk_account *ada = NULL;
    kinfolk_session *session;
    kinfolk_record *record, *server;
    kinfolk_status status;
    char email[40];
    int64_t value;
    int i;
    OK(kinfolk_container_open(service, NOTES, &notes));
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &ada));
    session = sign_in(notes, ada);
    for (i = 0; i < EACH; i++) {
        snprintf(email, sizeof email, "p%d.%d@example.com", number, i);
        kinfolk_account_free(make_person(service, "Some", "Body", email));
        record = own_record(session, KINFOLK_DATABASE_PUBLIC);
        for (;;) { /* the counter that all processes increment */
            value = 0;
            (void)kinfolk_record_get_int64(record, "counter", &value);
            OK(kinfolk_record_set_int64(record, "counter", value + 1));
            status = kinfolk_record_save(session, record, KINFOLK_SAVE_IF_UNCHANGED);
            if (status != KINFOLK_SERVER_RECORD_CHANGED) break;
            server = kinfolk_error_take_server_record();
            REQUIRE(server != NULL);
            kinfolk_record_free(record);
            record = server;
        }
        OK(status);
        kinfolk_record_free(record);
    }
    kinfolk_session_free(session);
    kinfolk_account_free(ada);
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
}

static void all_writes_of_four_processes_are_kept(void) {
    kinfolk_service *service;
    kinfolk_container *notes = NULL;
    kinfolk_account *account = NULL;
    kinfolk_session *session;
    kinfolk_record *record;
    char email[40];
    int64_t counter = 0;
    int i, j;
    finish_child(start(prepare, 0));
    run_processes(write_much);
    service = open_store();
    for (i = 0; i < PROCESSES; i++) {
        for (j = 0; j < EACH; j++) {
            snprintf(email, sizeof email, "p%d.%d@example.com", i, j);
            OK(kinfolk_account_find_by_email(service, email, &account));
            kinfolk_account_free(account);
        }
    }
    OK(kinfolk_container_open(service, NOTES, &notes));
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &account));
    session = sign_in(notes, account);
    record = own_record(session, KINFOLK_DATABASE_PUBLIC);
    OK(kinfolk_record_get_int64(record, "counter", &counter));
    EQUAL(counter, PROCESSES * EACH);
    kinfolk_record_free(record);
    kinfolk_session_free(session);
    kinfolk_account_free(account);
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
}

/* ---- Being killed */

static int report_to;

/* Makes accounts until it is killed, and reports the ID of each after its call has returned. */
static void make_and_tell(int number, const char *store) {
    kinfolk_service *service = open_at(store);
    kinfolk_account *account;
    (void)number;
    for (;;) {
        account = make_person(service, "Some", "Body", NULL);
        REQUIRE(write(report_to, kinfolk_account_id(account), 32) == 32);
        kinfolk_account_free(account);
    }
}

static void acknowledged_writes_survive_a_kill(void) {
    int round, told = 0, early;
    char ids[3][33];
    for (round = 0; round < 5; round++) {
        int ends[2];
        char id[33] = "";
        ssize_t got;
        kinfolk_service *service;
        kinfolk_account *account = NULL;
        pid_t child;
        REQUIRE(pipe(ends) == 0);
        report_to = ends[1];
        child = start(make_and_tell, round);
        close(ends[1]);
        /* Kills a child during its work, a little later each time. */
        for (early = 0; early < 3; early++) REQUIRE(read(ends[0], ids[early], 32) == 32);
        pause_for(0.07 * round);
        kill_child(child);
        service = open_store();
        for (early = 0; early < 3; early++, told++) {
            ids[early][32] = '\0';
            OK(kinfolk_account_open(service, ids[early], &account));
            kinfolk_account_free(account);
        }
        while ((got = read(ends[0], id, 32)) == 32) {
            OK(kinfolk_account_open(service, id, &account));
            kinfolk_account_free(account);
            told++;
        }
        close(ends[0]);
        kinfolk_service_free(service);
    }
    CHECK(told >= 15);
}

/* ---- Notices about changes by another process */

static void suspend_ada(int number, const char *store) {
    kinfolk_service *service = open_at(store);
    kinfolk_account *ada = NULL;
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &ada));
    OK(number == 0 ? kinfolk_account_suspend(ada) : kinfolk_account_resume(ada));
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
}

static int told;

static void tell(void *context) {
    (void)context;
    __atomic_store_n(&told, 1, __ATOMIC_RELEASE);
}

/* Waits for a notice; its exit status says whether it came. Runs in a separate process, so that the other process is not forked
 * from one that has the store open. */
static void wait_for_the_change(int number, const char *store) {
    kinfolk_service *service = open_at(store);
    kinfolk_container *notes = NULL;
    kinfolk_account *ada = NULL;
    kinfolk_session *session;
    kinfolk_account_status status;
    double until;
    (void)number;
    OK(kinfolk_container_open(service, NOTES, &notes));
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &ada));
    session = sign_in(notes, ada);
    OK(kinfolk_session_on_account_changed(session, tell, NULL));
    REQUIRE(write(report_to, "r", 1) == 1);
    until = seconds_now() + 60;
    while (!__atomic_load_n(&told, __ATOMIC_ACQUIRE) && seconds_now() < until) pause_for(0.01);
    CHECK(__atomic_load_n(&told, __ATOMIC_ACQUIRE));
    OK(kinfolk_session_account_status(session, &status));
    EQUAL(status, KINFOLK_ACCOUNT_RESTRICTED);
    kinfolk_session_free(session);
    kinfolk_account_free(ada);
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
}

static void a_change_by_another_process_calls_the_callback(void) {
    int ends[2];
    char ready;
    pid_t waiting;
    finish_child(start(prepare, 0));
    REQUIRE(pipe(ends) == 0);
    report_to = ends[1];
    waiting = start(wait_for_the_change, 0);
    close(ends[1]);
    CHECK(read(ends[0], &ready, 1) == 1);
    close(ends[0]);
    finish_child(start(suspend_ada, 0));
    finish_child(waiting);
}

BEGIN
    RUN(processes_that_make_a_store_concurrently_make_one);
    RUN(all_writes_of_four_processes_are_kept);
    RUN(acknowledged_writes_survive_a_kill);
    RUN(a_change_by_another_process_calls_the_callback);
END
