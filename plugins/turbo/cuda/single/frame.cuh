/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of bits into the shared memory of plan.h's kernel and out of it, and where it has what. */
#ifndef TURBO_CUDA_SINGLE_FRAME_CUH
#define TURBO_CUDA_SINGLE_FRAME_CUH

#include <fecrun/plugin.h>

#include "plugins/turbo/cuda/single/plan.h"
#include "plugins/turbo/cuda/windows/frame.cuh"
#include "plugins/turbo/cuda/windows/trellis.cuh"

#ifndef SINGLE_COLUMNS
#define SINGLE_COLUMNS SINGLE_WIDE
#endif

/* Bytes of a word of each column, of a row, of the metrics of a step. */
enum {
    SINGLE_STRIDE = 4 * SINGLE_COLUMNS,
    SINGLE_ROW = SINGLE_WORDS * SINGLE_STRIDE,
    SINGLE_METRICS = 8 * SINGLE_STRIDE,
};

struct single_thread {
    struct turbo_single_layout at;
    uint32_t column, columns; /* of this thread; how many there are */
    uint32_t from, to;        /* columns of the neighbours where this one begins and ends */
    uint32_t steps, overlap, per_steps; /* dividing by steps: single_divide() */
    uint32_t bias, limit, factor;       /* as in the job */
};

/* Lanes swapped if `by` is 16, not if it is 0. */
WIN_FN uint32_t single_turned(uint32_t x, uint32_t by)
{
#ifdef WIN_ON_HOST
    return by ? x << 16 | x >> 16 : x;
#else
    return __funnelshift_l(x, x, by);
#endif
}

/* Somebody is going to read from there. */
WIN_FN void single_touch(const void *from)
{
#ifdef WIN_ON_HOST
    (void)from;
#else
    asm volatile("prefetch.global.L1 [%0];" ::"l"(from));
#endif
}

/* i / n of i < 2^13 and n < 2^7, by the next integer above 2^20 / n. */
WIN_FN uint32_t single_inverse(uint32_t n)
{
    return (1u << 20) / n + 1;
}

WIN_FN uint32_t single_divide(uint32_t i, uint32_t inverse)
{
    return (uint32_t)((uint64_t)i * inverse >> 20);
}

/* To pi of the next i. */
WIN_FN void single_next_pi(const struct turbo_qpp *qpp, uint32_t *pi, uint32_t *step)
{
    *pi += *step;
    *pi -= *pi >= qpp->k ? qpp->k : 0;
    *step += 2u * qpp->f2;
    *step -= *step >= qpp->k ? qpp->k : 0;
    *step -= *step >= qpp->k ? qpp->k : 0;
}

/* ---- metrics --------------------------------------------------------------------------------- */

/* Metrics of four states are 16 bytes, those of the others lie a row of columns behind. */
WIN_FN void single_load(uint32_t (&m)[8], const char *from)
{
    const uint4 low = *(const uint4 *)from, high = *(const uint4 *)(from + SINGLE_METRICS / 2);

    m[0] = low.x, m[1] = low.y, m[2] = low.z, m[3] = low.w;
    m[4] = high.x, m[5] = high.y, m[6] = high.z, m[7] = high.w;
}

WIN_FN void single_store(const uint32_t (&m)[8], char *to)
{
    *(uint4 *)to = make_uint4(m[0], m[1], m[2], m[3]);
    *(uint4 *)(to + SINGLE_METRICS / 2) = make_uint4(m[4], m[5], m[6], m[7]);
}

/* end: 0 the metrics that a window begins with, 1 those behind its end. */
WIN_FN uint32_t single_border(const struct single_thread &me, unsigned encoder, unsigned end,
                              uint32_t column)
{
    return me.at.borders + (2 * encoder + end) * SINGLE_METRICS + 16 * column;
}

/* ---- in -------------------------------------------------------------------------------------- */

WIN_FN char *single_row(const struct single_thread &me, unsigned encoder, uint32_t k)
{
    return win_shared + me.at.rows[encoder] + SINGLE_ROW * k + 4 * me.column;
}

