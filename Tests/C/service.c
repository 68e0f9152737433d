/* Opening a store: its keys and options, and the errors. Deriving a key from a passphrase takes about a second on purpose. */

#include "harness.h"
#include "children.h"
#include "people.h"

#include <math.h>
#include <sys/resource.h>

static const uint8_t a_key[KINFOLK_KEY_LENGTH] = "0123456789abcdefghijklmnopqrstu";
static const uint8_t another_key[KINFOLK_KEY_LENGTH] = "another key, thirty-two bytes!!";

static kinfolk_open_options with_key(const uint8_t *key) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    options.key = key;
    options.key_length = KINFOLK_KEY_LENGTH;
    return options;
}

static kinfolk_open_options with_passphrase(const char *passphrase) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    options.passphrase = passphrase;
    return options;
}

/* Opening must fail with this status, and must not change the output. */
static void refused(kinfolk_status wanted, const char *path, const kinfolk_open_options *options) {
    kinfolk_service *const untouched = (kinfolk_service *)(void *)harness.folder;
    kinfolk_service *service = untouched;
    FAILS(wanted, store_open(path, options, &service));
    CHECK(service == untouched);
}

/* Makes a store with one account in it, and closes it. */
static void make_store(const char *path, const kinfolk_open_options *options) {
    kinfolk_service *service = NULL;
    OK(store_open(path, options, &service));
    kinfolk_account_free(make_person(service, "Ada", "Lovelace", "ada@example.com"));
    kinfolk_service_free(service);
}

static void check_store(const char *path, const kinfolk_open_options *options) {
    kinfolk_service *service = NULL;
    kinfolk_account *account = NULL;
    OK(store_open(path, options, &service));
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &account));
    kinfolk_account_free(account);
    kinfolk_service_free(service);
}

/* ---- Files that are made */

static void the_umask_does_not_affect_the_key_file(void) {
    struct stat status;
    mode_t before = umask(0);
    make_store(STORE, NULL);
    umask(before);
    REQUIRE(stat(file_path("kinfolk.key"), &status) == 0);
    EQUAL(status.st_mode & 07777, 0600);
}

static void the_key_file_may_be_elsewhere(void) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    options.key_file = file_path("secret");
    make_store(STORE, &options);
    CHECK(file_exists(file_path("secret")));
    CHECK(!file_exists(file_path("kinfolk.key")));
    check_store(STORE, &options);
}

static void a_key_from_elsewhere_needs_no_key_file(void) {
    kinfolk_open_options options = with_key(a_key);
    make_store(STORE, &options);
    CHECK(!file_exists(file_path("kinfolk.key")));
    check_store(STORE, &options);
    CHECK(!store_holds(STORE, a_key, sizeof a_key));
}

static void a_store_can_be_open_any_number_of_times(void) {
    kinfolk_service *first = open_store(), *second = open_store(), *third = open_store();
    kinfolk_account *account = NULL;
    kinfolk_account_free(make_person(first, "Ada", "Lovelace", "ada@example.com"));
    kinfolk_service_free(first);
    OK(kinfolk_account_find_by_email(second, "ada@example.com", &account));
    kinfolk_account_free(account);
    kinfolk_service_free(second);
    OK(kinfolk_account_find_by_email(third, "ada@example.com", &account));
    kinfolk_account_free(account);
    kinfolk_service_free(third);
}

/* ---- Passphrases */

static void a_passphrase_makes_and_opens_a_store_without_a_key_file(void) {
    char passphrase[] = "correct horse battery staple";
    kinfolk_open_options options = with_passphrase(passphrase);
    kinfolk_service *service = NULL;
    make_store(STORE, &options);
    CHECK(!file_exists(file_path("kinfolk.key")));
    CHECK(!store_holds(STORE, passphrase, strlen(passphrase)));
    options.existing_only = true;
    OK(store_open(STORE, &options, &service));
    memset(passphrase, 0, sizeof passphrase); /* the caller may wipe its own */
    kinfolk_account_free(make_person(service, "Grace", "Hopper", "grace@example.org"));
    kinfolk_service_free(service);
}

