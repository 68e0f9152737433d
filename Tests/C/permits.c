/* The rate limit of discovery, and the sync state that makes repeated searches free. */

#include "harness.h"
#include "children.h"
#include "people.h"

static kinfolk_service *service;
static kinfolk_container *notes;
static kinfolk_session *caller, *ada;

/* Permits that do not accrue during a test: one an hour. */
static void begin(uint32_t capacity) {
    service = open_store();
    notes = make_container(service, NOTES);
    OK(kinfolk_container_set_permits(notes, capacity, 1, capacity));
    caller = make_findable(service, notes, "Charles", "Babbage", "charles@example.com");
    ada = make_findable(service, notes, "Ada", "Lovelace", "ada@example.com");
}

/* Permits that never accrue. */
static void begin_without_regaining(uint32_t capacity) {
    begin(capacity);
    OK(kinfolk_container_set_permits(notes, capacity, 0, capacity));
}

static void end(void) {
    kinfolk_session_free(caller);
    kinfolk_session_free(ada);
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
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

static void a_book_above_the_capacity_exceeds_a_limit(void) {
    begin(3);
    FAILS(KINFOLK_LIMIT_EXCEEDED, ask(A B C D, NULL, NULL));
    CHECK(kinfolk_error_retry_after() == 0);
    OK(ask(A B C, NULL, NULL)); /* that spent nothing */
    end();
}

static void a_book_above_the_permits_left_can_be_retried_later(void) {
    kinfolk_identities *identities = NULL;
    begin(3);
    OK(ask(A B, NULL, NULL));
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask(C D, NULL, NULL));
    CHECK(kinfolk_error_retry_after() > 600 && kinfolk_error_retry_after() <= 3601); /* one permit short, one an hour */
    OK(ask(C, NULL, NULL)); /* that spent nothing */
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask(A, NULL, NULL));
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, kinfolk_discover_email(caller, "a@example.com", &identities));
    CHECK(kinfolk_error_retry_after() > 0 && kinfolk_error_retry_after() <= 3601);
    CHECK(identities == NULL);
    end();
}

static void a_search_by_address_costs_a_permit_each_time_and_by_id_none(void) {
    kinfolk_identities *identities = NULL;
    int i;
    begin(3);
    for (i = 0; i < 3; i++) {
        OK(kinfolk_discover_email(caller, i == 1 ? "ada@example.com" : "a@example.com", &identities));
        EQUAL(kinfolk_identities_count(identities), i == 1);
        kinfolk_identities_free(identities);
    }
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, kinfolk_discover_email(caller, "ada@example.com", &identities));
    for (i = 0; i < 10; i++) {
        OK(kinfolk_discover_record_id(caller, i % 2 == 0 ? record_id(ada) : NOBODY, &identities));
        EQUAL(kinfolk_identities_count(identities), i % 2 == 0);
        kinfolk_identities_free(identities);
    }
    end();
}

static void a_malformed_search_costs_nothing(void) {
    kinfolk_identities *identities = NULL;
    begin(1);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_discover_email(caller, "no address", &identities));
    OK(ask(A, NULL, NULL));
    end();
}

static void a_duplicate_contact_costs_one_permit(void) {
    begin(1);
    OK(ask("ada@example.com\nAda <ADA@example.com>\n ada@example.com\n", NULL, NULL));
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask(A, NULL, NULL));
    end();
}

static void a_person_without_a_verified_address_has_fewer_permits(void) {
    kinfolk_account *account = NULL;
    kinfolk_session *first;
    begin(3);
    OK(kinfolk_container_set_permits(notes, 3, 1, 1));
    OK(kinfolk_account_create(service, "Eve", "", &account));
    first = caller;
    caller = sign_in(notes, account);
    FAILS(KINFOLK_LIMIT_EXCEEDED, ask(A B, NULL, NULL));
    OK(ask(A, NULL, NULL));
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask(B, NULL, NULL));
    OK(kinfolk_account_add_email(account, "eve@example.com", true, NULL));
    OK(ask(B C, NULL, NULL)); /* spent permits stay spent */
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask(D, NULL, NULL));
    kinfolk_session_free(caller);
    kinfolk_account_free(account);
    caller = first;
    end();
}