/* What win_load_stream() and others write to. */
struct single_input {
    static WIN_FN_MEMBER void put_item(const struct win_thread &win, unsigned stream, uint32_t k,
                                       unsigned lane, uint32_t x)
    {
        char *row = win_shared + 4 * win.thread + SINGLE_ROW * (k + (stream == 2 ? win.steps : 0)) +
                    2 * lane;

        if (stream == 0) {
            at<int16_t>(row, SINGLE_PRIOR * SINGLE_STRIDE) = (int16_t)((int)x - 128);
            at<uint16_t>(row, SINGLE_SYS * SINGLE_STRIDE) = (uint16_t)x;
        } else {
            at<int16_t>(row, SINGLE_PARITY * SINGLE_STRIDE) = (int16_t)((int)x - 128);
        }
    }
};

/* Of the outer borders is known what they are, of the others nothing. By threads that go forward. */
WIN_FN void single_load_borders(const struct single_thread &me, const struct win_source &from)
{
    const bool first = me.column == 0, last = me.column + 1 == me.columns;

    WIN_UNROLL
    for (unsigned encoder = 0; encoder < 2; encoder++) {
        uint32_t begin[8], end[8];

        WIN_UNROLL
        for (unsigned n = 0; n < 8; n++) {
            begin[n] = end[n] = both(WIN_ZERO);
            if (n && first)
                begin[n] = (begin[n] & 0xffff0000u) | WIN_NEVER;
        }
        if (last)
            for (unsigned n = 0; n < 8; n++)
                end[n] = WIN_ZERO | (uint32_t)(WIN_ZERO + win_tail(from, encoder, n)) << 16;
        single_store(begin, win_shared + single_border(me, encoder, 0, me.column));
        single_store(end, win_shared + single_border(me, encoder, 1, me.column));
    }
}

/* Of this thread's window, so that it is on its way while places are found. */
WIN_FN void single_touch_window(const struct single_thread &me, const struct win_source &from,
                                bool back)
{
    const uint32_t first = (me.column + (back ? me.columns : 0)) * me.steps;

    WIN_UNROLL
    for (unsigned stream = 0; stream < 3; stream++) {
        const int8_t *const word = from.word + turbo_item(from.k, stream, first);

        single_touch(word);
        single_touch(word + me.steps - 1);
    }
}

WIN_FN void single_load_frame(const struct single_thread &me, const struct win_source &from,
                              bool back)
{
    struct win_thread win = {};

    win.thread = me.column;
    win.window = me.column + (back ? me.columns : 0);
    win.steps = me.steps;
    win_load_stream<single_input, 0>(win, from, back);
    win_load_stream<single_input, 1>(win, from, back);
    win_load_stream<single_input, 2>(win, from, back);
    win_fill<single_input>(win, from, back);
    win_join<single_input>(win, from, back);
    if (!back)
        single_load_borders(me, from);
}

/* ---- places ---------------------------------------------------------------------------------- */

/*
 * Where either encoder's bits are in the other one's order. Each thread does half of its column's steps of the
 * second encoder: bit k of window n is bit pi of the first encoder's order.
 */
WIN_FN void single_find_places(const struct single_thread &me, const struct turbo_qpp &qpp,
                               bool back)
{
    const uint32_t middle = me.steps / 2, first = back ? middle : 0,
                   i = me.column * me.steps + first;
    uint32_t pi = turbo_pi(&qpp, i), step = (qpp.f1 + qpp.f2 * (2 * i + 1)) % qpp.k;
    uint32_t from = me.at.rows[1] + SINGLE_ROW * first + 4 * me.column;
    char *own = single_row(me, 1, first);

    WIN_PRAGMA_4
    for (uint32_t k = 0; k < middle; k++) {
        const uint32_t window = single_divide(pi, me.per_steps);
        const uint32_t column = window < me.columns ? window : window - me.columns,
                       turn = window < me.columns ? 0 : 16;
        const uint32_t to = me.at.rows[0] + SINGLE_ROW * (pi - window * me.steps) + 4 * column;

        at<uint32_t>(own, SINGLE_TO * SINGLE_STRIDE) = to;
        at<uint32_t>(own, SINGLE_BY * SINGLE_STRIDE) = turn;
        at<uint32_t>(win_shared, to + SINGLE_TO * SINGLE_STRIDE) = from;
        at<uint32_t>(win_shared, to + SINGLE_BY * SINGLE_STRIDE) = turn;
        own += SINGLE_ROW;
        from += SINGLE_ROW;
        single_next_pi(&qpp, &pi, &step);
    }
}

