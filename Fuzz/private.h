/* private.h: a private directory, and the client's and the server's part of conversations about it. */

#ifndef PRIVATE_H
#define PRIVATE_H

#include "store.h"

#include <sodium.h>

enum {
    PEOPLE = 40,
    PREFIX_BITS = 3,
    HEADER = 8, /* KF, version, type, epoch */
    ID = 16,
    POINT = 32,
    PROOF = 64,
    ROW = 48,
    VERSION = 5,
    BATCH = 64,                   /* the smallest; larger ones are longer than inputs */
    POINTS = HEADER + ID + 1 + 2, /* the place of the points of an evaluation, after flags and number */
    BITS = HEADER + ID,           /* the place of the number of bits in messages about buckets */
    BUCKETS = BITS + 1 + 2        /* the place of their list, after their number */
};
enum {
    DESCRIPTION_REQUEST = 1,
    DESCRIPTION,
    EVALUATION_REQUEST,
    EVALUATION,
    BUCKET_REQUEST,
    BUCKETS_ANSWER,
    RENEWAL_REQUEST,
    RENEWAL
};

typedef struct message {
    uint8_t *bytes;
    size_t length;
} message;

/* The caller may write to an output, and a hostile peer chooses its bytes: it may have no zero byte. */
FUZZ_UNUSED static void message_end(message *m) {
    if (m->bytes != NULL && m->length % 2 == 1) memset(m->bytes, 0xff, m->length);
    kinfolk_free(m->bytes);
    m->bytes = NULL;
    m->length = 0;
}

FUZZ_UNUSED static uint32_t number_at(const uint8_t *at, size_t size) {
    uint32_t number = 0;
    while (size-- > 0) number = number << 8 | *at++;
    return number;
}

FUZZ_UNUSED static bool same_bytes(const uint8_t *one, size_t length, const message *other) {
    return length == other->length && (length == 0 || memcmp(one, other->bytes, length) == 0);
}

/* ---- The server */

static kinfolk_session *caller;
static char found_id[40]; /* of the person whom the book finds */
static uint8_t public_keys[2][KINFOLK_PUBLIC_KEY_LENGTH]; /* of epochs 1 and 2, both of which answer */
static uint8_t bucket_key[KINFOLK_PUBLIC_KEY_LENGTH];
static const uint8_t filler_secret[KINFOLK_FILLER_SECRET_LENGTH] = { 7 };

/* The directory of NOTES, with a person who is hidden from the caller, and two epochs. */
static void private_begin(void) {
    static kinfolk_service *service; /* open while its session is used */
    kinfolk_container *container = NULL;
    kinfolk_private_epochs *epochs = NULL;
    uint32_t epoch = 0;
    int i;
    kinfolk_service_free(service);
    service = store_make();
    HOLDS(sodium_init() >= 0);
    OK(kinfolk_container_create(service, NOTES, &container));
    OK(kinfolk_container_set_private_work(container, UINT64_MAX, UINT64_MAX)); /* each input is answered */
    OK(kinfolk_container_set_permits(container, UINT32_MAX, 1e9, UINT32_MAX));
    OK(kinfolk_container_set_directory_modes(container, KINFOLK_DIRECTORY_PRIVATE, NULL, NULL));
    OK(kinfolk_container_set_prefix_bits(container, PREFIX_BITS));
    for (i = 0; i < PEOPLE; i++) {
        kinfolk_account *account;
        kinfolk_session *session = NULL;
        const char *id = NULL;
        char email[40];
        snprintf(email, sizeof email, "person%d@example.com", i);
        account = store_person(service, "Some", email);
        OK(kinfolk_session_open(container, account, &session));
        OK(kinfolk_session_set_discoverability(session, KINFOLK_DISCOVERABILITY_GRANTED, "May others find you?", "1"));
        OK(kinfolk_session_user_record_id(session, &id));
        if (i == 1) snprintf(found_id, sizeof found_id, "%s", id);
        if (i == 2) OK(kinfolk_session_block(caller, id));
        if (i == 0) caller = session;
        else kinfolk_session_free(session);
        kinfolk_account_free(account);
    }
    OK(kinfolk_container_renew_private_key(container, NULL, NULL, &epoch));
    OK(kinfolk_container_private_epochs(container, &epochs));
    HOLDS(kinfolk_private_epochs_count(epochs) == 2);
    for (i = 0; i < 2; i++)
        memcpy(public_keys[i], kinfolk_private_epochs_public_key(epochs, 1 - (size_t)i), KINFOLK_PUBLIC_KEY_LENGTH);
    kinfolk_private_epochs_free(epochs);
    OK(kinfolk_service_bucket_public_key(service, bucket_key));
    kinfolk_container_free(container);
}

FUZZ_UNUSED static message answer_to(const message *request) {
    message answer = { NULL, 0 };
    OK(kinfolk_session_answer(caller, request->bytes, request->length, 1, &answer.bytes, &answer.length));
    HOLDS(answer.bytes != NULL);
    return answer;
}

/* ---- The client */

FUZZ_UNUSED static kinfolk_private_client *client_make(const message *state, bool checks) {
    kinfolk_private_client *client = NULL;
    uint8_t secret[KINFOLK_FILLER_SECRET_LENGTH];
    OK(kinfolk_private_client_new(NOTES, checks ? public_keys[0] : NULL, checks ? 2 : 0, checks ? bucket_key : NULL,
                                  checks && state->length == 0 ? filler_secret : NULL, state->bytes, state->length, 1,
                                  &client));
    OK(kinfolk_private_client_filler_secret(client, secret));
    return client;
}

/* Two contacts: one is found, and the caller has blocked the other. */
FUZZ_UNUSED static void client_set_book(kinfolk_private_client *client) {
    kinfolk_contacts *book = NULL;
    OK(kinfolk_contacts_new(&book));
    OK(kinfolk_contacts_add_email(book, "person1@example.com", "First"));
    OK(kinfolk_contacts_add_email(book, "person2@example.com", "Second"));
    OK(kinfolk_private_client_set_contacts(client, book));
    kinfolk_contacts_free(book);
}

FUZZ_UNUSED static message next_request(kinfolk_private_client *client) {
    message request = { NULL, 0 };
    OK(kinfolk_private_client_next_request(client, &request.bytes, &request.length));
    HOLDS((request.bytes == NULL) == (request.length == 0));
    return request;
}

FUZZ_UNUSED static message state_of(const kinfolk_private_client *client) {
    message state = { NULL, 0 };
    OK(kinfolk_private_client_state(client, &state.bytes, &state.length));
    HOLDS(state.length > 0);
    return state;
}

/* Only that one person may be found. Returns how often: 0 or 1. */
FUZZ_UNUSED static size_t found_by(const kinfolk_private_client *client) {
    kinfolk_identities *identities = NULL;
    size_t count;
    OK(kinfolk_private_client_identities(client, &identities));
    count = kinfolk_identities_count(identities);
    HOLDS(count <= 1);
    if (count == 1) {
        HOLDS(strcmp(kinfolk_identities_record_id(identities, 0), found_id) == 0);
        HOLDS(kinfolk_identities_contact_count(identities, 0) == 1);
        HOLDS(kinfolk_identities_contact_index(identities, 0, 0) == 0);
    }
    kinfolk_identities_free(identities);
    return count;
}

#endif
