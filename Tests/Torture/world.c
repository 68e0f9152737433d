/* The plan of one writer, and the data that must be in the store after each step. */

#include "world.h"

const char setting_key[] = "setting", document_path[] = "folder/test.txt";
const char *const place_names[PLACES] = { "com.example.notes", "org.example.games" };

void world_begin(struct world *world, uint64_t seed, int writer) {
    memset(world, 0, sizeof *world);
    world->writer = writer;
    world->dice = dice_of(seed, (uint64_t)writer + 1000);
}

void world_after(struct world *world, uint64_t seed, int writer, long steps) {
    world_begin(world, seed, writer);
    while (world->steps < steps) (void)world_next(world);
}

/* ---- Choosing a step */

static int living_slot(struct world *world) {
    int slots[SLOTS], count = 0, i;
    for (i = 0; i < SLOTS; i++)
        if (world->people[i].lives) slots[count++] = i;
    return count == 0 ? -1 : slots[dice_below(&world->dice, count)];
}

static int empty_slot(const struct world *world) {
    int i;
    for (i = 0; i < SLOTS; i++)
        if (!world->people[i].lives) return i;
    return -1;
}

static struct step choose_decision(const struct person *person, struct step step) {
    step.kind = person->uses[step.place].decision == KINFOLK_DISCOVERABILITY_GRANTED ? STEP_DENY : STEP_GRANT;
    return step;
}

/* Whether taking another person's address cannot use up the taker's permits. The permits spent with an address move with it, rounded
 * up by a sixteenth, and so do those that a service had leased, at most an eighth. */
static bool takes_no_debt(const struct person *taker, const struct person *loser) {
    int place;
    for (place = 0; place < PLACES; place++)
        if (loser->uses[place].asked > 0 && loser->uses[place].asked + PERMITS / 8 + PERMITS / 16 + 1 > taker->uses[place].asked)
            return false;
    return true;
}

static enum step_kind choose_in_zone(const struct use *use, bool removes) {
    if (!use->has_zone) return STEP_ZONE;
    if (removes) return STEP_REMOVE_ZONE;
    return use->tree == 0 ? STEP_TREE : STEP_CUT;
}

static enum step_kind choose_file(struct world *world, const struct use *use, int database) {
    long roll = dice_below(&world->dice, 4);
    if (roll == 0) return STEP_UPLOAD;
    return use->files[database] != 0 && roll == 1 ? STEP_DETACH : STEP_ATTACH;
}

static enum step_kind choose_own(struct world *world, const struct use *use) {
    long roll = dice_below(&world->dice, 8);
    if (roll < 3) return use->setting != 0 && roll == 0 ? STEP_UNSET : STEP_SETTING;
    return use->document != 0 && roll == 3 ? STEP_REMOVE_DOCUMENT : STEP_DOCUMENT;
}

/* The further steps of a person who has an address, is signed in, and is not suspended. */
static struct step choose_freely(struct world *world, struct person *person, struct step step) {
    long roll = dice_below(&world->dice, 100);
    int other = living_slot(world);
    if (roll < 16) return choose_decision(person, step);
    if (roll < 20) {
        step.kind = choose_own(world, &person->uses[step.place]);
    } else if (roll < 24) {
        step.kind = STEP_SAVE;
        step.database = (int)dice_below(&world->dice, 2);
    } else if (roll < 34) {
        step.kind = STEP_BATCH;
        step.database = world->has_notes[step.place] ? (int)dice_below(&world->dice, 2) : 0;
        step.saved = 1 + (unsigned)dice_below(&world->dice, (1 << NOTES) - 1);
        step.deleted = (unsigned)dice_below(&world->dice, 1 << NOTES) & ~step.saved;
        step.atomic = dice_below(&world->dice, 2) == 0;
    } else if (roll < 45 && world->has_notes[step.place]) {
        step.database = (int)dice_below(&world->dice, 2);
        step.kind = choose_file(world, &person->uses[step.place], step.database);
    } else if (roll < 57 && world->has_notes[step.place]) {
        step.kind = choose_in_zone(&person->uses[step.place], roll < 47);
    } else if (roll < 57) {
        step.kind = STEP_RENAME;
    } else if (roll < 65 && person->email_count < EMAILS) {
        step.kind = STEP_ADD_EMAIL;
        step.email = world->next_email;
    } else if (roll < 70) {
        step.kind = STEP_REMOVE_EMAIL;
        step.email = person->emails[dice_below(&world->dice, person->email_count)];
    } else if (roll < 78 && other != step.slot && person->email_count < EMAILS &&
               world->people[other].email_count > 0 && takes_no_debt(person, &world->people[other])) {
        step.kind = STEP_TAKE_EMAIL;
        step.email = world->people[other].emails[0];
    } else if (roll < 90 && person->uses[step.place].asked <= PERMITS - 26) {
        step.kind = STEP_DISCOVER;
        step.count = 1 + (int)dice_below(&world->dice, 8);
    } else if (roll < 94) {
        step.kind = STEP_SUSPEND;
    } else if (roll < 97) {
        step.kind = STEP_ERASE;
    } else {
        return choose_decision(person, step);
    }
    return step;
}

