/* faults: the disk is full or fails, or the store is locked. Calls report that, change nothing, and work again afterwards. */

#include "fault_vfs.h"
#include "inspect.h"

#include <pthread.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char help[] =
    "faults [--short] [--seed N]\n"
    "\n"
    "disk full    the disk has room for n more bytes; the next write is cut off and\n"
    "             fails with SQLITE_FULL; each step is tried with n = 0, 1, …\n"
    "small disk   a disk of 3 MB is filled with people: the write-ahead log takes only\n"
    "             a small part, no acknowledged person is lost, and more can be added\n"
    "             when there is room again\n"
    "I/O errors   the n-th read, write, sync, truncation, lock, shm-lock, shm-map or\n"
    "             open fails, once or from then on; each step, and opening an old or\n"
    "             a new store, is tried with n = 1, 2, …\n"
    "storm        any of these at random with four threads, which repeat each step\n"
    "             until it succeeds\n"
    "locked       another process holds the store for longer than the wait\n"
    "\n"
    "Each time: the call fails with serviceUnavailable, or succeeds despite the\n"
    "fault; its message names no path, person or address; a failed call changes\n"
    "nothing; all acknowledged changes are there; and after the fault the same call\n"
    "on the same handles succeeds.\n";

/* ---- The scene: one store, one writer */

static struct {
    char store[1200];
    uint64_t seed;
    struct hands hands;
    struct world world;
    struct ids ids;
} scene;

static struct {
    long tries, fired, failed, despite;
} tally;

/* The short form tries the first places of an opening, and then every fifth, from a random one on. */
static long stride = 1, dense = 500;

static void begin(const char *name, uint64_t seed) {
    const char *folder = text("%s/%s", scratch(), name);
    long i;
    if (mkdir(folder, 0700) != 0) give_up(folder);
    memset(&scene, 0, sizeof scene);
    memset(&tally, 0, sizeof tally);
    snprintf(scene.store, sizeof scene.store, "%s/kinfolk.db", folder);
    scene.seed = seed;
    if (hands_open(&scene.hands, scene.store, 0.5, &scene.ids) != KINFOLK_OK) give_up(kinfolk_error_message());
    world_begin(&scene.world, seed, 0);
    for (i = 0; i < 40; i++) {
        struct step step = world_next(&scene.world);
        if (hands_take(&scene.hands, &scene.world, &step) != KINFOLK_OK) broken("%s", kinfolk_error_message());
    }
}

static void reopen(void) {
    hands_close(&scene.hands);
    if (hands_open(&scene.hands, scene.store, 0.5, &scene.ids) != KINFOLK_OK)
        broken("the store does not open any more: %s", kinfolk_error_message());
}

static bool stands(const char *after) {
    const char *why = inspect_world(&scene.hands, &scene.world, &scene.ids);
    if (*why != '\0') broken("after %s: %s", after, why);
    return *why == '\0';
}

/* Checks that all changes are there when the store is reopened. */
static void end(void) {
    long accounts, uploads;
    const char *why;
    reopen();
    (void)stands("all faults");
    why = inspect_directory(&scene.hands, &scene.world, &scene.ids);
    if (*why != '\0') broken("after all faults: %s", why);
    why = inspect_soundness(&scene.hands);
    if (*why != '\0') broken("after all faults: %s", why);
    hands_close(&scene.hands);
    why = inspect_file(scene.store, &accounts);
    if (*why == '\0') why = inspect_expiry(scene.store, &uploads);
    if (*why == '\0') why = inspect_file(scene.store, &accounts);
    if (*why != '\0') broken("after all faults: %s", why);
}

/* Checks the status and the message of a call that failed. */
static void check_failure(kinfolk_status status, const char *what) {
    const char *message = kinfolk_error_message();
    if (status != KINFOLK_SERVICE_UNAVAILABLE)
        broken("%s: %s (%s), not serviceUnavailable", what, kinfolk_status_name(status), message);
    else if (tells_too_much(message)) broken("%s: the message names a path, a person or an address: %s", what, message);
}

/* ---- Sweeping a step */

/* Tries a step with the armed fault. Returns true if the step succeeded. */
static bool try_step(const char *what) {
    struct world after = scene.world;
    struct step step = world_next(&after);
    kinfolk_status status = hands_take(&scene.hands, &after, &step);
    fault_disarm();
    tally.tries++;
    tally.fired += fault_count() > 0;
    what = text("%s, %s", step_name(step.kind), what);
    if (status == KINFOLK_OK) {
        tally.despite += fault_count() > 0;
        scene.world = after;
        if (fault_count() > 0) (void)stands(what);
        return true;
    }
    tally.failed++;
    if (fault_count() == 0) broken("%s: %s without a fault", what, kinfolk_error_message());
    check_failure(status, what);
    (void)stands(what);
    return false;
}

