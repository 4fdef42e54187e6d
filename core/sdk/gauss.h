/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Gaussian samples, mean 0, variance 1, float32, the same bits on every CPU and GPU: Box-Muller
 * with polynomials made of single float multiplications and additions, each rounded (no fma: build
 * with -ffp-contract=off; in CUDA the _rn intrinsics see to it). The square root is sqrtf, which
 * IEEE 754 rounds correctly everywhere (sqrtps, __fsqrt_rn).
 *
 * The radius takes 32 bits, so magnitudes end at sqrt(2 * 33 * ln 2) = 6.76; up to there the tails
 * are those of the normal distribution: what is missing has a probability of 1.4e-11 (6.76 sigma).
 */
#ifndef FECRUN_SDK_GAUSS_H
#define FECRUN_SDK_GAUSS_H

#include "rng.h"
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One rounding each; the compiler must not join them. */
FECRUN_INLINE float fecrun_mul(float a, float b)
{
#ifdef __CUDA_ARCH__
    return __fmul_rn(a, b);
#else
    return a * b;
#endif
}

FECRUN_INLINE float fecrun_add(float a, float b)
{
#ifdef __CUDA_ARCH__
    return __fadd_rn(a, b);
#else
    return a + b;
#endif
}

FECRUN_INLINE float fecrun_sqrt(float a)
{
#ifdef __CUDA_ARCH__
    return __fsqrt_rn(a);
#else
    return sqrtf(a);
#endif
}

/* a + b * c, two roundings. */
FECRUN_INLINE float fecrun_horner(float a, float b, float c)
{
    return fecrun_add(a, fecrun_mul(b, c));
}

/*
 * sqrt(-2 ln u) for u = (word + 1/2) / 2^32. With word + 1/2 = (1 + t) 2^e, 1 + t between
 * sqrt(1/2) and sqrt(2): -2 ln u = (32 - e) 2 ln 2 - 2 ln(1 + t), exact near u = 1 where e = 32.
 * The polynomial is a minimax fit, relative error 7e-8.
 */
FECRUN_INLINE float fecrun_gauss_radius(uint32_t word)
{
    /* Two exact halves: the sum is rounded once, and SSE2 converts only signed numbers. */
    float x = fecrun_add(fecrun_mul((float)(int32_t)(word >> 16), 65536.0f),
                         fecrun_add((float)(int32_t)(word & 0xffff), 0.5f));
    uint32_t bits = fecrun_float_bits(x);
    int32_t e = (int32_t)(bits - 0x3f3504f3u) >> 23; /* 0x3f3504f3: sqrt(1/2) */
    float t = fecrun_add(fecrun_bits_float(bits - ((uint32_t)e << 23)), -1.0f);
    float p = 0.178359345f;
    float ln;

    p = fecrun_horner(-0.287002937f, p, t);
    p = fecrun_horner(0.297538025f, p, t);
    p = fecrun_horner(-0.331312809f, p, t);
    p = fecrun_horner(0.399308099f, p, t);
    p = fecrun_horner(-0.500034936f, p, t);
    p = fecrun_horner(0.666677157f, p, t);
    p = fecrun_horner(-1.0f, p, t);
    ln = fecrun_mul(t, fecrun_horner(2.0f, p, t));
    return fecrun_sqrt(fecrun_add(fecrun_mul((float)(32 - e), 1.38629436f), -ln));
}

/*
 * Cosine and sine of a uniform angle: the top two bits are the quadrant, the others the place in
 * it, -pi/4 .. pi/4. Minimax fits, absolute error below 1e-7.
 */
FECRUN_INLINE void fecrun_gauss_angle(uint32_t word, float *cosine, float *sine)
{
    float x = fecrun_mul((float)(int32_t)(word << 2), 4.65661287e-10f); /* 2^-31 */
    float z = fecrun_mul(x, x);
    float s = fecrun_horner(0.00249000713f, -3.59545078e-05f, z);
    float c = fecrun_horner(0.0158503976f, -0.000319160165f, z);
    uint32_t quadrant = word >> 30;
    uint32_t swap = 0u - (quadrant & 1);
    uint32_t cs, ss;

    s = fecrun_mul(x, fecrun_horner(0.785398161f, fecrun_horner(-0.0807454348f, s, z), z));
    c = fecrun_horner(1.0f, fecrun_horner(-0.308424488f, c, z), z);
    cs = fecrun_float_bits(c);
    ss = fecrun_float_bits(s);
    *cosine = fecrun_bits_float(((cs & ~swap) | (ss & swap)) ^ ((quadrant + 1) & 2) << 30);
    *sine = fecrun_bits_float(((ss & ~swap) | (cs & swap)) ^ (quadrant & 2) << 30);
}

/* Two samples from two words. */
FECRUN_INLINE void fecrun_gauss_pair(uint32_t word0, uint32_t word1, float out[2])
{
    float radius = fecrun_gauss_radius(word0);
    float cosine, sine;

    fecrun_gauss_angle(word1, &cosine, &sine);
    out[0] = fecrun_mul(radius, cosine);
    out[1] = fecrun_mul(radius, sine);
}

/* Samples 2i and 2i+1 from words 2i and 2i+1. */
void fecrun_gauss_words(float *out, const uint32_t *words, size_t pairs);

/* Samples first .. first+n-1 of a frame; first is a multiple of 4. */
void fecrun_gauss(const struct fecrun_rng *rng, uint64_t frame, uint64_t first, float *out,
                  size_t n);

#ifdef __cplusplus
}
#endif

#endif
