/* The operator's calls: listing, reading, counting, importing, deleting, and looking up accounts. */

#include "harness.h"
#include "people.h"

#include <math.h>
#include <time.h>

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

static void the_operators_blocks_are_listed_in_pages(void) {
    kinfolk_session *sessions[2];
    kinfolk_operator_blocks *page = NULL, *next = NULL;
    size_t i;
    begin();
    for (i = 0; i < 2; i++) {
        kinfolk_account *person = make_person(service, "Ada", "Lovelace", NULL);
        sessions[i] = sign_in(notes, person);
        kinfolk_account_free(person);
    }
    OK(kinfolk_container_block(notes, record_id(sessions[0]), record_id(sessions[1])));
    OK(kinfolk_container_block(notes, NOBODY, record_id(sessions[0])));
    OK(kinfolk_container_operator_blocks(notes, NULL, NULL, 1, &page));
    REQUIRE(kinfolk_operator_blocks_count(page) == 1);
    OK(kinfolk_container_operator_blocks(notes, kinfolk_operator_blocks_record_id(page, 0),
                                         kinfolk_operator_blocks_other_record_id(page, 0), SIZE_MAX, &next));
    REQUIRE(kinfolk_operator_blocks_count(next) == 1);
    for (i = 0; i < 2; i++) { /* each pair once */
        const kinfolk_operator_blocks *one = i == 0 ? page : next, *other = i == 0 ? next : page;
        const char *record = kinfolk_operator_blocks_record_id(one, 0), *second = kinfolk_operator_blocks_other_record_id(one, 0);
        if (strcmp(record, NOBODY) != 0 && strcmp(second, NOBODY) != 0) continue;
        SAME(strcmp(record, NOBODY) == 0 ? second : record, record_id(sessions[0]));
        CHECK(strcmp(kinfolk_operator_blocks_record_id(other, 0), NOBODY) != 0);
    }
    CHECK(kinfolk_operator_blocks_record_id(page, 1) == NULL);
    CHECK(kinfolk_operator_blocks_other_record_id(page, 1) == NULL);
    kinfolk_operator_blocks_free(page);
    kinfolk_operator_blocks_free(next);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_operator_blocks(notes, NOBODY, NULL, 10, &page));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_operator_blocks(notes, NULL, NOBODY, 10, &page));
    for (i = 0; i < 2; i++) kinfolk_session_free(sessions[i]);
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
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_set_permits(notes, 0, 10, 0));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_set_permits(notes, 3, -1, 3));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_set_permits(notes, 3, -INFINITY, 3));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_set_permits(notes, 3, NAN, 3));
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

static void a_container_is_made_opened_or_both(void) {
    kinfolk_container *one = NULL, *two = NULL, *again = NULL, *none = NULL;
    bool is_new = true;
    begin();
    OK(kinfolk_container_open(service, NOTES, &one));
    SAME(kinfolk_container_name(one), NOTES);
    kinfolk_container_free(one);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_open(service, GAMES, &none));
    OK(kinfolk_container_open_or_create(service, NOTES, &one, &is_new));
    CHECK(!is_new);
    SAME(kinfolk_container_name(one), NOTES);
    OK(kinfolk_container_open_or_create(service, GAMES, &two, &is_new));
    CHECK(is_new);
    FAILS(KINFOLK_CONFLICT, kinfolk_container_create(service, GAMES, &none));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_create(service, "notes", &none));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_open(service, "notes", &none));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_open_or_create(service, "notes", &none, &is_new));
    CHECK(none == NULL && is_new);
    OK(kinfolk_container_open_or_create(service, GAMES, &again, NULL));
    kinfolk_container_free(again);
    kinfolk_container_free(one);
    kinfolk_container_free(two);
    end();
}

