/* A store whose key is derived from a passphrase. Each opening takes about a second on purpose. */

#include "harness.h"
#include "people.h"

static kinfolk_open_options with_passphrase(const char *passphrase) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    options.passphrase = passphrase;
    return options;
}

static void make_store(const kinfolk_open_options *options) {
    kinfolk_service *service = NULL;
    OK(store_open(STORE, options, &service));
    kinfolk_account_free(make_person(service, "Ada", "Lovelace", "ada@example.com"));
    kinfolk_service_free(service);
}

static void check_store(const kinfolk_open_options *options) {
    kinfolk_service *service = NULL;
    kinfolk_account *account = NULL;
    OK(store_open(STORE, options, &service));
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &account));
    kinfolk_account_free(account);
    kinfolk_service_free(service);
}

static void refused(kinfolk_status wanted, const kinfolk_open_options *options) {
    kinfolk_service *service = NULL;
    FAILS(wanted, store_open(STORE, options, &service));
    CHECK(service == NULL);
}

static void a_passphrase_makes_and_opens_a_store_without_a_key_file(void) {
    char passphrase[] = "correct horse battery staple";
    kinfolk_open_options options = with_passphrase(passphrase);
    kinfolk_service *service = NULL;
    make_store(&options);
    CHECK(!file_exists(file_path("kinfolk.key")));
    CHECK(!store_holds(STORE, passphrase, strlen(passphrase)));
    options.existing_only = true;
    OK(store_open(STORE, &options, &service));
    memset(passphrase, 0, sizeof passphrase); /* the caller may wipe its own */
    kinfolk_account_free(make_person(service, "Grace", "Hopper", "grace@example.org"));
    kinfolk_service_free(service);
}

static void a_wrong_passphrase_and_a_key_are_mismatches(void) {
    kinfolk_open_options options = with_passphrase("correct horse battery staple"), other = options;
    make_store(&options);
    other.passphrase = "correct horse battery staplE";
    refused(KINFOLK_KEY_MISMATCH, &other);
    other.passphrase = "correct horse battery staple "; /* every byte counts */
    refused(KINFOLK_KEY_MISMATCH, &other);
    refused(KINFOLK_KEY_MISMATCH, NULL); /* there is no key file */
    CHECK(!file_exists(file_path("kinfolk.key")));
    check_store(&options);
}

static void a_store_with_a_key_is_not_opened_by_a_passphrase(void) {
    kinfolk_open_options options = with_passphrase("correct horse battery staple");
    make_store(NULL);
    refused(KINFOLK_KEY_MISMATCH, &options);
    check_store(NULL);
}

static void a_passphrase_has_any_length_and_is_utf_8(void) {
    static char longer[100001];
    kinfolk_open_options options = with_passphrase(longer);
    memset(longer, 'p', sizeof longer - 1);
    memcpy(longer + 7, "\xc5\xbe", 2);
    make_store(&options);
    check_store(&options);
    longer[sizeof longer - 2] = 'q';
    refused(KINFOLK_KEY_MISMATCH, &options);
    longer[8] = 'p';
    refused(KINFOLK_INVALID_ARGUMENT, &options);
}

static void an_empty_passphrase_is_refused_and_makes_no_file(void) {
    kinfolk_open_options options = with_passphrase("");
    refused(KINFOLK_INVALID_ARGUMENT, &options);
    CHECK(!store_exists());
}

static void a_passphrase_and_a_key_exclude_each_other(void) {
    static const uint8_t key[KINFOLK_KEY_LENGTH] = "0123456789abcdefghijklmnopqrstu";
    kinfolk_open_options options = with_passphrase("correct horse battery staple");
    options.key_file = file_path("kinfolk.key");
    refused(KINFOLK_INVALID_ARGUMENT, &options);
    options.key_file = NULL;
    options.key = key;
    options.key_length = sizeof key;
    refused(KINFOLK_INVALID_ARGUMENT, &options);
    CHECK(!store_exists());
}

BEGIN
    RUN(a_passphrase_makes_and_opens_a_store_without_a_key_file);
    RUN(a_wrong_passphrase_and_a_key_are_mismatches);
    RUN(a_store_with_a_key_is_not_opened_by_a_passphrase);
    RUN(a_passphrase_has_any_length_and_is_utf_8);
    RUN(an_empty_passphrase_is_refused_and_makes_no_file);
    RUN(a_passphrase_and_a_key_exclude_each_other);
END