static void a_passphrase_has_any_length_and_is_utf_8(void) {
    static char longer[100001];
    kinfolk_open_options options = with_passphrase(longer);
    memset(longer, 'p', sizeof longer - 1);
    memcpy(longer + 7, "\xc5\xbe", 2);
    make_store(STORE, &options);
    check_store(STORE, &options);
    longer[sizeof longer - 2] = 'q';
    refused(KINFOLK_KEY_MISMATCH, STORE, &options);
    longer[8] = 'p';
    refused(KINFOLK_INVALID_ARGUMENT, STORE, &options);
}

/* An empty text is not NULL, which means no passphrase. */
static void an_empty_passphrase_is_refused_and_makes_no_file(void) {
    kinfolk_open_options options = with_passphrase("");
    refused(KINFOLK_INVALID_ARGUMENT, STORE, &options);
    CHECK(!store_exists());
}

/* ---- Errors */

static void a_key_has_32_bytes(void) {
    static const size_t wrong[] = { 31, 0, (size_t)1 << 30, SIZE_MAX };
    kinfolk_open_options options = with_key(a_key);
    size_t i;
    for (i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        options.key_length = wrong[i];
        refused(KINFOLK_INVALID_ARGUMENT, STORE, &options);
    }
    options.key = NULL;
    options.key_length = KINFOLK_KEY_LENGTH;
    refused(KINFOLK_INVALID_ARGUMENT, STORE, &options);
    CHECK(!store_exists());
}

static void keys_of_two_kinds_exclude_each_other(void) {
    kinfolk_open_options options = with_key(a_key);
    options.key_file = file_path("kinfolk.key");
    refused(KINFOLK_INVALID_ARGUMENT, STORE, &options);
    options.key_file = NULL;
    options.passphrase = "correct horse battery staple";
    refused(KINFOLK_INVALID_ARGUMENT, STORE, &options);
    options.key = NULL;
    options.key_length = 0;
    options.key_file = file_path("kinfolk.key");
    refused(KINFOLK_INVALID_ARGUMENT, STORE, &options);
    CHECK(!store_exists());
}

static void the_wrong_key_is_refused(void) {
    kinfolk_open_options right = with_key(a_key), wrong = with_key(another_key);
    make_store(STORE, &right);
    refused(KINFOLK_KEY_MISMATCH, STORE, &wrong);
    CHECK(kinfolk_error_message()[0] != '\0');
    check_store(STORE, &right);
}

static void existing_only_makes_no_store(void) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    options.existing_only = true;
    refused(KINFOLK_UNKNOWN_ITEM, STORE, &options);
    CHECK(!store_exists());
    CHECK(!file_exists(file_path("kinfolk.key")));
    make_store(STORE, NULL);
    check_store(STORE, &options);
}

static void another_programs_database_is_refused_and_not_changed(void) {
    kinfolk_open_options options = with_key(a_key);
    run_sql(STORE, "CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES ('Yesterday');");
    refused(KINFOLK_STORE_CORRUPT, STORE, &options);
    EQUAL(run_sql(STORE, EITHER_SQL("SELECT count(*) FROM sqlite_schema",
                                    "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()")), 1);
    EQUAL(run_sql(STORE, "SELECT count(*) FROM songs"), 1);
}

