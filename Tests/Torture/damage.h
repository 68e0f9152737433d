/*
 * damage.h: damages the file of a store and its write-ahead log, as disks, file systems and people do.
 */

#ifndef DAMAGE_H
#define DAMAGE_H

#include "report.h"

/* Damages a store that no process has open. Describes the damage in `what`. */
void damage(const char *store, struct dice *dice, char *what, size_t length);

#endif
