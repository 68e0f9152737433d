/* Discovery: who is found, what it costs, the sync state that makes it free, and blocks. The suites of discovery have the rules. */

#include "harness.h"
#include "children.h"
#include "people.h"

static kinfolk_service *service;
static kinfolk_container *notes;
static kinfolk_session *caller, *ada, *grace;

/* Permits that never accrue. */
static void begin(uint32_t capacity) {
    service = open_store();
    notes = make_container(service, NOTES);
    OK(kinfolk_container_set_permits(notes, capacity, 0, capacity));
    caller = make_findable(service, notes, "Charles", "Babbage", "charles@example.com");
    ada = make_findable(service, notes, "Ada", "Lovelace", "ada@example.com");
    grace = make_findable(service, notes, "Grace", "Hopper", "grace@example.com");
}

static void end(void) {
    kinfolk_session_free(caller);
    kinfolk_session_free(ada);
    kinfolk_session_free(grace);
    kinfolk_container_free(notes);
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

/* ---- Who is found */

static void a_discoverable_person_is_found_in_all_three_ways(void) {
    kinfolk_identities *identities = NULL;
    begin(100);
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
    end();
}

static void each_person_has_the_contacts_that_led_to_them(void) {
    kinfolk_account *extra = NULL;
    kinfolk_identities *identities;
    char first[40];
    begin(100);
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &extra));
    OK(kinfolk_account_add_email(extra, "countess@example.com", true, NULL));
    kinfolk_account_free(extra);
    identities = discover("grace@example.com\n"                  /* 0 */
                          "nobody@example.com\n"                 /* 1 */
                          "The Countess <countess@example.com>\n" /* 2 */
                          "Ada <ada@example.com>\n"              /* 3 */
                          "Grace again <GRACE@example.com>\n");  /* 4 */
    snprintf(first, sizeof first, "%s", record_id(grace));
    end();
    REQUIRE(kinfolk_identities_count(identities) == 2); /* also without the store */
    SAME(kinfolk_identities_record_id(identities, 0), first);
    REQUIRE(kinfolk_identities_contact_count(identities, 0) == 2);
    EQUAL(kinfolk_identities_contact_index(identities, 0, 0), 0);
    EQUAL(kinfolk_identities_contact_index(identities, 0, 1), 4);
    SAME(kinfolk_identities_contact_label(identities, 0, 0), "");
    SAME(kinfolk_identities_contact_label(identities, 0, 1), "Grace again");
    REQUIRE(kinfolk_identities_contact_count(identities, 1) == 2);
    EQUAL(kinfolk_identities_contact_index(identities, 1, 0), 2);
    EQUAL(kinfolk_identities_contact_index(identities, 1, 1), 3);
    SAME(kinfolk_identities_contact_label(identities, 1, 0), "The Countess");
    SAME(kinfolk_identities_contact_label(identities, 1, 1), "Ada");

    CHECK(kinfolk_identities_record_id(identities, 2) == NULL && kinfolk_identities_given_name(identities, 2) == NULL);
    CHECK(kinfolk_identities_family_name(identities, SIZE_MAX) == NULL);
    EQUAL(kinfolk_identities_contact_count(identities, 2), 0);
    CHECK(kinfolk_identities_contact_index(identities, 2, 0) == SIZE_MAX);
    CHECK(kinfolk_identities_contact_index(identities, 0, 2) == SIZE_MAX);
    CHECK(kinfolk_identities_contact_label(identities, 0, 2) == NULL);
    CHECK(kinfolk_identities_contact_label(identities, SIZE_MAX, SIZE_MAX) == NULL);
    kinfolk_identities_free(identities);
}

static void malformed_arguments_are_refused_and_an_empty_book_finds_nobody(void) {
    kinfolk_identities *identities = NULL;
    begin(1);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_discover_record_id(caller, "nobody", &identities));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_discover_email(caller, "nobody", &identities));
    CHECK(identities == NULL);
    identities = discover("");
    EQUAL(kinfolk_identities_count(identities), 0);
    kinfolk_identities_free(identities);
    end();
}

/* ---- Permits */

static uint32_t left(void) {
    uint32_t permits = 0;
    OK(kinfolk_container_permits_left(notes, record_id(caller), &permits));
    return permits;
}

struct state {
    uint8_t bytes[10000];
    size_t length;
};

