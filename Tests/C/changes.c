/* Notices about changes of the account of a session. */

#include "harness.h"
#include "people.h"

#include <pthread.h>

/* A counter that a callback increments, and that other threads can wait for. */
struct told {
    pthread_mutex_t lock;
    pthread_cond_t raised;
    int times;
    kinfolk_session *session;
    bool unregister, release;
};

#define TOLD_INIT { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, NULL, false, false }

static void tell(void *context) {
    struct told *told = context;
    if (told->unregister) kinfolk_session_on_account_changed(told->session, NULL, NULL);
    if (told->release) kinfolk_session_free(told->session);
    pthread_mutex_lock(&told->lock);
    told->times++;
    pthread_cond_broadcast(&told->raised);
    pthread_mutex_unlock(&told->lock);
}

static int times(struct told *told) {
    int times;
    pthread_mutex_lock(&told->lock);
    times = told->times;
    pthread_mutex_unlock(&told->lock);
    return times;
}

/* Whether the function is called again within a minute. */
static bool is_told_more_than(struct told *told, int before) {
    struct timespec until;
    bool more;
    int status = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 60;
    pthread_mutex_lock(&told->lock);
    while (told->times <= before && status == 0) status = pthread_cond_timedwait(&told->raised, &told->lock, &until);
    more = told->times > before;
    pthread_mutex_unlock(&told->lock);
    return more;
}

/* Long enough for a notice to arrive, or for two changes to cause two notices. */
static void settle(void) {
    pause_for(1.5);
}

static kinfolk_service *service;
static kinfolk_container *notes;
static kinfolk_account *ada;
static kinfolk_session *session;

static void begin(void) {
    service = open_store();
    notes = make_container(service, NOTES);
    ada = make_person(service, "Ada", "Lovelace", "ada@example.com");
    session = sign_in(notes, ada);
}

static void end(void) {
    kinfolk_session_free(session);
    kinfolk_account_free(ada);
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
}

#define TELLS(change)                                                                                                  \
    do {                                                                                                               \
        int before = times(&told);                                                                                     \
        OK(change);                                                                                                    \
        if (!is_told_more_than(&told, before)) harness_fault(__FILE__, __LINE__, #change, "was not told");             \
        settle();                                                                                                      \
    } while (0)

static void every_kind_of_change_calls_the_callback(void) {
    struct told told = TOLD_INIT;
    begin();
    OK(kinfolk_session_on_account_changed(session, tell, &told));
    TELLS(kinfolk_account_set_name(ada, "Ada", "King"));
    TELLS(kinfolk_account_add_email(ada, "countess@example.com", true, NULL));
    TELLS(kinfolk_account_remove_email(ada, "countess@example.com"));
    TELLS(kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, "text", "1"));
    TELLS(kinfolk_account_suspend(ada));
    TELLS(kinfolk_account_resume(ada));
    TELLS(kinfolk_account_erase(ada, NULL));
    end();
}

static void a_change_through_another_service_handle_calls_the_callback(void) {
    struct told told = TOLD_INIT;
    kinfolk_service *other;
    kinfolk_account *same = NULL;
    begin();
    OK(kinfolk_session_on_account_changed(session, tell, &told));
    other = open_store();
    OK(kinfolk_account_open(other, kinfolk_account_id(ada), &same));
    TELLS(kinfolk_account_suspend(same));
    kinfolk_account_free(same);
    kinfolk_service_free(other);
    end();
}

static void losing_an_address_calls_the_callback(void) {
    struct told told = TOLD_INIT;
    kinfolk_account *grace;
    begin();
    grace = make_person(service, "Grace", "Hopper", NULL);
    OK(kinfolk_session_on_account_changed(session, tell, &told));
    TELLS(kinfolk_service_transfer_email(service, "ada@example.com", grace));
    kinfolk_account_free(grace);
    end();
}

