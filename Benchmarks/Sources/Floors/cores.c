/* cores.c: chooses the cores on which this process runs. */

#define _GNU_SOURCE /* sched_setaffinity */

#include "floors.h"
#include "stop.h"

#include <sched.h>

static cpu_set_t all_cores;

__attribute__((constructor)) static void note_all_cores(void) {
    REQUIRE(sched_getaffinity(0, sizeof all_cores, &all_cores) == 0);
}

void floor_use_all_cores(void) { REQUIRE(sched_setaffinity(0, sizeof all_cores, &all_cores) == 0); }

void floor_use_one_core(void) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
}
