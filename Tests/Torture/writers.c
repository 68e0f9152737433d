/* Processes that write to one store, report each completed step through a pipe, and are killed. */

#include "writers.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

/* What a writer reports after each step: how many steps have returned, and the IDs of the person of the last step. */
struct report {
    long steps, number;
    char account[33];
    char record[PLACES][34];
};

static struct writer ever[WRITERS_EVER];
static int ever_count;
static uint64_t seed;
static char store[1200];
static const char *program;

/* ---- The process of a writer */

int writer_work(int argc, char **argv) {
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

/* ---- The process that starts it */

struct writer *writer_start(void) {
    struct writer *writer = &ever[ever_count];
    int ends[2];
    if (ever_count == WRITERS_EVER || pipe(ends) != 0) give_up("pipe");
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    writer->number = ever_count++;
    writer->ids = calloc(1, sizeof *writer->ids);
    writer->pipe = ends[0];
    writer->pid = fork();
    if (writer->ids == NULL || writer->pid < 0) give_up("fork");
    if (writer->pid == 0) {
        execl(program, program, "--writer", text("%d", writer->number), "--store", store, "--pipe", text("%d", ends[1]),
              "--seed", text("%llu", (unsigned long long)seed), (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    return writer;
}

/* Reads what a writer has reported so far. */
static void listen_to(struct writer *writer) {
    struct report report;
    while (read(writer->pipe, &report, sizeof report) == (ssize_t)sizeof report) {
        writer->returned = report.steps;
        memcpy(writer->ids->account[report.number % REMEMBERED], report.account, sizeof report.account);
        memcpy(writer->ids->record[report.number % REMEMBERED], report.record, sizeof report.record);
    }
}

void writers_listen(struct writer **writers, int count, double seconds) {
    double until = seconds_now() + seconds;
    int i;
    do {
        for (i = 0; i < count; i++) listen_to(writers[i]);
        pause_for(0.002);
    } while (seconds_now() < until);
}

void writer_kill(struct writer *writer) {
    int status = 0;
    if (kill(writer->pid, SIGKILL) != 0 || waitpid(writer->pid, &status, 0) != writer->pid) give_up("kill");
    if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
        broken("writer %d ended by the signal %d", writer->number, WTERMSIG(status));
    else if (!WIFSIGNALED(status))
        broken("writer %d ended before it was killed, with status %d", writer->number, WEXITSTATUS(status));
    listen_to(writer);
    close(writer->pipe);
}

/* ---- Checking */

/* Whether the store holds what a killed process reported, and at most one step more. */
static void check(const struct hands *hands, struct writer *writer, const char *when) {
    struct world world, next;
    struct step step;
    const char *why, *why_not = "";
    world_after(&world, seed, writer->number, writer->returned);
    next = world;
    step = world_next(&next);
    why = inspect_world(hands, &world, writer->ids);
    writer->at_least = world_living(&world);
    writer->at_most = writer->at_least + (step.kind == STEP_CREATE); /* its ID is unknown */
    if (*why != '\0') {
        why_not = inspect_world(hands, &next, writer->ids);
        world = next;
        writer->at_least = writer->at_most = world_living(&next);
    }
    if (*why_not != '\0')
        broken("%s writer %d, after %ld steps: %s; and with \"%s\": %s", when, writer->number, writer->returned, why,
               step_name(step.kind), why_not);
    else if (*(why = inspect_directory(hands, &world, writer->ids)) != '\0')
        broken("%s writer %d, after %ld steps: %s", when, writer->number, writer->returned, why);
}

void writers_check(struct writer **killed, int count, const char *when) {
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

/* Checks everything that was ever reported, when no process is running any more. */
void writers_check_end(void) {
    struct writer *all[WRITERS_EVER];
    const char *why;
    long accounts = 0, at_least = 0, at_most = 0, uploads = 0;
    int i;
    for (i = 0; i < ever_count; i++) all[i] = &ever[i];
    writers_check(all, ever_count, "at the end,");
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

/* ---- Use */

void writers_begin(const char *its_program, const char *its_store, uint64_t its_seed) {
    static struct ids none;
    struct hands hands;
    program = its_program;
    seed = its_seed;
    snprintf(store, sizeof store, "%s", its_store);
    if (hands_open(&hands, store, 0, &none) != KINFOLK_OK) give_up(kinfolk_error_message());
    hands_close(&hands);
}

int writers_count(void) {
    return ever_count;
}

long writers_steps(void) {
    long steps = 0;
    int i;
    for (i = 0; i < ever_count; i++) steps += ever[i].returned;
    return steps;
}
