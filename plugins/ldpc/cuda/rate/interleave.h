/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The bit interleaver of ldpc.rate_match, one CUDA thread: words of each of qm rows become words of
 * what is sent. Where a bit lies is an index: which word, which byte of it, which bit of that, the
 * first one uppermost. ldpc_exchange() makes two digits of all indices change places, one of the
 * word's and one of the bit's, in four operations for two words; all that only concerns whole bytes
 * is a choice of bytes, one operation a word. Digits are written from the top: j4 j3 j2 | j1 j0 |
 * r2 r1 r0 is a word, a byte, a bit; j is the column and r the row.
 */
#ifndef LDPC_CUDA_RATE_INTERLEAVE_H
#define LDPC_CUDA_RATE_INTERLEAVE_H

#include <fecrun/sdk/device.h>

/* Any four of eight bytes; a has 3 (uppermost) to 0, b 7 to 4, `which` one a digit. */
FECRUN_INLINE uint32_t ldpc_bytes(uint32_t a, uint32_t b, uint32_t which)
{
#ifdef __CUDA_ARCH__
    return __byte_perm(a, b, which);
#else
    const uint64_t all = (uint64_t)b << 32 | a;
    uint32_t word = 0;

    for (unsigned i = 0; i < 4; i++)
        word |= (uint32_t)(all >> 8 * (which >> 4 * i & 7) & 255) << 8 * i;
    return word;
#endif
}

/* The 32 bits from bit `skip` (0..31) of two words on, the first bit uppermost. */
FECRUN_INLINE uint32_t ldpc_bits_on(uint32_t first, uint32_t second, unsigned skip)
{
#ifdef __CUDA_ARCH__
    return __funnelshift_l(second, first, skip);
#else
    return (uint32_t)(((uint64_t)first << 32 | second) << skip >> 32);
#endif
}

/* a where the mask has ones, else b. Compilers make two operations of it, with two constants. */
FECRUN_INLINE uint32_t ldpc_merge(uint32_t a, uint32_t b, uint32_t mask)
{
#ifdef __CUDA_ARCH__
    uint32_t word;

    asm("lop3.b32 %0, %1, %2, %3, 0xe4;" : "=r"(word) : "r"(a), "r"(b), "r"(mask));
    return word;
#else
    return (a & mask) | (b & ~mask);
#endif
}

/* The digit that chooses between a and b, and that of places `by` apart, 1, 2 or 4. */
FECRUN_INLINE void ldpc_exchange(uint32_t *a, uint32_t *b, unsigned by)
{
    const uint32_t front = by == 1 ? 0xaaaaaaaau : by == 2 ? 0xccccccccu : 0xf0f0f0f0u;
    const uint32_t first = ldpc_merge(*a, *b >> by, front);

    *b = ldpc_merge(*a << by, *b, front);
    *a = first;
}

/* Two rows, 32 columns. Words are made as they lie in memory, here and below. */
FECRUN_INLINE void ldpc_interleave_2(uint32_t word[2], uint32_t a, uint32_t b)
{
    /* r0 | j4 j3 | j2 j1 j0 */
    ldpc_exchange(&a, &b, 1);           /* j0 | j4 j3 | j2 j1 r0 */
    ldpc_exchange(&a, &b, 2);           /* j1 | j4 j3 | j2 j0 r0 */
    ldpc_exchange(&a, &b, 4);           /* j2 | j4 j3 | j1 j0 r0 */
    word[0] = ldpc_bytes(a, b, 0x6273); /* j4 | j3 j2 | j1 j0 r0 */
    word[1] = ldpc_bytes(a, b, 0x4051);
}

/* Four rows, 32 columns: w[r1 r0]. */
FECRUN_INLINE void ldpc_interleave_4(uint32_t word[4], uint32_t w[4])
{
    uint32_t half[4];

    FECRUN_UNROLL
    for (int i = 0; i < 4; i += 2)
        ldpc_exchange(&w[i], &w[i + 1], 1); /* r1 j0 | j4 j3 | j2 j1 r0 */
    FECRUN_UNROLL
    for (int i = 0; i < 2; i++)
        ldpc_exchange(&w[i], &w[i + 2], 2); /* j1 j0 | j4 j3 | j2 r1 r0 */
    FECRUN_UNROLL
    for (int i = 0; i < 4; i += 2)
        ldpc_exchange(&w[i], &w[i + 1], 4); /* j1 j2 | j4 j3 | j0 r1 r0 */
    FECRUN_UNROLL
    for (int i = 0; i < 2; i++) { /* j2: pairs of j1, those of j4 = 0 and of j4 = 1 */
        half[2 * i] = ldpc_bytes(w[i], w[i + 2], 0x6273);
        half[2 * i + 1] = ldpc_bytes(w[i], w[i + 2], 0x4051);
    }
    FECRUN_UNROLL
    for (int i = 0; i < 2; i++) { /* j4: j4 j3 | j2 j1 | j0 r1 r0 */
        word[2 * i] = ldpc_bytes(half[i], half[2 + i], 0x5410);
        word[2 * i + 1] = ldpc_bytes(half[i], half[2 + i], 0x7632);
    }
}