static void erasing_and_verifying_again_returns_no_permits(void) {
    kinfolk_account *account = NULL;
    kinfolk_erasure *erasure = NULL;
    kinfolk_session *first;
    int i, answered = 0;
    begin(3);
    first = caller;
    for (i = 0; i < 5; i++) {
        OK(kinfolk_account_create(service, "Eve", "", &account));
        OK(kinfolk_account_add_email(account, "eve@example.com", true, NULL));
        caller = sign_in(notes, account);
        while (answered < 10 && ask(A, NULL, NULL) == KINFOLK_OK) answered++;
        kinfolk_session_free(caller);
        OK(kinfolk_account_erase(account, &erasure));
        EQUAL(kinfolk_erasure_remembered_email_count(erasure), 1);
        CHECK(kinfolk_erasure_remembered_until(erasure) > (int64_t)1500000000 * 1000000);
        kinfolk_erasure_free(erasure);
        kinfolk_account_free(account);
    }
    EQUAL(answered, 3);
    caller = first;
    end();
}

static void each_person_has_separate_permits(void) {
    kinfolk_session *first;
    begin(1);
    OK(ask(A, NULL, NULL));
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask(B, NULL, NULL));
    first = caller;
    caller = ada;
    OK(ask(A, NULL, NULL));
    caller = first;
    end();
}

static void a_second_session_shares_the_permits(void) {
    kinfolk_account *account = NULL;
    kinfolk_session *first;
    begin(1);
    OK(ask(A, NULL, NULL));
    first = caller;
    OK(kinfolk_account_find_by_email(service, "charles@example.com", &account));
    caller = sign_in(notes, account);
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask(B, NULL, NULL));
    kinfolk_session_free(caller);
    kinfolk_account_free(account);
    caller = first;
    end();
}

static void permits_accrue_with_time(void) {
    begin(2);
    OK(ask(A B, NULL, NULL));
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask(C, NULL, NULL));
    OK(kinfolk_container_set_permits(notes, 2, 36000, 2)); /* ten a second */
    pause_for(0.4);
    OK(ask(C D, NULL, NULL));
    end();
}

/* ---- Permits leased into a service's memory */

static void look_for_ada(int times) {
    kinfolk_identities *identities = NULL;
    while (times-- > 0) {
        OK(kinfolk_discover_email(caller, "ada@example.com", &identities));
        EQUAL(kinfolk_identities_count(identities), 1);
        kinfolk_identities_free(identities);
    }
}

static uint32_t left(void) {
    uint32_t permits = 0;
    OK(kinfolk_container_permits_left(notes, record_id(caller), &permits));
    return permits;
}

/* A book of this many addresses that nobody asked about before. */
static kinfolk_status ask_about_many(int count) {
    static int asked;
    char lines[110 * 25] = "";
    int i;
    REQUIRE(count <= 110);
    for (i = 0; i < count; i++)
        snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "%d@example.com\n", ++asked);
    return ask(lines, NULL, NULL);
}

/* Signs Charles in through another service. */
static void sign_in_anew(void) {
    kinfolk_account *account = NULL;
    service = open_store();
    OK(kinfolk_container_open(service, NOTES, &notes));
    OK(kinfolk_account_find_by_email(service, "charles@example.com", &account));
    caller = sign_in(notes, account);
    kinfolk_account_free(account);
    ada = NULL;
}

static void permits_leased_by_look_ups_can_be_used_for_books(void) {
    begin_without_regaining(100);
    look_for_ada(8); /* the last look-up leases another seven permits */
    EQUAL(left(), 92);
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask_about_many(93));
    OK(ask_about_many(92));
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask_about_many(1));
    end();
}

static void closing_the_service_returns_leased_permits(void) {
    begin_without_regaining(100);
    look_for_ada(8);
    end();
    sign_in_anew();
    EQUAL(left(), 92);
    OK(ask_about_many(92));
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask_about_many(1));
    end();
}

