/* Discovery: who is found, by whom, in which order; and all people who are not found look the same. */

#include "harness.h"
#include "people.h"

static kinfolk_service *service;
static kinfolk_container *notes, *games;
static kinfolk_account *caller_account;
static kinfolk_session *caller;

static void begin(void) {
    service = open_store();
    notes = make_container(service, NOTES);
    games = make_container(service, GAMES);
    caller_account = make_person(service, "Charles", "Babbage", "charles@example.com");
    caller = sign_in(notes, caller_account);
}

static void end(void) {
    kinfolk_session_free(caller);
    kinfolk_account_free(caller_account);
    kinfolk_container_free(notes);
    kinfolk_container_free(games);
    kinfolk_service_free(service);
}

static kinfolk_contacts *book(const char *lines) {
    kinfolk_contacts *contacts = NULL;
    OK(kinfolk_contacts_new(&contacts));
    OK(kinfolk_contacts_add_text(contacts, lines, strlen(lines), NULL));
    return contacts;
}

/* Asks about a book of these lines. */
static kinfolk_identities *discover(const char *lines) {
    kinfolk_contacts *contacts = book(lines);
    kinfolk_identities *identities = NULL;
    OK(kinfolk_discover_contacts(caller, contacts, NULL, 0, &identities));
    kinfolk_contacts_free(contacts);
    return identities;
}

/* In how many of the three ways the caller finds the person. */
static int ways_found(const char *id, const char *email) {
    kinfolk_identities *identities = NULL;
    size_t found;
    OK(kinfolk_discover_record_id(caller, id, &identities));
    found = kinfolk_identities_count(identities);
    kinfolk_identities_free(identities);
    OK(kinfolk_discover_email(caller, email, &identities));
    found += kinfolk_identities_count(identities);
    kinfolk_identities_free(identities);
    identities = discover(email);
    found += kinfolk_identities_count(identities);
    kinfolk_identities_free(identities);
    return (int)found;
}

static void a_discoverable_person_is_found_in_all_three_ways(void) {
    kinfolk_session *ada;
    kinfolk_identities *identities = NULL;
    begin();
    ada = make_findable(service, notes, "Ada", "Lovelace", "Ada@Example.com");
    OK(kinfolk_discover_record_id(caller, record_id(ada), &identities));
    REQUIRE(kinfolk_identities_count(identities) == 1);
    SAME(kinfolk_identities_record_id(identities, 0), record_id(ada));
    SAME(kinfolk_identities_given_name(identities, 0), "Ada");
    SAME(kinfolk_identities_family_name(identities, 0), "Lovelace");
    EQUAL(kinfolk_identities_contact_count(identities, 0), 0);
    kinfolk_identities_free(identities);

    OK(kinfolk_discover_email(caller, " ada@EXAMPLE.com", &identities));
    REQUIRE(kinfolk_identities_count(identities) == 1);
    SAME(kinfolk_identities_record_id(identities, 0), record_id(ada));
    EQUAL(kinfolk_identities_contact_count(identities, 0), 0);
    kinfolk_identities_free(identities);

    identities = discover("nobody@example.com\nMy Ada <ADA@example.com>\n");
    REQUIRE(kinfolk_identities_count(identities) == 1);
    SAME(kinfolk_identities_record_id(identities, 0), record_id(ada));
    SAME(kinfolk_identities_given_name(identities, 0), "Ada");
    SAME(kinfolk_identities_family_name(identities, 0), "Lovelace");
    REQUIRE(kinfolk_identities_contact_count(identities, 0) == 1);
    EQUAL(kinfolk_identities_contact_index(identities, 0, 0), 1);
    SAME(kinfolk_identities_contact_label(identities, 0, 0), "My Ada");
    kinfolk_identities_free(identities);
    kinfolk_session_free(ada);
    end();
}

/* Writes everything that a caller can see of an answer into `text`. */
static void write_down(kinfolk_identities *identities, char *text, size_t size) {
    const uint8_t *state = NULL;
    size_t length = 77;
    OK(kinfolk_identities_sync_state(identities, &state, &length));
    snprintf(text, size, "%d identities, %d bytes of state, first %s %s %s, %d contacts, last error %s",
             (int)kinfolk_identities_count(identities), (int)length,
             kinfolk_identities_record_id(identities, 0) == NULL ? "NULL" : "a record",
             kinfolk_identities_given_name(identities, 0) == NULL ? "NULL" : "a name",
             kinfolk_identities_family_name(identities, 0) == NULL ? "NULL" : "a name",
             (int)kinfolk_identities_contact_count(identities, 0), kinfolk_error_message());
    kinfolk_identities_free(identities);
}