/* What arrived for the bits, in the second encoder's order, too. By the first one's rows. */
WIN_FN void single_spread(const struct single_thread &me, bool back)
{
    const uint32_t middle = me.steps / 2, first = back ? middle : 0;

    WIN_NO_UNROLL
    for (uint32_t k = first; k < first + middle; k++) {
        const char *const own = single_row(me, 0, k);
        const uint32_t to = at<const uint32_t>((char *)own, SINGLE_TO * SINGLE_STRIDE),
                       turn = at<const uint32_t>((char *)own, SINGLE_BY * SINGLE_STRIDE);

        at<uint32_t>(win_shared, to + SINGLE_PRIOR * SINGLE_STRIDE) = single_turned(
            at<uint32_t>((char *)own, SINGLE_PRIOR * SINGLE_STRIDE), turn);
        at<uint32_t>(win_shared, to + SINGLE_SYS * SINGLE_STRIDE) = single_turned(
            at<uint32_t>((char *)own, SINGLE_SYS * SINGLE_STRIDE), turn);
    }
}

/* ---- out ------------------------------------------------------------------------------------- */

/* Decisions of half of a column's steps, of each lane a word, the first step highest. */
WIN_FN void single_decide(const struct single_thread &me, bool back)
{
    const uint32_t middle = me.steps / 2;
    const char *row = single_row(me, 0, back ? 0 : middle);
    char *const to = win_shared + me.at.saved + 4 * me.column + (back ? 0 : 2 * SINGLE_STRIDE);
    uint32_t low = 0, high = 0;

    WIN_PRAGMA_4
    for (uint32_t k = 0; k < middle; k++) {
        const uint32_t llr = at<const uint32_t>((char *)row, SINGLE_SYS * SINGLE_STRIDE);

        low = low << 1 | (llr >> 15 & 1);
        high = high << 1 | llr >> 31;
        row += SINGLE_ROW;
    }
    at<uint32_t>(to) = low;
    at<uint32_t>(to, SINGLE_STRIDE) = high;
}

/* Decisions i to i + count - 1, the first one highest; all in one half of a window. */
WIN_FN uint32_t single_bits(const struct single_thread &me, uint32_t i, uint32_t count)
{
    const uint32_t window = single_divide(i, me.per_steps), k = i - window * me.steps,
                   middle = me.steps / 2;
    const uint32_t lane = window >= me.columns, part = k >= middle;
    const uint32_t column = window - lane * me.columns;
    const uint32_t word = at<uint32_t>(win_shared, me.at.saved + (2 * part + lane) * SINGLE_STRIDE +
                                                       4 * column);

    return word >> (middle - count - (k - part * middle)) & ((1u << count) - 1);
}

WIN_FN void single_store_bits(const struct single_thread &me, uint32_t k, uint32_t fillers,
                              bool packed, uint8_t *out)
{
    const uint32_t bits = k - fillers, thread = threadIdx.x, threads = 2 * me.columns;

    if (!packed) {
        for (uint32_t i = thread; i < bits; i += threads)
            out[i] = (uint8_t)single_bits(me, fillers + i, 1);
        return;
    }
    for (uint32_t i = thread; 8 * i < bits; i += threads) {
        uint32_t byte = 0;

        if (fillers % 4 == 0 && 8 * i + 8 <= bits) /* halves of windows are whole fours of bits */
            byte = single_bits(me, fillers + 8 * i, 4) << 4 |
                   single_bits(me, fillers + 8 * i + 4, 4);
        else
            for (uint32_t n = 8 * i; n < 8 * i + 8; n++)
                byte = byte << 1 | (n < bits ? single_bits(me, fillers + n, 1) : 0);
        out[i] = (uint8_t)byte;
    }
}

#endif
