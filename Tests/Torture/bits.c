/* bits: damages stores in many ways. Each call must succeed, or report that the store is damaged. */

#include "damage.h"
#include "furnished.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char help[] =
    "bits [--short] [--seed N] [--tries N] [--minutes N] [--from FOLDER --only N]\n"
    "\n"
    "Four stores with rows in every table: one that was closed, one with changes in\n"
    "its write-ahead log, and two whose key rotation was interrupted. Each try\n"
    "damages a copy of one of them: it flips bits, overwrites sectors and pages, cuts\n"
    "the file off, swaps pages, damages the structure of B-trees, and does the same in\n"
    "the log, with valid checksums; it changes, deletes and adds rows, and\n"
    "changes the schema. Then a process makes every kind of call on it.\n"
    "\n"
    "Each time:\n"
    "  - a call succeeds with the values that were written, fails with storeCorrupt,\n"
    "    or fails like a call about a row that does not exist;\n"
    "  - a check finds something if a call failed with storeCorrupt;\n"
    "  - no message names a path or a person;\n"
    "  - no process crashes or hangs.\n"
    "\n"
    "To repeat one try: TORTURE_KEEP=1 keeps the stores. Then --from is their folder,\n"
    "--only is the number of the try, with the same --seed. The damage is printed.\n";

enum { KINDS = 4, FINDINGS = 200, SECONDS = 120, WORKERS = 2 };
static const char *const kinds[KINDS] = { "closed", "log", "rotating", "leaked" };

static struct furniture *furniture; /* of each store, in memory that is shared with the children */

/* ---- Folders */

static void copy_folder(const char *from, const char *to) {
    struct dirent *entry;
    DIR *folder = opendir(from);
    if (folder == NULL || mkdir(to, 0700) != 0) give_up(to);
    while ((entry = readdir(folder)) != NULL) {
        static char bytes[1 << 16];
        int in, out;
        ssize_t count;
        if (entry->d_name[0] == '.') continue;
        in = open(text("%s/%s", from, entry->d_name), O_RDONLY);
        out = open(text("%s/%s", to, entry->d_name), O_WRONLY | O_CREAT | O_EXCL, 0600);
        if (in < 0 || out < 0) give_up(entry->d_name);
        while ((count = read(in, bytes, sizeof bytes)) > 0)
            if (write(out, bytes, (size_t)count) != count) give_up(entry->d_name);
        close(in);
        close(out);
        /* SQLite rebuilds this file from the log. */
        if (strstr(entry->d_name, "-shm") != NULL) unlink(text("%s/%s", to, entry->d_name));
    }
    closedir(folder);
}

static const char *store_in(const char *folder) { return text("%s/kinfolk.db", folder); }

/* ---- The stores to damage. A separate process makes each, because the library must not have been used before a fork. */

static void in_child(void (*body)(const char *store, int kind), const char *store, int kind) {
    int status = 0;
    pid_t child = fork();
    if (child < 0) give_up("fork");
    if (child == 0) {
        body(store, kind);
        _exit(0);
    }
    if (waitpid(child, &status, 0) != child || status != 0) give_up("the stores to damage could not be made");
}

static void make_first(const char *store, int kind) {
    const char *empty;
    (void)kind;
    furnish(store, furniture);
    empty = furnished_emptiness(store);
    if (empty != NULL) {
        printf("  no row in the table %s\n", empty);
        _exit(1);
    }
}

static void make_other(const char *store, int kind) {
    if (kind == 1) furnish_log(store, furniture);
    furnish_rotation(store, kind == 3);
}

static void make_stores(const char *folder) {
    FILE *file;
    int kind;
    if (mkdir(text("%s/closed", folder), 0700) != 0) give_up(folder);
    in_child(make_first, store_in(text("%s/closed", folder)), 0);
    for (kind = 1; kind < KINDS; kind++) {
        const char *to = text("%s/%s", folder, kinds[kind]);
        copy_folder(text("%s/closed", folder), to);
        in_child(make_other, store_in(to), kind);
    }
    file = fopen(text("%s/furniture", folder), "wb");
    if (file == NULL || fwrite(furniture, sizeof *furniture, 1, file) != 1 || fclose(file) != 0) give_up("furniture");
}

static void find_stores(const char *folder) {
    FILE *file = fopen(text("%s/furniture", folder), "rb");
    if (file == NULL || fread(furniture, sizeof *furniture, 1, file) != 1) give_up(folder);
    fclose(file);
}

