/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The trellis of a rate 1/n convolutional code.
 *
 * A generator has K binary digits: the most significant one multiplies the current input bit, the
 * least significant one the oldest bit in the register. The register is r = u << (K - 1) | state,
 * output j is parity(r & gen[j]) ^ inverted[j], and the next state is r >> 1: the newest bit is the
 * most significant bit of the state. State s is reached from (s << 1 | d) mod 2^(K-1), where d is
 * the bit that falls out of the register, with the input bit s >> (K - 2).
 */
#ifndef VITERBI_CODE_TRELLIS_H
#define VITERBI_CODE_TRELLIS_H

#include <stdint.h>

enum { VITERBI_MIN_K = 3, VITERBI_MAX_K = 15, VITERBI_MIN_N = 2, VITERBI_MAX_N = 6 };

/* Float metrics: at each step whose number is a multiple of this, counted from the first one of a
 * tile or of a tail-biting frame's round, state 0's metric is taken away from all. Part of the
 * definition, since it rounds. */
enum { VITERBI_RENEW = 16 };

struct viterbi_code {
    unsigned K, n;
    uint32_t gen[VITERBI_MAX_N];
    uint8_t inverted[VITERBI_MAX_N];
};

enum viterbi_termination {
    VITERBI_ZERO,        /* L + K - 1 steps, from state 0 to state 0 */
    VITERBI_TAIL_BITING, /* L steps, circular */
    VITERBI_TRUNCATED,   /* L steps from state 0, end unknown */
    VITERBI_CONTINUOUS   /* frames are consecutive pieces of one stream, which starts in state 0 */
};

/* What path metrics can do, in units of the largest |LLR|; see viterbi_code_range(). */
struct viterbi_range {
    unsigned merge;   /* two candidates for one state differ by no more than this */
    unsigned early;   /* |metric - metric of state 0| at any time */
    unsigned settled; /* the same at `settle` or more steps after a known start, or without one */
    unsigned settle;
    unsigned up, down; /* candidates of the next `period` steps against state 0's metric now */
};

/* NULL, or what is wrong with the code, in words. */
const char *viterbi_code_problem(const struct viterbi_code *code);

/* The n output bits for the register r, output j in bit j; inverted where the code says so. */
unsigned viterbi_code_label(const struct viterbi_code *code, uint32_t r);

/*
 * Bounds for metrics that grow by minus the sum of the LLRs whose output bit is 1. Exact for any
 * start in which all states are equal, for the known state 0, and for what such starts lead to.
 * `work` holds 4 << (K - 1) entries; up and down are for `period` steps after the settled range.
 */
void viterbi_code_range(const struct viterbi_code *code, unsigned period, uint16_t *work,
                        struct viterbi_range *range);

#endif
