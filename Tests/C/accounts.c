/* Accounts: names, status, export, erasure, and addresses with their codes and claims. The suites of accounts have the rules. */

#include "harness.h"
#include "json.h"
#include "people.h"

static void an_account_is_opened_by_its_id(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *account = make_person(service, "Ada", "Lovelace", NULL), *again = NULL, *none = NULL;
    const char *id = kinfolk_account_id(account);
    REQUIRE(id != NULL);
    EQUAL(strlen(id), 32);
    EQUAL(strspn(id, "0123456789abcdef"), 32);
    OK(kinfolk_account_open(service, id, &again));
    SAME(kinfolk_account_id(again), id);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_open(service, "0123456789abcdef0123456789abcdef", &none));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_account_open(service, NOBODY, &none));
    CHECK(none == NULL);
    kinfolk_account_free(account);
    kinfolk_account_free(again);
    kinfolk_service_free(service);
}

static void names_round_trip(void) {
    static const char *const names[] = { "", "Ada", " Ada \n", "\xe5\x8d\x8e", "e\xcc\x81", "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x94\xac", "\"a\\" };
    kinfolk_service *service = open_store();
    kinfolk_account *account = make_person(service, "first", "name", NULL);
    char *given = NULL, *family = NULL;
    size_t i;
    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        OK(kinfolk_account_set_name(account, names[i], "Lovelace"));
        OK(kinfolk_account_get_name(account, &given, &family));
        SAME(given, names[i]);
        SAME(family, "Lovelace");
        kinfolk_free(given);
        kinfolk_free(family);
    }
    OK(kinfolk_account_get_name(account, NULL, &family));
    SAME(family, "Lovelace");
    kinfolk_free(family);
    OK(kinfolk_account_get_name(account, NULL, NULL));
    kinfolk_account_free(account);
    kinfolk_service_free(service);
}

static void a_name_that_is_too_long_or_not_utf_8_is_refused(void) {
    static const char *const names[] = { "\xff", "a\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x28\xa1" };
    char longest[1026];
    kinfolk_service *service = open_store();
    kinfolk_account *account = NULL;
    size_t i;
    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_account_create(service, names[i], "Lovelace", &account));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_account_create(service, "Ada", names[i], &account));
    }
    memset(longest, 'a', 1025);
    longest[1025] = '\0';
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_account_create(service, longest, "", &account));
    CHECK(account == NULL);
    longest[1024] = '\0';
    OK(kinfolk_account_create(service, longest, longest, &account));
    kinfolk_account_free(account);
    kinfolk_service_free(service);
}

static void suspending_and_resuming_may_be_repeated(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *account = make_person(service, "Ada", "Lovelace", "ada@example.com");
    bool suspended = true;
    int i;
    OK(kinfolk_account_is_suspended(account, &suspended));
    CHECK(!suspended);
    for (i = 0; i < 2; i++) {
        OK(kinfolk_account_suspend(account));
        OK(kinfolk_account_is_suspended(account, &suspended));
        CHECK(suspended);
    }
    for (i = 0; i < 2; i++) {
        OK(kinfolk_account_resume(account));
        OK(kinfolk_account_is_suspended(account, &suspended));
        CHECK(!suspended);
    }
    kinfolk_account_free(account);
    kinfolk_service_free(service);
}

/* ---- Export and erasure */

