/* address.h: from the text of an address to its contact hash. */

#ifndef ADDRESS_H
#define ADDRESS_H

#include "floors.h"

#include <sodium.h>

/* Removes white space around a line, and updates its length. */
const char *trimmed(const char *text, size_t *length);

#endif