/* Files of other users. Only root can change the owner of a file, so without root this test does nothing. */
static void the_files_of_another_user_are_refused(void) {
    static const char *const beside[] = { "kinfolk.db-wal", "kinfolk.db-shm", "kinfolk.db-journal" };
    char store[1200], key[1200];
    size_t i;
    if (getuid() != 0) return;
    snprintf(store, sizeof store, "%s", file_path("kinfolk.db"));
    snprintf(key, sizeof key, "%s", file_path("kinfolk.key"));
    make_store(STORE, NULL);
    REQUIRE(chown(store, 12345, 12345) == 0);
    refused(KINFOLK_PERMISSION_FAILURE, STORE, NULL);
    CHECK(strstr(kinfolk_error_message(), "another user") != NULL);
    REQUIRE(chown(store, 0, 0) == 0);
    REQUIRE(chown(key, 12345, 12345) == 0);
    refused(KINFOLK_KEY_MISMATCH, STORE, NULL);
    CHECK(strstr(kinfolk_error_message(), "another user") != NULL);
    REQUIRE(chown(key, 0, 0) == 0);
    for (i = 0; i < sizeof beside / sizeof *beside; i++) {
        write_file(file_path(beside[i]), "", 0);
        REQUIRE(chown(file_path(beside[i]), 12345, 12345) == 0);
        refused(KINFOLK_PERMISSION_FAILURE, STORE, NULL);
        REQUIRE(unlink(file_path(beside[i])) == 0);
    }
    check_store(STORE, NULL);
    /* Like sudo: root may use a store in a folder that only its owner can enter. */
    REQUIRE(chown(store, 12345, 12345) == 0 && chown(key, 12345, 12345) == 0);
    REQUIRE(chown(harness.folder, 12345, 12345) == 0 && chmod(harness.folder, 0755) == 0);
    check_store(STORE, NULL);
    REQUIRE(chmod(harness.folder, 0775) == 0);
    refused(KINFOLK_PERMISSION_FAILURE, STORE, NULL);
    REQUIRE(chmod(harness.folder, 01777) == 0);
    refused(KINFOLK_PERMISSION_FAILURE, STORE, NULL);
    /* Others must not learn anything about its content. A link to it changes nothing. */
    REQUIRE(chmod(harness.folder, 0755) == 0 && chown(harness.folder, 0, 0) == 0);
    refused(KINFOLK_PERMISSION_FAILURE, STORE, NULL);
}

/* ---- Locked memory */

/* As a user to whom the limit for locked memory applies. */
static void open_without_locked_memory(void) {
    const struct rlimit none = { 0, 0 };
    kinfolk_open_options options = with_key(a_key);
    REQUIRE(setrlimit(RLIMIT_MEMLOCK, &none) == 0);
    if (getuid() == 0) REQUIRE(setuid(65534) == 0);
    options.require_locked_memory = true;
    refused(KINFOLK_SERVICE_UNAVAILABLE, STORE, &options);
    CHECK(strstr(kinfolk_error_message(), "RLIMIT_MEMLOCK") != NULL);
}

static void open_with_some_that_is_not(void) {
    const struct rlimit none = { 0, 0 };
    kinfolk_open_options options = with_key(a_key);
    kinfolk_service *service = NULL;
    REQUIRE(setrlimit(RLIMIT_MEMLOCK, &none) == 0);
    if (getuid() == 0) REQUIRE(setuid(65534) == 0);
    OK(store_open(STORE, &options, &service));
    CHECK(!kinfolk_service_is_key_memory_locked(service));
    options.require_locked_memory = true;
    refused(KINFOLK_SERVICE_UNAVAILABLE, STORE, &options);
    kinfolk_service_free(service);
}

static void unlocked_memory_is_reported_and_refused_on_request(void) {
    kinfolk_open_options options = with_key(a_key);
    make_store(STORE, &options);
    if (harness_server() == NULL) {
        REQUIRE(chmod(harness.folder, 0777) == 0);
        REQUIRE(chmod(file_path("kinfolk.db"), 0666) == 0);
    }
    in_child(open_without_locked_memory);
    in_child(open_with_some_that_is_not);
    CHECK(!kinfolk_service_is_key_memory_locked(NULL));
}

static void a_store_opens_with_locked_memory(void) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    kinfolk_service *service = NULL;
    OK(store_open(STORE, &options, &service));
    /* If the environment allows almost no locked memory, this test does nothing. */
    if (kinfolk_service_is_key_memory_locked(service)) {
        kinfolk_service *other = NULL;
        options.require_locked_memory = true;
        OK(store_open(STORE, &options, &other));
        kinfolk_service_free(other);
    }
    kinfolk_service_free(service);
}

/* ---- Options */

/* The struct of an older version is shorter. Nothing after its end may be read. */
static void take_version(uint32_t version, size_t length, const char *store) {
    kinfolk_open_options options = with_key(a_key);
    char *first = malloc(length); /* AddressSanitizer detects a read after its end */
    REQUIRE(first != NULL);
    options.version = version;
    memcpy(first, &options, length);
    make_store(store, (const kinfolk_open_options *)(const void *)first);
    check_store(store, (const kinfolk_open_options *)(const void *)first);
    free(first);
}

