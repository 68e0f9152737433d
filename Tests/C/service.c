/* Opening a store: the files it makes, the errors, and the files it does not touch. */

#include "harness.h"
#include "children.h"
#include "people.h"

#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>

static const uint8_t a_key[KINFOLK_KEY_LENGTH] = "0123456789abcdefghijklmnopqrstu";
static const uint8_t another_key[KINFOLK_KEY_LENGTH] = "another key, thirty-two bytes!!";

static kinfolk_open_options with_key(const uint8_t *key) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    options.key = key;
    options.key_length = KINFOLK_KEY_LENGTH;
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

static void only_the_owner_can_read_the_key_file_of_a_new_store(void) {
    struct stat status;
    make_store(STORE, NULL);
    REQUIRE(stat(file_path("kinfolk.key"), &status) == 0);
    EQUAL(status.st_mode & 07777, 0600);
    check_store(STORE, NULL);
}

static void the_umask_does_not_affect_the_key_file(void) {
    struct stat status;
    mode_t before = umask(0);
    make_store(STORE, NULL);
    umask(before);
    REQUIRE(stat(file_path("kinfolk.key"), &status) == 0);
    EQUAL(status.st_mode & 07777, 0600);
}

static void the_key_file_is_named_after_the_store(void) {
    make_store(store_path("people.sqlite"), NULL);
    CHECK(file_exists(file_path("people.sqlite.key")));
    check_store(store_path("people.sqlite"), NULL);
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

static void names_and_addresses_are_not_in_the_store(void) {
    kinfolk_service *service = open_store();
    kinfolk_account_free(make_person(service, "Ada", "Lovelace", "ada@example.com"));
    CHECK(!store_holds(STORE, "Lovelace", 8));
    CHECK(!store_holds(STORE, "ada@", 4));
    kinfolk_service_free(service);
    CHECK(!store_holds(STORE, "Lovelace", 8));
    CHECK(!store_holds(STORE, "ada@", 4));
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

/* ---- Keys */

static void the_wrong_key_is_refused(void) {
    kinfolk_open_options right = with_key(a_key), wrong = with_key(another_key);
    make_store(STORE, &right);
    refused(KINFOLK_KEY_MISMATCH, STORE, &wrong);
    check_store(STORE, &right);
}

static void the_key_file_of_another_store_is_refused(void) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    make_store(STORE, NULL);
    make_store(store_path("other.db"), NULL);
    options.key_file = file_path("other.key");
    refused(KINFOLK_KEY_MISMATCH, STORE, &options);
}

static void a_missing_key_file_is_refused_and_not_replaced(void) {
    make_store(STORE, NULL);
    REQUIRE(rename(file_path("kinfolk.key"), file_path("moved.key")) == 0);
    refused(KINFOLK_KEY_MISMATCH, STORE, NULL);
    CHECK(!file_exists(file_path("kinfolk.key")));
    REQUIRE(rename(file_path("moved.key"), file_path("kinfolk.key")) == 0);
    check_store(STORE, NULL);
}

static void a_key_file_that_others_may_use_is_refused(void) {
    static const mode_t modes[] = { 0604, 0640, 0620, 0602, 0666 };
    size_t i;
    make_store(STORE, NULL);
    for (i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        REQUIRE(chmod(file_path("kinfolk.key"), modes[i]) == 0);
        refused(KINFOLK_KEY_MISMATCH, STORE, NULL);
    }
    REQUIRE(chmod(file_path("kinfolk.key"), 0400) == 0);
    check_store(STORE, NULL);
}

static void a_malformed_key_file_is_refused(void) {
    char junk[5000];
    make_store(STORE, NULL);
    write_file(file_path("kinfolk.key"), "", 0);
    refused(KINFOLK_KEY_MISMATCH, STORE, NULL);
    write_file(file_path("kinfolk.key"), "short\n", 6);
    refused(KINFOLK_KEY_MISMATCH, STORE, NULL);
    memset(junk, 'x', sizeof junk);
    write_file(file_path("kinfolk.key"), junk, sizeof junk);
    refused(KINFOLK_KEY_MISMATCH, STORE, NULL);
}

static void a_key_has_32_bytes(void) {
    kinfolk_open_options options = with_key(a_key);
    options.key_length = 31;
    refused(KINFOLK_INVALID_ARGUMENT, STORE, &options);
    options.key_length = 0;
    refused(KINFOLK_INVALID_ARGUMENT, STORE, &options);
    options.key_length = (size_t)1 << 30;
    refused(KINFOLK_INVALID_ARGUMENT, STORE, &options);
    options.key_length = SIZE_MAX;
    refused(KINFOLK_INVALID_ARGUMENT, STORE, &options);
    options.key = NULL;
    options.key_length = KINFOLK_KEY_LENGTH;
    refused(KINFOLK_INVALID_ARGUMENT, STORE, &options);
    CHECK(!store_exists());
}

static void a_key_and_a_key_file_exclude_each_other(void) {
    kinfolk_open_options options = with_key(a_key);
    options.key_file = file_path("kinfolk.key");
    refused(KINFOLK_INVALID_ARGUMENT, STORE, &options);
    CHECK(!store_exists());
}

/* ---- Files that are no stores */

static void existing_only_makes_no_store(void) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    options.existing_only = true;
    refused(KINFOLK_UNKNOWN_ITEM, STORE, &options);
    CHECK(!store_exists());
    CHECK(!file_exists(file_path("kinfolk.key")));
    make_store(STORE, NULL);
    check_store(STORE, &options);
}

