#ifndef KINFOLK_CPROCESS_SHIM_H
#define KINFOLK_CPROCESS_SHIM_H

// Glibc's module does not contain it.
#include <sys/eventfd.h>
#include <sys/prctl.h>

// prctl is variadic: Swift does not import it.

// Whether the process may be dumped, and traced by others of its user.
static inline int kinfolk_process_set_dumpable(int dumpable) {
    return prctl(PR_SET_DUMPABLE, (unsigned long)dumpable, 0UL, 0UL, 0UL);
}

#endif
