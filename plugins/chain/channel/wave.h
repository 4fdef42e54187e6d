/* SPDX-License-Identifier: BSD-2-Clause */
/* Cosines of a phase that grows steadily, and what each instruction set begins with. */
#ifndef CHAIN_CHANNEL_WAVE_H
#define CHAIN_CHANNEL_WAVE_H

#include "plugins/chain/plugin.h"

enum {
    WAVE_BLOCK = 1024, /* a wave's rounding errors do not grow beyond */
    WAVE_LANES = 16,   /* symbols that are turned at once, on every machine */
};

/*
 * out += cosines of the phases p, p + step, ..., which are 2^64 to a turn. n is at most WAVE_BLOCK and rounded up to
 * whole WAVE_LANES; out is aligned to 64 bytes.
 */
typedef void chain_wave(uint64_t p, uint64_t step, size_t n, float *out);

/* Cosine and sine of 2 pi turn / 2^32. */
static inline void wave_angle(uint32_t turn, float *cosine, float *sine)
{
    /* fecrun_gauss_angle() takes a quadrant, and a place in it with a sign. */
    fecrun_gauss_angle(((turn + 0x20000000u) & 0xc0000000u) | (turn & 0x3fffffffu), cosine, sine);
}

/* The first WAVE_LANES cosines and sines, and what turns them to the next ones. */
static inline void wave_begin(uint64_t p, uint64_t step, float cosine[WAVE_LANES],
                              float sine[WAVE_LANES], float turn[2])
{
    for (unsigned i = 0; i < WAVE_LANES; i++)
        wave_angle((uint32_t)((p + i * step) >> 32), &cosine[i], &sine[i]);
    wave_angle((uint32_t)(WAVE_LANES * step >> 32), &turn[0], &turn[1]);
}

#endif
