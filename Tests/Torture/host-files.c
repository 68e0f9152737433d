/* host-files: threads of the host open, read, copy and close the files of an open store. Nothing that was acknowledged is lost. */

#include "writers.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>

static const char help[] =
    "host-files [--short] [--seed N] [--kills N]\n"
    "\n"
    "host files   two processes write to one store, and report each completed call.\n"
    "             In each of them two threads open, read, copy and close the database,\n"
    "             its log and its -shm at random: by POSIX, closing any descriptor of a\n"
    "             file drops all locks that the process has on it. Meanwhile short\n"
    "             processes open and close the store, each of which copies the log into\n"
    "             the file if it believes that it is the last one; a program with\n"
    "             SQLite's own VFS reads, and writes what it rolls back; and the writers\n"
    "             are killed with kill -9 and replaced. After each kill, and at the end:\n"
    "             everything that was reported is there, field by field; the integrity\n"
    "             check passes; no process ended by another signal, and no call failed.\n"
    "foreign      a program with SQLite's own VFS, in this process and in another one:\n"
    "SQLite       it keeps the library out while it writes; each sees what the other\n"
    "             has committed; and when it closes the store, the library's locks stay.\n";

static const char *program;
static char store[1200];

/* ---- The host */

enum { HOST_THREADS = 2 };

static void copy_file(int file, const char *to) {
    char bytes[65536];
    ssize_t got;
    int copy = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    while (copy >= 0 && (got = read(file, bytes, sizeof bytes)) > 0)
        if (write(copy, bytes, (size_t)got) != got) break;
    close(copy);
}

static void handle(int file, const char *copy, struct dice *dice) {
    char bytes[512];
    switch (dice_below(dice, 4)) {
    case 0: copy_file(file, copy); break;
    case 1: close(dup(file)); break;
    default:
        if (pread(file, bytes, sizeof bytes, dice_below(dice, 100000)) < 0) broken("the host cannot read a file");
    }
}

static void *handle_files(void *number) {
    static const char *const endings[] = { "", "-wal", "-shm" };
    struct dice dice = dice_of((uint64_t)getpid(), (uint64_t)(uintptr_t)number);
    char copy[1300];
    snprintf(copy, sizeof copy, "%s.copy-%d-%d", store, (int)getpid(), (int)(uintptr_t)number);
    for (;;) {
        int file = open(text("%s%s", store, endings[dice_below(&dice, 3)]), dice_below(&dice, 2) ? O_RDWR : O_RDONLY);
        if (file >= 0) {
            handle(file, copy, &dice);
            close(file);
        }
        pause_for((double)dice_below(&dice, 3000) / 1e6);
    }
    return NULL;
}

static int write_beside_host(int argc, char **argv) {
    uintptr_t i;
    pthread_t thread;
    for (i = 0; i < HOST_THREADS; i++)
        if (pthread_create(&thread, NULL, handle_files, (void *)i) != 0) give_up("pthread_create");
    return writer_work(argc, argv);
}

/* ---- Short processes */

/* Opens and closes the store. Returns the status of main. */
static int visit(bool is_read_only) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    kinfolk_service *service = NULL;
    kinfolk_container *container = NULL;
    options.existing_only = true;
    options.read_only = is_read_only;
    if (kinfolk_service_open(store, &options, &service) != KINFOLK_OK ||
        kinfolk_container_open(service, place_names[0], &container) != KINFOLK_OK) {
        fprintf(stderr, "a visit: %s\n", kinfolk_error_message());
        return 1;
    }
    kinfolk_container_free(container);
    kinfolk_service_free(service);
    return 0;
}

static pid_t start(const char *role, const char *value) {
    pid_t pid = fork();
    if (pid < 0) give_up("fork");
    if (pid == 0) {
        execl(program, program, role, value, "--store", store, (char *)NULL);
        _exit(127);
    }
    return pid;
}

static void expect_success(pid_t pid, const char *what) {
    int status = 0;
    if (waitpid(pid, &status, 0) != pid) give_up("waitpid");
    if (WIFSIGNALED(status)) broken("%s ended by the signal %d", what, WTERMSIG(status));
    else if (WEXITSTATUS(status) != 0) broken("%s ended with status %d", what, WEXITSTATUS(status));
}

/* ---- A foreign program */

