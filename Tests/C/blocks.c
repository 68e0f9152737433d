/* Blocks: after a block, neither of two people can find the other, and neither can detect the block. */

#include "harness.h"
#include "people.h"

static kinfolk_service *service;
static kinfolk_container *notes;
static kinfolk_session *ada, *grace, *alan;

static void begin(void) {
    service = open_store();
    notes = make_container(service, NOTES);
    ada = make_findable(service, notes, "Ada", "Lovelace", "ada@example.com");
    grace = make_findable(service, notes, "Grace", "Hopper", "grace@example.org");
    alan = make_findable(service, notes, "Alan", "Turing", "alan@example.com");
}

static void end(void) {
    kinfolk_session_free(ada);
    kinfolk_session_free(grace);
    kinfolk_session_free(alan);
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
}

/* How many people a search found; frees them. */
static size_t counted(kinfolk_identities *found) {
    size_t count = kinfolk_identities_count(found);
    kinfolk_identities_free(found);
    return count;
}

/* Whether `caller` finds a person. All kinds of search must agree. */
static bool finds(const kinfolk_session *caller, const kinfolk_session *other, const char *email) {
    kinfolk_identities *found = NULL;
    kinfolk_contacts *book = NULL;
    size_t by_id, by_email, by_book;
    OK(kinfolk_discover_record_id(caller, record_id(other), &found));
    by_id = counted(found);
    OK(kinfolk_discover_email(caller, email, &found));
    by_email = counted(found);
    OK(kinfolk_contacts_new(&book));
    OK(kinfolk_contacts_add_email(book, email, NULL));
    OK(kinfolk_discover_contacts(caller, book, NULL, 0, &found));
    by_book = counted(found);
    kinfolk_contacts_free(book);
    EQUAL(by_email, by_id);
    EQUAL(by_book, by_id);
    return by_id > 0;
}

static bool ada_finds_grace(void) {
    return finds(ada, grace, "grace@example.org");
}

