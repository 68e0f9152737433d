/* Key rotation while the store is in use: the same answers before, during and after. Afterwards the old key opens nothing. */

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

static kinfolk_contacts *everybody(void) {
    kinfolk_contacts *book = NULL;
    char email[40];
    int i;
    OK(kinfolk_contacts_new(&book));
    for (i = 0; i < PEOPLE; i++) {
        snprintf(email, sizeof email, "person%d@example.com", i);
        OK(kinfolk_contacts_add_email(book, email, NULL));
    }
    return book;
}

/* PEOPLE who can be found, and Ada, who has a note in her private record. */
static void add_people(const kinfolk_service *service) {
    kinfolk_container *notes = make_container(service, NOTES);
    kinfolk_session *session;
    kinfolk_record *record;
    char email[40];
    int i;
    for (i = 0; i < PEOPLE; i++) {
        snprintf(email, sizeof email, "person%d@example.com", i);
        kinfolk_session_free(make_findable(service, notes, "Some", "Body", email));
    }
    session = make_findable(service, notes, "Ada", "Lovelace", "ada@example.com");
    OK(kinfolk_container_add_field(notes, "note", KINFOLK_STRING));
    record = own_record(session, KINFOLK_DATABASE_PRIVATE);
    OK(kinfolk_record_set_string(record, "note", "Per aspera"));
    OK(kinfolk_record_save(session, record, KINFOLK_SAVE_ALL_KEYS));
    kinfolk_record_free(record);
    kinfolk_session_free(session);
    kinfolk_container_free(notes);
}

/* Ada's answers. They must be the same at all times, through any service. */
struct answers {
    char ids[PEOPLE][34];
    char own_id[34];
    char change_tag[100];
};

static void ask(const kinfolk_service *service, struct answers *answers) {
    kinfolk_container *notes = NULL;
    kinfolk_account *account = NULL;
    kinfolk_session *ada;
    kinfolk_contacts *book = everybody();
    kinfolk_identities *found = NULL;
    kinfolk_record *record;
    char *given = NULL, *family = NULL;
    const char *note = NULL;
    size_t i;
    memset(answers, 0, sizeof *answers);
    OK(kinfolk_container_open(service, NOTES, &notes));
    OK(kinfolk_account_find_by_email(service, "ADA@example.com", &account));
    OK(kinfolk_account_get_name(account, &given, &family));
    SAME(given, "Ada");
    SAME(family, "Lovelace");
    kinfolk_free(given);
    kinfolk_free(family);
    ada = sign_in(notes, account);
    snprintf(answers->own_id, sizeof answers->own_id, "%s", record_id(ada));
    record = own_record(ada, KINFOLK_DATABASE_PRIVATE);
    OK(kinfolk_record_get_string(record, "note", &note));
    SAME(note, "Per aspera");
    snprintf(answers->change_tag, sizeof answers->change_tag, "%s", kinfolk_record_change_tag(record));
    kinfolk_record_free(record);
    OK(kinfolk_discover_contacts(ada, book, NULL, 0, &found));
    EQUAL(kinfolk_identities_count(found), PEOPLE);
    for (i = 0; i < PEOPLE && i < kinfolk_identities_count(found); i++) {
        snprintf(answers->ids[i], sizeof answers->ids[i], "%s", kinfolk_identities_record_id(found, i));
        if (i == 0) SAME(kinfolk_identities_family_name(found, i), "Body");
    }
    kinfolk_identities_free(found);
    for (i = 0; i < PEOPLE; i += PEOPLE / 3) {
        char email[40];
        snprintf(email, sizeof email, "person%d@example.com", (int)i);
        OK(kinfolk_discover_email(ada, email, &found));
        EQUAL(kinfolk_identities_count(found), 1);
        SAME(kinfolk_identities_record_id(found, 0), answers->ids[i]);
        kinfolk_identities_free(found);
    }
    kinfolk_contacts_free(book);
    kinfolk_session_free(ada);
    kinfolk_account_free(account);
    kinfolk_container_free(notes);
}

