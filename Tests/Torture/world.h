/*
 * world.h: the plan of one writer, and the data that must be in the store after each step.
 *
 * A seed and a writer's number give an endless plan of steps. Each step is one call that changes the store: people are
 * made, get and lose addresses, sign in, opt in and out, save records, also in batches and with files, make and delete zones and trees of
 * records in them, set keys, save documents,
 * discover, are suspended and erased. After any number of steps every field of the world is known. A store is right if it holds the world of the acknowledged steps, or that
 * world with the complete change of the one step that was running. Writers share all tables, but no people.
 */

#ifndef WORLD_H
#define WORLD_H

#include "report.h"

enum {
    SLOTS = 8,         /* people of one writer at a time */
    PLACES = 2,        /* containers */
    EMAILS = 3,        /* addresses of a person */
    NOTES = 6,         /* records of a person in each database that batches save and delete; and of a tree */
    PERMITS = 60,      /* of a person in each container; no more accrue */
    REMEMBERED = 1024, /* people whose IDs are kept */
    LOOKED_BACK = 48   /* erased people and old addresses that are still checked */
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
    STEP_BATCH,
    STEP_ZONE,        /* makes a zone in the private database */
    STEP_TREE,        /* saves records in it, each of which is deleted with the one above it */
    STEP_CUT,         /* deletes the root, and so all of them */
    STEP_REMOVE_ZONE,
    STEP_ATTACH,      /* uploads a file, and saves a record with it, which may have had another file */
    STEP_DETACH,      /* deletes this record */
    STEP_UPLOAD,      /* uploads a file that no record names */
    STEP_SETTING,     /* sets a key of the key-value store */
    STEP_UNSET,       /* removes it */
    STEP_DOCUMENT,    /* creates a document, or saves a version of it */
    STEP_REMOVE_DOCUMENT,
    STEP_DISCOVER,
    STEP_SUSPEND,
    STEP_RESUME,
    STEP_ERASE
};

struct step {
    enum step_kind kind;
    int slot, place, database;
    long email; /* added, taken or removed */
    long value; /* the new name, the saved value, or a number that makes the contacts new ones */
    int count;  /* contacts asked about */
    unsigned saved, deleted; /* notes of a batch, a bit for each */
    bool atomic;
};

struct use {
    bool joined;
    kinfolk_discoverability decision;
    int decisions;
    long saved[2]; /* by database; 0: never */
    long notes[2][NOTES]; /* the values of the notes; 0 if nothing was saved */
    long files[2];        /* by database: the value of the record with a file, and of the file; 0 if nothing was saved */
    bool has_zone;
    long tree; /* the value of the first record of the tree; 0 without a tree */
    long cut;  /* the tree that was deleted last in this zone; 0: none */
    long setting;   /* the value of the key; 0 if it has none */
    long document;  /* the value of the document's contents; 0 without a document */
    int versions;   /* how often it was saved */
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
    long steps; /* taken so far */
    long made;  /* people made so far */
    long next_email;
    bool has_notes[PLACES]; /* whether a batch of this writer has made their record type, which takes a public database */
    struct person people[SLOTS];
};

void world_begin(struct world *world, uint64_t seed, int writer);
/* Returns the next step of the plan, and changes the world to the one after it. */
struct step world_next(struct world *world);
/* Sets the world to the one after so many steps. */
void world_after(struct world *world, uint64_t seed, int writer, long steps);

const char *step_name(enum step_kind kind);

/* The texts of the values. */
const char *email_text(int writer, long email);
const char *given_name_text(long name);
const char *family_name_text(int writer);
/* The text that is saved with a value: short, long, or so long that it needs overflow pages. */
const char *note_text(long value);

/* The bytes of the file with a value, valid until the next call in this thread: none, few, or so many that they are written in several
 * transactions. */
enum { FILE_MOST = 1300000 };
const uint8_t *file_bytes(long value, size_t *length);
/* The name of the record with a file. */
const char *file_name(int writer, const struct person *person);

/* The key, and the path of the document. */
extern const char setting_key[], document_path[];

/* The name of a note, which no other note in the container has. */
const char *note_name(int writer, const struct person *person, int note);

/* The name of the zone, and of a record of the tree in it: the first one is the root. */
extern const char tree_zone[];
const char *tree_name(int node);
/* The node above another one. */
int tree_above(int node);

/* The person who has this address, or NULL. */
const struct person *world_owner(const struct world *world, long email);
/* The number of living people. */
int world_living(const struct world *world);
bool person_is_findable(const struct person *person, int place);

/* A reader that has taken all changes of a zone when its tree had just been saved. */
struct reader {
    long tree;
    size_t length; /* 0 without a token */
    uint8_t token[256];
};

/* The random IDs of a writer's people, known from the calls that made them, and the readers of their zones. */
struct ids {
    struct reader readers[REMEMBERED][PLACES];
    char account[REMEMBERED][33];
    char record[REMEMBERED][PLACES][34];
};

#endif
