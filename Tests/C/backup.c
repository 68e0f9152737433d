/* Copies of a store in use: complete, a snapshot of one moment, and either finished or not there at all. */

#include "harness.h"
#include "children.h"
#include "people.h"

#include <sqlite3.h>
#include <sys/resource.h>

static kinfolk_service *service;

/* The copy, opened with the store's key. */
static kinfolk_service *open_copy(void) {
    return open_with_key(file_path("copy.db"), file_path("kinfolk.key"));
}

static bool has(const kinfolk_service *somewhere, const char *email) {
    kinfolk_account *account = NULL;
    kinfolk_status status = kinfolk_account_find_by_email(somewhere, email, &account);
    if (status != KINFOLK_UNKNOWN_ITEM) OK(status);
    kinfolk_account_free(account);
    return status == KINFOLK_OK;
}

static void add(const char *email) {
    kinfolk_account_free(make_person(service, "Some", "Body", email));
}

static void check_integrity(const char *path) {
    sqlite3 *database = NULL;
    sqlite3_stmt *statement = NULL;
    REQUIRE(sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK);
    REQUIRE(sqlite3_prepare_v2(database, "PRAGMA integrity_check", -1, &statement, NULL) == SQLITE_OK);
    REQUIRE(sqlite3_step(statement) == SQLITE_ROW);
    SAME((const char *)sqlite3_column_text(statement, 0), "ok");
    sqlite3_finalize(statement);
    REQUIRE(sqlite3_close(database) == SQLITE_OK);
}

/* How many files of the test's folder have names that begin with this prefix. */
static int counted, counted_length;
static char counted_prefix[1200];

static int count_file(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status, (void)type, (void)place;
    counted += strncmp(path, counted_prefix, (size_t)counted_length) == 0;
    return 0;
}

static int files_that_begin(const char *name) {
    counted = 0;
    counted_length = snprintf(counted_prefix, sizeof counted_prefix, "%s/%s", harness.folder, name);
    nftw(harness.folder, count_file, 16, FTW_PHYS);
    return counted;
}

static void back_up(const char *name) {
    OK(kinfolk_service_back_up(service, file_path(name), NULL, NULL));
}

/* ---- The content of a copy */

static void a_copy_opens_with_the_key_and_does_not_change(void) {
    kinfolk_service *copy;
    struct stat status;
    mode_t before;
    service = open_store();
    add("ada@example.com");
    before = umask(0);
    back_up("copy.db");
    umask(before);
    add("grace@example.org");
    REQUIRE(stat(file_path("copy.db"), &status) == 0);
    EQUAL(status.st_mode & 07777, 0600);
    EQUAL(files_that_begin("copy.db"), 1); /* no temporary file, no log */
    check_integrity(file_path("copy.db"));
    copy = open_copy();
    CHECK(has(copy, "ada@example.com"));
    CHECK(!has(copy, "grace@example.org"));
    kinfolk_service_free(copy);
    kinfolk_service_free(service);
}

static void copy_file(const char *from, const char *to) {
    char bytes[4096];
    size_t count;
    FILE *source = fopen(from, "rb"), *target = fopen(to, "wb");
    REQUIRE(source != NULL && target != NULL);
    while ((count = fread(bytes, 1, sizeof bytes, source)) > 0) REQUIRE(fwrite(bytes, 1, count, target) == count);
    REQUIRE(fclose(target) == 0);
    fclose(source);
}

