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

/* Through the API: both, the world first. */
const char *inspect_both(const struct hands *hands, const struct world *world, const struct ids *ids);

/* How many permits a person has left, as the export says it; -1 if it cannot be had. */
double inspect_permits_left(const struct hands *hands, const char *account_id, int place);

/* The first column of the first row of a query, as a number; -1 if it fails. */
typedef long inspect_query(void *store, const char *sql);

/* Beneath the API: that no table has rows which another one must have and has not. `accounts` becomes how many there
 * are. */
const char *inspect_tables(inspect_query *query, void *store, long *accounts);

/* Beneath the API: the integrity check, and the tables; one moment's state, also while others write. */
const char *inspect_file(const char *store, long *accounts);

#endif
