/* Accounts: their names, their status, and what export and erasure do. */

#include "harness.h"
#include "json.h"
#include "people.h"

static void an_account_is_opened_by_its_id(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *account = make_person(service, "Ada", "Lovelace", NULL), *again = NULL;
    const char *id = kinfolk_account_id(account);
    REQUIRE(id != NULL);
    EQUAL(strlen(id), 32);
    EQUAL(strspn(id, "0123456789abcdef"), 32);
    OK(kinfolk_account_open(service, id, &again));
    SAME(kinfolk_account_id(again), id);
    kinfolk_account_free(account);
    kinfolk_account_free(again);
    kinfolk_service_free(service);
}

static void an_unknown_id_and_a_malformed_id_have_different_statuses(void) {
    static const char *const malformed[] = {
        "", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdef0", "0123456789ABCDEF0123456789ABCDEF",
        "0123456789abcdef0123456789abcdeg", NOBODY, "0123456789abcdef 123456789abcdef", "\xff",
    };
    kinfolk_service *service = open_store();
    kinfolk_account *account = NULL;
    size_t i;
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_open(service, "0123456789abcdef0123456789abcdef", &account));
    for (i = 0; i < sizeof malformed / sizeof malformed[0]; i++)
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_account_open(service, malformed[i], &account));
    CHECK(account == NULL);
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

static void a_name_has_1024_bytes_at_most(void) {
    char name[1026];
    kinfolk_service *service = open_store();
    kinfolk_account *account = NULL, *other = NULL;
    char *given = NULL;
    memset(name, 'a', sizeof name);
    name[1024] = '\0';
    OK(kinfolk_account_create(service, name, name, &account));
    OK(kinfolk_account_get_name(account, &given, NULL));
    SAME(given, name);
    kinfolk_free(given);
    name[1024] = 'a';
    name[1025] = '\0';
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_account_set_name(account, name, ""));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_account_set_name(account, "", name));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_account_create(service, name, "", &other));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_account_create(service, "", name, &other));
    CHECK(other == NULL);
    kinfolk_account_free(account);
    kinfolk_service_free(service);
}

static void a_name_that_is_not_utf_8_is_refused(void) {
    static const char *const names[] = { "\xff", "a\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x28\xa1" };
    kinfolk_service *service = open_store();
    kinfolk_account *account = NULL;
    size_t i;
    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_account_create(service, names[i], "Lovelace", &account));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_account_create(service, "Ada", names[i], &account));
    }
    CHECK(account == NULL);
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

/* ---- Export */

