/* private_client.c: the client's half of a batch. */

#include "oprf.h"
#include "private_directory.h"
#include "stop.h"

#include <string.h>

void floor_blind(const uint8_t *hashes, size_t count, uint8_t *blinds, uint8_t *points) {
    uint8_t wide[64], element[FLOOR_POINT];
    size_t i;
    for (i = 0; i < count; i++) {
        randombytes_buf(wide, sizeof wide);
        crypto_core_ristretto255_scalar_reduce(blinds + 32 * i, wide);
        oprf_hash_to_group(element, hashes + FLOOR_HASH * i);
        REQUIRE(crypto_scalarmult_ristretto255(points + FLOOR_POINT * i, blinds + 32 * i, element) == 0);
    }
}

/* Computes all inverses with one inversion (Montgomery's trick). */
static void invert(uint8_t *inverses, const uint8_t *scalars, size_t count) {
    uint8_t product[32] = { 1 };
    size_t i;
    for (i = 0; i < count; i++) {
        memcpy(inverses + 32 * i, product, 32);
        crypto_core_ristretto255_scalar_mul(product, product, scalars + 32 * i);
    }
    crypto_core_ristretto255_scalar_invert(product, product);
    while (i-- > 0) {
        crypto_core_ristretto255_scalar_mul(inverses + 32 * i, inverses + 32 * i, product);
        crypto_core_ristretto255_scalar_mul(product, product, scalars + 32 * i);
    }
}

void floor_finalize(const uint8_t *hashes, size_t count, const uint8_t *blinds, const uint8_t *evaluated,
                    const uint8_t *bucket_evaluated, uint8_t *outputs, uint8_t *tags, uint8_t *positions) {
    uint8_t *inverses = malloc(32 * count), element[FLOOR_POINT], output[FLOOR_OUTPUT];
    row_key key;
    size_t i;
    REQUIRE(inverses != NULL);
    invert(inverses, blinds, count);
    for (i = 0; i < count; i++) {
        REQUIRE(crypto_scalarmult_ristretto255(element, inverses + 32 * i, evaluated + FLOOR_POINT * i) == 0);
        oprf_output(outputs + FLOOR_OUTPUT * i, hashes + FLOOR_HASH * i, element);
        row_key_init(&key, outputs + FLOOR_OUTPUT * i);
        memcpy(tags + FLOOR_TAG * i, key.tag, FLOOR_TAG);
        REQUIRE(crypto_scalarmult_ristretto255(element, inverses + 32 * i, bucket_evaluated + FLOOR_POINT * i) == 0);
        oprf_output(output, hashes + FLOOR_HASH * i, element);
        bucket_position(positions + FLOOR_BUCKET * i, output);
    }
    free(inverses);
}

static void add_weighted(uint8_t *sum, const uint8_t *weight, const uint8_t *element) {
    uint8_t product[FLOOR_POINT];
    REQUIRE(crypto_scalarmult_ristretto255(product, weight, element) == 0);
    REQUIRE(crypto_core_ristretto255_add(sum, sum, product) == 0);
}

bool floor_verify(const uint8_t *public_key, const uint8_t *blinded, const uint8_t *evaluated, size_t count,
                  const uint8_t *proof) {
    const uint8_t *challenge = proof, *response = proof + 32;
    uint8_t seed[64], weight[32], m[FLOOR_POINT] = { 0 }, z[FLOOR_POINT] = { 0 };
    uint8_t t2[FLOOR_POINT], t3[FLOOR_POINT], expected[32];
    const uint8_t *const elements[5] = { public_key, m, z, t2, t3 };
    size_t i;
    oprf_weight_seed(seed, public_key);
    for (i = 0; i < count; i++) {
        const uint8_t *before = blinded + FLOOR_POINT * i, *after = evaluated + FLOOR_POINT * i;
        oprf_weight(weight, seed, i, before, after);
        add_weighted(m, weight, before);
        add_weighted(z, weight, after);
    }
    REQUIRE(crypto_scalarmult_ristretto255_base(t2, response) == 0);
    add_weighted(t2, challenge, public_key);
    REQUIRE(crypto_scalarmult_ristretto255(t3, response, m) == 0);
    add_weighted(t3, challenge, z);
    oprf_challenge(expected, elements);
    return sodium_memcmp(expected, challenge, 32) == 0;
}