static void an_export_is_json(void) {
    kinfolk_service *service = open_store();
    kinfolk_container *notes = make_container(service, NOTES);
    kinfolk_account *ada = make_person(service, "A\"d\\a\n\x01", "Lovelace", "Ada@Example.com");
    kinfolk_session *session = sign_in(notes, ada);
    kinfolk_record *record = own_record(session, KINFOLK_DATABASE_PUBLIC);
    char *json = NULL;
    grant(session);
    OK(kinfolk_record_set_string(record, "motto", "That brain of mine"));
    OK(kinfolk_record_save(session, record, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(record);
    OK(kinfolk_account_export(ada, &json));
    REQUIRE(json != NULL);
    CHECK(json_is_valid(json));
    CHECK(strstr(json, "A\\\"d\\\\a") != NULL && strstr(json, "Ada@Example.com") != NULL);
    CHECK(strstr(json, kinfolk_account_id(ada)) != NULL && strstr(json, "That brain of mine") != NULL);
    kinfolk_free(json);
    OK(kinfolk_session_export(session, &json)); /* which an application may give to the person */
    CHECK(json_is_valid(json));
    CHECK(strstr(json, record_id(session)) != NULL && strstr(json, "That brain of mine") != NULL);
    CHECK(strstr(json, kinfolk_account_id(ada)) == NULL && strchr(json, '@') == NULL);
    kinfolk_free(json);
    kinfolk_session_free(session);
    kinfolk_account_free(ada);
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
}

static void erasing_reports_what_was_deleted(void) {
    kinfolk_service *service = open_store();
    kinfolk_container *notes = make_container(service, NOTES), *games = make_container(service, GAMES);
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", "ada@example.com");
    kinfolk_session *in_notes = sign_in(notes, ada), *in_games = sign_in(games, ada);
    kinfolk_erasure *erasure = NULL;
    OK(kinfolk_account_add_email(ada, "countess@example.com", false, NULL));
    OK(kinfolk_account_erase(ada, &erasure));
    EQUAL(kinfolk_erasure_email_count(erasure), 2);
    EQUAL(kinfolk_erasure_container_count(erasure), 2);
    EQUAL(kinfolk_erasure_record_count(erasure), 4);
    EQUAL(kinfolk_erasure_remembered_email_count(erasure), 0);
    EQUAL(kinfolk_erasure_remembered_until(erasure), 0);
    EQUAL(kinfolk_erasure_mails_count_until(erasure), 0);
    CHECK(!kinfolk_erasure_is_pending(erasure)); /* no other transaction reads */
    kinfolk_erasure_free(erasure);
    kinfolk_session_free(in_notes);
    kinfolk_session_free(in_games);
    kinfolk_account_free(ada);
    kinfolk_container_free(notes);
    kinfolk_container_free(games);
    kinfolk_service_free(service);
}

static void an_erased_account_is_unknown_to_every_call(void) {
    kinfolk_service *service = open_store();
    kinfolk_container *notes = make_container(service, NOTES);
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", "ada@example.com"), *again = NULL, *found = NULL;
    kinfolk_session *session = sign_in(notes, ada), *anonymous = NULL, *another = NULL;
    kinfolk_record *record = own_record(session, KINFOLK_DATABASE_PUBLIC), *fetched = NULL;
    kinfolk_emails *emails = NULL;
    kinfolk_claims *claims = NULL;
    kinfolk_account_status status = KINFOLK_ACCOUNT_AVAILABLE;
    kinfolk_discoverability discoverability;
    kinfolk_identities *identities = NULL;
    const char *text = NULL;
    char id[64], *json = NULL;
    bool suspended;
    snprintf(id, sizeof id, "%s", record_id(session));
    OK(kinfolk_account_open(service, kinfolk_account_id(ada), &again));
    OK(kinfolk_account_erase(ada, NULL));

    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_erase(ada, NULL));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_erase(again, NULL));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_get_name(ada, &json, NULL));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_get_name(again, NULL, NULL));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_set_name(ada, "Ada", ""));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_add_email(ada, "ada@example.com", true, NULL));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_request_verification(ada, "ada@example.com", KINFOLK_CODE_ADD_EMAIL,
                                                                     NULL, &json, &json, &json));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_verify_email(ada, "ada@example.com", "0000-0000", &claims));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_confirm_sign_in(ada, "ada@example.com", "0000-0000"));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_refuse_claims(ada, "ada@example.com", "0000-0000", NULL));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_claims(ada, &claims));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_set_email_discoverable(ada, "ada@example.com", true));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_remove_email(ada, "ada@example.com"));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_emails(ada, &emails));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_suspend(ada));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_resume(ada));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_is_suspended(ada, &suspended));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_export(ada, &json));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_open(service, kinfolk_account_id(ada), &found));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_find_by_email(service, "ada@example.com", &found));
    CHECK(json == NULL && emails == NULL && found == NULL);

    OK(kinfolk_session_account_status(session, &status));
    EQUAL(status, KINFOLK_ACCOUNT_NO_ACCOUNT);
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_open(notes, ada, &another));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_user_record_id(session, &text));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_discoverability(session, &discoverability));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_export(session, &json));
    FAILS(KINFOLK_NOT_AUTHENTICATED,
          kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, "text", "1"));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_record_save(session, record, KINFOLK_SAVE_ALL_KEYS));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_record_fetch(session, NULL, KINFOLK_DATABASE_PUBLIC, &fetched));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_record_fetch(session, NULL, KINFOLK_DATABASE_PRIVATE, &fetched));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_discover_record_id(session, id, &identities));
    OK(kinfolk_session_open_anonymous(notes, &anonymous));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_record_fetch(anonymous, id, KINFOLK_DATABASE_PUBLIC, &fetched));
    CHECK(fetched == NULL && another == NULL && identities == NULL && text == NULL);

    kinfolk_record_free(record);
    kinfolk_session_free(session);
    kinfolk_session_free(anonymous);
    kinfolk_account_free(ada);
    kinfolk_account_free(again);
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
}

