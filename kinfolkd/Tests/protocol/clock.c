/* Moves the date of a program by as many seconds as the variable CLOCK_SHIFT says. Other clocks stay as they are. */

#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    const char *shift = getenv("CLOCK_SHIFT");
    if (result == 0 && shift && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += atol(shift);
    return result;
}
