/*
 * Values that people enter: names, addresses, codes, consent, labels. An accepted value is returned unchanged; a refused one
 * changes nothing.
 */

#include "store.h"

enum { FRESH_AFTER = 2000 };

static kinfolk_service *service;
static kinfolk_account *ada;
static kinfolk_container *notes;
static kinfolk_session *session;
static unsigned turns;

static void begin(void) {
    service = store_make();
    ada = store_person(service, "Ada", "ada@example.com");
    OK(kinfolk_container_create(service, NOTES, &notes));
    OK(kinfolk_container_set_permits(notes, 1000000, 1000000, 1000000));
    OK(kinfolk_session_open(notes, ada, &session));
}

static void end(void) {
    kinfolk_session_free(session);
    kinfolk_container_free(notes);
    kinfolk_account_free(ada);
    kinfolk_service_free(service);
}

static bool is_text(const char *text, size_t longest) {
    return is_utf_8(text, strlen(text)) && strlen(text) <= longest;
}

static void check_name(const kinfolk_account *account, const char *given, const char *family) {
    char *got_given = NULL, *got_family = NULL;
    OK(kinfolk_account_get_name(account, &got_given, &got_family));
    HOLDS(strcmp(got_given, given) == 0 && strcmp(got_family, family) == 0);
    kinfolk_free(got_given);
    kinfolk_free(got_family);
}

static void check_names(const char *given, const char *family) {
    bool is_good = is_text(given, 1024) && is_text(family, 1024);
    kinfolk_account *account = NULL;
    kinfolk_status status;
    OK(kinfolk_account_set_name(ada, "Ada", "Lovelace"));
    status = kinfolk_account_set_name(ada, given, family);
    HOLDS((status == KINFOLK_OK) == is_good);
    check_name(ada, is_good ? given : "Ada", is_good ? family : "Lovelace");
    status = kinfolk_account_create(service, given, family, &account);
    HOLDS((status == KINFOLK_OK) == is_good && (account != NULL) == is_good);
    if (!is_good) return;
    check_name(account, given, family);
    OK(kinfolk_account_erase(account, NULL));
    kinfolk_account_free(account);
}

static size_t count_emails(void) {
    kinfolk_emails *emails = NULL;
    size_t count;
    OK(kinfolk_account_emails(ada, &emails));
    count = kinfolk_emails_count(emails);
    kinfolk_emails_free(emails);
    return count;
}

/* An address can be added, verified, found, hidden and removed, or all of these refuse it. */
static void check_email(const char *email, const char *code) {
    char *canonical = NULL, *recipient = NULL, *mailed = NULL, *pass = NULL;
    kinfolk_claims *claim = NULL;
    bool is_good = kinfolk_email_canonicalize(email, &canonical) == KINFOLK_OK;
    bool is_new = is_good && strcmp(canonical, "ada@example.com") != 0, is_made = false;
    kinfolk_identities *found = NULL;
    kinfolk_account *account = NULL;
    kinfolk_status status;
    kinfolk_free(canonical);
    HOLDS((kinfolk_discover_email(session, email, &found) == KINFOLK_OK) == is_good);
    kinfolk_identities_free(found);
    HOLDS((kinfolk_account_add_email(ada, email, false, NULL) == KINFOLK_OK) == is_good);
    HOLDS(count_emails() == 1 + (size_t)is_new);
    if (is_new) {
        status = kinfolk_account_request_verification(ada, email, KINFOLK_CODE_ADD_EMAIL, code, &recipient, &mailed,
                                                      &pass);
        if (status == KINFOLK_OK && mailed != NULL) {
            HOLDS(strlen(mailed) == 9 && strlen(pass) == 19 && strchr(recipient, '@') != NULL);
            status = kinfolk_account_verify_email(ada, email, code, &claim);
            if (status != KINFOLK_OK) OK(kinfolk_account_verify_email(ada, email, mailed, &claim));
            HOLDS(claim == NULL);
            OK(kinfolk_account_find_by_email(service, email, &account));
            HOLDS(strcmp(kinfolk_account_id(account), kinfolk_account_id(ada)) == 0);
            kinfolk_account_free(account);
            account = NULL;
            FAILED(kinfolk_account_confirm_sign_in(ada, email, code), KINFOLK_UNKNOWN_ITEM, KINFOLK_UNKNOWN_ITEM);
            FAILED(kinfolk_account_refuse_claims(ada, email, code, NULL), KINFOLK_UNKNOWN_ITEM, KINFOLK_UNKNOWN_ITEM);
            kinfolk_free(recipient);
            kinfolk_free(mailed);
            kinfolk_free(pass);
        } else if (status == KINFOLK_OK) { /* five mails a day for this address */
            HOLDS(recipient == NULL && pass == NULL);
            FAILED(kinfolk_account_verify_email(ada, email, code, &claim), KINFOLK_PERMISSION_FAILURE,
                   KINFOLK_PERMISSION_FAILURE);
        } else {
            /* Five requests, or twenty for all addresses; or a pass that is not UTF-8. */
            HOLDS(status == KINFOLK_REQUEST_RATE_LIMITED || status == KINFOLK_INVALID_ARGUMENT);
        }
        OK(kinfolk_service_transfer_email(service, email, ada));
        OK(kinfolk_account_set_email_discoverable(ada, email, false));
        OK(kinfolk_account_remove_email(ada, email));
    } else if (!is_good) {
        FAILED(kinfolk_account_request_verification(ada, email, KINFOLK_CODE_ADD_EMAIL, NULL, &recipient, &mailed, &pass),
               KINFOLK_INVALID_ARGUMENT, KINFOLK_UNKNOWN_ITEM);
        FAILED(kinfolk_account_verify_email(ada, email, code, &claim), KINFOLK_INVALID_ARGUMENT, KINFOLK_UNKNOWN_ITEM);
        FAILED(kinfolk_service_transfer_email(service, email, ada), KINFOLK_INVALID_ARGUMENT, KINFOLK_INVALID_ARGUMENT);
        FAILED(kinfolk_account_set_email_discoverable(ada, email, true), KINFOLK_INVALID_ARGUMENT,
               KINFOLK_UNKNOWN_ITEM);
        FAILED(kinfolk_account_remove_email(ada, email), KINFOLK_INVALID_ARGUMENT, KINFOLK_UNKNOWN_ITEM);
    }
    HOLDS(count_emails() == 1);
    status = kinfolk_account_find_by_email(service, email, &account);
    HOLDS((status == KINFOLK_OK) == (is_good && !is_new));
    kinfolk_account_free(account);
    account = NULL;
    status = kinfolk_account_find_or_create(service, email, "", "", &account, &is_made);
    HOLDS((status == KINFOLK_OK) == is_good && is_made == is_new);
    if (is_made) OK(kinfolk_account_erase(account, NULL));
    kinfolk_account_free(account);
}

