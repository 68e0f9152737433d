/* notifications: the processes that write, that make notifications and that receive them are killed. Nothing is lost. */

#include "cluster.h"
#include "inspect.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char help[] =
    "notifications [--short] [--seed N] [--kills N] [--only file|server]\n"
    "\n"
    "Two processes create, change and delete records. Two devices of a subscriber\n"
    "receive the notifications, each in its own process, and report them before they\n"
    "acknowledge them. A guest may read other records while it has a role and is not\n"
    "suspended. Again and again one process is ended with kill -9 and replaced, while\n"
    "the role is taken away and given, the guest is suspended and resumed, the\n"
    "service key changes, and visitors come, subscribe, block the subscriber and are\n"
    "erased. Once on a file; and once on a server, which is killed too.\n"
    "  - each device is told of each change that a writer reported, and of all\n"
    "    records that are there at the end;\n"
    "  - each record keeps its order: first its creation, nothing after its deletion;\n"
    "  - nothing is dropped, and nobody waits for ever;\n"
    "  - the guest receives nothing that it may not read at that moment;\n"
    "  - the check of the store finds nothing.\n";

enum { DEVICES = 2, WRITERS = 2, CHILDREN = WRITERS + DEVICES + 1, EVER = 2000, WINDOW = 20 };
/* What was done to a record, and what was told of it: the numbers of kinfolk_reason as bits. */
enum { CREATED = 1 << KINFOLK_REASON_RECORD_CREATED, UPDATED = 1 << KINFOLK_REASON_RECORD_UPDATED,
       DELETED = 1 << KINFOLK_REASON_RECORD_DELETED };

static const char role[] = "Reader";
static const char schema[] =
    "DEFINE SCHEMA CREATE ROLE Reader;\n"
    "RECORD TYPE Note (value INT64, GRANT READ TO \"_world\", GRANT WRITE TO \"_creator\", GRANT CREATE TO \"_icloud\");\n"
    "RECORD TYPE Secret (value INT64, GRANT READ TO Reader, GRANT WRITE TO \"_creator\", GRANT CREATE TO \"_icloud\");\n";
static const char *const devices[DEVICES] = { "phone", "laptop" };

/* What all processes see. */
struct board {
    int phase;                /* odd while the rights of the guest change */
    bool may_read;            /* whether the guest may read secrets */
    int told[DEVICES][EVER];  /* the number of the last record of a writer of which a device was told */
};

/* What a writer has done, or what a device was told. */
struct report {
    int device; /* -1: a writer's report */
    int writer, number;
    int bits;
};

static struct board *board;
static char store[1300], key_file[1300], board_file[1300];
static char subscriber_id[33], writer_id[33], guest_id[33];
static bool may_be_unavailable; /* because the server is killed */
static int pipe_end;

static kinfolk_service *service;
static kinfolk_container *container;

/* ---- Opening */

static void need(kinfolk_status status) {
    if (status != KINFOLK_OK) give_up(kinfolk_error_message());
}

/* Whether a failed call is to be made again later. */
static bool is_passing(kinfolk_status status) {
    return may_be_unavailable && status == KINFOLK_SERVICE_UNAVAILABLE;
}

static void open_service(void) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    kinfolk_status status;
    options.key_file = key_file;
    while (is_passing(status = kinfolk_service_open(store, &options, &service))) pause_for(0.1);
    need(status);
}

static void open_container(void) {
    kinfolk_status status;
    open_service();
    while (is_passing(status = kinfolk_container_open(service, place_names[0], &container))) pause_for(0.1);
    need(status);
}

static kinfolk_session *session_of(const char *account_id, const char *device) {
    kinfolk_account *account = NULL;
    kinfolk_session *session = NULL;
    kinfolk_status status;
    do {
        status = kinfolk_account_open(service, account_id, &account);
        if (status == KINFOLK_OK) status = kinfolk_session_open_on_device(container, account, device, &session);
        kinfolk_account_free(account);
        account = NULL;
        if (is_passing(status)) pause_for(0.1);
    } while (is_passing(status));
    need(status);
    return session;
}

