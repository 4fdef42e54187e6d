/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A polar code: x = u G, G the n-fold Kronecker power of [1 0; 1 1], bits in natural order (no bit
 * reversal), N = 2^n. Of the positions of u some are frozen to 0, K hold what is sent, and those of
 * parity (TS 38.212 5.3.1.2) the sum of the message bits in front of them at a distance that is a
 * multiple of 5.
 */
#ifndef POLAR_CODE_CODE_H
#define POLAR_CODE_CODE_H

#include <fecrun/plugin.h>
#include <stdbool.h>

enum { POLAR_LEAST_STAGES = 5, POLAR_MOST_STAGES = 15, POLAR_MOST_N = 1 << POLAR_MOST_STAGES };

enum { POLAR_PARITY_DISTANCE = 5 };

enum polar_bit { POLAR_FROZEN, POLAR_MESSAGE, POLAR_PARITY };

struct polar_small;
struct polar_words;

/* Immutable; one piece of memory, except `words`: free() is enough for all but the encoder's. */
struct polar_code {
    uint32_t n, stages; /* N = 2^stages */
    uint32_t k;         /* bits that go in, CRC included */
    uint32_t parities;
    uint8_t *kind;                   /* of each of N positions: enum polar_bit */
    uint16_t *position;              /* of u, that holds bit i of the K */
    const struct polar_small *small; /* code/small.h: no polar code; all above but n and k is 0 */
    struct polar_words *words;       /* the encoder's, where it takes words of 64 bits; else NULL */
};

/* All of N frozen, positions not set. NULL: out of memory. */
struct polar_code *polar_code_new(uint32_t stages, uint32_t k);

/* Bits in place, one a byte, n = 2 .. POLAR_MOST_N: x = u G, which is its own inverse. */
void polar_transform(uint8_t *bits, uint32_t n);

/* The same for n / 64 words, the first bit lowest. */
void polar_transform_words(uint64_t *word, uint32_t words);

/* K bits into u of N, parity included. */
void polar_place(const struct polar_code *code, const uint8_t *message, uint8_t *u);

/* Is bit i of u one of those that sum up to the parity at this position? */
static inline bool polar_in_parity(const struct polar_code *code, uint32_t parity, uint32_t i)
{
    return i < parity && (parity - i) % POLAR_PARITY_DISTANCE == 0 &&
           code->kind[i] == POLAR_MESSAGE;
}

#endif
