/* The library itself: its version, the names of statuses, its errors, and canonical e-mail addresses. */

#include "harness.h"
#include "people.h"

#include <pthread.h>

static void the_version_is_that_of_the_header(void) {
    SAME(kinfolk_version(), KINFOLK_VERSION);
    EQUAL(kinfolk_version_number(), KINFOLK_VERSION_NUMBER);
}

static void every_status_has_its_own_name(void) {
    static const char *const names[] = {
        NULL,                  "invalidArgument", "unknownItem",         "notAuthenticated",
        "permissionFailure",   "serverRecordChanged", "limitExceeded",   "requestRateLimited",
        "conflict",            "serviceUnavailable", "keyMismatch",      "storeCorrupt",
        "internalError",       "cancelled",       "batchRequestFailed",  "referenceViolation",
        "changeTokenExpired",  "zoneNotFound",    "quotaExceeded",       "assetNotAvailable",
        "assetFileNotFound",   "assetFileModified",
    };
    int status;
    for (status = KINFOLK_INVALID_ARGUMENT; status <= KINFOLK_ASSET_FILE_MODIFIED; status++)
        SAME(kinfolk_status_name((kinfolk_status)status), names[status]);
    REQUIRE(kinfolk_status_name(KINFOLK_OK) != NULL);
    CHECK(strcmp(kinfolk_status_name(KINFOLK_OK), "unknown") != 0);
}

static void a_number_that_is_no_status_is_unknown(void) {
    SAME(kinfolk_status_name((kinfolk_status)(KINFOLK_ASSET_FILE_MODIFIED + 1)), "unknown");
    SAME(kinfolk_status_name((kinfolk_status)255), "unknown");
    SAME(kinfolk_status_name((kinfolk_status)0x7fffffff), "unknown");
    SAME(kinfolk_status_name((kinfolk_status)-1), "unknown");
}

static kinfolk_status fail(void) {
    char *canonical;
    return kinfolk_email_canonicalize("no address", &canonical);
}

struct seen {
    bool empty_at_first, set_by_failure, kept_by_success;
};

static void *look_at_message(void *context) {
    struct seen *seen = context;
    uint8_t hash[KINFOLK_CONTACT_HASH_LENGTH];
    char before[500];
    seen->empty_at_first = kinfolk_error_message() != NULL && kinfolk_error_message()[0] == '\0' &&
                           kinfolk_error_retry_after() == 0 && kinfolk_error_take_server_record() == NULL;
    seen->set_by_failure = fail() == KINFOLK_INVALID_ARGUMENT && kinfolk_error_message()[0] != '\0';
    snprintf(before, sizeof before, "%s", kinfolk_error_message());
    seen->kept_by_success = kinfolk_email_hash("ada@example.com", hash) == KINFOLK_OK &&
                            strcmp(kinfolk_error_message(), before) == 0;
    return NULL;
}

static void each_thread_has_its_own_message(void) {
    pthread_t thread;
    struct seen seen = { false, false, false };
    char before[500];
    FAILS(KINFOLK_INVALID_ARGUMENT, fail());
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_account_create(NULL, "", "", NULL));
    snprintf(before, sizeof before, "%s", kinfolk_error_message());
    REQUIRE(pthread_create(&thread, NULL, look_at_message, &seen) == 0);
    pthread_join(thread, NULL);
    CHECK(seen.empty_at_first);
    CHECK(seen.set_by_failure);
    CHECK(seen.kept_by_success);
    SAME(kinfolk_error_message(), before);
}

static void error_details_exist_only_after_failures_that_have_them(void) {
    FAILS(KINFOLK_INVALID_ARGUMENT, fail());
    CHECK(kinfolk_error_retry_after() == 0);
    CHECK(kinfolk_error_take_server_record() == NULL);
    CHECK(!kinfolk_error_in_doubt());
}

static void freeing_null_does_nothing(void) {
    kinfolk_free(NULL);
}

/* ---- Canonical e-mail */

static void an_address_has_one_canonical_form(void) {
    static const struct {
        const char *email, *canonical;
    } cases[] = {
        { "  Ada@Example.COM\t", "ada@example.com" },
        { "grace@bu\xcc\x88" "cher.example", "grace@xn--bcher-kva.example" }, /* u and a combining diaeresis */
        { "jo\xcc\x88rg@example.com", "j\xc3\xb6rg@example.com" },
    };
    size_t i;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *canonical = NULL;
        OK(kinfolk_email_canonicalize(cases[i].email, &canonical));
        SAME(canonical, cases[i].canonical);
        kinfolk_free(canonical);
    }
}

static void an_invalid_address_is_refused(void) {
    static const char *const cases[] = { "", "ada", "@", "ada\n@example.com", "ad\xff" "a@example.com", "ada@\xc3\x28.com" };
    char sentinel, *canonical = &sentinel;
    uint8_t hash[KINFOLK_CONTACT_HASH_LENGTH] = { 7 };
    size_t i;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_email_canonicalize(cases[i], &canonical));
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_email_hash(cases[i], hash));
    }
    CHECK(canonical == &sentinel);
    CHECK(hash[0] == 7);
}

static void the_contact_hash_is_sha_256_of_the_canonical_form(void) {
    static const uint8_t ada[] = {
        0xb5, 0xfc, 0x85, 0xe5, 0x57, 0x55, 0xf9, 0xe0, 0xd0, 0x30, 0xa1, 0x0a, 0xb4, 0x42, 0x9b, 0x6b,
        0x29, 0x44, 0x85, 0x5f, 0x9a, 0x0d, 0x60, 0x07, 0x7f, 0xe8, 0x32, 0xbe, 0xcb, 0xc4, 0x1d, 0x72,
    };
    static const uint8_t grace[] = {
        0xd9, 0x96, 0xc9, 0x05, 0x2c, 0x89, 0xff, 0xc5, 0x63, 0x27, 0x21, 0xec, 0x86, 0x04, 0x6e, 0xed,
        0x4c, 0x76, 0xcf, 0x73, 0xf5, 0x5f, 0x0b, 0xba, 0x78, 0x8c, 0xfc, 0xc5, 0xac, 0x2f, 0x94, 0x2f,
    };
    uint8_t hash[KINFOLK_CONTACT_HASH_LENGTH];
    OK(kinfolk_email_hash(" Ada@example.com", hash));
    CHECK(memcmp(hash, ada, sizeof hash) == 0);
    OK(kinfolk_email_hash("grace@B\xc3\xbc" "cher.example", hash));
    CHECK(memcmp(hash, grace, sizeof hash) == 0);
}

BEGIN
    RUN(the_version_is_that_of_the_header);
    RUN(every_status_has_its_own_name);
    RUN(a_number_that_is_no_status_is_unknown);
    RUN(each_thread_has_its_own_message);
    RUN(error_details_exist_only_after_failures_that_have_them);
    RUN(freeing_null_does_nothing);
    RUN(an_address_has_one_canonical_form);
    RUN(an_invalid_address_is_refused);
    RUN(the_contact_hash_is_sha_256_of_the_canonical_form);
END
