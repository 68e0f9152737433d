/* power-cuts: the power fails while several threads write. Acknowledged calls are kept, and no call is half done. */

#include "inspect.h"
#include "power_cut_vfs.h"
#include "shim_vfs.h"

#include <pthread.h>
#include <sys/stat.h>

static const char help[] =
    "power-cuts [--short] [--seed N] [--cuts N] [--writers N]\n"
    "\n"
    "Threads write people, addresses, consents, records, batches of records, files\n"
    "and permits through a VFS that knows what was synced. At random times it makes an\n"
    "image of what a disk could hold if the power failed at that time: each unsynced\n"
    "write is there, is missing, is torn at 512-byte sectors, or was reordered. Each\n"
    "image is then opened without this VFS:\n"
    "  - all calls that were acknowledged before the cut are there, field by field;\n"
    "    a call that was running is there completely, or not at all; each file that a\n"
    "    record names is complete, byte by byte, although only the end of an upload\n"
    "    waits for the disk;\n"
    "  - the directory holds exactly the people who may be found, according to\n"
    "    sessions, discovery and the tables;\n"
    "  - after a day, uploads that no record names are gone;\n"
    "  - the integrity check and the library's check pass, and the store can be\n"
    "    written.\n"
    "The same run with synchronous = OFF must lose acknowledged writes. Otherwise the\n"
    "experiment could not detect a loss.\n"
    "\n"
    "A seed repeats the plans of the writers and the random choices of the disk, not\n"
    "the order in which threads run.\n";

enum { WRITERS_MOST = 8, CUTS_MOST = 400 };

static int writers = 4;

/* What is known at a cut: the steps that had returned before it, and whether a step was running. */
struct moment {
    long returned[WRITERS_MOST];
    bool under_way[WRITERS_MOST];
    int setup;
};

static struct writer {
    int number;
    uint64_t seed;
    struct hands hands;
    struct world world;
    struct ids ids;
    long started, returned; /* read by other threads */
    long wanted;
    pthread_t thread;
} team[WRITERS_MOST];

static struct moment moments[CUTS_MOST];
static int setup_returned;

/* Reads `returned` first, then `started`. A call that returns in between counts as running, and a call that starts in between
 * has changed nothing in the image. */
static void note_moment(int cut, bool after) {
    struct moment *moment = &moments[cut];
    int i;
    if (cut >= CUTS_MOST) give_up("more cuts than planned");
    if (!after) moment->setup = __atomic_load_n(&setup_returned, __ATOMIC_SEQ_CST);
    for (i = 0; i < writers; i++) {
        if (!after) moment->returned[i] = __atomic_load_n(&team[i].returned, __ATOMIC_SEQ_CST);
        else moment->under_way[i] = __atomic_load_n(&team[i].started, __ATOMIC_SEQ_CST) > moment->returned[i];
    }
    if (cut + 1 >= CUTS_MOST - 1) power_cut_every(0);
}

/* ---- Writing */

static void *write_steps(void *context) {
    struct writer *writer = context;
    for (; writer->wanted > 0; writer->wanted--) {
        struct world after = writer->world;
        struct step step = world_next(&after);
        kinfolk_status status;
        __atomic_store_n(&writer->started, after.steps, __ATOMIC_SEQ_CST);
        status = hands_take(&writer->hands, &after, &step);
        if (status != KINFOLK_OK) {
            broken("writer %d: %s: %s", writer->number, step_name(step.kind), kinfolk_error_message());
            return NULL;
        }
        writer->world = after;
        __atomic_store_n(&writer->returned, after.steps, __ATOMIC_SEQ_CST);
    }
    return NULL;
}

static bool open_store(struct hands *hands, const char *store) {
    int place;
    memset(hands, 0, sizeof *hands);
    if (kinfolk_service_open(store, NULL, &hands->service) != KINFOLK_OK) {
        broken("opening: %s", kinfolk_error_message());
        return false;
    }
    __atomic_store_n(&setup_returned, setup_returned < 1 ? 1 : setup_returned, __ATOMIC_SEQ_CST);
    for (place = 0; place < PLACES; place++) {
        if (open_place(hands->service, place, &hands->places[place]) != KINFOLK_OK) {
            broken("opening a container: %s", kinfolk_error_message());
            return false;
        }
        if (setup_returned < 2 + place) __atomic_store_n(&setup_returned, 2 + place, __ATOMIC_SEQ_CST);
    }
    return true;
}