static void an_export_is_json_with_all_data(void) {
    kinfolk_service *service = open_store();
    kinfolk_container *notes = make_container(service, NOTES), *games = make_container(service, GAMES);
    kinfolk_account *ada = make_person(service, "A\"d\\a\n\x01", "Lovelace", "Ada@Example.com");
    kinfolk_account *grace = make_person(service, "Grace", "Hopper", "grace@example.com");
    kinfolk_session *in_notes = sign_in(notes, ada), *in_games = sign_in(games, ada), *graces = sign_in(notes, grace);
    kinfolk_record *record = own_record(in_notes, KINFOLK_DATABASE_PUBLIC), *own = NULL;
    char *json = NULL;
    OK(kinfolk_account_add_email(ada, "countess@example.com", false, NULL));
    OK(kinfolk_session_set_discoverability(in_notes, KINFOLK_DISCOVERABILITY_GRANTED, "May they find you, Ada?", "v7"));
    OK(kinfolk_record_set_string(record, "motto", "That brain of mine"));
    OK(kinfolk_record_set_double(record, "odd", 0.1));
    OK(kinfolk_record_set_bytes(record, "raw", (const uint8_t *)"\0\xff", 2));
    OK(kinfolk_record_save(in_notes, record, KINFOLK_SAVE_IF_UNCHANGED));
    OK(kinfolk_container_add_field(games, "secret", KINFOLK_STRING));
    own = own_record(in_games, KINFOLK_DATABASE_PRIVATE);
    OK(kinfolk_record_set_string(own, "secret", "Weaves algebraic patterns"));
    OK(kinfolk_record_save(in_games, own, KINFOLK_SAVE_IF_UNCHANGED));

    OK(kinfolk_account_export(ada, &json));
    REQUIRE(json != NULL);
    CHECK(json_is_valid(json));
    CHECK(strstr(json, "A\\\"d\\\\a") != NULL);
    CHECK(strstr(json, "Lovelace") != NULL);
    CHECK(strstr(json, "Ada@Example.com") != NULL);
    CHECK(strstr(json, "countess@example.com") != NULL);
    CHECK(strstr(json, kinfolk_account_id(ada)) != NULL);
    CHECK(strstr(json, NOTES) != NULL && strstr(json, GAMES) != NULL);
    CHECK(strstr(json, record_id(in_notes)) != NULL && strstr(json, record_id(in_games)) != NULL);
    CHECK(strstr(json, "May they find you, Ada?") != NULL && strstr(json, "v7") != NULL);
    CHECK(strstr(json, "That brain of mine") != NULL && strstr(json, "Weaves algebraic patterns") != NULL);
    CHECK(strstr(json, "motto") != NULL && strstr(json, "secret") != NULL);
    CHECK(strstr(json, "Grace") == NULL && strstr(json, "grace@") == NULL && strstr(json, record_id(graces)) == NULL);
    kinfolk_free(json);

    /* The export that an application may give to the person: data of its own container only. */
    OK(kinfolk_session_export(in_notes, &json));
    CHECK(json_is_valid(json));
    CHECK(strstr(json, NOTES) != NULL && strstr(json, record_id(in_notes)) != NULL);
    CHECK(strstr(json, "Lovelace") != NULL && strstr(json, "May they find you, Ada?") != NULL);
    CHECK(strstr(json, "That brain of mine") != NULL);
    CHECK(strstr(json, GAMES) == NULL && strstr(json, record_id(in_games)) == NULL && strstr(json, "secret") == NULL);
    CHECK(strstr(json, kinfolk_account_id(ada)) == NULL && strchr(json, '@') == NULL);
    CHECK(strstr(json, "Grace") == NULL && strstr(json, record_id(graces)) == NULL);
    kinfolk_free(json);
    OK(kinfolk_session_export(in_games, &json)); /* where nobody can find her */
    CHECK(strstr(json, "Lovelace") == NULL && strstr(json, "Weaves algebraic patterns") != NULL);
    kinfolk_free(json);

    kinfolk_record_free(record);
    kinfolk_record_free(own);
    kinfolk_session_free(in_notes);
    kinfolk_session_free(in_games);
    kinfolk_session_free(graces);
    kinfolk_account_free(ada);
    kinfolk_account_free(grace);
    kinfolk_container_free(notes);
    kinfolk_container_free(games);
    kinfolk_service_free(service);
}

/* ---- Erasure */

/* Whether the store holds a user record ID, as 16 bytes or as text. */
static bool store_holds_id(const char *id) {
    uint8_t bytes[16];
    unsigned value;
    int i;
    for (i = 0; i < 16; i++) {
        REQUIRE(sscanf(id + 1 + 2 * i, "%2x", &value) == 1);
        bytes[i] = (uint8_t)value;
    }
    return store_holds(STORE, bytes, 16) || store_holds(STORE, id, strlen(id)) || store_holds(STORE, id + 1, 32);
}

