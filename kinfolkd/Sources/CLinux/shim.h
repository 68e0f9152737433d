#ifndef KINFOLKD_CLINUX_SHIM_H
#define KINFOLKD_CLINUX_SHIM_H

// What Swift does not import from the system: variadic functions and macros with arguments.

#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>

// Whether the process may be dumped, and traced by others of its user.
static inline int kinfolkd_set_dumpable(int dumpable) { return prctl(PR_SET_DUMPABLE, (unsigned long)dumpable, 0UL, 0UL, 0UL); }

// Whether a process ended by itself with status 0.
static inline int kinfolkd_succeeded(int status) { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }

// These three are declared only with _GNU_SOURCE. The first is in glibc since 2.34.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern int pipe2(int ends[2], int flags);
extern int pthread_setattr_default_np(const pthread_attr_t *attributes);

static inline int kinfolkd_pipe(int ends[2], int flags) { return pipe2(ends, flags); }

static inline int kinfolkd_close_from(posix_spawn_file_actions_t *actions, int from) {
    return posix_spawn_file_actions_addclosefrom_np(actions, from);
}

// Gives each thread that is started from now on a stack of this size in bytes.
static inline void kinfolkd_set_stack_size(size_t size) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, size);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}

static inline void kinfolkd_ignore_signal(int number) { signal(number, SIG_IGN); }

#endif