static sqlite3 *open_foreign(void) {
    sqlite3 *db = NULL;
    if (sqlite3_open_v2(store, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK || sqlite3_busy_timeout(db, 60000) != SQLITE_OK)
        give_up("sqlite3_open_v2");
    return db;
}

/* The first column of the first row; 0 without one, and the negative code of an error. */
static long ask(sqlite3 *db, const char *sql) {
    sqlite3_stmt *statement = NULL;
    long value = 0;
    int code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        value = (long)sqlite3_column_int64(statement, 0);
        code = SQLITE_DONE;
    }
    sqlite3_finalize(statement);
    return code == SQLITE_DONE ? value : -code;
}

static const char count[] = "SELECT count(*) FROM accounts";

/* Reads, and writes what it rolls back, until its input ends. Opens the store again and again. */
static int read_and_roll_back(void) {
    static const char *const script[] = {
        "BEGIN", count, "SELECT count(*) FROM emails", "COMMIT", "BEGIN IMMEDIATE", "CREATE TABLE foreign_table (a)",
        "INSERT INTO foreign_table VALUES (1)", "ROLLBACK"
    };
    long rounds, code;
    size_t i;
    for (rounds = 0; getppid() != 1; rounds++) {
        sqlite3 *db = open_foreign();
        for (i = 0; i < sizeof script / sizeof script[0]; i++)
            if ((code = ask(db, script[i])) < 0) {
                fprintf(stderr, "the foreign program: %s: %s\n", script[i], sqlite3_errmsg(db));
                return 1;
            }
        if (rounds % 4 == 0) (void)ask(db, "PRAGMA wal_checkpoint(PASSIVE)");
        sqlite3_close(db);
        pause_for(0.005);
    }
    return 0;
}

/* ---- Beside the host */

enum { WRITERS = 2 };

static void beside_host(int wanted, struct dice *dice) {
    struct writer *team[WRITERS];
    long before = broken_count(), visits = 0, steps;
    int kills, i;
    pid_t foreign = start("--foreign", "loop");
    for (i = 0; i < WRITERS; i++) team[i] = writer_start();
    for (kills = 0; kills < wanted && broken_count() == before; kills++) {
        long stays = 2 + dice_below(dice, 4), victim = dice_below(dice, WRITERS);
        for (; stays > 0; stays--, visits++) {
            writers_listen(team, WRITERS, 0.005 + (double)dice_below(dice, 60) / 1000);
            expect_success(start("--visit", dice_below(dice, 2) ? "read" : "write"), "a visit");
        }
        writer_kill(team[victim]);
        writers_check(&team[victim], 1, "of the killed,");
        team[victim] = writer_start();
    }
    for (i = 0; i < WRITERS; i++) writer_kill(team[i]);
    if (waitpid(foreign, &i, WNOHANG) == 0) kill(foreign, SIGKILL), waitpid(foreign, NULL, 0);
    else broken("the foreign program ended, with status %d", i);
    writers_check_end();
    steps = writers_steps();
    printf("  %d kills of 2 processes in which threads handle the files; %ld visits; %ld reported steps checked.\n", kills, visits,
           steps);
    if (broken_count() == before && steps < kills * 5) broken("too few steps for a result");
    row("host files", text("%d kills, %ld visits", kills, visits), text("%ld steps kept", steps), before);
}

/* ---- Foreign SQLite */

/* A foreign program in this process, or in another one that runs statements that come through a pipe. */
struct shell {
    sqlite3 *db; /* NULL: another process */
    pid_t pid;
    int in, out;
};

static int run_statements(void) {
    sqlite3 *db = open_foreign();
    char sql[100];
    long value;
    while (read(0, sql, sizeof sql) == (ssize_t)sizeof sql) {
        value = ask(db, sql);
        if (write(1, &value, sizeof value) != (ssize_t)sizeof value) return 1;
    }
    return sqlite3_close(db) != SQLITE_OK;
}

