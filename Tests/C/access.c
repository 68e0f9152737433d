/* API tokens, keys of servers, web sessions and identities, as the operator sees them. */

#include "harness.h"
#include "people.h"
#include "two_people.h"

/* A point of P-256 is not examined, except for its first byte and its length. */
static void make_point(uint8_t point[KINFOLK_SERVER_KEY_LENGTH], uint8_t filler) {
    memset(point, filler, KINFOLK_SERVER_KEY_LENGTH);
    point[0] = 4;
}

static void a_token_is_created_listed_and_deleted(void) {
    static const char origins[] = "https://app.example.com\nhttp://localhost:8000";
    static const char url[] = "com.example.notes:/callback";
    kinfolk_api_tokens *tokens = NULL;
    char *token = NULL, *second = NULL;
    make_two_people();
    OK(kinfolk_api_token_create(notes, "web", origins, "com.example.notes:/callback\n", true, &token));
    EQUAL(strlen(token), 64);
    EQUAL(strspn(token, "0123456789abcdef"), 64);
    OK(kinfolk_api_token_create(notes, "app", NULL, "", false, &second));
    CHECK(strcmp(token, second) != 0);
    OK(kinfolk_container_api_tokens(notes, &tokens));
    EQUAL(kinfolk_api_tokens_count(tokens), 2);
    SAME(kinfolk_api_tokens_name(tokens, 0), "app");
    SAME(kinfolk_api_tokens_origins(tokens, 0), "");
    SAME(kinfolk_api_tokens_return_urls(tokens, 0), "");
    CHECK(!kinfolk_api_tokens_allows_discovery(tokens, 0));
    SAME(kinfolk_api_tokens_name(tokens, 1), "web");
    SAME(kinfolk_api_tokens_origins(tokens, 1), origins);
    SAME(kinfolk_api_tokens_return_urls(tokens, 1), url);
    CHECK(kinfolk_api_tokens_origins(tokens, 2) == NULL);
    CHECK(kinfolk_api_tokens_return_urls(tokens, 2) == NULL);
    CHECK(kinfolk_api_tokens_allows_discovery(tokens, 1));
    CHECK(kinfolk_api_tokens_created_at(tokens, 1) > 0);
    CHECK(kinfolk_api_tokens_name(tokens, 2) == NULL);
    EQUAL(kinfolk_api_tokens_created_at(tokens, 2), 0);
    kinfolk_api_tokens_free(tokens);
    OK(kinfolk_api_token_delete(notes, "app"));
    OK(kinfolk_container_api_tokens(notes, &tokens));
    EQUAL(kinfolk_api_tokens_count(tokens), 1);
    kinfolk_api_tokens_free(tokens);
    OK(kinfolk_container_api_tokens(games, &tokens));
    EQUAL(kinfolk_api_tokens_count(tokens), 0);
    kinfolk_api_tokens_free(tokens);
    kinfolk_free(token);
    kinfolk_free(second);
    free_two_people();
}

static void origins_and_urls_are_lines_of_a_text(void) {
    char many[21 * 24 + 1] = "";
    char *token = NULL, *none = NULL;
    size_t i;
    make_two_people();
    for (i = 0; i < 20; i++) strcat(many, "https://app.example.com\n");
    OK(kinfolk_api_token_create(notes, "web", many, many, false, &token));
    strcat(many, "https://app.example.com\n");
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_api_token_create(notes, "a", many, NULL, false, &none));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_api_token_create(notes, "a", NULL, many, false, &none));
    FAILS(KINFOLK_CONFLICT, kinfolk_api_token_create(notes, "web", NULL, NULL, false, &none));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_api_token_create(notes, "a", "https://a.example\r\n", NULL, false, &none));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_api_token_create(notes, "a", "\n\n", NULL, false, &none));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_api_token_delete(notes, "a"));
    CHECK(none == NULL);
    kinfolk_free(token);
    free_two_people();
}