/* ---- Addresses */

/* Whether this account has the address verified. With NULL: whether no account has. */
static void check_owner(const kinfolk_service *service, const char *email, const kinfolk_account *owner) {
    kinfolk_account *found = NULL;
    if (owner == NULL) {
        FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_find_by_email(service, email, &found));
        CHECK(found == NULL);
        return;
    }
    OK(kinfolk_account_find_by_email(service, email, &found));
    SAME(kinfolk_account_id(found), kinfolk_account_id(owner));
    kinfolk_account_free(found);
}

static size_t count_emails(const kinfolk_account *account) {
    kinfolk_emails *emails = NULL;
    size_t count;
    OK(kinfolk_account_emails(account, &emails));
    count = kinfolk_emails_count(emails);
    kinfolk_emails_free(emails);
    return count;
}

/* The code that was mailed; empty if there was no mail. */
typedef struct mail {
    char code[10], pass[20];
} mail;

static mail request_for(const kinfolk_account *account, const char *email, kinfolk_code_purpose purpose,
                        const char *pass) {
    mail mailed = { "", "" };
    char *recipient = NULL, *code = NULL, *next_pass = NULL, *canonical = NULL;
    OK(kinfolk_account_request_verification(account, email, purpose, pass, &recipient, &code, &next_pass));
    EQUAL(code == NULL, next_pass == NULL);
    EQUAL(code == NULL, recipient == NULL);
    if (code == NULL) return mailed;
    OK(kinfolk_email_canonicalize(email, &canonical));
    SAME(recipient, canonical);
    kinfolk_free(canonical);
    kinfolk_free(recipient);
    EQUAL(strlen(code), 9);
    EQUAL(strlen(next_pass), 19);
    CHECK(code[4] == '-' && strspn(code, "-0123456789ABCDEFGHJKMNPQRSTVWXYZ") == 9);
    snprintf(mailed.code, sizeof mailed.code, "%s", code);
    snprintf(mailed.pass, sizeof mailed.pass, "%s", next_pass);
    kinfolk_free(code);
    kinfolk_free(next_pass);
    return mailed;
}

static mail request(const kinfolk_account *account, const char *email) {
    mail mailed = request_for(account, email, KINFOLK_CODE_ADD_EMAIL, NULL);
    REQUIRE(mailed.code[0] != '\0');
    return mailed;
}

/* Proves an address that no other account has verified. */
static void prove(const kinfolk_account *account, const char *email, const char *code) {
    kinfolk_claims *claim = NULL;
    OK(kinfolk_account_verify_email(account, email, code, &claim));
    CHECK(claim == NULL);
}

static kinfolk_status verify(const kinfolk_account *account, const char *email, const char *code) {
    kinfolk_claims *claim = NULL;
    kinfolk_status status = kinfolk_account_verify_email(account, email, code, &claim);
    CHECK(claim == NULL);
    return status;
}

/* A different code. */
static const char *other_than(const char *code) { return strcmp(code, "0000-0000") == 0 ? "0000-0001" : "0000-0000"; }

