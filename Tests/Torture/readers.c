/* readers: processes write to one zone while others follow its changes. Each reader sees the last state of everything, once. */

#include "cluster.h"
#include "inspect.h"

#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char help[] =
    "readers [--short] [--seed N] [--rounds N] [--only file|server]\n"
    "\n"
    "Two processes with four threads each write to one zone, with one reader in each\n"
    "process that follows its changes with tokens, five changes at a time. Each\n"
    "thread writes atomic batches: one value for all of its records, or their\n"
    "deletion; and single records that all threads write. Meanwhile one process\n"
    "changes the service key again and again. Once on a file, and once on a server.\n"
    "  - after each page, all records of a thread have one value, or none is there:\n"
    "    no batch is torn, and no value is older than the one before;\n"
    "  - no reader is told the same state twice, and no call fails;\n"
    "  - at the end the copies of the readers are what the zone holds: nothing was\n"
    "    skipped; and a reader that begins then sees the same.\n";

enum { PROCESSES = 2, THREADS = 4, WRITERS = PROCESSES * THREADS, NAMES = 5, SHARED = WRITERS, ROUNDS_PER_KEY = 20 };

static const char zone[] = "Notes";

/* What the processes of a run are told. */
static char store[1300], key_file[1300], account_id[33];
static int rounds;

static kinfolk_service *service;
static kinfolk_database *database;

/* ---- Opening */

/* Gives up if a call of the preparations fails. */
static void need(kinfolk_status status) {
    if (status != KINFOLK_OK) give_up(kinfolk_error_message());
}

static void open_service(void) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    options.key_file = key_file;
    need(kinfolk_service_open(store, &options, &service));
}

/* Opens the private database of the only account. */
static void open_database(void) {
    kinfolk_container *container = NULL;
    kinfolk_account *account = NULL;
    kinfolk_session *session = NULL;
    need(kinfolk_container_open(service, place_names[0], &container));
    need(kinfolk_account_open(service, account_id, &account));
    need(kinfolk_session_open(container, account, &session));
    need(kinfolk_session_database(session, KINFOLK_DATABASE_PRIVATE, &database));
    kinfolk_session_free(session);
    kinfolk_account_free(account);
    kinfolk_container_free(container);
}

static void close_all(void) {
    kinfolk_database_free(database);
    kinfolk_service_free(service);
    database = NULL;
    service = NULL;
}

/* ---- Writing */

/* The name of a record of a writer. The writer SHARED stands for all of them. */
static const char *record_name(int writer, int number) {
    return brief("%d %d", writer, number);
}

static kinfolk_status add_save(kinfolk_batch *batch, const char *name, int64_t value) {
    kinfolk_record *record = NULL;
    kinfolk_status status = kinfolk_record_new("Note", name, zone, &record);
    if (status == KINFOLK_OK) status = kinfolk_record_set_int64(record, "value", value);
    if (status == KINFOLK_OK) status = kinfolk_batch_save(batch, KINFOLK_OPERATION_FORCE_REPLACE, record);
    kinfolk_record_free(record);
    return status;
}

/* Each fourth round deletes the records of the writer. The last round of half of the writers does. */
static kinfolk_status write_round(int writer, int round) {
    bool deletes = (rounds - round) % 4 == writer % 2 * 2;
    kinfolk_batch *batch = NULL;
    size_t i;
    int number;
    kinfolk_status status = kinfolk_batch_new(&batch);
    for (number = 0; number < NAMES && status == KINFOLK_OK; number++) {
        const char *name = record_name(writer, number);
        status = deletes ? kinfolk_batch_delete(batch, KINFOLK_OPERATION_FORCE_DELETE, name, zone, NULL)
                         : add_save(batch, name, round);
    }
    if (status == KINFOLK_OK) status = add_save(batch, record_name(SHARED, round % NAMES), round * WRITERS + writer);
    if (status == KINFOLK_OK) status = kinfolk_batch_run(batch, database, true, NULL);
    for (i = 0; i < kinfolk_batch_count(batch) && status == KINFOLK_OK; i++) status = kinfolk_batch_status(batch, i);
    kinfolk_batch_free(batch);
    return status;
}

static int writing; /* threads of this process that write */

