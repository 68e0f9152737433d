/*
 * world.h: what one writer does, and what must then be in the store.
 *
 * A seed and a writer's number give an endless plan of steps, each one call that changes the store: people are made,
 * get and lose addresses, sign in, opt in and out, save records, discover, are suspended and erased. After `steps` of
 * them the world is known to the last field, so a store is right if it holds the world of the steps that were
 * acknowledged, or that and the one step which was under way, whole. Writers share no people, and all the tables.
 */

#ifndef WORLD_H
#define WORLD_H

#include "report.h"

enum {
    SLOTS = 8,         /* people of one writer at a time */
    PLACES = 2,        /* containers */
    EMAILS = 3,        /* addresses of a person */
    PERMITS = 60,      /* a person's in each container; none comes back */
    REMEMBERED = 1024, /* people whose IDs are kept */
    LOOKED_BACK = 48   /* people and addresses of the past that are still looked for */
};

extern const char *const place_names[PLACES];

enum step_kind {
    STEP_CREATE,
    STEP_ADD_EMAIL,
    STEP_TAKE_EMAIL,
    STEP_REMOVE_EMAIL,
    STEP_RENAME,
    STEP_SIGN_IN,
    STEP_GRANT,
    STEP_DENY,
    STEP_SAVE,
    STEP_DISCOVER,
    STEP_SUSPEND,
    STEP_RESUME,
    STEP_ERASE
};

struct step {
    enum step_kind kind;
    int slot, place, database;
    long email; /* added, taken or removed */
    long value; /* the new name, the saved value, or what makes the contacts asked about new */
    int count;  /* contacts asked about */
};

struct use {
    bool joined;
    kinfolk_discoverability decision;
    int decisions;
    long saved[2]; /* by database; 0: never */
    int asked;     /* permits spent */
};

struct person {
    bool lives;
    long number; /* unique for the writer, from 0 */
    long name;
    int email_count;
    long emails[EMAILS];
    bool suspended;
    struct use uses[PLACES];
};

struct world {
    int writer;
    struct dice dice;
    long steps; /* that led here */
    long made;  /* people ever made */
    long next_email;
    struct person people[SLOTS];
};

void world_begin(struct world *world, uint64_t seed, int writer);
/* The next step of the plan; the world becomes what holds after it. */
struct step world_next(struct world *world);
/* The world after so many steps. */
void world_after(struct world *world, uint64_t seed, int writer, long steps);

const char *step_name(enum step_kind kind);

/* What the values are, as texts. */
const char *email_text(int writer, long email);
const char *given_name_text(long name);
const char *family_name_text(int writer);
/* The text that is saved beside a value: short, long, or long enough to need pages of its own. */
const char *note_text(long value);

/* The person who has this address, or NULL. */
const struct person *world_owner(const struct world *world, long email);
/* How many people there are. */
int world_living(const struct world *world);
bool person_is_findable(const struct person *person, int place);

/* The random IDs of a writer's people, learnt from the calls that made them. */
struct ids {
    char account[REMEMBERED][33];
    char record[REMEMBERED][PLACES][34];
};

#endif
