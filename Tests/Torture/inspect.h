/*
 * inspect.h: whether a store holds what it must.
 *
 * Each function returns an empty text if all is well, or what is wrong.
 */

#ifndef INSPECT_H
#define INSPECT_H

#include "hands.h"

/* Through the API: the people of a world with all that they have, and nobody of its past. People whose ID was never
 * learnt are passed over. It changes nothing. */
const char *inspect_world(const struct hands *hands, const struct world *world, const struct ids *ids);

/* Through the API: a newcomer signs in, looks for all addresses of this world, finds those who let themselves be found
 * under their present names, and is erased again: the store can be written, and the directory is right. */
const char *inspect_directory(const struct hands *hands, const struct world *world, const struct ids *ids);

/* Beneath the API: the integrity check, and that no table has rows which another one must have and has not; one
 * moment's state, also while others write. `accounts` becomes how many there are. */
const char *inspect_file(const char *store, long *accounts);

#endif
