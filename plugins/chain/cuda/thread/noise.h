/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The samples of <fecrun/sdk/gauss.h>, bit for bit, in fewer instructions of a GPU: each difference
 * from the definition is one that no rounding sees, and is said where it is. Works in C, too, where
 * a test compares the two.
 */
#ifndef CHAIN_CUDA_THREAD_NOISE_H
#define CHAIN_CUDA_THREAD_NOISE_H

#include <fecrun/sdk/gauss.h>
#include <fecrun/sdk/rng.h>

enum { NOISE_ROUNDS = 10, NOISE_BLOCK = FECRUN_RNG_BLOCK };

/* What Philox adds in each round, the same for all threads. */
struct noise_keys {
    uint32_t round[NOISE_ROUNDS][2];
};

#ifndef __CUDACC__
static inline void fill_keys(struct noise_keys *keys, const struct fecrun_rng *rng)
{
    philox4x32_key_t key = fecrun_rng_key(rng);

    for (int r = 0; r < NOISE_ROUNDS; r++) {
        keys->round[r][0] = key.v[0];
        keys->round[r][1] = key.v[1];
        key.v[0] += 0x9e3779b9u;
        key.v[1] += 0xbb67ae85u;
    }
}
#endif

/* a * b + c, rounded once. */
FECRUN_INLINE float noise_fma(float a, float b, float c)
{
#ifdef __CUDA_ARCH__
    return __fmaf_rn(a, b, c);
#else
    return fmaf(a, b, c);
#endif
}

/*
 * The root of 0, or of a number that is far from the smallest and largest ones. On the device this
 * is what __fsqrt_rn() does with normal numbers, without its branch for all others.
 */
FECRUN_INLINE float noise_sqrt(float a)
{
#ifdef __CUDA_ARCH__
    float inverse, root, rest;

    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(fmaxf(a, 1e-30f)));
    root = __fmul_rn(a, inverse);
    rest = __fmaf_rn(-root, root, a);
    return __fmaf_rn(rest, __fmul_rn(inverse, 0.5f), root);
#else
    return sqrtf(a);
#endif
}

/* 2^23 + the low half of the word. */
FECRUN_INLINE float noise_low(uint32_t word)
{
#ifdef __CUDA_ARCH__
    return fecrun_bits_float(__byte_perm(word, 0x4b00, 0x5410));
#else
    return fecrun_bits_float((word & 0xffffu) | 0x4b000000u);
#endif
}

/* Of an odd quadrant? The compiler's own ways to ask take two instructions more. */
FECRUN_INLINE bool noise_odd(uint32_t word)
{
#ifdef __CUDA_ARCH__
    uint32_t bit;

    asm("and.b32 %0, %1, 0x40000000;" : "=r"(bit) : "r"(word));
    return bit != 0;
#else
    return word & 0x40000000u;
#endif
}

/* fecrun_gauss_radius() */
FECRUN_INLINE float noise_radius(uint32_t word)
{
    /* The high half times 2^16, and 2^39: what is taken off again leaves no rounding but that of
       the sum. */
    const float low = fecrun_add(noise_low(word), -8388607.5f);
    const float high = fecrun_add(fecrun_bits_float(word >> 16 | 0x53000000u), -549755813888.0f);
    const uint32_t bits = fecrun_float_bits(fecrun_add(high, low));
    const uint32_t power = (bits - 0x3f3504f3u) & 0xff800000u; /* 2^23 e, exact as a float */
    const float t = fecrun_add(fecrun_bits_float(bits - power), -1.0f);
    const float two_ln_2 = 1.38629436f;
    float p = 0.178359345f;
    float ln, far;

    p = fecrun_horner(-0.287002937f, p, t);
    p = fecrun_horner(0.297538025f, p, t);
    p = fecrun_horner(-0.331312809f, p, t);
    p = fecrun_horner(0.399308099f, p, t);
    p = fecrun_horner(-0.500034936f, p, t);
    p = fecrun_horner(0.666677157f, p, t);
    p = fecrun_horner(-1.0f, p, t);
    ln = fecrun_mul(t, fecrun_horner(2.0f, p, t));
    /* 32 c - e c is (32 - e) c before it is rounded */
    far = noise_fma((float)(int32_t)power, two_ln_2 * -0x1p-23f, 32 * two_ln_2);
    return noise_sqrt(fecrun_add(far, -ln));
}

/* fecrun_gauss_angle() */
FECRUN_INLINE void noise_angle(uint32_t word, float *cosine, float *sine)
{
    const float x = fecrun_mul((float)(int32_t)(word << 2), 4.65661287e-10f);
    const float z = fecrun_mul(x, x);
    const bool swap = noise_odd(word);
    float s = fecrun_horner(0.00249000713f, -3.59545078e-05f, z);
    float c = fecrun_horner(0.0158503976f, -0.000319160165f, z);

    s = fecrun_mul(x, fecrun_horner(0.785398161f, fecrun_horner(-0.0807454348f, s, z), z));
    c = fecrun_horner(1.0f, fecrun_horner(-0.308424488f, c, z), z);
    *cosine = fecrun_bits_float(fecrun_float_bits(swap ? s : c) ^
                                ((word + 0x40000000u) & 0x80000000u));
    *sine = fecrun_bits_float(fecrun_float_bits(swap ? c : s) ^ (word & 0x80000000u));
}

/* fecrun_gauss_pair() */
FECRUN_INLINE void noise_pair(uint32_t word0, uint32_t word1, float out[2])
{
    const float radius = noise_radius(word0);
    float cosine, sine;

    noise_angle(word1, &cosine, &sine);
    out[0] = fecrun_mul(radius, cosine);
    out[1] = fecrun_mul(radius, sine);
}

/* The words of that block of the frame that this counter of its block 0 belongs to. */
FECRUN_INLINE void noise_words(const struct noise_keys *keys, const philox4x32_ctr_t *frame,
                               uint32_t block, uint32_t word[NOISE_BLOCK])
{
    uint32_t v0 = block, v1 = frame->v[1], v2 = frame->v[2], v3 = frame->v[3];

    FECRUN_UNROLL
    for (int r = 0; r < NOISE_ROUNDS; r++) {
        const uint64_t even = (uint64_t)0xd2511f53u * v0;
        const uint64_t odd = (uint64_t)0xcd9e8d57u * v2;

        v0 = (uint32_t)(odd >> 32) ^ v1 ^ keys->round[r][0];
        v1 = (uint32_t)odd;
        v2 = (uint32_t)(even >> 32) ^ v3 ^ keys->round[r][1];
        v3 = (uint32_t)even;
    }
    word[0] = v0;
    word[1] = v1;
    word[2] = v2;
    word[3] = v3;
}

/* Samples 4 block .. 4 block + 3 of the frame. */
FECRUN_INLINE void noise_samples(const struct noise_keys *keys, const philox4x32_ctr_t *frame,
                                 uint32_t block, float noise[NOISE_BLOCK])
{
    uint32_t word[NOISE_BLOCK];

    noise_words(keys, frame, block, word);
    noise_pair(word[0], word[1], noise);
    noise_pair(word[2], word[3], noise + 2);
}

#endif