/* ---- One try, in a separate process */

static FILE *to_parent;
static bool is_intact; /* true for the control, a store that was not damaged */

static void judge(const char *call, kinfolk_status status, uint32_t expected) {
    const char *message = status == KINFOLK_OK ? "" : kinfolk_error_message();
    char verdict;
    if (status == KINFOLK_OK) verdict = 'o';
    else if (status == KINFOLK_STORE_CORRUPT) verdict = is_intact ? 'f' : 'c';
    else verdict = expected & MAY(status) ? 'e' : 'f';
    if (status != KINFOLK_OK && tells_too_much(message)) verdict = 't';
    fprintf(to_parent, "%c\t%.60s\t%s\t%s\n", verdict, call, kinfolk_status_name(status), message);
    fflush(to_parent);
}

/* Other errors that some damage cannot be distinguished from. If a rotation lost its root keys, or was undone because the log is
 * lost, the key in the key file is not the store's. A damaged version number may look like that of a newer version. An empty file is
 * no store. */
static uint32_t untold_of(const char *damaged) {
    bool is_rotating = strncmp(damaged, "closed", 6) != 0 && strncmp(damaged, "log:", 4) != 0;
    bool has_sql = strstr(damaged, "UPDATE") != NULL || strstr(damaged, "DELETE") != NULL || strstr(damaged, "INSERT") != NULL;
    uint32_t untold = 0;
    if (strstr(damaged, "root_keys") != NULL || (is_rotating && (!has_sql || strstr(damaged, "log of") != NULL)))
        untold |= MAY(KINFOLK_KEY_MISMATCH);
    if (strstr(damaged, "header") != NULL || strstr(damaged, "anywhere") != NULL || strstr(damaged, "page 1") != NULL)
        untold |= MAY(KINFOLK_INVALID_ARGUMENT);
    if (strstr(damaged, "truncated to 0;") != NULL) untold |= MAY(KINFOLK_UNKNOWN_ITEM);
    return untold;
}

static void in_try(const char *folder, struct dice *dice, uint32_t untold, int out) {
    struct rlimit cpu = { SECONDS, SECONDS };
    to_parent = fdopen(out, "w");
    setrlimit(RLIMIT_CPU, &cpu); /* ends a child in an endless loop */
    alarm(15 * SECONDS);         /* ends a child in a deadlock; long, for a machine with other work */
    signal(SIGALRM, SIG_DFL);
    use_furnished(store_in(folder), furniture, folder, dice, untold, judge);
    fputs("end\n", to_parent);
    fflush(to_parent);
    _exit(0);
}

/* ---- Findings */

static struct finding {
    char what[400];
    long times, first;
} findings[FINDINGS];
static int finding_count;

static struct {
    long tries, calls, fine, corrupt, expected, refused;
} tally;

static void find(long number, const char *what, const char *damaged) {
    int i;
    for (i = 0; i < finding_count && strcmp(findings[i].what, what) != 0; i++) continue;
    if (i == FINDINGS) return;
    if (findings[i].times++ > 0) return;
    finding_count++;
    snprintf(findings[i].what, sizeof findings[i].what, "%s", what);
    findings[i].first = number;
    broken("try %ld (%s): %s", number, damaged, what);
}

struct attempt {
    long number;
    pid_t pid;
    FILE *answers;
    char folder[1100], damaged[1000];
};

static void begin(struct attempt *attempt, const char *templates, uint64_t seed, long number, bool is_control) {
    struct dice dice = dice_of(seed, (uint64_t)number), calls = dice_of(seed, (uint64_t)number + UINT64_C(0x100000000));
    int kind = (int)dice_below(&dice, KINDS), pipes[2];
    attempt->number = number;
    snprintf(attempt->folder, sizeof attempt->folder, "%s/try-%ld", scratch(), number);
    copy_folder(text("%s/%s", templates, kinds[kind]), attempt->folder);
    snprintf(attempt->damaged, sizeof attempt->damaged, "%s: ", kinds[kind]);
    if (!is_control)
        damage(store_in(attempt->folder), &dice, attempt->damaged + strlen(attempt->damaged),
               sizeof attempt->damaged - strlen(attempt->damaged));
    if (getenv("VERBOSE") != NULL) printf("  try %ld: %s\n", number, attempt->damaged);
    is_intact = is_control;
    if (pipe(pipes) != 0 || (attempt->pid = fork()) < 0) give_up("fork");
    if (attempt->pid == 0) {
        close(pipes[0]);
        in_try(attempt->folder, &calls, untold_of(attempt->damaged), pipes[1]);
    }
    close(pipes[1]);
    attempt->answers = fdopen(pipes[0], "r");
    if (attempt->answers == NULL) give_up("fdopen");
}

