/* The operator's calls: listing, reading, counting, importing and deleting. */

#include "harness.h"
#include "people.h"

static kinfolk_service *service;
static kinfolk_container *notes;

static void begin(void) {
    service = open_store();
    notes = make_container(service, NOTES);
}

static void end(void) {
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
}

/* ---- Lists */

static void accounts_are_listed_in_pages(void) {
    kinfolk_account *people[5];
    kinfolk_accounts *page = NULL;
    char after[40] = "";
    size_t i, seen = 0;
    begin();
    for (i = 0; i < 5; i++) people[i] = make_person(service, "Ada", "Lovelace", NULL);
    for (;;) {
        OK(kinfolk_service_accounts(service, after[0] == '\0' ? NULL : after, 2, &page));
        if (kinfolk_accounts_count(page) == 0) break;
        CHECK(kinfolk_accounts_count(page) <= 2);
        for (i = 0; i < kinfolk_accounts_count(page); i++) {
            CHECK(strcmp(kinfolk_accounts_id(page, i), after) > 0);
            snprintf(after, sizeof after, "%s", kinfolk_accounts_id(page, i));
            seen++;
        }
        CHECK(kinfolk_accounts_id(page, 2) == NULL);
        kinfolk_accounts_free(page);
    }
    kinfolk_accounts_free(page);
    EQUAL(seen, 5);
    OK(kinfolk_service_accounts(service, NULL, SIZE_MAX, &page));
    EQUAL(kinfolk_accounts_count(page), 5);
    kinfolk_accounts_free(page);
    page = NULL;
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_service_accounts(service, "ada@example.com", 2, &page));
    CHECK(page == NULL);
    for (i = 0; i < 5; i++) kinfolk_account_free(people[i]);
    end();
}

static void containers_are_listed_in_the_order_of_their_names(void) {
    kinfolk_containers *list = NULL;
    kinfolk_container *games;
    begin();
    games = make_container(service, GAMES);
    OK(kinfolk_service_containers(service, &list));
    EQUAL(kinfolk_containers_count(list), 2);
    SAME(kinfolk_containers_name(list, 0), NOTES);
    SAME(kinfolk_containers_name(list, 1), GAMES);
    CHECK(kinfolk_containers_name(list, 2) == NULL);
    kinfolk_containers_free(list);
    kinfolk_container_free(games);
    end();
}

static void the_operators_blocks_are_listed_once_and_in_pages(void) {
    kinfolk_account *people[3];
    kinfolk_session *sessions[3];
    kinfolk_operator_blocks *page = NULL;
    char record[40] = "", other[40] = "";
    size_t i, seen = 0;
    begin();
    for (i = 0; i < 3; i++) {
        people[i] = make_person(service, "Ada", "Lovelace", NULL);
        sessions[i] = sign_in(notes, people[i]);
    }
    for (i = 0; i < 3; i++)
        OK(kinfolk_container_block(notes, record_id(sessions[i]), record_id(sessions[(i + 1) % 3])));
    OK(kinfolk_container_block(notes, record_id(sessions[1]), record_id(sessions[0]))); /* the first pair, reversed */
    OK(kinfolk_container_block(notes, NOBODY, record_id(sessions[0])));
    OK(kinfolk_session_block(sessions[0], record_id(sessions[1]))); /* a block that a person makes */
    for (;;) {
        OK(kinfolk_container_operator_blocks(notes, record[0] == '\0' ? NULL : record, other[0] == '\0' ? NULL : other, 1,
                                             &page));
        if (kinfolk_operator_blocks_count(page) == 0) break;
        EQUAL(kinfolk_operator_blocks_count(page), 1);
        snprintf(record, sizeof record, "%s", kinfolk_operator_blocks_record_id(page, 0));
        snprintf(other, sizeof other, "%s", kinfolk_operator_blocks_other_record_id(page, 0));
        CHECK(strcmp(record, other) != 0);
        kinfolk_operator_blocks_free(page);
        REQUIRE(++seen < 10);
    }
    kinfolk_operator_blocks_free(page);
    EQUAL(seen, 4);
    for (i = 0; i < 3; i++)
        OK(kinfolk_container_unblock(notes, record_id(sessions[(i + 1) % 3]), record_id(sessions[i])));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_operator_blocks(notes, NOBODY, NULL, 10, &page));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_operator_blocks(notes, NULL, NOBODY, 10, &page));
    OK(kinfolk_container_operator_blocks(notes, NULL, NULL, 10, &page));
    EQUAL(kinfolk_operator_blocks_count(page), 1);
    SAME(kinfolk_operator_blocks_record_id(page, 0), NOBODY);
    SAME(kinfolk_operator_blocks_other_record_id(page, 0), record_id(sessions[0]));
    CHECK(kinfolk_operator_blocks_record_id(page, 1) == NULL);
    CHECK(kinfolk_operator_blocks_other_record_id(page, 1) == NULL);
    kinfolk_operator_blocks_free(page);
    for (i = 0; i < 3; i++) {
        kinfolk_session_free(sessions[i]);
        kinfolk_account_free(people[i]);
    }
    end();
}