static void a_servers_key_is_added_listed_and_removed(void) {
    uint8_t point[KINFOLK_SERVER_KEY_LENGTH];
    kinfolk_server_keys *keys = NULL;
    kinfolk_account *account = NULL;
    char *id = NULL;
    make_two_people();
    make_point(point, 7);
    OK(kinfolk_server_key_add(notes, "backend", point, sizeof point, &id));
    EQUAL(strlen(id), 64);
    OK(kinfolk_container_server_keys(notes, &keys));
    EQUAL(kinfolk_server_keys_count(keys), 1);
    SAME(kinfolk_server_keys_id(keys, 0), id);
    SAME(kinfolk_server_keys_name(keys, 0), "backend");
    CHECK(memcmp(kinfolk_server_keys_public_key(keys, 0), point, sizeof point) == 0);
    CHECK(kinfolk_server_keys_created_at(keys, 0) > 0);
    OK(kinfolk_account_open(service, kinfolk_server_keys_account_id(keys, 0), &account));
    CHECK(kinfolk_server_keys_id(keys, 1) == NULL);
    CHECK(kinfolk_server_keys_public_key(keys, 1) == NULL);
    CHECK(kinfolk_server_keys_account_id(keys, 1) == NULL);
    FAILS(KINFOLK_CONFLICT, kinfolk_server_key_add(notes, "other", point, sizeof point, NULL));
    OK(kinfolk_server_key_add(games, "backend", point, sizeof point, NULL)); /* without its ID */
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_server_key_add(notes, "b", point, sizeof point - 1, NULL));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_server_key_add(notes, "b", NULL, 0, NULL));
    OK(kinfolk_server_key_remove(notes, id));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_server_key_remove(notes, id));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_server_key_remove(notes, "backend"));
    kinfolk_account_free(account);
    kinfolk_server_keys_free(keys);
    kinfolk_free(id);
    free_two_people();
}

static void an_account_without_web_sessions_has_none(void) {
    kinfolk_web_sessions *sessions = NULL;
    make_two_people();
    OK(kinfolk_account_web_sessions(ada, &sessions));
    EQUAL(kinfolk_web_sessions_count(sessions), 0);
    CHECK(kinfolk_web_sessions_id(sessions, 0) == NULL);
    CHECK(kinfolk_web_sessions_container(sessions, 0) == NULL);
    EQUAL(kinfolk_web_sessions_environment(sessions, 0), KINFOLK_ENVIRONMENT_PRODUCTION);
    CHECK(kinfolk_web_sessions_api_token_name(sessions, 0) == NULL);
    EQUAL(kinfolk_web_sessions_created_at(sessions, 0), 0);
    EQUAL(kinfolk_web_sessions_signed_in_at(sessions, 0), 0);
    EQUAL(kinfolk_web_sessions_expires_at(sessions, 0), 0);
    CHECK(!kinfolk_web_sessions_is_lasting(sessions, 0));
    kinfolk_web_sessions_free(sessions);
    OK(kinfolk_account_end_web_session(ada, "0123456789abcdef0123456789abcdef"));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_account_end_web_session(ada, "x"));
    OK(kinfolk_account_end_web_sessions(ada));
    OK(kinfolk_account_erase(ada, NULL));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_end_web_sessions(ada));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_end_web_session(ada, "0123456789abcdef0123456789abcdef"));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_web_sessions(ada, &sessions));
    free_two_people();
}

static void an_identity_leads_to_one_account(void) {
    static const char issuer[] = "https://id.example.com";
    kinfolk_linked_identities *identities = NULL;
    kinfolk_account *found = NULL;
    make_two_people();
    OK(kinfolk_account_add_identity(ada, issuer, "1815"));
    FAILS(KINFOLK_CONFLICT, kinfolk_account_add_identity(grace, issuer, "1815"));
    OK(kinfolk_account_find_by_identity(service, issuer, "1815", &found));
    SAME(kinfolk_account_id(found), kinfolk_account_id(ada));
    kinfolk_account_free(found);
    found = NULL;
    OK(kinfolk_account_linked_identities(ada, &identities));
    EQUAL(kinfolk_linked_identities_count(identities), 1);
    SAME(kinfolk_linked_identities_issuer(identities, 0), issuer);
    SAME(kinfolk_linked_identities_subject(identities, 0), "1815");
    CHECK(kinfolk_linked_identities_added_at(identities, 0) > 0);
    CHECK(kinfolk_linked_identities_issuer(identities, 1) == NULL);
    kinfolk_linked_identities_free(identities);
    OK(kinfolk_account_remove_identity(ada, issuer, "1815"));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_account_find_by_identity(service, issuer, "1815", &found));
    CHECK(found == NULL);
    free_two_people();
}

BEGIN
    RUN(a_token_is_created_listed_and_deleted);
    RUN(origins_and_urls_are_lines_of_a_text);
    RUN(a_servers_key_is_added_listed_and_removed);
    RUN(an_account_without_web_sessions_has_none);
    RUN(an_identity_leads_to_one_account);
END