static bool grace_finds_ada(void) {
    return finds(grace, ada, "ada@example.com");
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

static void a_block_hides_both_people_from_each_other_in_every_search(void) {
    begin();
    CHECK(ada_finds_grace());
    CHECK(grace_finds_ada());
    OK(kinfolk_session_block(ada, record_id(grace)));
    CHECK(!ada_finds_grace());
    CHECK(!grace_finds_ada());
    CHECK(finds(ada, alan, "alan@example.com")); /* and nobody else */
    CHECK(finds(alan, grace, "grace@example.org"));
    CHECK(finds(alan, ada, "ada@example.com"));
    OK(kinfolk_session_unblock(ada, record_id(grace)));
    CHECK(ada_finds_grace());
    CHECK(grace_finds_ada());
    end();
}

static void a_person_can_end_only_their_own_block(void) {
    begin();
    OK(kinfolk_session_block(ada, record_id(grace)));
    OK(kinfolk_session_unblock(grace, record_id(ada))); /* she had blocked nobody, so nothing happens */
    CHECK(!grace_finds_ada());
    OK(kinfolk_session_block(grace, record_id(ada)));
    OK(kinfolk_session_unblock(ada, record_id(grace)));
    CHECK(!ada_finds_grace());
    CHECK(!grace_finds_ada());
    OK(kinfolk_session_unblock(grace, record_id(ada)));
    CHECK(ada_finds_grace());
    end();
}

static void blocking_twice_has_no_further_effect(void) {
    begin();
    OK(kinfolk_session_block(ada, record_id(grace)));
    OK(kinfolk_session_block(ada, record_id(grace)));
    SAME(blocked_by(ada), record_id(grace));
    OK(kinfolk_session_unblock(ada, record_id(grace)));
    OK(kinfolk_session_unblock(ada, record_id(grace)));
    SAME(blocked_by(ada), "");
    end();
}

static void an_id_that_nobody_has_can_be_blocked(void) {
    begin();
    OK(kinfolk_session_block(ada, NOBODY));
    SAME(blocked_by(ada), NOBODY);
    CHECK(ada_finds_grace());
    end();
}

static void the_list_has_the_persons_own_blocks_ordered_by_id(void) {
    char wanted[100];
    const char *first, *second;
    kinfolk_blocked *kept = NULL;
    begin();
    OK(kinfolk_session_block(ada, record_id(grace)));
    OK(kinfolk_session_block(ada, record_id(alan)));
    OK(kinfolk_session_block(grace, record_id(alan)));
    OK(kinfolk_container_block(notes, record_id(ada), NOBODY));
    first = strcmp(record_id(grace), record_id(alan)) < 0 ? record_id(grace) : record_id(alan);
    second = first == record_id(grace) ? record_id(alan) : record_id(grace);
    snprintf(wanted, sizeof wanted, "%s%s", first, second);
    SAME(blocked_by(ada), wanted);
    SAME(blocked_by(grace), record_id(alan));
    SAME(blocked_by(alan), "");
    OK(kinfolk_session_blocked(ada, &kept));
    OK(kinfolk_session_unblock(ada, record_id(alan)));
    EQUAL(kinfolk_blocked_count(kept), 2); /* the handle is a copy */
    kinfolk_blocked_free(kept);
    SAME(blocked_by(ada), record_id(grace));
    end();
}

static void neither_person_can_see_or_end_the_operators_block(void) {
    begin();
    OK(kinfolk_container_block(notes, record_id(ada), record_id(grace)));
    OK(kinfolk_container_block(notes, record_id(ada), record_id(grace)));
    CHECK(!ada_finds_grace());
    CHECK(!grace_finds_ada());
    SAME(blocked_by(ada), "");
    SAME(blocked_by(grace), "");
    OK(kinfolk_session_unblock(ada, record_id(grace)));
    OK(kinfolk_session_unblock(grace, record_id(ada)));
    CHECK(!ada_finds_grace());
    OK(kinfolk_container_unblock(notes, record_id(grace), record_id(ada))); /* in whichever order */
    CHECK(ada_finds_grace());
    CHECK(grace_finds_ada());
    OK(kinfolk_container_unblock(notes, record_id(grace), record_id(ada)));
    end();
}

static void the_operator_does_not_end_peoples_own_blocks(void) {
    begin();
    OK(kinfolk_session_block(ada, record_id(grace)));
    OK(kinfolk_container_block(notes, record_id(ada), record_id(grace)));
    OK(kinfolk_container_block(notes, record_id(grace), record_id(ada)));
    OK(kinfolk_container_unblock(notes, record_id(ada), record_id(grace)));
    CHECK(!ada_finds_grace());
    SAME(blocked_by(ada), record_id(grace));
    OK(kinfolk_session_unblock(ada, record_id(grace)));
    CHECK(ada_finds_grace());
    end();
}

static void a_block_is_for_one_container(void) {
    kinfolk_container *games;
    kinfolk_session *first = ada, *second;
    kinfolk_account *account = NULL;
    begin();
    games = make_container(service, GAMES);
    OK(kinfolk_session_block(ada, record_id(grace)));
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &account));
    first = sign_in(games, account);
    grant(first);
    kinfolk_account_free(account);
    OK(kinfolk_account_find_by_email(service, "grace@example.org", &account));
    second = sign_in(games, account);
    grant(second);
    kinfolk_account_free(account);
    CHECK(finds(first, second, "grace@example.org"));
    SAME(blocked_by(first), "");
    kinfolk_session_free(first);
    kinfolk_session_free(second);
    kinfolk_container_free(games);
    end();
}

static void records_can_be_fetched_as_before(void) {
    kinfolk_record *record = NULL;
    begin();
    OK(kinfolk_session_block(ada, record_id(grace)));
    OK(kinfolk_record_fetch(ada, record_id(grace), KINFOLK_DATABASE_PUBLIC, &record));
    kinfolk_record_free(record);
    OK(kinfolk_record_fetch(grace, record_id(ada), KINFOLK_DATABASE_PUBLIC, &record));
    kinfolk_record_free(record);
    end();
}

static void a_blocked_address_costs_as_much_as_an_unknown_one(void) {
    kinfolk_identities *found = NULL;
    int i;
    begin();
    OK(kinfolk_container_set_permits(notes, 3, 0, 3));
    OK(kinfolk_session_block(ada, record_id(grace)));
    for (i = 0; i < 3; i++) {
        OK(kinfolk_discover_email(grace, i == 1 ? "nobody@example.com" : "ada@example.com", &found));
        EQUAL(counted(found), 0);
    }
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, kinfolk_discover_email(grace, "ada@example.com", &found));
    end();
}

static void a_block_lasts_and_ends_with_the_account(void) {
    kinfolk_account *account = NULL;
    kinfolk_service *other;
    begin();
    OK(kinfolk_session_block(ada, record_id(grace)));
    OK(kinfolk_session_block(ada, record_id(alan)));
    other = open_store(); /* another service sees it at once */
    OK(kinfolk_account_find_by_email(other, "grace@example.org", &account));
    OK(kinfolk_account_erase(account, NULL));
    kinfolk_account_free(account);
    kinfolk_service_free(other);
    SAME(blocked_by(ada), record_id(alan));
    end();
    service = open_store();
    OK(kinfolk_container_open(service, NOTES, &notes));
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &account));
    ada = sign_in(notes, account);
    kinfolk_account_free(account);
    OK(kinfolk_account_find_by_email(service, "alan@example.com", &account));
    alan = sign_in(notes, account);
    kinfolk_account_free(account);
    SAME(blocked_by(ada), record_id(alan));
    CHECK(!finds(alan, ada, "ada@example.com"));
    kinfolk_session_free(ada);
    kinfolk_session_free(alan);
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
}

