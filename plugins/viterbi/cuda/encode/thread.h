/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * conv.encode, one thread: a chunk of the output.
 *
 * The inputs of up to 16 steps and the 16 before them are the bits of a word, the window: an output
 * of these steps is the exclusive or of shifted windows, one a generator digit.
 */
#ifndef VITERBI_CUDA_ENCODE_THREAD_H
#define VITERBI_CUDA_ENCODE_THREAD_H

#include <fecrun/sdk/device.h>

#include "plugins/viterbi/code/trellis.h"
#include "plugins/viterbi/cuda/frames.h"

#define CONV_REACH 16u /* steps in either half of a window */

struct conv_encode_args {
    const uint8_t *in;
    uint8_t *out;
    uint64_t in_stride, out_stride; /* bytes */
    uint64_t frames;
    uint64_t bits;   /* of a frame; the most where there are classes */
    uint64_t tail;   /* steps behind them */
    uint64_t before; /* bits in front of the first frame; continuous only */
    uint32_t K, n;
    uint8_t tail_biting, continuous;
    uint8_t in_packed, out_packed;
    uint32_t mask[VITERBI_MAX_K][VITERBI_MAX_N]; /* all ones: the input so many steps ago is in */
    uint32_t inverted[VITERBI_MAX_N];            /* all ones: yes */
    /* The same for words of outputs in the order of sending that begin with each output of a step; of
       the first three alone. */
    uint32_t digit_word[VITERBI_MAX_K][3], inverted_word[3];
    struct conv_classes classes;
};

FECRUN_INLINE uint64_t conv_encode_bits(const struct conv_encode_args *a, uint64_t f)
{
    return conv_items(&a->classes, a->classes.in_items, f, a->bits);
}

FECRUN_INLINE unsigned conv_encode_unit(int out_packed)
{
    return out_packed ? 4 : 16;
}

/* bits: of the frame */
FECRUN_INLINE uint64_t conv_encode_row_bytes(const struct conv_encode_args *a, uint64_t info_bits,
                                             int out_packed)
{
    uint64_t bits = (info_bits + a->tail) * a->n;

    return out_packed ? bits / 8 + (bits % 8 != 0) : bits;
}

/*
 * Bits t - 16 to t + 15 of a row, the first one in the top place, zeros outside of lo <= bit < hi:
 * lo is a multiple of 8, and behind hi the last byte is filled with zeros.
 */
FECRUN_INLINE uint32_t conv_window_packed(const uint8_t *row, int64_t lo, int64_t hi, int64_t t)
{
    int64_t first = t - (int64_t)CONV_REACH, byte = first >> 3;
    unsigned down = (unsigned)((uintptr_t)(row + byte) & 3); /* to an aligned word */
    uint64_t bits = 0;

    if (byte >= (int64_t)down && 8 * (byte - (int64_t)down + 8) <= hi) {
        const uint8_t *word = row + byte - down;
        unsigned skip = 8 * down + (unsigned)(first & 7);

        bits = (uint64_t)fecrun_swap(fecrun_load_32(word)) << 32 |
               fecrun_swap(fecrun_load_32(word + 4));
        return (uint32_t)(bits << skip >> 32);
    }
    for (int64_t b = byte; b < byte + 5; b++)
        bits = bits << 8 | (8 * b >= lo && 8 * b < hi ? row[b] : 0);
    return (uint32_t)(bits >> (8 - (first & 7)));
}

/* The same of one bit a byte; only what the K-1 steps before t and `count` from t on take. */
FECRUN_INLINE uint32_t conv_window_u8(const uint8_t *row, int64_t lo, int64_t hi, int64_t t,
                                      unsigned K, unsigned count)
{
    uint32_t window = 0;

    for (int64_t p = t - (int64_t)K + 1; p < t + (int64_t)count; p++)
        window = window << 1 | (p >= lo && p < hi ? row[p] : 0);
    return window << (CONV_REACH - count);
}

/* The most steps that the outputs of a chunk come from, wherever within a step it begins. */
FECRUN_INLINE unsigned conv_encode_count(unsigned n, int out_packed)
{
    unsigned count = ((out_packed ? 32 : 16) + 2 * (n - 1)) / n;

    return count < CONV_REACH ? count : CONV_REACH;
}