static void erasing_reports_what_was_deleted_and_leaves_no_trace(void) {
    kinfolk_service *service = open_store();
    kinfolk_container *notes = make_container(service, NOTES), *games = make_container(service, GAMES);
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", "ada@example.com");
    kinfolk_session *in_notes = sign_in(notes, ada), *in_games = sign_in(games, ada);
    kinfolk_record *record = own_record(in_notes, KINFOLK_DATABASE_PUBLIC);
    kinfolk_erasure *erasure = NULL;
    char id[64];
    OK(kinfolk_account_add_email(ada, "countess@example.com", false, NULL));
    grant(in_notes);
    OK(kinfolk_record_set_string(record, "motto", "That brain of mine"));
    OK(kinfolk_record_save(in_notes, record, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(record);
    snprintf(id, sizeof id, "%s", record_id(in_notes));
    CHECK(store_holds_id(id)); /* or this test could not fail */

    OK(kinfolk_account_erase(ada, &erasure));
    EQUAL(kinfolk_erasure_email_count(erasure), 2);
    EQUAL(kinfolk_erasure_container_count(erasure), 2);
    EQUAL(kinfolk_erasure_record_count(erasure), 4);
    CHECK(!kinfolk_erasure_is_pending(erasure)); /* no other transaction reads */
    CHECK(!store_holds_id(id));
    CHECK(!store_holds(STORE, "That brain of mine", 18));
    kinfolk_erasure_free(erasure);
    kinfolk_session_free(in_notes);
    kinfolk_session_free(in_games);
    kinfolk_account_free(ada);
    kinfolk_container_free(notes);
    kinfolk_container_free(games);
    kinfolk_service_free(service);
    CHECK(!store_holds_id(id));
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
                                                                     NULL, &json, &json));
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

static void an_erased_persons_address_is_free_again(void) {
    kinfolk_service *service = open_store();
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", "ada@example.com"), *other = NULL, *found = NULL;
    OK(kinfolk_account_erase(ada, NULL));
    other = make_person(service, "Ada", "Second", "ada@example.com");
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &found));
    SAME(kinfolk_account_id(found), kinfolk_account_id(other));
    CHECK(strcmp(kinfolk_account_id(found), kinfolk_account_id(ada)) != 0);
    kinfolk_account_free(ada);
    kinfolk_account_free(other);
    kinfolk_account_free(found);
    kinfolk_service_free(service);
}

static void references_to_an_erased_person_are_kept(void) {
    kinfolk_service *service = open_store();
    kinfolk_container *notes = make_container(service, NOTES);
    kinfolk_account *ada = make_person(service, "Ada", "Lovelace", NULL);
    kinfolk_session *adas = sign_in(notes, ada), *graces = make_findable(service, notes, "Grace", "Hopper", "g@example.com");
    kinfolk_record *record = own_record(graces, KINFOLK_DATABASE_PUBLIC);
    const char *reference = NULL;
    char id[64];
    snprintf(id, sizeof id, "%s", record_id(adas));
    OK(kinfolk_record_set_reference(record, "friend", id, NULL, KINFOLK_REFERENCE_NONE));
    OK(kinfolk_record_save(graces, record, KINFOLK_SAVE_IF_UNCHANGED));
    OK(kinfolk_account_erase(ada, NULL));
    kinfolk_record_free(record);
    record = own_record(graces, KINFOLK_DATABASE_PUBLIC);
    OK(kinfolk_record_get_reference(record, "friend", &reference, NULL, NULL));
    SAME(reference, id);
    kinfolk_record_free(record);
    kinfolk_session_free(adas);
    kinfolk_session_free(graces);
    kinfolk_account_free(ada);
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
}

BEGIN
    RUN(an_account_is_opened_by_its_id);
    RUN(an_unknown_id_and_a_malformed_id_have_different_statuses);
    RUN(names_round_trip);
    RUN(a_name_has_1024_bytes_at_most);
    RUN(a_name_that_is_not_utf_8_is_refused);
    RUN(suspending_and_resuming_may_be_repeated);
    RUN(an_export_is_json_with_all_data);
    RUN(erasing_reports_what_was_deleted_and_leaves_no_trace);
    RUN(an_erased_account_is_unknown_to_every_call);
    RUN(an_erased_persons_address_is_free_again);
    RUN(references_to_an_erased_person_are_kept);
END
