/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Float metrics in registers: one tile a thread, every sum rounded as the reference rounds it
 * (doc/viterbi.md, Metrics). There is no place for tags in a float; the sign of the difference of two
 * candidates says which one survived, and a step's 64 signs are two words of survivors.
 */
#ifndef VITERBI_CUDA_REGISTERS_FLOAT_CUH
#define VITERBI_CUDA_REGISTERS_FLOAT_CUH

#include "plugins/viterbi/code/trellis.h"
#include "plugins/viterbi/cuda/registers/step.cuh"

/* Metrics are the bits of floats: what is done with whole words elsewhere leaves them alone. */
struct lanes_float {
    static constexpr int TILES = 1, TAG_BITS = 0, ITEM_WORDS = 8;
    static constexpr uint32_t ONE = 1, METRIC = ~0u, BASE = 0;
    static constexpr bool PLAIN = false;

    static REGISTERS_FN uint32_t both(uint32_t x)
    {
        return x;
    }
    static REGISTERS_FN uint32_t tag(uint32_t word, int)
    {
        return word & 0xff;
    }
};

/* Fast blocks are those of tiles that begin with this step of a block (plan_sub_frames()). */
enum { REGISTERS_FLOAT_BEGIN = 2 };

/* Signs of a step's differences: state s at bit s % 32 of low or high; 1: the dropped bit was 0. */
struct registers_signs {
    uint32_t low, high;
};

REGISTERS_FN float registers_float(uint32_t x)
{
#ifdef __CUDA_ARCH__
    return __uint_as_float(x);
#else
    float f;
    memcpy(&f, &x, sizeof f);
    return f;
#endif
}

REGISTERS_FN uint32_t registers_word(float f)
{
#ifdef __CUDA_ARCH__
    return __float_as_uint(f);
#else
    uint32_t x;
    memcpy(&x, &f, sizeof x);
    return x;
#endif
}

/* shifted << 1, with the sign of x below. */
REGISTERS_FN uint32_t registers_push_sign(uint32_t shifted, uint32_t x)
{
#ifdef __CUDA_ARCH__
    return __funnelshift_l(x, shifted, 1);
#else
    return shifted << 1 | x >> 31;
#endif
}

/* NaN is read as 0, and magnitudes are limited. */
REGISTERS_FN float registers_clean(float x)
{
    x = x == x ? x : 0.0f;
    return fminf(fmaxf(x, -1048576.0f), 1048576.0f);
}

/*
 * Branch metrics of a step: `base`, less the LLRs whose label bit is 1, in the order in which they are
 * sent; swapped: the kernel's first output is sent as the second one.
 */
template <class Code>
static REGISTERS_FN void registers_float_branches(float base, const float *item, bool swapped,
                                                  float *value)
{
    const float a = swapped ? item[1] : item[0], b = swapped ? item[0] : item[1];
    const float first = Code::label(0) & 1 ? -a : a, second = Code::label(0) & 2 ? -b : b;

    value[0] = base;
    value[1] = base - first;
    value[2] = base - second;
    value[3] = swapped ? value[2] - first : value[1] - second;
}

/* Labels count without inversion here: the LLRs' signs say it. */
template <class Code> static constexpr REGISTERS_FN unsigned registers_float_label(unsigned r)
{
    return Code::label(r) ^ Code::label(0);
}

/* From m to n. RENEW: if `renew`, all metrics change on the way by minus that of state 0. Without it
 * nothing is added for label 0. */
template <class Code, bool RENEW>
static REGISTERS_FN registers_signs registers_float_step(const uint32_t *m, uint32_t *n,
                                                         const float *item, bool swapped,
                                                         bool renew)
{
    constexpr int H = Code::S / 2;
    registers_signs signs = {0, 0};
    float v[4];

    registers_float_branches<Code>(RENEW && renew ? -registers_float(m[0]) : 0.0f, item, swapped,
                                   v);
#pragma unroll
    for (int j = H - 1; j >= 0; j--) {
        const float a = registers_float(m[2 * j]), b = registers_float(m[2 * j + 1]);
#pragma unroll
        for (int u = 0; u < 2; u++) {
            const unsigned la = registers_float_label<Code>(2 * H * u + 2 * j);
            const unsigned lb = registers_float_label<Code>(2 * H * u + 2 * j + 1);
            const float x = RENEW || la ? a + v[la] : a, y = RENEW || lb ? b + v[lb] : b;
            const uint32_t sign = registers_word(y - x);
            n[j + u * H] = registers_word(fmaxf(x, y));
            if (u)
                signs.high = registers_push_sign(signs.high, sign);
            else
                signs.low = registers_push_sign(signs.low, sign);
        }
    }
    return signs;
}

/* Any step; even and odd: all states keep the predecessor whose dropped bit is 0 or 1. */
template <class Code>
static REGISTERS_FN registers_signs registers_float_step_any(const uint32_t *m, uint32_t *n,
                                                             const float *item, bool swapped,
                                                             bool renew, bool even, bool odd)
{
    constexpr int H = Code::S / 2;
    registers_signs signs = {0, 0};
    float v[4];

    registers_float_branches<Code>(renew ? -registers_float(m[0]) : 0.0f, item, swapped, v);
#pragma unroll
    for (int j = H - 1; j >= 0; j--) {
        const float a = registers_float(m[2 * j]), b = registers_float(m[2 * j + 1]);
#pragma unroll
        for (int u = 0; u < 2; u++) {
            const float x = a + v[registers_float_label<Code>(2 * H * u + 2 * j)];
            const float y = b + v[registers_float_label<Code>(2 * H * u + 2 * j + 1)];
            const uint32_t sign = even ? ~0u : odd ? 0 : registers_word(y - x);
            n[j + u * H] = registers_word(even ? x : odd ? y : fmaxf(x, y));
            if (u)
                signs.high = registers_push_sign(signs.high, sign);
            else
                signs.low = registers_push_sign(signs.low, sign);
        }
    }
    return signs;
}

/* The best state, the lowest of equals, as S - 1 - state. */
template <class Code> static REGISTERS_FN uint32_t registers_float_best(const uint32_t *m)
{
    float top = registers_float(m[0]);
    uint32_t best = Code::S - 1;

#pragma unroll
    for (int s = 1; s < Code::S; s++) {
        const float x = registers_float(m[s]);
        best = x > top ? Code::S - 1 - s : best;
        top = fmaxf(top, x);
    }
    return best;
}

#endif
