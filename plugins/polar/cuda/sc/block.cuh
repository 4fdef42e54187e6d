/* SPDX-License-Identifier: BSD-2-Clause */
/* A block of 64 positions in registers. Its bits are words of 16, of both lanes. */
#ifndef POLAR_CUDA_SC_BLOCK_CUH
#define POLAR_CUDA_SC_BLOCK_CUH

#include "plugins/polar/cuda/sc/leaf.cuh"

/* Bit i of both lanes where the signs are. */
FECRUN_ON_DEVICE uint32_t sc_to_sign(uint32_t word, int i)
{
    return word << (15 - i);
}

/* Signs of 16 words, bits 0 .. 15. */
FECRUN_ON_DEVICE uint32_t sc_collect(const uint32_t *b)
{
    uint32_t word = 0;

    FECRUN_UNROLL
    for (int i = 0; i < 16; i++)
        word = (word >> 1 & ~HALVES_SIGNS) | (b[i] & HALVES_SIGNS);
    return word;
}

/* 16 bits of u out of 16 of x, in both lanes. */
FECRUN_ON_DEVICE uint32_t sc_transform(uint32_t word)
{
    word ^= word >> 8 & 0x00ff00ffu;
    word ^= word >> 4 & 0x0f0f0f0fu;
    word ^= word >> 2 & 0x33333333u;
    return word ^ (word >> 1 & 0x55555555u);
}

/* ---- Leaves of 32 and 64 ----------------------------------------------------------------------- */

template <int N> FECRUN_ON_DEVICE void sc_signs(const uint32_t (&a)[N], uint32_t (&word)[N / 16])
{
    FECRUN_UNROLL
    for (int j = 0; j < N / 16; j++) {
        uint32_t sign[16];

        FECRUN_UNROLL
        for (int i = 0; i < 16; i++)
            sign[i] = halves_negative(a[16 * j + i]);
        word[j] = sc_collect(sign);
    }
}

/* Sums of 16 are exact in halves. */
template <int N> FECRUN_ON_DEVICE void sc_repeat(const uint32_t (&a)[N], uint32_t (&word)[N / 16])
{
    float sum[2] = {0, 0};
    uint32_t all;

    FECRUN_UNROLL
    for (int j = 0; j < N / 16; j++) {
        uint32_t part[16], total;

        FECRUN_UNROLL
        for (int i = 0; i < 16; i++)
            part[i] = a[16 * j + i];
        total = sc_total<16>(part);
        sum[0] += halves_float(total, 0);
        sum[1] += halves_float(total, 1);
    }
    all = (sum[0] < 0 ? 0xffffu : 0) | (sum[1] < 0 ? 0xffff0000u : 0);
    FECRUN_UNROLL
    for (int j = 0; j < N / 16; j++)
        word[j] = all;
}

/* Of each lane: |a| and number of its least reliable bit so far, and the signs' parity. */
struct sc_weakest {
    uint32_t key, odd;
};

/* 16 more bits, whose first one's number, below 512, is in both lanes of `base`. */
FECRUN_ON_DEVICE void sc_weigh(struct sc_weakest &w, const uint32_t *a, uint32_t signs,
                               uint32_t base)
{
    const uint32_t above = 0x64006400u; /* 1024: integers are in the lowest bits */

    FECRUN_UNROLL
    for (uint32_t i = 0; i < 16; i++) {
        const uint32_t size = halves_add(halves_size(a[i]), above) & 0x007f007fu;

        w.key = __vminu2(w.key, (size << 9) + base + i * 0x10001u);
    }
    w.odd ^= signs;
}

/* The bit that makes the parity even, if it is among the 16 from this number on. */
FECRUN_ON_DEVICE uint32_t sc_correction(const struct sc_weakest &w, uint32_t number)
{
    uint32_t word = 0;

    FECRUN_UNROLL
    for (unsigned lane = 0; lane < 2; lane++) {
        const uint32_t at = (w.key >> 16 * lane & 511) - number;
        const uint32_t odd = __popc(w.odd >> 16 * lane & 0xffff) & 1;

        word |= at < 16 ? odd << at << 16 * lane : 0;
    }
    return word;
}

template <int N> FECRUN_ON_DEVICE void sc_even(const uint32_t (&a)[N], uint32_t (&word)[N / 16])
{
    struct sc_weakest w = {0xffffffffu, 0};

    sc_signs<N>(a, word);
    FECRUN_UNROLL
    for (uint32_t j = 0; j < N / 16; j++)
        sc_weigh(w, a + 16 * j, word[j], 16 * j * 0x10001u);
    FECRUN_UNROLL
    for (uint32_t j = 0; j < N / 16; j++)
        word[j] ^= sc_correction(w, 16 * j);
}

template <int N>
FECRUN_ON_DEVICE void sc_whole(unsigned node, const uint32_t (&a)[N], uint32_t (&word)[N / 16])
{
    if (node == NODE_RATE1)
        sc_signs<N>(a, word);
    else if (node == NODE_REP)
        sc_repeat<N>(a, word);
    else
        sc_even<N>(a, word);
}

/* ---- The block ------------------------------------------------------------------------------- */

FECRUN_ON_DEVICE void sc_decode_32(const struct polar_sc_step &step, unsigned half,
                                   const uint32_t (&a)[32], uint32_t (&word)[2])
{
    if (step.half[half] != NODE_SPLIT) {
        sc_whole<32>(step.half[half], a, word);
        return;
    }
    word[0] = word[1] = 0;
    POLAR_UNROLL_BY(1)
    for (unsigned q = 0; q < 2; q++) {
        uint32_t part[16], b[16];

        if (step.mask[2 * half + q] == 0) {
            word[1] = 0;
            continue;
        }
        FECRUN_UNROLL
        for (int i = 0; i < 16; i++)
            part[i] = q ? halves_sum(a[i], a[i + 16], sc_to_sign(word[0], i))
                        : halves_check(a[i], a[i + 16]);
        sc_leaf_16(step, 2 * half + q, part, b);
        word[1] = sc_collect(b);
        if (q == 0)
            word[0] = word[1];
    }
    word[0] ^= word[1];
}

FECRUN_ON_DEVICE void sc_decode_64(const struct polar_sc_step &step, const uint32_t (&a)[64],
                                   uint32_t (&word)[4])
{
    if (step.whole != NODE_SPLIT) {
        sc_whole<64>(step.whole, a, word);
        return;
    }
    word[0] = word[1] = word[2] = word[3] = 0;
    POLAR_UNROLL_BY(1)
    for (unsigned h = 0; h < 2; h++) {
        uint32_t part[32], bits[2];

        if (step.half[h] == NODE_RATE0)
            continue;
        FECRUN_UNROLL
        for (int i = 0; i < 32; i++)
            part[i] = h ? halves_sum(a[i], a[i + 32], sc_to_sign(word[i / 16], i % 16))
                        : halves_check(a[i], a[i + 32]);
        sc_decode_32(step, h, part, bits);
        FECRUN_UNROLL
        for (int j = 0; j < 2; j++) {
            word[j] ^= bits[j];
            if (h)
                word[j + 2] = bits[j];
        }
    }
}

/* u of a block, out of its x. */
FECRUN_ON_DEVICE void sc_transform_64(const uint32_t (&x)[4], uint32_t (&u)[4])
{
    u[3] = sc_transform(x[3]);
    u[2] = sc_transform(x[2] ^ x[3]);
    u[1] = sc_transform(x[1] ^ x[3]);
    u[0] = sc_transform(x[0] ^ x[1] ^ x[2] ^ x[3]);
}

#endif
