/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * conv.encode of rate 1/2 and 1/3 from packed bits to packed bits, one thread: 16 bytes of the output.
 *
 * A word of the output is the exclusive or of words of repeated inputs, each bit n times: as many bits
 * earlier as a generator digit says, and masked where an output of the step has no such digit. So the
 * outputs of a step come out in the order of sending.
 */
#ifndef VITERBI_CUDA_ENCODE_WORDS_H
#define VITERBI_CUDA_ENCODE_WORDS_H

#include "plugins/viterbi/cuda/encode/thread.h"

enum { CONV_WORDS = 4, CONV_WORDS_BYTES = 4 * CONV_WORDS };

/* Two neighbouring words hold all the inputs that one depends on. */
FECRUN_INLINE bool conv_by_words(const struct conv_encode_args *a)
{
    return a->in_packed && a->out_packed && a->n <= 3 && a->n * (a->K - 1) < 32;
}

/* The upper word of both, shifted left; the lower one, shifted right. Shifts of 0 to 31. */
FECRUN_INLINE uint32_t conv_shift_left(uint32_t high, uint32_t low, unsigned shift)
{
#ifdef __CUDA_ARCH__
    return __funnelshift_l(low, high, shift);
#else
    return (uint32_t)(((uint64_t)high << 32 | low) << shift >> 32);
#endif
}

FECRUN_INLINE uint32_t conv_shift_right(uint32_t high, uint32_t low, unsigned shift)
{
#ifdef __CUDA_ARCH__
    return __funnelshift_r(low, high, shift);
#else
    return (uint32_t)(((uint64_t)high << 32 | low) >> shift);
#endif
}

/*
 * ORs bits p to p + 95 of a row to word[], the first one in the top place: those with lo <= bit < hi, and
 * lo is a multiple of 8. Reads up to 16 bytes behind the row.
 */
FECRUN_INLINE void conv_take(const uint8_t *row, int64_t lo, int64_t hi, int64_t p,
                             uint32_t word[3])
{
    const int64_t from = p < lo ? lo : p;
    const uint8_t *at = row + (from >> 3);
    const unsigned down = (unsigned)((uintptr_t)at & 3), skip = 8 * down + (unsigned)(from & 7);
    uint32_t raw[4], late = (uint32_t)(from - p);

    if (from >= hi || from - p >= 96)
        return;
    FECRUN_UNROLL
    for (int i = 0; i < 4; i++)
        raw[i] = fecrun_swap(fecrun_load_32(at - down + 4 * i));
    FECRUN_UNROLL
    for (int i = 0; i < 3; i++) {
        raw[i] = conv_shift_left(raw[i], raw[i + 1], skip);
        if (hi - from < 32 * (i + 1))
            raw[i] &= hi - from <= 32 * i ? 0 : UINT32_MAX << (32 * (i + 1) - (hi - from));
    }
    for (; late >= 32; late -= 32) {
        raw[2] = raw[1];
        raw[1] = raw[0];
        raw[0] = 0;
    }
    word[2] |= conv_shift_right(raw[1], raw[2], late);
    word[1] |= conv_shift_right(raw[0], raw[1], late);
    word[0] |= raw[0] >> late;
}

/* Inputs of steps step - 16 to step + 79. */
FECRUN_INLINE void conv_take_inputs(const struct conv_encode_args *a, uint64_t f, uint64_t bits,
                                    int64_t step, uint32_t word[3])
{
    const uint8_t *row = a->in + conv_place(a->classes.in_offset, a->in_stride, f);
    const uint64_t known = a->continuous ? a->before + f * a->bits : 0;
    const int64_t lo = -(int64_t)(known < CONV_REACH ? known : CONV_REACH);
    const int64_t p = step - (int64_t)CONV_REACH;

    word[0] = word[1] = word[2] = 0;
    conv_take(row, lo, (int64_t)bits, p, word);
    if (a->tail_biting && p < 0) /* the frame's end lies before its beginning */
        conv_take(row, 0, (int64_t)bits, p + (int64_t)bits, word);
}

/* Each of the upper 16 bits twice. */
FECRUN_INLINE uint32_t conv_twice(uint32_t x)
{
    return conv_spread(x >> 16) * 3;
}