static struct answers before;

static void same_answers(const kinfolk_service *service) {
    static struct answers now;
    ask(service, &now);
    CHECK(memcmp(&now, &before, sizeof now) == 0);
}

static void allow_much(const kinfolk_service *service) {
    kinfolk_container *notes = NULL;
    OK(kinfolk_container_open(service, NOTES, &notes));
    OK(kinfolk_container_set_permits(notes, 1000000, 10, 1000000));
    kinfolk_container_free(notes);
}

/* ---- The same answers at all times */

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
    same_answers(progress->rotating);
    same_answers(progress->idle);
    fresh = open_store();
    same_answers(fresh);
    snprintf(email, sizeof email, "late%d@example.com", (int)progress->calls);
    kinfolk_account_free(make_person(fresh, "Some", "Body", email)); /* and it can be written */
    kinfolk_service_free(fresh);
    if (progress->done < progress->total) OK(try_to_open(STORE, with_key_file(file_path("kinfolk.key.1"))));
    return true;
}

static void all_calls_give_the_same_answers_before_during_and_after(void) {
    struct progress progress = { NULL, NULL, 0, 0, 0 };
    char old_key[200], kept_key[200], new_key[200], *old_key_file = NULL, email[40];
    kinfolk_account *account = NULL;
    struct stat status;
    uint64_t i;
    progress.rotating = open_store();
    add_people(progress.rotating);
    allow_much(progress.rotating);
    ask(progress.rotating, &before);
    progress.idle = open_store();
    read_file(file_path("kinfolk.key"), old_key, sizeof old_key);

    OK(kinfolk_service_rotate_keys(progress.rotating, NULL, false, ask_in_between, &progress, &old_key_file, NULL));
    CHECK(progress.calls >= 3);
    CHECK(progress.total > PEOPLE);
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

    same_answers(progress.rotating);
    same_answers(progress.idle);
    for (i = 1; i <= progress.calls; i++) {
        snprintf(email, sizeof email, "late%d@example.com", (int)i);
        OK(kinfolk_account_find_by_email(progress.idle, email, &account));
        kinfolk_account_free(account);
    }
    kinfolk_service_free(progress.rotating);
    kinfolk_service_free(progress.idle);
    FAILS(KINFOLK_KEY_MISMATCH, try_to_open(STORE, with_key_file(file_path("kinfolk.key.1"))));
    progress.rotating = open_store();
    same_answers(progress.rotating);
    kinfolk_service_free(progress.rotating);
}

/* ---- Cancelled by the caller */

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
    allow_much(service);
    ask(service, &before);
    FAILS(KINFOLK_CANCELLED, kinfolk_service_rotate_keys(service, NULL, false, end_at_once, &calls, &old_key_file, NULL));
    EQUAL(calls, 1);
    CHECK(old_key_file == NULL);
    same_answers(service);
    OK(try_to_open(STORE, with_key_file(file_path("kinfolk.key.1")))); /* both keys are needed until the end */
    OK(kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, &old_key_file, NULL));
    SAME(old_key_file, file_path("kinfolk.key.1"));
    kinfolk_free(old_key_file);
    same_answers(service);
    FAILS(KINFOLK_KEY_MISMATCH, try_to_open(STORE, with_key_file(file_path("kinfolk.key.1"))));
    kinfolk_service_free(service);
}

/* ---- Sync states */

struct paid {
    kinfolk_session *session;
    kinfolk_contacts *book;
    uint8_t state[10000];
    size_t length;
};

