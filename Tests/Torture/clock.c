/* clock: the system's date jumps. Nobody gains permits or codes by it, and nobody is locked out. */

#include "inspect.h"

#include <sys/syscall.h>
#include <time.h>

static const char help[] =
    "clock [--short] [--seed N]\n"
    "\n"
    "This program replaces clock_gettime, also for the library. A jump moves only\n"
    "CLOCK_REALTIME, by up to decades; time that really passes moves all clocks.\n"
    "permits   all are spent; no jump, forward or back, and no reopening of the\n"
    "          service gives one; after the jumps an hour that passes gives what\n"
    "          an hour gives, and the wait that is told was never longer than is\n"
    "          true\n"
    "codes     no jump gives a sixth code in a day; a code expires after ten minutes\n"
    "          have passed, even if the date was set back, and stays valid after a\n"
    "          jump forward; after a day has passed there are codes again\n"
    "plan      all steps of a writer succeed between jumps, and all its data is there\n"
    "          at the end\n";

/* ---- The clocks */

static int64_t date_shift, steady_shift; /* seconds */

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result != 0) return result;
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) time->tv_sec += date_shift + steady_shift;
    else if (clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID) time->tv_sec += steady_shift;
    return 0;
}

static void jump(int64_t seconds) {
    date_shift += seconds;
}

static void pass(int64_t seconds) {
    steady_shift += seconds;
}

enum { MINUTE = 60, HOUR = 3600, DAY = 86400, YEAR = 31557600 };

/* From minutes to decades, forward or back; the date stays between 1975 and 2100. */
static int64_t random_jump(struct dice *dice) {
    static const int64_t units[] = { MINUTE, HOUR, DAY, 30 * DAY, YEAR, 10 * (int64_t)YEAR };
    int64_t by = units[dice_below(dice, 6)] * (1 + dice_below(dice, 9));
    if (dice_below(dice, 2)) by = -by;
    if (date_shift + by > 70 * (int64_t)YEAR || date_shift + by < -50 * (int64_t)YEAR) by = -date_shift;
    return by;
}

/* ---- The scene */

enum { CAPACITY = 10, PER_HOUR = 10 };

static char store[1200];
static struct hands hands;
static struct ids ids;
static kinfolk_account *asker;
static kinfolk_session *session;
static char asker_id[33];

static void must(kinfolk_status status, const char *what) {
    if (status != KINFOLK_OK) broken("%s: %s (%s)", what, kinfolk_status_name(status), kinfolk_error_message());
}

static void open_scene(void) {
    kinfolk_container *limited = NULL;
    if (hands_open(&hands, store, 0, &ids) != KINFOLK_OK) give_up(kinfolk_error_message());
    if (asker_id[0] == '\0') {
        must(kinfolk_container_create(hands.service, "com.example.limited", &limited), "container_create");
        must(kinfolk_container_set_permits(limited, CAPACITY, PER_HOUR, CAPACITY), "set_permits");
        must(kinfolk_account_create(hands.service, "Given", "Family", &asker), "account_create");
        strcpy(asker_id, kinfolk_account_id(asker));
    } else {
        must(kinfolk_container_open(hands.service, "com.example.limited", &limited), "container_open");
        must(kinfolk_account_open(hands.service, asker_id, &asker), "account_open");
    }
    must(kinfolk_session_open(limited, asker, &session), "session_open");
    kinfolk_container_free(limited);
}

static void close_scene(void) {
    kinfolk_session_free(session);
    kinfolk_account_free(asker);
    hands_close(&hands);
}

static long asked;

static kinfolk_status ask(int count) {
    return ask_about_strangers(session, 90, ++asked, count);
}