static void all_people_who_may_not_be_found_give_the_same_answer(void) {
    static const char *const emails[] = { "unknown@example.com", "asked@example.com", "denied@example.com",
                                          "suspended@example.com", "elsewhere@example.com", "claimed@example.com",
                                          "hidden@example.com", "erased@example.com" };
    enum { PEOPLE = sizeof emails / sizeof emails[0] };
    char ids[PEOPLE][64], by_email[PEOPLE][400], by_book[PEOPLE][400], by_id[PEOPLE][400];
    kinfolk_session *sessions[PEOPLE] = { NULL };
    kinfolk_account *accounts[PEOPLE] = { NULL };
    kinfolk_identities *identities = NULL;
    int i;
    begin();
    for (i = 1; i < PEOPLE; i++) {
        accounts[i] = make_person(service, "Some", "Body", i == 5 ? NULL : emails[i]);
        sessions[i] = sign_in(i == 4 ? games : notes, accounts[i]);
        snprintf(ids[i], sizeof ids[i], "%s", record_id(sessions[i]));
        if (i != 1 && i != 2) grant(sessions[i]);
    }
    strcpy(ids[0], NOBODY);
    deny(sessions[2]);
    OK(kinfolk_account_suspend(accounts[3]));
    OK(kinfolk_account_add_email(accounts[5], emails[5], false, NULL));
    OK(kinfolk_account_set_email_discoverable(accounts[6], emails[6], false));
    OK(kinfolk_account_erase(accounts[7], NULL));

    for (i = 0; i < PEOPLE; i++) {
        OK(kinfolk_discover_email(caller, emails[i], &identities));
        write_down(identities, by_email[i], sizeof by_email[i]);
        SAME(by_email[i], by_email[0]);
        write_down(discover(emails[i]), by_book[i], sizeof by_book[i]);
        SAME(by_book[i], by_book[0]);
        if (i == 5 || i == 6) continue; /* still discoverable, but not by that address */
        OK(kinfolk_discover_record_id(caller, ids[i], &identities));
        write_down(identities, by_id[i], sizeof by_id[i]);
        SAME(by_id[i], by_id[0]);
    }
    CHECK(strncmp(by_email[0], "0 identities", 12) == 0);
    CHECK(strncmp(by_book[0], "0 identities", 12) == 0);
    CHECK(strncmp(by_id[0], "0 identities", 12) == 0);
    for (i = 5; i <= 6; i++) {
        OK(kinfolk_discover_record_id(caller, ids[i], &identities));
        EQUAL(kinfolk_identities_count(identities), 1);
        kinfolk_identities_free(identities);
    }
    for (i = 1; i < PEOPLE; i++) {
        kinfolk_session_free(sessions[i]);
        kinfolk_account_free(accounts[i]);
    }
    end();
}

static void each_way_to_become_invisible_is_immediate_and_can_be_undone(void) {
    kinfolk_account *ada;
    kinfolk_session *session;
    const char *id, *email = "ada@example.com";
    begin();
    ada = make_person(service, "Ada", "Lovelace", email);
    session = sign_in(notes, ada);
    id = record_id(session);
    EQUAL(ways_found(id, email), 0);
    grant(session);
    EQUAL(ways_found(id, email), 3);
    deny(session);
    EQUAL(ways_found(id, email), 0);
    grant(session);
    OK(kinfolk_account_suspend(ada));
    EQUAL(ways_found(id, email), 0);
    OK(kinfolk_account_resume(ada));
    EQUAL(ways_found(id, email), 3);
    OK(kinfolk_account_set_email_discoverable(ada, email, false));
    EQUAL(ways_found(id, email), 1);
    OK(kinfolk_account_set_email_discoverable(ada, email, true));
    EQUAL(ways_found(id, email), 3);
    OK(kinfolk_account_remove_email(ada, email));
    EQUAL(ways_found(id, email), 1);
    OK(kinfolk_account_add_email(ada, email, false, NULL));
    EQUAL(ways_found(id, email), 1);
    OK(kinfolk_account_add_email(ada, email, true, NULL));
    EQUAL(ways_found(id, email), 3);
    OK(kinfolk_account_suspend(ada)); /* changes during a suspension take effect afterwards */
    OK(kinfolk_account_remove_email(ada, email));
    OK(kinfolk_account_resume(ada));
    EQUAL(ways_found(id, email), 1);
    kinfolk_session_free(session);
    kinfolk_account_free(ada);
    end();
}