static bool ask_for_free(uint64_t done, uint64_t total, void *context) {
    struct paid *paid = context;
    kinfolk_identities *found = NULL;
    (void)done, (void)total;
    OK(kinfolk_discover_contacts(paid->session, paid->book, paid->state, paid->length, &found));
    EQUAL(kinfolk_identities_count(found), PEOPLE);
    kinfolk_identities_free(found);
    FAILS(KINFOLK_REQUEST_RATE_LIMITED, kinfolk_discover_contacts(paid->session, paid->book, NULL, 0, &found));
    return true;
}

static void paid_contacts_stay_free(void) {
    kinfolk_service *service = open_store();
    kinfolk_container *notes = NULL;
    kinfolk_account *account = NULL;
    kinfolk_identities *found = NULL;
    const uint8_t *bytes = NULL;
    struct paid paid;
    add_people(service);
    OK(kinfolk_container_open(service, NOTES, &notes));
    OK(kinfolk_container_set_permits(notes, PEOPLE, 0, PEOPLE));
    OK(kinfolk_account_find_by_email(service, "ada@example.com", &account));
    paid.session = sign_in(notes, account);
    paid.book = everybody();
    OK(kinfolk_discover_contacts(paid.session, paid.book, NULL, 0, &found));
    OK(kinfolk_identities_sync_state(found, &bytes, &paid.length));
    REQUIRE(paid.length <= sizeof paid.state);
    memcpy(paid.state, bytes, paid.length);
    kinfolk_identities_free(found);
    ask_for_free(0, 0, &paid);
    OK(kinfolk_service_rotate_keys(service, NULL, false, ask_for_free, &paid, NULL, NULL));
    ask_for_free(0, 0, &paid);
    OK(kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, NULL, NULL)); /* and after one more */
    ask_for_free(0, 0, &paid);
    kinfolk_contacts_free(paid.book);
    kinfolk_session_free(paid.session);
    kinfolk_account_free(account);
    kinfolk_container_free(notes);
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

static void an_empty_store_gets_new_keys_too(void) {
    kinfolk_service *service = open_store();
    char *old = NULL;
    OK(kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, &old, NULL));
    SAME(old, file_path("kinfolk.key.1"));
    kinfolk_free(old);
    OK(kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, &old, NULL));
    SAME(old, file_path("kinfolk.key.2"));
    kinfolk_free(old);
    kinfolk_service_free(service);
    check_small(STORE, (kinfolk_service_free(open_small(NULL)), with_key_file(NULL)));
}

static void a_key_of_the_host_is_replaced_by_another(void) {
    kinfolk_open_options first = with_key(a_key), second = with_key(another_key);
    kinfolk_service *service = open_small(&first);
    char *old = (char *)1;
    OK(kinfolk_service_rotate_keys(service, &second, false, NULL, NULL, &old, NULL));
    CHECK(old == NULL);
    kinfolk_service_free(service);
    FAILS(KINFOLK_KEY_MISMATCH, try_to_open(STORE, first));
    check_small(STORE, second);
    CHECK(!file_exists(file_path("kinfolk.key")));
}

static void the_new_key_may_be_written_to_another_file(void) {
    kinfolk_service *service = open_small(NULL);
    kinfolk_open_options elsewhere = with_key_file(file_path("elsewhere"));
    struct stat status;
    char *old = (char *)1;
    OK(kinfolk_service_rotate_keys(service, &elsewhere, false, NULL, NULL, &old, NULL));
    CHECK(old == NULL); /* the old key is where it was */
    kinfolk_service_free(service);
    REQUIRE(stat(file_path("elsewhere"), &status) == 0);
    EQUAL(status.st_mode & 07777, 0600);
    FAILS(KINFOLK_KEY_MISMATCH, try_to_open(STORE, with_key_file(file_path("kinfolk.key"))));
    check_small(STORE, elsewhere);
}