/* Memory limits change only the speed. The store opens with any of them. */
static void any_amount_of_memory_is_accepted(void) {
    static const int64_t amounts[] = { INT64_MIN, -1, 0, 1, 1 << 20, INT64_MAX };
    size_t i, j;
    make_store(STORE, NULL);
    for (i = 0; i < sizeof amounts / sizeof *amounts; i++)
        for (j = 0; j < sizeof amounts / sizeof *amounts; j++) {
            kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
            options.page_cache = amounts[i];
            options.directory_filters = amounts[j];
            check_store(STORE, &options);
        }
}

static void a_missing_folder_is_an_unknown_item(void) {
    refused(KINFOLK_UNKNOWN_ITEM, file_path("no/such/folder/kinfolk.db"), NULL);
    CHECK(!file_exists(file_path("no")));
}

static void a_file_that_is_no_database_is_refused_and_not_changed(void) {
    static const char text[] = "Dear diary, this is not a database. It has been like this for a long time, and it should "
                               "stay like this, whatever somebody tries to open it as.\n";
    kinfolk_open_options options = with_key(a_key);
    write_file(file_path("kinfolk.db"), text, sizeof text);
    refused(KINFOLK_STORE_CORRUPT, STORE, &options);
    CHECK(file_holds(file_path("kinfolk.db"), text, sizeof text));
}

static void another_programs_database_is_refused_and_not_changed(void) {
    kinfolk_open_options options = with_key(a_key);
    run_sql(STORE, "CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES ('Yesterday');");
    refused(KINFOLK_STORE_CORRUPT, STORE, &options);
    EQUAL(run_sql(STORE, EITHER_SQL("SELECT count(*) FROM sqlite_schema",
                                    "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()")), 1);
    EQUAL(run_sql(STORE, "SELECT count(*) FROM songs"), 1);
}

/* An empty file is left by a process that died between making the file and its first write. It becomes a store, as in SQLite.
 * It does not count as an existing store. */
static void an_empty_file_is_no_existing_store(void) {
    kinfolk_open_options options = with_key(a_key);
    write_file(file_path("kinfolk.db"), "", 0);
    options.existing_only = true;
    refused(KINFOLK_UNKNOWN_ITEM, STORE, &options);
    options.existing_only = false;
    make_store(STORE, &options);
    check_store(STORE, &options);
}

static void a_folder_is_no_store(void) {
    kinfolk_open_options options = with_key(a_key);
    kinfolk_service *service = NULL;
    REQUIRE(mkdir(file_path("kinfolk.db"), 0700) == 0);
    FAILS_EITHER(KINFOLK_STORE_CORRUPT, KINFOLK_PERMISSION_FAILURE,
                 kinfolk_service_open(file_path("kinfolk.db"), &options, &service));
    CHECK(service == NULL);
}

static void a_store_from_a_newer_version_is_refused_and_not_changed(void) {
    make_store(STORE, NULL);
    run_sql(STORE, EITHER_SQL("PRAGMA user_version = 1000", "UPDATE store_schema SET version = 1000"));
    refused(KINFOLK_INVALID_ARGUMENT, STORE, NULL);
    refused(KINFOLK_INVALID_ARGUMENT, STORE, NULL);
}