static kinfolk_database *public_database(const kinfolk_session *session) {
    kinfolk_database *database = NULL;
    need(kinfolk_session_database(session, KINFOLK_DATABASE_PUBLIC, &database));
    return database;
}

static void close_all(void) {
    kinfolk_container_free(container);
    kinfolk_service_free(service);
    container = NULL;
    service = NULL;
}

static void look_at_board(void) {
    int file = open(board_file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, sizeof *board) != 0) give_up(board_file);
    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (board == MAP_FAILED) give_up("mmap");
    close(file);
}

/* ---- A writer */

static void tell(int device, int writer, int number, int bits) {
    struct report report;
    report.device = device;
    report.writer = writer;
    report.number = number;
    report.bits = bits;
    if (write(pipe_end, &report, sizeof report) != (ssize_t)sizeof report) exit(1);
}

/* Whether a call of a writer succeeded. If the server was killed, nobody knows what came of it. */
static bool is_done(kinfolk_status status, const char *what) {
    if (status == KINFOLK_OK) return true;
    if (is_passing(status)) return false;
    broken("%s: %s", what, kinfolk_error_message());
    exit(1);
}

/* Saves a record, changes half of them, and deletes a quarter. */
static void write_note(const kinfolk_database *database, struct dice *dice, int writer, int number) {
    kinfolk_record *record = NULL;
    const char *name = brief("w%d %d", writer, number);
    need(kinfolk_record_new("Note", name, NULL, &record));
    need(kinfolk_record_set_int64(record, "value", 1));
    if (is_done(kinfolk_database_save(database, record, KINFOLK_SAVE_IF_UNCHANGED), "creating")) {
        bool is_whole = true;
        tell(-1, writer, number, CREATED);
        if (dice_below(dice, 2) == 0) {
            need(kinfolk_record_set_int64(record, "value", 2));
            is_whole = is_done(kinfolk_database_save(database, record, KINFOLK_SAVE_ALL_KEYS), "changing");
            if (is_whole) tell(-1, writer, number, UPDATED);
        }
        if (is_whole && dice_below(dice, 4) == 0 &&
            is_done(kinfolk_database_delete(database, name, NULL, NULL, NULL), "deleting"))
            tell(-1, writer, number, DELETED);
    }
    kinfolk_record_free(record);
}

static void write_secret(const kinfolk_database *database) {
    kinfolk_record *record = NULL;
    need(kinfolk_record_new("Secret", NULL, NULL, &record));
    (void)is_done(kinfolk_database_save(database, record, KINFOLK_SAVE_IF_UNCHANGED), "creating a secret");
    kinfolk_record_free(record);
}

static int write_all(int writer, uint64_t seed) {
    struct dice dice = dice_of(seed, (uint64_t)writer + 10);
    kinfolk_session *session = session_of(writer_id, "writer");
    kinfolk_database *database = public_database(session);
    int number;
    for (number = 1;; number++) {
        write_note(database, &dice, writer, number);
        write_secret(database);
        /* A user has at most 1,000 notifications that wait. */
        while (number - __atomic_load_n(&board->told[0][writer], __ATOMIC_SEQ_CST) > WINDOW ||
               number - __atomic_load_n(&board->told[1][writer], __ATOMIC_SEQ_CST) > WINDOW) {
            if (getppid() == 1) return 1;
            pause_for(0.005);
        }
    }
}

/* ---- A device */

