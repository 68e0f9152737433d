#ifndef CKINFOLK_LAST_ERROR_H
#define CKINFOLK_LAST_ERROR_H

#include "../../Include/kinfolk.h"

/* Stores the error of a call that failed on this thread. `message` is copied and cut at 511 bytes. The thread owns `record`, which
 * may be NULL, until the caller takes it. */
void ckinfolk_last_error_set(const char *message, double retry_after, bool in_doubt, kinfolk_record *record);

#endif
