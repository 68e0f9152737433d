/* The addresses of an account: adding, verifying by code, taking over, removing. */

#include "harness.h"
#include "people.h"

/* Whether the account that has the address verified is this one. NULL: nobody has it. */
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

static void request(const kinfolk_account *account, const char *email, char code[7]) {
    char *issued = NULL;
    OK(kinfolk_account_request_verification(account, email, &issued));
    REQUIRE(issued != NULL);
    EQUAL(strlen(issued), 6);
    EQUAL(strspn(issued, "0123456789"), 6);
    snprintf(code, 7, "%.6s", issued);
    kinfolk_free(issued);
}

/* A code of six digits that is not this one. */
static const char *other_than(const char *code) {
    static char other[7];
    snprintf(other, sizeof other, "%.6s", code);
    other[5] = other[5] == '9' ? '0' : (char)(other[5] + 1);
    return other;
}

static void an_address_counts_once_it_is_verified(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", NULL);
    check_owner(service, "ada@example.com", NULL);
    OK(kinfolk_account_add_email(ada, "ada@example.com", false));
    check_owner(service, "ada@example.com", NULL);
    OK(kinfolk_account_add_email(ada, "ada@example.com", true));
    check_owner(service, "ada@example.com", ada);
    check_owner(service, " ADA@Example.com", ada);
    OK(kinfolk_account_add_email(ada, "ada@example.com", false)); /* keeps what is there */
    check_owner(service, "ada@example.com", ada);
    EQUAL(count_emails(ada), 1);
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
}

static void addresses_are_listed_as_spelled_in_the_order_added(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", "Ada.L@Example.COM");
    kinfolk_emails *emails = NULL;
    OK(kinfolk_account_add_email(ada, "countess@B\xc3\xbc" "cher.example", false));
    OK(kinfolk_account_add_email(ada, "a@example.com", true));
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

static void what_is_no_address_is_not_added(void) {
    static const char *const cases[] = { "", "ada", "ada@", "@example.com", "ada\xff@example.com", "a b@example.com" };
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", NULL), *found = NULL;
    size_t i;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_account_add_email(ada, cases[i], false));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_account_add_email(ada, cases[i], true));
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
        OK(kinfolk_account_add_email(ada, email, i % 2 == 0));
    }
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_account_add_email(ada, "ada100@example.com", true));
    OK(kinfolk_account_add_email(ada, "ADA1@example.com", true)); /* it is there already */
    EQUAL(count_emails(ada), 100);
    check_owner(service, "ada100@example.com", NULL);
    OK(kinfolk_account_remove_email(ada, "ada0@example.com"));
    OK(kinfolk_account_add_email(ada, "ada100@example.com", true));
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
    char code[7];
    OK(kinfolk_account_add_email(ada, "ada@example.com", false));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_verify_email(ada, "ada@example.com", "123456"));
    request(ada, "ada@example.com", code);
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_account_verify_email(ada, "ada@example.com", other_than(code)));
    check_owner(service, "ada@example.com", NULL);
    OK(kinfolk_account_verify_email(ada, "Ada@example.com", code));
    check_owner(service, "ada@example.com", ada);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_verify_email(ada, "ada@example.com", code));
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
}

static void only_an_unverified_address_of_the_account_gets_a_code(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", "ada@example.com");
    kinfolk_account *grace = make_person(service, "Grace", "Hopper", NULL);
    char *code = NULL;
    FAILS(KINFOLK_CONFLICT, kinfolk_account_request_verification(ada, "ada@example.com", &code));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_request_verification(ada, "countess@example.com", &code));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_request_verification(grace, "ada@example.com", &code));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_verify_email(grace, "ada@example.com", "123456"));
    CHECK(code == NULL);
    kinfolk_account_free(ada);
    kinfolk_account_free(grace);
    kinfolk_service_free(service);
}

static void a_code_is_for_its_account_and_address_alone(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", NULL);
    kinfolk_account *grace = make_person(service, "Grace", "Hopper", NULL);
    char adas[7], second[7], graces[7];
    OK(kinfolk_account_add_email(ada, "ada@example.com", false));
    OK(kinfolk_account_add_email(ada, "second@example.com", false));
    OK(kinfolk_account_add_email(grace, "ada@example.com", false));
    request(ada, "ada@example.com", adas);
    request(ada, "second@example.com", second);
    request(grace, "ada@example.com", graces);
    if (strcmp(second, adas) != 0)
        FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_account_verify_email(ada, "ada@example.com", second));
    if (strcmp(graces, adas) != 0)
        FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_account_verify_email(grace, "ada@example.com", adas));
    check_owner(service, "ada@example.com", NULL);
    kinfolk_account_free(ada);
    kinfolk_account_free(grace);
    kinfolk_service_free(service);
}

static void a_code_may_be_tried_five_times(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", NULL);
    char code[7];
    int i;
    OK(kinfolk_account_add_email(ada, "ada@example.com", false));
    request(ada, "ada@example.com", code);
    for (i = 0; i < 5; i++)
        FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_account_verify_email(ada, "ada@example.com", other_than(code)));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_account_verify_email(ada, "ada@example.com", code));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_account_verify_email(ada, "ada@example.com", other_than(code)));
    check_owner(service, "ada@example.com", NULL);
    request(ada, "ada@example.com", code);
    OK(kinfolk_account_verify_email(ada, "ada@example.com", code));
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
}

