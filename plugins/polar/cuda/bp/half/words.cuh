/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages of two frames in half precision, one in each lane of a word, and stages on 16 of them. */
#ifndef POLAR_CUDA_BP_HALF_WORDS_CUH
#define POLAR_CUDA_BP_HALF_WORDS_CUH

#include "plugins/polar/cuda/halves.cuh"

#ifdef __CUDACC__

#define bp_add halves_add
#define bp_times halves_times
#define bp_fma halves_fma
#define bp_check halves_check

#else /* on the host, for tests: halves.cuh has only what is exact there */

FECRUN_ON_DEVICE uint32_t bp_rounded(double x)
{
    int exponent;
    double m = frexp(fabs(x), &exponent);
    uint32_t bits;

    if (x == 0 || exponent < -13) { /* subnormal */
        bits = (uint32_t)rint(ldexp(fabs(x), 24));
    } else {
        m = rint(ldexp(m, 11));
        bits = ((uint32_t)(exponent + 13) << 10) + (uint32_t)m; /* m may be 2048 */
    }
    if (x != x || bits >= 0x7c00)
        __builtin_trap(); /* beyond what halves hold: a mistake */
    return (signbit(x) ? 0x8000 : 0) | bits;
}

FECRUN_ON_DEVICE uint32_t bp_fma(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t out = 0;

    for (unsigned lane = 0; lane < 2; lane++)
        out |= bp_rounded((double)halves_float(a, lane) * halves_float(b, lane) +
                          halves_float(c, lane))
               << 16 * lane;
    return out;
}

FECRUN_ON_DEVICE uint32_t bp_add(uint32_t a, uint32_t b)
{
    return bp_fma(a, HALVES_ONE, b);
}

FECRUN_ON_DEVICE uint32_t bp_times(uint32_t a, uint32_t b)
{
    return bp_fma(a, b, HALVES_SIGNS);
}

FECRUN_ON_DEVICE uint32_t bp_check(uint32_t a, uint32_t b)
{
    uint32_t out = (a ^ b) & HALVES_SIGNS;

    for (unsigned lane = 0; lane < 32; lane += 16) {
        const uint32_t x = a >> lane & 0x7fff, y = b >> lane & 0x7fff;

        out |= (x < y ? x : y) << lane;
    }
    return out;
}

#endif

/* One half of a word in both lanes; an instruction's operand takes either. */
FECRUN_ON_DEVICE uint32_t bp_low(uint32_t a)
{
    return polar_bytes(a, 0, 0x1010);
}

FECRUN_ON_DEVICE uint32_t bp_high(uint32_t a)
{
    return polar_bytes(a, 0, 0x3232);
}

/* ---- Stages, of positions whose numbers differ in bit BIT ---------------------------------------- */

/*
 * Without an instruction that gives the sign of a product and the smaller magnitude (before 8.6) signs are kept on the
 * factor that scales the magnitude: `sign` has it, for the first of each two positions of a stage. The next stage takes
 * half of its signs from there.
 */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 860 && __CUDA_ARCH__ >= 800
#define BP_SIGNS_APART 1
#elif !defined BP_SIGNS_APART
#define BP_SIGNS_APART 0
#endif

#ifdef __CUDACC__

FECRUN_ON_DEVICE uint32_t bp_smaller(uint32_t a, uint32_t b)
{
    uint32_t out;

    asm("{\n.reg .b32 x, y;\nabs.f16x2 x, %1;\nabs.f16x2 y, %2;\nmin.f16x2 %0, x, y;\n}"
        : "=r"(out)
        : "r"(a), "r"(b));
    return out;
}

/* The factor with its sign times that of a message: one operation, which compilers make two of if they may. */
FECRUN_ON_DEVICE uint32_t bp_signed(uint32_t factor, uint32_t a)
{
    uint32_t out;

    asm("lop3.b32 %0, %1, 0x80008000, %2, 0x6a;" : "=r"(out) : "r"(a), "r"(factor));
    return out;
}

#else

FECRUN_ON_DEVICE uint32_t bp_smaller(uint32_t a, uint32_t b)
{
    return bp_check(a, b) & ~HALVES_SIGNS;
}

FECRUN_ON_DEVICE uint32_t bp_signed(uint32_t factor, uint32_t a)
{
    return factor ^ (a & HALVES_SIGNS);
}

#endif

/* Of the stages of a phase, one after the other; what it has before the first one means nothing. */
struct bp_signs {
    uint32_t sign[BP_SIGNS_APART ? 16 : 1];
};

/* To the left: `in` is L to the right of the stage, and R to its left, in x, becomes L. To the right it
   is the same with L and R exchanged, as both ways differ in the order of sums and minima only. BEFORE: the bit of the
   stage that made `in`, or 4 where it is another phase's. */