/* Opens the store, writes for a while, and closes it. */
static void write_phase(const char *store, struct dice *dice, long gap) {
    struct hands shared;
    int i;
    /* Opening and closing make few calls, but these create, replace and delete files. So cuts are more frequent meanwhile. */
    power_cut_every(setup_returned == 0 ? 8 : 25);
    if (!open_store(&shared, store)) return;
    power_cut_every(gap);
    for (i = 0; i < writers; i++) {
        hands_share(&team[i].hands, &shared, &team[i].ids);
        team[i].wanted = 20 + dice_below(dice, 60);
        if (pthread_create(&team[i].thread, NULL, write_steps, &team[i]) != 0) give_up("pthread_create");
    }
    for (i = 0; i < writers; i++) {
        pthread_join(team[i].thread, NULL);
        hands_empty(&team[i].hands);
    }
    power_cut_every(12);
    hands_close(&shared);
    power_cut_every(0);
}

/* ---- Checking */

enum verdict { HELD, LOST, DAMAGED };

struct tally {
    int cuts, lives;
    int verdicts[3];
    int busy;   /* cuts during a call */
    int again;  /* cuts of a store that was made from an earlier image */
    int making; /* cuts before the store and its containers were made */
    int lost;   /* cuts that lost an acknowledged call */
    long calls, steps, under_way, kept, uploads;
};

/* Finds out which world the store holds: the acknowledged steps, or these and the running step. */
static const char *find_world(const struct hands *hands, int cut, int i, struct world *world, struct tally *tally) {
    const struct moment *moment = &moments[cut];
    struct world next;
    struct step step;
    const char *why, *why_not;
    world_after(world, team[i].seed, i, moment->returned[i]);
    tally->under_way += moment->under_way[i];
    why = inspect_world(hands, world, &team[i].ids);
    if (*why != '\0') why = text("after %ld steps: %s", moment->returned[i], why);
    if (!moment->under_way[i]) return why;
    next = *world;
    step = world_next(&next);
    /* If the running step adds a person, the old world is there in both cases. */
    if (*why == '\0' && step.kind != STEP_CREATE) return "";
    why_not = inspect_world(hands, &next, &team[i].ids);
    if (*why_not != '\0' && *why == '\0') return "";
    if (*why_not != '\0') return text("%s; with the running step \"%s\": %s", why, step_name(step.kind), why_not);
    *world = next;
    tally->kept++;
    return "";
}

/* The acknowledged containers must be there. Makes the others. */
static enum verdict open_places(struct hands *hands, int cut, const char **why) {
    int place;
    for (place = 0; place < PLACES; place++) {
        if (kinfolk_container_open(hands->service, place_names[place], &hands->places[place]) == KINFOLK_OK) continue;
        *why = "a container is lost";
        if (moments[cut].setup >= 2 + place) return LOST;
        *why = "no container can be made";
        if (open_place(hands->service, place, &hands->places[place]) != KINFOLK_OK) return DAMAGED;
        *why = "";
    }
    return HELD;
}

/* Finds the worlds of all writers. Sets `found` to what the store holds of each. */
static enum verdict check_worlds(const struct hands *hands, int cut, struct tally *tally, struct world *found,
                                 const char **why) {
    bool busy = false;
    int i;
    for (i = 0; i < writers; i++) {
        *why = find_world(hands, cut, i, &found[i], tally);
        if (**why == '\0') *why = inspect_directory(hands, &found[i], &team[i].ids);
        if (**why != '\0') return LOST;
        tally->steps += moments[cut].returned[i];
        busy = busy || moments[cut].under_way[i];
    }
    tally->busy += busy;
    return HELD;
}