static void a_copy_in_the_place_of_the_store_is_used_once_it_is_accepted(void) {
    kinfolk_service *refused = NULL;
    bool was_older = true;
    service = open_store();
    add("ada@example.com");
    back_up("copy.db");
    add("late@example.com");
    kinfolk_service_free(service);
    remove(file_path("kinfolk.db-wal"));
    remove(file_path("kinfolk.db-shm"));
    OK(kinfolk_store_accept_older(file_path("kinfolk.db"), NULL, &was_older));
    CHECK(!was_older);
    copy_file(file_path("copy.db"), file_path("kinfolk.db"));
    FAILS(KINFOLK_STORE_CORRUPT, kinfolk_service_open(file_path("kinfolk.db"), NULL, &refused));
    CHECK(refused == NULL);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_store_accept_older(file_path("missing.db"), NULL, NULL));
    OK(kinfolk_store_accept_older(file_path("kinfolk.db"), NULL, &was_older));
    CHECK(was_older);
    OK(kinfolk_store_accept_older(file_path("kinfolk.db"), NULL, NULL));
    service = open_store();
    CHECK(has(service, "ada@example.com"));
    CHECK(!has(service, "late@example.com"));
    add("after@example.com");
    CHECK(has(service, "after@example.com"));
    kinfolk_service_free(service);
    check_integrity(file_path("kinfolk.db"));
}

/* ---- Restoring, checking, and reading only */

static int told;

static bool count_calls(uint64_t done, uint64_t total, void *context) {
    CHECK(done <= total);
    told++;
    return context == NULL;
}

static void a_backup_replaces_the_store(void) {
    kinfolk_open_options at_once = KINFOLK_OPEN_OPTIONS_INIT;
    kinfolk_check *check = NULL;
    uint64_t rows = 0, accounts = 0;
    size_t i;
    at_once.wait = -1;
    service = open_store();
    add("ada@example.com");
    back_up("copy.db");
    add("late@example.com");
    FAILS(KINFOLK_SERVICE_UNAVAILABLE,
          kinfolk_store_restore(file_path("kinfolk.db"), file_path("copy.db"), &at_once, false, NULL, NULL));
    kinfolk_service_free(service);
    FAILS(KINFOLK_CANCELLED, kinfolk_store_restore(file_path("kinfolk.db"), file_path("copy.db"), NULL, false,
                                                   count_calls, &told));
    FAILS(KINFOLK_UNKNOWN_ITEM,
          kinfolk_store_restore(file_path("kinfolk.db"), file_path("missing.db"), NULL, false, NULL, NULL));
    FAILS(KINFOLK_STORE_CORRUPT,
          kinfolk_store_restore(file_path("kinfolk.db"), file_path("kinfolk.key"), NULL, false, NULL, NULL));
    service = open_store();
    CHECK(has(service, "late@example.com"));
    kinfolk_service_free(service);
    told = 0;
    OK(kinfolk_store_restore(file_path("kinfolk.db"), file_path("copy.db"), NULL, false, count_calls, NULL));
    CHECK(told > 1);
    service = open_store();
    CHECK(has(service, "ada@example.com"));
    CHECK(!has(service, "late@example.com"));
    told = 0;
    OK(kinfolk_service_check(service, count_calls, NULL, &check));
    CHECK(told > 0);
    CHECK(kinfolk_check_is_sound(check));
    CHECK(kinfolk_check_rows(check) > 5);
    EQUAL(kinfolk_check_finding_count(check), 0);
    CHECK(kinfolk_check_finding_table(check, 0) == NULL);
    CHECK(kinfolk_check_finding_kind(check, 0) == 0 && KINFOLK_FINDING_DAMAGED != 0);
    for (i = 0; i < kinfolk_check_table_count(check); i++) {
        rows += kinfolk_check_table_rows(check, i);
        if (strcmp(kinfolk_check_table_name(check, i), "accounts") == 0) accounts = kinfolk_check_table_rows(check, i);
    }
    EQUAL(rows, kinfolk_check_rows(check));
    EQUAL(accounts, 1);
    CHECK(kinfolk_check_table_name(check, i) == NULL && kinfolk_check_table_rows(check, i) == 0);
    kinfolk_check_free(check);
    check = NULL;
    FAILS(KINFOLK_CANCELLED, kinfolk_service_check(service, count_calls, &told, &check));
    CHECK(check == NULL);
    kinfolk_service_free(service);
    EQUAL(files_that_begin("kinfolk.db"), 1);
}

