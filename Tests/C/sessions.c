/* Sessions: the identity of an account in a container, its status, its consent, and notices about changes of the account. */

#include "harness.h"
#include "people.h"
#include "two_people.h"

#include <pthread.h>

static void check_status(const kinfolk_session *session, kinfolk_account_status wanted) {
    kinfolk_account_status status = (kinfolk_account_status)77;
    OK(kinfolk_session_account_status(session, &status));
    EQUAL(status, wanted);
}

static void check_discoverability(const kinfolk_session *session, kinfolk_discoverability wanted) {
    kinfolk_discoverability discoverability = (kinfolk_discoverability)77;
    OK(kinfolk_session_discoverability(session, &discoverability));
    EQUAL(discoverability, wanted);
}

/* ---- Identity and status */

static void an_id_is_an_underscore_and_32_hexadecimal_digits(void) {
    kinfolk_session *session, *again;
    const char *id;
    make_two_people();
    session = sign_in(notes, ada);
    again = sign_in(notes, ada);
    kinfolk_account_free(ada); /* a session needs no handle of its account or container */
    kinfolk_container_free(notes);
    ada = NULL, notes = NULL;
    id = record_id(session);
    EQUAL(strlen(id), 33);
    EQUAL(id[0], '_');
    EQUAL(strspn(id + 1, "0123456789abcdef"), 32);
    SAME(record_id(again), id);
    kinfolk_session_free(session);
    kinfolk_session_free(again);
    free_two_people();
}

static void account_and_container_must_belong_to_one_service(void) {
    kinfolk_service *other = NULL;
    kinfolk_account *stranger;
    kinfolk_session *session = NULL;
    make_two_people();
    OK(store_open(store_path("other.db"), NULL, &other));
    stranger = make_person(other, "Alan", "Turing", "alan@example.com");
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_session_open(notes, stranger, &session));
    CHECK(session == NULL);
    kinfolk_account_free(stranger);
    kinfolk_service_free(other);
    free_two_people();
}

static void an_anonymous_session_has_no_account(void) {
    kinfolk_session *anonymous = NULL;
    kinfolk_record *own = NULL;
    kinfolk_contacts *contacts = NULL;
    kinfolk_identities *identities = NULL;
    kinfolk_discoverability discoverability = (kinfolk_discoverability)77;
    const char *id = NULL;
    char *json = NULL;
    make_two_people();
    OK(kinfolk_session_open_anonymous(notes, &anonymous));
    check_status(anonymous, KINFOLK_ACCOUNT_NO_ACCOUNT);
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_user_record_id(anonymous, &id));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_discoverability(anonymous, &discoverability));
    FAILS(KINFOLK_NOT_AUTHENTICATED,
          kinfolk_session_set_discoverability(anonymous, KINFOLK_DISCOVERABILITY_GRANTED, "text", "1"));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_export(anonymous, &json));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_record_fetch(anonymous, NULL, KINFOLK_DATABASE_PUBLIC, &own));
    OK(kinfolk_contacts_new(&contacts));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_discover_contacts(anonymous, contacts, NULL, 0, &identities));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_discover_email(anonymous, "ada@example.com", &identities));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_discover_record_id(anonymous, NOBODY, &identities));
    CHECK(id == NULL && json == NULL && own == NULL && identities == NULL && discoverability == 77);
    kinfolk_contacts_free(contacts);
    kinfolk_session_free(anonymous);
    free_two_people();
}

static void a_suspended_account_is_restricted(void) {
    kinfolk_session *session, *again = NULL;
    kinfolk_record *record = NULL;
    make_two_people();
    session = sign_in(notes, ada);
    check_status(session, KINFOLK_ACCOUNT_AVAILABLE);
    OK(kinfolk_account_suspend(ada));
    check_status(session, KINFOLK_ACCOUNT_RESTRICTED);
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_record_fetch(session, NULL, KINFOLK_DATABASE_PRIVATE, &record));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_open(games, ada, &again)); /* which it has never used */
    CHECK(record == NULL && again == NULL);
    OK(kinfolk_session_open(notes, ada, &again));
    check_status(again, KINFOLK_ACCOUNT_RESTRICTED);
    kinfolk_session_free(again);
    OK(kinfolk_account_resume(ada));
    check_status(session, KINFOLK_ACCOUNT_AVAILABLE);
    kinfolk_session_free(session);
    free_two_people();
}

/* ---- Discoverability */

static void a_decision_is_stored_with_its_wording(void) {
    char *text = malloc(16386);
    kinfolk_session *session;
    REQUIRE(text != NULL);
    memset(text, 't', 16385);
    text[16385] = '\0';
    make_two_people();
    session = sign_in(notes, ada);
    check_discoverability(session, KINFOLK_DISCOVERABILITY_UNDETERMINED);
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, "", "1"));
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, NULL, "1"));
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_DENIED, "text", NULL));
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_UNDETERMINED, "text", "1"));
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_session_set_discoverability(session, (kinfolk_discoverability)3, "text", "1"));
    FAILS(KINFOLK_LIMIT_EXCEEDED,
          kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, text, "1"));
    check_discoverability(session, KINFOLK_DISCOVERABILITY_UNDETERMINED);
    text[16384] = '\0';
    OK(kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, text, "1"));
    check_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED);
    OK(kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_DENIED, "", ""));
    check_discoverability(session, KINFOLK_DISCOVERABILITY_DENIED);
    free(text);
    kinfolk_session_free(session);
    free_two_people();
}

