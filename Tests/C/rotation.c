/* Key rotation: progress, the keys that it takes and leaves, and other services and processes meanwhile. KeyRotationTests has the rules. */

#include "harness.h"
#include "children.h"
#include "people.h"

enum { PEOPLE = 310 }; /* so that it takes three batches, of 100, at most 200, and the rest */

static const uint8_t a_key[KINFOLK_KEY_LENGTH] = "0123456789abcdefghijklmnopqrstu";
static const uint8_t another_key[KINFOLK_KEY_LENGTH] = "another key, thirty-two bytes!!";

static kinfolk_open_options with_key(const uint8_t *key) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    options.key = key;
    options.key_length = KINFOLK_KEY_LENGTH;
    return options;
}

static kinfolk_open_options with_key_file(const char *path) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    options.existing_only = true;
    options.key_file = path;
    return options;
}

static kinfolk_status try_to_open(const char *store, kinfolk_open_options options) {
    kinfolk_service *service = NULL;
    kinfolk_status status = store_open(store, &options, &service);
    kinfolk_service_free(service);
    return status;
}

static void read_file(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "rb");
    size_t count;
    REQUIRE(file != NULL);
    count = fread(text, 1, size - 1, file);
    text[count] = '\0';
    fclose(file);
}

/* ---- A store with people in it */

static void add_people(const kinfolk_service *service) {
    static char text[40 * PEOPLE];
    const char *path = file_path("people.csv");
    kinfolk_container *notes = make_container(service, NOTES);
    size_t i, length = (size_t)snprintf(text, sizeof text, "email\n");
    for (i = 0; i < PEOPLE; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "person%zu@example.com\n", i);
    write_file(path, text, length);
    OK(kinfolk_container_import_people(notes, path, NULL, NULL, NULL, NULL, NULL));
    kinfolk_container_free(notes);
}

/* The service finds people of all batches, whose values open. */
static void check_people(const kinfolk_service *service) {
    kinfolk_account *account = NULL;
    kinfolk_emails *emails = NULL;
    char email[40];
    int i;
    for (i = 0; i < PEOPLE; i += 7) {
        snprintf(email, sizeof email, "person%d@example.com", i);
        OK(kinfolk_account_find_by_email(service, email, &account));
        OK(kinfolk_account_emails(account, &emails));
        SAME(kinfolk_emails_address(emails, 0), email);
        kinfolk_emails_free(emails);
        kinfolk_account_free(account);
    }
}

/* ---- While the store is in use */

struct progress {
    kinfolk_service *rotating, *idle;
    uint64_t calls, done, total;
};

static bool ask_in_between(uint64_t done, uint64_t total, void *context) {
    struct progress *progress = context;
    kinfolk_service *fresh;
    char email[40];
    CHECK(done > progress->done);
    CHECK(done <= total);
    progress->calls++;
    progress->done = done;
    progress->total = total;
    check_people(progress->rotating);
    check_people(progress->idle);
    fresh = open_store();
    check_people(fresh);
    snprintf(email, sizeof email, "late%d@example.com", (int)progress->calls);
    kinfolk_account_free(make_person(fresh, "Some", "Body", email)); /* and it can be written */
    kinfolk_service_free(fresh);
    if (progress->done < progress->total) OK(try_to_open(STORE, with_key_file(file_path("kinfolk.key.1"))));
    return true;
}

static void services_are_used_during_a_rotation(void) {
    struct progress progress = { NULL, NULL, 0, 0, 0 };
    char old_key[200], kept_key[200], new_key[200], *old_key_file = NULL, email[40];
    kinfolk_account *account = NULL;
    struct stat status;
    uint64_t i;
    progress.rotating = open_store();
    add_people(progress.rotating);
    progress.idle = open_store();
    read_file(file_path("kinfolk.key"), old_key, sizeof old_key);

    OK(kinfolk_service_rotate_keys(progress.rotating, NULL, false, ask_in_between, &progress, &old_key_file, NULL));
    CHECK(progress.calls >= 3);
    CHECK(progress.total >= PEOPLE);
    EQUAL(progress.done, progress.total);
    SAME(old_key_file, file_path("kinfolk.key.1"));
    read_file(file_path("kinfolk.key.1"), kept_key, sizeof kept_key);
    read_file(file_path("kinfolk.key"), new_key, sizeof new_key);
    SAME(kept_key, old_key);
    CHECK(strcmp(new_key, old_key) != 0);
    REQUIRE(stat(file_path("kinfolk.key"), &status) == 0);
    EQUAL(status.st_mode & 07777, 0600);
    REQUIRE(stat(old_key_file, &status) == 0);
    EQUAL(status.st_mode & 07777, 0600);
    kinfolk_free(old_key_file);

    check_people(progress.rotating);
    check_people(progress.idle);
    for (i = 1; i <= progress.calls; i++) {
        snprintf(email, sizeof email, "late%d@example.com", (int)i);
        OK(kinfolk_account_find_by_email(progress.idle, email, &account));
        kinfolk_account_free(account);
    }
    kinfolk_service_free(progress.rotating);
    kinfolk_service_free(progress.idle);
    FAILS(KINFOLK_KEY_MISMATCH, try_to_open(STORE, with_key_file(file_path("kinfolk.key.1"))));
    progress.rotating = open_store();
    check_people(progress.rotating);
    kinfolk_service_free(progress.rotating);
}