static void a_container_has_two_environments(void) {
    kinfolk_container *development = NULL, *again = NULL;
    kinfolk_session *one, *other;
    kinfolk_account *ada;
    begin();
    OK(kinfolk_container_open_environment(service, NOTES, KINFOLK_ENVIRONMENT_DEVELOPMENT, &development));
    OK(kinfolk_container_open_environment(service, NOTES, KINFOLK_ENVIRONMENT_PRODUCTION, &again));
    EQUAL(kinfolk_container_environment(notes), KINFOLK_ENVIRONMENT_PRODUCTION);
    EQUAL(kinfolk_container_environment(again), KINFOLK_ENVIRONMENT_PRODUCTION);
    EQUAL(kinfolk_container_environment(development), KINFOLK_ENVIRONMENT_DEVELOPMENT);
    SAME(kinfolk_container_name(development), NOTES);
    ada = make_person(service, "Ada", "Lovelace", NULL);
    one = sign_in(notes, ada);
    other = sign_in(again, ada);
    SAME(record_id(one), record_id(other));
    kinfolk_session_free(other);
    other = sign_in(development, ada);
    CHECK(strcmp(record_id(one), record_id(other)) != 0);
    kinfolk_container_free(again);
    again = NULL;
    FAILS(KINFOLK_UNKNOWN_ITEM,
          kinfolk_container_open_environment(service, GAMES, KINFOLK_ENVIRONMENT_DEVELOPMENT, &again));
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_container_open_environment(service, "none", KINFOLK_ENVIRONMENT_DEVELOPMENT, &again));
    FAILS(KINFOLK_INVALID_ARGUMENT,
          kinfolk_container_open_environment(service, NOTES, (kinfolk_environment)2, &again));
    CHECK(again == NULL);
    kinfolk_session_free(one);
    kinfolk_session_free(other);
    kinfolk_account_free(ada);
    kinfolk_container_free(development);
    end();
}

static void an_account_is_found_by_its_verified_address_or_created(void) {
    kinfolk_account *ada = NULL, *again = NULL, *none = NULL;
    char *given = NULL;
    bool is_new = false;
    begin();
    OK(kinfolk_account_find_or_create(service, "Ada@Example.com", "Ada", "Lovelace", &ada, &is_new));
    CHECK(is_new);
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
    kinfolk_container *again = NULL;
    kinfolk_session *ada;
    kinfolk_account_status status = KINFOLK_ACCOUNT_AVAILABLE;
    kinfolk_statistics *statistics = NULL;
    const char *id = NULL;
    size_t people = 0;
    bool is_pending = true;
    uint32_t left = 77;
    begin();
    ada = make_findable(service, notes, "Ada", "Lovelace", "ada@example.com");
    told = most = 0;
    OK(kinfolk_container_delete(service, NOTES, note_progress, NULL, &people, &is_pending));
    EQUAL(people, 1);
    CHECK(!is_pending && told > 0 && most == 1);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_delete(service, NOTES, NULL, NULL, NULL, NULL));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_open(service, NOTES, &again));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_session_user_record_id(ada, &id));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_session_permits_left(ada, &left));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_statistics(notes, &statistics));
    CHECK(again == NULL && id == NULL && left == 77 && statistics == NULL);
    OK(kinfolk_session_account_status(ada, &status));
    EQUAL(status, KINFOLK_ACCOUNT_NO_ACCOUNT);
    SAME(kinfolk_container_name(notes), NOTES);
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

/* ---- Look-ups of accounts */

static void look_up(const char *id, const char *reason) {
    kinfolk_account *account = NULL;
    OK(kinfolk_container_find_account(notes, id, reason, &account));
    kinfolk_account_free(account);
}

static kinfolk_audit *audit_log(int64_t after, size_t limit) {
    kinfolk_audit *audit = NULL;
    OK(kinfolk_service_audit_log(service, after, limit, &audit));
    REQUIRE(audit != NULL);
    return audit;
}

