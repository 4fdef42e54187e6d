/* SPDX-License-Identifier: BSD-2-Clause */
/* From the tags of a tile's chunks to its bits. */
#ifndef VITERBI_SIMD_FRAME_TRACE_H
#define VITERBI_SIMD_FRAME_TRACE_H

#include "plugins/viterbi/simd/frame/frame.h"

/*
 * Goes back from a position after `steps` steps, and returns the position before them. tags: of the first
 * chunk. bits[c]: those of chunk c, the first step's in the highest of tag_bits places. What lies beyond
 * `steps` in the last chunk means nothing. The first step is step 0 of a chunk, and the number of its
 * chunk a multiple of m / tag_bits.
 */
uint32_t viterbi_frame_trace(const struct viterbi_frame *frame, const uint8_t *tags, size_t steps,
                             uint32_t position, uint8_t *bits);

/* Bits [from, from + count) of the chunks, into packed bits from bit `at` on; others stay. */
void viterbi_frame_put(const uint8_t *bits, unsigned tag_bits, size_t from, size_t count,
                       uint8_t *packed, size_t at);

#endif