/* Steps that need many others before them. They are swept after the first steps of the plan, with single faults. */
static const enum step_kind rare[] = { STEP_TREE, STEP_CUT, STEP_REMOVE_ZONE, STEP_ATTACH, STEP_UPLOAD, STEP_DETACH };
enum { RARE = sizeof rare / sizeof rare[0] };

/* Takes steps without a fault, until the next one is to be swept. Discoveries have a separate sweep. */
static void pass_to_step(int i, int steps) {
    while (broken_count() < 20) {
        struct world after = scene.world;
        struct step step = world_next(&after);
        if (i < steps ? step.kind != STEP_DISCOVER : step.kind == rare[i - steps]) return;
        if (hands_take(&scene.hands, &after, &step) != KINFOLK_OK)
            broken("%s: %s", step_name(step.kind), kinfolk_error_message());
        scene.world = after;
    }
}

static void sweep_kind(const struct fault_kind *kind, int steps, bool is_lasting) {
    long n;
    int i;
    for (i = 0; i < steps + (is_lasting ? 0 : RARE); i++) {
        pass_to_step(i, steps);
        /* Until n is larger than the number of such calls, so that the fault does not happen. */
        for (n = 1; n < 4000 && broken_count() < 20; n += 1 + n / 40) {
            if (kind->is_cold) reopen();
            fault_arm(kind, n, is_lasting);
            if (try_step(text("%s %ld fails%s", kind->name, n, is_lasting ? " and all after it" : ""))) break;
        }
        if (n >= 4000) broken("%s: the step never succeeds", kind->name);
    }
}

static void sweep_room(int steps, struct dice *dice) {
    long room;
    int i;
    for (i = 0; i < steps + RARE; i++) {
        pass_to_step(i, steps);
        for (room = 0; broken_count() < 20; room += stride * (1 + dice_below(dice, 3000)) + room / 20) {
            fault_arm_full_disk(room);
            if (try_step(text("%ld bytes before the disk is full", room))) break;
        }
    }
}

/* ---- Sweeping the opening of a store */

/* Opens a store with the armed fault, and then without it. Returns true if the fault did not happen. */
static bool try_opening(const char *store, const char *what) {
    struct hands hands;
    kinfolk_service *service = NULL;
    kinfolk_status status = kinfolk_service_open(store, NULL, &service);
    fault_disarm();
    tally.tries++;
    tally.fired += fault_count() > 0;
    if (status != KINFOLK_OK) tally.failed++, check_failure(status, what);
    else tally.despite += fault_count() > 0;
    kinfolk_service_free(service);
    shim_expect_closed();
    if (hands_open(&hands, store, 0, &scene.ids) == KINFOLK_OK) hands_close(&hands);
    else broken("%s: afterwards the store does not open: %s (%s)", what, kinfolk_error_message(), kinfolk_status_name(status));
    return fault_count() == 0;
}

static void new_store(char path[1300], const char *name, long number) {
    const char *folder = text("%s/new-%s-%ld", scratch(), name, number);
    if (mkdir(folder, 0700) != 0) give_up(folder);
    snprintf(path, 1300, "%s/kinfolk.db", folder);
}

static void sweep_opening(const struct fault_kind *kind, bool is_new, bool is_lasting) {
    char store[1300];
    long n;
    for (n = 1; n < 500 && broken_count() < 20; n += n < dense ? 1 : stride) {
        if (is_new) new_store(store, kind->name, 2 * n + is_lasting);
        fault_arm(kind, n, is_lasting);
        if (try_opening(is_new ? store : scene.store,
                        text("opening a%s store, %s %ld fails%s", is_new ? " new" : "n old", kind->name, n,
                             is_lasting ? " and all after it" : "")))
            return;
    }
}

static void sweep_opening_on_full_disk(struct dice *dice) {
    char store[1300];
    long room;
    for (room = 0; broken_count() < 20; room += stride * (1 + dice_below(dice, 3000))) {
        new_store(store, "full", room);
        fault_arm_full_disk(room);
        if (try_opening(store, text("making a store, %ld bytes before the disk is full", room))) return;
    }
}

/* ---- A discovery that fails spends nothing */

/* A new account asks about 5 strangers with this fault. Returns true if the fault did not happen. `spent` counts calls that failed
 * and spent permits nevertheless: the account can then ask about fewer contacts than a new account. */
