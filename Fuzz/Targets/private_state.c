/*
 * States of clients: kinfolk_private_client_new accepts the result of kinfolk_private_client_state. Every other state that it
 * accepts is written again with the same bytes, and leads to a conversation that ends.
 *
 * The checksum at the end of a state protects against damage, not against forgery, so most inputs get a valid one. The first byte
 * chooses that, the state to change (or that the input is a state), and whether to skip the conversation.
 */

#include "private.h"

enum { STATES = 4, LONGEST = 1 << 16, CHECK = 16, SECRET = 4 + 1 + sizeof NOTES - 1 };

static message states[STATES]; /* new; evaluated in epoch 2; all known; two batches, one of them known */

static bool go_on(kinfolk_private_client *client) {
    message request = next_request(client), answer = { NULL, 0 };
    kinfolk_status status;
    if (request.bytes == NULL) return false;
    status = kinfolk_session_answer(caller, request.bytes, request.length, 1, &answer.bytes, &answer.length);
    if (status == KINFOLK_OK) status = kinfolk_private_client_receive(client, answer.bytes, answer.length);
    /* A state may have another key of the epoch or of the buckets, or contain contacts that were not paid for, or other buckets. */
    HOLDS(status == KINFOLK_OK || (status == KINFOLK_CONFLICT && request.bytes[3] <= EVALUATION_REQUEST) ||
          (status == KINFOLK_PERMISSION_FAILURE && request.bytes[3] == RENEWAL_REQUEST));
    message_end(&request);
    message_end(&answer);
    return status == KINFOLK_OK;
}

/* A complete private discovery, with a state. */
static kinfolk_status discover(const uint8_t *state, size_t length) {
    kinfolk_contacts *book = NULL;
    kinfolk_identities *identities = NULL;
    kinfolk_status status;
    OK(kinfolk_contacts_new(&book));
    OK(kinfolk_contacts_add_email(book, "person1@example.com", NULL));
    status = kinfolk_discover_contacts_privately(caller, book, state, length, 1, &identities);
    HOLDS((status == KINFOLK_OK) == (identities != NULL));
    kinfolk_identities_free(identities);
    kinfolk_contacts_free(book);
    return status;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    message none = { NULL, 0 };
    kinfolk_private_client *client;
    kinfolk_contacts *book = NULL;
    int i;
    (void)argc, (void)argv;
    private_begin();
    client = client_make(&none, false);
    states[0] = state_of(client);
    client_set_book(client);
    HOLDS(go_on(client) && go_on(client));
    states[1] = state_of(client);
    while (go_on(client)) continue;
    states[2] = state_of(client);
    OK(kinfolk_contacts_new(&book));
    OK(kinfolk_contacts_add_email(book, "person3@example.com", NULL));
    OK(kinfolk_private_client_set_contacts(client, book));
    HOLDS(go_on(client) && go_on(client));
    states[3] = state_of(client);
    kinfolk_contacts_free(book);
    kinfolk_private_client_free(client);
    for (i = 0; i < STATES; i++) HOLDS(states[i].length <= LONGEST / 2);
    return 0;
}

/* Writes the valid checksum at the end. */
static void seal(uint8_t *bytes, size_t length) {
    crypto_auth_hmacsha512_state code;
    uint8_t whole[crypto_auth_hmacsha512_BYTES];
    if (length < SECRET + 32 + CHECK) return;
    crypto_auth_hmacsha512_init(&code, bytes + SECRET, 32);
    crypto_auth_hmacsha512_update(&code, (const uint8_t *)"kinfolk/2/state", 15);
    crypto_auth_hmacsha512_update(&code, bytes, length - CHECK);
    crypto_auth_hmacsha512_final(&code, whole);
    memcpy(bytes + length - CHECK, whole, CHECK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static uint8_t bytes[LONGEST];
    input in = { data, size };
    uint8_t choice = take_byte(&in);
    const message *from = &states[choice % STATES];
    size_t length = 0, at, part;
    kinfolk_private_client *client = NULL, *copy;
    message state, again;
    bool is_genuine;
    kinfolk_status status;
    if (choice & 0x40) { /* as it is */
        length = in.left < LONGEST ? in.left : LONGEST;
        memcpy(bytes, in.at, length);
    } else {
        memcpy(bytes, from->bytes, length = from->length);
        while (in.left > 0 && length > 0 && length < LONGEST - 512) {
            uint8_t how = take_byte(&in);
            const uint8_t *more;
            at = (size_t)take_number(&in, 2) % length;
            switch (how % 5) {
            case 0: bytes[at] ^= take_byte(&in); break;
            case 1: length = at; break;
            case 2: /* repeats its middle from here on */
                part = (size_t)take_number(&in, 2) % (length - at) % 512;
                memmove(bytes + at + part, bytes + at, length - at);
                length += part;
                break;
            case 3:
                part = (size_t)take_number(&in, 2) % (length - at);
                memmove(bytes + at, bytes + at + part, length - at - part);
                length -= part;
                break;
            default:
                more = take_bytes(&in, &part);
                if (part > length - at) part = length - at;
                memcpy(bytes + at, more, part);
            }
        }
    }
    if (!(choice & 0x20)) seal(bytes, length);
    is_genuine = same_bytes(bytes, length, from);
    if (kinfolk_private_client_new(NOTES, NULL, 0, NULL, NULL, bytes, length, 1, &client) != KINFOLK_OK) {
        FAILED(KINFOLK_INVALID_ARGUMENT, KINFOLK_INVALID_ARGUMENT, KINFOLK_INVALID_ARGUMENT);
        HOLDS(!is_genuine && client == NULL);
        HOLDS(discover(bytes, length) == KINFOLK_INVALID_ARGUMENT);
        return 0;
    }
    state = state_of(client);
    copy = client_make(&state, false);
    again = state_of(copy);
    HOLDS(same_bytes(again.bytes, again.length, &state));
    /* Everything is written again, except empty parts. */
    HOLDS(length == 0 || state.length <= length);
    if (is_genuine) HOLDS(same_bytes(bytes, length, &state));
    if (!(choice & 0x80)) { /* which takes most of the time */
        client_set_book(copy);
        for (at = 0; go_on(copy); at++) HOLDS(at < 400);
        status = discover(bytes, length);
        HOLDS(status == KINFOLK_OK || status == KINFOLK_CONFLICT || status == KINFOLK_PERMISSION_FAILURE);
    }
    kinfolk_private_client_free(copy);
    kinfolk_private_client_free(client);
    message_end(&state);
    message_end(&again);
    return 0;
}
