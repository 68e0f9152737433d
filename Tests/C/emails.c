/* The addresses of an account: adding, verifying by code, claiming, removing. */

#include "harness.h"
#include "people.h"

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
    char *code = NULL, *next_pass = NULL;
    OK(kinfolk_account_request_verification(account, email, purpose, pass, &code, &next_pass));
    EQUAL(code == NULL, next_pass == NULL);
    if (code == NULL) return mailed;
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

static void an_address_is_effective_only_after_verification(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", NULL);
    check_owner(service, "ada@example.com", NULL);
    OK(kinfolk_account_add_email(ada, "ada@example.com", false, NULL));
    check_owner(service, "ada@example.com", NULL);
    OK(kinfolk_account_add_email(ada, "ada@example.com", true, NULL));
    check_owner(service, "ada@example.com", ada);
    check_owner(service, " ADA@Example.com", ada);
    OK(kinfolk_account_add_email(ada, "ada@example.com", false, NULL)); /* keeps the verification */
    check_owner(service, "ada@example.com", ada);
    EQUAL(count_emails(ada), 1);
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
}

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
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
}

static void an_invalid_address_is_not_added(void) {
    static const char *const cases[] = { "", "ada", "ada@", "@example.com", "ada\xff@example.com", "a b@example.com" };
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", NULL), *found = NULL;
    size_t i;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_account_add_email(ada, cases[i], false, NULL));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_account_add_email(ada, cases[i], true, NULL));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_account_find_by_email(service, cases[i], &found));
    }
    EQUAL(count_emails(ada), 0);
    CHECK(found == NULL);
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
}

static void an_account_has_100_addresses_at_most(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", NULL);
    char email[40];
    int i;
    for (i = 0; i < 100; i++) {
        snprintf(email, sizeof email, "ada%d@example.com", i);
        OK(kinfolk_account_add_email(ada, email, i % 2 == 0, NULL));
    }
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_account_add_email(ada, "ada100@example.com", true, NULL));
    OK(kinfolk_account_add_email(ada, "ADA1@example.com", true, NULL)); /* the account has it already */
    EQUAL(count_emails(ada), 100);
    check_owner(service, "ada100@example.com", NULL);
    OK(kinfolk_account_remove_email(ada, "ada0@example.com"));
    OK(kinfolk_account_add_email(ada, "ada100@example.com", true, NULL));
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
}

static void an_address_is_removed_once(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", "ada@example.com");
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_remove_email(ada, "countess@example.com"));
    OK(kinfolk_account_remove_email(ada, " ADA@example.com"));
    check_owner(service, "ada@example.com", NULL);
    EQUAL(count_emails(ada), 0);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_remove_email(ada, "ada@example.com"));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_set_email_discoverable(ada, "ada@example.com", true));
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

static void only_a_suitable_address_of_the_account_gets_a_code(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", "ada@example.com");
    kinfolk_account *grace = make_person(service, "Grace", "Hopper", NULL);
    char *code = NULL, *pass = NULL;
    OK(kinfolk_account_add_email(ada, "new@example.com", false, NULL));
    FAILS(KINFOLK_CONFLICT, kinfolk_account_request_verification(ada, "ada@example.com", KINFOLK_CODE_ADD_EMAIL, NULL,
                                                                 &code, &pass));
    FAILS(KINFOLK_CONFLICT, kinfolk_account_request_verification(ada, "new@example.com", KINFOLK_CODE_SIGN_IN, NULL,
                                                                 &code, &pass));
    FAILS(KINFOLK_CONFLICT, kinfolk_account_request_verification(ada, "new@example.com", KINFOLK_CODE_REFUSE_CLAIM,
                                                                 NULL, &code, &pass));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_request_verification(ada, "ada@example.com", KINFOLK_CODE_REFUSE_CLAIM,
                                                                     NULL, &code, &pass));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_request_verification(grace, "ada@example.com", KINFOLK_CODE_ADD_EMAIL,
                                                                     NULL, &code, &pass));
    FAILS(KINFOLK_UNKNOWN_ITEM, verify(grace, "ada@example.com", "0000-0000"));
    CHECK(code == NULL && pass == NULL);
    kinfolk_account_free(ada);
    kinfolk_account_free(grace);
    kinfolk_service_free(service);
}

static void a_code_is_valid_only_for_its_account_address_and_purpose(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", "verified@example.com");
    kinfolk_account *grace = make_person(service, "Grace", "Hopper", NULL);
    mail adas, second, graces, sign_in;
    OK(kinfolk_account_add_email(ada, "ada@example.com", false, NULL));
    OK(kinfolk_account_add_email(ada, "second@example.com", false, NULL));
    OK(kinfolk_account_add_email(grace, "ada@example.com", false, NULL));
    adas = request(ada, "ada@example.com");
    second = request(ada, "second@example.com");
    graces = request(grace, "ada@example.com");
    sign_in = request_for(ada, "verified@example.com", KINFOLK_CODE_SIGN_IN, NULL);
    FAILS(KINFOLK_PERMISSION_FAILURE, verify(ada, "ada@example.com", second.code));
    FAILS(KINFOLK_PERMISSION_FAILURE, verify(grace, "ada@example.com", adas.code));
    FAILS(KINFOLK_PERMISSION_FAILURE, verify(ada, "ada@example.com", graces.code));
    FAILS(KINFOLK_UNKNOWN_ITEM, verify(ada, "verified@example.com", sign_in.code));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_confirm_sign_in(ada, "ada@example.com", adas.code));
    FAILS(KINFOLK_PERMISSION_FAILURE,
          kinfolk_account_confirm_sign_in(ada, "verified@example.com", other_than(sign_in.code)));
    OK(kinfolk_account_confirm_sign_in(ada, "verified@example.com", sign_in.code));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_confirm_sign_in(ada, "verified@example.com", sign_in.code));
    check_owner(service, "ada@example.com", NULL);
    kinfolk_account_free(ada);
    kinfolk_account_free(grace);
    kinfolk_service_free(service);
}