static void a_damaged_store_is_reported(void) {
    struct stat status;
    FILE *file;
    char junk[512];
    long at;
    make_store(STORE, NULL);
    REQUIRE(stat(file_path("kinfolk.db"), &status) == 0);
    file = fopen(file_path("kinfolk.db"), "r+b");
    REQUIRE(file != NULL);
    memset(junk, 0xa5, sizeof junk);
    REQUIRE(fseek(file, 100, SEEK_SET) == 0); /* the header stays */
    for (at = 100; at + (long)sizeof junk < (long)status.st_size; at += sizeof junk)
        REQUIRE(fwrite(junk, sizeof junk, 1, file) == 1);
    fclose(file);
    refused(KINFOLK_STORE_CORRUPT, STORE, NULL);
}

static void a_path_is_a_file_name_and_nothing_else(void) {
    kinfolk_service *service = NULL;
    char before[1000];
    refused(KINFOLK_INVALID_ARGUMENT, "", NULL);
    REQUIRE(getcwd(before, sizeof before) != NULL && chdir(harness.folder) == 0);
    if (kinfolk_service_open(":memory:", NULL, &service) == KINFOLK_OK) CHECK(file_exists(file_path(":memory:")));
    kinfolk_service_free(service);
    service = NULL;
    if (kinfolk_service_open("file:kin.db?mode=memory", NULL, &service) == KINFOLK_OK)
        CHECK(file_exists(file_path("file:kin.db?mode=memory")));
    kinfolk_service_free(service);
    REQUIRE(chdir(before) == 0);
}

/* In a child process, as a user without privileges, because root may read and write everything. */
static void as_nobody(kinfolk_status wanted) {
    const char *path = file_path("kinfolk.db");
    kinfolk_open_options options = with_key(a_key);
    kinfolk_service *service = NULL;
    int status = 0;
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        if (getuid() == 0 && setuid(65534) != 0) _exit(100);
        _exit((int)kinfolk_service_open(path, &options, &service));
    }
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    EQUAL(WEXITSTATUS(status), wanted);
}

static void a_file_that_may_not_be_written_or_read_is_refused(void) {
    kinfolk_open_options options = with_key(a_key);
    make_store(STORE, &options);
    REQUIRE(chmod(harness.folder, 0777) == 0);
    REQUIRE(chmod(file_path("kinfolk.db"), 0444) == 0);
    as_nobody(KINFOLK_PERMISSION_FAILURE);
    REQUIRE(chmod(file_path("kinfolk.db"), 0000) == 0);
    as_nobody(KINFOLK_PERMISSION_FAILURE);
    REQUIRE(chmod(file_path("kinfolk.db"), 0666) == 0);
    as_nobody(KINFOLK_OK);
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
    RUN(only_the_owner_can_read_the_key_file_of_a_new_store);
    RUN(the_umask_does_not_affect_the_key_file);
    RUN_ON_FILES(the_key_file_is_named_after_the_store);
    RUN(the_key_file_may_be_elsewhere);
    RUN(a_key_from_elsewhere_needs_no_key_file);
    RUN(names_and_addresses_are_not_in_the_store);
    RUN(a_store_can_be_open_any_number_of_times);
    RUN(the_wrong_key_is_refused);
    RUN(the_key_file_of_another_store_is_refused);
    RUN(a_missing_key_file_is_refused_and_not_replaced);
    RUN(a_key_file_that_others_may_use_is_refused);
    RUN(a_malformed_key_file_is_refused);
    RUN(a_key_has_32_bytes);
    RUN(a_key_and_a_key_file_exclude_each_other);
    RUN(existing_only_makes_no_store);
    RUN(any_amount_of_memory_is_accepted);
    RUN_ON_FILES(a_missing_folder_is_an_unknown_item);
    RUN_ON_FILES(a_file_that_is_no_database_is_refused_and_not_changed);
    RUN(another_programs_database_is_refused_and_not_changed);
    RUN_ON_FILES(an_empty_file_is_no_existing_store);
    RUN_ON_FILES(a_folder_is_no_store);
    RUN(a_store_from_a_newer_version_is_refused_and_not_changed);
    RUN_ON_FILES(a_damaged_store_is_reported);
    RUN(a_path_is_a_file_name_and_nothing_else);
    RUN_ON_FILES(a_file_that_may_not_be_written_or_read_is_refused);
    RUN_ON_FILES(the_files_of_another_user_are_refused);
    RUN(unlocked_memory_is_reported_and_refused_on_request);
    RUN(a_store_opens_with_locked_memory);
    RUN(older_versions_of_the_options_are_accepted);
    RUN(unknown_versions_of_the_options_are_refused);
    RUN(any_wait_except_nan_is_accepted);
    RUN(opening_waits_for_a_locked_store_as_long_as_requested);
END
