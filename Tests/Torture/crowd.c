/* Processes whose threads take the steps of their plans while their server stops and starts. */

#include "crowd.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

enum { WORKERS_MOST = PROCESSES_MOST * THREADS_MOST };

struct board {
    int stop;
    struct tally tallies[WORKERS_MOST];
};

struct worker {
    struct hands hands;
    struct world world;
    struct ids ids;
    double left[SLOTS][PLACES]; /* permits */
    struct tally *tally;
    const struct crowd *crowd;
    double took; /* how long the last step took */
    pthread_t thread;
    bool has_failed;
};

/* How many answers this process did not get. With each, permits leased into memory may be lost. */
static long lost_answers;

/* ---- The errors that a call may report */

/* The server was away. A call may not fail with this before its wait is over. */
static bool is_lost(const char *message) {
    return strncmp(message, "The store's server", 18) == 0;
}

static bool check_failure(struct worker *worker, kinfolk_status status, const char *what) {
    const char *message = kinfolk_error_message();
    if (status == KINFOLK_SERVICE_UNAVAILABLE && !tells_too_much(message)) return true;
    broken("writer %d: %s: %s (%s)", worker->world.writer, what, kinfolk_status_name(status), message);
    worker->has_failed = true;
    return false;
}

/* The most calls that a step makes. The time limit is for each call. */
static int calls_of(const struct worker *worker, const struct step *step) {
    /* A discovery is one call that writes and then reads, so it counts twice. */
    int calls = step->kind == STEP_SAVE || step->kind == STEP_SIGN_IN || step->kind == STEP_DISCOVER ? 2 : 1;
    /* A file is uploaded in two pieces, and completed; then its record is saved. */
    if (step->kind == STEP_ATTACH || step->kind == STEP_UPLOAD) calls = 4;
    if (worker->hands.accounts[step->slot] == NULL && step->kind != STEP_CREATE) calls++;
    return worker->hands.sessions[step->slot][step->place] == NULL ? calls + 1 : calls;
}

static kinfolk_status take(struct worker *worker, const struct world *after, const struct step *step) {
    struct tally *tally = worker->tally;
    int calls = calls_of(worker, step);
    double began = seconds_now(), took;
    kinfolk_status status;
    __atomic_store(&tally->asked_at, &began, __ATOMIC_SEQ_CST);
    status = hands_take(&worker->hands, after, step);
    worker->took = took = seconds_now() - began;
    if (took > worker->crowd->limit * calls)
        broken("writer %d: %s took %.1f s", worker->world.writer, step_name(step->kind), took);
    keep_longest(&tally->longest_step, took, step_name(step->kind));
    began = 0;
    __atomic_store(&tally->asked_at, &began, __ATOMIC_SEQ_CST);
    return status;
}

/* ---- The effect of a step that failed */

/* Inspects the store. Repeats that while the server is away. */
static const char *look(struct worker *worker, const struct world *world) {
    double until = seconds_now() + 120;
    for (;;) {
        const char *why = inspect_world(&worker->hands, world, &worker->ids);
        if (strstr(why, " fails: The store's server") == NULL && strstr(why, " fails: Another process") == NULL &&
            strstr(why, "answers with serviceUnavailable") == NULL)
            return why;
        if (seconds_now() > until) return "could not be inspected for two minutes";
        pause_for(0.05);
    }
}

static double permits_left(struct worker *worker, const struct step *step) {
    const struct person *person = &worker->world.people[step->slot];
    const char *id = worker->ids.account[person->number % REMEMBERED];
    double until = seconds_now() + 120, left;
    while ((left = inspect_permits_left(&worker->hands, id, step->place)) < 0 && seconds_now() < until) pause_for(0.05);
    return left;
}

/* Permits are spent once or not at all, whatever the answer was. After an unknown outcome, the permits leased into memory may be
 * lost, and those that the call would have leased: each at most an eighth of the permits left. */
static bool were_permits_spent(struct worker *worker, const struct step *step, bool is_doubtful) {
    double *expected = &worker->left[step->slot][step->place], left = permits_left(worker, step);
    if (left == *expected) return false;
    if (!is_doubtful || left > *expected || left < *expected - step->count - 2 * PERMITS / 8) {
        broken("writer %d: of %g permits %g are left after a discovery of %d that failed%s", worker->world.writer,
               *expected, left, step->count, is_doubtful ? " in doubt" : "");
        worker->has_failed = true;
    }
    *expected = left;
    return true;
}