static void addresses_keep_their_order_and_spelling(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", "Ada.L@Example.COM");
    kinfolk_emails *emails = NULL;
    OK(kinfolk_account_add_email(ada, "countess@B\xc3\xbc" "cher.example", false, NULL));
    OK(kinfolk_account_add_email(ada, "a@example.com", true, NULL));
    OK(kinfolk_account_set_email_discoverable(ada, "A@example.com", false));
    OK(kinfolk_account_emails(ada, &emails));
    EQUAL(kinfolk_emails_count(emails), 3);
    SAME(kinfolk_emails_address(emails, 0), "Ada.L@Example.COM");
    SAME(kinfolk_emails_address(emails, 1), "countess@B\xc3\xbc" "cher.example");
    SAME(kinfolk_emails_address(emails, 2), "a@example.com");
    CHECK(kinfolk_emails_is_verified(emails, 0) && !kinfolk_emails_is_verified(emails, 1));
    CHECK(kinfolk_emails_is_discoverable(emails, 0) && kinfolk_emails_is_discoverable(emails, 1));
    CHECK(!kinfolk_emails_is_discoverable(emails, 2));
    CHECK(kinfolk_emails_address(emails, 3) == NULL && kinfolk_emails_address(emails, SIZE_MAX) == NULL);
    CHECK(!kinfolk_emails_is_verified(emails, 3) && !kinfolk_emails_is_discoverable(emails, SIZE_MAX));
    kinfolk_emails_free(emails);
    OK(kinfolk_account_remove_email(ada, " ADA.l@example.com"));
    EQUAL(count_emails(ada), 2);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_remove_email(ada, "ada.l@example.com"));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_set_email_discoverable(ada, "ada.l@example.com", true));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_account_add_email(ada, "ada", true, NULL));
    check_owner(service, "ada.l@example.com", NULL);
    check_owner(service, " A@Example.com", ada);
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
}

/* ---- Codes */

static void the_code_verifies_the_address_once(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", NULL);
    mail mailed;
    OK(kinfolk_account_add_email(ada, "ada@example.com", false, NULL));
    FAILS(KINFOLK_UNKNOWN_ITEM, verify(ada, "ada@example.com", "0000-0000"));
    mailed = request(ada, "ada@example.com");
    FAILS(KINFOLK_PERMISSION_FAILURE, verify(ada, "ada@example.com", other_than(mailed.code)));
    check_owner(service, "ada@example.com", NULL);
    prove(ada, "Ada@example.com", mailed.code);
    check_owner(service, "ada@example.com", ada);
    FAILS(KINFOLK_UNKNOWN_ITEM, verify(ada, "ada@example.com", mailed.code));
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
}

static void a_code_signs_a_person_in(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", "ada@example.com");
    mail mailed = request_for(ada, "ada@example.com", KINFOLK_CODE_SIGN_IN, NULL);
    char *recipient = NULL, *code = NULL, *pass = NULL;
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_account_confirm_sign_in(ada, "ada@example.com", other_than(mailed.code)));
    OK(kinfolk_account_confirm_sign_in(ada, "ada@example.com", mailed.code));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_confirm_sign_in(ada, "ada@example.com", mailed.code));
    FAILS(KINFOLK_CONFLICT, kinfolk_account_request_verification(ada, "ada@example.com", KINFOLK_CODE_ADD_EMAIL, NULL,
                                                                 &recipient, &code, &pass));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_request_verification(ada, "ada@example.com", KINFOLK_CODE_REFUSE_CLAIM,
                                                                     NULL, &recipient, &code, &pass));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_account_request_verification(ada, "ada@example.com", (kinfolk_code_purpose)4,
                                                                         NULL, &recipient, &code, &pass));
    CHECK(recipient == NULL && code == NULL && pass == NULL);
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
}

static void requests_and_tries_are_limited(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", NULL);
    char *recipient = NULL, *code = NULL, *pass = NULL;
    mail mailed;
    int i;
    OK(kinfolk_account_add_email(ada, "ada@example.com", false, NULL));
    for (i = 0; i < 4; i++) request(ada, "ada@example.com");
    mailed = request(ada, "ada@example.com");
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, kinfolk_account_request_verification(ada, "ada@example.com",
                                                                             KINFOLK_CODE_ADD_EMAIL, NULL, &recipient,
                                                                             &code, &pass));
    CHECK(kinfolk_error_retry_after() > 86000 && kinfolk_error_retry_after() <= 86400);
    CHECK(recipient == NULL && code == NULL && pass == NULL);
    for (i = 0; i < 5; i++)
        FAILS(KINFOLK_PERMISSION_FAILURE, verify(ada, "ada@example.com", other_than(mailed.code)));
    FAILS(KINFOLK_LIMIT_EXCEEDED, verify(ada, "ada@example.com", mailed.code));
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
}