static void a_key_can_be_replaced_by_a_passphrase_and_back(void) {
    kinfolk_open_options passphrase = KINFOLK_OPEN_OPTIONS_INIT, other = passphrase, key = with_key(a_key);
    kinfolk_service *service = open_small(&key);
    passphrase.passphrase = "correct horse battery staple";
    other.passphrase = "another passphrase";
    OK(kinfolk_service_rotate_keys(service, &passphrase, false, NULL, NULL, NULL, NULL));
    kinfolk_service_free(service);
    FAILS(KINFOLK_KEY_MISMATCH, try_to_open(STORE, key));
    check_small(STORE, passphrase);
    OK(store_open(STORE, &passphrase, &service));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_service_rotate_keys(service, &passphrase, false, NULL, NULL, NULL, NULL));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, NULL, NULL));
    OK(kinfolk_service_rotate_keys(service, &other, false, NULL, NULL, NULL, NULL));
    FAILS(KINFOLK_KEY_MISMATCH, try_to_open(STORE, passphrase));
    check_small(STORE, other);
    OK(kinfolk_service_rotate_keys(service, &key, false, NULL, NULL, NULL, NULL));
    kinfolk_service_free(service);
    FAILS(KINFOLK_KEY_MISMATCH, try_to_open(STORE, other));
    check_small(STORE, key);
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

static void an_idle_service_reads_the_new_key_from_its_file(void) {
    kinfolk_service *busy = open_small(NULL), *idle = open_store();
    kinfolk_account *account = NULL;
    OK(kinfolk_service_rotate_keys(busy, NULL, false, NULL, NULL, NULL, NULL));
    OK(kinfolk_service_rotate_keys(busy, NULL, false, NULL, NULL, NULL, NULL));
    OK(kinfolk_account_find_by_email(idle, "ada@example.com", &account));
    kinfolk_account_free(account);
    kinfolk_service_free(busy);
    kinfolk_service_free(idle);
}

static void an_idle_service_with_a_key_of_the_host_must_be_reopened(void) {
    kinfolk_open_options first = with_key(a_key), second = with_key(another_key);
    kinfolk_service *busy = open_small(&first), *idle = NULL;
    kinfolk_account *account = NULL;
    OK(store_open(STORE, &first, &idle));
    OK(kinfolk_service_rotate_keys(busy, &second, false, NULL, NULL, NULL, NULL));
    FAILS(KINFOLK_KEY_MISMATCH, kinfolk_account_find_by_email(idle, "ada@example.com", &account));
    FAILS(KINFOLK_KEY_MISMATCH, kinfolk_account_create(idle, "", "", &account));
    CHECK(account == NULL);
    kinfolk_service_free(busy);
    kinfolk_service_free(idle);
}

static void a_copy_from_before_the_rotation_needs_the_old_key(void) {
    kinfolk_service *service = open_small(NULL);
    char *old = NULL;
    OK(kinfolk_service_back_up(service, file_path("copy.db"), NULL, NULL));
    OK(kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, &old, NULL));
    kinfolk_service_free(service);
    FAILS(KINFOLK_KEY_MISMATCH, try_to_open(file_path("copy.db"), with_key_file(file_path("kinfolk.key"))));
    check_small(file_path("copy.db"), with_key_file(old));
    kinfolk_free(old);
}

/* A store was replaced by a new one, and the old key files are still next to it. */
static void an_existing_file_in_the_place_of_the_old_key_does_not_lose_the_key(void) {
    static const char stranger[] = "the key of another store\n";
    kinfolk_service *service = open_small(NULL);
    char key[200], kept[200], *old = NULL;
    read_file(file_path("kinfolk.key"), key, sizeof key);
    write_file(file_path("kinfolk.key.1"), stranger, sizeof stranger - 1);
    REQUIRE(chmod(file_path("kinfolk.key.1"), 0600) == 0);
    OK(kinfolk_service_back_up(service, file_path("copy.db"), NULL, NULL));
    OK(kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, &old, NULL));
    kinfolk_service_free(service);
    CHECK(file_holds(file_path("kinfolk.key.1"), stranger, sizeof stranger - 1));
    REQUIRE(old != NULL);
    read_file(old, kept, sizeof kept);
    SAME(kept, key);
    check_small(file_path("copy.db"), with_key_file(old));
    kinfolk_free(old);
}