static void a_grant_is_for_one_container(void) {
    kinfolk_account *ada;
    kinfolk_session *in_notes, *in_games;
    begin();
    ada = make_person(service, "Ada", "Lovelace", "ada@example.com");
    in_notes = sign_in(notes, ada);
    in_games = sign_in(games, ada);
    grant(in_games);
    EQUAL(ways_found(record_id(in_notes), "ada@example.com"), 0);
    EQUAL(ways_found(record_id(in_games), "ada@example.com"), 0); /* an ID of another container finds nobody */
    grant(in_notes);
    EQUAL(ways_found(record_id(in_notes), "ada@example.com"), 3);
    kinfolk_session_free(in_notes);
    kinfolk_session_free(in_games);
    kinfolk_account_free(ada);
    end();
}

static void a_discovery_returns_current_names(void) {
    kinfolk_account *ada;
    kinfolk_session *session;
    kinfolk_identities *before, *after;
    begin();
    ada = make_person(service, "Ada", "Byron", "ada@example.com");
    session = sign_in(notes, ada);
    grant(session);
    before = discover("ada@example.com");
    OK(kinfolk_account_set_name(ada, "", "King"));
    after = discover("ada@example.com");
    SAME(kinfolk_identities_given_name(before, 0), "Ada");
    SAME(kinfolk_identities_family_name(before, 0), "Byron");
    SAME(kinfolk_identities_given_name(after, 0), "");
    SAME(kinfolk_identities_family_name(after, 0), "King");
    kinfolk_identities_free(before);
    kinfolk_identities_free(after);
    kinfolk_session_free(session);
    kinfolk_account_free(ada);
    end();
}

static void an_address_finds_its_current_owner(void) {
    kinfolk_session *ada, *grace;
    kinfolk_account *second;
    kinfolk_identities *identities;
    begin();
    ada = make_findable(service, notes, "Ada", "Lovelace", "shared@example.com");
    second = make_person(service, "Grace", "Hopper", NULL);
    grace = sign_in(notes, second);
    OK(kinfolk_service_transfer_email(service, "shared@example.com", second)); /* who has not opted in */
    identities = discover("shared@example.com");
    EQUAL(kinfolk_identities_count(identities), 0);
    kinfolk_identities_free(identities);
    grant(grace);
    identities = discover("shared@example.com");
    REQUIRE(kinfolk_identities_count(identities) == 1);
    SAME(kinfolk_identities_record_id(identities, 0), record_id(grace));
    kinfolk_identities_free(identities);
    kinfolk_session_free(ada);
    kinfolk_session_free(grace);
    kinfolk_account_free(second);
    end();
}

static void each_person_is_returned_once_in_the_order_of_the_book(void) {
    kinfolk_session *people[3];
    kinfolk_account *extra = NULL;
    kinfolk_identities *identities;
    int i;
    begin();
    people[0] = make_findable(service, notes, "Ada", "Lovelace", "ada@example.com");
    people[1] = make_findable(service, notes, "Grace", "Hopper", "grace@example.com");
    people[2] = make_findable(service, notes, "Alan", "Turing", "alan@example.com");
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &extra));
    OK(kinfolk_account_add_email(extra, "countess@example.com", true, NULL));
    identities = discover("alan@example.com\n"                /* 0 */
                          "nobody@example.com\n"              /* 1 */
                          "The Countess <countess@example.com>\n" /* 2 */
                          "grace@example.com\n"               /* 3 */
                          "Ada <ada@example.com>\n"           /* 4 */
                          "Alan again <ALAN@example.com>\n"); /* 5 */
    REQUIRE(kinfolk_identities_count(identities) == 3);
    SAME(kinfolk_identities_record_id(identities, 0), record_id(people[2]));
    SAME(kinfolk_identities_record_id(identities, 1), record_id(people[0]));
    SAME(kinfolk_identities_record_id(identities, 2), record_id(people[1]));
    REQUIRE(kinfolk_identities_contact_count(identities, 0) == 2);
    EQUAL(kinfolk_identities_contact_index(identities, 0, 0), 0);
    EQUAL(kinfolk_identities_contact_index(identities, 0, 1), 5);
    SAME(kinfolk_identities_contact_label(identities, 0, 0), "");
    SAME(kinfolk_identities_contact_label(identities, 0, 1), "Alan again");
    REQUIRE(kinfolk_identities_contact_count(identities, 1) == 2);
    EQUAL(kinfolk_identities_contact_index(identities, 1, 0), 2);
    EQUAL(kinfolk_identities_contact_index(identities, 1, 1), 4);
    SAME(kinfolk_identities_contact_label(identities, 1, 0), "The Countess");
    SAME(kinfolk_identities_contact_label(identities, 1, 1), "Ada");
    EQUAL(kinfolk_identities_contact_count(identities, 2), 1);
    EQUAL(kinfolk_identities_contact_index(identities, 2, 0), 3);

    CHECK(kinfolk_identities_record_id(identities, 3) == NULL && kinfolk_identities_given_name(identities, 3) == NULL);
    CHECK(kinfolk_identities_family_name(identities, SIZE_MAX) == NULL);
    EQUAL(kinfolk_identities_contact_count(identities, 3), 0);
    CHECK(kinfolk_identities_contact_index(identities, 3, 0) == SIZE_MAX);
    CHECK(kinfolk_identities_contact_index(identities, 0, 2) == SIZE_MAX);
    CHECK(kinfolk_identities_contact_label(identities, 0, 2) == NULL);
    CHECK(kinfolk_identities_contact_label(identities, SIZE_MAX, SIZE_MAX) == NULL);
    kinfolk_identities_free(identities);
    kinfolk_account_free(extra);
    for (i = 0; i < 3; i++) kinfolk_session_free(people[i]);
    end();
}

