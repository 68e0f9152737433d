/* Eight threads work on one service: nothing is lost, and no results are mixed up. */

#include "harness.h"
#include "people.h"

#include <pthread.h>

enum { THREADS = 8 };
static const double SECONDS = 2;

/* The work of one thread. It must not use the harness, so it counts failures. */
struct worker {
    int number;
    int done;
    int faults;
    char first_fault[300];
    void *shared;
    pthread_t thread;
};

static bool went_well(struct worker *worker, kinfolk_status status) {
    if (status != KINFOLK_OK && worker->faults++ == 0)
        snprintf(worker->first_fault, sizeof worker->first_fault, "%s: %s", kinfolk_status_name(status),
                 kinfolk_error_message());
    return status == KINFOLK_OK;
}

/* Runs a function on eight threads at once. */
static void run_workers(void *(*work)(void *), void *shared, struct worker *workers) {
    int i;
    memset(workers, 0, THREADS * sizeof *workers);
    for (i = 0; i < THREADS; i++) {
        workers[i].number = i;
        workers[i].shared = shared;
        REQUIRE(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0);
    }
    for (i = 0; i < THREADS; i++) pthread_join(workers[i].thread, NULL);
    for (i = 0; i < THREADS; i++)
        if (workers[i].faults > 0) harness_fault(__FILE__, __LINE__, "a thread", workers[i].first_fault);
}

struct shared {
    kinfolk_service *service;
    kinfolk_container *notes;
    kinfolk_account *account;
    kinfolk_session *session;
    kinfolk_record *record;
    kinfolk_contacts *contacts;
};

static struct shared begin(void) {
    struct shared shared = { NULL, NULL, NULL, NULL, NULL, NULL };
    shared.service = open_store();
    shared.notes = make_container(shared.service, NOTES);
    shared.account = make_person(shared.service, "Ada", "Lovelace", "ada@example.com");
    shared.session = sign_in(shared.notes, shared.account);
    grant(shared.session);
    shared.record = own_record(shared.session, KINFOLK_DATABASE_PUBLIC);
    OK(kinfolk_contacts_new(&shared.contacts));
    return shared;
}

static void end(struct shared *shared) {
    kinfolk_contacts_free(shared->contacts);
    kinfolk_record_free(shared->record);
    kinfolk_session_free(shared->session);
    kinfolk_account_free(shared->account);
    kinfolk_container_free(shared->notes);
    kinfolk_service_free(shared->service);
}

/* ---- Separate people for each thread */

static void *make_people(void *context) {
    struct worker *worker = context;
    struct shared *shared = worker->shared;
    double until = seconds_now() + SECONDS;
    char email[60];
    while ((seconds_now() < until || worker->done == 0) && worker->faults == 0) {
        kinfolk_account *account = NULL;
        kinfolk_session *session = NULL;
        kinfolk_record *record = NULL;
        kinfolk_identities *identities = NULL;
        snprintf(email, sizeof email, "p%d.%d@example.com", worker->number, worker->done);
        if (went_well(worker, kinfolk_account_create(shared->service, "Some", email, &account)) &&
            went_well(worker, kinfolk_account_add_email(account, email, true, NULL)) &&
            went_well(worker, kinfolk_session_open(shared->notes, account, &session)) &&
            went_well(worker, kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, "t", "1")) &&
            went_well(worker, kinfolk_record_fetch(session, NULL, KINFOLK_DATABASE_PUBLIC, &record)) &&
            went_well(worker, kinfolk_record_set_int64(record, "number", worker->done)) &&
            went_well(worker, kinfolk_record_save(session, record, KINFOLK_SAVE_IF_UNCHANGED)) &&
            went_well(worker, kinfolk_discover_email(session, "ada@example.com", &identities))) {
            if (kinfolk_identities_count(identities) != 1) worker->faults++;
            worker->done++;
        }
        kinfolk_identities_free(identities);
        kinfolk_record_free(record);
        kinfolk_session_free(session);
        kinfolk_account_free(account);
    }
    return NULL;
}

static void all_writes_of_eight_threads_are_kept(void) {
    struct shared shared = begin();
    struct worker workers[THREADS];
    char email[60], *family = NULL;
    int i, j, total = 0;
    int64_t number;
    run_workers(make_people, &shared, workers);
    for (i = 0; i < THREADS; i++) {
        CHECK(workers[i].done > 0);
        for (j = 0; j < workers[i].done; j++, total++) {
            kinfolk_account *account = NULL;
            kinfolk_session *session;
            kinfolk_record *record;
            snprintf(email, sizeof email, "p%d.%d@example.com", i, j);
            OK(kinfolk_account_find_by_email(shared.service, email, &account));
            OK(kinfolk_account_get_name(account, NULL, &family));
            SAME(family, email);
            kinfolk_free(family);
            session = sign_in(shared.notes, account);
            record = own_record(session, KINFOLK_DATABASE_PUBLIC);
            OK(kinfolk_record_get_int64(record, "number", &number));
            EQUAL(number, j);
            kinfolk_record_free(record);
            kinfolk_session_free(session);
            kinfolk_account_free(account);
        }
    }
    CHECK(total >= THREADS);
    end(&shared);
}

