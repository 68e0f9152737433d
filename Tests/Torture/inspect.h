/*
 * inspect.h: checks that a store holds the expected data.
 *
 * Each function returns an empty text if all is well, or a text that says what is wrong.
 */

#ifndef INSPECT_H
#define INSPECT_H

#include "hands.h"

/* Through the API: checks all data of the people of a world, and that its erased people are gone. People whose ID is
 * unknown are skipped. Changes nothing. */
const char *inspect_world(const struct hands *hands, const struct world *world, const struct ids *ids);

/* Through the API: a new account signs in, searches for all addresses of this world, finds exactly the discoverable people
 * under their current names, and is erased again. Shows that the store can be written, and that the directory is right. */
const char *inspect_directory(const struct hands *hands, const struct world *world, const struct ids *ids);

/* Through the API: both, the world first. */
/* Runs the library's own check of the store, which must find nothing. */
const char *inspect_soundness(const struct hands *hands);
const char *inspect_both(const struct hands *hands, const struct world *world, const struct ids *ids);

/* Lets a day pass for all uploads of a closed store, by moving their times with SQL. A service then deletes those that no record names, with
 * their chunks, and the check finds nothing. Sets `uploads` to their number. */
const char *inspect_expiry(const char *store, long *uploads);

/* How many permits a person has left, according to the export; -1 if there is no export. */
double inspect_permits_left(const struct hands *hands, const char *account_id, int place);

/* The first column of the first row of a query, as a number; -1 if it fails. */
typedef long inspect_query(void *store, const char *sql);

/* With SQL: checks that no row refers to a row that is missing. Sets `accounts` to the number of accounts. */
const char *inspect_tables(inspect_query *query, void *store, long *accounts);

/* With SQL: the integrity check, and the tables. Reads one snapshot, so others may write meanwhile. */
const char *inspect_file(const char *store, long *accounts);

#endif
