/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel of single.h. A thread's column is me.thread, and its window that of the column's lane
   which it loads: the first half of the threads, those that go forward, load lane 0. */
#ifndef TURBO_CUDA_SINGLE_CUH
#define TURBO_CUDA_SINGLE_CUH

#include <fecrun/plugin.h>

#include "plugins/turbo/cuda/single.h"
#include "plugins/turbo/cuda/windows_frame.cuh"
#include "plugins/turbo/cuda/windows_trellis.cuh"

/* ---- in and out ------------------------------------------------------------------------------ */

WIN_FN uint32_t single_columns(const struct win_thread &me)
{
    return me.windows / 2;
}

struct single_input {
    /* x: plus 128 */
    static WIN_FN_MEMBER void put_item(const struct win_thread &me, unsigned stream, uint32_t k,
                                       unsigned lane, uint32_t x)
    {
        const uint32_t place = k * single_columns(me) + me.thread;

        if (stream == 0) {
            at<int16_t>(win_shared, me.at.prior + 4 * place + 2 * lane) = (int16_t)((int)x - 128);
            at<uint8_t>(win_shared, me.at.sys + 2 * place + lane) = (uint8_t)x;
        } else {
            const uint32_t row = 2 * me.steps * single_columns(me) * (stream - 1);

            at<uint8_t>(win_shared, me.at.parity + row + 2 * place + lane) = (uint8_t)(x ^ 128);
        }
    }
};

/* Metrics of four states are 16 bytes, those of the others lie a row of columns behind. */
WIN_FN void single_load_metrics(const struct win_thread &me, uint32_t (&m)[8], uint32_t from)
{
    const uint4 low = at<uint4>(win_shared, from);
    const uint4 high = at<uint4>(win_shared, from + 16 * single_columns(me));

    m[0] = low.x, m[1] = low.y, m[2] = low.z, m[3] = low.w;
    m[4] = high.x, m[5] = high.y, m[6] = high.z, m[7] = high.w;
}

WIN_FN void single_store_metrics(const struct win_thread &me, const uint32_t (&m)[8], uint32_t to)
{
    at<uint4>(win_shared, to) = make_uint4(m[0], m[1], m[2], m[3]);
    at<uint4>(win_shared, to + 16 * single_columns(me)) = make_uint4(m[4], m[5], m[6], m[7]);
}

WIN_FN uint32_t single_saved(const struct win_thread &me, uint32_t step, uint32_t column)
{
    return me.at.saved + 32 * single_columns(me) * step + 16 * column;
}

/* end: 0 the metrics that a window begins with, 1 those behind its end. */
WIN_FN uint32_t single_border(const struct win_thread &me, unsigned encoder, unsigned end,
                              uint32_t column)
{
    return single_saved(me, me.steps + 2 * encoder + end, column);
}

/* Of the outer borders is known what they are, of the others nothing. By threads that go forward. */
WIN_FN void single_load_borders(const struct win_thread &me, const struct win_source &from)
{
    const bool first = me.thread == 0, last = me.thread + 1 == single_columns(me);

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
        single_store_metrics(me, begin, single_border(me, encoder, 0, me.thread));
        single_store_metrics(me, end, single_border(me, encoder, 1, me.thread));
    }
}

WIN_FN void single_load(const struct win_thread &me, const struct win_source &from, bool back)
{
    win_load_stream<single_input, 0>(me, from, back);
    win_load_stream<single_input, 1>(me, from, back);
    win_load_stream<single_input, 2>(me, from, back);
    win_fill<single_input>(me, from, back);
    win_join<single_input>(me, from, back);
    if (!back)
        single_load_borders(me, from);
}

/* Decisions i to i + count - 1, the first one highest; all in one half of a window. */
WIN_FN uint32_t single_bits(const struct win_thread &me, uint32_t i, uint32_t count)
{
    const uint32_t window = i / me.steps, k = i - window * me.steps, middle = me.steps / 2;
    const uint32_t lane = window >= single_columns(me), part = k >= middle;
    const uint32_t column = window - lane * single_columns(me);
    const uint32_t word = at<uint32_t>(
        win_shared, me.at.bits + 4 * ((2 * part + lane) * single_columns(me) + column));

    return word >> (middle - count - (k - part * middle)) & ((1u << count) - 1);
}

