/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel of plan.h. */
#ifndef TURBO_CUDA_SINGLE_KERNEL_CUH
#define TURBO_CUDA_SINGLE_KERNEL_CUH

#include "plugins/turbo/cuda/single/frame.cuh"

/* ---- steps ----------------------------------------------------------------------------------- */

/* What SINGLE_GROUP steps read; met: the metrics of the other way. */
struct single_steps {
    uint32_t s[SINGLE_GROUP], p[SINGLE_GROUP], arrived[SINGLE_GROUP], to[SINGLE_GROUP],
        turn[SINGLE_GROUP];
    uint32_t met[SINGLE_GROUP][8];
};

template <bool BACK> WIN_FN constexpr int single_way(unsigned j)
{
    return (BACK ? -SINGLE_ROW : SINGLE_ROW) * (int)j;
}

/* From `row` on, in the thread's direction; met: saved metrics, which the other way has left in its own. */
template <bool BACK, bool BEHIND>
WIN_FN void single_read(char *row, const char *met, struct single_steps &g)
{
    WIN_UNROLL
    for (unsigned j = 0; j < SINGLE_GROUP; j++) {
        char *const step = row + single_way<BACK>(j);

        g.s[j] = at<uint32_t>(step, SINGLE_PRIOR * SINGLE_STRIDE);
        g.p[j] = at<uint32_t>(step, SINGLE_PARITY * SINGLE_STRIDE);
        if (BEHIND) {
            single_load(g.met[j], met - SINGLE_METRICS * (int)j);
            g.arrived[j] = at<uint32_t>(step, SINGLE_SYS * SINGLE_STRIDE);
            g.to[j] = at<uint32_t>(step, SINGLE_TO * SINGLE_STRIDE);
            g.turn[j] = at<uint32_t>(step, SINGLE_BY * SINGLE_STRIDE);
        }
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
    win_copy(next, m);
}

/* ---- what lies over borders ------------------------------------------------------------------ */

/*
 * The window in front of column 0's in lane 1 is in the last column's lane 0, and the one behind that
 * in column 0's lane 1: there the lanes are swapped.
 */
template <bool BACK> WIN_FN bool single_is_edge(const struct single_thread &me)
{
    return me.column == (BACK ? me.columns - 1 : 0);
}

/* m: of this column's window; at first what the neighbour left, which is `overlap` steps before. */
template <int ENCODER, bool BACK>
WIN_FN void single_lead(const struct single_thread &me, uint32_t (&m)[8])
{
    const bool edge = single_is_edge<BACK>(me);
    const uint32_t turn = edge ? 16 : 0;
    char *row = win_shared + me.at.rows[ENCODER] +
                SINGLE_ROW * (BACK ? me.overlap - 1 : me.steps - me.overlap) + 4 * me.from;
    uint32_t known[8];

    win_copy(m, known);
    WIN_NO_UNROLL
    for (uint32_t done = 0; done < me.overlap; done += SINGLE_TURN) {
        uint32_t s[SINGLE_TURN], p[SINGLE_TURN];

        WIN_UNROLL
        for (unsigned j = 0; j < SINGLE_TURN; j++) {
            s[j] = at<uint32_t>(row + single_way<BACK>(j), SINGLE_PRIOR * SINGLE_STRIDE);
            p[j] = at<uint32_t>(row + single_way<BACK>(j), SINGLE_PARITY * SINGLE_STRIDE);
        }
        WIN_UNROLL
        for (unsigned j = 0; j < SINGLE_TURN; j++)
            single_go<BACK>(m, win_make_step(term_of(single_turned(s[j], turn)),
                                             term_of(single_turned(p[j], turn))));
        win_normalise(m);
        row += single_way<BACK>(SINGLE_TURN);
    }
    WIN_UNROLL
    for (unsigned n = 0; n < 8; n++) /* one of the edge's lanes is the block's end */
        m[n] = !edge  ? m[n]
               : BACK ? select_bytes(m[n], known[n], 0x7610)
                      : select_bytes(m[n], known[n], 0x3254);
}

/* What the neighbour begins with; at the edge in its other lane. */
template <int ENCODER, bool BACK>
WIN_FN void single_hand_over(const struct single_thread &me, const uint32_t (&m)[8])
{
    char *const to = win_shared + single_border(me, ENCODER, BACK, me.to);

    if (!single_is_edge<!BACK>(me)) {
        single_store(m, to);
        return;
    }
    WIN_UNROLL
    for (unsigned n = 0; n < 8; n++)
        at<uint16_t>(to, n / 4 * (SINGLE_METRICS / 2) + 4 * (n % 4) +
                             (BACK ? 0 : 2)) = (uint16_t)(BACK ? m[n] >> 16 : m[n]);
}

/* ---- two halves of a window ------------------------------------------------------------------ */

/* A group of steps on the way to the middle; metrics before each step stay behind. */
template <bool BACK>
WIN_FN void single_save(uint32_t (&m)[8], const struct single_steps &g, char *saved)
{
    WIN_UNROLL
    for (unsigned j = 0; j < SINGLE_GROUP; j++) {
        single_store(m, saved + SINGLE_METRICS * j);
        single_go<BACK>(m, win_make_step(term_of(g.s[j]), term_of(g.p[j])));
    }
}

/* To the middle of the window. While a group is done the next one is read. */
template <int ENCODER, bool BACK>
WIN_FN void single_before(const struct single_thread &me, uint32_t (&m)[8])
{
    const uint32_t middle = me.steps / 2;
    char *row = single_row(me, ENCODER, BACK ? me.steps - 1 : 0);
    char *saved = win_shared + me.at.saved + (BACK ? middle * SINGLE_METRICS : 0) + 16 * me.column;
    struct single_steps even, odd;

    single_read<BACK, false>(row, NULL, even);
    WIN_NO_UNROLL
    for (uint32_t done = 0; done < middle; done += SINGLE_TURN) {
        single_read<BACK, false>(row + single_way<BACK>(SINGLE_GROUP), NULL, odd);
        single_save<BACK>(m, even, saved);
        row += single_way<BACK>(SINGLE_TURN);
        single_read<BACK, false>(row, NULL, even); /* at last unused */
        single_save<BACK>(m, odd, saved + SINGLE_METRICS * SINGLE_GROUP);
        win_normalise(m);
        saved += SINGLE_METRICS * SINGLE_TURN;
    }
}

/* Where half of a window or more overlaps. */
template <int ENCODER, bool BACK> WIN_FN void single_hand_over_early(const struct single_thread &me)
{
    const uint32_t middle = me.steps / 2, step = me.steps - me.overlap + (BACK ? middle : 0);
    uint32_t m[8];

    single_load(m, win_shared + me.at.saved + SINGLE_METRICS * step + 16 * me.column);
    single_hand_over<ENCODER, BACK>(me, m);
}

/*
 * A group of steps behind the middle. In the last iteration the bits' LLRs stay where what arrived has been, which
 * nobody needs any more.
 */
template <int ENCODER, bool BACK>
WIN_FN void single_find(const struct single_thread &me, uint32_t (&m)[8],
                        const struct single_steps &g, bool last, char *row)
{
    WIN_UNROLL
    for (unsigned j = 0; j < SINGLE_GROUP; j++) {
        const struct win_step step = win_make_step(term_of(g.s[j]), term_of(g.p[j]));
        const struct win_best x = BACK ? win_extrinsic(g.met[j], m, step.p)
                                       : win_extrinsic(m, g.met[j], step.p);
        const uint32_t limited = limited_difference(x, me.limit);
        const uint32_t prior = __vsub2(multiply_add(limited, me.factor, g.arrived[j]), me.bias);

        at<uint32_t>(win_shared, g.to[j] + SINGLE_PRIOR * SINGLE_STRIDE) = single_turned(prior,
                                                                                         g.turn[j]);
        if (!ENCODER && last)
            at<uint32_t>(row + single_way<BACK>(j),
                         SINGLE_SYS * SINGLE_STRIDE) = difference(x, step.s);
        single_go<BACK>(m, step);
    }
}

/* From the middle on, in two parts: between them, `overlap` steps before the end, the neighbour gets its metrics. */
template <int ENCODER, bool BACK>
WIN_FN void single_behind(const struct single_thread &me, bool last, uint32_t (&m)[8])
{
    const uint32_t middle = me.steps / 2;
    uint32_t done = 0, end = me.overlap <= middle ? middle - me.overlap : middle;
    char *row = single_row(me, ENCODER, BACK ? middle - 1 : middle);
    char *saved = win_shared + me.at.saved + ((BACK ? 0 : middle) + middle - 1) * SINGLE_METRICS +
                  16 * me.column;
    struct single_steps even, odd;

    single_read<BACK, true>(row, saved, even);
    if (me.overlap > middle)
        single_hand_over_early<ENCODER, BACK>(me);
    WIN_NO_UNROLL
    for (;;) {
        WIN_NO_UNROLL
        for (; done < end; done += SINGLE_TURN) {
            char *const here = row;
            const bool more = done + SINGLE_TURN < middle;

            single_read<BACK, true>(row + single_way<BACK>(SINGLE_GROUP),
                                    saved - SINGLE_METRICS * SINGLE_GROUP, odd);
            single_find<ENCODER, BACK>(me, m, even, last, here);
            row += more ? single_way<BACK>(SINGLE_TURN) : 0;
            saved -= more ? SINGLE_METRICS * SINGLE_TURN : 0;
            single_read<BACK, true>(row, saved, even); /* at last the same, unused */
            single_find<ENCODER, BACK>(me, m, odd, last, here + single_way<BACK>(SINGLE_GROUP));
            win_normalise(m);
        }
        if (done + me.overlap == middle)
            single_hand_over<ENCODER, BACK>(me, m);
        if (done == middle)
            break;
        end = middle;
    }
}

/* ---- a half iteration ------------------------------------------------------------------------ */

template <int ENCODER, bool BACK>
WIN_FN void single_first(const struct single_thread &me, uint32_t (&m)[8])
{
    single_load(m, win_shared + single_border(me, ENCODER, BACK, me.column));
    if (me.overlap)
        single_lead<ENCODER, BACK>(me, m);
    single_before<ENCODER, BACK>(me, m);
}

template <int ENCODER> WIN_FN void single_half(const struct single_thread &me, bool last, bool back)
{
    uint32_t m[8];

    if (back)
        single_first<ENCODER, true>(me, m);
    else
        single_first<ENCODER, false>(me, m);
    __syncthreads(); /* both ways through the columns */
    if (back)
        single_behind<ENCODER, true>(me, last, m);
    else
        single_behind<ENCODER, false>(me, last, m);
    __syncthreads();
}

/* ---- the kernel ------------------------------------------------------------------------------ */

WIN_FN struct single_thread single_begin(const struct turbo_windows_job &job)
{
    const struct turbo_windows_class &c = job.only;
    struct single_thread me;
    uint32_t left, right;

    me.at = turbo_single_lay_out(SINGLE_COLUMNS, c.steps);
    me.columns = c.windows / 2;
    me.column = threadIdx.x < me.columns ? threadIdx.x : threadIdx.x - me.columns;
    left = me.column == 0 ? me.columns - 1 : me.column - 1;
    right = me.column + 1 == me.columns ? 0 : me.column + 1;
    me.from = threadIdx.x < me.columns ? left : right;
    me.to = threadIdx.x < me.columns ? right : left;
    me.steps = c.steps;
    me.overlap = c.overlap;
    me.per_steps = single_inverse(c.steps);
    me.bias = job.bias;
    me.limit = job.limit;
    me.factor = job.factor;
    return me;
}

WIN_FN void single_decode(const struct turbo_windows_job &job)
{
    const struct turbo_windows_class &c = job.only;
    const struct turbo_qpp qpp = {(uint16_t)c.k, (uint16_t)c.f1, (uint16_t)c.f2};
    const struct single_thread me = single_begin(job);
    const bool back = threadIdx.x >= me.columns;

    single_touch_window(me, win_source_of(job, c, blockIdx.x), back);
    single_find_places(me, qpp, back);
    for (uint32_t frame = blockIdx.x; frame < c.frames; frame += gridDim.x) {
        single_load_frame(me, win_source_of(job, c, frame), back);
        __syncthreads();
        single_spread(me, back);
        __syncthreads();
        WIN_NO_UNROLL
        for (uint32_t n = 0; n < job.iterations; n++) {
            single_half<1>(me, false, back);
            single_half<0>(me, n + 1 == job.iterations, back);
        }
        single_decide(me, back);
        __syncthreads();
        single_store_bits(me, c.k, c.fillers, job.packed, job.out + frame * job.out_stride);
        if (threadIdx.x == 0)
            job.info[frame].iterations = job.iterations;
        __syncthreads();
    }
}

#ifndef WIN_ON_HOST
static __global__ void __launch_bounds__(2 * SINGLE_COLUMNS, 1)
    turbo_single_kernel(const __grid_constant__ struct turbo_windows_job job)
{
    single_decode(job);
}
#endif

#endif
