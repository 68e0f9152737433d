/*
 * damage.h: what disks, file systems and people do to the file of a store, and to its write-ahead log.
 */

#ifndef DAMAGE_H
#define DAMAGE_H

#include "report.h"

/* Damages a store that nobody has open. What was done is described in `what`. */
void damage(const char *store, struct dice *dice, char *what, size_t length);

#endif
