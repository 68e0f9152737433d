/* oprf.h: the functions of RFC 9497 that private discovery uses: ristretto255-SHA512, mode VOPRF. Inputs are contact hashes. */

#ifndef OPRF_H
#define OPRF_H

#include "floors.h"

#include <sodium.h>

/* H(h) of a contact hash. */
void oprf_hash_to_group(uint8_t *element, const uint8_t *hash);

/* The output for a contact hash and its element under the key. */
void oprf_output(uint8_t *output, const uint8_t *hash, const uint8_t *element);

void oprf_derive_key(uint8_t *scalar, const uint8_t *seed, const char *info);

/* The hash state from which all weights of a batch are derived, and the weight of one of its elements. */
void oprf_weight_seed(uint8_t *seed, const uint8_t *public_key);
void oprf_weight(uint8_t *weight, const uint8_t *seed, size_t index, const uint8_t *blinded, const uint8_t *evaluated);

/* The challenge of a proof, from five elements: the public key, the two weighted sums, and two computed from the proof. */
void oprf_challenge(uint8_t *challenge, const uint8_t *const elements[5]);

#endif