/* ---- One record for all threads */

static void *count_up(void *context) {
    struct worker *worker = context;
    struct shared *shared = worker->shared;
    double until = seconds_now() + SECONDS;
    while ((seconds_now() < until || worker->done == 0) && worker->faults == 0) {
        kinfolk_record *record = NULL, *server;
        int64_t value = 0;
        kinfolk_status status;
        if (!went_well(worker, kinfolk_record_fetch(shared->session, NULL, KINFOLK_DATABASE_PUBLIC, &record))) break;
        do {
            value = 0;
            (void)kinfolk_record_get_int64(record, "counter", &value);
            went_well(worker, kinfolk_record_set_int64(record, "counter", value + 1));
            status = kinfolk_record_save(shared->session, record, KINFOLK_SAVE_IF_UNCHANGED);
            if (status == KINFOLK_SERVER_RECORD_CHANGED) {
                server = kinfolk_error_take_server_record();
                if (server == NULL) break;
                kinfolk_record_free(record);
                record = server;
            }
        } while (status == KINFOLK_SERVER_RECORD_CHANGED && worker->faults == 0);
        if (went_well(worker, status)) worker->done++;
        kinfolk_record_free(record);
    }
    return NULL;
}

static void a_counter_of_eight_threads_loses_no_increment(void) {
    struct shared shared = begin();
    struct worker workers[THREADS];
    kinfolk_record *record;
    int64_t counter = 0, total = 0;
    int i;
    run_workers(count_up, &shared, workers);
    for (i = 0; i < THREADS; i++) total += workers[i].done;
    record = own_record(shared.session, KINFOLK_DATABASE_PUBLIC);
    OK(kinfolk_record_get_int64(record, "counter", &counter));
    EQUAL(counter, total);
    kinfolk_record_free(record);
    end(&shared);
}

/* ---- One handle for all threads */

enum { EACH = 500 };

static void *share_handles(void *context) {
    struct worker *worker = context;
    struct shared *shared = worker->shared;
    char text[60];
    int i;
    for (i = 0; i < EACH && worker->faults == 0; i++) {
        const char *value = NULL;
        snprintf(text, sizeof text, "c%d.%d@example.com", worker->number, i);
        went_well(worker, kinfolk_contacts_add_email(shared->contacts, text, text));
        snprintf(text, sizeof text, "f%dx%d", worker->number, i % 50);
        went_well(worker, kinfolk_record_set_string(shared->record, text, text));
        if (went_well(worker, kinfolk_record_get_string(shared->record, text, &value)) && strcmp(value, text) != 0)
            worker->faults++;
        (void)kinfolk_record_field_name(shared->record, (size_t)i);
        (void)kinfolk_contacts_label(shared->contacts, (size_t)i);
        if (i % 100 == 0) went_well(worker, kinfolk_record_save(shared->session, shared->record, KINFOLK_SAVE_ALL_KEYS));
    }
    return NULL;
}

static void handles_may_be_shared(void) {
    struct shared shared = begin();
    struct worker workers[THREADS];
    kinfolk_identities *identities = NULL;
    OK(kinfolk_container_set_field_limit(shared.notes, THREADS * 50));
    run_workers(share_handles, &shared, workers);
    EQUAL(kinfolk_contacts_count(shared.contacts), THREADS * EACH);
    EQUAL(kinfolk_record_field_count(shared.record), THREADS * 50);
    OK(kinfolk_record_save(shared.session, shared.record, KINFOLK_SAVE_ALL_KEYS));
    kinfolk_record_free(shared.record);
    shared.record = own_record(shared.session, KINFOLK_DATABASE_PUBLIC);
    EQUAL(kinfolk_record_field_count(shared.record), THREADS * 50);
    OK(kinfolk_discover_contacts(shared.session, shared.contacts, NULL, 0, &identities));
    kinfolk_identities_free(identities);
    end(&shared);
}

/* ---- Callbacks that are registered and removed */

static void ignore(void *context) {
    (void)context;
}

