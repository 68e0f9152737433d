/* oprf.c: hashes to elements and scalars. */

#include "oprf.h"
#include "stop.h"

#include <string.h>

static const char context[] = "OPRFV1-\x01-ristretto255-SHA512";

/* expand_message_xmd of RFC 9380 to 64 bytes, under one domain separation tag: the bytes before and after a message. */
typedef struct {
    crypto_hash_sha512_state begun;
    uint8_t first[3 + 64], second[1 + 64];
    size_t tag_length;
} expander;

static expander to_group, to_scalar, to_key;

static void expander_init(expander *expander, const char *name) {
    static const uint8_t zeros[128];
    uint8_t tag[64];
    size_t length = (size_t)snprintf((char *)tag, sizeof tag - 1, "%s%s", name, context);
    REQUIRE(length < sizeof tag - 1);
    tag[length] = (uint8_t)length;
    expander->tag_length = length + 1;
    memcpy(expander->first, (const uint8_t[]) { 0, 64, 0 }, 3);
    memcpy(expander->first + 3, tag, length + 1);
    expander->second[0] = 1;
    memcpy(expander->second + 1, tag, length + 1);
    crypto_hash_sha512_init(&expander->begun);
    crypto_hash_sha512_update(&expander->begun, zeros, sizeof zeros);
}

__attribute__((constructor)) static void init(void) {
    expander_init(&to_group, "HashToGroup-");
    expander_init(&to_scalar, "HashToScalar-");
    expander_init(&to_key, "DeriveKeyPair");
}

/* `state` is a copy of the expander's state, updated with the message. */
static void expand(const expander *expander, crypto_hash_sha512_state *state, uint8_t *wide) {
    crypto_hash_sha512_update(state, expander->first, 3 + expander->tag_length);
    crypto_hash_sha512_final(state, wide);
    crypto_hash_sha512_init(state);
    crypto_hash_sha512_update(state, wide, 64);
    crypto_hash_sha512_update(state, expander->second, 1 + expander->tag_length);
    crypto_hash_sha512_final(state, wide);
}

static void add_number(crypto_hash_sha512_state *state, size_t number) {
    uint8_t bytes[2] = { (uint8_t)(number >> 8), (uint8_t)number };
    crypto_hash_sha512_update(state, bytes, sizeof bytes);
}

static void add_counted(crypto_hash_sha512_state *state, const void *bytes, size_t length) {
    add_number(state, length);
    crypto_hash_sha512_update(state, bytes, length);
}

static void add_text(crypto_hash_sha512_state *state, const char *text) {
    crypto_hash_sha512_update(state, (const uint8_t *)text, strlen(text));
}

static void scalar_of(const expander *expander, crypto_hash_sha512_state *state, uint8_t *scalar) {
    uint8_t wide[64];
    expand(expander, state, wide);
    crypto_core_ristretto255_scalar_reduce(scalar, wide);
}

void oprf_hash_to_group(uint8_t *element, const uint8_t *hash) {
    crypto_hash_sha512_state state = to_group.begun;
    uint8_t wide[64];
    crypto_hash_sha512_update(&state, hash, FLOOR_HASH);
    expand(&to_group, &state, wide);
    crypto_core_ristretto255_from_hash(element, wide);
}

void oprf_output(uint8_t *output, const uint8_t *hash, const uint8_t *element) {
    crypto_hash_sha512_state state;
    crypto_hash_sha512_init(&state);
    add_counted(&state, hash, FLOOR_HASH);
    add_counted(&state, element, FLOOR_POINT);
    add_text(&state, "Finalize");
    crypto_hash_sha512_final(&state, output);
}

void oprf_derive_key(uint8_t *scalar, const uint8_t *seed, const char *info) {
    crypto_hash_sha512_state state = to_key.begun;
    const uint8_t counter = 0; /* the next one would be for a scalar of zero */
    crypto_hash_sha512_update(&state, seed, 32);
    add_counted(&state, info, strlen(info));
    crypto_hash_sha512_update(&state, &counter, 1);
    scalar_of(&to_key, &state, scalar);
}

void oprf_weight_seed(uint8_t *seed, const uint8_t *public_key) {
    crypto_hash_sha512_state state;
    char tag[64];
    size_t length = (size_t)snprintf(tag, sizeof tag, "Seed-%s", context);
    crypto_hash_sha512_init(&state);
    add_counted(&state, public_key, FLOOR_POINT);
    add_counted(&state, tag, length);
    crypto_hash_sha512_final(&state, seed);
}

void oprf_weight(uint8_t *weight, const uint8_t *seed, size_t index, const uint8_t *blinded, const uint8_t *evaluated) {
    crypto_hash_sha512_state state = to_scalar.begun;
    add_counted(&state, seed, 64);
    add_number(&state, index);
    add_counted(&state, blinded, FLOOR_POINT);
    add_counted(&state, evaluated, FLOOR_POINT);
    add_text(&state, "Composite");
    scalar_of(&to_scalar, &state, weight);
}

void oprf_challenge(uint8_t *challenge, const uint8_t *const elements[5]) {
    crypto_hash_sha512_state state = to_scalar.begun;
    size_t i;
    for (i = 0; i < 5; i++) add_counted(&state, elements[i], FLOOR_POINT);
    add_text(&state, "Challenge");
    scalar_of(&to_scalar, &state, challenge);
}