/* Reports a notification. Returns the number of its record, and sets its writer. */
static void receive(int device, const kinfolk_notification *notification) {
    int writer = 0, number = 0, *told;
    const char *name = kinfolk_notification_record_name(notification);
    if (kinfolk_notification_kind(notification) != KINFOLK_NOTIFICATION_QUERY) {
        broken("notifications of %s were dropped", devices[device]);
        exit(1);
    }
    if (sscanf(name, "w%d %d", &writer, &number) != 2 || writer < 0 || writer >= EVER || number < 0) {
        broken("an unknown record: %s", name);
        exit(1);
    }
    tell(device, writer, number, 1 << kinfolk_notification_reason(notification));
    told = &board->told[device][writer];
    if (number > __atomic_load_n(told, __ATOMIC_SEQ_CST)) __atomic_store_n(told, number, __ATOMIC_SEQ_CST);
}

/* Fetches what waits, and acknowledges it. Returns how many there were; -1 if the server is not there. */
static int fetch(kinfolk_session *session, int device, double seconds) {
    kinfolk_notifications *page = NULL;
    kinfolk_notification *notification = NULL;
    const uint8_t *id;
    size_t length, i, count;
    kinfolk_status status = kinfolk_notifications_fetch(session, 50, seconds, &page);
    if (is_passing(status)) return -1;
    need(status);
    count = kinfolk_notifications_count(page);
    for (i = 0; i < count; i++) {
        need(kinfolk_notifications_notification(page, i, &notification));
        receive(device, notification);
        if (i + 1 == count) {
            need(kinfolk_notification_id(notification, &id, &length));
            status = kinfolk_notifications_acknowledge(session, id, length);
            if (!is_passing(status)) need(status);
        }
        kinfolk_notification_free(notification);
    }
    kinfolk_notifications_free(page);
    return (int)count;
}

static bool receive_one(const kinfolk_notification *notification, void *device) {
    receive((int)(intptr_t)device, notification);
    return true;
}

/* One device fetches, the other one has a callback. */
static int receive_all(int device) {
    kinfolk_session *session = session_of(subscriber_id, devices[device]);
    if (device == 1) {
        kinfolk_status status;
        while (is_passing(status = kinfolk_session_on_notification(session, receive_one, (void *)(intptr_t)device)))
            pause_for(0.1);
        need(status);
    }
    while (getppid() != 1)
        if (device == 1) pause_for(1);
        else if (fetch(session, device, 1) < 0) pause_for(0.1);
    return 1;
}

/* ---- The guest */

static int visit(void) {
    kinfolk_session *session = session_of(guest_id, "phone");
    while (getppid() != 1) {
        kinfolk_notifications *page = NULL;
        kinfolk_notification *last = NULL;
        const uint8_t *id;
        size_t length, count;
        int before = __atomic_load_n(&board->phase, __ATOMIC_SEQ_CST);
        bool may_read = __atomic_load_n(&board->may_read, __ATOMIC_SEQ_CST);
        kinfolk_status status = kinfolk_notifications_fetch(session, 50, 0.05, &page);
        bool is_same = before % 2 == 0 && before == __atomic_load_n(&board->phase, __ATOMIC_SEQ_CST);
        count = kinfolk_notifications_count(page);
        if (status == KINFOLK_OK && count > 0) {
            need(kinfolk_notifications_notification(page, count - 1, &last));
            if (is_same && !may_read && kinfolk_notification_kind(last) == KINFOLK_NOTIFICATION_QUERY) {
                broken("the guest was told of a %s that it may not read", kinfolk_notification_record_type(last));
                return 1;
            }
            need(kinfolk_notification_id(last, &id, &length));
            status = kinfolk_notifications_acknowledge(session, id, length);
            kinfolk_notification_free(last);
        } else if (is_same && may_read && status == KINFOLK_NOT_AUTHENTICATED) {
            broken("the guest may not fetch: %s", kinfolk_error_message());
            return 1;
        }
        kinfolk_notifications_free(page);
        if (status != KINFOLK_OK && status != KINFOLK_NOT_AUTHENTICATED && !is_passing(status)) need(status);
        if (status != KINFOLK_OK) pause_for(0.05);
    }
    return 1;
}

/* The guest's rights. */
static bool has_role, is_suspended;

