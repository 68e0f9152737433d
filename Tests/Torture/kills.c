/* kills: processes are killed while they write. What they reported is in the store, and the others continue. */

#include "inspect.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

static const char help[] =
    "kills [--short] [--seed N] [--kills N]\n"
    "\n"
    "Four processes write to one store, and report each completed call through a\n"
    "pipe. At random times one to three of them are ended with kill -9, and new ones\n"
    "replace them; the fourth is never killed, and must make progress after each\n"
    "kill. After each kill, while the others work: everything that the killed process\n"
    "reported is there, field by field, and at most one call more; discovery finds\n"
    "exactly the people who may be found; the integrity check passes. At the end all\n"
    "are killed, and everything that was ever reported is checked again. (A kill\n"
    "loses nothing with synchronous = OFF either; power-cuts tests that.)\n";

enum { VICTIMS = 3, CHILDREN = VICTIMS + 1, EVER = 1000 };

/* What a child reports after each step: how many steps have returned, and the IDs of the person of the last step. */
struct report {
    long steps, number;
    char account[33];
    char record[PLACES][34];
};

struct child {
    int writer;
    pid_t pid;
    int pipe;
    long returned;
    struct ids *ids;
    long at_least, at_most; /* people that it left in the store */
};

static struct child ever[EVER];
static int ever_count;
static uint64_t seed;
static char store[1200];
static const char *program;

/* ---- A child */

static int work(int argc, char **argv) {
    static struct ids ids;
    struct hands hands;
    struct world world;
    int pipe = atoi(option(argc, argv, "--pipe"));
    if (hands_open(&hands, option(argc, argv, "--store"), 0, &ids) != KINFOLK_OK) {
        fprintf(stderr, "opening: %s\n", kinfolk_error_message());
        return 1;
    }
    world_begin(&world, strtoull(option(argc, argv, "--seed"), NULL, 0), atoi(option(argc, argv, "--writer")));
    for (;;) {
        struct step step = world_next(&world);
        struct report report;
        memset(&report, 0, sizeof report);
        if (hands_take(&hands, &world, &step) != KINFOLK_OK) {
            fprintf(stderr, "%s: %s\n", step_name(step.kind), kinfolk_error_message());
            return 1;
        }
        report.steps = world.steps;
        report.number = world.people[step.slot].number;
        memcpy(report.account, ids.account[report.number % REMEMBERED], sizeof report.account);
        memcpy(report.record, ids.record[report.number % REMEMBERED], sizeof report.record);
        if (write(pipe, &report, sizeof report) != (ssize_t)sizeof report) return 1;
    }
}