static bool end_at_once(uint64_t done, uint64_t total, void *context) {
    int *calls = context;
    (void)done, (void)total;
    (*calls)++;
    return false;
}

static void the_next_call_resumes_a_cancelled_rotation(void) {
    kinfolk_service *service = open_store();
    char *old_key_file = NULL;
    int calls = 0;
    add_people(service);
    FAILS(KINFOLK_CANCELLED, kinfolk_service_rotate_keys(service, NULL, false, end_at_once, &calls, &old_key_file, NULL));
    EQUAL(calls, 1);
    CHECK(old_key_file == NULL);
    check_people(service);
    OK(try_to_open(STORE, with_key_file(file_path("kinfolk.key.1")))); /* both keys are needed until the end */
    OK(kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, &old_key_file, NULL));
    SAME(old_key_file, file_path("kinfolk.key.1"));
    kinfolk_free(old_key_file);
    check_people(service);
    FAILS(KINFOLK_KEY_MISMATCH, try_to_open(STORE, with_key_file(file_path("kinfolk.key.1"))));
    kinfolk_service_free(service);
}

/* ---- Where the new key comes from */

/* One account is enough here. */
static kinfolk_service *open_small(const kinfolk_open_options *options) {
    kinfolk_service *service = NULL;
    OK(store_open(STORE, options, &service));
    kinfolk_account_free(make_person(service, "Ada", "Lovelace", "ada@example.com"));
    return service;
}

static void check_small(const char *store, kinfolk_open_options options) {
    kinfolk_service *service = NULL;
    kinfolk_account *account = NULL;
    options.existing_only = true;
    OK(store_open(store, &options, &service));
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &account));
    kinfolk_account_free(account);
    kinfolk_service_free(service);
}

static void the_new_key_is_one_of_the_host_a_file_or_a_passphrase(void) {
    kinfolk_open_options first = with_key(a_key), second = with_key(another_key), passphrase = KINFOLK_OPEN_OPTIONS_INIT;
    kinfolk_open_options elsewhere = with_key_file(file_path("elsewhere"));
    kinfolk_service *service = open_small(&first);
    struct stat status;
    char *old = (char *)1;
    passphrase.passphrase = "correct horse battery staple";
    OK(kinfolk_service_rotate_keys(service, &second, false, NULL, NULL, &old, NULL));
    CHECK(old == NULL);
    FAILS(KINFOLK_KEY_MISMATCH, try_to_open(STORE, first));
    check_small(STORE, second);
    CHECK(!file_exists(file_path("kinfolk.key")));
    old = (char *)1;
    OK(kinfolk_service_rotate_keys(service, &elsewhere, false, NULL, NULL, &old, NULL));
    CHECK(old == NULL);
    REQUIRE(stat(file_path("elsewhere"), &status) == 0);
    EQUAL(status.st_mode & 07777, 0600);
    FAILS(KINFOLK_KEY_MISMATCH, try_to_open(STORE, second));
    check_small(STORE, elsewhere);
    OK(kinfolk_service_rotate_keys(service, &passphrase, false, NULL, NULL, NULL, NULL));
    FAILS(KINFOLK_KEY_MISMATCH, try_to_open(STORE, elsewhere));
    check_small(STORE, passphrase);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_service_rotate_keys(service, &passphrase, false, NULL, NULL, NULL, NULL));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, NULL, NULL));
    OK(kinfolk_service_rotate_keys(service, &first, false, NULL, NULL, NULL, NULL));
    kinfolk_service_free(service);
    FAILS(KINFOLK_KEY_MISMATCH, try_to_open(STORE, passphrase));
    check_small(STORE, first);
}

