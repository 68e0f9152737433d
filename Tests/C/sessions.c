/* Sessions: the identity of an account in a container, its rights, and its consent. */

#include "harness.h"
#include "people.h"
#include "two_people.h"

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

/* ---- User record IDs */

static void an_id_is_an_underscore_and_32_hexadecimal_digits(void) {
    kinfolk_session *session;
    const char *id;
    make_two_people();
    session = sign_in(notes, ada);
    id = record_id(session);
    EQUAL(strlen(id), 33);
    EQUAL(id[0], '_');
    EQUAL(strspn(id + 1, "0123456789abcdef"), 32);
    kinfolk_session_free(session);
    free_two_people();
}

static void a_person_has_unrelated_ids_in_two_containers(void) {
    kinfolk_session *first, *second, *other, *graces;
    char id[64];
    make_two_people();
    first = sign_in(notes, ada);
    second = sign_in(notes, ada);
    other = sign_in(games, ada);
    graces = sign_in(notes, grace);
    snprintf(id, sizeof id, "%s", record_id(first));
    SAME(record_id(second), id);
    CHECK(strcmp(record_id(other), id) != 0);
    CHECK(strcmp(record_id(graces), id) != 0);
    CHECK(strcmp(id + 1, kinfolk_account_id(ada)) != 0);
    CHECK(strcmp(record_id(other) + 1, kinfolk_account_id(ada)) != 0);
    kinfolk_session_free(first);
    kinfolk_session_free(second);
    kinfolk_session_free(other);
    kinfolk_session_free(graces);
    free_two_people();

    service = open_store(); /* and keeps it when the service is opened again */
    OK(kinfolk_container_open(service, NOTES, &notes));
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &ada));
    first = sign_in(notes, ada);
    SAME(record_id(first), id);
    kinfolk_session_free(first);
    kinfolk_account_free(ada);
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
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

/* ---- Anonymous */

static void an_anonymous_session_can_only_read(void) {
    kinfolk_session *anonymous = NULL, *session;
    kinfolk_record *record = NULL, *own = NULL;
    kinfolk_contacts *contacts = NULL;
    kinfolk_identities *identities = NULL;
    kinfolk_discoverability discoverability;
    const char *id = NULL;
    make_two_people();
    session = sign_in(notes, ada);
    OK(kinfolk_session_open_anonymous(notes, &anonymous));
    check_status(anonymous, KINFOLK_ACCOUNT_NO_ACCOUNT);
    OK(kinfolk_record_fetch(anonymous, record_id(session), KINFOLK_DATABASE_PUBLIC, &record));

    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_user_record_id(anonymous, &id));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_discoverability(anonymous, &discoverability));
    FAILS(KINFOLK_NOT_AUTHENTICATED,
          kinfolk_session_set_discoverability(anonymous, KINFOLK_DISCOVERABILITY_GRANTED, "text", "1"));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_record_fetch(anonymous, NULL, KINFOLK_DATABASE_PUBLIC, &own));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_record_fetch(anonymous, NULL, KINFOLK_DATABASE_PRIVATE, &own));
    FAILS(KINFOLK_NOT_AUTHENTICATED,
          kinfolk_record_fetch(anonymous, record_id(session), KINFOLK_DATABASE_PRIVATE, &own));
    OK(kinfolk_record_set_string(record, "motto", "mine now"));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_record_save(anonymous, record, KINFOLK_SAVE_ALL_KEYS));
    OK(kinfolk_contacts_new(&contacts));
    OK(kinfolk_contacts_add_email(contacts, "ada@example.com", NULL));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_discover_contacts(anonymous, contacts, NULL, 0, &identities));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_discover_email(anonymous, "ada@example.com", &identities));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_discover_record_id(anonymous, record_id(session), &identities));
    CHECK(id == NULL && own == NULL && identities == NULL);
    kinfolk_contacts_free(contacts);
    kinfolk_record_free(record);
    kinfolk_session_free(session);
    kinfolk_session_free(anonymous);
    free_two_people();
}

/* ---- Suspended */