static struct step choose(struct world *world) {
    struct step step = { STEP_CREATE, 0, 0, 0, 0, 0, 0, 0, 0, false };
    int empty = empty_slot(world), slot = living_slot(world);
    struct person *person;
    long roll = dice_below(&world->dice, 100);
    step.value = world->steps + 1;
    step.slot = empty;
    if (slot < 0 || (roll < 8 && empty >= 0)) return step;
    step.slot = slot;
    step.place = (int)dice_below(&world->dice, PLACES);
    person = &world->people[slot];
    if (roll < 8) {
        step.kind = STEP_ERASE;
    } else if (person->suspended) {
        step.kind = roll < 70 ? STEP_RESUME : roll < 85 ? STEP_RENAME : STEP_ERASE;
    } else if (person->email_count == 0) {
        step.kind = STEP_ADD_EMAIL;
        step.email = world->next_email;
    } else if (!person->uses[step.place].joined) {
        step.kind = STEP_SIGN_IN;
    } else {
        step = choose_freely(world, person, step);
    }
    return step;
}

/* ---- What a step does */

static void lose_email(struct world *world, long email) {
    int i, j, k;
    for (i = 0; i < SLOTS; i++) {
        struct person *person = &world->people[i];
        for (j = 0; j < person->email_count; j++) {
            if (!person->lives || person->emails[j] != email) continue;
            for (k = j + 1; k < person->email_count; k++) person->emails[k - 1] = person->emails[k];
            person->email_count--;
        }
    }
}

static void apply_batch(struct use *use, const struct step *step) {
    long *notes = use->notes[step->database];
    int note;
    for (note = 0; note < NOTES; note++)
        if (step->saved >> note & 1) notes[note] = step->value + note;
        else if (step->deleted >> note & 1) notes[note] = 0;
}

static void apply(struct world *world, const struct step *step) {
    struct person *person = &world->people[step->slot];
    struct use *use = &person->uses[step->place];
    switch (step->kind) {
    case STEP_CREATE:
        memset(person, 0, sizeof *person);
        person->lives = true;
        person->number = world->made++;
        person->name = step->value;
        break;
    case STEP_ADD_EMAIL: world->next_email++; /* and the person gets it: */ /* fall through */
    case STEP_TAKE_EMAIL:
        lose_email(world, step->email);
        person->emails[person->email_count++] = step->email;
        break;
    case STEP_REMOVE_EMAIL: lose_email(world, step->email); break;
    case STEP_RENAME: person->name = step->value; break;
    case STEP_SIGN_IN: use->joined = true; break;
    case STEP_GRANT:
    case STEP_DENY:
        use->decision = step->kind == STEP_GRANT ? KINFOLK_DISCOVERABILITY_GRANTED : KINFOLK_DISCOVERABILITY_DENIED;
        use->decisions++;
        break;
    case STEP_SAVE: use->saved[step->database] = step->value; break;
    case STEP_BATCH:
        apply_batch(use, step);
        world->has_notes[step->place] = true;
        break;
    case STEP_ZONE: use->has_zone = true; break;
    case STEP_TREE: use->tree = step->value; break;
    case STEP_CUT:
        use->cut = use->tree;
        use->tree = 0;
        break;
    case STEP_REMOVE_ZONE:
        use->has_zone = false;
        use->tree = use->cut = 0;
        break;
    case STEP_ATTACH: use->files[step->database] = step->value; break;
    case STEP_DETACH: use->files[step->database] = 0; break;
    case STEP_UPLOAD: break;
    case STEP_SETTING: use->setting = step->value; break;
    case STEP_UNSET: use->setting = 0; break;
    case STEP_DOCUMENT:
        use->versions = use->document == 0 ? 1 : use->versions + 1;
        use->document = step->value;
        break;
    case STEP_REMOVE_DOCUMENT: use->document = 0; break;
    case STEP_DISCOVER: use->asked += step->count; break;
    case STEP_SUSPEND: person->suspended = true; break;
    case STEP_RESUME: person->suspended = false; break;
    case STEP_ERASE: person->lives = false; break;
    }
    world->steps++;
}

