/* The operator finds the account of a user record ID, and the log records each look-up. */

#include "harness.h"
#include "people.h"

#include <time.h>

static kinfolk_service *service;
static kinfolk_container *notes;
static kinfolk_account *ada;
static kinfolk_session *adas;

static void begin(void) {
    service = open_store();
    notes = make_container(service, NOTES);
    ada = make_person(service, "Ada", "Lovelace", "ada@example.com");
    adas = sign_in(notes, ada);
}

static void end(void) {
    kinfolk_session_free(adas);
    kinfolk_account_free(ada);
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
}

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

static size_t log_length(void) {
    kinfolk_audit *audit = audit_log(0, SIZE_MAX);
    size_t count = kinfolk_audit_count(audit);
    kinfolk_audit_free(audit);
    return count;
}

static void the_operator_looks_up_the_account_of_an_id_and_it_is_logged(void) {
    kinfolk_account *found = NULL;
    kinfolk_audit *audit;
    int64_t now;
    begin();
    OK(kinfolk_container_find_account(notes, record_id(adas), "Ticket 12", &found));
    SAME(kinfolk_account_id(found), kinfolk_account_id(ada));
    kinfolk_account_free(found);
    now = (int64_t)time(NULL) * 1000000;
    audit = audit_log(0, 100);
    EQUAL(kinfolk_audit_count(audit), 1);
    EQUAL(kinfolk_audit_number(audit, 0), 1);
    CHECK(llabs((long long)(kinfolk_audit_noted_at(audit, 0) - now)) < 60000000);
    SAME(kinfolk_audit_container(audit, 0), NOTES);
    SAME(kinfolk_audit_record_id(audit, 0), record_id(adas));
    SAME(kinfolk_audit_reason(audit, 0), "Ticket 12");
    kinfolk_audit_free(audit);
    end();
}

static void a_suspended_account_is_found_too(void) {
    begin();
    OK(kinfolk_account_suspend(ada));
    look_up(record_id(adas), "Ticket 12");
    end();
}

static void a_look_up_that_finds_nobody_is_logged_too(void) {
    kinfolk_account *found = NULL;
    kinfolk_audit *audit;
    begin();
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_find_account(notes, NOBODY, "A guess", &found));
    CHECK(found == NULL);
    audit = audit_log(0, 100);
    EQUAL(kinfolk_audit_count(audit), 1);
    SAME(kinfolk_audit_record_id(audit, 0), NOBODY);
    SAME(kinfolk_audit_reason(audit, 0), "A guess");
    kinfolk_audit_free(audit);
    end();
}

static void an_id_is_known_in_its_own_container_only(void) {
    kinfolk_container *games;
    kinfolk_account *found = NULL;
    kinfolk_audit *audit;
    begin();
    games = make_container(service, GAMES);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_container_find_account(games, record_id(adas), "Ticket 12", &found));
    audit = audit_log(0, 100);
    SAME(kinfolk_audit_container(audit, 0), GAMES);
    kinfolk_audit_free(audit);
    kinfolk_container_free(games);
    end();
}

static void a_refused_look_up_leaves_no_entry(void) {
    char reason[1026];
    kinfolk_account *found = NULL;
    begin();
    memset(reason, 'r', sizeof reason);
    reason[1025] = '\0';
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_container_find_account(notes, record_id(adas), reason, &found));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_find_account(notes, record_id(adas), "", &found));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_find_account(notes, record_id(adas), NULL, &found));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_find_account(notes, record_id(adas), "\xff", &found));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_find_account(notes, "ada@example.com", "Ticket 12", &found));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_find_account(notes, NULL, "Ticket 12", &found));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_find_account(notes, record_id(adas), "Ticket 12", NULL));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_find_account(NULL, record_id(adas), "Ticket 12", &found));
    CHECK(found == NULL);
    EQUAL(log_length(), 0);
    reason[1024] = '\0';
    look_up(record_id(adas), reason);
    EQUAL(log_length(), 1);
    end();
}

static void the_log_is_read_in_pages(void) {
    kinfolk_audit *audit;
    char reason[20];
    int i;
    begin();
    for (i = 1; i <= 5; i++) {
        snprintf(reason, sizeof reason, "Ticket %d", i);
        look_up(record_id(adas), reason);
    }
    audit = audit_log(0, 2);
    EQUAL(kinfolk_audit_count(audit), 2);
    SAME(kinfolk_audit_reason(audit, 1), "Ticket 2");
    EQUAL(kinfolk_audit_number(audit, 1), 2);
    CHECK(kinfolk_audit_noted_at(audit, 0) <= kinfolk_audit_noted_at(audit, 1));
    kinfolk_audit_free(audit);
    audit = audit_log(2, 100);
    EQUAL(kinfolk_audit_count(audit), 3);
    SAME(kinfolk_audit_reason(audit, 0), "Ticket 3");
    kinfolk_audit_free(audit);
    audit = audit_log(-7, SIZE_MAX);
    EQUAL(kinfolk_audit_count(audit), 5);
    kinfolk_audit_free(audit);
    audit = audit_log(0, 0);
    EQUAL(kinfolk_audit_count(audit), 0);
    kinfolk_audit_free(audit);
    audit = audit_log(INT64_MAX, 100);
    EQUAL(kinfolk_audit_count(audit), 0);
    kinfolk_audit_free(audit);
    end();
}