static bool try_discovery(const struct fault_kind *kind, long n, bool is_lasting, long *spent) {
    const char *what = text("a discovery, %s %ld fails%s", kind->name, n, is_lasting ? " and all after it" : "");
    kinfolk_account *account = NULL;
    kinfolk_session *session = NULL;
    kinfolk_status status;
    reopen(); /* otherwise no file would be read or opened */
    if (kinfolk_account_create(scene.hands.service, "Given", "Family", &account) != KINFOLK_OK ||
        kinfolk_session_open(scene.hands.places[0], account, &session) != KINFOLK_OK)
        broken("%s", kinfolk_error_message());
    fault_arm(kind, n, is_lasting);
    status = ask_about_strangers(session, 99, n, 5);
    fault_disarm();
    tally.tries++;
    tally.fired += fault_count() > 0;
    if (status != KINFOLK_OK) {
        tally.failed++;
        check_failure(status, what);
        status = ask_about_strangers(session, 98, n, PERMITS);
        if (status == KINFOLK_REQUEST_RATE_LIMITED) {
            if ((*spent)++ == 0) broken("%s: it fails, and spends its permits", what);
        } else if (status != KINFOLK_OK) {
            broken("%s: then %s", what, kinfolk_error_message());
        }
    }
    kinfolk_session_free(session);
    kinfolk_account_free(account);
    return fault_count() == 0;
}

static void discoveries(uint64_t seed) {
    const struct fault_kind *kind;
    long before = broken_count(), n, spent = 0;
    begin("discovery", seed);
    for (kind = fault_kinds; kind < fault_kinds + FAULT_KINDS; kind++) {
        for (n = 1; n < 200 && !try_discovery(kind, n, false, &spent); n++) continue;
        for (n = 1; n < 200 && !try_discovery(kind, n, true, &spent); n++) continue;
    }
    printf("  discovery: %ld tries, %ld faults: %ld calls failed, %ld of them spent permits nevertheless.\n",
           tally.tries, tally.fired, tally.failed, spent);
    end();
    row("failed discovery", text("%ld faults, %ld calls failed", tally.fired, tally.failed),
        text("%ld spent permits", spent), before);
}

/* ---- A storm with threads */

enum { THREADS = 4 };

static struct sailor {
    struct hands hands;
    struct world world;
    struct ids ids;
    long wanted, tries, failed;
    pthread_t thread;
} crew[THREADS];

/* How often a step may fail before it is sheltered: a large file takes so many writes that hardly any attempt would succeed. */
enum { ATTEMPTS = 20 };

/* Repeats each step until it succeeds. Discoveries are sheltered, because a failed one may spend permits (see above). */
static void *sail(void *context) {
    struct sailor *sailor = context;
    int attempts = 0;
    while (sailor->world.steps < sailor->wanted) {
        struct world after = sailor->world;
        struct step step = world_next(&after);
        kinfolk_status status;
        fault_shelter(step.kind == STEP_DISCOVER || attempts >= ATTEMPTS);
        status = hands_take(&sailor->hands, &after, &step);
        fault_shelter(false);
        sailor->tries++;
        if (status == KINFOLK_OK) {
            sailor->world = after;
            attempts = 0;
            continue;
        }
        attempts++;
        sailor->failed++;
        check_failure(status, text("%s, in a storm", step_name(step.kind)));
        if (status != KINFOLK_SERVICE_UNAVAILABLE) return NULL; /* it would not end */
    }
    return NULL;
}

static void check_crew(const struct hands *hands, const char *when) {
    const char *why;
    int i;
    for (i = 0; i < THREADS; i++) {
        why = inspect_both(hands, &crew[i].world, &crew[i].ids);
        if (*why != '\0') broken("%s: %s", when, why);
    }
}

static void weather(int steps, uint64_t seed) {
    long before = broken_count(), tries = 0, failed = 0, fired;
    int i;
    begin("storm", seed);
    for (i = 0; i < THREADS; i++) {
        hands_share(&crew[i].hands, &scene.hands, &crew[i].ids);
        world_begin(&crew[i].world, seed, 1 + i);
        crew[i].wanted = steps;
    }
    fault_storm(100, seed);
    for (i = 0; i < THREADS; i++)
        if (pthread_create(&crew[i].thread, NULL, sail, &crew[i]) != 0) give_up("pthread_create");
    for (i = 0; i < THREADS; i++) pthread_join(crew[i].thread, NULL);
    fault_storm(0, 0);
    fired = fault_storm_count();
    check_crew(&scene.hands, "after the storm");
    for (i = 0; i < THREADS; i++) {
        hands_empty(&crew[i].hands);
        tries += crew[i].tries, failed += crew[i].failed;
    }
    reopen();
    check_crew(&scene.hands, "after the storm, reopened");
    end();
    printf("  storm: %d threads, %ld calls, %ld faults: %ld calls failed.\n", THREADS, tries, fired, failed);
    if (fired == 0 || failed == 0) broken("the storm had no effect");
    row("fault storm", text("%ld faults, %d threads", fired, THREADS), text("%ld clear errors", failed), before);
}

