/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Metrics of one tile that stay where they are while the states' digits turn round.
 *
 * A step takes two states that differ in the oldest digit to two that differ in the newest one. Written
 * over those that they came from, the place of the digit that was the oldest is that of the newest:
 * nothing is taken apart or put together, one array does, and several steps can be made on a few
 * vectors in registers. It works as long as the oldest digit tells vectors apart, not the lanes of one.
 *
 * So a state's place is a vector's number, of `coordinates` bits, and a lane's. A turn has as many
 * steps as there are coordinates: it begins with the digits in order, the newest ones in the lanes.
 * Step k takes coordinate k. In each of the turn's last lane_bits steps the two vectors of a butterfly
 * then exchange half of their lanes, so that the digit just made goes into the lanes and an old one
 * comes out. After the turn the digits are in order again, but for where coordinate 0 is: coordinate j
 * is bit (j + turn) mod coordinates of the vector's place in memory.
 */
#ifndef VITERBI_SIMD_TURNING_H
#define VITERBI_SIMD_TURNING_H

#include "plugins/viterbi/simd/simd.h"

enum { VITERBI_TURNING_LANE_BITS = 5, VITERBI_TURNING_COORDINATES = 11 }; /* at most */

/* Butterflies are numbered by the coordinates but k. */
struct viterbi_turning_step {
    /* As in along.h, [output][lane]. */
    _Alignas(64) int16_t flip[VITERBI_MAX_N << VITERBI_TURNING_LANE_BITS];
    uint16_t label[1 << (VITERBI_TURNING_COORDINATES - 1)]; /* [butterfly], lane 0's, in units of a
                                                               branch metric's vector / 8 bytes */
    uint16_t place[2][128]; /* of a new state's decision: [0][its low 7 digits] ^ [1][the others] */
};

struct viterbi_turning {
    unsigned coordinates, lane_bits, state_bit;
    struct viterbi_turning_step step[];
};

/* label: of states 2 i, as in struct viterbi_simd. state_bit: where in a butterfly's decisions the bit
 * is that tells its two states apart. NULL: no memory. free() it. */
struct viterbi_turning *viterbi_turning_create(const struct viterbi_code *code,
                                               const uint8_t *label, unsigned lane_bits,
                                               unsigned state_bit);

/* How far the coordinates have turned in memory after `stage` steps. */
static inline unsigned viterbi_turning_by(const struct viterbi_turning *t, size_t stage)
{
    return (unsigned)(stage / t->coordinates * (t->coordinates - t->lane_bits) % t->coordinates);
}

/* Where the metrics of states are after `stage` steps, in elements: [0][low 7 digits] ^ [1][others]. */
void viterbi_turning_where(const struct viterbi_turning *t, size_t stage, uint16_t where[2][128]);

/* struct viterbi_kernel's. */
void viterbi_turning_trace(struct viterbi_run *run, size_t from, size_t to, uint64_t *seed,
                           uint64_t *words);

#endif