static void mails_are_counted_for_the_address_and_a_pass_allows_one_more(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", NULL);
    mail mailed = { "", "" }, more;
    int i;
    OK(kinfolk_account_add_email(ada, "ada@example.com", false, NULL));
    for (i = 0; i < 5; i++) {
        kinfolk_account *stranger = make_person(service, "", "", NULL);
        kinfolk_erasure *erasure = NULL;
        OK(kinfolk_account_add_email(stranger, "ada@example.com", false, NULL));
        mailed = request(stranger, "ada@example.com");
        OK(kinfolk_account_erase(stranger, &erasure));
        CHECK(kinfolk_erasure_mails_count_until(erasure) > 0);
        kinfolk_erasure_free(erasure);
        kinfolk_account_free(stranger);
    }
    more = request_for(ada, "ada@example.com", KINFOLK_CODE_ADD_EMAIL, NULL);
    CHECK(more.code[0] == '\0'); /* no mail, but the same answers as always */
    for (i = 0; i < 5; i++) FAILS(KINFOLK_PERMISSION_FAILURE, verify(ada, "ada@example.com", "0000-0000"));
    FAILS(KINFOLK_LIMIT_EXCEEDED, verify(ada, "ada@example.com", "0000-0000"));
    more = request_for(ada, "ada@example.com", KINFOLK_CODE_ADD_EMAIL, mailed.pass);
    prove(ada, "ada@example.com", more.code);
    mailed = request_for(ada, "ada@example.com", KINFOLK_CODE_SIGN_IN, mailed.pass);
    CHECK(mailed.code[0] == '\0'); /* a pass works once */
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
}

/* ---- Claims */

static kinfolk_claim_state state_of_the_claim(const kinfolk_service *service) {
    kinfolk_claims *claims = NULL;
    kinfolk_claim_state state;
    OK(kinfolk_service_claims(service, NULL, 10, &claims));
    REQUIRE(kinfolk_claims_count(claims) == 1);
    state = kinfolk_claims_state(claims, 0);
    kinfolk_claims_free(claims);
    return state;
}

static void an_address_moves_after_notice_wait_and_second_proof(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", "Shared@example.com");
    kinfolk_account *grace = make_person(service, "Grace", "Hopper", NULL);
    kinfolk_claims *claim = NULL, *after = NULL;
    double seconds = 0;
    OK(kinfolk_account_add_email(ada, "ada@example.com", true, NULL));
    OK(kinfolk_account_add_email(grace, "shared@example.com", false, &claim));
    CHECK(claim == NULL);
    OK(kinfolk_account_verify_email(grace, "shared@example.com", request(grace, "shared@example.com").code, &claim));
    EQUAL(kinfolk_claims_count(claim), 1);
    EQUAL(kinfolk_claims_state(claim, 0), KINFOLK_CLAIM_AWAITING_NOTICE);
    SAME(kinfolk_claims_address(claim, 0), "Shared@example.com");
    SAME(kinfolk_claims_owner_id(claim, 0), kinfolk_account_id(ada));
    SAME(kinfolk_claims_claimant_id(claim, 0), kinfolk_account_id(grace));
    EQUAL(kinfolk_claims_notice_count(claim, 0), 2);
    SAME(kinfolk_claims_notice(claim, 0, 0), "shared@example.com");
    SAME(kinfolk_claims_notice(claim, 0, 1), "ada@example.com");
    CHECK(kinfolk_claims_notice(claim, 0, 2) == NULL && kinfolk_claims_notice(claim, 1, 0) == NULL);
    CHECK(kinfolk_claims_opened_at(claim, 0) > 0);
    EQUAL(kinfolk_claims_noticed_at(claim, 0), 0);
    EQUAL(kinfolk_claims_completable_at(claim, 0), 0);
    check_owner(service, "shared@example.com", ada);

    OK(kinfolk_service_claim_wait(service, &seconds));
    CHECK(seconds == 86400);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_service_set_claim_wait(service, -1));
    OK(kinfolk_service_set_claim_wait(service, 0));
    EQUAL(state_of_the_claim(service), KINFOLK_CLAIM_AWAITING_NOTICE); /* nothing moves without the notice */
    OK(kinfolk_service_acknowledge_notice(service, kinfolk_claims_id(claim, 0)));
    OK(kinfolk_service_claims(service, NULL, 10, &after));
    EQUAL(kinfolk_claims_count(after), 1);
    EQUAL(kinfolk_claims_state(after, 0), KINFOLK_CLAIM_COMPLETABLE);
    CHECK(kinfolk_claims_noticed_at(after, 0) >= kinfolk_claims_opened_at(claim, 0));
    EQUAL(kinfolk_claims_completable_at(after, 0), kinfolk_claims_noticed_at(after, 0)); /* the wait is 0 */
    kinfolk_claims_free(after);
    check_owner(service, "shared@example.com", ada);
    prove(grace, "shared@example.com", request(grace, "shared@example.com").code);
    check_owner(service, "shared@example.com", grace);
    EQUAL(count_emails(ada), 1);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_service_acknowledge_notice(service, kinfolk_claims_id(claim, 0)));
    OK(kinfolk_service_claims(service, kinfolk_claims_id(claim, 0), 10, &after));
    EQUAL(kinfolk_claims_count(after), 0);

    OK(kinfolk_service_transfer_email(service, "shared@example.com", ada)); /* and back, by the operator */
    check_owner(service, "shared@example.com", ada);
    EQUAL(count_emails(grace), 0);
    kinfolk_claims_free(after);
    kinfolk_claims_free(claim);
    kinfolk_account_free(ada);
    kinfolk_account_free(grace);
    kinfolk_service_free(service);
}