static void a_different_store_is_replaced_only_on_request(void) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    kinfolk_service *other = NULL;
    options.key_file = file_path("kinfolk.key");
    service = open_store();
    back_up("copy.db");
    OK(kinfolk_service_open(file_path("other.db"), &options, &other));
    kinfolk_service_free(other);
    kinfolk_service_free(service);
    FAILS(KINFOLK_CONFLICT,
          kinfolk_store_restore(file_path("other.db"), file_path("copy.db"), &options, false, NULL, NULL));
    OK(kinfolk_store_restore(file_path("other.db"), file_path("copy.db"), &options, true, NULL, NULL));
}

static void a_check_finds_changes_made_without_the_key(void) {
    sqlite3 *database = NULL;
    kinfolk_check *check = NULL;
    service = open_store();
    add("ada@example.com");
    REQUIRE(sqlite3_open(file_path("kinfolk.db"), &database) == SQLITE_OK);
    REQUIRE(sqlite3_exec(database, "UPDATE emails SET is_discoverable = 0", NULL, NULL, NULL) == SQLITE_OK);
    REQUIRE(sqlite3_close(database) == SQLITE_OK);
    OK(kinfolk_service_check(service, NULL, NULL, &check));
    CHECK(!kinfolk_check_is_sound(check));
    EQUAL(kinfolk_check_finding_count(check), 1);
    SAME(kinfolk_check_finding_table(check, 0), "accounts");
    EQUAL(kinfolk_check_finding_kind(check, 0), KINFOLK_FINDING_CHANGED);
    EQUAL(kinfolk_check_finding_times(check, 0), 1);
    kinfolk_check_free(check);
    kinfolk_service_free(service);
}

static void a_read_only_service_does_not_change_the_store(void) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    kinfolk_account *account = NULL;
    struct stat before, after;
    service = open_store();
    add("ada@example.com");
    kinfolk_service_free(service);
    options.read_only = true;
    service = NULL;
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_service_open(file_path("missing.db"), &options, &service));
    CHECK(!file_exists(file_path("missing.db")) && !file_exists(file_path("missing.key")));
    REQUIRE(stat(harness.folder, &before) == 0);
    OK(kinfolk_service_open(file_path("kinfolk.db"), &options, &service));
    CHECK(has(service, "ada@example.com"));
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_account_create(service, "Grace", "", &account));
    CHECK(account == NULL);
    REQUIRE(stat(harness.folder, &after) == 0);
    CHECK(before.st_mtim.tv_sec == after.st_mtim.tv_sec && before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
    kinfolk_service_free(service);
    EQUAL(files_that_begin("kinfolk.db"), 1);
}

/* ---- Refused copies */

static void a_place_where_no_file_can_be_made_is_reported(void) {
    static const char letter[] = "a letter to nobody\n";
    service = open_store();
    write_file(file_path("copy.db"), letter, sizeof letter - 1);
    FAILS(KINFOLK_CONFLICT, kinfolk_service_back_up(service, file_path("copy.db"), NULL, NULL));
    CHECK(file_holds(file_path("copy.db"), letter, sizeof letter - 1));
    REQUIRE(symlink("nowhere", file_path("link.db")) == 0);
    FAILS(KINFOLK_CONFLICT, kinfolk_service_back_up(service, file_path("link.db"), NULL, NULL));
    CHECK(!file_exists(file_path("nowhere")));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_service_back_up(service, file_path("missing/copy.db"), NULL, NULL));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_service_back_up(service, "", NULL, NULL));
    kinfolk_service_free(service);
}

/* As a user without privileges, if this process runs as root. */
static void back_up_as_nobody(void) {
    if (getuid() == 0) REQUIRE(setuid(65534) == 0);
    service = open_store();
    FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_service_back_up(service, file_path("closed/copy.db"), NULL, NULL));
    OK(kinfolk_service_back_up(service, file_path("copy.db"), NULL, NULL));
    kinfolk_service_free(service);
}

static void a_folder_that_may_not_be_written_is_a_permission_failure(void) {
    REQUIRE(chmod(harness.folder, 0777) == 0);
    REQUIRE(mkdir(file_path("closed"), 0555) == 0);
    in_child(back_up_as_nobody);
    CHECK(!file_exists(file_path("closed/copy.db")));
}

