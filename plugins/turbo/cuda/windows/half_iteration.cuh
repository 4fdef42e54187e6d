/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A half iteration: one thread's window, with the arithmetic of a `Decoder`.
 *
 * Forward through all but the last WIN_BLOCK steps, of which only the metrics before each such
 * block are saved; then block by block from the end: forward once more, all metrics now in
 * registers, and backward with the extrinsic LLRs. These go, scaled and with what arrived, to where
 * their a priori LLRs came from.
 */
#ifndef TURBO_CUDA_WINDOWS_HALF_ITERATION_CUH
#define TURBO_CUDA_WINDOWS_HALF_ITERATION_CUH

#include "plugins/turbo/cuda/windows/plan.h"

#ifndef WIN_THREADS
#define WIN_THREADS WIN_NARROW
#endif

#include "plugins/turbo/cuda/windows/packed.cuh"

/* What a thread knows of its window. */
struct win_thread {
    struct turbo_windows_layout at;
    uint32_t thread, slot, window; /* slot = slots: this one has nothing to do */
    uint32_t windows, steps, overlap, blocks;
    uint32_t column[4]; /* factor (f1 + 2 f2 k) window + f2 W window^2 mod P of k mod 4, bytes */
    uint32_t bias, limit, factor; /* as in the job */
    float unit, scale;
};

/* Where LLRs of the present blocks of bits go, of each lane; NULL: not wanted. WIN_SOFT. */
struct win_soft {
    float *llr[2], *extrinsic[2];
    uint32_t fillers;
};

/* What a half iteration in the block's order finds out, of each lane. */
struct win_verdict {
    uint32_t sum[2], least; /* of |LLR|: WIN_STOP_LLR */
    struct win_soft soft;
};

/* Metrics [thread] of a border or of what was saved. */
WIN_FN void win_load_metrics(uint32_t (&m)[8], char *from)
{
    const uint4 low = at<uint4>(from), high = at<uint4>(from, 16 * WIN_THREADS);

    m[0] = low.x, m[1] = low.y, m[2] = low.z, m[3] = low.w;
    m[4] = high.x, m[5] = high.y, m[6] = high.z, m[7] = high.w;
}

WIN_FN void win_load_metrics(float (&m)[8], char *from)
{
    uint32_t bits[8];

    win_load_metrics(bits, from);
    WIN_UNROLL
    for (unsigned n = 0; n < 8; n++)
        m[n] = __uint_as_float(bits[n]);
}

WIN_FN void win_store_metrics(const uint32_t (&m)[8], char *to)
{
    at<uint4>(to) = make_uint4(m[0], m[1], m[2], m[3]);
    at<uint4>(to, 16 * WIN_THREADS) = make_uint4(m[4], m[5], m[6], m[7]);
}

WIN_FN void win_store_metrics(const float (&m)[8], char *to)
{
    uint32_t bits[8];

    WIN_UNROLL
    for (unsigned n = 0; n < 8; n++)
        bits[n] = __float_as_uint(m[n]);
    win_store_metrics(bits, to);
}

/* end: 0 the metrics that a window begins with, 1 those behind its end. */
WIN_FN char *win_border(unsigned encoder, unsigned end, uint32_t thread)
{
    return win_shared + (2 * encoder + end) * WIN_BORDER(WIN_THREADS) + 16 * thread;
}

/* Where step k of this thread's window is: a row's {pi mod W, pi div W} in bytes of words. */
WIN_FN uint32_t win_place(const struct win_thread &me, char *places, unsigned k_mod_4)
{
    const uint2 pi = at<uint2>(places);
    uint32_t column = pi.y + me.column[k_mod_4];

    column = __viaddmin_u32(column, 0u - 4u * me.windows, column); /* modulo P */
    return pi.x + column;
}

/* Places of steps from `first` on. */
template <int ENCODER> struct win_block {
    char *prior, *sys, *parity, *places;

    WIN_FN_MEMBER win_block(const struct win_thread &me, uint32_t first)
    {
        const uint32_t own = ENCODER ? me.slot * me.windows : first * WIN_THREADS + me.thread;

        prior = win_shared + me.at.prior + 4 * own;
        sys = win_shared + me.at.sys + 2 * own;
        parity = win_shared + me.at.parity +
                 2 * ((first + ENCODER * me.steps) * WIN_THREADS + me.thread);
        places = win_shared + me.at.places + 8 * first;
    }

    /* Byte offset of step j in `prior`; column[0] is that of the first step. */
    WIN_FN_MEMBER uint32_t place(const struct win_thread &me, unsigned j) const
    {
        return ENCODER ? win_place(me, places + 8 * j, j % 4) : 4 * WIN_THREADS * j;
    }
};