static void leased_permits_cannot_be_spent_by_another_service(void) {
    kinfolk_service *first_service;
    kinfolk_container *first_notes;
    kinfolk_session *first_caller, *first_ada;
    begin_without_regaining(100);
    look_for_ada(8);
    first_service = service, first_notes = notes, first_caller = caller, first_ada = ada;
    sign_in_anew();
    EQUAL(left(), 85);
    OK(ask_about_many(80));
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask_about_many(6));
    OK(ask_about_many(5));
    end();
    service = first_service, notes = first_notes, caller = first_caller, ada = first_ada;
    look_for_ada(7);
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask_about_many(1)); /* both services together stay within the limit */
    end();
}

/* ---- Programs that exit without closing a service */

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

static void be_ended_in_a_row(void) {
    sign_in_anew();
    look_for_ada(8);
    raise(SIGKILL);
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
    begin_without_regaining(1000);
    end();
    for (i = 0; i < 20; i++) {
        in_child(ask_and_exit);
        in_child(ask_and_leave_at_once);
        see_it_end(start_child(ask_and_be_ended), SIGTERM);
    }
    sign_in_anew();
    EQUAL(left(), 1000 - 20 * 5);
    end();
    in_child(look_up_in_a_row_and_exit);
    in_child(fork_in_a_row);
    in_child(fork_and_exit);
    sign_in_anew();
    EQUAL(left(), 900 - 20 - 17 - 15);
    end();
}

static void a_killed_program_loses_at_most_its_leased_permits(void) {
    begin_without_regaining(1000);
    end();
    see_it_end(start_child(be_ended_in_a_row), SIGKILL);
    sign_in_anew();
    /* Its last seven leased permits are returned after one to two minutes, or were returned already. */
    CHECK(left() >= 1000 - 15 && left() <= 1000 - 8);
    end();
}

/* ---- Permits that the operator gives */

static void the_operator_sets_the_permits_of_a_person(void) {
    uint32_t permits = 99;
    begin_without_regaining(10);
    look_for_ada(5);
    EQUAL(left(), 5);
    OK(kinfolk_container_set_permits_left(notes, record_id(caller), 2));
    EQUAL(left(), 2);
    look_for_ada(2);
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

/* ---- Sync state */

static void searching_again_with_the_sync_state_is_free(void) {
    struct state state, next;
    int i;
    begin(3);
    OK(ask(A B "ada@example.com\n", NULL, &state));
    for (i = 0; i < 5; i++) {
        OK(ask(A B "ada@example.com\n", &state, &next));
        state = next;
    }
    OK(ask("ada@example.com\n" A, &state, NULL)); /* in any order, and part of it */
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask(A C, &state, NULL));
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask(A, NULL, NULL));
    end();
}

static void searching_again_finds_new_and_removed_people(void) {
    struct state state;
    kinfolk_contacts *contacts = NULL;
    kinfolk_identities *identities = NULL;
    begin(1);
    deny(ada);
    OK(ask("ada@example.com\n", NULL, &state));
    OK(kinfolk_contacts_new(&contacts));
    OK(kinfolk_contacts_add_email(contacts, "ada@example.com", NULL));
    grant(ada);
    OK(kinfolk_discover_contacts(caller, contacts, state.bytes, state.length, &identities));
    EQUAL(kinfolk_identities_count(identities), 1);
    kinfolk_identities_free(identities);
    deny(ada);
    OK(kinfolk_discover_contacts(caller, contacts, state.bytes, state.length, &identities));
    EQUAL(kinfolk_identities_count(identities), 0);
    kinfolk_identities_free(identities);
    kinfolk_contacts_free(contacts);
    end();
}

static void a_sync_state_includes_the_contacts_of_earlier_books(void) {
    struct state state, next;
    begin(2);
    OK(ask(A, NULL, &state));
    OK(ask(B, &state, &next));
    OK(ask(A B, &next, NULL));
    end();
}

static void sync_states_may_be_concatenated(void) {
    struct state first, second;
    begin(3);
    OK(ask(A, NULL, &first));
    OK(ask(B, NULL, &second));
    REQUIRE(first.length + second.length <= sizeof first.bytes);
    memcpy(first.bytes + first.length, second.bytes, second.length);
    first.length += second.length;
    OK(ask(A B C, &first, &second)); /* one new contact, one permit left */
    OK(ask(A B C, &second, NULL));
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask(D, &second, NULL));
    end();
}