static struct shell open_shell(bool is_here) {
    struct shell shell = { NULL, 0, 0, 0 };
    int in[2], out[2];
    if (is_here) {
        shell.db = open_foreign();
        return shell;
    }
    if (pipe(in) != 0 || pipe(out) != 0 || (shell.pid = fork()) < 0) give_up("fork");
    if (shell.pid == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        close(in[1]);
        close(out[0]);
        execl(program, program, "--foreign", "statements", "--store", store, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    shell.in = in[1], shell.out = out[0];
    return shell;
}

static void expect(const struct shell *shell, const char *sql, long wanted) {
    char request[100] = "";
    long value = 0;
    snprintf(request, sizeof request, "%s", sql);
    if (shell->db != NULL) value = ask(shell->db, sql);
    else if (write(shell->in, request, sizeof request) < 0 || read(shell->out, &value, sizeof value) != (ssize_t)sizeof value)
        broken("the foreign program ended");
    if (value != wanted) broken("foreign SQLite: %s: %ld, not %ld", sql, value, wanted);
}

static void close_shell(struct shell *shell) {
    if (shell->db != NULL) {
        sqlite3_close(shell->db);
        return;
    }
    close(shell->in);
    close(shell->out);
    expect_success(shell->pid, "the foreign program");
}

static long people;

static void add_person(const kinfolk_service *service, kinfolk_status wanted) {
    kinfolk_account *account = NULL;
    kinfolk_status status = kinfolk_account_create(service, "Given", "Family", &account);
    people += status == KINFOLK_OK;
    if (status != wanted) broken("an account is made: %s, not %s", kinfolk_status_name(status), kinfolk_status_name(wanted));
    kinfolk_account_free(account);
}

static kinfolk_service *open_library(double wait) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    kinfolk_service *service = NULL;
    options.wait = wait;
    if (kinfolk_service_open(store, &options, &service) != KINFOLK_OK) give_up(kinfolk_error_message());
    return service;
}

/* One round: the library and a foreign program use the store at the same time. */
static void share(bool is_here) {
    kinfolk_service *service = open_library(0.2), *patient = open_library(0);
    struct shell shell = open_shell(is_here);
    struct shell other;
    add_person(patient, KINFOLK_OK);
    expect(&shell, count, people);
    expect(&shell, "BEGIN IMMEDIATE", 0);
    add_person(service, KINFOLK_SERVICE_UNAVAILABLE);
    expect(&shell, "ROLLBACK", 0);
    add_person(patient, KINFOLK_OK);
    expect(&shell, "BEGIN", 0);
    expect(&shell, count, people);
    /* The foreign program reads a snapshot, and the library writes beside it. */
    add_person(patient, KINFOLK_OK);
    expect(&shell, count, people - 1);
    expect(&shell, "COMMIT", 0);
    close_shell(&shell);
    /* A process that takes itself for the last one would copy the log and delete it. */
    expect_success(start("--visit", "write"), "a visit");
    add_person(patient, KINFOLK_OK);
    other = open_shell(false);
    expect(&other, count, people);
    kinfolk_service_free(service);
    kinfolk_service_free(patient);
    expect(&other, "BEGIN IMMEDIATE", 0);
    expect(&other, "ROLLBACK", 0);
    expect(&other, count, people);
    close_shell(&other);
}

static void beside_foreign(int rounds) {
    long before = broken_count(), accounts = 0;
    kinfolk_service *service = open_library(0);
    kinfolk_container *container = NULL;
    const char *why;
    int i;
    if (open_place(service, 0, &container) != KINFOLK_OK) give_up(kinfolk_error_message());
    kinfolk_container_free(container);
    kinfolk_service_free(service);
    for (i = 0; i < 2 * rounds && broken_count() == before; i++) share(i % 2 == 0);
    why = inspect_file(store, &accounts);
    if (*why != '\0') broken("beside foreign SQLite: %s", why);
    if (accounts != people) broken("beside foreign SQLite: %ld accounts, not %ld", accounts, people);
    printf("  %d rounds with a foreign program, half of them in this process.\n", 2 * rounds);
    row("foreign SQLite", text("%d rounds", 2 * rounds), "kept out, and let in", before);
}

int main(int argc, char **argv) {
    struct options options = read_options(argc, argv, help);
    const char *kills = option(argc, argv, "--kills"), *role = option(argc, argv, "--foreign");
    struct dice dice = dice_of(options.seed, 7);
    program = argv[0];
    if (option(argc, argv, "--store") != NULL) snprintf(store, sizeof store, "%s", option(argc, argv, "--store"));
    if (option(argc, argv, "--writer") != NULL) return write_beside_host(argc, argv);
    if (option(argc, argv, "--visit") != NULL) return visit(strcmp(option(argc, argv, "--visit"), "read") == 0);
    if (role != NULL) return strcmp(role, "loop") == 0 ? read_and_roll_back() : run_statements();
    watchdog(900);
    printf("  --seed %llu\n", (unsigned long long)options.seed);
    snprintf(store, sizeof store, "%s/foreign.db", scratch());
    beside_foreign(options.is_short ? 2 : 20);
    snprintf(store, sizeof store, "%s/kinfolk.db", scratch());
    writers_begin(program, store, options.seed);
    beside_host(kills != NULL ? atoi(kills) : options.is_short ? 8 : 200, &dice);
    return finish();
}