static void older_versions_of_the_options_are_accepted(void) {
    take_version(1, offsetof(kinfolk_open_options, require_locked_memory), STORE);
    take_version(2, offsetof(kinfolk_open_options, read_only), store_path("second.db"));
}

static void unknown_versions_of_the_options_are_refused(void) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    options.version = 0;
    refused(KINFOLK_INVALID_ARGUMENT, STORE, &options);
    options.version = 4;
    refused(KINFOLK_INVALID_ARGUMENT, STORE, &options);
}

/* Memory limits change only the speed. The store opens with any of them. */
static void any_amount_of_memory_is_accepted(void) {
    static const int64_t amounts[] = { INT64_MIN, -1, 0, 1, 1 << 20, INT64_MAX };
    const size_t count = sizeof amounts / sizeof *amounts;
    size_t i;
    make_store(STORE, NULL);
    for (i = 0; i < count; i++) {
        kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
        options.page_cache = amounts[i];
        options.directory_filters = amounts[count - 1 - i];
        check_store(STORE, &options);
    }
}

static void any_wait_except_nan_is_accepted(void) {
    static const double waits[] = { 1e300, INFINITY, -INFINITY, -1e300, -0.0, 1e-300 };
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    kinfolk_service *service;
    size_t i;
    for (i = 0; i < sizeof waits / sizeof waits[0]; i++) {
        service = NULL;
        options.wait = waits[i];
        if (store_open(STORE, &options, &service) == KINFOLK_OK)
            kinfolk_account_free(make_person(service, "Ada", "Lovelace", NULL));
        kinfolk_service_free(service);
    }
    options.wait = NAN;
    refused(KINFOLK_INVALID_ARGUMENT, STORE, &options);
}

static void opening_waits_for_a_locked_store_as_long_as_requested(void) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    kinfolk_service *impatient = NULL, *patient = NULL;
    kinfolk_account *account = NULL;
    struct raw_store other;
    double start;
    options.wait = -1;
    OK(store_open(STORE, &options, &impatient));
    options.wait = 3;
    OK(store_open(STORE, &options, &patient));
    other = raw_open(STORE);
    raw_run(&other, EITHER_SQL("BEGIN IMMEDIATE", "BEGIN; LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE"));

    start = seconds_now();
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_account_create(impatient, "Ada", "Lovelace", &account));
    CHECK(seconds_now() - start < 20); /* and not for the default of 30 seconds */
    start = seconds_now();
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_account_create(patient, "Ada", "Lovelace", &account));
    CHECK(seconds_now() - start > 2.9);
    CHECK(account == NULL);

    raw_run(&other, "ROLLBACK");
    raw_close(&other);
    OK(kinfolk_account_create(impatient, "Ada", "Lovelace", &account));
    kinfolk_account_free(account);
    kinfolk_service_free(impatient);
    kinfolk_service_free(patient);
}

BEGIN
    RUN(the_umask_does_not_affect_the_key_file);
    RUN(the_key_file_may_be_elsewhere);
    RUN(a_key_from_elsewhere_needs_no_key_file);
    RUN(a_store_can_be_open_any_number_of_times);
    RUN(a_passphrase_makes_and_opens_a_store_without_a_key_file);
    RUN(a_passphrase_has_any_length_and_is_utf_8);
    RUN(an_empty_passphrase_is_refused_and_makes_no_file);
    RUN(a_key_has_32_bytes);
    RUN(keys_of_two_kinds_exclude_each_other);
    RUN(the_wrong_key_is_refused);
    RUN(existing_only_makes_no_store);
    RUN(another_programs_database_is_refused_and_not_changed);
    RUN_ON_FILES(the_files_of_another_user_are_refused);
    RUN(unlocked_memory_is_reported_and_refused_on_request);
    RUN(a_store_opens_with_locked_memory);
    RUN(older_versions_of_the_options_are_accepted);
    RUN(unknown_versions_of_the_options_are_refused);
    RUN(any_amount_of_memory_is_accepted);
    RUN(any_wait_except_nan_is_accepted);
    RUN(opening_waits_for_a_locked_store_as_long_as_requested);
END