WIN_FN void single_store(const struct win_thread &me, uint32_t k, uint32_t fillers, bool packed,
                         uint32_t thread, uint8_t *out)
{
    const uint32_t bits = k - fillers;

    if (!packed) {
        for (uint32_t i = thread; i < bits; i += me.windows)
            out[i] = (uint8_t)single_bits(me, fillers + i, 1);
        return;
    }
    for (uint32_t i = thread; 8 * i < bits; i += me.windows) {
        uint32_t byte = 0;

        if (fillers % 8 == 0)
            byte = single_bits(me, fillers + 8 * i, 8);
        else
            for (uint32_t n = 8 * i; n < 8 * i + 8; n++)
                byte = byte << 1 | (n < bits ? single_bits(me, fillers + n, 1) : 0);
        out[i] = (uint8_t)byte;
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* What SINGLE_GROUP steps read; `swapped`: selectors of bytes of the second encoder's words. */
struct single_group {
    uint32_t place[SINGLE_GROUP], swapped[SINGLE_GROUP];
    uint32_t s[SINGLE_GROUP], p[SINGLE_GROUP], arrived[SINGLE_GROUP];
};

/* Steps done before -> step of the window. */
template <bool BACK> WIN_FN uint32_t single_step(const struct win_thread &me, uint32_t done)
{
    return BACK ? me.steps - 1 - done : done;
}

/* The group that begins behind `done` steps, a multiple of SINGLE_GROUP. */
template <int ENCODER, bool BACK, bool ARRIVED>
WIN_FN void single_read(const struct win_thread &me, uint32_t done, struct single_group &g)
{
    const uint32_t columns = single_columns(me);

    WIN_UNROLL
    for (unsigned j = 0; j < SINGLE_GROUP; j++) {
        const uint32_t k = single_step<BACK>(me, done + j);

        g.place[j] = 4 * (k * columns + me.thread);
        g.swapped[j] = 0x3210;
        if (ENCODER) {
            const uint2 pi = at<uint2>(win_shared, me.at.places + 8 * k);
            /* windows are whole groups of four steps */
            uint32_t column = pi.y + me.column[BACK ? 3 - j % 4 : j % 4];

            column = __viaddmin_u32(column, 0u - 4 * me.windows, column); /* modulo P */
            g.swapped[j] = column >= 4 * columns ? 0x1032 : 0x3210;
            column = __viaddmin_u32(column, 0u - 4 * columns, column);
            g.place[j] = pi.x + column;
        }
        g.s[j] = at<uint32_t>(win_shared, me.at.prior + g.place[j]);
        if (ENCODER)
            g.s[j] = select_bytes(g.s[j], 0, g.swapped[j]);
        g.p[j] = widen(at<uint16_t>(win_shared, me.at.parity + 2 * ENCODER * me.steps * columns +
                                                    2 * (k * columns + me.thread)));
        if (ARRIVED)
            g.arrived[j] = at<uint16_t>(win_shared, me.at.sys + g.place[j] / 2);
    }
}

template <bool BACK> WIN_FN void single_go(uint32_t (&m)[8], const struct win_step &step)
{
    uint32_t next[8];

    if (BACK) {
        win_backward(m, step);
        return;
    }
    win_forward(m, step, next);
    WIN_UNROLL
    for (unsigned n = 0; n < 8; n++)
        m[n] = next[n];
}

/* ---- what lies over borders ------------------------------------------------------------------ */

WIN_FN uint32_t single_column_of(const struct win_thread &me, uint32_t thread, unsigned k)
{
    return me.at.bytes - 16 * (single_columns(me) - thread) + 4 * k;
}

/*
 * The window in front of column 0's in lane 1 is in the last column's lane 0, and the one behind that
 * in column 0's lane 1: there the lanes are swapped.
 */
template <bool BACK> WIN_FN bool single_is_edge(const struct win_thread &me)
{
    return me.thread == (BACK ? single_columns(me) - 1 : 0);
}

template <bool BACK> WIN_FN struct win_thread single_neighbour(const struct win_thread &me)
{
    struct win_thread other = me;

    other.thread = single_is_edge<BACK>(me) ? single_columns(me) - 1 - me.thread
                                            : me.thread + (BACK ? 1 : 0u - 1);
    WIN_UNROLL
    for (unsigned k = 0; k < 4; k++)
        other.column[k] = at<uint32_t>(win_shared, single_column_of(me, other.thread, k));
    return other;
}

/* Borders of this column's windows, of which the neighbours left what was `overlap` steps before. */
template <int ENCODER, bool BACK> WIN_FN void single_lead(const struct win_thread &me)
{
    const struct win_thread other = single_neighbour<BACK>(me);
    const uint32_t border = single_border(me, ENCODER, BACK, me.thread);
    const uint32_t order = single_is_edge<BACK>(me) ? 0x1032 : 0x3210;
    uint32_t known[8], m[8];

    single_load_metrics(me, known, border);
    win_copy(known, m);
    WIN_NO_UNROLL
    for (uint32_t done = me.steps - me.overlap; done < me.steps; done += SINGLE_GROUP) {
        struct single_group g;

        single_read<ENCODER, BACK, false>(other, done, g);
        WIN_UNROLL
        for (unsigned j = 0; j < SINGLE_GROUP; j++)
            single_go<BACK>(
                m, win_make_step(select_bytes(g.s[j], 0, order), select_bytes(g.p[j], 0, order)));
        win_normalise(m);
    }
    WIN_UNROLL
    for (unsigned n = 0; n < 8 && single_is_edge<BACK>(me);
         n++) /* one of them is the block's end */
        m[n] = BACK ? select_bytes(m[n], known[n], 0x7610) : select_bytes(m[n], known[n], 0x3254);
    single_store_metrics(me, m, border);
}

/* ---- two halves of a window ------------------------------------------------------------------ */

/* To the middle of the window; metrics before each step stay behind. */
template <int ENCODER, bool BACK>
WIN_FN void single_before(const struct win_thread &me, uint32_t (&m)[8])
{
    const uint32_t middle = me.steps / 2;
    struct single_group now, next;

    single_load_metrics(me, m, single_border(me, ENCODER, BACK, me.thread));
    single_read<ENCODER, BACK, false>(me, 0, next);
    WIN_NO_UNROLL
    for (uint32_t done = 0; done < middle; done += SINGLE_GROUP) {
        now = next;
        single_read<ENCODER, BACK, false>(me, done + SINGLE_GROUP, next); /* at last unused */
        WIN_UNROLL
        for (unsigned j = 0; j < SINGLE_GROUP; j++) {
            const uint32_t at = (BACK ? middle : 0) + done + j;

            single_store_metrics(me, m, single_saved(me, at, me.thread));
            single_go<BACK>(m, win_make_step(now.s[j], now.p[j]));
        }
        win_normalise(m);
    }
}

/* The a priori LLR of the other encoder, in place of this one's. */
template <int ENCODER>
WIN_FN void single_put(const struct win_thread &me, const struct single_group &g, unsigned j,
                       uint32_t extrinsic)
{
    const uint32_t x = __viaddmin_s16x2_relu(extrinsic, me.limit, 2 * me.limit);
    const uint32_t swap = ENCODER && g.swapped[j] != 0x3210 ? 0x4041 : 0x4140;
    const uint32_t arrived = select_bytes(g.arrived[j], 0, swap);
    const uint32_t prior = __vsub2(multiply_add(x, me.factor, arrived), me.bias);

    at<uint32_t>(win_shared,
                 me.at.prior + g.place[j]) = ENCODER ? select_bytes(prior, 0, g.swapped[j]) : prior;
}

/* From the middle on, to what the neighbours begin with; decided[]: of each lane, the window's first step
   highest. */
template <int ENCODER, bool BACK>
WIN_FN void single_behind(const struct win_thread &me, uint32_t (&m)[8], uint32_t (&decided)[2])
{
    uint32_t after[8];
    const uint32_t middle = me.steps / 2;
    struct single_group now, next;

    single_read<ENCODER, BACK, true>(me, middle, next);
    decided[0] = decided[1] = 0;
    WIN_NO_UNROLL
    for (uint32_t done = 0; done < middle; done += SINGLE_GROUP) {
        uint32_t met[SINGLE_GROUP][8];

        if (done + me.overlap == middle)
            win_copy(m, after);
        WIN_UNROLL
        for (unsigned j = 0; j < SINGLE_GROUP; j++)
            single_load_metrics(
                me, met[j],
                single_saved(me, (BACK ? 0 : middle) + middle - 1 - done - j, me.thread));
        now = next;
        if (done + SINGLE_GROUP < middle)
            single_read<ENCODER, BACK, true>(me, middle + done + SINGLE_GROUP, next);
        WIN_UNROLL
        for (unsigned j = 0; j < SINGLE_GROUP; j++) {
            const uint32_t x = BACK ? win_extrinsic(met[j], m, now.p[j])
                                    : win_extrinsic(m, met[j], now.p[j]);
            const uint32_t llr = __vadd2(now.s[j], x);

            single_put<ENCODER>(me, now, j, x);
            if (!ENCODER && BACK) {
                decided[0] |= (llr >> 15 & 1) << (done + j);
                decided[1] |= llr >> 31 << (done + j);
            } else if (!ENCODER) {
                decided[0] = decided[0] << 1 | (llr >> 15 & 1);
                decided[1] = decided[1] << 1 | llr >> 31;
            }
            single_go<BACK>(m, win_make_step(now.s[j], now.p[j]));
        }
        win_normalise(m);
    }
    if (me.overlap)
        win_copy(after, m);
}

/* ---- a half iteration ------------------------------------------------------------------------ */

/* A window's last metrics are where its neighbour begins; column 0's other neighbour is in the last
   column's other lane. */
WIN_FN void single_hand_over(const struct win_thread &me, unsigned encoder, bool back,
                             const uint32_t (&m)[8])
{
    const uint32_t last = single_columns(me) - 1, edge = back ? 0 : last;
    uint32_t to[8];

    if (me.thread != edge) {
        single_store_metrics(me, m,
                             single_border(me, encoder, back, me.thread + (back ? 0u - 1 : 1)));
        return;
    }
    single_load_metrics(me, to, single_border(me, encoder, back, last - edge));
    WIN_UNROLL
    for (unsigned n = 0; n < 8; n++)
        to[n] = back ? (to[n] & 0xffff0000u) | m[n] >> 16 : (to[n] & 0xffff) | m[n] << 16;
    single_store_metrics(me, to, single_border(me, encoder, back, last - edge));
}

template <int ENCODER> WIN_FN void single_half(const struct win_thread &me, bool back)
{
    uint32_t m[8], decided[2];

    if (me.overlap && back)
        single_lead<ENCODER, true>(me);
    else if (me.overlap)
        single_lead<ENCODER, false>(me);
    if (back)
        single_before<ENCODER, true>(me, m);
    else
        single_before<ENCODER, false>(me, m);
    __syncthreads();
    if (back)
        single_behind<ENCODER, true>(me, m, decided);
    else
        single_behind<ENCODER, false>(me, m, decided);
    single_hand_over(me, ENCODER, back, m);
    if (!ENCODER)
        for (unsigned lane = 0; lane < 2; lane++)
            at<uint32_t>(win_shared, me.at.bits + 4 * ((2 * !back + lane) * single_columns(me) +
                                                       me.thread)) = decided[lane];
    __syncthreads();
}

/* ---- the kernel ------------------------------------------------------------------------------ */

WIN_FN struct win_thread single_begin(const struct turbo_windows_job &job)
{
    const struct turbo_windows_class &c = job.only;
    const struct turbo_qpp qpp = {(uint16_t)c.k, (uint16_t)c.f1, (uint16_t)c.f2};
    const uint32_t columns = c.windows / 2, thread = threadIdx.x;
    struct win_thread me = {};

    me.at = turbo_single_lay_out(c.windows, c.steps);
    me.window = thread;
    me.thread = thread >= columns ? thread - columns : thread;
    me.windows = c.windows;
    me.steps = c.steps;
    me.overlap = c.overlap;
    WIN_UNROLL
    for (uint32_t k = 0; k < 4; k++) { /* of window me.thread; see win_begin_class() */
        const uint32_t by = (c.f1 + 2 * c.f2 * k) % c.windows;
        const uint32_t square = c.f2 * c.steps % c.windows * me.thread % c.windows;

        me.column[k] = 4 * ((by + square) * me.thread % c.windows);
        at<uint32_t>(win_shared, single_column_of(me, me.thread, k)) = me.column[k];
    }
    me.bias = job.bias;
    me.limit = job.limit;
    me.factor = job.factor;
    for (uint32_t k = thread; k < c.steps; k += c.windows) {
        const uint32_t pi = turbo_pi(&qpp, k), window = pi / c.steps;

        at<uint2>(win_shared, me.at.places + 8 * k) = make_uint2(
            4 * columns * (pi - window * c.steps), 4 * window);
    }
    return me;
}

WIN_FN void single_decode(const struct turbo_windows_job &job)
{
    const struct turbo_windows_class &c = job.only;
    const struct win_thread me = single_begin(job);
    const bool back = me.window >= c.windows / 2;

    for (uint32_t frame = blockIdx.x; frame < c.frames; frame += gridDim.x) {
        single_load(me, win_source_of(job, c, frame), back);
        __syncthreads();
        WIN_NO_UNROLL
        for (uint32_t n = 0; n < job.iterations; n++) {
            single_half<1>(me, back);
            single_half<0>(me, back);
        }
        single_store(me, c.k, c.fillers, job.packed, me.window, job.out + frame * job.out_stride);
        if (me.window == 0)
            job.info[frame].iterations = job.iterations;
        __syncthreads();
    }
}

#ifndef WIN_ON_HOST
static __global__ void __launch_bounds__(SINGLE_MOST_WINDOWS, 1)
    turbo_single_kernel(const __grid_constant__ struct turbo_windows_job job)
{
    single_decode(job);
}
#endif

#endif
