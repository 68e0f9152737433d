#ifndef CKINFOLK_OUTPUT_H
#define CKINFOLK_OUTPUT_H

#include <stddef.h>

/* A copy of `length` bytes that the caller ends with kinfolk_free, which overwrites all of them. NULL without memory. */
void *ckinfolk_output_copy(const void *bytes, size_t length);

#endif