static void change_rights(struct dice *dice) {
    kinfolk_account *guest = NULL;
    kinfolk_status status;
    need(kinfolk_account_open(service, guest_id, &guest));
    __atomic_add_fetch(&board->phase, 1, __ATOMIC_SEQ_CST);
    if (dice_below(dice, 2) == 0) {
        has_role = !has_role;
        status = has_role ? kinfolk_role_grant(container, role, guest) : kinfolk_role_revoke(container, role, guest);
    } else {
        is_suspended = !is_suspended;
        status = is_suspended ? kinfolk_account_suspend(guest) : kinfolk_account_resume(guest);
    }
    need(status);
    __atomic_store_n(&board->may_read, has_role && !is_suspended, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&board->phase, 1, __ATOMIC_SEQ_CST);
    kinfolk_account_free(guest);
}

/* ---- What happens meanwhile */

static void subscribe(const kinfolk_session *session, const char *type) {
    kinfolk_database *database = public_database(session);
    kinfolk_subscription *subscription = NULL;
    kinfolk_query *query = NULL;
    uint32_t options = KINFOLK_FIRES_ON_RECORD_CREATION | KINFOLK_FIRES_ON_RECORD_UPDATE | KINFOLK_FIRES_ON_RECORD_DELETION;
    need(kinfolk_query_new(type, NULL, &query));
    need(kinfolk_subscription_new_query(query, options, "all", &subscription));
    need(kinfolk_subscription_save(database, subscription));
    kinfolk_subscription_free(subscription);
    kinfolk_query_free(query);
    kinfolk_database_free(database);
}

/* Somebody subscribes, blocks the subscriber, receives a little, and is erased. */
static void receive_visitor(const char *subscriber_record) {
    kinfolk_account *visitor = NULL;
    kinfolk_session *session = NULL;
    kinfolk_notifications *page = NULL;
    need(kinfolk_account_create(service, "Vera", "Example", &visitor));
    need(kinfolk_session_open_on_device(container, visitor, "phone", &session));
    subscribe(session, "Note");
    need(kinfolk_session_block(session, subscriber_record));
    need(kinfolk_notifications_fetch(session, 0, 0.05, &page));
    kinfolk_notifications_free(page);
    need(kinfolk_account_erase(visitor, NULL));
    if (kinfolk_notifications_fetch(session, 0, 0, &page) != KINFOLK_NOT_AUTHENTICATED)
        broken("an erased visitor may fetch notifications");
    kinfolk_session_free(session);
    kinfolk_account_free(visitor);
}

static void rotate(void) {
    char *old_key_file = NULL;
    if (kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, &old_key_file, NULL) != KINFOLK_OK)
        broken("rotating: %s", kinfolk_error_message());
    kinfolk_free(old_key_file);
}

/* ---- What was reported */

struct written {
    int count;
    uint8_t *done;           /* the bits of each record */
    uint8_t *told[DEVICES];
};

static struct written written[EVER];
static long changes, received[DEVICES];

static void grow(struct written *one, int number) {
    int count = number + 1 > 2 * one->count ? number + 1 : 2 * one->count, device;
    if (number < one->count) return;
    one->done = realloc(one->done, (size_t)count);
    if (one->done == NULL) give_up("realloc");
    memset(one->done + one->count, 0, (size_t)(count - one->count));
    for (device = 0; device < DEVICES; device++) {
        one->told[device] = realloc(one->told[device], (size_t)count);
        if (one->told[device] == NULL) give_up("realloc");
        memset(one->told[device] + one->count, 0, (size_t)(count - one->count));
    }
    one->count = count;
}

static void note(const struct report *report) {
    struct written *one = &written[report->writer];
    uint8_t *told;
    grow(one, report->number);
    if (report->device < 0) {
        one->done[report->number] |= (uint8_t)report->bits;
        changes++;
        return;
    }
    told = &one->told[report->device][report->number];
    if (*told == 0 && report->bits == UPDATED)
        broken("%s: w%d %d was changed before it was created", devices[report->device], report->writer, report->number);
    if ((*told & DELETED) != 0 && report->bits != DELETED)
        broken("%s: w%d %d was told after its deletion", devices[report->device], report->writer, report->number);
    *told |= (uint8_t)report->bits;
    received[report->device]++;
}

