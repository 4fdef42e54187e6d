/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Integers of four LLRs of BPSK or QPSK with half of the instructions, and whether they are certain. The noise is
 * made by a GPU's own approximations of logarithm, root, sine and cosine. Their errors are bounded (PTX ISA: lg2.approx,
 * sqrt.approx, sin.approx, cos.approx), so an LLR that is far enough from the border between two integers rounds to
 * the integer of the definition. The others, about one in 3000, are made again by noise.h.
 *
 * In C, where a test compares both, the approximations have the largest errors that are allowed.
 */
#ifndef CHAIN_CUDA_THREAD_ROUGH_H
#define CHAIN_CUDA_THREAD_ROUGH_H

#include "plugins/chain/cuda/thread/noise.h"

/* sqrt(2 ln 2): what makes a radius of the root of a logarithm to base 2 */
#define ROUGH_UNIT 1.17741002251547469

enum { ROUGH_FRACTION = 15 }; /* bits of a float's mantissa after the eight of the integer */

/* Larger words have a radius below 0.02, where the logarithm's error counts most. */
#define ROUGH_LARGEST 0xfff2e48eu

/* From a sample to its LLR: place = sample * slope + bit[..], kept within 0 and 1; LLR = place * span + offset. */
struct rough {
    float slope, bit[2];
    float span, offset;
    uint32_t window; /* in both halves: the largest error in units of 2^-16 */
    uint32_t doubt;  /* twice the window in the upper half; all above are certain */
};

#ifndef __CUDACC__
/*
 * The error of a sample is at most 1.2e-5. With a radius r of at least 0.02 it is 4.5e-7 / (2 r) by the logarithm and its
 * argument, and 1.6e-6 r by angle, root and products, and is largest at 0.02. Of the roundings on both ways from a sample to its
 * place, each 2^-24 of what it rounds, two are of the noise, five of at most max and one of the level.
 */
static inline void fill_rough(struct rough *rough, float level, float sigma, float linear,
                              float scale, float max)
{
    const double steps = (double)linear * scale, span = 2.0 * max;
    const double slope = fabs(steps * sigma), middle = steps * level;
    const double error = slope * (1.2e-5 + 14 * 0x1p-24) + (5 * max + fabs(middle)) * 0x1p-24;
    const double units = floor(error * (1 << ROUGH_FRACTION) + 1) + 1; /* with those of the place */
    const bool fits = max <= 127 && units < 0x1000;
    const uint32_t window = fits ? (uint32_t)(2 * units) : 0;

    rough->slope = fits ? (float)(steps * sigma * ROUGH_UNIT / span) : 0.0f;
    rough->bit[0] = fits ? (float)(0.5 + middle / span) : 0.5f;
    rough->bit[1] = fits ? (float)(0.5 - middle / span) : 0.5f;
    rough->span = (float)span;
    rough->offset = (float)(384.5 - max); /* integers are 128 more, and 256 makes room for them */
    rough->window = window << 16 | window;
    rough->doubt = fits ? window << 17 : 0xffffffffu;
}
#endif

/* ---- Approximations ------------------------------------------------------------------------- */

#ifndef __CUDA_ARCH__
/* That error, up or down by a bit of x that is as good as random. */
static inline float rough_spoil(float value, float x, double error)
{
    return (float)(value + (fecrun_float_bits(x) >> 3 & 1 ? error : -error));
}
#endif

FECRUN_INLINE float rough_log2(float x)
{
#ifdef __CUDA_ARCH__
    float y;

    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    const double y = log2((double)x);

    return rough_spoil((float)y, x, (x > 0.5f ? 1 : fabs(y)) * 0x1p-22);
#endif
}

FECRUN_INLINE float rough_sqrt(float x)
{
#ifdef __CUDA_ARCH__
    float y;

    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return rough_spoil(sqrtf(x), x, sqrtf(x) * 0x1p-23);
#endif
}

/* x: -pi .. pi */
FECRUN_INLINE void rough_turn(float x, float *cosine, float *sine)
{
#ifdef __CUDA_ARCH__
    asm("cos.approx.ftz.f32 %0, %1;" : "=f"(*cosine) : "f"(x));
    asm("sin.approx.ftz.f32 %0, %1;" : "=f"(*sine) : "f"(x));
#else
    *cosine = rough_spoil((float)cos((double)x), x, 0x1p-20 * 0.7071);
    *sine = rough_spoil((float)sin((double)x), x * 2, 0x1p-20 * 0.7071);
#endif
}

/* a * b + c between 0 and 1 */
FECRUN_INLINE float rough_place(float a, float b, float c)
{
#ifdef __CUDA_ARCH__
    float y;

    asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(y) : "f"(a), "f"(b), "f"(c));
    return y;
