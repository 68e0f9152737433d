/* people.h: puts people into a container's directory. No other floor knows its columns. */

#ifndef PEOPLE_H
#define PEOPLE_H

#include "store.h"

void insert_directory_row(floor_store *store, const uint8_t *tag, const uint8_t *record);

/* Adds the number of new rows of the directory to its count. */
void keep_sequence(floor_store *store);

/* `name` as name_bytes writes it; `tag` as in the directory. */
void insert_identity(floor_store *store, const uint8_t *record, const uint8_t *account, const uint8_t *tag,
                     const uint8_t *name, size_t length);

/* An account with its authentication code. */
void insert_proven_account(floor_store *store, const uint8_t *account, const uint8_t *name, size_t length);

/* The numbers of the statements of people.c begin after those of directory.c. */
enum { INSERT_DIRECTORY = PEOPLE, UPDATE_SEQUENCE, INSERT_IDENTITY, INSERT_PROVEN_ACCOUNT, INSERT_ACCOUNT, INSERT_EMAIL, INSERT_VERIFIED, INSERT_MEMBER,
       INSERT_CONSENT };

#endif
