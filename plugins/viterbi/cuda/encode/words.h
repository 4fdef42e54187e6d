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
#include "plugins/viterbi/cuda/shift.h"

enum { CONV_WORDS = 4, CONV_WORDS_BYTES = 4 * CONV_WORDS };

/* Two neighbouring words hold all the inputs that one depends on. */
FECRUN_INLINE bool conv_by_words(const struct conv_encode_args *a)
{
    return a->in_packed && a->out_packed && a->n <= 3 && a->n * (a->K - 1) < 32;
}

/* Keeps the first `left` bits of three words, and moves them back by `late`, below 96. */
FECRUN_INLINE void conv_cut(int32_t left, uint32_t late, uint32_t word[3])
{
    FECRUN_UNROLL
    for (int i = 0; i < 3; i++)
        word[i] = conv_first(word[i], left - 32 * i);
    for (; late >= 32; late -= 32) {
        word[2] = word[1];
        word[1] = word[0];
        word[0] = 0;
    }
    word[2] = conv_shift_right(word[1], word[2], late);
    word[1] = conv_shift_right(word[0], word[1], late);
    word[0] >>= late;
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
    const uint32_t late = from - p < 96 ? (uint32_t)(from - p) : 96;
    const int32_t left = hi - from < 96 ? (int32_t)(hi - from) : 96;
    uint32_t raw[4];

    if (left <= 0 || late == 96)
        return;
    FECRUN_UNROLL
    for (int i = 0; i < 4; i++)
        raw[i] = fecrun_swap(fecrun_load_32(at - down + 4 * i));
    FECRUN_UNROLL
    for (int i = 0; i < 3; i++)
        raw[i] = conv_shift_left(raw[i], raw[i + 1], skip);
    if (late || left < 96)
        conv_cut(left, late, raw);
    FECRUN_UNROLL
    for (int i = 0; i < 3; i++)
        word[i] |= raw[i];
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

/* 16 bytes of a row, of which all or some are the frame's. end: bits of the frame. */
FECRUN_INLINE void conv_put_words(uint8_t *row, int64_t bytes, int64_t begin, uint64_t end,
                                  uint32_t word[CONV_WORDS])
{
    const int64_t left = (int64_t)end - 8 * begin;
    const bool whole = begin >= 0 && left >= 8 * CONV_WORDS_BYTES;

    FECRUN_UNROLL
    for (int w = 0; w < CONV_WORDS; w++) {
        if (!whole)
            word[w] = conv_first(word[w], (int32_t)(left < 256 ? left : 256) - 32 * w);
        word[w] = fecrun_swap(word[w]);
    }
    if (whole) {
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
    FECRUN_UNROLL
    for (unsigned d = 0; d < VITERBI_MAX_K; d++) {
        if (d >= a->K)
            break;
        FECRUN_UNROLL
        for (int w = 0; w < CONV_WORDS; w++)
            out[w] ^= conv_shift_right(repeated[w], repeated[w + 1], n * d) &
                      a->digit_word[d][phases[w + 1]];
    }
    conv_put_words(row, bytes, begin, end, out);
}

/* ---- Short frames: one thread makes all words ------------------------------------------------ */

enum { CONV_FEW = 7 /* words of the output */, CONV_FEW_BYTES = 4 * CONV_FEW };

/* bits: of the largest frame */
FECRUN_INLINE bool conv_by_frames(const struct conv_encode_args *a, uint64_t bits)
{
    return conv_by_words(a) && !a->continuous && bits + a->tail <= 64 &&
           (bits + a->tail) * a->n <= 8 * CONV_FEW_BYTES;
}

/* Word w of repeated inputs, from -1 on, and where in a step it begins. input: of steps from -16 on. */
FECRUN_INLINE uint32_t conv_repeat_one(unsigned n, const uint32_t input[3], int w, unsigned *phase)
{
    const unsigned bit = (unsigned)(32 * w + 33), place = CONV_REACH - 11 + bit / 3;

    if (n == 2) {
        *phase = 0;
        return w < 5 ? conv_twice(input[(w + 1) / 2] << 16 * ((w + 1) % 2)) : 0; /* 64 steps */
    }
    *phase = bit % 3;
    return conv_thrice(
        conv_shift_left(input[place / 32], place < 64 ? input[place / 32 + 1] : 0, place % 32),
        *phase);
}

/* Frame f, of which the row is in `row`. Returns its bytes. */
FECRUN_INLINE unsigned conv_encode_frame(const struct conv_encode_args *a, unsigned n, uint64_t f,
                                         uint8_t *row)
{
    const unsigned bits = (unsigned)conv_encode_bits(a, f), end = (bits + (unsigned)a->tail) * n;
    const unsigned bytes = (end + 7) / 8;
    uint32_t input[3], before;
    unsigned phase;

    conv_take_inputs(a, f, bits, 0, input);
    before = conv_repeat_one(n, input, -1, &phase);
    FECRUN_UNROLL
    for (int w = 0; w < CONV_FEW; w++) {
        uint32_t repeated, out;

        if (32 * (unsigned)w >= end)
            break;
        repeated = conv_repeat_one(n, input, w, &phase);
        out = a->inverted_word[phase];
        FECRUN_UNROLL
        for (unsigned d = 0; d < VITERBI_MAX_K; d++) {
            if (d >= a->K)
                break;
            out ^= conv_shift_right(before, repeated, n * d) & a->digit_word[d][phase];
        }
        out = conv_first(out, (int32_t)end - 32 * w);
        fecrun_store_bytes(row, bytes, 4 * w, fecrun_swap(out));
        before = repeated;
    }
    return bytes;
}

#endif
