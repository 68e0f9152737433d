/* load: processes and threads work concurrently for minutes. No call hangs or fails, and memory does not grow. */

#include "inspect.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

static const char help[] =
    "load [--short] [--seed N] [--seconds N]\n"
    "\n"
    "Four processes with 8, 4, 2 and 2 threads work on one store: each thread takes\n"
    "the steps of a plan, and after each step reads a record, finds a person by\n"
    "address and by user record ID, and reads a consent status. The threads of a\n"
    "process share a service handle, with the default wait.\n"
    "  - no call fails, none takes longer than the default wait of 30 s, no thread\n"
    "    makes no progress for 60 s;\n"
    "  - resident memory in the last minute is at most 5 % above that in the second\n"
    "    (three minutes: the long form only);\n"
    "  - at the end every world is there, and the integrity check passes.\n";

enum { PROCESSES = 4, THREADS_MOST = 8, SAMPLES = 3600 };

static const int threads_of[PROCESSES] = { 8, 4, 2, 2 };

/* The counts of a thread; at the end of a process, the sum of its threads. */
struct account_of_work {
    long steps, reads, failed, unavailable;
    struct longest longest_call;
    double second_minute, last_minute; /* average resident memory, in bytes */
    long broken;
};

static void add(struct account_of_work *sum, const struct account_of_work *one) {
    sum->steps += one->steps, sum->reads += one->reads;
    sum->failed += one->failed, sum->unavailable += one->unavailable;
    sum->second_minute += one->second_minute, sum->last_minute += one->last_minute;
    sum->broken += one->broken;
    keep_longest(&sum->longest_call, one->longest_call.seconds, one->longest_call.name);
}

/* ---- A process of threads */

static struct worker {
    struct hands hands;
    struct world world;
    struct ids ids;
    struct account_of_work account;
    double began; /* when the current call began; read by other threads */
    pthread_t thread;
} workers[THREADS_MOST];

static int stop;

static void begin_call(struct worker *worker) {
    double now = seconds_now();
    __atomic_store(&worker->began, &now, __ATOMIC_SEQ_CST);
}

static void end_call(struct worker *worker, const char *name, kinfolk_status status) {
    double took = seconds_now() - worker->began;
    keep_longest(&worker->account.longest_call, took, name);
    if (status == KINFOLK_OK) return;
    worker->account.failed++;
    worker->account.unavailable += status == KINFOLK_SERVICE_UNAVAILABLE;
    broken("writer %d: %s: %s (%s)", worker->world.writer, name, kinfolk_status_name(status), kinfolk_error_message());
}

#define TIMED(worker, name, call)                                                                                      \
    do {                                                                                                               \
        begin_call(worker);                                                                                            \
        end_call(worker, name, call);                                                                                  \
        (worker)->account.reads++;                                                                                     \
    } while (0)

/* Reads data of the person of the last step. */
static void read_about(struct worker *worker, const struct step *step) {
    const struct person *person = &worker->world.people[step->slot];
    const kinfolk_session *session = worker->hands.sessions[step->slot][step->place];
    const char *id = worker->ids.record[person->number % REMEMBERED][step->place];
    kinfolk_account *account = NULL;
    kinfolk_record *record = NULL;
    kinfolk_identities *identities = NULL;
    kinfolk_account_status status;
    if (!person->lives) return;
    if (person->email_count > 0)
        TIMED(worker, "find by e-mail",
              kinfolk_account_find_by_email(worker->hands.service, email_text(worker->world.writer, person->emails[0]),
                                            &account));
    if (session != NULL) {
        TIMED(worker, "status", kinfolk_session_account_status(session, &status));
        TIMED(worker, "fetch", kinfolk_record_fetch(session, NULL, KINFOLK_DATABASE_PUBLIC, &record));
    }
    if (session != NULL && !person->suspended)
        TIMED(worker, "discover ID", kinfolk_discover_record_id(session, id, &identities));
    if (identities != NULL && (kinfolk_identities_count(identities) == 1) != person_is_findable(person, step->place))
        broken("writer %d: a discovery does not see a decision that was just made", worker->world.writer);
    kinfolk_account_free(account);
    kinfolk_record_free(record);
    kinfolk_identities_free(identities);
}

static void *work(void *context) {
    struct worker *worker = context;
    while (!__atomic_load_n(&stop, __ATOMIC_SEQ_CST) && worker->account.failed == 0) {
        struct step step = world_next(&worker->world);
        begin_call(worker);
        end_call(worker, step_name(step.kind), hands_take(&worker->hands, &worker->world, &step));
        worker->account.steps++;
        read_about(worker, &step);
    }
    return NULL;
}

static double resident(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    long all = 0, here = 0;
    if (file == NULL || fscanf(file, "%ld %ld", &all, &here) != 2) give_up("/proc/self/statm");
    fclose(file);
    return (double)here * (double)sysconf(_SC_PAGESIZE);
}

static double mean(const double *samples, int from, int to) {
    double sum = 0;
    int i;
    for (i = from; i < to; i++) sum += samples[i];
    return to > from ? sum / (to - from) : 0;
}