static void a_code_may_be_tried_five_times(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", NULL);
    mail mailed;
    int i;
    OK(kinfolk_account_add_email(ada, "ada@example.com", false, NULL));
    mailed = request(ada, "ada@example.com");
    for (i = 0; i < 5; i++)
        FAILS(KINFOLK_PERMISSION_FAILURE, verify(ada, "ada@example.com", other_than(mailed.code)));
    FAILS(KINFOLK_LIMIT_EXCEEDED, verify(ada, "ada@example.com", mailed.code));
    FAILS(KINFOLK_LIMIT_EXCEEDED, verify(ada, "ada@example.com", other_than(mailed.code)));
    check_owner(service, "ada@example.com", NULL);
    mailed = request(ada, "ada@example.com");
    for (i = 0; i < 4; i++)
        FAILS(KINFOLK_PERMISSION_FAILURE, verify(ada, "ada@example.com", other_than(mailed.code)));
    prove(ada, "ada@example.com", mailed.code); /* the fifth try still counts */
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
}

static void a_malformed_code_is_a_wrong_code(void) {
    static const char *const cases[] = { "", "uuuu", "1", "12345678901234567890123456789012345678901234567890" };
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", NULL);
    mail mailed;
    char longer[16];
    size_t i;
    OK(kinfolk_account_add_email(ada, "ada@example.com", false, NULL));
    request(ada, "ada@example.com");
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++)
        FAILS(KINFOLK_PERMISSION_FAILURE, verify(ada, "ada@example.com", cases[i]));
    mailed = request(ada, "ada@example.com");
    snprintf(longer, sizeof longer, "%s0", mailed.code);
    FAILS(KINFOLK_PERMISSION_FAILURE, verify(ada, "ada@example.com", longer));
    FAILS(KINFOLK_INVALID_ARGUMENT, verify(ada, "ada@example.com", "1234567\xff"));
    check_owner(service, "ada@example.com", NULL);
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
}

static void a_new_code_replaces_the_earlier_one(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", NULL);
    mail first, second;
    OK(kinfolk_account_add_email(ada, "ada@example.com", false, NULL));
    first = request(ada, "ada@example.com");
    second = request(ada, "ada@example.com");
    FAILS(KINFOLK_PERMISSION_FAILURE, verify(ada, "ada@example.com", first.code));
    prove(ada, "ada@example.com", second.code);
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
}

static void an_account_requests_five_codes_a_day_for_an_address(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", NULL);
    char *sixth = NULL, *pass = NULL;
    int i;
    OK(kinfolk_account_add_email(ada, "ada@example.com", false, NULL));
    OK(kinfolk_account_add_email(ada, "second@example.com", false, NULL));
    for (i = 0; i < 5; i++) request(ada, "ada@example.com");
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, kinfolk_account_request_verification(ada, "ada@example.com",
                                                                             KINFOLK_CODE_ADD_EMAIL, NULL, &sixth, &pass));
    CHECK(kinfolk_error_retry_after() > 86000 && kinfolk_error_retry_after() <= 86400);
    CHECK(sixth == NULL && pass == NULL);
    request(ada, "second@example.com"); /* each address has five requests of its own */

    OK(kinfolk_account_remove_email(ada, "ada@example.com")); /* and does not forget the count */
    OK(kinfolk_account_add_email(ada, "ada@example.com", false, NULL));
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, kinfolk_account_request_verification(ada, "ada@example.com",
                                                                             KINFOLK_CODE_ADD_EMAIL, NULL, &sixth, &pass));
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
    SAME(kinfolk_claims_notice(claim, 0, 0), "Shared@example.com");
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
    EQUAL(state_of_the_claim(service), KINFOLK_CLAIM_COMPLETABLE);
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

static void adding_an_unverified_address_takes_it_from_nobody(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", "ada@example.com");
    kinfolk_account *grace = make_person(service, "Grace", "Hopper", NULL);
    OK(kinfolk_account_add_email(grace, "ada@example.com", false, NULL));
    OK(kinfolk_account_remove_email(grace, "ada@example.com"));
    check_owner(service, "ada@example.com", ada);
    OK(kinfolk_account_add_email(grace, "ada@example.com", false, NULL));
    OK(kinfolk_account_erase(grace, NULL));
    check_owner(service, "ada@example.com", ada);
    EQUAL(count_emails(ada), 1);
    kinfolk_account_free(ada);
    kinfolk_account_free(grace);
    kinfolk_service_free(service);
}

BEGIN
    RUN(an_address_is_effective_only_after_verification);
    RUN(addresses_keep_their_order_and_spelling);
    RUN(an_invalid_address_is_not_added);
    RUN(an_account_has_100_addresses_at_most);
    RUN(an_address_is_removed_once);
    RUN(the_code_verifies_the_address_once);
    RUN(only_a_suitable_address_of_the_account_gets_a_code);
    RUN(a_code_is_valid_only_for_its_account_address_and_purpose);
    RUN(a_code_may_be_tried_five_times);
    RUN(a_malformed_code_is_a_wrong_code);
    RUN(a_new_code_replaces_the_earlier_one);
    RUN(an_account_requests_five_codes_a_day_for_an_address);
    RUN(mails_are_counted_for_the_address_and_a_pass_allows_one_more);
    RUN(an_address_moves_after_notice_wait_and_second_proof);
    RUN(a_claim_is_refused_by_a_code_and_dismissed_by_the_operator);
    RUN(adding_an_unverified_address_takes_it_from_nobody);
END
