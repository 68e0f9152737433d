#ifndef CKINFOLK_OUTPUT_H
#define CKINFOLK_OUTPUT_H

#include <stddef.h>

/* A copy of `length` bytes, which the caller frees with kinfolk_free. NULL if there is no memory. */
void *ckinfolk_output_copy(const void *bytes, size_t length);

#endif