static enum verdict check_image(const char *store, int cut, struct tally *tally, struct world *found,
                                const char **why) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    struct hands hands;
    enum verdict verdict;
    long expected = 0, accounts = 0, uploads = 0;
    int i;
    *why = "";
    memset(&hands, 0, sizeof hands);
    options.existing_only = moments[cut].setup > 0;
    if (kinfolk_service_open(store, &options, &hands.service) != KINFOLK_OK) {
        *why = text("opening: %s", kinfolk_error_message());
        return DAMAGED;
    }
    verdict = open_places(&hands, cut, why);
    if (verdict == HELD) verdict = check_worlds(&hands, cut, tally, found, why);
    if (verdict == HELD && *(*why = inspect_soundness(&hands)) != '\0') verdict = DAMAGED;
    hands_close(&hands);
    if (verdict != HELD) return verdict;
    *why = inspect_file(store, &accounts);
    if (**why != '\0') return DAMAGED;
    for (i = 0; i < writers; i++) expected += world_living(&found[i]);
    *why = text("%ld accounts, not %ld", accounts, expected);
    if (accounts != expected) return LOST;
    *why = inspect_expiry(store, &uploads);
    if (**why == '\0') *why = inspect_file(store, &accounts);
    tally->uploads += uploads;
    return **why == '\0' ? HELD : DAMAGED;
}

/* ---- The experiment */

/* Begins a new store, or continues with the content of an image. */
static void begin_writers(uint64_t seed, const struct world *found) {
    int i;
    if (found == NULL) setup_returned = 0;
    for (i = 0; i < writers; i++) {
        if (found == NULL) {
            memset(&team[i], 0, sizeof team[i]);
            team[i].number = i;
            team[i].seed = seed;
            world_begin(&team[i].world, seed, i);
        } else {
            team[i].world = found[i];
        }
        team[i].started = team[i].returned = team[i].world.steps;
    }
}

/* One life of a store, from an empty folder or from an image, with many cuts. Afterwards each image is checked. The image from which
 * the next life begins is copied to `heir` first. Returns true if there is such an image. `found` is what it holds. */
static bool live(const char *folder, const char *heir, const struct options *options, struct dice *dice,
                 bool without_sync, bool is_again, struct tally *tally, struct world *found) {
    struct power_cut_plan plan;
    struct world worlds[WRITERS_MOST];
    char store[1300];
    const char *why;
    int cut, taken, chosen = -1;
    bool has_heir = false;
    memset(&plan, 0, sizeof plan);
    plan.folder = folder, plan.store = "kinfolk.db", plan.key = "kinfolk.key";
    plan.seed = dice_roll(dice), plan.moment = note_moment, plan.without_sync = without_sync;
    snprintf(store, sizeof store, "%s/%s", folder, plan.store);
    power_cut_begin(&plan);
    write_phase(store, dice, 100 + dice_below(dice, 300));
    write_phase(store, dice, 100 + dice_below(dice, 300));
    taken = power_cuts_taken();
    tally->calls += power_cut_calls();
    power_cut_end();
    if (taken > 0) chosen = (int)dice_below(dice, taken);
    if (chosen >= 0 && moments[chosen].setup < 1 + PLACES) chosen = -1;
    if (chosen >= 0) power_cut_copy(text("%s/cut-%d", folder, chosen), heir, plan.store, plan.key);
    for (cut = 0; cut < taken; cut++) {
        enum verdict verdict;
        snprintf(store, sizeof store, "%s/cut-%d/%s", folder, cut, plan.store);
        verdict = check_image(store, cut, tally, worlds, &why);
        tally->cuts++;
        tally->again += is_again;
        tally->making += moments[cut].setup < 1 + PLACES;
        tally->verdicts[verdict]++;
        tally->lost += verdict != HELD && moments[cut].setup > 0;
        if (verdict == HELD && cut == chosen) {
            memcpy(found, worlds, sizeof worlds);
            has_heir = true;
        } else if (verdict != HELD && !without_sync) {
            broken("%s, cut %d (--seed %llu): %s", strrchr(folder, '/') + 1, cut,
                   (unsigned long long)options->seed, why);
        } else if (verdict != HELD && getenv("VERBOSE") != NULL) {
            printf("  without sync: %s\n", why);
        }
    }
    tally->lives++;
    if (without_sync || broken_count() == 0) remove_tree(folder);
    return has_heir;
}