/* 32 bits of the upper 12, each three times, but for the first `phase` of them. */
FECRUN_INLINE uint32_t conv_thrice(uint32_t x, unsigned phase)
{
    uint32_t y = x >> 26 << 16 | (x >> 20 & 0x3f), high, low;

    y = (y | y << 6) & 0x0e070e07;
    y = (y & 0x02010201) | (y << 2 & 0x10081008) | (y << 4 & 0x80408040);
    high = (y >> 16) * 7;
    low = (y & 0xffff) * 7;
    return high << (14 + phase) | low >> (4 - phase);
}

/*
 * Words of repeated inputs, of which word[1] begins at the step's bit number `phase`; where in a step each
 * begins. input: of steps from 16 before that one on.
 */
FECRUN_INLINE void conv_repeat(unsigned n, const uint32_t input[3], unsigned phase,
                               uint32_t word[CONV_WORDS + 1], unsigned phases[CONV_WORDS + 1])
{
    const uint64_t all = (uint64_t)input[0] << 32 | input[1];
    unsigned place = CONV_REACH - 11; /* 32 bits are 10 steps and two bits of three */

    if (n == 2) {
        FECRUN_UNROLL
        for (unsigned w = 0; w <= CONV_WORDS; w++) {
            word[w] = conv_twice(input[w / 2] << 16 * (w % 2));
            phases[w] = 0;
        }
        return;
    }
    phase++;
    FECRUN_UNROLL
    for (unsigned w = 0; w <= CONV_WORDS; w++) {
        place += phase >= 3;
        phase -= phase >= 3 ? 3 : 0;
        word[w] = conv_thrice((uint32_t)(all << place >> 32), phase);
        phases[w] = phase;
        place += 10;
        phase += 2;
    }
}

/* 16 bytes of a row, of which all or some are the frame's. left: bits of the frame from the first one on. */
FECRUN_INLINE void conv_put_words(uint8_t *row, int64_t bytes, int64_t begin, int64_t left,
                                  uint32_t word[CONV_WORDS])
{
    FECRUN_UNROLL
    for (int w = 0; w < CONV_WORDS; w++) {
        if (left < 32 * (w + 1))
            word[w] &= left <= 32 * w ? 0 : UINT32_MAX << (32 * (w + 1) - left);
        word[w] = fecrun_swap(word[w]);
    }
    if (begin >= 0 && begin + CONV_WORDS_BYTES <= bytes) {
        fecrun_store_128(row + begin, word);
        return;
    }
    FECRUN_UNROLL
    for (int w = 0; w < CONV_WORDS; w++)
        fecrun_store_chunk(row, bytes, begin + 4 * w, word[w]);
}

/* Chunk c of frame f. The compiler is to know n, which conv_by_words() takes. */
FECRUN_INLINE void conv_encode_words(const struct conv_encode_args *a, unsigned n, uint64_t f,
                                     uint64_t c)
{
    uint8_t *row = a->out + conv_place(a->classes.out_offset, a->out_stride, f);
    const uint64_t bits = conv_encode_bits(a, f), end = (bits + a->tail) * n;
    const int64_t bytes = (int64_t)conv_encode_row_bytes(a, bits, 1);
    const int64_t begin = fecrun_chunk_begin(row, CONV_WORDS_BYTES, CONV_WORDS_BYTES, c);
    const uint64_t ahead = (uint64_t)(8 * begin + 128 * (int64_t)n); /* no number is negative */
    const uint64_t steps = ahead >> 32 ? ahead / n : (uint32_t)ahead / n;
    uint32_t input[3], repeated[CONV_WORDS + 1], out[CONV_WORDS];
    unsigned phases[CONV_WORDS + 1];

    if (begin >= bytes)
        return;
    conv_take_inputs(a, f, bits, (int64_t)steps - 128, input);
    conv_repeat(n, input, (unsigned)(ahead - steps * n), repeated, phases);
    FECRUN_UNROLL
    for (int w = 0; w < CONV_WORDS; w++)
        out[w] = a->inverted_word[phases[w + 1]];
    for (unsigned d = 0; d < a->K; d++) {
        FECRUN_UNROLL
        for (int w = 0; w < CONV_WORDS; w++)
            out[w] ^= conv_shift_right(repeated[w], repeated[w + 1], n * d) &
                      a->digit_word[d][phases[w + 1]];
    }
    conv_put_words(row, bytes, begin, (int64_t)end - 8 * begin, out);
}

#endif
