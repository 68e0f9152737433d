/* The memory of the outputs that callers free with kinfolk_free. */

#define _DEFAULT_SOURCE
#include "output.h"

#include "../../Include/kinfolk.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Stands before each output. It is aligned as malloc aligns, and so are the bytes after it. */
typedef struct header {
    _Alignas(max_align_t) size_t length;
    uintptr_t check;
} header;

_Static_assert(sizeof(header) % _Alignof(max_align_t) == 0, "an output is aligned as memory of malloc is");

/* Depends on address and length, so that the bytes before other memory are practically never taken for a header. */
static uintptr_t check_of(const header *of) {
    return (uintptr_t)of ^ (uintptr_t)of->length ^ (uintptr_t)0x6b696e666f6c6b21; /* "kinfolk!" */
}

void *ckinfolk_output_copy(const void *bytes, size_t length) {
    if (length > SIZE_MAX - sizeof(header)) return NULL;
    header *output = malloc(sizeof(header) + length);
    if (output == NULL) return NULL;
    output->length = length;
    output->check = check_of(output);
    if (length > 0) memcpy(output + 1, bytes, length);
    return output + 1;
}

void kinfolk_free(void *memory) {
    if (memory == NULL) return;
    header *output = (header *)memory - 1;
    /* Freed already, not an output, or overwritten. Aborts as free() does: to continue could let an attacker write to the heap. */
    if (output->check != check_of(output)) abort();
    explicit_bzero(output, sizeof(header) + output->length);
    free(output);
}