FECRUN_INLINE uint32_t conv_encode_window(const struct conv_encode_args *a, int in_packed,
                                          uint64_t f, uint64_t info_bits, uint64_t step,
                                          unsigned count)
{
    const uint8_t *row = a->in + conv_place(a->classes.in_offset, a->in_stride, f);
    int64_t t = (int64_t)step, bits = (int64_t)info_bits, lo = 0;
    uint32_t window;

    if (a->continuous) {
        uint64_t known = a->before + f * a->bits;

        lo = -(int64_t)(known < CONV_REACH ? known : CONV_REACH);
    }
    window = in_packed ? conv_window_packed(row, lo, bits, t)
                       : conv_window_u8(row, lo, bits, t, a->K, count);
    if (a->tail_biting && step < CONV_REACH) /* the frame's end lies before its beginning */
        window |= in_packed ? conv_window_packed(row, 0, bits, t + bits)
                            : conv_window_u8(row, 0, bits, t + bits, a->K, count);
    return window;
}

/* 16 bits into every other place. */
FECRUN_INLINE uint32_t conv_spread(uint32_t x)
{
    x &= 0xffff;
    x = (x | x << 8) & 0x00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f;
    x = (x | x << 2) & 0x33333333;
    return (x | x << 1) & 0x55555555;
}

/* The outputs in the order of sending, the first one in the top place; 0 after `count` steps. */
FECRUN_INLINE uint64_t conv_interleave(const uint32_t out[VITERBI_MAX_N], unsigned n,
                                       unsigned count)
{
    uint64_t bits = 0;

    if (n == 2)
        return (uint64_t)(conv_spread(out[0]) << 1 | conv_spread(out[1])) << 32;
    FECRUN_UNROLL
    for (unsigned i = 0; i < CONV_REACH; i++)
        FECRUN_UNROLL
    for (unsigned j = 0; j < VITERBI_MAX_N; j++)
        if (i < count && j < n)
            bits |= (uint64_t)(out[j] >> (CONV_REACH - 1 - i) & 1) << (63 - i * n - j);
    return bits;
}

FECRUN_INLINE uint64_t conv_encode_steps(const struct conv_encode_args *a, unsigned n,
                                         uint32_t window, unsigned count)
{
    uint32_t out[VITERBI_MAX_N];

    FECRUN_UNROLL
    for (unsigned j = 0; j < VITERBI_MAX_N; j++)
        out[j] = a->inverted[j];
    FECRUN_UNROLL
    for (unsigned d = 0; d < VITERBI_MAX_K; d++) {
        if (d >= a->K)
            break;
        FECRUN_UNROLL
        for (unsigned j = 0; j < VITERBI_MAX_N; j++)
            if (j < n)
                out[j] ^= window >> d & a->mask[d][j];
    }
    return conv_interleave(out, n, count);
}

/* The row's part of a chunk of 16 bits, the most significant ones of the word, one a byte. */
FECRUN_INLINE void conv_store_u8(uint8_t *row, int64_t bytes, int64_t begin, uint32_t word)
{
    if (begin >= 0 && begin + 16 <= bytes) {
        uint32_t four[4];

        FECRUN_UNROLL
        for (int i = 0; i < 4; i++)
            four[i] = fecrun_expand_4(word << (4 * i) >> 28);
        fecrun_store_128(row + begin, four);
        return;
    }
    for (int i = 0; i < 16; i++)
        if (begin + i >= 0 && begin + i < bytes)
            row[begin + i] = (uint8_t)(word >> (31 - i) & 1);
}

/* Chunk c of frame f. The compiler is to know n and the forms. */
FECRUN_INLINE void conv_encode_chunk(const struct conv_encode_args *a, unsigned n, int in_packed,
                                     int out_packed, uint64_t f, uint64_t c)
{
    uint8_t *row = a->out + conv_place(a->classes.out_offset, a->out_stride, f);
    const uint64_t bits = conv_encode_bits(a, f);
    const int64_t bytes = (int64_t)conv_encode_row_bytes(a, bits, out_packed);
    const unsigned unit = conv_encode_unit(out_packed);
    const int64_t begin = fecrun_chunk_begin(row, unit, unit, c);
    const unsigned skip = begin < 0 ? (unsigned)-begin : 0; /* bytes before the row */
    const unsigned count = conv_encode_count(n, out_packed);
    const uint64_t first = (uint64_t)(begin + skip) * (out_packed ? 8 : 1);
    const uint64_t end = (bits + a->tail) * n;
    uint32_t word;
    uint64_t step;

    if (first >= end)
        return;
    step = first / n;
    word = (uint32_t)(conv_encode_steps(
                          a, n, conv_encode_window(a, in_packed, f, bits, step, count), count)
                          << (first - step * n) >>
                      32);
    if (end - first < 32)
        word &= UINT32_MAX << (32 - (end - first));
    if (out_packed)
        fecrun_store_chunk(row, bytes, begin, fecrun_swap(word >> 8 * skip));
    else
        conv_store_u8(row, bytes, begin, word >> skip);
}

#endif