static void a_look_up_of_an_account_is_logged(void) {
    kinfolk_account *ada, *found = NULL;
    kinfolk_session *session;
    kinfolk_audit *audit;
    char id[40], account[40];
    int64_t now;
    begin();
    ada = make_person(service, "Ada", "Lovelace", "ada@example.com");
    session = sign_in(notes, ada);
    snprintf(id, sizeof id, "%s", record_id(session));
    snprintf(account, sizeof account, "%s", kinfolk_account_id(ada));
    OK(kinfolk_container_find_account(notes, id, "Ticket 12 \xe2\x80\x93 \xe6\x9d\x8e", &found));
    SAME(kinfolk_account_id(found), account);
    kinfolk_account_free(found);
    found = NULL;
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_find_account(notes, NOBODY, "A guess", &found));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_find_account(notes, id, "", &found));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_find_account(notes, id, NULL, &found));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_find_account(notes, "nobody", "Ticket 12", &found));
    CHECK(found == NULL);
    now = (int64_t)time(NULL) * 1000000;
    audit = audit_log(0, 100);
    OK(kinfolk_account_erase(ada, NULL));
    kinfolk_account_free(ada);
    kinfolk_session_free(session);
    end();
    EQUAL(kinfolk_audit_count(audit), 2); /* as it was, and without its store */
    EQUAL(kinfolk_audit_number(audit, 0), 1);
    CHECK(llabs((long long)(kinfolk_audit_noted_at(audit, 0) - now)) < 60000000);
    SAME(kinfolk_audit_container(audit, 0), NOTES);
    SAME(kinfolk_audit_record_id(audit, 0), id);
    SAME(kinfolk_audit_reason(audit, 0), "Ticket 12 \xe2\x80\x93 \xe6\x9d\x8e");
    SAME(kinfolk_audit_record_id(audit, 1), NOBODY);
    EQUAL(kinfolk_audit_number(audit, 2), 0);
    EQUAL(kinfolk_audit_noted_at(audit, SIZE_MAX), 0);
    CHECK(kinfolk_audit_container(audit, 2) == NULL);
    CHECK(kinfolk_audit_record_id(audit, 2) == NULL);
    CHECK(kinfolk_audit_reason(audit, SIZE_MAX / 2 + 1) == NULL);
    kinfolk_audit_free(audit);
}

static void the_log_is_read_in_pages_and_outlives_its_subjects(void) {
    kinfolk_account *ada;
    kinfolk_session *session;
    kinfolk_audit *audit;
    int i;
    begin();
    ada = make_person(service, "Ada", "Lovelace", "ada@example.com");
    session = sign_in(notes, ada);
    for (i = 0; i < 5; i++) look_up(record_id(session), "Ticket 1");
    audit = audit_log(0, 2);
    EQUAL(kinfolk_audit_count(audit), 2);
    EQUAL(kinfolk_audit_number(audit, 1), 2);
    kinfolk_audit_free(audit);
    audit = audit_log(2, 100);
    EQUAL(kinfolk_audit_count(audit), 3);
    EQUAL(kinfolk_audit_number(audit, 0), 3);
    kinfolk_audit_free(audit);
    audit = audit_log(0, 0);
    EQUAL(kinfolk_audit_count(audit), 0);
    kinfolk_audit_free(audit);
    audit = audit_log(INT64_MAX, 100);
    EQUAL(kinfolk_audit_count(audit), 0);
    kinfolk_audit_free(audit);
    OK(kinfolk_account_erase(ada, NULL));
    audit = audit_log(-7, SIZE_MAX);
    EQUAL(kinfolk_audit_count(audit), 5);
    SAME(kinfolk_audit_container(audit, 0), NOTES);
    CHECK(kinfolk_audit_record_id(audit, 0) == NULL && kinfolk_audit_reason(audit, 0) == NULL);
    kinfolk_audit_free(audit);
    kinfolk_session_free(session);
    kinfolk_account_free(ada);
    end();
}

BEGIN
    RUN(accounts_are_listed_in_pages);
    RUN(containers_are_listed_in_the_order_of_their_names);
    RUN(the_operators_blocks_are_listed_in_pages);
    RUN(limits_are_read_as_they_were_set);
    RUN(statistics_count_what_happened);
    RUN(a_container_is_made_opened_or_both);
    RUN(a_container_has_two_environments);
    RUN(an_account_is_found_by_its_verified_address_or_created);
    RUN(people_are_imported_from_a_file);
    RUN(a_deleted_container_is_unknown_to_all_handles_and_sessions);
    RUN(a_cancelled_deletion_is_resumed);
    RUN(a_look_up_of_an_account_is_logged);
    RUN(the_log_is_read_in_pages_and_outlives_its_subjects);
END