static void an_invalid_new_key_is_refused_and_changes_nothing(void) {
    kinfolk_open_options present = with_key(a_key), bad = present, none = KINFOLK_OPEN_OPTIONS_INIT;
    kinfolk_service *service = open_small(&present);
    char *const untouched = harness.folder, *old = untouched;
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, &old, NULL)); /* it is in no file */
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_service_rotate_keys(service, &present, false, NULL, NULL, &old, NULL));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_service_rotate_keys(service, &none, false, NULL, NULL, &old, NULL));
    bad.version = 0;
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_service_rotate_keys(service, &bad, false, NULL, NULL, &old, NULL));
    bad = with_key(another_key);
    bad.key_length = 31;
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_service_rotate_keys(service, &bad, false, NULL, NULL, &old, NULL));
    bad.key_length = KINFOLK_KEY_LENGTH;
    bad.passphrase = "correct horse battery staple";
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_service_rotate_keys(service, &bad, false, NULL, NULL, &old, NULL));
    bad = none;
    bad.passphrase = "";
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_service_rotate_keys(service, &bad, false, NULL, NULL, &old, NULL));
    bad = none;
    bad.key_file = "";
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_service_rotate_keys(service, &bad, false, NULL, NULL, &old, NULL));
    bad.key_file = file_path("missing/key");
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_service_rotate_keys(service, &bad, false, NULL, NULL, &old, NULL));
    write_file(file_path("letter"), "a letter\n", 9);
    REQUIRE(chmod(file_path("letter"), 0600) == 0);
    bad.key_file = file_path("letter");
    FAILS(KINFOLK_KEY_MISMATCH, kinfolk_service_rotate_keys(service, &bad, false, NULL, NULL, &old, NULL));
    REQUIRE(chmod(file_path("letter"), 0644) == 0);
    FAILS(KINFOLK_KEY_MISMATCH, kinfolk_service_rotate_keys(service, &bad, false, NULL, NULL, &old, NULL));
    CHECK(old == untouched);
    kinfolk_service_free(service);
    check_small(STORE, present);
}

/* The host may have lost the new key of a rotation that was interrupted. A third key works too. */
static void an_interrupted_rotation_may_end_with_yet_another_key(void) {
    static const uint8_t third_key[KINFOLK_KEY_LENGTH] = "the third key of all: 32 bytes.";
    kinfolk_open_options first = with_key(a_key), second = with_key(another_key), third = with_key(third_key);
    kinfolk_service *service = NULL;
    int calls = 0;
    OK(store_open(STORE, &first, &service));
    add_people(service);
    FAILS(KINFOLK_CANCELLED, kinfolk_service_rotate_keys(service, &second, false, end_at_once, &calls, NULL, NULL));
    kinfolk_service_free(service);
    OK(try_to_open(STORE, second));
    OK(store_open(STORE, &first, &service));
    OK(kinfolk_service_rotate_keys(service, &third, false, NULL, NULL, NULL, NULL));
    check_people(service);
    kinfolk_service_free(service);
    FAILS(KINFOLK_KEY_MISMATCH, try_to_open(STORE, first));
    FAILS(KINFOLK_KEY_MISMATCH, try_to_open(STORE, second));
    OK(store_open(STORE, &third, &service));
    check_people(service);
    kinfolk_service_free(service);
}

/* ---- Several processes, and one that is killed */

static int report_to;

static void prepare(void) {
    kinfolk_service *service = open_store();
    add_people(service);
    kinfolk_service_free(service);
}

static bool tell_and_wait(uint64_t done, uint64_t total, void *context) {
    (void)done, (void)total, (void)context;
    if (write(report_to, "b", 1) == 1) pause();
    return true;
}

static void rotate_until_killed(void) {
    kinfolk_service *service = open_store();
    (void)kinfolk_service_rotate_keys(service, NULL, false, tell_and_wait, NULL, NULL, NULL);
}

static bool count_batches(uint64_t done, uint64_t total, void *context) {
    (void)done, (void)total;
    ++*(int *)context;
    return true;
}