struct prompt {
    int asked;
    kinfolk_discoverability answer;
    const kinfolk_session *session;
    char text[100];
};

static kinfolk_discoverability answer_prompt(const char *consent_text, void *context) {
    struct prompt *prompt = context;
    kinfolk_discoverability ignored;
    prompt->asked++;
    snprintf(prompt->text, sizeof prompt->text, "%s", consent_text);
    if (kinfolk_session_discoverability(prompt->session, &ignored) != KINFOLK_OK) prompt->asked += 100;
    return prompt->answer;
}

static kinfolk_status ask(const kinfolk_session *session, struct prompt *prompt, kinfolk_discoverability *answer) {
    return kinfolk_session_request_discoverability(session, "May they?", "1", answer_prompt, prompt, answer);
}

static void the_person_is_asked_until_there_is_an_answer(void) {
    struct prompt prompt = { 0, KINFOLK_DISCOVERABILITY_UNDETERMINED, NULL, "" };
    kinfolk_discoverability answer = (kinfolk_discoverability)77;
    kinfolk_session *session;
    make_two_people();
    prompt.session = session = sign_in(notes, ada);
    OK(ask(session, &prompt, &answer));
    EQUAL(answer, KINFOLK_DISCOVERABILITY_UNDETERMINED);
    SAME(prompt.text, "May they?");
    prompt.answer = KINFOLK_DISCOVERABILITY_GRANTED;
    OK(ask(session, &prompt, &answer));
    EQUAL(answer, KINFOLK_DISCOVERABILITY_GRANTED);
    EQUAL(prompt.asked, 2);
    check_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED);
    prompt.answer = KINFOLK_DISCOVERABILITY_DENIED;
    OK(ask(session, &prompt, &answer));
    EQUAL(answer, KINFOLK_DISCOVERABILITY_GRANTED);
    EQUAL(prompt.asked, 2);
    kinfolk_session_free(session);
    free_two_people();
}

static void an_invalid_answer_is_refused(void) {
    struct prompt prompt = { 0, (kinfolk_discoverability)42, NULL, "" };
    kinfolk_discoverability answer = (kinfolk_discoverability)77;
    kinfolk_session *session, *anonymous = NULL;
    make_two_people();
    prompt.session = session = sign_in(notes, ada);
    FAILS(KINFOLK_INVALID_ARGUMENT, ask(session, &prompt, &answer));
    EQUAL(answer, 77);
    check_discoverability(session, KINFOLK_DISCOVERABILITY_UNDETERMINED);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_session_request_discoverability(session, "", "1", answer_prompt, &prompt, &answer));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_session_request_discoverability(session, "text", "1", NULL, NULL, &answer));
    EQUAL(prompt.asked, 1); /* without a wording there is nothing to show */
    OK(kinfolk_session_open_anonymous(notes, &anonymous));
    FAILS(KINFOLK_NOT_AUTHENTICATED, ask(anonymous, &prompt, &answer));
    EQUAL(prompt.asked, 1);
    kinfolk_session_free(session);
    kinfolk_session_free(anonymous);
    free_two_people();
}

/* ---- Notices about changes of the account */

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

static kinfolk_session *session;

static void begin(void) {
    make_two_people();
    session = sign_in(notes, ada);
}

static void end(void) {
    kinfolk_session_free(session);
    free_two_people();
}

#define TELLS(change)                                                                                                  \
    do {                                                                                                               \
        int before = times(&told);                                                                                     \
        OK(change);                                                                                                    \
        if (!is_told_more_than(&told, before)) harness_fault(__FILE__, __LINE__, #change, "was not told");             \
    } while (0)

/* Returns when all notices of earlier changes have been given: those of two further changes have come to another session. */
static void settle(void) {
    struct told told = TOLD_INIT;
    kinfolk_session *witness = sign_in(notes, ada);
    OK(kinfolk_session_on_account_changed(witness, tell, &told));
    TELLS(kinfolk_account_set_name(ada, "Ada", "King"));
    TELLS(kinfolk_account_set_name(ada, "Ada", "Lovelace"));
    kinfolk_session_free(witness);
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
    struct told unregisters = TOLD_INIT, frees = TOLD_INIT;
    begin();
    unregisters.session = sign_in(notes, ada);
    unregisters.unregister = true;
    frees.session = sign_in(notes, ada);
    frees.release = true;
    OK(kinfolk_session_on_account_changed(unregisters.session, tell, &unregisters));
    OK(kinfolk_session_on_account_changed(frees.session, tell, &frees));
    OK(kinfolk_account_suspend(ada));
    CHECK(is_told_more_than(&unregisters, 0));
    CHECK(is_told_more_than(&frees, 0));
    OK(kinfolk_account_resume(ada));
    settle();
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
    RUN(an_id_is_an_underscore_and_32_hexadecimal_digits);
    RUN(account_and_container_must_belong_to_one_service);
    RUN(an_anonymous_session_has_no_account);
    RUN(a_suspended_account_is_restricted);
    RUN(a_decision_is_stored_with_its_wording);
    RUN(the_person_is_asked_until_there_is_an_answer);
    RUN(an_invalid_answer_is_refused);
    RUN(a_change_through_another_service_handle_calls_the_callback);
    RUN(a_removed_callback_is_not_called);
    RUN(freeing_the_session_removes_the_callback);
    RUN(a_callback_can_remove_itself);
    RUN(an_anonymous_session_cannot_register_a_callback);
END
