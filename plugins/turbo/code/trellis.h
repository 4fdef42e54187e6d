/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The constituent code, TS 36.212 5.1.3.2.1: G(D) = [1, g1(D)/g0(D)] with g0 = 1 + D^2 + D^3 and
 * g1 = 1 + D + D^3, eight states, and where the bits of a block lie in its word. For the CPU and
 * CUDA.
 *
 * A state is s1 s2 s3 in binary, the newest bit first. With the input u, a = u ^ s2 ^ s3 goes into
 * the register, so that the next state is a s1 s2, and the parity bit is a ^ s1 ^ s3.
 */
#ifndef TURBO_CODE_TRELLIS_H
#define TURBO_CODE_TRELLIS_H

#include "plugins/turbo/code/qpp.h"

enum {
    TURBO_STATES = 8,
    TURBO_TAIL = 3,    /* steps that bring an encoder back to state 0 */
    TURBO_STREAMS = 3, /* d0, d1, d2, k + 4 bits each */
};

/* What enters the register. */
TURBO_FN uint32_t turbo_feed(uint32_t state, uint32_t u)
{
    return (u ^ state ^ state >> 1) & 1;
}

TURBO_FN uint32_t turbo_next(uint32_t state, uint32_t u)
{
    return state >> 1 | turbo_feed(state, u) << 2;
}

TURBO_FN uint32_t turbo_parity(uint32_t state, uint32_t u)
{
    return (turbo_feed(state, u) ^ state ^ state >> 2) & 1;
}

/* The input that brings a 0 into the register: that of the three tail steps. */
TURBO_FN uint32_t turbo_tail_input(uint32_t state)
{
    return (state ^ state >> 1) & 1;
}

/* ---- Places in the word d0 d1 d2 of 3 (k + 4) items, 5.1.3.2.2 ------------------------------- */

TURBO_FN uint32_t turbo_word(uint32_t k)
{
    return TURBO_STREAMS * (k + 4);
}

/* Item i of stream s. */
TURBO_FN uint32_t turbo_item(uint32_t k, uint32_t s, uint32_t i)
{
    return s * (k + 4) + i;
}

/*
 * Tail step t = 0..2 of encoder e = 0, 1: its input bit x and its parity bit z. The six bits x z x
 * z x z of one encoder go down the streams, d0 d1 d2 d0 d1 d2, those of the second behind them.
 */
TURBO_FN uint32_t turbo_tail_x(uint32_t k, uint32_t e, uint32_t t)
{
    return turbo_item(k, 2 * t % 3, k + 2 * e + 2 * t / 3);
}

TURBO_FN uint32_t turbo_tail_z(uint32_t k, uint32_t e, uint32_t t)
{
    return turbo_item(k, (2 * t + 1) % 3, k + 2 * e + (2 * t + 1) / 3);
}

#endif
