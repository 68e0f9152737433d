/* kills: processes are killed while they write. What they reported is in the store, and the others continue. */

#include "writers.h"

#include <signal.h>

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

enum { VICTIMS = 3, CHILDREN = VICTIMS + 1 };

static void check_survivor(struct writer *survivor) {
    long before = survivor->returned;
    double until = seconds_now() + 20;
    while (survivor->returned == before && seconds_now() < until) writers_listen(&survivor, 1, 0.01);
    if (survivor->returned == before) broken("the survivor makes no progress");
}

/* ---- The experiment */

int main(int argc, char **argv) {
    struct options options = read_options(argc, argv, help);
    const char *kills_text = option(argc, argv, "--kills");
    int wanted = kills_text != NULL ? atoi(kills_text) : options.is_short ? 10 : 100, kills = 0, rounds = 0, i, count;
    struct writer *children[CHILDREN], *killed[VICTIMS];
    struct dice dice = dice_of(options.seed, 3);
    long before = broken_count(), steps;
    if (option(argc, argv, "--writer") != NULL) return writer_work(argc, argv);
    watchdog(900);
    printf("  --seed %llu\n", (unsigned long long)options.seed);
    writers_begin(argv[0], text("%s/kinfolk.db", scratch()), options.seed);
    for (i = 0; i < CHILDREN; i++) children[i] = writer_start();
    while (kills < wanted && broken_count() == before) {
        writers_listen(children, CHILDREN, 0.02 + (double)dice_below(&dice, 200) / 1000);
        count = 1 + (int)dice_below(&dice, VICTIMS);
        for (i = 0; i < count; i++) {
            killed[i] = children[i];
            kill(killed[i]->pid, SIGKILL); /* kill all at once, then wait for each */
        }
        for (i = 0; i < count; i++) writer_kill(killed[i]);
        writers_check(killed, count, "of the killed,");
        check_survivor(children[VICTIMS]);
        /* The next round kills the ones first that were not killed now. */
        for (i = 0; i < VICTIMS; i++) children[i] = i + count < VICTIMS ? children[i + count] : writer_start();
        kills += count;
        rounds++;
    }
    for (i = 0; i < CHILDREN; i++) writer_kill(children[i]);
    writers_check_end();
    steps = writers_steps();
    printf("  %d kills in %d rounds and %d at the end, of 4 processes; %ld reported steps checked, %ld of them the\n"
           "  survivor's.\n",
           kills, rounds, CHILDREN, steps, children[VICTIMS]->returned);
    if (steps < kills * 5) broken("too few steps for a result");
    row("kill -9", text("%d of 4 processes", kills), text("%ld steps kept", steps), before);
    return finish();
}
