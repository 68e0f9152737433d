/*
 * Searches for inputs whose cost is more than proportional to their length.
 *
 * The library for fuzzing counts the steps of its readers (ReadingSteps). The more steps for each byte, the higher the counter
 * that is set here. libFuzzer treats a new counter as new coverage, so it keeps that input and varies it. More than MOST steps
 * for each byte is a finding. The released library does not count, but it reads the corpus too.
 *
 * The first byte of the input chooses the reader. The next byte gives the length of the text. Then follow its beginning, the
 * repeated part, and its end.
 */

#define _GNU_SOURCE
#include "memory_file.h"
#include "private.h"

enum { MOST = 100, ALLOWANCE = 60000, SCALE = 8, LEVELS = 24 * SCALE, LONGEST = 1 << 15, STATES = 3 };

ptrdiff_t kinfolk_reading_steps(void) __attribute__((weak));
void kinfolk_reading_people(const uint8_t *text, size_t length) __attribute__((weak)); /* only the command line reads such files */

enum { VCARD, CSV, LIST, ANY_FILE, PEOPLE_TABLE, ADDRESS, SYNC_STATE, FIELDS, REQUEST, ANSWER, CLIENT_STATE, LDIF, JCARD, PREDICATE, READERS };

/* The highest counter of each reader. libFuzzer reads additional counters from this section. */
__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t levels[READERS][LEVELS];

static kinfolk_session *seeker; /* in a container with a directory of contact hashes */
static kinfolk_database *records;
static message sync_states[STATES], client_states[STATES], answers[STATES];

static message copy_of(const uint8_t *bytes, size_t length) {
    message copy = { malloc(length + 1), length };
    if (copy.bytes == NULL) abort();
    memcpy(copy.bytes, bytes, length);
    return copy;
}

/* The seeker's sync state after a search for this many contacts. */
static message sync_state_of(size_t contacts) {
    kinfolk_contacts *book = NULL;
    kinfolk_identities *found = NULL;
    const uint8_t *bytes = NULL;
    uint8_t hash[KINFOLK_CONTACT_HASH_LENGTH] = { 0 };
    message state;
    OK(kinfolk_contacts_new(&book));
    for (; contacts > 0; contacts--) {
        hash[0] = (uint8_t)(contacts * 37);
        hash[1] = (uint8_t)contacts;
        OK(kinfolk_contacts_add_hash(book, hash, sizeof hash, NULL));
    }
    OK(kinfolk_discover_contacts(seeker, book, NULL, 0, &found));
    OK(kinfolk_identities_sync_state(found, &bytes, &state.length));
    state = copy_of(bytes, state.length);
    kinfolk_identities_free(found);
    kinfolk_contacts_free(book);
    return state;
}

static void open_seeker(void) {
    static kinfolk_service *service; /* open while its session is used */
    kinfolk_container *container = NULL;
    kinfolk_account *account = NULL;
    kinfolk_service_free(service);
    OK(kinfolk_service_open(store_path("kinfolk.db"), NULL, &service));
    OK(kinfolk_container_create(service, "com.example.games", &container));
    OK(kinfolk_container_set_permits(container, UINT32_MAX, 1e9, UINT32_MAX));
    OK(kinfolk_account_find_by_email(service, "person0@example.com", &account));
    OK(kinfolk_session_open(container, account, &seeker));
    OK(kinfolk_session_database(seeker, KINFOLK_DATABASE_PRIVATE, &records));
    kinfolk_account_free(account);
    kinfolk_container_free(container);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    message none = { NULL, 0 };
    kinfolk_private_client *client;
    size_t i;
    (void)argc, (void)argv;
    private_begin();
    open_seeker();
    sync_states[0] = sync_state_of(0);
    sync_states[1] = sync_state_of(1);
    sync_states[2] = sync_state_of(200);
    client = client_make(&none, false);
    client_set_book(client);
    for (i = 0; i < STATES; i++) { /* after each step: description, evaluation, buckets */
        message request = next_request(client);
        HOLDS(request.bytes != NULL);
        answers[i] = answer_to(&request);
        OK(kinfolk_private_client_receive(client, answers[i].bytes, answers[i].length));
        client_states[i] = state_of(client);
        message_end(&request);
    }
    kinfolk_private_client_free(client);
    return 0;
}