static void an_export_does_not_name_the_blocker(void) {
    kinfolk_account *account = NULL;
    char *json = NULL;
    begin();
    OK(kinfolk_session_block(ada, record_id(grace)));
    OK(kinfolk_account_find_by_email(service, "grace@example.org", &account));
    OK(kinfolk_account_export(account, &json));
    CHECK(strstr(json, record_id(ada)) == NULL);
    kinfolk_free(json);
    kinfolk_account_free(account);
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &account));
    OK(kinfolk_account_export(account, &json)); /* a person may know whom they have blocked */
    CHECK(strstr(json, record_id(grace)) != NULL);
    kinfolk_free(json);
    kinfolk_account_free(account);
    end();
}

static void blocking_oneself_or_a_malformed_id_is_refused(void) {
    static const char *const malformed[] = { "", "_", "ada@example.com", "_0123456789ABCDEF0123456789ABCDEF",
                                             "0123456789abcdef0123456789abcdef0" };
    size_t i;
    begin();
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_session_block(ada, record_id(ada)));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_block(notes, record_id(ada), record_id(ada)));
    for (i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_session_block(ada, malformed[i]));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_session_unblock(ada, malformed[i]));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_block(notes, record_id(ada), malformed[i]));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_block(notes, malformed[i], record_id(ada)));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_unblock(notes, malformed[i], record_id(ada)));
    }
    SAME(blocked_by(ada), "");
    end();
}

static void blocking_needs_an_account_in_good_standing(void) {
    kinfolk_session *anonymous = NULL;
    kinfolk_account *account = NULL;
    kinfolk_blocked *blocked = NULL;
    begin();
    OK(kinfolk_session_block(ada, record_id(grace)));
    OK(kinfolk_session_open_anonymous(notes, &anonymous));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_block(anonymous, record_id(grace)));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_unblock(anonymous, record_id(grace)));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_blocked(anonymous, &blocked));
    kinfolk_session_free(anonymous);
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &account));
    OK(kinfolk_account_suspend(account));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_block(ada, record_id(alan)));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_unblock(ada, record_id(grace)));
    SAME(blocked_by(ada), record_id(grace));
    OK(kinfolk_account_erase(account, NULL));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_block(ada, record_id(alan)));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_blocked(ada, &blocked));
    CHECK(blocked == NULL);
    kinfolk_account_free(account);
    end();
}

/* A block that was written with SQL is not authenticated: it is detected, and has no effect. */
static void blocks_written_with_sql_are_detected(void) {
    char sql[400];
    kinfolk_blocked *blocked = NULL;
    begin();
    OK(kinfolk_session_block(ada, record_id(grace)));
    snprintf(sql, sizeof sql,
             "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) "
             "INSERT INTO blocks (container_id, record_id, blocked_id, is_operators) "
             "SELECT container_id, record_id, %s, 0 FROM blocks, n",
             EITHER_SQL("randomblob(16)", "decode(md5(random()::text), 'hex')"));
    run_sql(STORE, sql);
    FAILS(KINFOLK_STORE_CORRUPT, kinfolk_session_block(ada, record_id(alan)));
    FAILS(KINFOLK_STORE_CORRUPT, kinfolk_session_blocked(ada, &blocked));
    CHECK(blocked == NULL);
    end();
}

BEGIN
    RUN(a_block_hides_both_people_from_each_other_in_every_search);
    RUN(a_person_can_end_only_their_own_block);
    RUN(blocking_twice_has_no_further_effect);
    RUN(an_id_that_nobody_has_can_be_blocked);
    RUN(the_list_has_the_persons_own_blocks_ordered_by_id);
    RUN(neither_person_can_see_or_end_the_operators_block);
    RUN(the_operator_does_not_end_peoples_own_blocks);
    RUN(a_block_is_for_one_container);
    RUN(records_can_be_fetched_as_before);
    RUN(a_blocked_address_costs_as_much_as_an_unknown_one);
    RUN(a_block_lasts_and_ends_with_the_account);
    RUN(an_export_does_not_name_the_blocker);
    RUN(blocking_oneself_or_a_malformed_id_is_refused);
    RUN(blocking_needs_an_account_in_good_standing);
    RUN(blocks_written_with_sql_are_detected);
END