/* Step k of this thread's window. */
WIN_FN void win_put_soft(const struct win_thread &me, const struct win_soft &soft, uint32_t k,
                         unsigned lane, float llr, float arrived)
{
    const uint32_t i = me.window * me.steps + k;

    if (i < soft.fillers)
        return;
    if (soft.llr[lane])
        soft.llr[lane][i - soft.fillers] = llr;
    if (soft.extrinsic[lane])
        soft.extrinsic[lane][i - soft.fillers] = llr - arrived;
}

template <class Metric> WIN_FN void win_copy(const Metric (&from)[8], Metric (&to)[8])
{
    WIN_UNROLL
    for (unsigned n = 0; n < 8; n++)
        to[n] = from[n];
}

/* Forward through a block of WIN_BLOCK steps: from m[0] to m[0]. */
template <class Decoder, int ENCODER>
WIN_FN void win_pass(const struct win_thread &me, uint32_t block,
                     typename Decoder::Metric (&m)[2][8])
{
    const struct win_block<ENCODER> b(me, block * WIN_BLOCK);

    WIN_UNROLL
    for (unsigned j = 0; j < WIN_BLOCK; j++)
        Decoder::forward(
            m[j % 2],
            Decoder::step(Decoder::input(b.prior, b.place(me, j)), Decoder::parity(b.parity, j)), j,
            m[1 - j % 2]);
    Decoder::normalise(m[0]);
}

/* ---- what lies over borders ------------------------------------------------------------------ */

/* A neighbour, whose steps from `first` on are asked for. */
WIN_FN struct win_thread win_neighbour(const struct win_thread &me, uint32_t thread, uint32_t first)
{
    struct win_thread other = me;

    other.thread = thread;
    WIN_UNROLL
    for (unsigned j = 0; j < 4; j++)
        other.column[j] = at<uint16_t>(win_shared, WIN_COLUMNS(WIN_THREADS) + 8 * thread +
                                                       2 * ((first + j) & 3));
    return other;
}

template <class Decoder, int ENCODER>
WIN_FN typename Decoder::Step win_lead_step(const struct win_block<ENCODER> &b,
                                            const struct win_thread &other, unsigned j)
{
    return Decoder::step(Decoder::input(b.prior, b.place(other, j)), Decoder::parity(b.parity, j));
}

/*
 * Borders of this window, of which the neighbours left what was `overlap` steps before. The first
 * and the last window do the same with their own steps, and leave the known metrics as they are:
 * two recursions at once take less time than one after the other.
 */
template <class Decoder, int ENCODER> WIN_FN void win_lead(const struct win_thread &me)
{
    const bool first = me.window == 0, last = me.window + 1 == me.windows;
    char *const begin = win_border(ENCODER, 0, me.thread), *const end = win_border(ENCODER, 1,
                                                                                   me.thread);
    typename Decoder::Metric a[2][8], b[8];

    win_load_metrics(a[0], begin);
    win_load_metrics(b, end);
    WIN_NO_UNROLL
    for (uint32_t left = me.overlap; left; left -= WIN_LEAD) {
        const struct win_thread before = win_neighbour(me, me.thread - !first, me.steps - left);
        const struct win_thread behind = win_neighbour(me, me.thread + !last, left - WIN_LEAD);
        const struct win_block<ENCODER> f(before, me.steps - left), g(behind, left - WIN_LEAD);

        WIN_UNROLL
        for (unsigned j = 0; j < WIN_LEAD; j++) {
            const unsigned back = WIN_LEAD - 1 - j;

            Decoder::forward(a[j % 2], win_lead_step<Decoder, ENCODER>(f, before, j), j,
                             a[1 - j % 2]);
            Decoder::backward(b, win_lead_step<Decoder, ENCODER>(g, behind, back), back);
        }
        Decoder::normalise(a[0]);
        Decoder::normalise(b);
    }
    if (!first)
        win_store_metrics(a[0], begin);
    if (!last)
        win_store_metrics(b, end);
}

/* ---- a half iteration ------------------------------------------------------------------------ */

/*
 * The same and back again. `steps` of them; `end`: the window's last block. What the neighbours begin
 * with goes into `after` and `ahead`. Returns decisions, the first step's in the highest bit of a lane.
 */