static void listen_for(int reports, double seconds) {
    double until = seconds_now() + seconds;
    struct report report;
    do {
        while (read(reports, &report, sizeof report) == (ssize_t)sizeof report) note(&report);
        pause_for(0.002);
    } while (seconds_now() < until);
}

/* Whether a device was told all that was reported; with `says`, prints what is missing. */
static bool knows_all(int device, bool says) {
    int writer, number;
    bool all = true;
    for (writer = 0; writer < EVER; writer++)
        for (number = 0; number < written[writer].count; number++) {
            int done = written[writer].done[number], told = written[writer].told[device][number];
            if ((told & DELETED) != 0 || (done & ~told) == 0) continue;
            all = false;
            if (says) broken("%s was not told all of w%d %d: %x, but %x", devices[device], writer, number, done, told);
        }
    return all;
}

/* Compares what the devices were told with the records that are there. */
static void compare_with_records(const kinfolk_database *database) {
    kinfolk_query *query = NULL;
    kinfolk_page *page = NULL, *next = NULL;
    const uint8_t *cursor = NULL;
    size_t length = 0, i;
    need(kinfolk_query_new("Note", NULL, &query));
    need(kinfolk_query_limit(query, 400));
    do {
        need(kinfolk_query_run(query, database, cursor, length, &next));
        kinfolk_page_free(page);
        page = next;
        for (i = 0; i < kinfolk_page_count(page); i++) {
            kinfolk_record *record = NULL;
            int writer = 0, number = 0, device;
            need(kinfolk_page_record(page, i, &record));
            if (sscanf(kinfolk_record_name(record), "w%d %d", &writer, &number) != 2) give_up("an unknown record");
            grow(&written[writer], number);
            for (device = 0; device < DEVICES; device++)
                if ((written[writer].told[device][number] & (CREATED | DELETED)) != CREATED)
                    broken("%s: w%d %d is there, and was told as %x", devices[device], writer, number,
                           written[writer].told[device][number]);
            kinfolk_record_free(record);
        }
        need(kinfolk_page_cursor(page, &cursor, &length));
    } while (length > 0);
    kinfolk_page_free(page);
    kinfolk_query_free(query);
}

/* ---- The processes */

struct child {
    pid_t pid;
    int kind; /* 0 to WRITERS - 1: a writer; then the devices; then the guest */
};

static int writers;

static struct child start(const char *program, int kind, uint64_t seed) {
    struct child child;
    int writer = kind < WRITERS ? writers++ : 0;
    if (writer >= EVER) give_up("too many writers");
    child.kind = kind;
    child.pid = fork();
    if (child.pid < 0) give_up("fork");
    if (child.pid == 0) {
        execl(program, program, "--kind", text("%d", kind), "--writer", text("%d", writer), "--store", store, "--key-file",
              key_file, "--board", board_file, "--subscriber", subscriber_id, "--account", writer_id, "--guest", guest_id,
              "--pipe", text("%d", pipe_end), "--seed", text("%llu", (unsigned long long)seed), "--unavailable",
              may_be_unavailable ? "yes" : "no", (char *)NULL);
        _exit(127);
    }
    return child;
}

