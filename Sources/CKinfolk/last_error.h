#ifndef CKINFOLK_LAST_ERROR_H
#define CKINFOLK_LAST_ERROR_H

#include "../../Include/kinfolk.h"

/* Keeps what a call that failed on this thread has to say. `message` is copied and cut at 511 bytes; `record`, which may
 * be NULL, becomes this thread's until it is taken. */
void ckinfolk_last_error_set(const char *message, double retry_after, bool in_doubt, kinfolk_record *record);

#endif