static void a_killed_rotation_is_resumed(void) {
    kinfolk_service *service;
    char old_key[200], kept_key[200], *old = NULL, ignored;
    int ends[2], round, batches = 0;
    pid_t child;
    in_child(prepare);
    read_file(file_path("kinfolk.key"), old_key, sizeof old_key);
    for (round = 0; round < 2; round++) {
        REQUIRE(pipe(ends) == 0);
        report_to = ends[1];
        child = start_child(rotate_until_killed);
        close(ends[1]);
        REQUIRE(read(ends[0], &ignored, 1) == 1);
        close(ends[0]);
        kill_child(child);
    }
    service = open_store();
    OK(try_to_open(STORE, with_key_file(file_path("kinfolk.key.1")))); /* either key opens it as long */
    OK(kinfolk_service_rotate_keys(service, NULL, false, count_batches, &batches, &old, NULL));
    CHECK(batches >= 1 && batches < 3); /* not from the beginning */
    SAME(old, file_path("kinfolk.key.1"));
    kinfolk_free(old);
    read_file(file_path("kinfolk.key.1"), kept_key, sizeof kept_key);
    SAME(kept_key, old_key);
    CHECK(!file_exists(file_path("kinfolk.key.2")) && !file_exists(file_path("kinfolk.key.new")));
    check_people(service);
    kinfolk_service_free(service);
    FAILS(KINFOLK_KEY_MISMATCH, try_to_open(STORE, with_key_file(file_path("kinfolk.key.1"))));
    service = open_store();
    check_people(service);
    kinfolk_service_free(service);
}

static void rotate_thrice(void) {
    kinfolk_service *service = open_store();
    int i;
    for (i = 0; i < 3; i++) OK(kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, NULL, NULL));
    kinfolk_service_free(service);
}

static void read_over_and_over(void) {
    kinfolk_service *service = open_store();
    int i;
    for (i = 0; i < 20; i++) check_people(service);
    kinfolk_service_free(service);
}

static void write_all_the_while(void) {
    kinfolk_service *service = open_store();
    char email[40];
    int i;
    for (i = 0; i < 50; i++) {
        snprintf(email, sizeof email, "while%d@example.com", i);
        kinfolk_account_free(make_person(service, "Some", "Body", email));
    }
    kinfolk_service_free(service);
}

static void other_processes_notice_nothing(void) {
    kinfolk_service *service;
    kinfolk_account *account = NULL;
    char email[40];
    pid_t children[4];
    int i;
    in_child(prepare);
    children[0] = start_child(read_over_and_over);
    children[1] = start_child(write_all_the_while);
    children[2] = start_child(rotate_thrice);
    children[3] = start_child(read_over_and_over);
    for (i = 0; i < 4; i++) finish_child(children[i]);
    service = open_store();
    for (i = 0; i < 50; i++) {
        snprintf(email, sizeof email, "while%d@example.com", i);
        OK(kinfolk_account_find_by_email(service, email, &account));
        kinfolk_account_free(account);
    }
    kinfolk_service_free(service);
}

static void rotate_from_another_folder(void) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    kinfolk_service *service = NULL, *idle = NULL;
    kinfolk_account *account = NULL;
    const char *store = harness_server() == NULL ? "kinfolk.db" : STORE;
    char *old = NULL;
    REQUIRE(chdir(harness.folder) == 0);
    options.key_file = "own.key";
    OK(store_open(store, &options, &service));
    kinfolk_account_free(make_person(service, "Some", "Body", "somebody@example.com"));
    OK(store_open(store, &options, &idle));
    REQUIRE(chdir("/") == 0);
    OK(kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, &old, NULL));
    SAME(old, file_path("own.key.1"));
    kinfolk_free(old);
    OK(kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, NULL, NULL));
    OK(kinfolk_account_find_by_email(idle, "somebody@example.com", &account));
    kinfolk_account_free(account);
    kinfolk_service_free(idle);
    kinfolk_service_free(service);
}

static void a_key_file_is_where_it_was_when_the_store_was_opened(void) {
    in_child(rotate_from_another_folder);
    CHECK(file_exists(file_path("own.key.2")));
    OK(try_to_open(STORE, with_key_file(file_path("own.key"))));
}

BEGIN
    RUN(services_are_used_during_a_rotation);
    RUN(the_next_call_resumes_a_cancelled_rotation);
    RUN(the_new_key_is_one_of_the_host_a_file_or_a_passphrase);
    RUN(an_invalid_new_key_is_refused_and_changes_nothing);
    RUN(an_interrupted_rotation_may_end_with_yet_another_key);
    RUN(a_killed_rotation_is_resumed);
    RUN(other_processes_notice_nothing);
    RUN(a_key_file_is_where_it_was_when_the_store_was_opened);
END