static void *come_and_go(void *context) {
    struct worker *worker = context;
    struct shared *shared = worker->shared;
    double until = seconds_now() + SECONDS;
    int round;
    for (round = 0; seconds_now() < until && worker->faults == 0; round++) {
        kinfolk_session *session = NULL;
        if (worker->number < 2) {
            went_well(worker, round % 2 == 0 ? kinfolk_account_suspend(shared->account)
                                             : kinfolk_account_resume(shared->account));
            continue;
        }
        if (!went_well(worker, kinfolk_session_open(shared->notes, shared->account, &session))) break;
        went_well(worker, kinfolk_session_on_account_changed(session, ignore, worker));
        if (round % 2 == 0) went_well(worker, kinfolk_session_on_account_changed(session, NULL, NULL));
        kinfolk_session_free(session);
    }
    return NULL;
}

static void callbacks_can_be_replaced_while_the_account_changes(void) {
    struct shared shared = begin();
    struct worker workers[THREADS];
    run_workers(come_and_go, &shared, workers);
    end(&shared);
}

/* ---- Revoking while other threads search */

struct revocation {
    struct shared shared;
    kinfolk_session *grace;
    pthread_mutex_t lock;
    int revocations; /* odd from the return of a revocation until the next grant begins */
    int looks;       /* the number of look-ups by other threads that began and ended while it was odd */
    bool is_over;
};

enum { REVOCATIONS = 50 };

static int read_revocations(struct revocation *revocation) {
    int revocations;
    pthread_mutex_lock(&revocation->lock);
    revocations = revocation->revocations;
    pthread_mutex_unlock(&revocation->lock);
    return revocations;
}

/* Many times: revokes, and waits until another thread has finished a look-up since. */
static void revoke(struct worker *worker, struct revocation *revocation) {
    int i, before, now;
    for (i = 0; i < REVOCATIONS && worker->faults == 0; i++) {
        went_well(worker, kinfolk_session_set_discoverability(revocation->grace, KINFOLK_DISCOVERABILITY_DENIED, "", ""));
        pthread_mutex_lock(&revocation->lock);
        revocation->revocations++;
        now = before = revocation->looks;
        pthread_mutex_unlock(&revocation->lock);
        while (now == before) { /* the harness ends a test that takes too long */
            pause_for(0.0005);
            pthread_mutex_lock(&revocation->lock);
            now = revocation->looks;
            pthread_mutex_unlock(&revocation->lock);
        }
        pthread_mutex_lock(&revocation->lock);
        revocation->revocations++;
        pthread_mutex_unlock(&revocation->lock);
        went_well(worker, kinfolk_session_set_discoverability(revocation->grace, KINFOLK_DISCOVERABILITY_GRANTED, "t", "1"));
    }
    pthread_mutex_lock(&revocation->lock);
    revocation->is_over = true;
    pthread_mutex_unlock(&revocation->lock);
}

static void *look_and_revoke(void *context) {
    struct worker *worker = context;
    struct revocation *revocation = worker->shared;
    bool is_over = worker->number == 0;
    if (is_over) revoke(worker, revocation);
    while (!is_over) {
        kinfolk_identities *identities = NULL;
        int before = read_revocations(revocation);
        /* Only counts a failure and continues, because the revoking thread waits for look-ups. */
        went_well(worker, kinfolk_discover_email(revocation->shared.session, "grace@example.com", &identities));
        pthread_mutex_lock(&revocation->lock);
        if (before == revocation->revocations && before % 2 == 1) {
            revocation->looks++;
            worker->done++;
            if (kinfolk_identities_count(identities) > 0 && worker->faults++ == 0)
                strcpy(worker->first_fault, "found somebody after the revocation returned");
        }
        is_over = revocation->is_over;
        pthread_mutex_unlock(&revocation->lock);
        kinfolk_identities_free(identities);
    }
    return NULL;
}

static void nobody_is_found_after_a_revocation_has_returned(void) {
    struct revocation revocation = { begin(), NULL, PTHREAD_MUTEX_INITIALIZER, 0, 0, false };
    struct worker workers[THREADS];
    int i, looked = 0;
    OK(kinfolk_container_set_permits(revocation.shared.notes, UINT32_MAX, 10, UINT32_MAX));
    revocation.grace = make_findable(revocation.shared.service, revocation.shared.notes, "Grace", "Hopper", "grace@example.com");
    run_workers(look_and_revoke, &revocation, workers);
    for (i = 0; i < THREADS; i++) looked += workers[i].done;
    CHECK(looked >= REVOCATIONS);
    kinfolk_session_free(revocation.grace);
    end(&revocation.shared);
}

BEGIN
    RUN(all_writes_of_eight_threads_are_kept);
    RUN(a_counter_of_eight_threads_loses_no_increment);
    RUN(handles_may_be_shared);
    RUN(callbacks_can_be_replaced_while_the_account_changes);
    RUN(nobody_is_found_after_a_revocation_has_returned);
END