static void the_caller_is_not_found_in_their_own_book(void) {
    kinfolk_session *ada;
    kinfolk_identities *identities;
    begin();
    ada = make_findable(service, notes, "Ada", "Lovelace", "ada@example.com");
    grant(caller);
    identities = discover("charles@example.com\nada@example.com\n");
    REQUIRE(kinfolk_identities_count(identities) == 1);
    SAME(kinfolk_identities_record_id(identities, 0), record_id(ada));
    EQUAL(kinfolk_identities_contact_index(identities, 0, 0), 1);
    kinfolk_identities_free(identities);
    kinfolk_session_free(ada);
    end();
}

static void searching_for_oneself_works_like_for_anyone(void) {
    kinfolk_identities *identities = NULL;
    begin();
    OK(kinfolk_discover_record_id(caller, record_id(caller), &identities));
    EQUAL(kinfolk_identities_count(identities), 0);
    kinfolk_identities_free(identities);
    grant(caller);
    OK(kinfolk_discover_record_id(caller, record_id(caller), &identities));
    EQUAL(kinfolk_identities_count(identities), 1);
    kinfolk_identities_free(identities);
    end();
}

static void malformed_arguments_are_refused(void) {
    static const char *const ids[] = { "", "_", "nobody", "_0123456789ABCDEF0123456789ABCDEF", "_0123456789abcdef0123456789abcdef0", "\xff" };
    static const char *const emails[] = { "", "ada", "@", "ada@example.com\xff" };
    kinfolk_identities *identities = NULL;
    size_t i;
    begin();
    for (i = 0; i < sizeof ids / sizeof ids[0]; i++)
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_discover_record_id(caller, ids[i], &identities));
    for (i = 0; i < sizeof emails / sizeof emails[0]; i++)
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_discover_email(caller, emails[i], &identities));
    CHECK(identities == NULL);
    end();
}

static void an_empty_book_finds_nobody(void) {
    kinfolk_contacts *contacts = NULL;
    kinfolk_identities *identities = NULL;
    begin();
    OK(kinfolk_contacts_new(&contacts));
    OK(kinfolk_discover_contacts(caller, contacts, NULL, 0, &identities));
    EQUAL(kinfolk_identities_count(identities), 0);
    kinfolk_identities_free(identities);
    kinfolk_contacts_free(contacts);
    end();
}

static void strangers_of_a_book_leave_no_trace(void) {
    uint8_t hash[KINFOLK_CONTACT_HASH_LENGTH];
    kinfolk_identities *identities;
    begin();
    identities = discover("Trace Label <trace@example.com>\n");
    kinfolk_identities_free(identities);
    OK(kinfolk_email_hash("trace@example.com", hash));
    CHECK(!store_holds(STORE, hash, 16));
    CHECK(!store_holds(STORE, "trace@example", 13));
    CHECK(!store_holds(STORE, "Trace Label", 11));
    end();
}

BEGIN
    RUN(a_discoverable_person_is_found_in_all_three_ways);
    RUN(all_people_who_may_not_be_found_give_the_same_answer);
    RUN(each_way_to_become_invisible_is_immediate_and_can_be_undone);
    RUN(a_grant_is_for_one_container);
    RUN(a_discovery_returns_current_names);
    RUN(an_address_finds_its_current_owner);
    RUN(each_person_is_returned_once_in_the_order_of_the_book);
    RUN(the_caller_is_not_found_in_their_own_book);
    RUN(searching_for_oneself_works_like_for_anyone);
    RUN(malformed_arguments_are_refused);
    RUN(an_empty_book_finds_nobody);
    RUN(strangers_of_a_book_leave_no_trace);
END