template <int BIT, int BEFORE = 4>
FECRUN_ON_DEVICE void bp_stage(const uint32_t (&in)[16], uint32_t (&x)[16], uint32_t scale,
                               struct bp_signs *signs)
{
    FECRUN_UNROLL
    for (int i = 0; i < 16; i++) {
        constexpr int H = 1 << BIT;

        if (i & H)
            continue;
        const uint32_t sum = bp_add(in[i + H], x[i + H]);
        uint32_t other;

#if BP_SIGNS_APART
        const bool known = BEFORE < 4 && !(i & 1 << BEFORE);
        const uint32_t sign = known ? signs->sign[i] : bp_signed(scale, in[i]);

        other = bp_fma(bp_smaller(x[i], in[i]), bp_signed(sign, x[i]), in[i + H]);
        signs->sign[i] = bp_signed(sign, sum);
        x[i] = bp_times(bp_smaller(in[i], sum), signs->sign[i]);
#else
        (void)signs;
        other = bp_fma(bp_check(x[i], in[i]), scale, in[i + H]);
        x[i] = bp_times(bp_check(in[i], sum), scale);
#endif
        x[i + H] = other;
    }
}

/* The signs of 16 messages that are less than 0: in order, from bit 0 of each lane on. */
FECRUN_ON_DEVICE uint32_t bp_decide(const uint32_t (&x)[16])
{
    uint32_t word = 0;

    FECRUN_UNROLL
    for (int i = 0; i < 16; i++)
        word = (word >> 1 & ~HALVES_SIGNS) | (bp_add(x[i], 0) & HALVES_SIGNS);
    return word;
}

/* x = u G of 16 bits, or u = x G, in both lanes. */
FECRUN_ON_DEVICE uint32_t bp_transform(uint32_t word)
{
    word ^= word >> 8 & 0x00ff00ffu;
    word ^= word >> 4 & 0x0f0f0f0fu;
    word ^= word >> 2 & 0x33333333u;
    return word ^ (word >> 1 & 0x55555555u);
}

/* ---- Stages 0 .. 3 of a block of 16 -------------------------------------------------------------- */

/* R of column 1 out of L, which x[] has. `pairs`: polar_bp_fill_pairs(). */
FECRUN_ON_DEVICE void bp_first_right(const uint32_t *pairs, uint32_t (&x)[16])
{
    FECRUN_UNROLL
    for (int q = 0; q < 4; q++) {
        uint32_t word[4];

        fecrun_load_128(word, pairs + 4 * q);
        FECRUN_UNROLL
        for (int k = 0; k < 2; k++) {
            const int i = 4 * q + 2 * k;
            const uint32_t left = bp_fma(x[i + 1], bp_low(word[2 * k]), bp_high(word[2 * k]));

            x[i + 1] = bp_fma(x[i], bp_low(word[2 * k]), bp_low(word[2 * k + 1]));
            x[i] = left;
        }
    }
}

/* L of column 0 out of L of column 1, as far as it decides bits that are not frozen. */
FECRUN_ON_DEVICE void bp_first_left(const uint32_t *pairs, const uint32_t (&l)[16],
                                    uint32_t (&out)[16])
{
    FECRUN_UNROLL
    for (int q = 0; q < 4; q++) {
        uint32_t word[4];

        fecrun_load_128(word, pairs + 4 * q);
        FECRUN_UNROLL
        for (int k = 0; k < 2; k++) {
            const int i = 4 * q + 2 * k;

            out[i] = bp_check(l[i], bp_add(l[i + 1], bp_low(word[2 * k + 1])));
            out[i + 1] = bp_fma(l[i], bp_low(word[2 * k]), l[i + 1]);
        }
    }
}

/* ---- Blocks of 16 whose bits are all frozen but the last one -------------------------------------- */

/* L of the N right ones of 2 N positions, of which the left ones are frozen. */
template <int N>
FECRUN_ON_DEVICE void bp_repeat_left(const uint32_t (&l)[16], uint32_t (&out)[16], uint32_t scale)
{
    FECRUN_UNROLL
    for (int i = 0; i < N; i++)
        out[i] = bp_fma(l[i], scale, l[i + N]);
}

/* l: L of 2 N positions; r: R of the N right ones. */
template <int N>
FECRUN_ON_DEVICE void bp_repeat_right(const uint32_t (&l)[16], const uint32_t (&r)[16],
                                      uint32_t (&out)[16], uint32_t scale)
{
    FECRUN_UNROLL
    for (int i = 0; i < N; i++) {
        out[i] = bp_times(bp_add(l[i + N], r[i]), scale);
        out[i + N] = bp_fma(l[i], scale, r[i]);
    }
}

/* Of column 3 the last 8 positions into x3, of column 2 4, of column 1 2. */
FECRUN_ON_DEVICE void bp_repeated_left(const uint32_t (&l4)[16], uint32_t (&x3)[16],
                                       uint32_t (&x2)[16], uint32_t (&x1)[16], uint32_t scale)
{
    bp_repeat_left<8>(l4, x3, scale);
    bp_repeat_left<4>(x3, x2, scale);
    bp_repeat_left<2>(x2, x1, scale);
}

/* x4: L becomes R. */
FECRUN_ON_DEVICE void bp_repeated_right(uint32_t (&x4)[16], const uint32_t (&x3)[16],
                                        const uint32_t (&x2)[16], const uint32_t (&x1)[16],
                                        uint32_t scale)
{
    uint32_t r1[16], r2[16], r3[16], r4[16];

    r1[0] = bp_times(x1[1], scale);
    r1[1] = bp_times(x1[0], scale);
    bp_repeat_right<2>(x2, r1, r2, scale);
    bp_repeat_right<4>(x3, r2, r3, scale);
    bp_repeat_right<8>(x4, r3, r4, scale);
    FECRUN_UNROLL
    for (int i = 0; i < 16; i++)
        x4[i] = r4[i];
}

#endif