/* ---- Limits and numbers */

static void limits_are_read_as_they_were_set(void) {
    kinfolk_account *ada;
    kinfolk_session *session, *nobodys = NULL;
    uint32_t capacity = 0, unverified = 0, fields = 0, left = 0;
    uint64_t multiplications = 1, rows = 1;
    double per_hour = 0;
    begin();
    OK(kinfolk_container_permits(notes, &capacity, &per_hour, &unverified));
    CHECK(capacity == 20000 && per_hour == 10 && unverified == 100);
    OK(kinfolk_container_private_work(notes, &multiplications, &rows));
    CHECK(multiplications == 0 && rows == 0);
    OK(kinfolk_container_field_limit(notes, &fields));
    EQUAL(fields, 50);
    OK(kinfolk_container_set_permits(notes, 300, 0.5, 200));
    OK(kinfolk_container_set_private_work(notes, 7, 8));
    OK(kinfolk_container_set_field_limit(notes, 9));
    OK(kinfolk_container_permits(notes, &capacity, NULL, NULL));
    OK(kinfolk_container_permits(notes, NULL, &per_hour, &unverified));
    CHECK(capacity == 300 && per_hour == 0.5 && unverified == 200);
    OK(kinfolk_container_private_work(notes, &multiplications, &rows));
    CHECK(multiplications == 7 && rows == 8);
    OK(kinfolk_container_field_limit(notes, &fields));
    EQUAL(fields, 9);
    ada = make_person(service, "Ada", "Lovelace", NULL);
    session = sign_in(notes, ada);
    OK(kinfolk_session_permits_left(session, &left));
    CHECK(left == 200);
    OK(kinfolk_account_add_email(ada, "ada@example.com", true, NULL));
    OK(kinfolk_session_permits_left(session, &left));
    CHECK(left == 300);
    OK(kinfolk_session_open_anonymous(notes, &nobodys));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_permits_left(nobodys, &left));
    kinfolk_session_free(nobodys);
    kinfolk_session_free(session);
    kinfolk_account_free(ada);
    end();
}