struct step world_next(struct world *world) {
    struct step step = choose(world);
    apply(world, &step);
    return step;
}

/* ---- The functions of world.h */

const char *step_name(enum step_kind kind) {
    static const char *const names[] = { "create", "add e-mail", "take e-mail", "remove e-mail", "rename",
                                         "sign in", "grant", "deny", "save", "batch", "make zone",
                                         "save tree", "delete tree", "delete zone", "attach file",
                                         "detach file", "upload", "set key", "remove key",
                                         "save document", "delete document", "discover", "suspend",
                                         "resume", "erase" };
    return names[kind];
}

const char *email_text(int writer, long email) {
    return brief("w%d.e%ld@example.com", writer, email);
}

const char *given_name_text(long name) {
    return brief("Given %ld", name);
}

const char *family_name_text(int writer) {
    return brief("Family %d", writer);
}

const char *note_text(long value) {
    static __thread char note[20001];
    size_t length = value % 11 == 0 ? 20000 : (size_t)(value * 7919 % 900);
    memset(note, 'a' + (char)(value % 26), length);
    note[length] = '\0';
    return note;
}

const uint8_t *file_bytes(long value, size_t *length) {
    static const size_t lengths[] = { 0, 1, 100, 4096, 5000, 30000, 70000, 262144, 300, 9000, 270000, 2000 };
    static __thread uint8_t *bytes;
    uint64_t word = (uint64_t)value * UINT64_C(0x9e3779b97f4a7c15);
    size_t i;
    if (bytes == NULL && (bytes = malloc(FILE_MOST)) == NULL) give_up("malloc");
    /* The largest has pieces for whose storage no call waits. */
    *length = value % 17 == 0 ? FILE_MOST : lengths[value % 12];
    for (i = 0; i < *length; i++) {
        word = word * UINT64_C(6364136223846793005) + 1442695040888963407;
        bytes[i] = (uint8_t)(word >> 56);
    }
    return bytes;
}

const char *file_name(int writer, const struct person *person) {
    return brief("w%d p%ld file", writer, person->number);
}

const char *note_name(int writer, const struct person *person, int note) {
    return brief("w%d p%ld n%d", writer, person->number, note);
}

const char tree_zone[] = "Trees";

const char *tree_name(int node) {
    return brief("node %d", node);
}

int tree_above(int node) {
    return (node - 1) / 2;
}

const struct person *world_owner(const struct world *world, long email) {
    int i, j;
    for (i = 0; i < SLOTS; i++)
        for (j = 0; j < world->people[i].email_count; j++)
            if (world->people[i].lives && world->people[i].emails[j] == email) return &world->people[i];
    return NULL;
}

int world_living(const struct world *world) {
    int count = 0, slot;
    for (slot = 0; slot < SLOTS; slot++) count += world->people[slot].lives;
    return count;
}

bool person_is_findable(const struct person *person, int place) {
    return person->lives && !person->suspended && person->uses[place].joined &&
           person->uses[place].decision == KINFOLK_DISCOVERABILITY_GRANTED;
}