static void a_suspended_account_can_only_read_public_records(void) {
    kinfolk_session *session, *again = NULL, *graces;
    kinfolk_record *record = NULL, *own = NULL;
    kinfolk_identities *identities = NULL;
    make_two_people();
    session = sign_in(notes, ada);
    graces = sign_in(notes, grace);
    grant(session);
    check_status(session, KINFOLK_ACCOUNT_AVAILABLE);
    OK(kinfolk_account_suspend(ada));
    check_status(session, KINFOLK_ACCOUNT_RESTRICTED);

    OK(kinfolk_record_fetch(session, record_id(graces), KINFOLK_DATABASE_PUBLIC, &record));
    kinfolk_record_free(record);
    OK(kinfolk_record_fetch(session, NULL, KINFOLK_DATABASE_PUBLIC, &record));
    OK(kinfolk_record_set_string(record, "motto", "suspended"));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_record_save(session, record, KINFOLK_SAVE_ALL_KEYS));
    kinfolk_record_free(record);
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_record_fetch(session, NULL, KINFOLK_DATABASE_PRIVATE, &own));
    FAILS(KINFOLK_NOT_AUTHENTICATED,
          kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_DENIED, "", ""));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_discover_record_id(session, record_id(graces), &identities));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_discover_email(session, "grace@example.com", &identities));
    CHECK(own == NULL && identities == NULL);
    OK(kinfolk_session_open(notes, ada, &again)); /* the account has used this container: it may sign in, but is restricted */
    check_status(again, KINFOLK_ACCOUNT_RESTRICTED);
    SAME(record_id(again), record_id(session));
    kinfolk_session_free(again);
    again = NULL;
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_open(games, ada, &again)); /* but it has never used that one */
    CHECK(again == NULL);

    OK(kinfolk_account_resume(ada));
    check_status(session, KINFOLK_ACCOUNT_AVAILABLE);
    check_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED); /* the consent is effective again */
    kinfolk_session_free(session);
    kinfolk_session_free(graces);
    free_two_people();
}

/* ---- Discoverability */

static void discoverability_is_undetermined_at_first_and_separate_for_each_container(void) {
    kinfolk_session *in_notes, *in_games, *again;
    make_two_people();
    in_notes = sign_in(notes, ada);
    in_games = sign_in(games, ada);
    check_discoverability(in_notes, KINFOLK_DISCOVERABILITY_UNDETERMINED);
    grant(in_notes);
    check_discoverability(in_notes, KINFOLK_DISCOVERABILITY_GRANTED);
    check_discoverability(in_games, KINFOLK_DISCOVERABILITY_UNDETERMINED);
    again = sign_in(notes, ada);
    check_discoverability(again, KINFOLK_DISCOVERABILITY_GRANTED);
    deny(again);
    check_discoverability(in_notes, KINFOLK_DISCOVERABILITY_DENIED);
    kinfolk_session_free(in_notes);
    kinfolk_session_free(in_games);
    kinfolk_session_free(again);
    free_two_people();
}

static void a_grant_needs_its_wording(void) {
    kinfolk_session *session;
    char *text = malloc(16386), version[257];
    REQUIRE(text != NULL);
    memset(text, 't', 16385);
    memset(version, 'v', 256);
    text[16385] = version[256] = '\0';
    make_two_people();
    session = sign_in(notes, ada);
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, "", "1"));
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, "text", ""));
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, NULL, "1"));
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_DENIED, "text", NULL));
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, "\xff", "1"));
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_UNDETERMINED, "text", "1"));
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_session_set_discoverability(session, (kinfolk_discoverability)3, "text", "1"));
    FAILS(KINFOLK_LIMIT_EXCEEDED,
          kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, text, "1"));
    FAILS(KINFOLK_LIMIT_EXCEEDED,
          kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, "text", version));
    check_discoverability(session, KINFOLK_DISCOVERABILITY_UNDETERMINED);
    text[16384] = version[255] = '\0';
    OK(kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, text, version));
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
    kinfolk_session *session, *again;
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
    again = sign_in(notes, ada);
    OK(ask(again, &prompt, &answer));
    EQUAL(answer, KINFOLK_DISCOVERABILITY_GRANTED);
    EQUAL(prompt.asked, 2);
    deny(again); /* the settings may change it, the prompt may not */
    OK(ask(session, &prompt, &answer));
    EQUAL(answer, KINFOLK_DISCOVERABILITY_DENIED);
    EQUAL(prompt.asked, 2);
    kinfolk_session_free(session);
    kinfolk_session_free(again);
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

BEGIN
    RUN(an_id_is_an_underscore_and_32_hexadecimal_digits);
    RUN(a_person_has_unrelated_ids_in_two_containers);
    RUN(account_and_container_must_belong_to_one_service);
    RUN(an_anonymous_session_can_only_read);
    RUN(a_suspended_account_can_only_read_public_records);
    RUN(discoverability_is_undetermined_at_first_and_separate_for_each_container);
    RUN(a_grant_needs_its_wording);
    RUN(the_person_is_asked_until_there_is_an_answer);
    RUN(an_invalid_answer_is_refused);
END