/* Asks about a book of these lines with a sync state, or NULL; keeps the new one in `next` unless that is NULL. */
static kinfolk_status ask(const char *lines, const struct state *state, struct state *next) {
    kinfolk_contacts *contacts = NULL;
    kinfolk_identities *identities = NULL;
    const uint8_t *bytes = NULL;
    size_t length = 0;
    kinfolk_status status;
    OK(kinfolk_contacts_new(&contacts));
    OK(kinfolk_contacts_add_text(contacts, lines, strlen(lines), NULL));
    status = kinfolk_discover_contacts(caller, contacts, state == NULL ? NULL : state->bytes,
                                       state == NULL ? 0 : state->length, &identities);
    if (status == KINFOLK_OK && next != NULL) {
        OK(kinfolk_identities_sync_state(identities, &bytes, &length));
        REQUIRE(bytes != NULL && length > 0 && length <= sizeof next->bytes);
        memcpy(next->bytes, bytes, length);
        next->length = length;
    }
    if (status != KINFOLK_OK) CHECK(identities == NULL);
    kinfolk_identities_free(identities);
    kinfolk_contacts_free(contacts);
    return status;
}

#define A "a@example.com\n"
#define B "b@example.com\n"
#define C "c@example.com\n"
#define D "d@example.com\n"

static void a_book_above_a_limit_is_refused_and_spends_nothing(void) {
    kinfolk_identities *identities = NULL;
    begin(3);
    OK(kinfolk_container_set_permits(notes, 3, 1, 3)); /* one an hour */
    FAILS(KINFOLK_LIMIT_EXCEEDED, ask(A B C D, NULL, NULL));
    CHECK(kinfolk_error_retry_after() == 0);
    OK(ask(A B, NULL, NULL));
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask(C D, NULL, NULL));
    CHECK(kinfolk_error_retry_after() > 600 && kinfolk_error_retry_after() <= 3601);
    OK(ask(C, NULL, NULL));
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, kinfolk_discover_email(caller, "a@example.com", &identities));
    CHECK(kinfolk_error_retry_after() > 0 && kinfolk_error_retry_after() <= 3601);
    CHECK(identities == NULL);
    end();
}

static void the_operator_sets_the_permits_of_a_person(void) {
    uint32_t permits = 99;
    begin(10);
    OK(ask(A B C D "e@example.com\n", NULL, NULL));
    EQUAL(left(), 5);
    OK(kinfolk_container_set_permits_left(notes, record_id(caller), 2));
    EQUAL(left(), 2);
    OK(ask(A B, NULL, NULL));
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask(A, NULL, NULL));
    OK(kinfolk_container_top_up_permits(notes, record_id(caller)));
    EQUAL(left(), 10);
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_container_set_permits_left(notes, record_id(caller), 11));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_set_permits_left(notes, NOBODY, 1));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_top_up_permits(notes, NOBODY));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_permits_left(notes, NOBODY, &permits));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_permits_left(notes, "nonsense", &permits));
    EQUAL(permits, 99);
    OK(kinfolk_container_set_permits(notes, 15, 0, 15));
    EQUAL(left(), 15);
    end();
}

static void an_erasure_says_how_long_spent_permits_are_remembered(void) {
    kinfolk_account *account = NULL;
    kinfolk_erasure *erasure = NULL;
    begin(3);
    OK(ask(A B C, NULL, NULL));
    OK(kinfolk_account_find_by_email(service, "charles@example.com", &account));
    OK(kinfolk_account_erase(account, &erasure));
    EQUAL(kinfolk_erasure_remembered_email_count(erasure), 1);
    CHECK(kinfolk_erasure_remembered_until(erasure) > (int64_t)1500000000 * 1000000);
    kinfolk_erasure_free(erasure);
    kinfolk_account_free(account);
    end();
}

/* ---- Programs that exit without closing a service, with permits leased into its memory */

static void look_for_ada(int times) {
    kinfolk_identities *identities = NULL;
    while (times-- > 0) {
        OK(kinfolk_discover_email(caller, "ada@example.com", &identities));
        EQUAL(kinfolk_identities_count(identities), 1);
        kinfolk_identities_free(identities);
    }
}