/* ---- The input, and the text that it describes */

/* A part: bytes of the input; or, after 255, one of the genuine values, which no fuzzer could guess. */
static size_t put_part(input *in, const message *genuine, uint8_t *to, size_t room) {
    size_t length;
    const uint8_t *bytes;
    if (genuine != NULL && in->left > 0 && *in->at == 255) {
        take_byte(in);
        genuine += take_byte(in) % STATES;
        bytes = genuine->bytes;
        length = genuine->length;
    } else {
        bytes = take_bytes(in, &length);
    }
    if (length > room) length = room;
    memcpy(to, bytes, length);
    return length;
}

static size_t make_text(input *in, const message *genuine, uint8_t *text) {
    static uint8_t unit[LONGEST], end[LONGEST];
    uint8_t choice = take_byte(in);
    size_t wanted = choice % 4 == 0 ? 0 : (size_t)LONGEST >> (3 * (3 - choice % 4)); /* once; or to 512, 4,096, 32,768 bytes */
    size_t length = put_part(in, genuine, text, LONGEST / 4);
    size_t unit_length = put_part(in, genuine, unit, LONGEST / 4), end_length = put_part(in, genuine, end, LONGEST / 4);
    do {
        memcpy(text + length, unit, unit_length);
        length += unit_length;
    } while (unit_length > 0 && length + unit_length + end_length <= wanted);
    memcpy(text + length, end, end_length);
    return length + end_length;
}

/* ---- The readers */

typedef kinfolk_status (*add_fn)(kinfolk_contacts *book, const char *text, size_t length, kinfolk_import **report);

static void import(add_fn add, const uint8_t *text, size_t length) {
    kinfolk_contacts *book = NULL;
    kinfolk_import *report = NULL;
    OK(kinfolk_contacts_new(&book));
    if (add(book, (const char *)text, length, &report) == KINFOLK_OK) kinfolk_import_free(report);
    kinfolk_contacts_free(book);
}

static void import_file(const uint8_t *text, size_t length) {
    kinfolk_contacts *book = NULL;
    kinfolk_import *report = NULL;
    OK(kinfolk_contacts_new(&book));
    if (kinfolk_contacts_add_file(book, file_with(text, length), &report) == KINFOLK_OK) kinfolk_import_free(report);
    kinfolk_contacts_free(book);
}

static void read_address(const uint8_t *text, size_t length) {
    char *email = malloc(length + 1), *canonical = NULL;
    if (email == NULL) abort();
    memcpy(email, text, length);
    email[length] = '\0';
    if (kinfolk_email_canonicalize(email, &canonical) == KINFOLK_OK) kinfolk_free(canonical);
    free(email);
}

static void read_sync_state(const uint8_t *text, size_t length) {
    kinfolk_contacts *book = NULL;
    kinfolk_identities *found = NULL;
    OK(kinfolk_contacts_new(&book));
    if (kinfolk_discover_contacts(seeker, book, text, length, &found) == KINFOLK_OK) kinfolk_identities_free(found);
    kinfolk_contacts_free(book);
}

/* Sets fields one after the other. Each name has two letters of the text. */
static void set_fields(const uint8_t *text, size_t length) {
    kinfolk_record *record = NULL;
    size_t at;
    OK(kinfolk_record_fetch(seeker, NULL, KINFOLK_DATABASE_PUBLIC, &record));
    for (at = 0; at + 2 <= length; at += 2) {
        char name[8];
        snprintf(name, sizeof name, "n%02x%02x", text[at], text[at + 1]);
        if (kinfolk_record_set_boolean(record, name, true) != KINFOLK_OK) kinfolk_record_remove(record, name);
    }
    kinfolk_record_free(record);
}