static kinfolk_discoverability answer(const char *text, void *context) {
    HOLDS(strcmp(text, context) == 0);
    return KINFOLK_DISCOVERABILITY_GRANTED;
}

static void check_consent(const char *text, const char *version) {
    bool is_good = is_text(text, 16384) && is_text(version, 255);
    bool is_grant = is_good && text[0] != '\0' && version[0] != '\0';
    kinfolk_discoverability now;
    kinfolk_status status;
    OK(kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_DENIED, "", ""));
    status = kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, text, version);
    HOLDS((status == KINFOLK_OK) == is_grant);
    OK(kinfolk_session_discoverability(session, &now));
    HOLDS(now == (is_grant ? KINFOLK_DISCOVERABILITY_GRANTED : KINFOLK_DISCOVERABILITY_DENIED));
    status = kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_DENIED, text, version);
    HOLDS((status == KINFOLK_OK) == is_good);
    status = kinfolk_session_request_discoverability(session, text, version, answer, (void *)text, &now);
    if (status != KINFOLK_OK) FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_LIMIT_EXCEEDED);
}

static void check_label(const char *label) {
    bool is_good = is_text(label, 1024);
    kinfolk_contacts *book = NULL;
    OK(kinfolk_contacts_new(&book));
    HOLDS((kinfolk_contacts_add_email(book, "ada@example.com", label) == KINFOLK_OK) == is_good);
    HOLDS(kinfolk_contacts_count(book) == is_good);
    if (is_good) {
        /* Texts that may be addresses are left out. */
        bool has_sign = strchr(label, '@') != NULL || strstr(label, "%40") != NULL || strstr(label, "\xEF\xBC\xA0") != NULL ||
                        strstr(label, "\xEF\xB9\xAB") != NULL;
        const char *kept = kinfolk_contacts_label(book, 0);
        HOLDS(has_sign ? strlen(kept) <= strlen(label) : strcmp(kept, label) == 0);
    }
    kinfolk_contacts_free(book);
}

/* A container remains, so it is made once in a store. */
static void check_container(const char *name) {
    kinfolk_container *container = NULL, *again = NULL;
    kinfolk_status status = kinfolk_container_create(service, name, &container);
    if (status == KINFOLK_OK) {
        HOLDS(strcmp(kinfolk_container_name(container), name) == 0);
        HOLDS(kinfolk_container_create(service, name, &again) == KINFOLK_CONFLICT);
        OK(kinfolk_container_open(service, name, &again));
        kinfolk_container_free(again);
        kinfolk_container_free(container);
    } else {
        FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_CONFLICT);
        HOLDS((kinfolk_container_open(service, name, &again) == KINFOLK_OK) == (status == KINFOLK_CONFLICT));
        kinfolk_container_free(again);
    }
}

/* The export is valid JSON with the account's ID, whatever name its owner has. */
static void check_export(void) {
    char *json = NULL, *c;
    OK(kinfolk_account_export(ada, &json));
    HOLDS(is_utf_8(json, strlen(json)) && strstr(json, kinfolk_account_id(ada)) != NULL);
    for (c = json; *c != '\0'; c++) HOLDS((unsigned char)*c >= 0x20 || *c == '\n');
    kinfolk_free(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = { data, size };
    uint8_t step = take_byte(&in) % 8;
    char *text = take_text(&in), *other = take_text(&in);
    if (turns++ % FRESH_AFTER == 0) {
        if (turns > 1) end();
        begin();
    }
    switch (step) {
    case 0:
    case 1: check_names(text, other); break;
    case 2:
    case 3: check_email(text, other); break;
    case 4: check_consent(text, other); break;
    case 5: check_container(text); break;
    default: check_label(text);
    }
    if (turns % 64 == 0) check_export();
    free(other);
    free(text);
    return 0;
}
