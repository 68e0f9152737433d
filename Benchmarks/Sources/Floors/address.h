/* address.h: from the text of an address to its contact hash. */

#ifndef ADDRESS_H
#define ADDRESS_H

#include "floors.h"

#include <sodium.h>

/* The part of a line between white space, whose length it changes. */
const char *trimmed(const char *text, size_t *length);

#endif