static void changes_of_others_do_not_call_the_callback(void) {
    struct told told = TOLD_INIT;
    kinfolk_account *grace;
    kinfolk_session *graces;
    kinfolk_container *games;
    kinfolk_session *elsewhere;
    begin();
    grace = make_person(service, "Grace", "Hopper", "grace@example.com");
    games = make_container(service, GAMES);
    elsewhere = sign_in(games, ada);
    settle();
    OK(kinfolk_session_on_account_changed(session, tell, &told));
    graces = sign_in(notes, grace);
    grant(graces);
    OK(kinfolk_account_suspend(grace));
    OK(kinfolk_account_erase(grace, NULL));
    grant(elsewhere); /* consent concerns only its own container */
    settle();
    EQUAL(times(&told), 0);
    kinfolk_session_free(graces);
    kinfolk_session_free(elsewhere);
    kinfolk_account_free(grace);
    kinfolk_container_free(games);
    end();
}

static void a_removed_callback_is_not_called(void) {
    struct told first = TOLD_INIT, told = TOLD_INIT;
    int before;
    begin();
    OK(kinfolk_session_on_account_changed(session, tell, &first));
    OK(kinfolk_session_on_account_changed(session, tell, &told)); /* replaces the one before */
    TELLS(kinfolk_account_suspend(ada));
    EQUAL(times(&first), 0);
    OK(kinfolk_session_on_account_changed(session, NULL, NULL));
    OK(kinfolk_session_on_account_changed(session, NULL, NULL));
    before = times(&told);
    OK(kinfolk_account_resume(ada));
    settle();
    EQUAL(times(&told), before);
    end();
}

static void freeing_the_session_removes_the_callback(void) {
    struct told told = TOLD_INIT;
    int round, before;
    begin();
    for (round = 0; round < 20; round++) { /* while a notice is pending */
        kinfolk_session *another = sign_in(notes, ada);
        OK(kinfolk_session_on_account_changed(another, tell, &told));
        OK(round % 2 == 0 ? kinfolk_account_suspend(ada) : kinfolk_account_resume(ada));
        kinfolk_session_free(another);
        before = times(&told);
    }
    settle();
    EQUAL(times(&told), before);
    end();
}

static void a_callback_can_remove_itself(void) {
    struct told unregisters = TOLD_INIT, frees = TOLD_INIT, told = TOLD_INIT;
    begin();
    unregisters.session = sign_in(notes, ada);
    unregisters.unregister = true;
    frees.session = sign_in(notes, ada);
    frees.release = true;
    OK(kinfolk_session_on_account_changed(unregisters.session, tell, &unregisters));
    OK(kinfolk_session_on_account_changed(frees.session, tell, &frees));
    OK(kinfolk_session_on_account_changed(session, tell, &told));
    TELLS(kinfolk_account_suspend(ada));
    CHECK(is_told_more_than(&unregisters, 0));
    CHECK(is_told_more_than(&frees, 0));
    TELLS(kinfolk_account_resume(ada));
    EQUAL(times(&unregisters), 1);
    EQUAL(times(&frees), 1);
    kinfolk_session_free(unregisters.session);
    end();
}

static void an_anonymous_session_cannot_register_a_callback(void) {
    struct told told = TOLD_INIT;
    kinfolk_session *anonymous = NULL;
    begin();
    OK(kinfolk_session_open_anonymous(notes, &anonymous));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_on_account_changed(anonymous, tell, &told));
    kinfolk_session_free(anonymous);
    end();
}

BEGIN
    RUN(every_kind_of_change_calls_the_callback);
    RUN(a_change_through_another_service_handle_calls_the_callback);
    RUN(losing_an_address_calls_the_callback);
    RUN(changes_of_others_do_not_call_the_callback);
    RUN(a_removed_callback_is_not_called);
    RUN(freeing_the_session_removes_the_callback);
    RUN(a_callback_can_remove_itself);
    RUN(an_anonymous_session_cannot_register_a_callback);
END
