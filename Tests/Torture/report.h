/*
 * report.h: prints and measures for all torture programs. Include it first.
 *
 * Each program prints its figures as it goes, and ends with rows for the table that Tests/Torture/run prints.
 */

#ifndef REPORT_H
#define REPORT_H

#define _GNU_SOURCE

#include <kinfolk.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Random numbers, the same for the same seed. */
struct dice {
    uint64_t state;
};

struct dice dice_of(uint64_t seed, uint64_t which);
uint64_t dice_roll(struct dice *dice);
/* A number from 0 to `limit` - 1. */
long dice_below(struct dice *dice, long limit);

/* Seconds on the monotonic clock. */
double seconds_now(void);
void pause_for(double seconds);

/* Ends the program, because something outside of the experiment failed. */
void give_up(const char *what);

/* Prints a failed check, with the arguments of printf. The program will end with 1. At most 20 are printed. */
void broken(const char *format, ...);
long broken_count(void);

/* Prints one row of the table. `before` is the broken_count when its experiment began. */
void row(const char *experiment, const char *tried, const char *found, long before);

/* The longest of the timed calls. */
struct longest {
    double seconds;
    char name[24];
};
void keep_longest(struct longest *longest, double seconds, const char *name);

/* Prints a row for an experiment that was left out. */
void row_left_out(const char *experiment, const char *why);

/* text() makes a message that is valid until this thread has made 32 more; value() a short text, valid until it has made 8 more. */
const char *text(const char *format, ...);
const char *brief(const char *format, ...);

/* A folder of this program, removed at its end unless a check failed; and a path in it. */
const char *scratch(void);
void remove_tree(const char *path);

/* The parsed arguments: --short, --seed N. Programs have further options. */
struct options {
    bool is_short;
    uint64_t seed;
};
struct options read_options(int argc, char **argv, const char *help);
/* The value after `name` among the arguments, or NULL. */
const char *option(int argc, char **argv, const char *name);

/* The status that main returns. Removes the folder. */
int finish(void);

/* Ends the program as failed when so many seconds have passed since this call, or since the last row. Programs call it before they make threads. The
 * limit is many times what an experiment needs: a slow machine must not fail. */
void watchdog(unsigned seconds);

/* Returns whether a message of the library names a path, a person or an address. */
bool tells_too_much(const char *message);

#endif
