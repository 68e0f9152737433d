/*
 * crowd.h: processes of threads that take the steps of their plans while their server comes and goes.
 *
 * A step that fails with serviceUnavailable is taken until it succeeds, as a host would. A lost server is no reason to
 * fail before the wait is over. If the answer left no doubt the step changed nothing; if it said that the change may
 * have been kept, it was kept whole or not at all, and which of the two is looked for before going on. At the end every
 * world is there to the last permit.
 */

#ifndef CROWD_H
#define CROWD_H

#include "inspect.h"

#include <sys/types.h>

enum { PROCESSES_MOST = 4, THREADS_MOST = 8 };

/* What one thread tells; all of it together at the end. */
struct tally {
    long done, unavailable;
    long doubts, kept;    /* of what was unavailable: what may have been kept, and what was */
    long living, unknown; /* people at the end, and people whom a call may have made for nobody */
    struct longest longest_step;
    double asked_at; /* when the step under way began, or 0 */
};

struct crowd {
    const char *address;
    double wait;  /* as in kinfolk_open_options */
    double limit; /* what a call may take at most */
    int processes, threads;
    uint64_t seed;
    /* Its own: */
    pid_t pids[PROCESSES_MOST];
    struct board *board;
};

/* They open the store, and try that until it succeeds. */
void crowd_start(struct crowd *crowd);
/* Waits so long, or until somebody stands still. */
void crowd_wait(const struct crowd *crowd, double seconds);
/* Steps that succeeded so far, and failures. */
struct tally crowd_tally(const struct crowd *crowd);
/* Waits until each thread has had another step succeed. How long it took until the first one did, and all. */
double crowd_goes_on(const struct crowd *crowd, double patience, double *all);
/* Has everybody finish their step, look whether their world is there, and end. */
struct tally crowd_end(struct crowd *crowd);

#endif