static int work(int argc, char **argv) {
    int kind = atoi(option(argc, argv, "--kind"));
    setvbuf(stdout, NULL, _IOLBF, 0);
    signal(SIGPIPE, SIG_IGN);
    snprintf(store, sizeof store, "%s", option(argc, argv, "--store"));
    snprintf(key_file, sizeof key_file, "%s", option(argc, argv, "--key-file"));
    snprintf(board_file, sizeof board_file, "%s", option(argc, argv, "--board"));
    snprintf(subscriber_id, sizeof subscriber_id, "%s", option(argc, argv, "--subscriber"));
    snprintf(writer_id, sizeof writer_id, "%s", option(argc, argv, "--account"));
    snprintf(guest_id, sizeof guest_id, "%s", option(argc, argv, "--guest"));
    may_be_unavailable = strcmp(option(argc, argv, "--unavailable"), "yes") == 0;
    pipe_end = atoi(option(argc, argv, "--pipe"));
    look_at_board();
    open_container();
    if (kind < WRITERS) return write_all(atoi(option(argc, argv, "--writer")), strtoull(option(argc, argv, "--seed"), NULL, 0));
    return kind < WRITERS + DEVICES ? receive_all(kind - WRITERS) : visit();
}

static void end(const struct child *child) {
    int status = 0;
    if (kill(child->pid, SIGKILL) != 0 || waitpid(child->pid, &status, 0) != child->pid) give_up("kill");
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
        broken("a process of the kind %d ended before it was killed, with status %d", child->kind, WEXITSTATUS(status));
}

/* Waits until both devices have received something more. */
static void check_progress(int reports) {
    long before[DEVICES];
    double until = seconds_now() + 120;
    memcpy(before, received, sizeof before);
    while ((received[0] == before[0] || received[1] == before[1]) && seconds_now() < until) listen_for(reports, 0.01);
    if (received[0] == before[0] || received[1] == before[1]) broken("a device receives nothing any more");
}

/* ---- The experiment */

static void make_account(const char *given_name, char *id, size_t size, kinfolk_account **account) {
    need(kinfolk_account_create(service, given_name, "Example", account));
    snprintf(id, size, "%s", kinfolk_account_id(*account));
}

/* Makes the people and their subscriptions. Returns the record ID of the subscriber. */
static const char *prepare(void) {
    static char record[34];
    const char *id = NULL;
    kinfolk_account *subscriber = NULL, *writer = NULL, *guest = NULL;
    kinfolk_session *session = NULL;
    int device;
    open_service();
    need(kinfolk_container_create(service, place_names[0], &container));
    need(kinfolk_schema_apply(container, schema, false, NULL));
    make_account("Ada", subscriber_id, sizeof subscriber_id, &subscriber);
    make_account("Bob", writer_id, sizeof writer_id, &writer);
    make_account("Eve", guest_id, sizeof guest_id, &guest);
    kinfolk_session_free(session_of(writer_id, "writer"));
    for (device = 0; device < DEVICES; device++) {
        session = session_of(subscriber_id, devices[device]);
        subscribe(session, "Note");
        need(kinfolk_session_user_record_id(session, &id));
        snprintf(record, sizeof record, "%s", id);
        kinfolk_session_free(session);
    }
    session = session_of(guest_id, "phone");
    need(kinfolk_role_grant(container, role, guest));
    subscribe(session, "Secret");
    kinfolk_session_free(session);
    kinfolk_account_free(subscriber);
    kinfolk_account_free(writer);
    kinfolk_account_free(guest);
    return record;
}

/* Receives what is left, when no other process is running. */
static void drain(int device, int reports) {
    kinfolk_session *session = session_of(subscriber_id, devices[device]);
    double last = seconds_now();
    while (seconds_now() - last < 120) {
        if (fetch(session, device, 0.2) > 0) last = seconds_now();
        listen_for(reports, 0);
        if (knows_all(device, false)) break;
    }
    (void)knows_all(device, true);
    while (fetch(session, device, 2) > 0) listen_for(reports, 0);
    kinfolk_session_free(session);
}