/* Signs Charles in through another service. */
static void sign_in_anew(void) {
    kinfolk_account *account = NULL;
    service = open_store();
    OK(kinfolk_container_open(service, NOTES, &notes));
    OK(kinfolk_account_find_by_email(service, "charles@example.com", &account));
    caller = sign_in(notes, account);
    kinfolk_account_free(account);
    ada = grace = NULL;
}

static void ask_and_exit(void) {
    sign_in_anew();
    OK(ask(A, NULL, NULL));
    exit(harness.faults > 0);
}

static void look_up_in_a_row_and_exit(void) {
    sign_in_anew();
    look_for_ada(20);
    exit(harness.faults > 0);
}

static void ask_and_leave_at_once(void) {
    sign_in_anew();
    OK(ask(A, NULL, NULL));
    look_for_ada(1);
    _exit(harness.faults > 0);
}

static void ask_and_be_ended(void) {
    sign_in_anew();
    look_for_ada(2);
    raise(SIGTERM);
}

static void fork_in_a_row(void) {
    sign_in_anew();
    look_for_ada(8);
    finish_child(start_child(ask_and_exit));
    look_for_ada(8);
    exit(harness.faults > 0);
}

static void fork_and_exit(void) {
    pid_t child;
    sign_in_anew();
    look_for_ada(8);
    child = fork();
    REQUIRE(child >= 0);
    if (child == 0) exit(0); /* returns no permits: the ones in its memory belong to the parent */
    finish_child(child);
    look_for_ada(7);
    exit(harness.faults > 0);
}

/* Waits for a child that is ended by a signal. */
static void see_it_end(pid_t child, int signal) {
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == signal);
}

static void a_program_that_ends_in_any_way_spends_one_permit_for_each_contact(void) {
    int i;
    begin(1000);
    end();
    for (i = 0; i < 4; i++) {
        in_child(ask_and_exit);
        in_child(ask_and_leave_at_once);
        see_it_end(start_child(ask_and_be_ended), SIGTERM);
    }
    sign_in_anew();
    EQUAL(left(), 1000 - 4 * 5);
    end();
    in_child(look_up_in_a_row_and_exit);
    in_child(fork_in_a_row);
    in_child(fork_and_exit);
    sign_in_anew();
    EQUAL(left(), 980 - 20 - 17 - 15);
    end();
}

/* ---- Sync state */

static void a_sync_state_makes_its_contacts_free(void) {
    struct state first, second, bad;
    begin(3);
    OK(ask(A, NULL, &first));
    OK(ask(B, NULL, &second));
    bad = first;
    REQUIRE(first.length + second.length <= sizeof first.bytes);
    memcpy(first.bytes + first.length, second.bytes, second.length); /* of two devices */
    first.length += second.length;
    OK(ask(A B C, &first, &second)); /* one new contact, one permit left */
    OK(ask(A B C, &second, NULL));
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask(D, &second, NULL));
    OK(ask(A, &bad, NULL));
    bad.bytes[0] ^= 0x10; /* forged, it is ignored */
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask(A, &bad, NULL));
    end();
}

static void a_search_by_address_has_no_sync_state(void) {
    kinfolk_identities *identities = NULL;
    const uint8_t *bytes = (const uint8_t *)"";
    size_t length = 77;
    begin(3);
    OK(kinfolk_discover_email(caller, "ada@example.com", &identities));
    OK(kinfolk_identities_sync_state(identities, &bytes, &length));
    CHECK(bytes == NULL);
    EQUAL(length, 0);
    kinfolk_identities_free(identities);
    end();
}

static void a_sync_state_of_impossible_length_is_refused_before_it_is_read(void) {
    static const size_t lengths[] = { (size_t)1 << 31, (size_t)1 << 62, SIZE_MAX };
    kinfolk_contacts *contacts = NULL;
    kinfolk_identities *identities = NULL;
    size_t i;
    begin(3);
    OK(kinfolk_contacts_new(&contacts));
    OK(kinfolk_contacts_add_email(contacts, "ada@example.com", NULL));
    for (i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        FAILS_EITHER(KINFOLK_INVALID_ARGUMENT, KINFOLK_LIMIT_EXCEEDED,
                     kinfolk_discover_contacts(caller, contacts, (const uint8_t *)"x", lengths[i], &identities));
        CHECK(identities == NULL);
    }
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_discover_contacts(caller, contacts, NULL, 10, &identities));
    kinfolk_contacts_free(contacts);
    end();
}