template <class Decoder, int ENCODER, int STOP, bool WHOLE>
WIN_FN uint32_t win_turn(const struct win_thread &me, uint32_t block, uint32_t steps, bool end,
                         const typename Decoder::Metric (&a)[8],
                         typename Decoder::Metric (&after)[8], typename Decoder::Metric (&b)[8],
                         typename Decoder::Metric (&ahead)[8], struct win_verdict &v)
{
    const struct win_block<ENCODER> blk(me, block * WIN_BLOCK);
    const uint32_t left = me.steps - me.overlap - block * WIN_BLOCK; /* far away in other blocks */
    const bool here = end ||
                      me.overlap > WIN_BLOCK; /* few overlap so much: others save the comparisons */
    typename Decoder::Metric before[WIN_BLOCK + 1][8];
    typename Decoder::Llr s[WIN_BLOCK], p[WIN_BLOCK];
    uint32_t place[WIN_BLOCK], arrived, decided = 0;

    win_copy(a, before[0]);
    WIN_UNROLL
    for (unsigned j = 0; j < WIN_BLOCK; j++) {
        if (WHOLE || j < steps) {
            place[j] = blk.place(me, j);
            s[j] = Decoder::input(blk.prior, place[j]);
            p[j] = Decoder::parity(blk.parity, j);
            if (!WHOLE || j + 1 < WIN_BLOCK || end)
                Decoder::forward(before[j], Decoder::step(s[j], p[j]), j, before[j + 1]);
            if (WHOLE ? j % WIN_LEAD == 0 && here && j == left : j == left)
                win_copy(before[j], after);
            if (end && !me.overlap && j + 1 == (WHOLE ? +WIN_BLOCK : steps))
                win_copy(before[j + 1], after);
        }
    }
    if (WHOLE)
        arrived = at<uint16_t>(blk.sys, place[WIN_BLOCK - 1] / 2);
    WIN_UNROLL
    for (int j = WIN_BLOCK - 1; j >= 0; j--) {
        if (WHOLE || (unsigned)j < steps) {
            const uint32_t now = WHOLE ? arrived : at<uint16_t>(blk.sys, place[j] / 2);
            const typename Decoder::Step step = Decoder::step(s[j], opaque(p[j]));
            const typename Decoder::Extrinsic x = Decoder::extrinsic(before[j], b, step);

            if (WHOLE && j > 0)
                arrived = at<uint16_t>(blk.sys, place[j - 1] / 2);
            Decoder::put(me, blk.prior + place[j], x, now);
            if (!ENCODER)
                decided = Decoder::template decide<STOP>(me, decided, step, x, v);
            if (!ENCODER && STOP & WIN_SOFT)
                Decoder::put_soft(me, v.soft, block * WIN_BLOCK + (unsigned)j, step, x, now);
            if ((j + 1) % WIN_LEAD == 0 && block * WIN_BLOCK + (unsigned)j + 1 == me.overlap)
                win_copy(b, ahead);
            Decoder::backward(b, step, (unsigned)j);
        }
    }
    return decided;
}

/* What the neighbours begin with is in a and b afterwards: to be stored when all threads are
   through. */
template <class Decoder, int ENCODER, int STOP, bool WHOLE>
WIN_FN void win_half(const struct win_thread &me, typename Decoder::Metric (&a)[8],
                     typename Decoder::Metric (&b)[8], struct win_verdict &v)
{
    char *const begin = win_border(ENCODER, 0, me.thread);
    const uint32_t last = me.blocks - 1;
    /* before blocks 1 .. last - 1: in local memory, which the first level cache has */
    typename Decoder::Metric saved[WIN_MOST_STEPS / WIN_BLOCK - 2][8];
    typename Decoder::Metric m[2][8], ahead[8];

    win_load_metrics(m[0], begin);
    WIN_NO_UNROLL
    for (uint32_t block = 0; block < last; block++) {
        if (block)
            win_copy(m[0], saved[block - 1]);
        win_pass<Decoder, ENCODER>(me, block, m);
    }
    win_load_metrics(b, win_border(ENCODER, 1, me.thread));
    WIN_NO_UNROLL
    for (uint32_t block = last;; block--) {
        const uint32_t steps = WHOLE || block < last ? +WIN_BLOCK : me.steps - last * WIN_BLOCK;
        uint32_t decided;

        if (block == 0 && last)
            win_load_metrics(m[0], begin);
        else if (block < last)
            win_copy(saved[block - 1], m[0]);
        decided = win_turn<Decoder, ENCODER, STOP, WHOLE>(me, block, steps, block == last, m[0], a,
                                                          b, ahead, v);
        if (!ENCODER)
            at<uint32_t>(win_shared, me.at.bits + 4 * (block * WIN_THREADS + me.thread)) = decided;
        Decoder::normalise(b);
        if (block == 0)
            break;
    }
    Decoder::normalise(a);
    if (me.overlap) {
        win_copy(ahead, b);
        Decoder::normalise(b);
    }
}

/* The neighbours' next iteration starts with them. */
template <class Metric>
WIN_FN void win_hand_over(const struct win_thread &me, unsigned encoder, const Metric (&a)[8],
                          const Metric (&b)[8])
{
    if (me.window + 1 < me.windows)
        win_store_metrics(a, win_border(encoder, 0, me.thread + 1));
    if (me.window > 0)
        win_store_metrics(b, win_border(encoder, 1, me.thread - 1));
}

#endif