/* Limits the size of files, which looks like a full disk to this process. */
static void back_up_with_a_full_disk(void) {
    struct rlimit limit = { 100000, 100000 };
    service = open_store();
    signal(SIGXFSZ, SIG_IGN);
    REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_service_back_up(service, file_path("copy.db"), NULL, NULL));
    kinfolk_service_free(service);
}

static void make_people(int count) {
    kinfolk_account *account;
    char name[901];
    memset(name, 'n', sizeof name);
    name[900] = '\0';
    service = open_store();
    while (count-- > 0) {
        account = make_person(service, name, name, NULL);
        kinfolk_account_free(account);
    }
    kinfolk_service_free(service);
}

static void make_a_large_store(void) {
    make_people(600);
}

static void a_full_disk_leaves_no_copy(void) {
    in_child(make_a_large_store);
    in_child(back_up_with_a_full_disk);
    EQUAL(files_that_begin("copy.db"), 0);
}

/* ---- Progress */

struct progress {
    uint64_t calls, done, total;
};

static bool note_progress(uint64_t done, uint64_t total, void *context) {
    struct progress *progress = context;
    CHECK(done >= progress->done);
    CHECK(done <= total);
    progress->calls++;
    progress->done = done;
    progress->total = total;
    return true;
}

static void progress_reports_all_pages(void) {
    struct progress progress = { 0, 0, 0 };
    struct stat status;
    service = open_store();
    add("ada@example.com");
    OK(kinfolk_service_back_up(service, file_path("copy.db"), note_progress, &progress));
    CHECK(progress.calls > 0);
    CHECK(progress.total > 0);
    EQUAL(progress.done, progress.total);
    REQUIRE(stat(file_path("copy.db"), &status) == 0);
    EQUAL(status.st_size % (off_t)progress.total, 0);
    kinfolk_service_free(service);
}

/* Makes all kinds of calls from inside the callback, also calls that write, and another copy. */
static bool use_the_service(uint64_t done, uint64_t total, void *context) {
    int *calls = context;
    char name[40], email[40];
    (void)done, (void)total;
    if ((*calls)++ > 2) return true;
    CHECK(has(service, "ada@example.com"));
    snprintf(email, sizeof email, "inside%d@example.com", *calls);
    add(email);
    CHECK(has(service, email));
    snprintf(name, sizeof name, "nested%d.db", *calls);
    back_up(name);
    return true;
}

static bool end_at_once(uint64_t done, uint64_t total, void *context) {
    (void)done, (void)total, (void)context;
    return false;
}

static void a_cancelled_backup_leaves_no_file(void) {
    service = open_store();
    add("ada@example.com");
    FAILS(KINFOLK_CANCELLED, kinfolk_service_back_up(service, file_path("copy.db"), end_at_once, NULL));
    EQUAL(files_that_begin("copy.db"), 0);
    FAILS(KINFOLK_CANCELLED, kinfolk_service_copy(service, file_path("copy.db"), end_at_once, NULL));
    OK(kinfolk_service_copy(service, file_path("copy.db"), NULL, NULL));
    add("grace@example.org");
    kinfolk_service_free(service);
}

static void the_service_may_be_used_from_the_progress_callback(void) {
    kinfolk_service *copy;
    int calls = 0;
    service = open_store();
    add("ada@example.com");
    OK(kinfolk_service_back_up(service, file_path("copy.db"), use_the_service, &calls));
    CHECK(calls > 0);
    CHECK(has(service, "inside1@example.com"));
    copy = open_copy();
    CHECK(has(copy, "ada@example.com"));
    CHECK(!has(copy, "inside1@example.com")); /* the copy is a snapshot of the state before that */
    kinfolk_service_free(copy);
    copy = open_with_key(file_path("nested1.db"), file_path("kinfolk.key"));
    CHECK(has(copy, "inside1@example.com"));
    kinfolk_service_free(copy);
    kinfolk_service_free(service);
}