/* ---- Blocks */

static bool finds(const kinfolk_session *session, const kinfolk_session *other) {
    kinfolk_identities *found = NULL;
    size_t count;
    OK(kinfolk_discover_record_id(session, record_id(other), &found));
    count = kinfolk_identities_count(found);
    kinfolk_identities_free(found);
    return count > 0;
}

/* The IDs that a person blocked, concatenated. */
static const char *blocked_by(const kinfolk_session *session) {
    static char list[400];
    kinfolk_blocked *blocked = NULL;
    size_t i;
    OK(kinfolk_session_blocked(session, &blocked));
    list[0] = '\0';
    for (i = 0; i < kinfolk_blocked_count(blocked); i++) {
        REQUIRE(strlen(list) + 40 < sizeof list);
        strcat(list, kinfolk_blocked_record_id(blocked, i));
    }
    CHECK(kinfolk_blocked_record_id(blocked, i) == NULL);
    CHECK(kinfolk_blocked_record_id(blocked, SIZE_MAX) == NULL);
    kinfolk_blocked_free(blocked);
    return list;
}

static void people_block_each_other(void) {
    kinfolk_blocked *kept = NULL;
    begin(100);
    OK(kinfolk_session_block(ada, record_id(grace)));
    CHECK(!finds(ada, grace) && !finds(grace, ada) && finds(caller, ada));
    SAME(blocked_by(ada), record_id(grace));
    SAME(blocked_by(grace), "");
    OK(kinfolk_session_blocked(ada, &kept));
    OK(kinfolk_session_unblock(ada, record_id(grace)));
    CHECK(finds(ada, grace) && finds(grace, ada));
    SAME(blocked_by(ada), "");
    OK(kinfolk_session_block(ada, NOBODY));
    SAME(blocked_by(ada), NOBODY);
    end();
    EQUAL(kinfolk_blocked_count(kept), 1); /* the list is a copy */
    CHECK(kinfolk_blocked_record_id(kept, 0) != NULL);
    kinfolk_blocked_free(kept);
}

static void the_operator_blocks_two_people(void) {
    begin(100);
    OK(kinfolk_container_block(notes, record_id(ada), record_id(grace)));
    CHECK(!finds(ada, grace) && !finds(grace, ada));
    SAME(blocked_by(ada), "");
    OK(kinfolk_container_unblock(notes, record_id(grace), record_id(ada))); /* in whichever order */
    CHECK(finds(ada, grace) && finds(grace, ada));
    end();
}

static void blocking_oneself_or_a_malformed_id_is_refused(void) {
    kinfolk_session *anonymous = NULL;
    kinfolk_blocked *blocked = NULL;
    begin(100);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_session_block(ada, record_id(ada)));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_session_block(ada, "nobody"));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_session_unblock(ada, "nobody"));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_block(notes, record_id(ada), record_id(ada)));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_block(notes, record_id(ada), "nobody"));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_block(notes, "nobody", record_id(ada)));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_unblock(notes, "nobody", record_id(ada)));
    SAME(blocked_by(ada), "");
    OK(kinfolk_session_open_anonymous(notes, &anonymous));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_block(anonymous, record_id(grace)));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_unblock(anonymous, record_id(grace)));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_blocked(anonymous, &blocked));
    CHECK(blocked == NULL);
    kinfolk_session_free(anonymous);
    end();
}

BEGIN
    RUN(a_discoverable_person_is_found_in_all_three_ways);
    RUN(each_person_has_the_contacts_that_led_to_them);
    RUN(malformed_arguments_are_refused_and_an_empty_book_finds_nobody);
    RUN(a_book_above_a_limit_is_refused_and_spends_nothing);
    RUN(the_operator_sets_the_permits_of_a_person);
    RUN(an_erasure_says_how_long_spent_permits_are_remembered);
    RUN(a_program_that_ends_in_any_way_spends_one_permit_for_each_contact);
    RUN(a_sync_state_makes_its_contacts_free);
    RUN(a_search_by_address_has_no_sync_state);
    RUN(a_sync_state_of_impossible_length_is_refused_before_it_is_read);
    RUN(people_block_each_other);
    RUN(the_operator_blocks_two_people);
    RUN(blocking_oneself_or_a_malformed_id_is_refused);
END