static void a_claim_is_refused_by_a_code_and_dismissed_by_the_operator(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", "shared@example.com");
    kinfolk_account *grace = make_person(service, "Grace", "Hopper", NULL);
    kinfolk_claims *claim = NULL, *refused = NULL, *again = NULL;
    mail mailed;
    OK(kinfolk_account_add_email(grace, "shared@example.com", true, &claim)); /* a host that says it is verified does not speed this up */
    EQUAL(kinfolk_claims_count(claim), 1);
    check_owner(service, "shared@example.com", ada);
    OK(kinfolk_service_acknowledge_notice(service, kinfolk_claims_id(claim, 0)));
    EQUAL(state_of_the_claim(service), KINFOLK_CLAIM_WAITING);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_refuse_claims(ada, "shared@example.com", "0000-0000", &refused));
    mailed = request_for(ada, "shared@example.com", KINFOLK_CODE_REFUSE_CLAIM, NULL);
    FAILS(KINFOLK_PERMISSION_FAILURE,
          kinfolk_account_refuse_claims(ada, "shared@example.com", other_than(mailed.code), &refused));
    OK(kinfolk_account_refuse_claims(ada, "shared@example.com", mailed.code, &refused));
    EQUAL(kinfolk_claims_count(refused), 1);
    EQUAL(kinfolk_claims_state(refused, 0), KINFOLK_CLAIM_REFUSED);
    OK(kinfolk_account_add_email(grace, "shared@example.com", true, &again));
    EQUAL(kinfolk_claims_state(again, 0), KINFOLK_CLAIM_REFUSED);
    OK(kinfolk_service_dismiss_claim(service, kinfolk_claims_id(claim, 0)));
    EQUAL(state_of_the_claim(service), KINFOLK_CLAIM_DISMISSED);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_service_dismiss_claim(service, "nonsense"));
    check_owner(service, "shared@example.com", ada);
    kinfolk_claims_free(again);
    OK(kinfolk_account_claims(grace, &again));
    EQUAL(kinfolk_claims_count(again), 1);
    kinfolk_claims_free(again);
    kinfolk_claims_free(refused);
    kinfolk_claims_free(claim);
    kinfolk_account_free(ada);
    kinfolk_account_free(grace);
    kinfolk_service_free(service);
}

BEGIN
    RUN(an_account_is_opened_by_its_id);
    RUN(names_round_trip);
    RUN(a_name_that_is_too_long_or_not_utf_8_is_refused);
    RUN(suspending_and_resuming_may_be_repeated);
    RUN(an_export_is_json);
    RUN(erasing_reports_what_was_deleted);
    RUN(an_erased_account_is_unknown_to_every_call);
    RUN(addresses_keep_their_order_and_spelling);
    RUN(the_code_verifies_the_address_once);
    RUN(a_code_signs_a_person_in);
    RUN(requests_and_tries_are_limited);
    RUN(mails_are_counted_for_the_address_and_a_pass_allows_one_more);
    RUN(an_address_moves_after_notice_wait_and_second_proof);
    RUN(a_claim_is_refused_by_a_code_and_dismissed_by_the_operator);
END