/* Finds out whether a failed step changed the store. */
static bool was_kept(struct worker *worker, const struct world *after, const struct step *step, bool is_doubtful) {
    const char *why, *why_not;
    if (step->kind == STEP_DISCOVER) return were_permits_spent(worker, step, is_doubtful);
    why = look(worker, &worker->world);
    if (*why == '\0') {
        /* If the outcome is unknown, nobody learns the ID of the new person. */
        if (is_doubtful && step->kind == STEP_CREATE) worker->tally->unknown++;
        return false;
    }
    why_not = is_doubtful ? look(worker, after) : "the outcome was not unknown";
    if (*why_not == '\0') return true;
    broken("writer %d: after %s failed: %s; %s", worker->world.writer, step_name(step->kind), why, why_not);
    worker->has_failed = true;
    return false;
}

/* ---- Steps */

/* Repeats the next step until it succeeds. */
static void step(struct worker *worker) {
    struct world after = worker->world;
    struct step step = world_next(&after);
    double *left = &worker->left[step.slot][step.place];
    int place;
    for (;;) {
        kinfolk_status status = take(worker, &after, &step);
        bool doubt;
        if (status == KINFOLK_OK && step.kind == STEP_DISCOVER) *left -= step.count;
        if (status == KINFOLK_OK) break;
        /* Permits that were lost after an unknown outcome may be missing in a later discovery. */
        if (status == KINFOLK_REQUEST_RATE_LIMITED && *left < step.count) break;
        if (!check_failure(worker, status, step_name(step.kind))) return;
        worker->tally->unavailable++;
        doubt = kinfolk_error_in_doubt();
        worker->tally->doubts += doubt;
        if (!doubt && is_lost(kinfolk_error_message()) && worker->took < worker->crowd->wait)
            broken("writer %d: %s gave up after %.1f s", worker->world.writer, step_name(step.kind), worker->took);
        if (doubt) __atomic_add_fetch(&lost_answers, 1, __ATOMIC_SEQ_CST);
        if (was_kept(worker, &after, &step, doubt)) {
            worker->tally->kept++;
            break;
        }
        if (worker->has_failed) return;
        pause_for(0.02);
    }
    for (place = 0; step.kind == STEP_CREATE && place < PLACES; place++) worker->left[step.slot][place] = PERMITS;
    worker->world = after;
    __atomic_add_fetch(&worker->tally->done, 1, __ATOMIC_SEQ_CST);
}

/* An acknowledged change can be read immediately, unless the server is away. */
static void read_back(struct worker *worker) {
    const struct person *person = &worker->world.people[worker->world.steps % SLOTS];
    const char *id = worker->ids.account[person->number % REMEMBERED];
    kinfolk_account *account = NULL;
    kinfolk_status status;
    if (!person->lives || person->email_count == 0) return;
    status = kinfolk_account_find_by_email(worker->hands.service, email_text(worker->world.writer, person->emails[0]),
                                           &account);
    if (status == KINFOLK_OK && strcmp(kinfolk_account_id(account), id) != 0)
        broken("writer %d: an address belongs to another person", worker->world.writer);
    if (status != KINFOLK_OK && check_failure(worker, status, "find by e-mail") && kinfolk_error_in_doubt())
        broken("writer %d: a read reports an unknown outcome", worker->world.writer);
    kinfolk_account_free(account);
}

static void *work(void *context) {
    struct worker *worker = context;
    while (!__atomic_load_n(&worker->crowd->board->stop, __ATOMIC_SEQ_CST) && !worker->has_failed) {
        step(worker);
        read_back(worker);
    }
    return NULL;
}

/* ---- A process */

static void check_permits(struct worker *worker) {
    struct step step;
    memset(&step, 0, sizeof step);
    for (step.slot = 0; step.slot < SLOTS; step.slot++) {
        for (step.place = 0; step.place < PLACES; step.place++) {
            const struct person *person = &worker->world.people[step.slot];
            double expected = worker->left[step.slot][step.place], left;
            if (!person->lives || !person->uses[step.place].joined) continue;
            left = permits_left(worker, &step);
            if (left > expected || (left < expected && lost_answers == 0))
                broken("writer %d: a person has %g permits left, not %g", worker->world.writer, left, expected);
        }
    }
}

static void check_end(struct worker *worker) {
    const char *why = look(worker, &worker->world);
    if (*why == '\0') why = inspect_directory(&worker->hands, &worker->world, &worker->ids);
    if (*why != '\0') broken("at the end: %s", why);
    else check_permits(worker);
    worker->tally->living = world_living(&worker->world);
}