static void the_fifth_try_still_counts(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", NULL);
    char code[7];
    int i;
    OK(kinfolk_account_add_email(ada, "ada@example.com", false));
    request(ada, "ada@example.com", code);
    for (i = 0; i < 4; i++)
        FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_account_verify_email(ada, "ada@example.com", other_than(code)));
    OK(kinfolk_account_verify_email(ada, "ada@example.com", code));
    check_owner(service, "ada@example.com", ada);
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
}

static void what_cannot_be_a_code_is_not_the_code(void) {
    static const char *const cases[] = { "", "abcdef", "1", "12345678901234567890123456789012345678901234567890" };
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", NULL);
    char code[7], spaced[16];
    size_t i;
    OK(kinfolk_account_add_email(ada, "ada@example.com", false));
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (i % 4 == 0) request(ada, "ada@example.com", code);
        FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_account_verify_email(ada, "ada@example.com", cases[i]));
    }
    request(ada, "ada@example.com", code);
    snprintf(spaced, sizeof spaced, "%s0", code);
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_account_verify_email(ada, "ada@example.com", spaced));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_account_verify_email(ada, "ada@example.com", "12345\xff"));
    check_owner(service, "ada@example.com", NULL);
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
}

static void a_new_code_takes_the_place_of_the_one_before(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", NULL);
    char first[7], second[7];
    OK(kinfolk_account_add_email(ada, "ada@example.com", false));
    request(ada, "ada@example.com", first);
    request(ada, "ada@example.com", second);
    if (strcmp(first, second) != 0)
        FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_account_verify_email(ada, "ada@example.com", first));
    OK(kinfolk_account_verify_email(ada, "ada@example.com", second));
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
}

static void an_address_gets_five_codes_a_day(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", NULL);
    char code[7], *sixth = NULL;
    int i;
    OK(kinfolk_account_add_email(ada, "ada@example.com", false));
    OK(kinfolk_account_add_email(ada, "second@example.com", false));
    for (i = 0; i < 5; i++) request(ada, "ada@example.com", code);
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, kinfolk_account_request_verification(ada, "ada@example.com", &sixth));
    CHECK(kinfolk_error_retry_after() > 86000 && kinfolk_error_retry_after() <= 86400);
    CHECK(sixth == NULL);
    request(ada, "second@example.com", code); /* each address has its own five */

    OK(kinfolk_account_remove_email(ada, "ada@example.com")); /* and keeps them counted */
    OK(kinfolk_account_add_email(ada, "ada@example.com", false));
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, kinfolk_account_request_verification(ada, "ada@example.com", &sixth));
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
}

static void the_fifth_code_is_as_good_as_the_first(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", NULL);
    char code[7], *sixth = NULL;
    int i;
    OK(kinfolk_account_add_email(ada, "ada@example.com", false));
    for (i = 0; i < 5; i++) request(ada, "ada@example.com", code);
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, kinfolk_account_request_verification(ada, "ada@example.com", &sixth));
    OK(kinfolk_account_verify_email(ada, "ada@example.com", code));
    check_owner(service, "ada@example.com", ada);
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
}

/* ---- Taking over */

static void who_proves_an_address_anew_takes_it(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", "shared@example.com");
    kinfolk_account *grace = make_person(service, "Grace", "Hopper", NULL);
    char code[7];
    OK(kinfolk_account_add_email(grace, "Shared@example.com", false));
    check_owner(service, "shared@example.com", ada);
    EQUAL(count_emails(ada), 1);
    request(grace, "shared@example.com", code);
    check_owner(service, "shared@example.com", ada);
    OK(kinfolk_account_verify_email(grace, "shared@example.com", code));
    check_owner(service, "shared@example.com", grace);
    EQUAL(count_emails(ada), 0);

    OK(kinfolk_account_add_email(ada, "shared@example.com", true)); /* and back, on the host's word */
    check_owner(service, "shared@example.com", ada);
    EQUAL(count_emails(grace), 0);
    kinfolk_account_free(ada);
    kinfolk_account_free(grace);
    kinfolk_service_free(service);
}

static void an_unverified_claim_takes_nothing(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", "ada@example.com");
    kinfolk_account *grace = make_person(service, "Grace", "Hopper", NULL);
    OK(kinfolk_account_add_email(grace, "ada@example.com", false));
    OK(kinfolk_account_remove_email(grace, "ada@example.com"));
    check_owner(service, "ada@example.com", ada);
    OK(kinfolk_account_add_email(grace, "ada@example.com", false));
    OK(kinfolk_account_erase(grace, NULL));
    check_owner(service, "ada@example.com", ada);
    EQUAL(count_emails(ada), 1);
    kinfolk_account_free(ada);
    kinfolk_account_free(grace);
    kinfolk_service_free(service);
}

BEGIN
    RUN(an_address_counts_once_it_is_verified);
    RUN(addresses_are_listed_as_spelled_in_the_order_added);
    RUN(what_is_no_address_is_not_added);
    RUN(an_account_has_100_addresses_at_most);
    RUN(an_address_is_removed_once);
    RUN(the_code_verifies_the_address_once);
    RUN(only_an_unverified_address_of_the_account_gets_a_code);
    RUN(a_code_is_for_its_account_and_address_alone);
    RUN(a_code_may_be_tried_five_times);
    RUN(the_fifth_try_still_counts);
    RUN(what_cannot_be_a_code_is_not_the_code);
    RUN(a_new_code_takes_the_place_of_the_one_before);
    RUN(an_address_gets_five_codes_a_day);
    RUN(the_fifth_code_is_as_good_as_the_first);
    RUN(who_proves_an_address_anew_takes_it);
    RUN(an_unverified_claim_takes_nothing);
END