static void answer_request(const uint8_t *text, size_t length) {
    uint8_t *answer = NULL;
    size_t answer_length = 0;
    if (kinfolk_session_answer(caller, text, length, 1, &answer, &answer_length) == KINFOLK_OK) kinfolk_free(answer);
}

static void receive_answer(const uint8_t *text, size_t length) {
    kinfolk_private_client *client = client_make(&client_states[length % 2], false);
    message request;
    client_set_book(client);
    request = next_request(client);
    kinfolk_private_client_receive(client, text, length);
    message_end(&request);
    kinfolk_private_client_free(client);
}

static void read_client_state(const uint8_t *text, size_t length) {
    kinfolk_private_client *client = NULL;
    if (kinfolk_private_client_new(NOTES, NULL, 0, NULL, NULL, text, length, 1, &client) == KINFOLK_OK)
        kinfolk_private_client_free(client);
}

/* A predicate is read when the query is used for the first time. There are no records of this type. */
static void read_predicate(const uint8_t *text, size_t length) {
    kinfolk_query *query = NULL;
    kinfolk_explanation *explanation = NULL;
    char *predicate = malloc(length + 1);
    if (predicate == NULL) abort();
    memcpy(predicate, text, length);
    predicate[length] = '\0';
    if (kinfolk_query_new("Unknown", predicate, &query) == KINFOLK_OK) {
        HOLDS(kinfolk_query_explain(query, records, &explanation) != KINFOLK_OK);
        kinfolk_query_free(query);
    }
    free(predicate);
}

static void read_by(int reader, const uint8_t *text, size_t length) {
    switch (reader) {
    case VCARD: import(kinfolk_contacts_add_vcard, text, length); break;
    case CSV: import(kinfolk_contacts_add_csv, text, length); break;
    case LIST: import(kinfolk_contacts_add_text, text, length); break;
    case LDIF: import(kinfolk_contacts_add_ldif, text, length); break;
    case JCARD: import(kinfolk_contacts_add_jcard, text, length); break;
    case ANY_FILE: import_file(text, length); break;
    case PEOPLE_TABLE:
        if (kinfolk_reading_people != NULL) kinfolk_reading_people(text, length);
        break;
    case ADDRESS: read_address(text, length); break;
    case SYNC_STATE: read_sync_state(text, length); break;
    case FIELDS: set_fields(text, length); break;
    case REQUEST: answer_request(text, length); break;
    case ANSWER: receive_answer(text, length); break;
    case PREDICATE: read_predicate(text, length); break;
    default: read_client_state(text, length);
    }
}

static const message *genuine_for(int reader) {
    switch (reader) {
    case SYNC_STATE: return sync_states;
    case ANSWER: return answers;
    case CLIENT_STATE: return client_states;
    default: return NULL;
    }
}

/* The counter for this many steps for each byte: the logarithm, with eight counters for each doubling. */
static size_t level_of(ptrdiff_t steps, size_t length) {
    double ratio = 1 + 64.0 * (double)steps / (double)(length + 64);
    size_t level = 0;
    for (; ratio >= 2 && level + SCALE < LEVELS; ratio /= 2) level += SCALE;
    level += (size_t)((ratio - 1) * SCALE);
    return level < LEVELS ? level : LEVELS - 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static uint8_t text[2 * LONGEST];
    input in = { data, size };
    int reader = take_byte(&in) % READERS;
    size_t length = make_text(&in, genuine_for(reader), text);
    ptrdiff_t before, steps;
    if (kinfolk_reading_steps == NULL) {
        read_by(reader, text, length);
        return 0;
    }
    before = kinfolk_reading_steps();
    read_by(reader, text, length);
    steps = kinfolk_reading_steps() - before;
    levels[reader][level_of(steps, length)] = 1;
    if (steps > (ptrdiff_t)(MOST * length) + ALLOWANCE)
        fprintf(stderr, "reader %d took %td steps for %zu bytes\n", reader, steps, length);
    HOLDS(steps <= (ptrdiff_t)(MOST * length) + ALLOWANCE);
    return 0;
}
