/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The code of small blocks of NR's uplink control, TS 38.212 5.3.3: 1 bit repeated, 2 bits and their sum,
 * or 3 to 11 bits in a word of 32 that is a sum of basis sequences.
 *
 * One and two bits fill whole modulation symbols of Qm bits. The standard's placeholders are what it
 * makes of them (TS 38.211 6.3.1.1) where nothing is scrambled: y is the bit in front
 * again, x is 1 and says nothing.
 */
#ifndef POLAR_CODE_SMALL_H
#define POLAR_CODE_SMALL_H

#include "plugins/polar/code/code.h"

enum { POLAR_SMALL_MOST_K = 11, POLAR_SMALL_N = 32, POLAR_SMALL_MOST_QM = 8 };

/* Bit k of row i: whether bit k of the message is part of bit i of the word. 0: a placeholder x. */
struct polar_small {
    uint16_t row[POLAR_SMALL_N];
};

/* N for K bits, 1 to 11, and symbols of qm bits. */
uint32_t polar_small_n(uint32_t k, uint32_t qm);

/* A code with `small`, no kinds and no positions; free() is enough. K 1 to 11; qm 1, 2, 4, 6 or 8. NULL and a
   reason: out of memory. */
struct polar_code *polar_small_code(uint32_t k, uint32_t qm, struct fecrun_error *err);

/* N bits of the K bits of the message. */
void polar_small_encode(const struct polar_code *code, const uint8_t *message, uint8_t *word);

#endif