/* ---- Several processes, and one that is killed */

static int report_to;

static void prepare(void) {
    kinfolk_service *service = open_store();
    add_people(service);
    allow_much(service);
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
    ask(service, &before);
    OK(try_to_open(STORE, with_key_file(file_path("kinfolk.key.1")))); /* either key opens it as long */
    OK(kinfolk_service_rotate_keys(service, NULL, false, count_batches, &batches, &old, NULL));
    CHECK(batches >= 1 && batches < 3); /* not from the beginning */
    SAME(old, file_path("kinfolk.key.1"));
    kinfolk_free(old);
    read_file(file_path("kinfolk.key.1"), kept_key, sizeof kept_key);
    SAME(kept_key, old_key);
    CHECK(!file_exists(file_path("kinfolk.key.2")) && !file_exists(file_path("kinfolk.key.new")));
    same_answers(service);
    kinfolk_service_free(service);
    FAILS(KINFOLK_KEY_MISMATCH, try_to_open(STORE, with_key_file(file_path("kinfolk.key.1"))));
    service = open_store();
    same_answers(service);
    kinfolk_service_free(service);
}

static void rotate_to_another_key_until_killed(void) {
    kinfolk_open_options options = with_key(a_key), to = with_key(another_key);
    kinfolk_service *service = NULL;
    OK(store_open(STORE, &options, &service));
    (void)kinfolk_service_rotate_keys(service, &to, false, tell_and_wait, NULL, NULL, NULL);
}

static void make_with_a_key(void) {
    kinfolk_open_options options = with_key(a_key);
    kinfolk_service *service = NULL;
    OK(store_open(STORE, &options, &service));
    add_people(service);
    allow_much(service);
    kinfolk_service_free(service);
}

/* The host may have lost the new key when the process was killed. A third key works too. */
static void a_killed_rotation_may_end_with_yet_another_key(void) {
    static const uint8_t third_key[KINFOLK_KEY_LENGTH] = "the third key of all: 32 bytes.";
    kinfolk_open_options first = with_key(a_key), second = with_key(another_key), third = with_key(third_key);
    kinfolk_service *service = NULL;
    char ignored;
    int ends[2];
    pid_t child;
    in_child(make_with_a_key);
    REQUIRE(pipe(ends) == 0);
    report_to = ends[1];
    child = start_child(rotate_to_another_key_until_killed);
    close(ends[1]);
    REQUIRE(read(ends[0], &ignored, 1) == 1);
    close(ends[0]);
    kill_child(child);
    OK(try_to_open(STORE, second));
    OK(store_open(STORE, &first, &service));
    ask(service, &before);
    OK(kinfolk_service_rotate_keys(service, &third, false, NULL, NULL, NULL, NULL));
    same_answers(service);
    kinfolk_service_free(service);
    FAILS(KINFOLK_KEY_MISMATCH, try_to_open(STORE, first));
    FAILS(KINFOLK_KEY_MISMATCH, try_to_open(STORE, second));
    service = NULL;
    OK(store_open(STORE, &third, &service));
    same_answers(service);
    kinfolk_service_free(service);
}

static void rotate_to_a_file_until_killed(void) {
    kinfolk_open_options to = with_key_file(file_path("elsewhere"));
    kinfolk_service *service = open_store();
    (void)kinfolk_service_rotate_keys(service, &to, false, tell_and_wait, NULL, NULL, NULL);
}