static void an_erasure_keeps_entries_without_their_subject(void) {
    kinfolk_audit *audit;
    begin();
    look_up(record_id(adas), "Ticket 12, about Ada");
    OK(kinfolk_account_erase(ada, NULL));
    audit = audit_log(0, 100);
    EQUAL(kinfolk_audit_count(audit), 1);
    EQUAL(kinfolk_audit_number(audit, 0), 1);
    CHECK(kinfolk_audit_noted_at(audit, 0) > 0);
    SAME(kinfolk_audit_container(audit, 0), NOTES);
    CHECK(kinfolk_audit_record_id(audit, 0) == NULL);
    CHECK(kinfolk_audit_reason(audit, 0) == NULL);
    kinfolk_audit_free(audit);
    end();
}

static void entries_that_were_read_do_not_change(void) {
    kinfolk_audit *audit;
    begin();
    look_up(record_id(adas), "Ticket 12");
    audit = audit_log(0, 100);
    OK(kinfolk_account_erase(ada, NULL));
    end();
    SAME(kinfolk_audit_reason(audit, 0), "Ticket 12");
    CHECK(kinfolk_audit_record_id(audit, 0) != NULL);
    kinfolk_audit_free(audit);
}

static void reasons_are_sealed_in_the_store(void) {
    static const char reason[] = "Harassment of Grace";
    begin();
    look_up(record_id(adas), reason);
    CHECK(!store_holds(STORE, "Harassment", 10));
    end();
    CHECK(!store_holds(STORE, "Harassment", 10));
}

static void the_log_is_kept_when_the_store_is_reopened(void) {
    kinfolk_audit *audit;
    begin();
    look_up(record_id(adas), "Ticket 1");
    end();
    service = open_store();
    OK(kinfolk_container_open(service, NOTES, &notes));
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &ada));
    adas = sign_in(notes, ada);
    look_up(record_id(adas), "Ticket 2 \xe2\x80\x93 \xe6\x9d\x8e");
    audit = audit_log(0, 100);
    EQUAL(kinfolk_audit_count(audit), 2);
    SAME(kinfolk_audit_reason(audit, 0), "Ticket 1");
    SAME(kinfolk_audit_reason(audit, 1), "Ticket 2 \xe2\x80\x93 \xe6\x9d\x8e");
    EQUAL(kinfolk_audit_number(audit, 1), 2);
    kinfolk_audit_free(audit);
    end();
}

static void an_index_out_of_range_gives_null(void) {
    static const size_t indexes[] = { 1, 2, SIZE_MAX, SIZE_MAX / 2 + 1 };
    kinfolk_audit *audit;
    size_t i;
    begin();
    look_up(record_id(adas), "Ticket 12");
    audit = audit_log(0, 100);
    for (i = 0; i < sizeof indexes / sizeof indexes[0]; i++) {
        EQUAL(kinfolk_audit_number(audit, indexes[i]), 0);
        EQUAL(kinfolk_audit_noted_at(audit, indexes[i]), 0);
        CHECK(kinfolk_audit_container(audit, indexes[i]) == NULL);
        CHECK(kinfolk_audit_record_id(audit, indexes[i]) == NULL);
        CHECK(kinfolk_audit_reason(audit, indexes[i]) == NULL);
    }
    kinfolk_audit_free(audit);
    end();
}

BEGIN
    RUN(the_operator_looks_up_the_account_of_an_id_and_it_is_logged);
    RUN(a_suspended_account_is_found_too);
    RUN(a_look_up_that_finds_nobody_is_logged_too);
    RUN(an_id_is_known_in_its_own_container_only);
    RUN(a_refused_look_up_leaves_no_entry);
    RUN(the_log_is_read_in_pages);
    RUN(an_erasure_keeps_entries_without_their_subject);
    RUN(entries_that_were_read_do_not_change);
    RUN(reasons_are_sealed_in_the_store);
    RUN(the_log_is_kept_when_the_store_is_reopened);
    RUN(an_index_out_of_range_gives_null);
END