static void end(struct attempt *attempt) {
    char line[2000], last[200] = "kinfolk_service_open";
    bool is_over = false, is_first = true;
    int status = 0;
    while (fgets(line, sizeof line, attempt->answers) != NULL) {
        char *call = strchr(line, '\t');
        line[strcspn(line, "\n")] = '\0';
        if (strcmp(line, "end") == 0) is_over = true;
        if (call == NULL) continue;
        snprintf(last, sizeof last, "%.*s", (int)strcspn(call + 1, "\t"), call + 1);
        tally.calls++;
        if (getenv("VERBOSE") != NULL && line[0] != 'o') printf("    %s\n", line);
        switch (line[0]) {
        case 'o': tally.fine++; break;
        case 'c':
            tally.corrupt++;
            tally.refused += is_first;
            break;
        case 'e': tally.expected++; break;
        case 't': find(attempt->number, text("the message names a path or a person: %s", call + 1), attempt->damaged); break;
        default: find(attempt->number, call + 1, attempt->damaged); break;
        }
        is_first = false;
    }
    fclose(attempt->answers);
    if (waitpid(attempt->pid, &status, 0) != attempt->pid) give_up("waitpid");
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGALRM))
        find(attempt->number, text("hangs after %s", last), attempt->damaged);
    else if (WIFSIGNALED(status))
        find(attempt->number, text("ends by signal %d after %s", WTERMSIG(status), last), attempt->damaged);
    else if (!is_over) find(attempt->number, text("ends with %d after %s", WEXITSTATUS(status), last), attempt->damaged);
    tally.tries++;
    remove_tree(attempt->folder);
}

int main(int argc, char **argv) {
    struct options options = read_options(argc, argv, help);
    const char *from = option(argc, argv, "--from"), *only = option(argc, argv, "--only"),
               *wanted = option(argc, argv, "--tries"), *minutes = option(argc, argv, "--minutes");
    /* A short run is the same each time, except for the random keys and IDs in the stores. */
    const uint64_t seed = options.is_short && option(argc, argv, "--seed") == NULL ? 14 : options.seed;
    long most = wanted != NULL ? atol(wanted) : options.is_short ? 40 : 1000000, number = 0, first = 0;
    double until = seconds_now() + 60 * (minutes != NULL ? atof(minutes) : 10);
    struct attempt attempts[WORKERS];
    const char *templates;
    int i;
    watchdog(7200);
    printf("  --seed %llu\n", (unsigned long long)seed);
    furniture = mmap(NULL, sizeof *furniture, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (furniture == MAP_FAILED) give_up("mmap");
    templates = text("%s", from != NULL ? from : scratch());
    templates = strdup(templates);
    if (from != NULL) find_stores(from);
    else make_stores(templates);
    if (only != NULL) {
        setenv("VERBOSE", "1", 1);
        begin(&attempts[0], templates, seed, atol(only), false);
        end(&attempts[0]);
        return finish();
    }
    /* Stores without damage must not give the errors of damaged stores. */
    for (number = 0; number < KINDS; number++) {
        begin(&attempts[0], templates, seed, 2000000000 + number, true);
        end(&attempts[0]);
    }
    for (number = 0; (number < most && (options.is_short || seconds_now() < until)) || first < number;) {
        for (i = 0; i < WORKERS && number < most; i++) begin(&attempts[i], templates, seed, number++, false);
        for (i = 0; first < number; i++, first++) end(&attempts[i]);
        if (broken_count() > 100) break;
    }
    if (tally.corrupt == 0) broken("no call said that a store is damaged");
    printf("  %ld damaged stores, %ld not opened: %ld calls, %ld succeeded, %ld storeCorrupt, %ld unknown.\n",
           tally.tries, tally.refused, tally.calls, tally.fine, tally.corrupt, tally.expected);
    for (i = 0; i < finding_count; i++)
        printf("  %5ld times, first in %ld: %s\n", findings[i].times, findings[i].first, findings[i].what);
    row("damaged stores", text("%ld stores, %ld calls", tally.tries, tally.calls),
        text("%ld reported", tally.corrupt), 0);
    return finish();
}
