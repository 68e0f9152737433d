/*
 * Identifiers: account IDs, user record IDs, names of containers, contact hashes, paths, keys. Each has a form: text
 * of another form is refused, and text of that form is looked up. The target deletes what it creates.
 */

#include "store.h"

#include <fcntl.h>

#define NOBODY "_0123456789abcdef0123456789abcdef"

static kinfolk_service *service;
static kinfolk_account *ada;
static kinfolk_container *notes;
static kinfolk_session *session;
static const char *own_id;
static uint8_t key[KINFOLK_KEY_LENGTH];
static int home; /* the folder in which the program was started */

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    kinfolk_service *elsewhere = NULL;
    (void)argc, (void)argv;
    service = store_make();
    ada = store_person(service, "Ada", "ada@example.com");
    OK(kinfolk_container_create(service, NOTES, &notes));
    OK(kinfolk_session_open(notes, ada, &session));
    OK(kinfolk_session_user_record_id(session, &own_id));
    options.key = key; /* 32 zeros */
    options.key_length = sizeof key;
    unlink(store_path("keyed.db"));
    OK(kinfolk_service_open(store_path("keyed.db"), &options, &elsewhere));
    kinfolk_service_free(elsewhere);
    home = open(".", O_RDONLY | O_DIRECTORY);
    HOLDS(home >= 0);
    return 0;
}

static bool is_container_name(const char *name) {
    size_t length = strlen(name), labels = 1, i;
    for (i = 0; i < length; i++) {
        char c = name[i], next = name[i + 1];
        bool is_alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (c == '.') labels++;
        if (c == '.' ? i == 0 || next == '.' || next == '-' || next == '\0'
                     : c == '-' ? i == 0 || next == '.' || next == '\0' : !is_alphanumeric)
            return false;
    }
    return labels >= 2 && length <= 255;
}

/* A text of the right form is found or unknown; any other text is refused. */
static void check(kinfolk_status status, bool has_form, bool exists) {
    if (exists) OK(status);
    else if (has_form) FAILED(status, KINFOLK_UNKNOWN_ITEM, KINFOLK_UNKNOWN_ITEM);
    else FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_INVALID_ARGUMENT);
}

static void check_account(const char *text) {
    kinfolk_account *account = NULL;
    bool exists = strcmp(text, kinfolk_account_id(ada)) == 0;
    check(kinfolk_account_open(service, text, &account), is_hex(text, 32), exists);
    HOLDS((account != NULL) == exists);
    kinfolk_account_free(account);
}

/* The schema has no role. */
static void check_role(const char *text) {
    kinfolk_status status = kinfolk_role_grant(notes, text, ada);
    FAILED(status, KINFOLK_UNKNOWN_ITEM, KINFOLK_INVALID_ARGUMENT);
    status = kinfolk_role_revoke(notes, text, ada);
    FAILED(status, KINFOLK_UNKNOWN_ITEM, KINFOLK_INVALID_ARGUMENT);
}

static void check_claim(const char *text) {
    kinfolk_claims *claims = NULL;
    check(kinfolk_service_acknowledge_notice(service, text), is_hex(text, 32), false);
    check(kinfolk_service_dismiss_claim(service, text), is_hex(text, 32), false);
    check(kinfolk_service_claims(service, text, 10, &claims), is_hex(text, 32), is_hex(text, 32));
    HOLDS(kinfolk_claims_count(claims) == 0);
    kinfolk_claims_free(claims);
}

static void check_lists(const char *text) {
    kinfolk_accounts *accounts = NULL;
    kinfolk_operator_blocks *blocks = NULL;
    size_t i;
    check(kinfolk_service_accounts(service, text, 10, &accounts), is_hex(text, 32), is_hex(text, 32));
    for (i = 0; i < kinfolk_accounts_count(accounts); i++) HOLDS(strcmp(kinfolk_accounts_id(accounts, i), text) > 0);
    kinfolk_accounts_free(accounts);
    check(kinfolk_container_operator_blocks(notes, text, own_id, 10, &blocks), is_record_id(text), is_record_id(text));
    HOLDS(kinfolk_operator_blocks_count(blocks) == 0);
    kinfolk_operator_blocks_free(blocks);
}

static void check_record(const char *text) {
    kinfolk_record *record = NULL;
    kinfolk_identities *found = NULL;
    bool exists = strcmp(text, own_id) == 0;
    check(kinfolk_record_fetch(session, text, KINFOLK_DATABASE_PUBLIC, &record), is_record_id(text), exists);
    check(kinfolk_discover_record_id(session, text, &found), is_record_id(text), is_record_id(text));
    HOLDS((record != NULL) == exists && kinfolk_identities_count(found) == 0);
    kinfolk_record_free(record);
    kinfolk_identities_free(found);
}

static void check_container(const char *text) {
    kinfolk_container *container = NULL;
    bool is_new = false, exists = strcmp(text, NOTES) == 0;
    check(kinfolk_container_open(service, text, &container), is_container_name(text), exists);
    HOLDS((container != NULL) == exists);
    kinfolk_container_free(container);
    if (exists) return;
    check(kinfolk_container_delete(service, text, NULL, NULL, NULL, NULL), is_container_name(text), false);
    container = NULL;
    check(kinfolk_container_open_or_create(service, text, &container, &is_new), is_container_name(text), is_container_name(text));
    HOLDS((container != NULL) == is_container_name(text) && is_new == is_container_name(text));
    kinfolk_container_free(container);
    if (is_container_name(text)) OK(kinfolk_container_delete(service, text, NULL, NULL, NULL, NULL));
}

