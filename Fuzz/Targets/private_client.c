/*
 * The client's part of private discovery. kinfolk_private_client_receive either accepts an answer completely, or leaves the
 * request and the state unchanged. With a published key it accepts evaluations of that server only. It never finds a person
 * who is not in the directory.
 *
 * For each step there is a client that waits for an answer. The first byte of the input chooses the step, and what the rest
 * is: a message, a message that gets the header of the right answer, or changes to the right answer.
 */

#include "private.h"

enum { STEPS = 6, LONGEST = 1 << 14 };

/* A client that waits for an answer, how it was made, and the answer. */
static struct waiting {
    int type;    /* the type of its request */
    bool checks; /* whether it has public keys */
    bool again;  /* whether it repeats a discovery, so that only changes are sent */
    kinfolk_private_client *client;
    message start, request, answer, state;
} steps[STEPS] = {
    { .type = DESCRIPTION_REQUEST }, { .type = DESCRIPTION_REQUEST, .checks = true, .again = true },
    { .type = EVALUATION_REQUEST },  { .type = EVALUATION_REQUEST, .checks = true },
    { .type = BUCKET_REQUEST },      { .type = BUCKET_REQUEST, .again = true }
};

/* Makes the next request. False if there is none. */
static bool go_on(kinfolk_private_client *client) {
    message request = next_request(client), answer;
    if (request.bytes == NULL) return false;
    answer = answer_to(&request);
    OK(kinfolk_private_client_receive(client, answer.bytes, answer.length));
    message_end(&request);
    message_end(&answer);
    return true;
}

/* Makes the client of a step, from an earlier state. */
static void wait_at(struct waiting *step) {
    kinfolk_private_client_free(step->client);
    message_end(&step->request);
    message_end(&step->answer);
    message_end(&step->state);
    step->client = client_make(&step->start, step->checks);
    client_set_book(step->client);
    while (step->request = next_request(step->client), step->request.bytes[3] != step->type) {
        message_end(&step->request);
        HOLDS(go_on(step->client));
    }
    step->answer = answer_to(&step->request);
    step->state = state_of(step->client);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    size_t i;
    (void)argc, (void)argv;
    private_begin();
    for (i = 0; i < STEPS; i++) {
        message none = { NULL, 0 };
        kinfolk_private_client *client = client_make(&none, steps[i].checks);
        client_set_book(client);
        if (steps[i].again) {
            while (go_on(client)) continue;
            HOLDS(found_by(client) == 1);
        }
        /* The contacts are evaluated already, unless the step is about evaluation. */
        while (steps[i].type == BUCKET_REQUEST && !steps[i].again) {
            message request = next_request(client);
            bool is_there = request.bytes[3] == BUCKET_REQUEST;
            message_end(&request);
            if (is_there) break;
            HOLDS(go_on(client));
        }
        steps[i].start = state_of(client);
        kinfolk_private_client_free(client);
        wait_at(&steps[i]);
    }
    return 0;
}

/* The right answer, with changes: bytes are replaced, cut out or inserted, or parts of other answers are inserted. */
static size_t change(input *in, const message *answer, uint8_t *bytes) {
    size_t length = answer->length, at, size;
    const uint8_t *more;
    HOLDS(length <= LONGEST / 2);
    memcpy(bytes, answer->bytes, length);
    while (in->left > 0 && length < LONGEST - 4096) {
        uint8_t how = take_byte(in);
        at = length == 0 ? 0 : (size_t)take_number(in, 2) % length;
        switch (how % 6) {
        case 0:
            if (length > 0) bytes[at] ^= take_byte(in);
            break;
        case 1:
            if (length > 0) bytes[at] = take_byte(in);
            break;
        case 2: length = at; break;
        case 3:
            more = take_bytes(in, &size);
            memmove(bytes + at + size, bytes + at, length - at);
            memcpy(bytes + at, more, size);
            length += size;
            break;
        case 4:
            size = take_byte(in);
            if (size > length - at) size = length - at;
            memmove(bytes + at, bytes + at + size, length - at - size);
            length -= size;
            break;
        default: {
            const message *other = &steps[take_byte(in) % STEPS].answer;
            size_t from = (size_t)take_number(in, 2) % other->length;
            size = take_byte(in);
            if (size > other->length - from) size = other->length - from;
            if (size > length - at) size = length - at;
            memcpy(bytes + at, other->bytes + from, size);
        }
        }
    }
    return length;
}

/* After an accepted message the client can continue: its state is valid, and there is a next request or none. */
static void check_after(struct waiting *step, bool is_right) {
    message state = state_of(step->client), again, request = next_request(step->client);
    kinfolk_private_client *copy = client_make(&state, false);
    again = state_of(copy);
    HOLDS(same_bytes(again.bytes, again.length, &state));
    if (step->type == BUCKET_REQUEST) HOLDS(request.bytes == NULL);
    else HOLDS(request.length > HEADER && request.bytes[3] > step->type && request.bytes[3] % 2 == 1);
    if (is_right) {
        while (go_on(step->client)) continue;
        HOLDS(found_by(step->client) == 1);
    }
    kinfolk_private_client_free(copy);
    message_end(&again);
    message_end(&state);
    message_end(&request);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static uint8_t bytes[LONGEST];
    input in = { data, size };
    uint8_t choice = take_byte(&in);
    struct waiting *step = &steps[choice % STEPS];
    const uint8_t *answer = bytes;
    size_t length = 0, at, found = found_by(step->client);
    kinfolk_status status;
    bool is_right;
    switch (choice / STEPS % 3) {
    case 0: answer = in.at, length = in.left; break;
    case 1:
        length = in.left < LONGEST ? in.left : LONGEST;
        memcpy(bytes, in.at, length);
        at = step->type == DESCRIPTION_REQUEST ? 4 : HEADER + ID;
        memcpy(bytes, step->answer.bytes, length < at ? length : at);
        break;
    default: length = change(&in, &step->answer, bytes);
    }
    is_right = same_bytes(answer, length, &step->answer);
    status = kinfolk_private_client_receive(step->client, answer, length);
    if (is_right) HOLDS(status == KINFOLK_OK);
    if (status == KINFOLK_OK) {
        if (step->checks && step->type == EVALUATION_REQUEST) HOLDS(is_right);
        found_by(step->client);
        check_after(step, is_right);
        wait_at(step);
    } else {
        message request = next_request(step->client), state = state_of(step->client);
        HOLDS(status == KINFOLK_INVALID_ARGUMENT || status == KINFOLK_CONFLICT ||
              (status == KINFOLK_KEY_MISMATCH && step->checks));
        FAILED(status, status, status);
        HOLDS(same_bytes(request.bytes, request.length, &step->request));
        HOLDS(same_bytes(state.bytes, state.length, &step->state));
        HOLDS(found_by(step->client) == found);
        message_end(&request);
        message_end(&state);
    }
    return 0;
}