static void run_process(const struct crowd *crowd, int number) {
    static struct worker workers[THREADS_MOST];
    static struct ids none;
    struct hands shared;
    double began = seconds_now();
    int i;
    for (;;) {
        kinfolk_status status = hands_open(&shared, crowd->address, crowd->wait, &none);
        if (status == KINFOLK_OK) break;
        if (status != KINFOLK_SERVICE_UNAVAILABLE || seconds_now() > began + 60) {
            broken("opening, after %.0f s: %s", seconds_now() - began, kinfolk_error_message());
            return;
        }
        crowd->board->tallies[number * crowd->threads].unavailable++;
        pause_for(0.02);
    }
    /* Reads the permits from the export, which is exact. */
    shared.may_not_write = true;
    for (i = 0; i < crowd->threads; i++) {
        struct worker *worker = &workers[i];
        world_begin(&worker->world, crowd->seed, number * THREADS_MOST + i);
        hands_share(&worker->hands, &shared, &worker->ids);
        worker->hands.may_not_write = true;
        worker->crowd = crowd;
        worker->tally = &crowd->board->tallies[number * crowd->threads + i];
        if (pthread_create(&worker->thread, NULL, work, worker) != 0) give_up("pthread_create");
    }
    for (i = 0; i < crowd->threads; i++) pthread_join(workers[i].thread, NULL);
    for (i = 0; i < crowd->threads; i++) {
        if (!workers[i].has_failed) check_end(&workers[i]);
        hands_empty(&workers[i].hands);
    }
    hands_close(&shared);
}

void crowd_start(struct crowd *crowd) {
    int i;
    crowd->board = mmap(NULL, sizeof *crowd->board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (crowd->board == MAP_FAILED) give_up("mmap");
    fflush(stdout);
    for (i = 0; i < crowd->processes; i++) {
        long before = broken_count();
        crowd->pids[i] = fork();
        if (crowd->pids[i] < 0) give_up("fork");
        if (crowd->pids[i] > 0) continue;
        alarm(0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        run_process(crowd, i);
        _exit(broken_count() > before);
    }
}

/* ---- The functions of crowd.h */

static int workers_of(const struct crowd *crowd) {
    return crowd->processes * crowd->threads;
}

/* Whether a thread's step takes longer than all its calls may. */
static bool stands_still(const struct crowd *crowd) {
    double asked_at;
    int i;
    for (i = 0; i < workers_of(crowd); i++) {
        __atomic_load(&crowd->board->tallies[i].asked_at, &asked_at, __ATOMIC_SEQ_CST);
        if (asked_at > 0 && seconds_now() > asked_at + 4 * crowd->limit + 5) return true;
    }
    return false;
}

void crowd_wait(const struct crowd *crowd, double seconds) {
    double until = seconds_now() + seconds;
    while (seconds_now() < until) {
        if (stands_still(crowd)) {
            broken("a call does not return");
            return;
        }
        pause_for(0.01);
    }
}

struct tally crowd_tally(const struct crowd *crowd) {
    struct tally sum;
    int i;
    memset(&sum, 0, sizeof sum);
    for (i = 0; i < workers_of(crowd); i++) {
        const struct tally *one = &crowd->board->tallies[i];
        sum.done += __atomic_load_n(&one->done, __ATOMIC_SEQ_CST);
        sum.unavailable += one->unavailable, sum.doubts += one->doubts, sum.kept += one->kept;
        sum.living += one->living, sum.unknown += one->unknown;
        keep_longest(&sum.longest_step, one->longest_step.seconds, one->longest_step.name);
    }
    return sum;
}

double crowd_goes_on(const struct crowd *crowd, double patience, double *all) {
    long before[WORKERS_MOST];
    double began = seconds_now(), first = -1;
    int i, moved = 0;
    for (i = 0; i < workers_of(crowd); i++)
        before[i] = __atomic_load_n(&crowd->board->tallies[i].done, __ATOMIC_SEQ_CST);
    while (moved < workers_of(crowd) && seconds_now() < began + patience) {
        pause_for(0.002);
        moved = 0;
        for (i = 0; i < workers_of(crowd); i++)
            moved += __atomic_load_n(&crowd->board->tallies[i].done, __ATOMIC_SEQ_CST) > before[i];
        if (moved > 0 && first < 0) first = seconds_now() - began;
    }
    *all = seconds_now() - began;
    if (moved < workers_of(crowd))
        broken("%d of %d threads made no progress for %.0f s", workers_of(crowd) - moved, workers_of(crowd), patience);
    return first;
}

struct tally crowd_end(struct crowd *crowd) {
    struct tally sum;
    int i, status;
    __atomic_store_n(&crowd->board->stop, 1, __ATOMIC_SEQ_CST);
    for (i = 0; i < crowd->processes; i++)
        if (waitpid(crowd->pids[i], &status, 0) != crowd->pids[i] || status != 0)
            broken("process %d of the crowd failed", i);
    sum = crowd_tally(crowd);
    munmap(crowd->board, sizeof *crowd->board);
    return sum;
}