static void statistics_count_what_happened(void) {
    kinfolk_session *ada, *grace;
    kinfolk_account *alan, *found = NULL;
    kinfolk_session *alans;
    kinfolk_identities *identities = NULL;
    kinfolk_statistics *all = NULL;
    begin();
    ada = make_findable(service, notes, "Ada", "Lovelace", "ada@example.com");
    grace = make_findable(service, notes, "Grace", "Hopper", "grace@example.com");
    alan = make_person(service, "Alan", "Turing", "alan@example.com");
    alans = sign_in(notes, alan);
    deny(grace);
    OK(kinfolk_account_suspend(alan));
    OK(kinfolk_discover_email(ada, "grace@example.com", &identities));
    kinfolk_identities_free(identities);
    OK(kinfolk_session_block(ada, NOBODY));
    OK(kinfolk_container_block(notes, NOBODY, record_id(grace)));
    OK(kinfolk_container_find_account(notes, record_id(grace), "Ticket 1", &found));
    kinfolk_account_free(found);
    OK(kinfolk_container_statistics(notes, &all));
    EQUAL(kinfolk_statistics_people(all), 3);
    EQUAL(kinfolk_statistics_granted(all), 1);
    EQUAL(kinfolk_statistics_denied(all), 1);
    EQUAL(kinfolk_statistics_undetermined(all), 1);
    EQUAL(kinfolk_statistics_discoverable(all), 1);
    EQUAL(kinfolk_statistics_suspended(all), 1);
    EQUAL(kinfolk_statistics_people_who_asked(all), 1);
    CHECK(kinfolk_statistics_permits_spent(all) >= 1);
    EQUAL(kinfolk_statistics_people_without_permits(all), 0);
    EQUAL(kinfolk_statistics_blocks_by_people(all), 1);
    EQUAL(kinfolk_statistics_blocks_by_operator(all), 1);
    EQUAL(kinfolk_statistics_account_lookups(all), 1);
    EQUAL(kinfolk_statistics_activity_count(all), 1);
    CHECK(kinfolk_statistics_activity_day(all, 0) > 0 && kinfolk_statistics_activity_day(all, 0) % 86400000000 == 0);
    EQUAL(kinfolk_statistics_activity_discoveries(all, 0), 1);
    EQUAL(kinfolk_statistics_activity_refusals(all, 0), 0);
    REQUIRE(kinfolk_statistics_opted_in_count(all) >= 1);
    CHECK(kinfolk_statistics_opted_in_day(all, 0) % 86400000000 == 0);
    EQUAL(kinfolk_statistics_opted_in_people(all, kinfolk_statistics_opted_in_count(all) - 1), 1);
    kinfolk_statistics_free(all);
    kinfolk_session_free(ada);
    kinfolk_session_free(grace);
    kinfolk_session_free(alans);
    kinfolk_account_free(alan);
    end();
}

/* ---- Finding or creating */

static void a_container_is_opened_or_created(void) {
    kinfolk_container *one = NULL, *two = NULL, *again = NULL, *none = NULL;
    bool is_new = true;
    begin();
    OK(kinfolk_container_open_or_create(service, NOTES, &one, &is_new));
    CHECK(!is_new);
    SAME(kinfolk_container_name(one), NOTES);
    OK(kinfolk_container_open_or_create(service, GAMES, &two, &is_new));
    CHECK(is_new);
    FAILS(KINFOLK_CONFLICT, kinfolk_container_create(service, GAMES, &none));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_open_or_create(service, "notes", &none, &is_new));
    CHECK(none == NULL && is_new);
    OK(kinfolk_container_open_or_create(service, GAMES, &again, NULL));
    kinfolk_container_free(again);
    kinfolk_container_free(one);
    kinfolk_container_free(two);
    end();
}

static void an_account_is_found_by_its_verified_address_or_created(void) {
    kinfolk_account *ada = NULL, *again = NULL, *other, *none = NULL;
    char *given = NULL;
    bool is_new = false;
    kinfolk_emails *emails = NULL;
    begin();
    /* An unverified address has no owner. */
    other = make_person(service, "Grace", "Hopper", NULL);
    OK(kinfolk_account_add_email(other, "ada@example.com", false, NULL));
    OK(kinfolk_account_find_or_create(service, "Ada@Example.com", "Ada", "Lovelace", &ada, &is_new));
    CHECK(is_new && strcmp(kinfolk_account_id(ada), kinfolk_account_id(other)) != 0);
    OK(kinfolk_account_emails(ada, &emails));
    EQUAL(kinfolk_emails_count(emails), 1);
    SAME(kinfolk_emails_address(emails, 0), "Ada@Example.com");
    CHECK(kinfolk_emails_is_verified(emails, 0));
    kinfolk_emails_free(emails);
    OK(kinfolk_account_find_or_create(service, "ada@example.com", "Somebody", "Else", &again, &is_new));
    CHECK(!is_new);
    SAME(kinfolk_account_id(again), kinfolk_account_id(ada));
    OK(kinfolk_account_get_name(again, &given, NULL));
    SAME(given, "Ada");
    kinfolk_free(given);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_account_find_or_create(service, "nobody", "", "", &none, NULL));
    CHECK(none == NULL);
    kinfolk_account_free(ada);
    kinfolk_account_free(again);
    kinfolk_account_free(other);
    end();
}

/* ---- People in a file */

static uint64_t told, most;