static void *write_all(void *number) {
    int writer = (int)(intptr_t)number, round;
    for (round = 1; round <= rounds; round++) {
        if (write_round(writer, round) == KINFOLK_OK) continue;
        broken("writer %d, round %d: %s", writer, round, kinfolk_error_message());
        break;
    }
    __atomic_sub_fetch(&writing, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

/* ---- Reading */

struct copy {
    int64_t values[WRITERS + 1][NAMES]; /* 0: there is no such record */
    char tags[WRITERS + 1][NAMES][17];
    int64_t last[WRITERS]; /* the last round that was seen of each writer */
    uint8_t token[256];
    size_t length;
    long pages, changes;
};

static void apply(struct copy *copy, const kinfolk_changes *changes, size_t index) {
    kinfolk_record *record = NULL;
    int writer = 0, number = 0;
    bool is_deleted = kinfolk_changes_is_deleted(changes, index);
    const char *name = kinfolk_changes_deleted_name(changes, index), *tag = "";
    int64_t value = 0;
    if (!is_deleted) {
        need(kinfolk_changes_record(changes, index, &record));
        need(kinfolk_record_get_int64(record, "value", &value));
        name = kinfolk_record_name(record);
        tag = kinfolk_record_change_tag(record);
    }
    if (sscanf(name, "%d %d", &writer, &number) != 2 || writer < 0 || writer > WRITERS || number < 0 || number >= NAMES)
        give_up("an unknown record");
    if (!is_deleted && strcmp(copy->tags[writer][number], tag) == 0) broken("the same state of %s came twice", name);
    copy->values[writer][number] = value;
    snprintf(copy->tags[writer][number], sizeof copy->tags[writer][number], "%s", tag);
    kinfolk_record_free(record);
}

static void check_batches(struct copy *copy) {
    int writer, number;
    for (writer = 0; writer < WRITERS; writer++) {
        int64_t value = copy->values[writer][0];
        for (number = 1; number < NAMES; number++)
            if (copy->values[writer][number] != value)
                broken("a batch of writer %d is torn: %ld and %ld", writer, (long)value, (long)copy->values[writer][number]);
        if (value == 0) continue;
        if (value < copy->last[writer]) broken("writer %d goes back to %ld", writer, (long)value);
        copy->last[writer] = value;
    }
}

/* Takes the next page. Returns whether there may be more. */
static bool follow(struct copy *copy, size_t limit) {
    kinfolk_changes *changes = NULL;
    const uint8_t *token = NULL;
    bool more_coming;
    size_t i;
    if (kinfolk_zone_changes(database, zone, copy->length == 0 ? NULL : copy->token, copy->length, limit, &changes) !=
        KINFOLK_OK) {
        broken("reading: %s", kinfolk_error_message());
        return false;
    }
    for (i = 0; i < kinfolk_changes_count(changes); i++) apply(copy, changes, i);
    copy->pages++;
    copy->changes += (long)kinfolk_changes_count(changes);
    need(kinfolk_changes_token(changes, &token, &copy->length));
    memcpy(copy->token, token, copy->length);
    more_coming = kinfolk_changes_more_coming(changes);
    kinfolk_changes_free(changes);
    check_batches(copy);
    return more_coming;
}

/* Compares a copy with the records of the zone. */
static void compare(const struct copy *copy) {
    int writer, number;
    for (writer = 0; writer <= WRITERS; writer++)
        for (number = 0; number < NAMES; number++) {
            kinfolk_record *record = NULL;
            const char *name = record_name(writer, number), *tag = "";
            kinfolk_status status = kinfolk_database_fetch(database, name, zone, &record);
            if (status == KINFOLK_OK) tag = kinfolk_record_change_tag(record);
            else if (status != KINFOLK_UNKNOWN_ITEM) broken("fetching: %s", kinfolk_error_message());
            if (strcmp(tag, copy->tags[writer][number]) != 0) broken("a reader missed a change of %s", name);
            kinfolk_record_free(record);
        }
}

/* ---- A process */

/* Runs until the other end of the pipe is closed, which says that both processes have written everything. */
static int work(int argc, char **argv) {
    static struct copy copy;
    int process = atoi(option(argc, argv, "--process")), done = atoi(option(argc, argv, "--done")), i;
    int begin = atoi(option(argc, argv, "--begin"));
    pthread_t threads[THREADS];
    char byte = 0;
    snprintf(store, sizeof store, "%s", option(argc, argv, "--store"));
    snprintf(key_file, sizeof key_file, "%s", option(argc, argv, "--key-file"));
    snprintf(account_id, sizeof account_id, "%s", option(argc, argv, "--account"));
    rounds = atoi(option(argc, argv, "--rounds"));
    open_service();
    open_database();
    writing = THREADS;
    for (i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, write_all, (void *)(intptr_t)(process * THREADS + i)) != 0)
            give_up("pthread_create");
    while (__atomic_load_n(&writing, __ATOMIC_SEQ_CST) > 0 && broken_count() < 20) (void)follow(&copy, 5);
    for (i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    if (write(done, &byte, 1) != 1 || read(begin, &byte, 1) < 0) give_up("pipe");
    while (follow(&copy, 5)) continue;
    compare(&copy);
    close_all();
    printf("    reader %d: %ld changes in %ld pages\n", process, copy.changes, copy.pages);
    fflush(stdout);
    return broken_count() > 0;
}

/* ---- All of them */

static void prepare(void) {
    kinfolk_container *container = NULL;
    kinfolk_account *account = NULL;
    open_service();
    need(kinfolk_container_create(service, place_names[0], &container));
    need(kinfolk_schema_add_field(container, "Note", "value", KINFOLK_INT64, KINFOLK_INDEX_STANDARD));
    need(kinfolk_account_create(service, "Ada", "Example", &account));
    snprintf(account_id, sizeof account_id, "%s", kinfolk_account_id(account));
    open_database();
    need(kinfolk_zone_save(database, zone));
    kinfolk_account_free(account);
    kinfolk_container_free(container);
}

static pid_t start(const char *program, int process, int done, int begin, int unused) {
    pid_t pid = fork();
    if (pid < 0) give_up("fork");
    if (pid == 0) {
        close(unused);
        execl(program, program, "--process", text("%d", process), "--store", store, "--key-file", key_file, "--account",
              account_id, "--rounds", text("%d", rounds), "--done", text("%d", done), "--begin", text("%d", begin),
              (char *)NULL);
        _exit(127);
    }
    return pid;
}

/* Changes the service key beside the writers. */
static void rotate(void) {
    char *old_key_file = NULL;
    if (kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, &old_key_file, NULL) != KINFOLK_OK)
        broken("rotating: %s", kinfolk_error_message());
    kinfolk_free(old_key_file);
}

static void experiment(const char *program, const char *name) {
    static struct copy late;
    int done[2], begin[2], i, status, rotations = 0;
    long before = broken_count();
    pid_t pids[PROCESSES];
    const char *why;
    char byte;
    struct hands hands;
    prepare();
    if (pipe(done) != 0 || pipe(begin) != 0) give_up("pipe");
    for (i = 0; i < PROCESSES; i++) pids[i] = start(program, i, done[1], begin[0], begin[1]);
    close(done[1]);
    close(begin[0]);
    for (; rotations < rounds / ROUNDS_PER_KEY; rotations++) rotate();
    for (i = 0; i < PROCESSES; i++)
        if (read(done[0], &byte, 1) != 1) broken("a process failed");
    close(begin[1]);
    for (i = 0; i < PROCESSES; i++)
        if (waitpid(pids[i], &status, 0) < 0 || status != 0) broken("process %d failed", i);
    close(done[0]);
    memset(&late, 0, sizeof late);
    while (follow(&late, 0)) continue;
    compare(&late);
    memset(&hands, 0, sizeof hands);
    hands.service = service;
    if (*(why = inspect_soundness(&hands)) != '\0') broken("at the end: %s", why);
    close_all();
    row(text("readers, %s", name), text("%d batches, %d key changes", WRITERS * rounds, rotations), "all seen once, none torn",
        before);
}

int main(int argc, char **argv) {
    static struct cluster cluster;
    struct options options;
    const char *rounds_text = option(argc, argv, "--rounds"), *only = option(argc, argv, "--only");
    if (option(argc, argv, "--process") != NULL) return work(argc, argv);
    options = read_options(argc, argv, help);
    rounds = rounds_text != NULL ? atoi(rounds_text) : options.is_short ? 40 : 400;
    if (rounds < 3) give_up("--rounds");
    watchdog(900);
    if (chmod(scratch(), 0755) != 0) give_up(scratch()); /* the server may run as another user */
    if (only == NULL || strcmp(only, "file") == 0) {
        snprintf(store, sizeof store, "%s/kinfolk.db", scratch());
        snprintf(key_file, sizeof key_file, "%s/kinfolk.key", scratch());
        printf("  file:\n");
        fflush(stdout);
        experiment(argv[0], "file");
    }
    if (only == NULL || strcmp(only, "server") == 0) {
        cluster_make(&cluster, "readers");
        cluster_make_database(&cluster, "readers", "");
        snprintf(store, sizeof store, "postgresql://kinfolk@127.0.0.1:%d/readers", cluster.port);
        snprintf(key_file, sizeof key_file, "%s/server.key", scratch());
        printf("  server:\n");
        fflush(stdout);
        experiment(argv[0], "server");
        cluster_stop(&cluster);
    }
    return finish();
}