/* Samples memory each second, and checks that all threads make progress. */
static void supervise(int threads, int seconds, struct account_of_work *account) {
    static double samples[SAMPLES];
    double start = seconds_now(), began;
    int second, i;
    for (second = 0; second < seconds; second++) {
        while (seconds_now() < start + second + 1) pause_for(0.05);
        samples[second] = resident();
        for (i = 0; i < threads; i++) {
            __atomic_load(&workers[i].began, &began, __ATOMIC_SEQ_CST);
            if (seconds_now() - began < 60 || workers[i].account.failed > 0) continue;
            broken("a thread made no progress for 60 s: a deadlock");
            _exit(1);
        }
    }
    if (seconds < 180) return;
    account->second_minute = mean(samples, 60, 120);
    account->last_minute = mean(samples, seconds - 60, seconds);
}

static int work_as_process(int argc, char **argv) {
    static struct ids none;
    struct hands shared;
    struct account_of_work account;
    int number = atoi(option(argc, argv, "--process")), threads = threads_of[number], i;
    int pipe = atoi(option(argc, argv, "--pipe"));
    uint64_t seed = strtoull(option(argc, argv, "--seed"), NULL, 0);
    memset(&account, 0, sizeof account);
    if (hands_open(&shared, option(argc, argv, "--store"), 0, &none) != KINFOLK_OK) give_up(kinfolk_error_message());
    for (i = 0; i < threads; i++) {
        world_begin(&workers[i].world, seed, number * THREADS_MOST + i);
        hands_share(&workers[i].hands, &shared, &workers[i].ids);
        begin_call(&workers[i]);
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) give_up("pthread_create");
    }
    supervise(threads, atoi(option(argc, argv, "--seconds")), &account);
    __atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST);
    for (i = 0; i < threads; i++) {
        struct worker *worker = &workers[i];
        const char *why = "";
        pthread_join(worker->thread, NULL);
        if (worker->account.failed == 0) why = inspect_both(&worker->hands, &worker->world, &worker->ids);
        if (*why != '\0') broken("at the end: %s", why);
        hands_empty(&worker->hands);
        add(&account, &worker->account);
    }
    hands_close(&shared);
    account.broken = broken_count();
    if (write(pipe, &account, sizeof account) != (ssize_t)sizeof account) return 1;
    return 0;
}

/* ---- All of them */

static char store[1200];

static pid_t start(const char *program, int number, int seconds, uint64_t seed, int *from) {
    int ends[2];
    pid_t pid;
    if (pipe(ends) != 0) give_up("pipe");
    pid = fork();
    if (pid < 0) give_up("fork");
    if (pid == 0) {
        close(ends[0]);
        execl(program, program, "--process", text("%d", number), "--store", store, "--pipe", text("%d", ends[1]),
              "--seconds", text("%d", seconds), "--seed", text("%llu", (unsigned long long)seed), (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    *from = ends[0];
    return pid;
}

static void judge_memory(const struct account_of_work *sum, int seconds) {
    long before = broken_count();
    double growth;
    if (seconds < 180) {
        printf("  resident memory: not judged; that takes three minutes (the long form).\n");
        row_left_out("load: memory", "takes three minutes");
        return;
    }
    growth = 100 * (sum->last_minute / sum->second_minute - 1);
    printf("  resident memory: %.2f MB in the second minute, %.2f MB in the last: %+.1f %%.\n",
           sum->second_minute / 1e6, sum->last_minute / 1e6, growth);
    if (sum->second_minute <= 0 || growth > 5) broken("memory grows by %.1f %%", growth);
    row("load: memory", "last minute against the second", text("%+.1f %%", growth), before);
}

int main(int argc, char **argv) {
    struct options options = read_options(argc, argv, help);
    const char *seconds_text = option(argc, argv, "--seconds"), *why;
    int seconds = seconds_text != NULL ? atoi(seconds_text) : options.is_short ? 8 : 180, pipes[PROCESSES], i, status;
    pid_t pids[PROCESSES];
    struct account_of_work one, sum;
    long before = broken_count(), accounts = 0;
    if (option(argc, argv, "--process") != NULL) return work_as_process(argc, argv);
    if (seconds < 1 || seconds > SAMPLES) give_up("--seconds");
    watchdog((unsigned)seconds + 900);
    printf("  --seed %llu\n", (unsigned long long)options.seed);
    snprintf(store, sizeof store, "%s/kinfolk.db", scratch());
    memset(&sum, 0, sizeof sum);
    for (i = 0; i < PROCESSES; i++) pids[i] = start(argv[0], i, seconds, options.seed, &pipes[i]);
    for (i = 0; i < PROCESSES; i++) {
        if (read(pipes[i], &one, sizeof one) != (ssize_t)sizeof one) broken("process %d failed", i);
        else add(&sum, &one);
        waitpid(pids[i], &status, 0);
        close(pipes[i]);
    }
    if (sum.broken > 0) broken("%ld faults in the processes", sum.broken);
    if (*(why = inspect_file(store, &accounts)) != '\0') broken("at the end: %s", why);
    if (sum.longest_call.seconds > 31) broken("a call took %.1f s", sum.longest_call.seconds);
    if (sum.steps < 16 * seconds / 4) broken("only %ld steps: too few for a load test", sum.steps);
    printf("  %d s: %ld changes and %ld reads, %.0f calls a second; the longest: %s, %.2f s. %ld unavailable.\n",
           seconds, sum.steps, sum.reads, (double)(sum.steps + sum.reads) / seconds, sum.longest_call.name,
           sum.longest_call.seconds, sum.unavailable);
    row("load", text("%ld calls, 16 threads", sum.steps + sum.reads), text("longest %.2f s", sum.longest_call.seconds),
        before);
    judge_memory(&sum, seconds);
    return finish();
}