static bool note_progress(uint64_t done, uint64_t total, void *context) {
    (void)context;
    told++;
    most = done;
    CHECK(total == 0 || done <= total);
    return true;
}

static bool refuse(uint64_t done, uint64_t total, void *context) {
    (void)done, (void)total, (void)context;
    return false;
}

static void people_are_imported_from_a_file(void) {
    static const char text[] = "given_name,family_name,email,consent\n"
                               "Ada,Lovelace,ada@example.com,yes\n"
                               "Grace,Hopper,grace@example.com,no\n"
                               "Alan,Turing,alan@example.com,\n"
                               "Again,Lovelace,ada@example.com,yes\n"
                               "Edsger,Dijkstra,,yes\n";
    const char *path = file_path("people.csv"), *addresses = file_path("addresses.csv");
    kinfolk_people_import *report = NULL;
    kinfolk_session *session;
    kinfolk_account *ada = NULL;
    kinfolk_discoverability decision = KINFOLK_DISCOVERABILITY_UNDETERMINED;
    begin();
    write_file(path, text, sizeof text - 1);
    write_file(addresses, "email\nada@example.com\n", 22);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_import_people(notes, path, NULL, NULL, NULL, NULL, &report));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_import_people(notes, path, "", "1", NULL, NULL, &report));
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_container_import_people(notes, addresses, "Yes?", NULL, NULL, NULL, &report));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_import_people(notes, addresses, NULL, "1", NULL, NULL, &report));
    FAILS(KINFOLK_UNKNOWN_ITEM,
          kinfolk_container_import_people(notes, file_path("none.csv"), NULL, NULL, NULL, NULL, &report));
    CHECK(report == NULL);
    FAILS(KINFOLK_CANCELLED,
          kinfolk_container_import_people(notes, path, "May others find you?", "1", refuse, NULL, &report));
    CHECK(report == NULL);
    told = most = 0;
    OK(kinfolk_container_import_people(notes, path, "May others find you?", "1", note_progress, NULL, &report));
    CHECK(told > 0 && most == 5);
    EQUAL(kinfolk_people_import_rows(report), 5);
    EQUAL(kinfolk_people_import_created(report), 3);
    EQUAL(kinfolk_people_import_granted(report), 1);
    EQUAL(kinfolk_people_import_denied(report), 1);
    EQUAL(kinfolk_people_import_undetermined(report), 1);
    EQUAL(kinfolk_people_import_skipped(report), 2);
    EQUAL(kinfolk_people_import_skip_count(report), 2);
    EQUAL(kinfolk_people_import_skip_line(report, 0), 5);
    SAME(kinfolk_people_import_skip_name(report, 0), "addressTaken");
    EQUAL(kinfolk_people_import_skip_line(report, 1), 6);
    SAME(kinfolk_people_import_skip_name(report, 1), "noAddress");
    CHECK(strchr(kinfolk_people_import_skip_reason(report, 0), '@') == NULL);
    CHECK(kinfolk_people_import_skip_reason(report, 2) == NULL && kinfolk_people_import_skip_name(report, 2) == NULL);
    EQUAL(kinfolk_people_import_skip_line(report, 2), 0);
    kinfolk_people_import_free(report);
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &ada));
    session = sign_in(notes, ada);
    OK(kinfolk_session_discoverability(session, &decision));
    EQUAL(decision, KINFOLK_DISCOVERABILITY_GRANTED);
    kinfolk_session_free(session);
    kinfolk_account_free(ada);
    OK(kinfolk_container_import_people(notes, path, "May others find you?", "1", NULL, NULL, NULL)); /* once more */
    end();
}

/* ---- Deleting a container */