#else
    const float y = fmaf(a, b, c);

    return y > 0 ? y < 1 ? y : 1 : 0;
#endif
}

/* noise_pair() divided by ROUGH_UNIT, within 1.2e-5 before that unless word0 is above ROUGH_LARGEST. */
FECRUN_INLINE void rough_pair(uint32_t word0, uint32_t word1, float out[2])
{
    const float u = noise_fma((float)word0, 0x1p-32f, 0x1p-33f);
    const float radius = rough_sqrt(fabsf(rough_log2(u)));
    /* a quadrant begins in its middle: what lies behind belongs before it */
    const uint32_t late = word1 & 0x20000000u;
    const float x = fecrun_mul((float)(int32_t)(word1 - late - late),
                               1.46291808e-9f); /* 2 pi / 2^32 */

    rough_turn(x, &out[0], &out[1]);
    out[0] = fecrun_mul(radius, out[0]);
    out[1] = fecrun_mul(radius, out[1]);
}

/* ---- Integers ------------------------------------------------------------------------------- */

/* Two halves: bytes 1 and 2 of a and of b (by = 0x6521), or their low ones (0x5410). */
FECRUN_INLINE uint32_t rough_halves(uint32_t a, uint32_t b, uint32_t by)
{
#ifdef __CUDA_ARCH__
    return __byte_perm(a, b, by);
#else
    const unsigned shift = by == 0x6521u ? 8 : 0;

    return (a >> shift & 0xffffu) | b >> shift << 16;
#endif
}

/* For each half: the smaller of a + b (no carry between the halves) and c. */
FECRUN_INLINE uint32_t rough_least(uint32_t a, uint32_t b, uint32_t c)
{
#ifdef __CUDA_ARCH__
    return __viaddmin_u16x2(a, b, c);
#else
    const uint32_t low = (a + b) & 0xffffu, high = ((a >> 16) + (b >> 16)) & 0xffffu;
    const uint32_t c_low = c & 0xffffu, c_high = c >> 16;

    return (high < c_high ? high : c_high) << 16 | (low < c_low ? low : c_low);
#endif
}

/* Whether the bit is set, in one instruction. */
FECRUN_INLINE bool rough_bit(uint32_t bits, uint32_t mask)
{
#ifdef __CUDA_ARCH__
    uint32_t bit;

    asm("and.b32 %0, %1, %2;" : "=r"(bit) : "r"(bits), "r"(mask));
    return bit != 0;
#else
    return bits & mask;
#endif
}

/* The least distance to a border so far, and the window, in both halves; and the largest word that made a radius. */
struct rough_doubt {
    uint32_t least, word;
};

FECRUN_INLINE bool rough_doubts(const struct rough *rough, const struct rough_doubt *doubt)
{
    const uint32_t low = doubt->least << 16;
    const uint32_t least = low < doubt->least ? low : doubt->least;

    return least <= rough->doubt || doubt->word > ROUGH_LARGEST;
}

/* The integers of the four bits on top, a byte each, the first one lowest. */
FECRUN_INLINE uint32_t rough_integers(const struct rough *rough, uint32_t bits,
                                      const uint32_t word[NOISE_BLOCK], struct rough_doubt *doubt)
{
    float sample[NOISE_BLOCK];
    uint32_t v[NOISE_BLOCK], low, early, late;

    rough_pair(word[0], word[1], sample);
    rough_pair(word[2], word[3], sample + 2);
    FECRUN_UNROLL
    for (unsigned j = 0; j < NOISE_BLOCK; j++) {
        const float middle = rough_bit(bits, 0x80000000u >> j) ? rough->bit[1] : rough->bit[0];
        const float place = rough_place(sample[j], rough->slope, middle);

        v[j] = fecrun_float_bits(noise_fma(place, rough->span, rough->offset));
    }
    FECRUN_UNROLL
    for (unsigned j = 0; j < NOISE_BLOCK; j += 2) {
        low = rough_halves(v[j], v[j + 1], 0x5410u);
        doubt->least = rough_least(low + low, rough->window, doubt->least);
        doubt->word = word[j] > doubt->word ? word[j] : doubt->word;
    }
    early = rough_halves(v[0], v[2], 0x6521u) >> 7;
    late = rough_halves(v[1], v[3], 0x6521u) << 1;
    return ((early & 0x00ff00ffu) | (late & 0xff00ff00u)) ^ 0x80808080u;
}

/* The same as nibbles, as they are stored. */
FECRUN_INLINE uint32_t rough_nibbles(uint32_t bytes)
{
    const uint32_t low = bytes & 0x0f0f0f0fu, both = low << 4 | low >> 8; /* bytes 0 and 2 */

    return (both & 0xffu) | (both >> 8 & 0xff00u);
}

#endif
