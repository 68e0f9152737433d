/*
 * writers.h: processes that write to one store, report each completed step through a pipe, and are killed.
 */

#ifndef WRITERS_H
#define WRITERS_H

#include "inspect.h"

enum { WRITERS_EVER = 1000 };

struct writer {
    int number;
    pid_t pid;
    int pipe;
    long returned; /* steps that the process has reported */
    struct ids *ids;
    long at_least, at_most; /* people that it left in the store */
};

/* Names the program, which calls writer_work if its option is --writer, and makes the containers of the store. A writer that made
 * a container could be killed before it set the limits. */
void writers_begin(const char *program, const char *store, uint64_t seed);
/* The process of a writer: takes steps until it is killed. */
int writer_work(int argc, char **argv);

struct writer *writer_start(void);
/* Reads the reports of the writers for so long. */
void writers_listen(struct writer **writers, int count, double seconds);
/* Kills a writer, which must not have ended before. */
void writer_kill(struct writer *writer);
/* The processes that have ever been started. */
int writers_count(void);
long writers_steps(void);

/* Whether the store holds what killed processes reported, and at most one step more of each. Others may write meanwhile. */
void writers_check(struct writer **killed, int count, const char *when);
/* Checks everything that was ever reported, when no process is running any more. */
void writers_check_end(void);

#endif