/* The library sees the clock of this program: a record that is saved after a jump has the new date. */
static void check_the_seam(void) {
    kinfolk_record *record = NULL;
    int64_t before, after;
    must(kinfolk_record_fetch(session, NULL, KINFOLK_DATABASE_PUBLIC, &record), "record_fetch");
    must(kinfolk_record_save(session, record, KINFOLK_SAVE_ALL_KEYS), "record_save");
    before = kinfolk_record_modified_at(record);
    jump(3 * YEAR);
    must(kinfolk_record_save(session, record, KINFOLK_SAVE_ALL_KEYS), "record_save");
    after = kinfolk_record_modified_at(record);
    jump(-3 * YEAR);
    kinfolk_record_free(record);
    if (after - before < 2 * (int64_t)YEAR * 1000000)
        broken("the library does not use this program's clock, so the experiment would show nothing");
}

/* ---- Permits */

static long gained;

static void try_to_gain(const char *after) {
    kinfolk_status status = ask(1);
    double wait = kinfolk_error_retry_after();
    if (status == KINFOLK_OK) {
        if (gained++ == 0)
            broken("a permit was gained by %s (date shifted by %+.1f days)", after, (double)date_shift / DAY);
        while (ask(1) == KINFOLK_OK) gained++;
    } else if (status != KINFOLK_REQUEST_RATE_LIMITED) {
        broken("a discovery after %s: %s (%s)", after, kinfolk_status_name(status), kinfolk_error_message());
    } else if (wait <= 0 || wait > HOUR / PER_HOUR + 1) {
        broken("after %s the library says that a permit takes %.0f s", after, wait);
    }
}

static void permits(int jumps, struct dice *dice) {
    long before = broken_count();
    int i, reopened = 0;
    must(ask(CAPACITY), "spending all permits");
    for (i = 0; i < jumps; i++) {
        jump(random_jump(dice));
        if (dice_below(dice, 10) == 0) {
            close_scene();
            open_scene();
            reopened++;
        }
        try_to_gain("a jump");
    }
    jump(-date_shift - 20 * (int64_t)YEAR);
    try_to_gain("a jump back by decades");
    pass(HOUR / 2);
    if (ask(PER_HOUR / 2 + 1) != KINFOLK_REQUEST_RATE_LIMITED) broken("half an hour gave more than its permits");
    if (ask(PER_HOUR / 2) != KINFOLK_OK) broken("half an hour after a jump back gave no permits: locked out");
    jump(-date_shift);
    pass(100 * (int64_t)DAY);
    if (ask(CAPACITY) != KINFOLK_OK) broken("a hundred days gave no permits: locked out");
    printf("  permits: %d jumps of up to 90 years, %d reopenings: %ld permits gained by them.\n", jumps, reopened,
           gained);
    row("date: permits", text("%d jumps of the date", jumps), text("%ld gained", gained), before);
}

/* ---- Codes */

static kinfolk_status request(const char *email, char code[16]) {
    char *recipient = NULL, *made = NULL, *pass_of_mail = NULL;
    kinfolk_status status = kinfolk_account_request_verification(asker, email, KINFOLK_CODE_ADD_EMAIL, NULL,
                                                                 &recipient, &made, &pass_of_mail);
    if (status == KINFOLK_OK && made == NULL) broken("no code was sent, although the account may request one");
    snprintf(code, 16, "%s", made != NULL ? made : "");
    kinfolk_free(recipient);
    kinfolk_free(made);
    kinfolk_free(pass_of_mail);
    return status;
}

static kinfolk_status verify(const char *email, const char *code) {
    kinfolk_claims *claim = NULL;
    kinfolk_status status = kinfolk_account_verify_email(asker, email, code, &claim);
    kinfolk_claims_free(claim);
    return status;
}

static const char *fresh_email(void) {
    static long next;
    const char *email = brief("c%ld@example.com", next++);
    must(kinfolk_account_add_email(asker, email, false, NULL), "add_email");
    return email;
}

