/*
 * children.h: functions that run in a separate process. Include it after harness.h.
 *
 * A child that is started before its parent has opened a service behaves like a separate program.
 */

#ifndef CHILDREN_H
#define CHILDREN_H

#include <signal.h>
#include <sys/wait.h>

/* Runs a function in a child. If a check fails there, it is printed, and the exit status is 1. A child that hangs is ended. */
HARNESS_UNUSED static pid_t start_child(void (*work)(void)) {
    pid_t child;
    fflush(stdout);
    child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        alarm(HARNESS_PATIENCE - 20); /* before the test that waits for it */
        if (setjmp(harness.leave) == 0) work();
        fflush(stdout);
        _exit(harness.faults > 0);
    }
    return child;
}

/* Waits for a child. If it failed, this test fails. */
HARNESS_UNUSED static void finish_child(pid_t child) {
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        char why[60];
        snprintf(why, sizeof why, "ended with %s %d", WIFEXITED(status) ? "status" : "signal",
                 WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
        harness_fault(__FILE__, __LINE__, "a child", why);
    }
}

HARNESS_UNUSED static void in_child(void (*work)(void)) { finish_child(start_child(work)); }

/* Ends a child as kill -9 does; it must not have ended before. */
HARNESS_UNUSED static void kill_child(pid_t child) {
    int status = 0;
    REQUIRE(kill(child, SIGKILL) == 0 && waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
}

#endif