/* A new store, and two lives more, each from an image of the life before. */
static void run_once(const struct options *options, int run, bool without_sync, struct tally *tally) {
    uint64_t seed = options->seed + (uint64_t)run * 7919;
    struct dice dice = dice_of(seed, 2);
    struct world found[WRITERS_MOST];
    char folder[1200], heir[1200];
    bool goes_on = true;
    int life;
    snprintf(heir, sizeof heir, "%s/run-%d-%d.0", scratch(), (int)without_sync, run);
    if (mkdir(heir, 0700) != 0) give_up(heir);
    for (life = 0; life < 3 && goes_on; life++) {
        begin_writers(seed, life == 0 ? NULL : found);
        memcpy(folder, heir, sizeof folder);
        snprintf(heir, sizeof heir, "%s/run-%d-%d.%d", scratch(), (int)without_sync, run, life + 1);
        goes_on = live(folder, heir, options, &dice, without_sync, life > 0, tally, found);
    }
    if (broken_count() == 0) remove_tree(heir);
}

static void experiment(const struct options *options, int wanted, bool without_sync, struct tally *tally) {
    double began = seconds_now();
    long before = broken_count();
    int run;
    memset(tally, 0, sizeof *tally);
    for (run = 0; tally->cuts - tally->making < wanted && broken_count() - before < 5; run++)
        run_once(options, run, without_sync, tally);
    printf("  synchronous=%s: %d cuts of %d stores, %d of them while one was made, %d of one made from an\n"
           "    earlier image; %d writers, %ld calls to the disk, %.1f s.\n",
           without_sync ? "OFF" : "FULL", tally->cuts, tally->lives, tally->making, tally->again, writers,
           tally->calls, seconds_now() - began);
    printf("    %ld uploads that no record names, all gone after a day;\n", tally->uploads);
    printf("    %ld acknowledged steps checked; %d cuts were during %ld calls, of which %ld were there\n"
           "    completely; %d cuts lost acknowledged writes, %d damaged the store.\n",
           tally->steps, tally->busy, tally->under_way, tally->kept, tally->verdicts[LOST], tally->verdicts[DAMAGED]);
}

/* With synchronous=OFF the same experiment must lose acknowledged writes. Otherwise it could not detect a loss. */
static void control(const struct options *options, int wanted) {
    long before = broken_count();
    struct tally tally;
    experiment(options, wanted, true, &tally);
    printf("  with synchronous=OFF: %d of %d cuts lost acknowledged writes, %d of them the whole store, as expected\n",
           tally.lost, tally.cuts, tally.lost - tally.verdicts[LOST]);
    if (tally.lost * 4 < tally.cuts - tally.making)
        broken("with synchronous=OFF too little was lost: the experiment cannot detect a loss");
    row("  without sync", text("%d cuts, synchronous=OFF", tally.cuts), text("%d lost, as expected", tally.lost),
        before);
}

int main(int argc, char **argv) {
    struct options options = read_options(argc, argv, help);
    const char *cuts_text = option(argc, argv, "--cuts"), *writers_text = option(argc, argv, "--writers");
    int cuts = cuts_text != NULL ? atoi(cuts_text) : options.is_short ? 15 : 1000;
    struct tally tally;
    long before = broken_count();
    if (writers_text != NULL) writers = atoi(writers_text);
    if (writers < 1 || writers > WRITERS_MOST || cuts < 1) give_up("--writers or --cuts");
    watchdog(900);
    printf("  --seed %llu\n", (unsigned long long)options.seed);
    experiment(&options, cuts, false, &tally);
    row("power cuts", text("%d cuts, %d in a call", tally.cuts, tally.busy),
        text("%d lost, %d damaged", tally.verdicts[LOST], tally.verdicts[DAMAGED]), before);
    control(&options, cuts / 4 + 12);
    shim_closes_row();
    return finish();
}