static void a_deleted_container_is_unknown_to_all_handles_and_sessions(void) {
    kinfolk_service *elsewhere;
    kinfolk_container *handle = NULL, *games, *again = NULL;
    kinfolk_session *ada, *nobodys = NULL, *in_games, *new_session;
    kinfolk_account *account = NULL;
    kinfolk_account_status status = KINFOLK_ACCOUNT_AVAILABLE;
    kinfolk_record *record = NULL;
    kinfolk_identities *found = NULL;
    kinfolk_statistics *statistics = NULL;
    char id[40], before[40];
    size_t people = 0;
    bool is_pending = true;
    uint32_t left = 0;
    begin();
    ada = make_findable(service, notes, "Ada", "Lovelace", "ada@example.com");
    snprintf(id, sizeof id, "%s", record_id(ada));
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &account));
    games = make_container(service, GAMES);
    in_games = sign_in(games, account);
    grant(in_games);
    snprintf(before, sizeof before, "%s", record_id(in_games));
    OK(kinfolk_session_open_anonymous(notes, &nobodys));
    elsewhere = open_store();
    OK(kinfolk_container_open(elsewhere, NOTES, &handle));
    told = most = 0;
    OK(kinfolk_container_delete(service, NOTES, note_progress, NULL, &people, &is_pending));
    EQUAL(people, 1);
    CHECK(!is_pending && told > 0 && most == 1);

    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_delete(service, NOTES, NULL, NULL, NULL, NULL));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_open(service, NOTES, &again));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_session_user_record_id(ada, &(const char *){ NULL }));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_discover_email(ada, "grace@example.com", &found));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_session_permits_left(ada, &left));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_record_fetch(nobodys, id, KINFOLK_DATABASE_PUBLIC, &record));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_statistics(handle, &statistics));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_block(handle, id, NOBODY));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_set_permits(handle, 1, 1, 1));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_set_directory_modes(handle, 3, NULL, NULL));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_set_prefix_bits(handle, 3));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_add_field(handle, "age", KINFOLK_INT64));
    OK(kinfolk_session_account_status(ada, &status));
    EQUAL(status, KINFOLK_ACCOUNT_NO_ACCOUNT);

    /* The account, and its data in other containers, stay. */
    SAME(record_id(in_games), before);
    OK(kinfolk_discover_record_id(in_games, before, &found));
    EQUAL(kinfolk_identities_count(found), 1);
    kinfolk_identities_free(found);

    /* A container that is created with the same name is a new one. */
    OK(kinfolk_container_create(service, NOTES, &again));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_session_permits_left(ada, &left));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_statistics(notes, &statistics));
    new_session = sign_in(again, account);
    CHECK(strcmp(record_id(new_session), id) != 0);
    kinfolk_session_free(new_session);
    kinfolk_container_free(again);
    kinfolk_container_free(handle);
    kinfolk_service_free(elsewhere);
    kinfolk_session_free(nobodys);
    kinfolk_session_free(in_games);
    kinfolk_container_free(games);
    kinfolk_account_free(account);
    kinfolk_session_free(ada);
    end();
}

/* With more people than one transaction deletes. */
static void a_cancelled_deletion_is_resumed(void) {
    enum { PEOPLE = 1001 };
    static char text[40 * PEOPLE];
    const char *path = file_path("people.csv");
    kinfolk_container *container = NULL;
    size_t i, people = 7, length = (size_t)snprintf(text, sizeof text, "email\n");
    bool is_pending = true;
    begin();
    for (i = 0; i < PEOPLE; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "person%zu@example.com\n", i);
    write_file(path, text, length);
    OK(kinfolk_container_import_people(notes, path, NULL, NULL, NULL, NULL, NULL));
    FAILS(KINFOLK_CANCELLED, kinfolk_container_delete(service, NOTES, refuse, NULL, &people, &is_pending));
    CHECK(people == 7 && is_pending);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_open(service, NOTES, &container));
    FAILS(KINFOLK_CONFLICT, kinfolk_container_create(service, NOTES, &container));
    OK(kinfolk_container_delete(service, NOTES, NULL, NULL, &people, NULL));
    EQUAL(people, 1);
    OK(kinfolk_container_create(service, NOTES, &container));
    kinfolk_container_free(container);
    end();
}

BEGIN
    RUN(accounts_are_listed_in_pages);
    RUN(containers_are_listed_in_the_order_of_their_names);
    RUN(the_operators_blocks_are_listed_once_and_in_pages);
    RUN(limits_are_read_as_they_were_set);
    RUN(statistics_count_what_happened);
    RUN(a_container_is_opened_or_created);
    RUN(an_account_is_found_by_its_verified_address_or_created);
    RUN(people_are_imported_from_a_file);
    RUN(a_deleted_container_is_unknown_to_all_handles_and_sessions);
    RUN(a_cancelled_deletion_is_resumed);
END