static void experiment(const char *program, const char *name, int kills, uint64_t seed, const struct cluster *cluster) {
    struct dice dice = dice_of(seed, 5);
    struct child children[CHILDREN];
    long before = broken_count();
    int ends[2], kind, i, device, rights = 0, server_kills = 0;
    kinfolk_session *session;
    kinfolk_database *database;
    struct hands hands;
    const char *record, *why;
    may_be_unavailable = cluster != NULL;
    memset(written, 0, sizeof written);
    memset(received, 0, sizeof received);
    changes = writers = 0;
    look_at_board();
    memset(board, 0, sizeof *board);
    board->may_read = has_role = true;
    is_suspended = false;
    record = prepare();
    if (pipe(ends) != 0) give_up("pipe");
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    pipe_end = ends[1];
    for (kind = 0; kind < CHILDREN; kind++) children[kind] = start(program, kind, seed);
    for (i = 0; i < kills && broken_count() == before; i++) {
        listen_for(ends[0], 0.02 + (double)dice_below(&dice, 200) / 1000);
        kind = (int)dice_below(&dice, CHILDREN);
        end(&children[kind]);
        children[kind] = start(program, kind, seed);
        switch (dice_below(&dice, 8)) {
        case 0: receive_visitor(record); break;
        case 1: rotate(); break;
        case 2:
            if (cluster == NULL) break;
            cluster_kill(cluster);
            listen_for(ends[0], 0.2);
            cluster_start(cluster, "");
            server_kills++;
            break;
        default:
            change_rights(&dice);
            rights++;
        }
        check_progress(ends[0]);
    }
    for (kind = 0; kind < CHILDREN; kind++) end(&children[kind]);
    listen_for(ends[0], 0);
    for (device = 0; device < DEVICES; device++) drain(device, ends[0]);
    listen_for(ends[0], 0);
    session = session_of(writer_id, "writer");
    database = public_database(session);
    compare_with_records(database);
    kinfolk_database_free(database);
    kinfolk_session_free(session);
    memset(&hands, 0, sizeof hands);
    hands.service = service;
    if (*(why = inspect_soundness(&hands)) != '\0') broken("at the end: %s", why);
    close_all();
    close(ends[0]);
    close(ends[1]);
    for (i = 0; i < EVER; i++) {
        free(written[i].done);
        for (device = 0; device < DEVICES; device++) free(written[i].told[device]);
    }
    printf("    %d kills, %d of the server, %d changes of rights; %ld changes, %ld and %ld notifications\n", kills,
           server_kills, rights, changes, received[0], received[1]);
    if (changes < kills * 5) broken("too few changes for a result");
    row(text("notified, %s", name), text("%d kills, %d changes of rights", kills, rights), text("%ld changes told", changes),
        before);
}

int main(int argc, char **argv) {
    static struct cluster cluster;
    struct options options;
    const char *kills_text = option(argc, argv, "--kills"), *only = option(argc, argv, "--only");
    int kills;
    if (option(argc, argv, "--kind") != NULL) return work(argc, argv);
    options = read_options(argc, argv, help);
    kills = kills_text != NULL ? atoi(kills_text) : options.is_short ? 20 : 400;
    watchdog(1800);
    printf("  --seed %llu\n", (unsigned long long)options.seed);
    if (chmod(scratch(), 0755) != 0) give_up(scratch()); /* the server may run as another user */
    snprintf(board_file, sizeof board_file, "%s/board", scratch());
    if (only == NULL || strcmp(only, "file") == 0) {
        snprintf(store, sizeof store, "%s/kinfolk.db", scratch());
        snprintf(key_file, sizeof key_file, "%s/kinfolk.key", scratch());
        printf("  file:\n");
        experiment(argv[0], "file", kills, options.seed, NULL);
    }
    if (only == NULL || strcmp(only, "server") == 0) {
        cluster_make(&cluster, "notifications");
        cluster_make_database(&cluster, "notifications", "");
        snprintf(store, sizeof store, "postgresql://kinfolk@127.0.0.1:%d/notifications", cluster.port);
        snprintf(key_file, sizeof key_file, "%s/server.key", scratch());
        printf("  server:\n");
        experiment(argv[0], "server", kills, options.seed, &cluster);
        cluster_stop(&cluster);
    }
    return finish();
}
