/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder for max-log: two blocks of bits a thread, in the lanes of packed words. */
#ifndef TURBO_CUDA_WINDOWS_MAXLOG_CUH
#define TURBO_CUDA_WINDOWS_MAXLOG_CUH

#include "plugins/turbo/cuda/windows/frame.cuh"
#include "plugins/turbo/cuda/windows/trellis.cuh"

/* ---- in
   --------------------------------------------------------------------------------------- */

/* Step k of a stream; x: plus 128. */
WIN_FN void win_put(const struct win_thread &me, unsigned stream, uint32_t k, unsigned lane,
                    uint32_t x)
{
    const uint32_t place = k * WIN_THREADS + me.thread;

    if (stream == 0) {
        put_lane(at<uint32_t>(win_shared, me.at.prior + 4 * place), lane, (int)x - 128);
        at<uint8_t>(win_shared, me.at.sys + 2 * place + lane) = (uint8_t)x;
    } else {
        put_byte(at<uint16_t>(win_shared,
                              me.at.parity + 2 * (place + (stream - 1) * me.steps * WIN_THREADS)),
                 lane, x);
    }
}

/* Of both lanes at once. */
WIN_FN void win_put_pair(char *prior, char *bytes, unsigned stream, uint32_t row, uint32_t pair)
{
    at<uint16_t>(bytes, 2 * WIN_THREADS * row) = (uint16_t)(stream ? byte_term(pair) : pair);
    if (stream == 0)
        at<uint32_t>(prior, 4 * WIN_THREADS * row) = widen(byte_term(pair));
}

/* This thread's window of a stream, in both lanes; all items lie on words. */
template <unsigned STREAM>
WIN_FN void win_load_pairs(const struct win_thread &me, const struct win_source &from,
                           const struct win_source &other)
{
    const uint32_t first = turbo_item(from.k, STREAM, me.window * me.steps);
    const uint32_t *const x = (const uint32_t *)(from.word + first);
    const uint32_t *const y = (const uint32_t *)(other.word + first);
    char *prior = win_shared + me.at.prior + 4 * me.thread;
    char *bytes = win_shared + 2 * me.thread +
                  (STREAM ? me.at.parity + (STREAM - 1) * 2 * me.steps * WIN_THREADS : me.at.sys);

    WIN_NO_UNROLL
    for (uint32_t k = 0; k < me.steps / 4; k += WIN_AT_ONCE) {
        uint32_t a[WIN_AT_ONCE], b[WIN_AT_ONCE];

        WIN_UNROLL
        for (uint32_t i = 0; i < WIN_AT_ONCE; i++)
            if (k + i < me.steps / 4)
                a[i] = x[k + i], b[i] = y[k + i];
        WIN_UNROLL
        for (uint32_t i = 0; i < WIN_AT_ONCE; i++) {
            const uint32_t c = win_four(a[i]), d = win_four(b[i]);

            if (k + i < me.steps / 4) {
                WIN_UNROLL
                for (unsigned e = 0; e < 4; e++)
                    win_put_pair(prior, bytes, STREAM, 4 * i + e,
                                 select_bytes(c, d, 0x0040 | 0x11 * e));
            }
        }
        prior += 4 * 4 * WIN_AT_ONCE * WIN_THREADS;
        bytes += 2 * 4 * WIN_AT_ONCE * WIN_THREADS;
    }
}

WIN_FN uint16_t &win_border_state(unsigned encoder, unsigned end, uint32_t thread, unsigned state,
                                  unsigned lane)
{
    return at<uint16_t>(win_border(encoder, end, thread),
                        (state >> 2) * 16 * WIN_THREADS + 4 * (state & 3) + 2 * lane);
}

/* Behind the last window; the pair's threads share the work. */
WIN_FN void win_load_tails(const struct win_thread &me, const struct win_source &from,
                           unsigned lane)
{
    for (unsigned i = me.window; i < 16; i += me.windows)
        win_border_state(i >> 3, 1, me.thread - me.window + me.windows - 1, i & 7,
                         lane) = (uint16_t)(WIN_ZERO + win_tail(from, i >> 3, i & 7));
}

/* Of the block's borders the outer ones are known, of the others nothing. */
WIN_FN void win_load_borders(const struct win_thread &me, const struct win_source &from,
                             unsigned lane)
{
    WIN_UNROLL
    for (unsigned i = 0; i < 16; i++) {
        win_border_state(i >> 3, 0, me.thread, i & 7, lane) = (i & 7) && me.window == 0 ? WIN_NEVER
                                                                                        : WIN_ZERO;
        if (me.window + 1 < me.windows)
            win_border_state(i >> 3, 1, me.thread, i & 7, lane) = WIN_ZERO;
    }
    win_load_tails(me, from, lane);
}

