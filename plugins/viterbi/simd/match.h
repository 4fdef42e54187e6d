/* SPDX-License-Identifier: BSD-2-Clause */
/* Packed rows of decoded bits: how well their word matches the LLRs, and what a recursive encoder got. */
#ifndef VITERBI_SIMD_MATCH_H
#define VITERBI_SIMD_MATCH_H

#include "plugins/viterbi/match.h"

struct viterbi_tables;

/* Encodes the row again, which is what went into the register, and compares. */
void viterbi_match_row(const struct viterbi_spec *spec, const struct viterbi_tables *tables,
                       const void *llr, const uint8_t *packed, struct viterbi_match *match);

/* Turns what went into the register into the bits that the encoder got. */
void viterbi_unfeed_row(const struct viterbi_spec *spec, uint32_t feedback, uint8_t *packed);

#endif