static void a_damaged_or_forged_sync_state_is_ignored(void) {
    struct state state, bad;
    size_t i;
    begin(1);
    OK(ask(A, NULL, &state));
    for (i = 0; i < state.length; i++) {
        bad = state;
        bad.bytes[i] ^= 0x10;
        FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask(A, &bad, NULL));
        if (harness.faults > 0) break;
    }
    for (i = 1; i < state.length; i++) {
        bad = state;
        bad.length = i; /* cut off */
        FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask(A, &bad, NULL));
        if (harness.faults > 0) break;
    }
    memset(bad.bytes, 0xff, sizeof bad.bytes);
    bad.length = sizeof bad.bytes;
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask(A, &bad, NULL));
    memset(bad.bytes, 0, sizeof bad.bytes);
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask(A, &bad, NULL));
    OK(ask(A, &state, NULL));
    end();
}

static void a_sync_state_is_valid_only_for_its_person_and_container(void) {
    struct state state;
    kinfolk_container *games;
    kinfolk_account *account = NULL;
    kinfolk_session *first;
    begin(1);
    OK(ask(A, NULL, &state));
    first = caller;
    caller = ada;
    OK(ask(B, NULL, NULL));
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask(A, &state, NULL));
    games = make_container(service, GAMES);
    OK(kinfolk_container_set_permits(games, 1, 1, 1));
    OK(kinfolk_account_find_by_email(service, "charles@example.com", &account));
    caller = sign_in(games, account);
    OK(ask(B, NULL, NULL));
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, ask(A, &state, NULL));
    kinfolk_session_free(caller);
    kinfolk_account_free(account);
    kinfolk_container_free(games);
    caller = first;
    end();
}

static void a_sync_state_is_sealed(void) {
    struct state state;
    uint8_t hash[KINFOLK_CONTACT_HASH_LENGTH];
    size_t i;
    begin(3);
    OK(ask("ada@example.com\n", NULL, &state));
    OK(kinfolk_email_hash("ada@example.com", hash));
    for (i = 0; i + 8 <= state.length; i++) CHECK(memcmp(state.bytes + i, hash, 8) != 0);
    end();
}

static void the_sync_state_of_an_empty_book_is_empty(void) {
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

BEGIN
    RUN(a_book_above_the_capacity_exceeds_a_limit);
    RUN(a_book_above_the_permits_left_can_be_retried_later);
    RUN(a_search_by_address_costs_a_permit_each_time_and_by_id_none);
    RUN(a_malformed_search_costs_nothing);
    RUN(a_duplicate_contact_costs_one_permit);
    RUN(a_person_without_a_verified_address_has_fewer_permits);
    RUN(erasing_and_verifying_again_returns_no_permits);
    RUN(each_person_has_separate_permits);
    RUN(a_second_session_shares_the_permits);
    RUN(permits_accrue_with_time);
    RUN(permits_leased_by_look_ups_can_be_used_for_books);
    RUN(closing_the_service_returns_leased_permits);
    RUN(leased_permits_cannot_be_spent_by_another_service);
    RUN(a_program_that_ends_in_any_way_spends_one_permit_for_each_contact);
    RUN(a_killed_program_loses_at_most_its_leased_permits);
    RUN(the_operator_sets_the_permits_of_a_person);
    RUN(searching_again_with_the_sync_state_is_free);
    RUN(searching_again_finds_new_and_removed_people);
    RUN(a_sync_state_includes_the_contacts_of_earlier_books);
    RUN(sync_states_may_be_concatenated);
    RUN(a_damaged_or_forged_sync_state_is_ignored);
    RUN(a_sync_state_is_valid_only_for_its_person_and_container);
    RUN(a_sync_state_is_sealed);
    RUN(the_sync_state_of_an_empty_book_is_empty);
    RUN(a_sync_state_of_impossible_length_is_refused_before_it_is_read);
END