/* ---- Locked by another process */

/* Locks the store, writes a byte, and unlocks the store when its input ends. */
static int hold(const char *store) {
    sqlite3 *db = NULL;
    char byte = 0;
    if (sqlite3_open_v2(store, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) return 1;
    sqlite3_busy_timeout(db, 10000);
    if (sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK) return 1;
    if (write(1, "h", 1) != 1 || read(0, &byte, 1) < 0) return 1;
    sqlite3_close(db);
    return 0;
}

struct holder {
    pid_t pid;
    int in, out;
};

static struct holder start_holder(const char *program) {
    struct holder holder;
    int in[2], out[2];
    char byte;
    if (pipe(in) != 0 || pipe(out) != 0 || (holder.pid = fork()) < 0) give_up("fork");
    if (holder.pid == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        close(in[1]);
        close(out[0]);
        execl(program, program, "--hold", scene.store, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    holder.in = in[1], holder.out = out[0];
    if (read(holder.out, &byte, 1) != 1) broken("the other process cannot lock the store");
    return holder;
}

static void end_holder(struct holder holder) {
    int status;
    close(holder.in);
    close(holder.out);
    waitpid(holder.pid, &status, 0);
}

/* A discovery whose permits are leased already writes nothing, so it would not wait. Take it while the store is not locked. */
static struct step next_change(struct world *after) {
    for (;;) {
        struct step step;
        *after = scene.world;
        step = world_next(after);
        if (step.kind != STEP_DISCOVER) return step;
        if (hands_take(&scene.hands, after, &step) != KINFOLK_OK) broken("%s", kinfolk_error_message());
        scene.world = *after;
    }
}

static void locked_store(const char *program, int rounds, uint64_t seed) {
    long before = broken_count();
    double longest = 0, shortest = 1000;
    int i;
    begin("locked", seed);
    for (i = 0; i < rounds; i++) {
        struct world after;
        struct step step = next_change(&after);
        struct holder holder = start_holder(program);
        double began = seconds_now(), took;
        kinfolk_status status = hands_take(&scene.hands, &after, &step);
        took = seconds_now() - began;
        if (status == KINFOLK_OK) broken("%s, locked: succeeds", step_name(step.kind));
        else check_failure(status, text("%s, locked", step_name(step.kind)));
        scene.hands.may_not_write = true;
        (void)stands("the wait"); /* reading needs no lock */
        scene.hands.may_not_write = false;
        end_holder(holder);
        if (took > longest) longest = took;
        if (took < shortest) shortest = took;
        status = hands_take(&scene.hands, &after, &step);
        if (status == KINFOLK_OK) scene.world = after;
        else broken("%s, unlocked again: %s", step_name(step.kind), kinfolk_error_message());
        (void)stands("the lock");
    }
    end();
    printf("  locked store: %d calls with a wait of 0.5 s gave up after %.2f to %.2f s; all succeeded later.\n", rounds,
           shortest, longest);
    if (shortest < 0.45 || longest > 5) broken("the calls did not wait as long as they should");
    row("locked store", text("%d calls with 0.5 s to wait", rounds), text("gave up in %.2f s", longest), before);
}

/* ---- The experiments */

static long people_in(const char *store) {
    sqlite3 *db = NULL;
    sqlite3_stmt *count = NULL;
    long people = 0;
    if (sqlite3_open_v2(store, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, "SELECT count(*) FROM accounts", -1, &count, NULL) == SQLITE_OK &&
        sqlite3_step(count) == SQLITE_ROW)
        people = (long)sqlite3_column_int64(count, 0);
    sqlite3_finalize(count);
    sqlite3_close(db);
    return people;
}

static void disk_full(int steps, uint64_t seed) {
    struct dice dice = dice_of(seed, 4);
    long before = broken_count();
    begin("full", seed);
    sweep_room(steps, &dice);
    end();
    sweep_opening_on_full_disk(&dice);
    printf("  disk full: %d steps, one new store: %ld tries, %ld times full: %ld calls failed, %ld succeeded.\n",
           steps + RARE, tally.tries, tally.fired, tally.failed, tally.despite);
    row("disk full", text("%ld times in %d calls", tally.fired, steps + RARE), text("%ld clear errors", tally.failed), before);
}

/* Adds people until the disk is full, each with an address and discoverable in a container. Returns how many. */
static long fill_with_people(struct hands *hands, long first) {
    kinfolk_status status = KINFOLK_OK;
    long number;
    for (number = first; number < first + 50000; number++) {
        kinfolk_account *account = NULL;
        kinfolk_session *session = NULL;
        status = kinfolk_account_create(hands->service, "Given", "Family", &account);
        if (status == KINFOLK_OK)
            status = kinfolk_account_add_email(account, brief("p%ld@example.com", number), true, NULL);
        if (status == KINFOLK_OK) status = kinfolk_session_open(hands->places[0], account, &session);
        if (status == KINFOLK_OK)
            status = kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, "May they?", "1");
        if (status != KINFOLK_OK) check_failure(status, "a person on a small disk");
        kinfolk_session_free(session);
        kinfolk_account_free(account);
        if (status != KINFOLK_OK) break;
    }
    return number - first;
}

static void small_disk(long capacity) {
    long before = broken_count(), people, possible, size;
    char store[1300];
    struct hands hands;
    struct stat status;
    new_store(store, "small", 0);
    fault_small_disk(store, capacity);
    if (hands_open(&hands, store, 5, &scene.ids) != KINFOLK_OK) give_up(kinfolk_error_message());
    people = fill_with_people(&hands, 0);
    /* With another megabyte the failed call succeeds. */
    fault_small_disk(store, capacity + 1000000);
    if (fill_with_people(&hands, 50000) == 0) broken("a small disk has room again, but nobody can be added");
    hands_close(&hands);
    fault_small_disk(NULL, 0);
    /* The size of a person in a file without a log gives the number of people for whom the disk had room. */
    if (hands_open(&hands, store, 5, &scene.ids) != KINFOLK_OK) give_up(kinfolk_error_message());
    hands_close(&hands);
    if (stat(store, &status) != 0) give_up(store);
    size = (long)status.st_size;
    possible = people_in(store);
    possible = (long)((double)capacity / ((double)size / (double)possible));
    printf("  small disk: %ld people on %ld bytes; without a log there would be room for %ld.\n", people, capacity, possible);
    if (people * 3 < possible * 2) broken("the log takes more than a third of a small disk");
    row("small disk", text("%ld kB", capacity / 1000), text("%ld of %ld people", people, possible), before);
}

static void input_output(int steps, uint64_t seed) {
    long before = broken_count(), fired = 0, failed = 0, despite = 0;
    const struct fault_kind *kind;
    for (kind = fault_kinds; kind < fault_kinds + FAULT_KINDS; kind++) {
        begin(kind->name, seed);
        sweep_kind(kind, steps * kind->steps, false);
        sweep_kind(kind, steps * kind->steps, true);
        end();
        sweep_opening(kind, false, false);
        sweep_opening(kind, false, true);
        sweep_opening(kind, true, false);
        sweep_opening(kind, true, true);
        printf("  %-8s %4d steps, 4 openings: %5ld tries, %5ld faults: %5ld calls failed, %4ld went through.\n",
               kind->name, 2 * steps * kind->steps + RARE, tally.tries, tally.fired, tally.failed, tally.despite);
        fired += tally.fired, failed += tally.failed, despite += tally.despite;
        if (tally.fired == 0) broken("%s: no fault happened", kind->name);
    }
    row("I/O errors", text("%ld faults of %d kinds", fired, FAULT_KINDS), text("%ld clear errors", failed), before);
}

int main(int argc, char **argv) {
    struct options options = read_options(argc, argv, help);
    if (option(argc, argv, "--hold") != NULL) return hold(option(argc, argv, "--hold"));
    watchdog(900);
    printf("  --seed %llu\n", (unsigned long long)options.seed);
    if (options.is_short) stride = 5, dense = 4 + (long)(options.seed % 5);
    fault_install();
    disk_full(options.is_short ? 4 : 200, options.seed);
    input_output(options.is_short ? 2 : 60, options.seed);
    small_disk(3000000);
    discoveries(options.seed);
    weather(options.is_short ? 100 : 2000, options.seed);
    locked_store(argv[0], options.is_short ? 3 : 20, options.seed);
    shim_closes_row();
    return finish();
}