/* Of both lanes. */
WIN_FN void win_load_both_borders(const struct win_thread &me, const struct win_source &low,
                                  const struct win_source &high)
{
    uint32_t begin[8], end[8];

    WIN_UNROLL
    for (unsigned n = 0; n < 8; n++) {
        begin[n] = both(n && me.window == 0 ? WIN_NEVER : WIN_ZERO);
        end[n] = both(WIN_ZERO);
    }
    WIN_UNROLL
    for (unsigned encoder = 0; encoder < 2; encoder++) {
        win_store_metrics(begin, win_border(encoder, 0, me.thread));
        if (me.window + 1 < me.windows)
            win_store_metrics(end, win_border(encoder, 1, me.thread));
    }
    win_load_tails(me, low, 0);
    win_load_tails(me, high, 1);
}

/* ---- the Decoder
   ------------------------------------------------------------------------------- */

struct win_max_log {
    enum { LANES = 2 };
    typedef uint32_t Metric, Llr;
    typedef struct win_best Extrinsic;
    typedef struct win_step Step;

    static WIN_FN_MEMBER uint32_t input(char *prior, uint32_t place)
    {
        return at<uint32_t>(prior, place);
    }

    static WIN_FN_MEMBER uint32_t parity(char *parity, unsigned j)
    {
        return widen(at<uint16_t>(parity, 2 * WIN_THREADS * j));
    }

    static WIN_FN_MEMBER struct win_step step(uint32_t s, uint32_t p)
    {
        return win_make_step(s, p);
    }

    static WIN_FN_MEMBER void forward(const uint32_t (&a)[8], const struct win_step &step, unsigned,
                                      uint32_t (&next)[8])
    {
        win_forward(a, step, next);
    }

    static WIN_FN_MEMBER void backward(uint32_t (&b)[8], const struct win_step &step, unsigned)
    {
        win_backward(b, step);
    }

    static WIN_FN_MEMBER void normalise(uint32_t (&m)[8])
    {
        win_normalise(m);
    }

    static WIN_FN_MEMBER struct win_best extrinsic(const uint32_t (&a)[8], const uint32_t (&b)[8],
                                                   const struct win_step &step)
    {
        return win_extrinsic(a, b, step.p);
    }

    /* What arrived plus the extrinsic LLR, limited and times the factor. */
    static WIN_FN_MEMBER void put(const struct win_thread &me, char *prior,
                                  const struct win_best &extrinsic, uint32_t arrived)
    {
        const uint32_t x = limited_difference(extrinsic, me.limit);

        at<uint32_t>(prior) = minus(multiply_add(x, me.factor, bytes_below(arrived, 0)), me.bias);
    }

    /* Earlier steps' decisions go one bit down. */
    template <int STOP>
    static WIN_FN_MEMBER uint32_t decide(const struct win_thread &, uint32_t decided,
                                         const struct win_step &step,
                                         const struct win_best &extrinsic, struct win_verdict &v)
    {
        const uint32_t llr = difference(extrinsic, step.s);

        if ((STOP & ~WIN_SOFT) == WIN_STOP_LLR) {
            const uint32_t size = __vmins2(__vmaxs2(llr, __vsub2(0, llr)), both(2047));

            v.sum[0] += size & 0xffff;
            v.sum[1] += size >> 16;
            v.least = __vmins2(v.least, size);
        }
        return (decided >> 1 & 0x7fff7fffu) | (llr & 0x80008000u);
    }

    static WIN_FN_MEMBER void put_soft(const struct win_thread &me, const struct win_soft &soft,
                                       uint32_t k, const struct win_step &step,
                                       const struct win_best &extrinsic, uint32_t arrived)
    {
        const uint32_t llr = difference(extrinsic, step.s);

        win_put_soft(me, soft, k, 0, (float)(int16_t)llr, (float)((int)(arrived & 0xff) - 128));
        win_put_soft(me, soft, k, 1, (float)(int16_t)(llr >> 16),
                     (float)((int)(arrived >> 8) - 128));
    }

    static WIN_FN_MEMBER void put_item(const struct win_thread &me, unsigned stream, uint32_t k,
                                       unsigned lane, uint32_t x)
    {
        win_put(me, stream, k, lane, x);
    }

    static WIN_FN_MEMBER void load_borders(const struct win_thread &me,
                                           const struct win_source &from, unsigned lane)
    {
        win_load_borders(me, from, lane);
    }

    static WIN_FN_MEMBER void load_all(const struct win_thread &me, const struct win_source &low,
                                       const struct win_source &high);
};

/* Into both lanes. */
WIN_FN_MEMBER void win_max_log::load_all(const struct win_thread &me, const struct win_source &low,
                                         const struct win_source &high)
{
    if (((uintptr_t)low.word | (uintptr_t)high.word | me.steps) & 3) {
        win_load<win_max_log>(me, low, 0);
        win_load<win_max_log>(me, high, 1);
        return;
    }
    win_load_pairs<0>(me, low, high);
    win_load_pairs<1>(me, low, high);
    win_load_pairs<2>(me, low, high);
    WIN_NO_UNROLL
    for (unsigned lane = 0; lane < 2; lane++) {
        win_fill<win_max_log>(me, lane ? high : low, lane);
        win_join<win_max_log>(me, lane ? high : low, lane);
    }
    win_load_both_borders(me, low, high);
}

#endif