static struct child *start(void) {
    struct child *child = &ever[ever_count];
    int ends[2];
    if (ever_count == EVER || pipe(ends) != 0) give_up("pipe");
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    child->writer = ever_count++;
    child->ids = calloc(1, sizeof *child->ids);
    child->pipe = ends[0];
    child->pid = fork();
    if (child->ids == NULL || child->pid < 0) give_up("fork");
    if (child->pid == 0) {
        execl(program, program, "--writer", text("%d", child->writer), "--store", store, "--pipe", text("%d", ends[1]),
              "--seed", text("%llu", (unsigned long long)seed), (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    return child;
}

/* Reads what a child has reported so far. */
static void listen_to(struct child *child) {
    struct report report;
    while (read(child->pipe, &report, sizeof report) == (ssize_t)sizeof report) {
        child->returned = report.steps;
        memcpy(child->ids->account[report.number % REMEMBERED], report.account, sizeof report.account);
        memcpy(child->ids->record[report.number % REMEMBERED], report.record, sizeof report.record);
    }
}

static void listen_for(struct child **children, int count, double seconds) {
    double until = seconds_now() + seconds;
    int i;
    do {
        for (i = 0; i < count; i++) listen_to(children[i]);
        pause_for(0.002);
    } while (seconds_now() < until);
}

static void end(struct child *child) {
    int status = 0;
    if (kill(child->pid, SIGKILL) != 0 || waitpid(child->pid, &status, 0) != child->pid) give_up("kill");
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
        broken("writer %d ended before it was killed, with status %d", child->writer, WEXITSTATUS(status));
    listen_to(child);
    close(child->pipe);
}

/* ---- Checking */

/* Whether the store holds what a killed process reported, and at most one step more. */
static void check(const struct hands *hands, struct child *child, const char *when) {
    struct world world, next;
    struct step step;
    const char *why, *why_not = "";
    world_after(&world, seed, child->writer, child->returned);
    next = world;
    step = world_next(&next);
    why = inspect_world(hands, &world, child->ids);
    child->at_least = world_living(&world);
    child->at_most = child->at_least + (step.kind == STEP_CREATE); /* its ID is unknown */
    if (*why != '\0') {
        why_not = inspect_world(hands, &next, child->ids);
        world = next;
        child->at_least = child->at_most = world_living(&next);
    }
    if (*why_not != '\0')
        broken("%s writer %d, after %ld steps: %s; and with \"%s\": %s", when, child->writer, child->returned, why,
               step_name(step.kind), why_not);
    else if (*(why = inspect_directory(hands, &world, child->ids)) != '\0')
        broken("%s writer %d, after %ld steps: %s", when, child->writer, child->returned, why);
}

static void check_all(struct child **killed, int count, const char *when) {
    static struct ids none;
    struct hands hands;
    const char *why;
    long accounts;
    int i;
    if (hands_open(&hands, store, 0, &none) != KINFOLK_OK) {
        broken("%s: opening: %s", when, kinfolk_error_message());
        return;
    }
    for (i = 0; i < count; i++) check(&hands, killed[i], when);
    if (*(why = inspect_soundness(&hands)) != '\0') broken("%s: %s", when, why);
    hands_close(&hands);
    if (*(why = inspect_file(store, &accounts)) != '\0') broken("%s: %s", when, why);
}

static void check_survivor(struct child *survivor) {
    long before = survivor->returned;
    double until = seconds_now() + 20;
    while (survivor->returned == before && seconds_now() < until) listen_for(&survivor, 1, 0.01);
    if (survivor->returned == before) broken("the survivor makes no progress");
}

/* Checks everything that was ever reported, when no process is running any more. */
static void check_the_end(void) {
    struct child *all[EVER];
    const char *why;
    long accounts = 0, at_least = 0, at_most = 0, uploads = 0;
    int i;
    for (i = 0; i < ever_count; i++) all[i] = &ever[i];
    check_all(all, ever_count, "at the end,");
    for (i = 0; i < ever_count; i++) {
        at_least += ever[i].at_least;
        at_most += ever[i].at_most;
    }
    why = inspect_file(store, &accounts);
    if (*why == '\0') why = inspect_expiry(store, &uploads);
    if (*why == '\0') why = inspect_file(store, &accounts);
    printf("  %ld uploads that no record names, all gone after a day.\n", uploads);
    if (*why != '\0' || accounts < at_least || accounts > at_most)
        broken("at the end: %s %ld accounts, not %ld to %ld", why, accounts, at_least, at_most);
}

/* ---- The experiment */

/* Makes the containers and sets their limits. A child that made one could be killed before it set the limit. */
static void make_containers(void) {
    static struct ids none;
    struct hands hands;
    if (hands_open(&hands, store, 0, &none) != KINFOLK_OK) give_up(kinfolk_error_message());
    hands_close(&hands);
}

int main(int argc, char **argv) {
    struct options options = read_options(argc, argv, help);
    const char *kills_text = option(argc, argv, "--kills");
    int wanted = kills_text != NULL ? atoi(kills_text) : options.is_short ? 10 : 100, kills = 0, rounds = 0, i, count;
    struct child *children[CHILDREN], *killed[VICTIMS];
    struct dice dice = dice_of(options.seed, 3);
    long before = broken_count(), steps = 0;
    if (option(argc, argv, "--writer") != NULL) return work(argc, argv);
    watchdog(900);
    program = argv[0];
    seed = options.seed;
    printf("  --seed %llu\n", (unsigned long long)seed);
    snprintf(store, sizeof store, "%s/kinfolk.db", scratch());
    make_containers();
    for (i = 0; i < CHILDREN; i++) children[i] = start();
    while (kills < wanted && broken_count() == before) {
        listen_for(children, CHILDREN, 0.02 + (double)dice_below(&dice, 200) / 1000);
        count = 1 + (int)dice_below(&dice, VICTIMS);
        for (i = 0; i < count; i++) {
            killed[i] = children[i];
            kill(killed[i]->pid, SIGKILL); /* kill all at once, then wait for each */
        }
        for (i = 0; i < count; i++) end(killed[i]);
        check_all(killed, count, "of the killed,");
        check_survivor(children[VICTIMS]);
        /* The next round kills the ones first that were not killed now. */
        for (i = 0; i < VICTIMS; i++) children[i] = i + count < VICTIMS ? children[i + count] : start();
        kills += count;
        rounds++;
    }
    for (i = 0; i < CHILDREN; i++) end(children[i]);
    check_the_end();
    for (i = 0; i < ever_count; i++) steps += ever[i].returned;
    printf("  %d kills in %d rounds and %d at the end, of 4 processes; %ld reported steps checked, %ld of them the\n"
           "  survivor's.\n",
           kills, rounds, CHILDREN, steps, children[VICTIMS]->returned);
    if (steps < kills * 5) broken("too few steps for a result");
    row("kill -9", text("%d of 4 processes", kills), text("%ld steps kept", steps), before);
    return finish();
}