/* A call without a new key must not finish the running rotation with the old key. */
static void a_killed_rotation_to_another_file_may_end_in_the_stores_own(void) {
    kinfolk_service *service;
    char *old = NULL, ignored;
    int ends[2];
    pid_t child;
    in_child(prepare);
    REQUIRE(pipe(ends) == 0);
    report_to = ends[1];
    child = start_child(rotate_to_a_file_until_killed);
    close(ends[1]);
    REQUIRE(read(ends[0], &ignored, 1) == 1);
    close(ends[0]);
    kill_child(child);
    service = open_store();
    ask(service, &before);
    OK(kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, &old, NULL));
    SAME(old, file_path("kinfolk.key.1"));
    kinfolk_free(old);
    kinfolk_service_free(service);
    FAILS(KINFOLK_KEY_MISMATCH, try_to_open(STORE, with_key_file(file_path("kinfolk.key.1"))));
    FAILS(KINFOLK_KEY_MISMATCH, try_to_open(STORE, with_key_file(file_path("elsewhere"))));
    service = open_store();
    same_answers(service);
    kinfolk_service_free(service);
}

static void rotate_thrice(void) {
    kinfolk_service *service = open_store();
    int i;
    for (i = 0; i < 3; i++) OK(kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, NULL, NULL));
    kinfolk_service_free(service);
}

static void ask_over_and_over(void) {
    kinfolk_service *service = open_store();
    int i;
    ask(service, &before);
    for (i = 0; i < 40; i++) same_answers(service);
    kinfolk_service_free(service);
}

static void write_all_the_while(void) {
    kinfolk_service *service = open_store();
    char email[40];
    int i;
    for (i = 0; i < 100; i++) {
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
    children[0] = start_child(ask_over_and_over);
    children[1] = start_child(write_all_the_while);
    children[2] = start_child(rotate_thrice);
    children[3] = start_child(ask_over_and_over);
    for (i = 0; i < 4; i++) finish_child(children[i]);
    service = open_store();
    for (i = 0; i < 100; i++) {
        snprintf(email, sizeof email, "while%d@example.com", i);
        OK(kinfolk_account_find_by_email(service, email, &account));
        kinfolk_account_free(account);
    }
    kinfolk_service_free(service);
}

static void rotate_once(void) {
    kinfolk_service *service = open_store();
    OK(kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, NULL, NULL));
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

static void concurrent_rotations_all_succeed(void) {
    kinfolk_service *service;
    pid_t children[4];
    int i, round;
    in_child(prepare);
    for (round = 0; round < 3; round++) {
        for (i = 0; i < 4; i++) children[i] = start_child(rotate_once);
        for (i = 0; i < 4; i++) finish_child(children[i]);
    }
    CHECK(!file_exists(file_path("kinfolk.key.new")));
    service = open_store();
    ask(service, &before);
    kinfolk_service_free(service);
}

BEGIN
    RUN(all_calls_give_the_same_answers_before_during_and_after);
    RUN(the_next_call_resumes_a_cancelled_rotation);
    RUN(paid_contacts_stay_free);
    RUN(an_empty_store_gets_new_keys_too);
    RUN(a_key_of_the_host_is_replaced_by_another);
    RUN(the_new_key_may_be_written_to_another_file);
    RUN(a_key_can_be_replaced_by_a_passphrase_and_back);
    RUN(an_invalid_new_key_is_refused_and_changes_nothing);
    RUN(an_idle_service_reads_the_new_key_from_its_file);
    RUN(an_idle_service_with_a_key_of_the_host_must_be_reopened);
    RUN_ON_FILES(a_copy_from_before_the_rotation_needs_the_old_key);
    RUN_ON_FILES(an_existing_file_in_the_place_of_the_old_key_does_not_lose_the_key);
    RUN(a_killed_rotation_is_resumed);
    RUN(a_killed_rotation_may_end_with_yet_another_key);
    RUN(a_killed_rotation_to_another_file_may_end_in_the_stores_own);
    RUN(other_processes_notice_nothing);
    RUN(a_key_file_is_where_it_was_when_the_store_was_opened);
    RUN(concurrent_rotations_all_succeed);
END
