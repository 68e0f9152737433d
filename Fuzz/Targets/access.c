/*
 * API tokens, keys of servers and identities. What was created is listed as it was given and can be deleted; what is refused changes
 * nothing. The target deletes what it creates.
 */

#include "store.h"

static kinfolk_service *service;
static kinfolk_account *ada;
static kinfolk_container *notes;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    service = store_make();
    ada = store_person(service, "Ada", "ada@example.com");
    OK(kinfolk_container_create(service, NOTES, &notes));
    return 0;
}

static bool is_name(const char *name) {
    size_t length = strlen(name);
    return length >= 1 && length <= 255 && is_utf_8(name, length);
}

static void expect_listed(const char *name, const char *origins, const char *urls) {
    kinfolk_api_tokens *tokens = NULL;
    OK(kinfolk_container_api_tokens(notes, &tokens));
    HOLDS(kinfolk_api_tokens_count(tokens) == (name == NULL ? 0 : 1));
    if (name != NULL) {
        size_t length = strlen(kinfolk_api_tokens_origins(tokens, 0));
        HOLDS(strcmp(kinfolk_api_tokens_name(tokens, 0), name) == 0);
        HOLDS(strncmp(kinfolk_api_tokens_origins(tokens, 0), origins, length) == 0);
        HOLDS(origins[length] == '\0' || strcmp(origins + length, "\n") == 0);
        length = strlen(kinfolk_api_tokens_return_urls(tokens, 0));
        HOLDS(strncmp(kinfolk_api_tokens_return_urls(tokens, 0), urls, length) == 0);
        HOLDS(urls[length] == '\0' || strcmp(urls + length, "\n") == 0);
    }
    kinfolk_api_tokens_free(tokens);
}

static void check_token(const char *name, const char *origins, const char *urls) {
    char *token = NULL;
    kinfolk_status status = kinfolk_api_token_create(notes, name, origins, urls, false, &token);
    HOLDS((status == KINFOLK_OK) == (token != NULL));
    HOLDS(status == KINFOLK_OK || status == KINFOLK_INVALID_ARGUMENT || status == KINFOLK_LIMIT_EXCEEDED);
    if (origins[0] == '\0' && urls[0] == '\0') HOLDS((status == KINFOLK_OK) == is_name(name));
    if (status != KINFOLK_OK) {
        expect_listed(NULL, NULL, NULL);
        return;
    }
    /* Nothing that a browser would run, and no page of another origin by a trick. */
    HOLDS(strpbrk(origins, "*@?#\\\r\t ") == NULL && strstr(urls, "javascript:") != urls && strpbrk(urls, "#\\\r\t ") == NULL);
    HOLDS(strlen(token) == 64 && strspn(token, "0123456789abcdef") == 64);
    expect_listed(name, origins, urls);
    OK(kinfolk_api_token_delete(notes, name));
    expect_listed(NULL, NULL, NULL);
    kinfolk_free(token);
}

static void check_key(const char *name, const uint8_t *key, size_t length) {
    kinfolk_server_keys *keys = NULL;
    kinfolk_account *account = NULL;
    char *id = NULL;
    kinfolk_status status = kinfolk_server_key_add(notes, name, key, length, &id);
    HOLDS((status == KINFOLK_OK) == (id != NULL));
    HOLDS(status == KINFOLK_OK || status == KINFOLK_INVALID_ARGUMENT);
    if (length == KINFOLK_SERVER_KEY_LENGTH) HOLDS((status == KINFOLK_OK) == (key[0] == 4 && is_name(name)));
    OK(kinfolk_container_server_keys(notes, &keys));
    HOLDS(kinfolk_server_keys_count(keys) == (id == NULL ? 0 : 1));
    if (id != NULL) {
        HOLDS(strcmp(kinfolk_server_keys_id(keys, 0), id) == 0 && strcmp(kinfolk_server_keys_name(keys, 0), name) == 0);
        HOLDS(kinfolk_server_keys_public_key(keys, 0)[0] == 4);
        OK(kinfolk_account_open(service, kinfolk_server_keys_account_id(keys, 0), &account));
        OK(kinfolk_server_key_remove(notes, id));
        OK(kinfolk_account_erase(account, NULL));
        kinfolk_account_free(account);
        kinfolk_free(id);
    }
    kinfolk_server_keys_free(keys);
}

static void check_identity(const char *issuer, const char *subject) {
    size_t lengths[] = { strlen(issuer), strlen(subject) };
    bool is_taken = lengths[0] >= 1 && lengths[0] <= 2048 && lengths[1] >= 1 && lengths[1] <= 255
        && is_utf_8(issuer, lengths[0]) && is_utf_8(subject, lengths[1]);
    kinfolk_linked_identities *identities = NULL;
    kinfolk_account *found = NULL;
    kinfolk_status status = kinfolk_account_add_identity(ada, issuer, subject);
    HOLDS(status == (is_taken ? KINFOLK_OK : KINFOLK_INVALID_ARGUMENT));
    HOLDS(kinfolk_account_find_by_identity(service, issuer, subject, &found) == status);
    if (!is_taken) return;
    HOLDS(strcmp(kinfolk_account_id(found), kinfolk_account_id(ada)) == 0);
    kinfolk_account_free(found);
    OK(kinfolk_account_linked_identities(ada, &identities));
    HOLDS(kinfolk_linked_identities_count(identities) == 1);
    HOLDS(strcmp(kinfolk_linked_identities_issuer(identities, 0), issuer) == 0);
    HOLDS(strcmp(kinfolk_linked_identities_subject(identities, 0), subject) == 0);
    kinfolk_linked_identities_free(identities);
    OK(kinfolk_account_remove_identity(ada, issuer, subject));
    FAILED(kinfolk_account_find_by_identity(service, issuer, subject, &found), KINFOLK_UNKNOWN_ITEM, KINFOLK_UNKNOWN_ITEM);
}

/* An ID of another form is refused; one that nobody has is unknown, or ends nothing. */
static void check_ids(const char *text) {
    kinfolk_status status = kinfolk_server_key_remove(notes, text);
    bool is_hex = strspn(text, "0123456789abcdef") == strlen(text);
    HOLDS(status == (is_hex && strlen(text) == 64 ? KINFOLK_UNKNOWN_ITEM : KINFOLK_INVALID_ARGUMENT));
    status = kinfolk_account_end_web_session(ada, text);
    HOLDS(status == (is_hex && strlen(text) == 32 ? KINFOLK_OK : KINFOLK_INVALID_ARGUMENT));
    status = kinfolk_api_token_delete(notes, text);
    HOLDS(status == KINFOLK_UNKNOWN_ITEM || !is_utf_8(text, strlen(text)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = { data, size };
    uint8_t step = take_byte(&in) % 4;
    char *text = take_text(&in), *other = step == 0 ? take_text(&in) : NULL, *rest = NULL;
    if (step == 1) {
        check_key(text, in.at, in.left);
    } else {
        rest = take_rest(&in);
        if (step == 0) check_token(text, other, rest);
        else if (step == 2) check_identity(text, rest);
        else check_ids(rest);
    }
    free(rest);
    free(other);
    free(text);
    return 0;
}
