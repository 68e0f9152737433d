/*
 * crowd.h: processes whose threads take the steps of their plans while their server stops and starts.
 *
 * A step that fails with serviceUnavailable is repeated until it succeeds, as a host would do. A lost server is no reason
 * to fail before the wait is over. If a failed call does not report an unknown outcome, it changed nothing. If it does,
 * its change was committed completely or not at all; the crowd finds out which before it goes on. At the end the world of
 * every writer is there, with the exact number of permits.
 */

#ifndef CROWD_H
#define CROWD_H

#include "inspect.h"

#include <sys/types.h>

enum { PROCESSES_MOST = 4, THREADS_MOST = 8 };

/* The counts of one thread; at the end, the sum of all. */
struct tally {
    long done, unavailable;
    long doubts, kept;    /* unknown outcomes, and how many of them were committed */
    long living, unknown; /* people at the end, and people that a call with an unknown outcome may have made */
    struct longest longest_step;
    double asked_at; /* when the current step began, or 0 */
};

struct crowd {
    const char *address;
    double wait;  /* as in kinfolk_open_options */
    double limit; /* the longest time that a call may take */
    int processes, threads;
    uint64_t seed;
    /* Private: */
    pid_t pids[PROCESSES_MOST];
    struct board *board;
};

/* Starts the processes. They repeat opening the store until it succeeds. */
void crowd_start(struct crowd *crowd);
/* Waits that long, or until a call does not return. */
void crowd_wait(const struct crowd *crowd, double seconds);
/* How many steps have succeeded so far, and how many have failed. */
struct tally crowd_tally(const struct crowd *crowd);
/* Waits until another step of each thread has succeeded. Returns how long the first thread took, and how long all took. */
double crowd_goes_on(const struct crowd *crowd, double patience, double *all);
/* Has all threads finish their steps, check that their worlds are there, and end. */
struct tally crowd_end(struct crowd *crowd);

#endif