/* ---- Being killed */

static int report_to;

static bool tell_and_wait(uint64_t done, uint64_t total, void *context) {
    (void)done, (void)total, (void)context;
    if (write(report_to, "p", 1) == 1) pause();
    return true;
}

static void back_up_until_killed(void) {
    service = open_store();
    (void)kinfolk_service_back_up(service, file_path("copy.db"), tell_and_wait, NULL);
}

static void a_killed_backup_leaves_no_copy(void) {
    char ignored;
    int ends[2];
    pid_t child;
    in_child(make_a_large_store);
    REQUIRE(pipe(ends) == 0);
    report_to = ends[1];
    child = start_child(back_up_until_killed);
    close(ends[1]);
    REQUIRE(read(ends[0], &ignored, 1) == 1);
    close(ends[0]);
    kill_child(child);
    CHECK(!file_exists(file_path("copy.db")));
    service = open_store();
    back_up("copy.db");
    check_integrity(file_path("copy.db"));
    kinfolk_service_free(service);
}

/* ---- Copies to another place */

typedef struct {
    uint64_t done, total;
    int beginnings;
} told_rows;

static bool note_rows(uint64_t done, uint64_t total, void *context) {
    told_rows *told = context;
    told->beginnings += done < told->done || (told->total == 0 && total > 0);
    told->done = done;
    told->total = total;
    return true;
}

static void a_copy_to_another_place_is_brought_up_to_date_until_it_is_opened(void) {
    kinfolk_service *copy = NULL;
    told_rows told = { 0, 0, 0 };
    service = open_store();
    add("ada@example.com");
    OK(kinfolk_service_copy(service, file_path("copy.db"), note_rows, &told));
    EQUAL(told.beginnings, 2); /* progress of writing, and of reading again */
    CHECK(told.total > 0);
    EQUAL(told.done, told.total);
    check_integrity(file_path("copy.db"));
    add("grace@example.org");
    OK(kinfolk_service_copy(service, file_path("copy.db"), NULL, NULL));
    FAILS(KINFOLK_KEY_MISMATCH, kinfolk_service_open(file_path("copy.db"), NULL, &copy));
    OK(kinfolk_service_copy(service, file_path("copy.db"), NULL, NULL)); /* a wrong key has not opened it */
    copy = open_copy();
    CHECK(has(copy, "ada@example.com"));
    CHECK(has(copy, "grace@example.org"));
    kinfolk_service_free(copy);
    FAILS(KINFOLK_CONFLICT, kinfolk_service_copy(service, file_path("copy.db"), NULL, NULL));
    FAILS(KINFOLK_CONFLICT, kinfolk_service_copy(service, STORE, NULL, NULL));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_service_copy(service, file_path("none/copy.db"), NULL, NULL));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_service_copy(service, "", NULL, NULL));
    kinfolk_service_free(service);
}

BEGIN
    RUN_ON_FILES(a_copy_opens_with_the_key_and_does_not_change);
    RUN_ON_FILES(a_copy_in_the_place_of_the_store_is_used_once_it_is_accepted);
    RUN_ON_FILES(a_backup_replaces_the_store);
    RUN_ON_FILES(a_different_store_is_replaced_only_on_request);
    RUN_ON_FILES(a_check_finds_changes_made_without_the_key);
    RUN_ON_FILES(a_read_only_service_does_not_change_the_store);
    RUN_ON_FILES(a_place_where_no_file_can_be_made_is_reported);
    RUN_ON_FILES(a_folder_that_may_not_be_written_is_a_permission_failure);
    RUN_ON_FILES(a_full_disk_leaves_no_copy);
    RUN_ON_FILES(progress_reports_all_pages);
    RUN_ON_FILES(the_service_may_be_used_from_the_progress_callback);
    RUN_ON_FILES(a_cancelled_backup_leaves_no_file);
    RUN_ON_FILES(a_killed_backup_leaves_no_copy);
    RUN(a_copy_to_another_place_is_brought_up_to_date_until_it_is_opened);
END