/* Eight words w[r2 r1 r0], those behind `rows` (6 or 8) zeros: each byte becomes a column. */
FECRUN_INLINE void ldpc_interleave_bytes(uint32_t w[8], int rows)
{
    FECRUN_UNROLL
    for (int i = 0; i < rows; i += 2)
        ldpc_exchange(&w[i], &w[i + 1], 1); /* r2 r1 j0 | j4 j3 | j2 j1 r0 */
    FECRUN_UNROLL
    for (int i = 0; i < 8; i++)
        if (!(i & 2))
            ldpc_exchange(&w[i], &w[i + 2], 2); /* r2 j1 j0 | j4 j3 | j2 r1 r0 */
    FECRUN_UNROLL
    for (int i = 0; i < 4; i++)
        ldpc_exchange(&w[i], &w[i + 4], 4); /* j2 j1 j0 | j4 j3 | r2 r1 r0 */
}

/* Eight rows, 32 columns: w[r2 r1 r0]. */
FECRUN_INLINE void ldpc_interleave_8(uint32_t word[8], uint32_t w[8])
{
    ldpc_interleave_bytes(w, 8);
    FECRUN_UNROLL
    for (int i = 0; i < 2; i++) {       /* j2 */
        const uint32_t *of = w + 4 * i; /* j1 j0 */
        const uint32_t a = ldpc_bytes(of[0], of[1], 0x6273), b = ldpc_bytes(of[2], of[3], 0x6273);
        const uint32_t c = ldpc_bytes(of[0], of[1], 0x4051), d = ldpc_bytes(of[2], of[3], 0x4051);

        word[i] = ldpc_bytes(a, b, 0x5410); /* j4 j3 j2 | j1 j0 | r2 r1 r0 */
        word[2 + i] = ldpc_bytes(a, b, 0x7632);
        word[4 + i] = ldpc_bytes(c, d, 0x5410);
        word[6 + i] = ldpc_bytes(c, d, 0x7632);
    }
}

/* Of each byte the upper six bits, one behind the other. */
FECRUN_INLINE uint32_t ldpc_close_up(uint32_t x)
{
    x = ldpc_merge(x, x << 2, 0xfc00fc00u); /* 12 and 12, and beside them what is cut off now: */
    return ldpc_merge(x, x << 4, 0xfff00000u);
}

/*
 * Six rows, with two of zeros: a byte a column, then without the gaps. 128 places from the one that
 * is `skip` (0, 2 or 4) behind the beginning of the first column on: of 22 columns at most.
 */
FECRUN_INLINE void ldpc_interleave_6(uint32_t word[4], const uint32_t piece[6], unsigned skip)
{
    uint32_t w[8], column[6], line[5];

    FECRUN_UNROLL
    for (int i = 0; i < 8; i++)
        w[i] = i < 6 ? piece[i] : 0;
    ldpc_interleave_bytes(w, 6);
    FECRUN_UNROLL
    for (int i = 0; i < 2; i++) { /* j2: column[b j2], bytes j1 j0 */
        const uint32_t *of = w + 4 * i;
        const uint32_t a = ldpc_bytes(of[0], of[1], 0x3726), b = ldpc_bytes(of[2], of[3], 0x3726);

        column[i] = ldpc_bytes(a, b, 0x3276);
        column[2 + i] = ldpc_bytes(a, b, 0x1054);
        column[4 + i] = ldpc_bytes(ldpc_bytes(of[0], of[1], 0x1515),
                                   ldpc_bytes(of[2], of[3], 0x1515), 0x3276);
    }
    FECRUN_UNROLL
    for (int i = 0; i < 6; i++)
        column[i] = ldpc_close_up(column[i]); /* 24 bits each, in the upper three bytes */
    line[0] = ldpc_bytes(column[0], column[1], 0x3217);
    line[1] = ldpc_bytes(column[1], column[2], 0x2176);
    line[2] = ldpc_bytes(column[2], column[3], 0x1765);
    line[3] = ldpc_bytes(column[4], column[5], 0x3217);
    line[4] = column[5] << 8;
    FECRUN_UNROLL
    for (int i = 0; i < 4; i++)
        word[i] = fecrun_swap(ldpc_bits_on(line[i], line[i + 1], skip));
}

#endif
