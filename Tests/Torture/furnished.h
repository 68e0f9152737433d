/*
 * furnished.h: makes a store with rows in every table, and every kind of call on it.
 */

#ifndef FURNISHED_H
#define FURNISHED_H

#include "report.h"

enum { FURNISHED_PEOPLE = 48, FURNISHED_PLACES = 2, STATE_LENGTH = 40000 };

/* Data that callers keep outside of the store's files. */
struct furniture {
    char account[FURNISHED_PEOPLE][33];
    char record[FURNISHED_PEOPLE][FURNISHED_PLACES][34];
    char claim[2][33];
    uint8_t sync_state[STATE_LENGTH], private_state[STATE_LENGTH];
    size_t sync_length, private_length;
};

/* Makes a store whose data is all in one file. Ends the program if that fails. */
void furnish(const char *store, struct furniture *furniture);
/* Changes it in several places, and ends the process with the changes in the write-ahead log. */
void furnish_log(const char *store, const struct furniture *furniture);
/* Begins a rotation of the keys, and ends the process before the rotation is complete. */
void furnish_rotation(const char *store, bool is_leaked);
/* The first table without a row, or NULL. */
const char *furnished_emptiness(const char *store);

/* Gets the status of each call. `expected` has a bit for each status that is allowed in a store that lost rows. */
typedef void (*judge_fn)(const char *call, kinfolk_status status, uint32_t expected);
#define MAY(status) (UINT32_C(1) << (status))

/* Makes every kind of call on a store that may be damaged. Files go into `folder`. Opening it may fail with a status
 * of `untold`, if the damage cannot be distinguished from something else. */
void use_furnished(const char *store, const struct furniture *furniture, const char *folder, struct dice *dice,
                   uint32_t untold, judge_fn judge);

#endif
