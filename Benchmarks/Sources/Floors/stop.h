/* stop.h: ends the program with a reason if a floor cannot be measured. */

#ifndef STOP_H
#define STOP_H

#include <stdio.h>
#include <stdlib.h>

#define STOP(why) \
    do { \
        fprintf(stderr, "kinfolk-bench: %s (%s)\n", why, __func__); \
        exit(2); \
    } while (0)

#define REQUIRE(what) \
    do { \
        if (!(what)) STOP(#what); \
    } while (0)

#endif
