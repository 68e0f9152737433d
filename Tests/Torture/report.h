/*
 * report.h: what a torture program says and measures. Include it first.
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

/* Numbers that a seed repeats. */
struct dice {
    uint64_t state;
};

struct dice dice_of(uint64_t seed, uint64_t which);
uint64_t dice_roll(struct dice *dice);
/* From 0 to below `limit`. */
long dice_below(struct dice *dice, long limit);

/* Seconds on the monotonic clock. */
double seconds_now(void);
void pause_for(double seconds);

/* Ends the program: something outside of the experiment failed. */
void give_up(const char *what);

/* Says what broke, as printf does; the program then ends with 1. At most 20 are printed. */
void broken(const char *format, ...);
long broken_count(void);

/* One row of the table; `before` is the broken_count of the moment when its experiment began. */
void row(const char *experiment, const char *tried, const char *found, long before);

/* What took longest of what was timed. */
struct longest {
    double seconds;
    char name[24];
};
void keep_longest(struct longest *longest, double seconds, const char *name);

/* A row for what was left out of a short run. */
void row_left_out(const char *experiment, const char *why);

/* A message that lives until this thread has made 32 more, and a short value that lives until it has made 8 more. */
const char *text(const char *format, ...);
const char *brief(const char *format, ...);

/* A folder of this program's own, removed at its end unless something broke; and a path in it. */
const char *scratch(void);
void remove_tree(const char *path);

/* What the arguments said: --short, --seed N, and options of the program itself. */
struct options {
    bool is_short;
    uint64_t seed;
};
struct options read_options(int argc, char **argv, const char *help);
/* The value after `name` among the arguments, or NULL. */
const char *option(int argc, char **argv, const char *name);

/* The status that main returns. Removes the folder. */
int finish(void);

/* A program that does not end is broken. */
void watchdog(unsigned seconds);

/* Whether a message of the library names a path, a person or an address. */
bool tells_too_much(const char *message);

#endif
