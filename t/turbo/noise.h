/* SPDX-License-Identifier: BSD-2-Clause */
/* Random numbers of the tests of turbo decoders: xorshift64*, and the normal distribution out of it. */
#ifndef T_TURBO_NOISE_H
#define T_TURBO_NOISE_H

#include <math.h>
#include <stdint.h>

static uint64_t state = 88172645463325252u;

/* Above 0 and below 1. */
static inline double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return ((double)(state * 2685821657736338717u >> 11) + 0.5) * 0x1p-53;
}

static inline double gauss(void)
{
    return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

#endif