static void check_hash(const uint8_t *bytes, size_t length, const char *label) {
    uint8_t hash[KINFOLK_CONTACT_HASH_LENGTH];
    bool has_form = length == 32, is_label = is_utf_8(label, strlen(label));
    kinfolk_contacts *book = NULL;
    kinfolk_status status;
    size_t i;
    OK(kinfolk_contacts_new(&book));
    if (length == 64) {
        for (has_form = true, i = 0; i < 64; i++)
            has_form = has_form && bytes[i] != 0 && strchr("0123456789abcdefABCDEF", bytes[i]) != NULL;
    }
    status = kinfolk_contacts_add_hash(book, bytes, length, label);
    HOLDS(kinfolk_contacts_count(book) == (status == KINFOLK_OK));
    if (status == KINFOLK_OK) {
        HOLDS(has_form && is_label && strlen(label) <= 1024);
        HOLDS(strcmp(kinfolk_contacts_label(book, 0), label) == 0);
        OK(kinfolk_contacts_get_hash(book, 0, hash));
        for (i = 0; i < 32 && length == 32; i++) HOLDS(hash[i] == bytes[i]);
        for (i = 0; i < 32 && length == 64; i++) {
            const char digits[3] = { (char)bytes[2 * i], (char)bytes[2 * i + 1], '\0' };
            HOLDS(hash[i] == strtoul(digits, NULL, 16));
        }
    } else {
        HOLDS(!has_form || !is_label || strlen(label) > 1024);
    }
    kinfolk_contacts_free(book);
}

/* Paths stay in the target's folder. No store is made. */
static void check_store(const char *path, const char *key_file, const uint8_t *bytes, size_t length) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    kinfolk_service *opened = NULL;
    kinfolk_status status;
    bool is_right = length == sizeof key && memcmp(bytes, key, sizeof key) == 0, was_older = false;
    options.existing_only = true;
    options.wait = -1;
    if (length > 0) options.key = bytes;
    options.key_length = length;
    status = kinfolk_service_open("keyed.db", &options, &opened);
    HOLDS((status == KINFOLK_OK) == is_right && (opened != NULL) == is_right);
    if (!is_right && length == sizeof key) HOLDS(status == KINFOLK_KEY_MISMATCH);
    kinfolk_service_free(opened);
    if (strchr(path, '/') != NULL || strchr(key_file, '/') != NULL) return;
    opened = NULL;
    options.key = NULL;
    options.key_length = 0;
    options.key_file = key_file;
    status = kinfolk_store_accept_older(path, &options, &was_older);
    HOLDS(status != KINFOLK_INTERNAL_ERROR && !was_older);
    status = kinfolk_store_restore("restored.db", path, &options, false, NULL, NULL);
    HOLDS(status != KINFOLK_INTERNAL_ERROR && status != KINFOLK_CONFLICT);
    if (strcmp(path, "restored.db") != 0) unlink("restored.db");
    status = kinfolk_service_open(path, &options, &opened);
    HOLDS(status != KINFOLK_INTERNAL_ERROR);
    HOLDS((status == KINFOLK_OK) == (strcmp(path, "kinfolk.db") == 0 && strcmp(key_file, "kinfolk.key") == 0));
    kinfolk_service_free(opened);
}

static void check_file(const char *path) {
    kinfolk_contacts *book = NULL;
    if (strchr(path, '/') != NULL) return;
    OK(kinfolk_contacts_new(&book));
    HOLDS(kinfolk_contacts_add_file(book, path, NULL) != KINFOLK_OK); /* nothing in the folder is a contact book */
    kinfolk_contacts_free(book);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = { data, size };
    uint8_t step = take_byte(&in) % 8;
    const uint8_t *bytes = NULL;
    size_t length = 0;
    char *text, *other;
    if (step == 3 || step == 4) bytes = take_bytes(&in, &length);
    text = step == 4 ? take_text(&in) : take_rest(&in);
    other = take_rest(&in);
    switch (step) {
    case 0:
        check_account(text);
        check_claim(text);
        check_lists(text);
        break;
    case 1:
        check_record(text);
        check_lists(text);
        break;
    case 2: check_container(text); break;
    case 3: check_hash(bytes, length, text); break;
    case 4:
    case 5:
        HOLDS(chdir(store_folder) == 0); /* where any path may be used */
        if (step == 4) check_store(text, other, bytes, length);
        else check_file(text);
        HOLDS(fchdir(home) == 0);
        break;
    case 6:
        /* A field that could be added is removed again, because a schema has at most 1,000 fields. */
        if (kinfolk_container_add_field(notes, text, KINFOLK_STRING) == KINFOLK_OK)
            HOLDS(kinfolk_container_remove_field(notes, text) == KINFOLK_OK);
        check(kinfolk_container_remove_field(notes, text), is_utf_8(text, strlen(text)), false);
        check_role(text);
        break;
    default: { /* an ID that exists, with one changed character */
        char id[40];
        size_t at = size > 1 ? data[1] % 33 : 0;
        snprintf(id, sizeof id, "%s", own_id);
        check_record(id);
        if (size > 2 && data[2] != 0) id[at] = (char)data[2];
        check_record(id);
        snprintf(id, sizeof id, "%s", kinfolk_account_id(ada));
        check_account(id);
        if (size > 2 && data[2] != 0) id[at % 32] = (char)data[2];
        check_account(id);
    }
    }
    free(other);
    free(text);
    return 0;
}