/* Issues all codes of a day for a new address, with a jump after each. */
static void codes_of_a_day(struct dice *dice, long *gained) {
    const char *email = fresh_email();
    char code[16];
    int i;
    for (i = 0; i < 5; i++) {
        must(request(email, code), "request_verification");
        jump(random_jump(dice));
    }
    for (i = 0; i < 5; i++) {
        kinfolk_status status = request(email, code);
        if (status == KINFOLK_OK && (*gained)++ == 0) broken("a jump gave a sixth code in a day");
        else if (status != KINFOLK_OK && status != KINFOLK_REQUEST_RATE_LIMITED)
            broken("a sixth code: %s", kinfolk_error_message());
        else if (status != KINFOLK_OK && kinfolk_error_retry_after() > DAY) broken("the wait for a code is over a day");
        jump(random_jump(dice));
    }
    jump(-date_shift - 5 * (int64_t)YEAR);
    pass(DAY + MINUTE);
    if (request(email, code) != KINFOLK_OK) broken("a day after a jump back there is no code: locked out");
    must(kinfolk_account_remove_email(asker, email), "remove_email");
}

static void code_ends(struct dice *dice, long *outlived) {
    const char *email = fresh_email();
    char code[16];
    must(request(email, code), "request_verification");
    pass(9 * MINUTE);
    jump(-(1 + dice_below(dice, 10)) * (int64_t)YEAR);
    pass(2 * MINUTE);
    if (verify(email, code) == KINFOLK_OK && (*outlived)++ == 0)
        broken("a code was valid after eleven minutes, because the date was set back");
    must(kinfolk_account_remove_email(asker, email), "remove_email");
}

static void code_lives(struct dice *dice, long *lost) {
    const char *email = fresh_email();
    char code[16];
    must(request(email, code), "request_verification");
    pass(8 * MINUTE);
    jump((1 + dice_below(dice, 10)) * (int64_t)YEAR);
    if (verify(email, code) != KINFOLK_OK && (*lost)++ == 0)
        broken("a code was lost to a jump forward: %s", kinfolk_error_message());
    must(kinfolk_account_remove_email(asker, email), "remove_email");
}

static void codes(int rounds, struct dice *dice) {
    long before = broken_count(), gained = 0, outlived = 0, lost = 0;
    int i;
    for (i = 0; i < rounds; i++) {
        codes_of_a_day(dice, &gained);
        code_ends(dice, &outlived);
        code_lives(dice, &lost);
        jump(-date_shift);
    }
    printf("  codes: %d rounds of 12 jumps: %ld gained, %ld valid for too long, %ld lost too early.\n", rounds,
           gained, outlived, lost);
    row("date: codes", text("%d jumps of the date", 12 * rounds),
        text("%ld gained, %ld lost", gained + outlived, lost), before);
}

/* ---- A plan */

static void plan(int jumps, uint64_t seed, struct dice *dice) {
    long before = broken_count();
    struct world world;
    const char *why;
    int i;
    world_begin(&world, seed, 0);
    for (i = 0; i < jumps; i++) {
        struct step step = world_next(&world);
        must(hands_take(&hands, &world, &step), step_name(step.kind));
        jump(random_jump(dice));
    }
    close_scene();
    open_scene();
    why = inspect_both(&hands, &world, &ids);
    if (*why != '\0') broken("after jumps: %s", why);
    printf("  plan: %d steps with a jump after each, all there.\n", jumps);
    row("date: all calls", text("%d steps, a jump after each", jumps), "all there", before);
}

int main(int argc, char **argv) {
    struct options options = read_options(argc, argv, help);
    struct dice dice = dice_of(options.seed, 5);
    watchdog(900);
    printf("  --seed %llu\n", (unsigned long long)options.seed);
    snprintf(store, sizeof store, "%s/kinfolk.db", scratch());
    open_scene();
    check_the_seam();
    permits(options.is_short ? 100 : 2000, &dice);
    codes(options.is_short ? 5 : 50, &dice);
    jump(-date_shift);
    plan(options.is_short ? 100 : 1000, options.seed, &dice);
    close_scene();
    return finish();
}
