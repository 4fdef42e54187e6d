/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernels of plan.h: which blocks of bits a block of threads takes, and its iterations. The
 * arithmetic is that of a `Decoder`: maxlog.cuh, logmap.cuh.
 */
#ifndef TURBO_CUDA_WINDOWS_KERNEL_CUH
#define TURBO_CUDA_WINDOWS_KERNEL_CUH

#include <fecrun/plugin.h>

#include "plugins/turbo/cuda/windows/frame.cuh"
#include "plugins/turbo/cuda/windows/share.cuh"

/* Which blocks of bits the lanes of a slot have, WIN_NONE if none; all its threads know. */
struct win_pair {
    uint32_t frame[2], iterations[2];
};

/* ---- what threads know of a class
   -------------------------------------------------------------- */

WIN_FN void win_make_places(const struct turbo_windows_class &c,
                            const struct turbo_windows_layout &place, uint32_t thread)
{
    const struct turbo_qpp qpp = {(uint16_t)c.k, (uint16_t)c.f1, (uint16_t)c.f2};

    for (uint32_t k = thread; k < c.steps; k += WIN_THREADS) {
        const uint32_t pi = turbo_pi(&qpp, k), window = pi / c.steps;

        at<uint2>(win_shared, place.places + 8 * k) = make_uint2(
            4 * WIN_THREADS * (pi - window * c.steps), 4 * window);
    }
}

WIN_FN struct win_thread win_begin_class(const struct turbo_windows_job &job,
                                         const struct turbo_windows_class &c)
{
    struct win_thread me;

    me.at = turbo_windows_lay_out(WIN_THREADS, c.windows, c.steps);
    me.thread = threadIdx.x;
    me.slot = me.thread / c.windows;
    me.window = me.thread - me.slot * c.windows;
    if (me.slot >= c.slots)
        me.slot = c.slots;
    me.windows = c.windows;
    me.steps = c.steps;
    me.overlap = c.overlap;
    me.blocks = turbo_windows_blocks(c.steps);
    WIN_UNROLL
    for (uint32_t k = 0; k < 4; k++) { /* all terms stay below 2^32: P <= 192, f1, f2 < 2^13 */
        const uint32_t by = (c.f1 + 2 * c.f2 * k) % c.windows;
        const uint32_t square = c.f2 * c.steps % c.windows * me.window % c.windows;

        me.column[k] = 4 * ((by + square) * me.window % c.windows);
        at<uint16_t>(win_shared,
                     WIN_COLUMNS(WIN_THREADS) + 8 * me.thread + 2 * k) = (uint16_t)me.column[k];
    }
    me.bias = job.bias;
    me.limit = job.limit;
    me.factor = job.factor;
    me.unit = job.unit;
    me.scale = job.scale;
    win_make_places(c, me.at, me.thread);
    return me;
}

/* ---- early stop ------------------------------------------------------------------------------ */

WIN_FN uint32_t &win_found(const struct win_thread &me, uint32_t iteration, unsigned lane)
{
    const uint32_t half = (me.at.bytes - me.at.found) / 2;

    return at<uint32_t>(win_shared, me.at.found + iteration % 2 * half + 8 * me.slot + 4 * lane);
}

/* What this thread's window adds to what the pair finds. */
template <class Decoder, int STOP>
WIN_FN void win_report(const struct turbo_windows_job &job, const struct win_thread &me,
                       const struct win_verdict &v, uint32_t crc_weight, uint32_t iteration)
{
    WIN_UNROLL
    for (unsigned lane = 0; lane < Decoder::LANES; lane++) {
        uint32_t *const found = &win_found(me, iteration, lane);

        if ((STOP & ~WIN_SOFT) == WIN_STOP_CRC)
            atomicXor(found, win_crc_product(win_crc_window(me, lane, job.polynomial), crc_weight,
                                             job.polynomial));
        else if (job.mean)
            atomicAdd(found, v.sum[lane]);
        else
            atomicMax(found, 65535 - (v.least >> 16 * lane & 0xffff));
    }
}

/* A finding of 0 is where each iteration starts. */
template <int STOP>
WIN_FN bool win_is_met(const struct turbo_windows_job &job, const struct turbo_windows_class &c,
                       uint32_t found)
{
    if ((STOP & ~WIN_SOFT) == WIN_ALWAYS_ALL)
        return false;
    if ((STOP & ~WIN_SOFT) == WIN_STOP_CRC)
        return found == 0;
    if (job.mean)
        return found >= job.threshold * (c.k - c.fillers);
    return 65535 - found >= job.threshold;
}

/* ---- blocks of bits
   ----------------------------------------------------------------------------- */

WIN_FN uint32_t win_frame_at(const struct turbo_windows_job &job,
                             const struct turbo_windows_class &c, uint32_t place)
{
    if (place >= c.frames)
        return WIN_NONE;
    return job.order ? job.order[c.first + place] : c.first + place;
}

/* The one that is this far ahead is taken about when all lanes of the grid have the next one. */
template <class Decoder>
WIN_FN void win_take(const struct turbo_windows_job &job, const struct turbo_windows_class &c,
                     const struct win_thread &me, struct win_pair &pair, unsigned lane,
                     uint32_t place)
{
    const uint32_t later = win_frame_at(job, c, place + Decoder::LANES * c.slots * gridDim.x);

    pair.frame[lane] = win_frame_at(job, c, place);
    pair.iterations[lane] = 0;
    if (pair.frame[lane] != WIN_NONE)
        win_load<Decoder>(me, win_source_of(job, c, pair.frame[lane]), lane);
    if (later != WIN_NONE)
        win_prefetch(me, win_source_of(job, c, later));
}

/* All lanes; an odd one at the end is decoded twice. */
template <class Decoder>
WIN_FN void win_take_all(const struct turbo_windows_job &job, const struct turbo_windows_class &c,
                         const struct win_thread &me, struct win_pair &pair, uint32_t place)
{
    WIN_UNROLL
    for (unsigned lane = 0; lane < Decoder::LANES; lane++) {
        const uint32_t later = win_frame_at(job, c,
                                            place + lane + Decoder::LANES * c.slots * gridDim.x);

        pair.frame[lane] = win_frame_at(job, c, place + lane);
        pair.iterations[lane] = job.iterations;
        if (later != WIN_NONE)
            win_prefetch(me, win_source_of(job, c, later));
    }
    if (pair.frame[0] != WIN_NONE)
        Decoder::load_all(
            me, win_source_of(job, c, pair.frame[0]),
            win_source_of(job, c, pair.frame[Decoder::LANES > 1 && pair.frame[1] != WIN_NONE]));
}

WIN_FN void win_give(const struct turbo_windows_job &job, const struct turbo_windows_class &c,
                     const struct win_thread &me, struct win_pair &pair, unsigned lane,
                     bool checked, bool met)
{
    const uint32_t frame = pair.frame[lane];
    uint8_t *const out = job.out +
                         (job.out_offset ? job.out_offset[frame] : frame * job.out_stride);

    win_store(me, c.k, c.fillers, lane, job.packed, out);
    if (me.window == 0) {
        struct fecrun_frame_info *const info = &job.info[frame];

        info->iterations = pair.iterations[lane];
        if (checked)
            info->flags = (info->flags & ~(uint32_t)FECRUN_FRAME_FAILED) | FECRUN_FRAME_CHECKED |
                          (met ? 0 : FECRUN_FRAME_FAILED);
    }
    pair.frame[lane] = WIN_NONE;
}

/* ---- iterations ------------------------------------------------------------------------------ */

/* Before a half iteration changes any LLRs. */
template <class Decoder, int ENCODER>
WIN_FN void win_overlap(const struct win_thread &me, bool idle)
{
    if (!me.overlap) /* of all threads */
        return;
    if (!idle)
        win_lead<Decoder, ENCODER>(me);
    __syncthreads();
}

/* The second encoder's half comes first: then the bits are decided in their own order. */
template <class Decoder, int STOP, bool WHOLE>
WIN_FN void win_iterate(const struct turbo_windows_job &job, const struct win_thread &me,
                        uint32_t slots, uint32_t crc_weight, uint32_t iteration,
                        const struct win_soft &soft)
{
    const bool idle = me.slot == slots;
    struct win_verdict v = {{0, 0}, 0x7fff7fffu, soft};
    typename Decoder::Metric a[8], b[8];

    win_overlap<Decoder, 1>(me, idle);
    if (!idle)
        win_half<Decoder, 1, STOP, WHOLE>(me, a, b, v);
    __syncthreads();
    if (!idle)
        win_hand_over(me, 1, a, b);
    win_overlap<Decoder, 0>(me, idle);
    if (!idle) {
        if (STOP && me.window == 0)
            win_found(me, iteration, 0) = win_found(me, iteration, 1) = 0;
        win_half<Decoder, 0, STOP, WHOLE>(me, a, b, v);
    }
    if (STOP)
        __syncthreads();
    if (STOP & ~WIN_SOFT && !idle)
        win_report<Decoder, STOP>(job, me, v, crc_weight, iteration);
    __syncthreads();
    if (!idle)
        win_hand_over(me, 0, a, b);
}

/* All lanes at once, and the same number of iterations for all. */
template <class Decoder, bool WHOLE>
WIN_FN void win_decode_group(const struct turbo_windows_job &job,
                             const struct turbo_windows_class &c, const struct win_thread &me,
                             uint32_t group)
{
    const bool idle = me.slot == c.slots;
    const struct win_soft none = {{NULL, NULL}, {NULL, NULL}, 0};
    struct win_pair pair = {{WIN_NONE, WIN_NONE}, {0, 0}};

    if (!idle)
        win_take_all<Decoder>(job, c, me, pair, Decoder::LANES * (group * c.slots + me.slot));
    __syncthreads();
    WIN_NO_UNROLL
    for (uint32_t n = 0; n < job.iterations; n++)
        win_iterate<Decoder, WIN_ALWAYS_ALL, WHOLE>(job, me, c.slots, 0, n, none);
    WIN_NO_UNROLL
    for (unsigned lane = 0; lane < Decoder::LANES && !idle; lane++) {
        if (pair.frame[lane] != WIN_NONE)
            win_give(job, c, me, pair, lane, false, false);
    }
    __syncthreads();
}

/* Empty lanes of a pair take what comes next in the queue. */
template <class Decoder>
WIN_FN void win_refill(const struct turbo_windows_job &job, const struct turbo_windows_class &c,
                       const struct win_thread &me, uint32_t *queue, struct win_pair &pair)
{
    const bool idle = me.slot == c.slots;
    char *const next = win_shared + me.at.next + 8 * me.slot;

    if (!idle && me.window == 0)
        for (unsigned lane = 0; lane < Decoder::LANES; lane++)
            if (pair.frame[lane] == WIN_NONE)
                at<uint32_t>(next, 4 * lane) = atomicAdd(queue, 1);
    __syncthreads();
    WIN_NO_UNROLL
    for (unsigned lane = 0; lane < Decoder::LANES && !idle; lane++)
        if (pair.frame[lane] == WIN_NONE)
            win_take<Decoder>(job, c, me, pair, lane, at<uint32_t>(next, 4 * lane));
}

/* Each iteration's LLRs go out, and the last one's stay. */
WIN_FN struct win_soft win_soft_of(const struct turbo_windows_job &job,
                                   const struct turbo_windows_class &c, const struct win_pair &pair)
{
    struct win_soft soft = {{NULL, NULL}, {NULL, NULL}, c.fillers};

    WIN_UNROLL
    for (unsigned lane = 0; lane < 2; lane++) {
        const uint32_t frame = pair.frame[lane];

        if (frame == WIN_NONE)
            continue;
        WIN_UNROLL
        for (unsigned port = 0; port < 2; port++) {
            const uint64_t from = job.soft_offset ? job.soft_offset[frame]
                                                  : frame * job.soft_stride[port];
            float *const to = job.soft[port] ? (float *)((char *)job.soft[port] + from) : NULL;

            (port ? soft.extrinsic : soft.llr)[lane] = to;
        }
    }
    return soft;
}

/* Each lane takes a block of bits as soon as its last one meets the rule. */
template <class Decoder, int STOP, bool WHOLE>
WIN_FN void win_decode_queue(const struct turbo_windows_job &job,
                             const struct turbo_windows_class &c, const struct win_thread &me,
                             uint32_t *queue)
{
    const bool idle = me.slot == c.slots;
    uint32_t crc_weight = 0, iteration = 0;
    struct win_pair pair = {{WIN_NONE, WIN_NONE}, {0, 0}};
    struct win_soft soft = {{NULL, NULL}, {NULL, NULL}, 0};

    if ((STOP & ~WIN_SOFT) == WIN_STOP_CRC) {
        win_make_crc_table(job.polynomial, me.thread);
        if (!idle)
            crc_weight = win_crc_power((c.windows - 1 - me.window) * c.steps, job.polynomial);
    }
    for (;;) {
        bool some;

        win_refill<Decoder>(job, c, me, queue, pair);
        some = !idle && (pair.frame[0] != WIN_NONE || pair.frame[1] != WIN_NONE);
        if (!__syncthreads_or(some))
            return;
        if (STOP & WIN_SOFT)
            soft = win_soft_of(job, c, pair);
        for (some = false; !some; iteration++) {
            win_iterate<Decoder, STOP, WHOLE>(job, me, c.slots, crc_weight, iteration, soft);
            for (unsigned lane = 0; lane < Decoder::LANES && !idle; lane++) {
                pair.iterations[lane]++;
                some |= pair.frame[lane] != WIN_NONE &&
                        (pair.iterations[lane] == job.iterations ||
                         win_is_met<STOP>(job, c, win_found(me, iteration, lane)));
            }
            some = __syncthreads_or(some);
        }
        for (unsigned lane = 0; lane < Decoder::LANES && !idle; lane++) {
            const bool met = win_is_met<STOP>(job, c, win_found(me, iteration - 1, lane));

            if (pair.frame[lane] != WIN_NONE && (met || pair.iterations[lane] == job.iterations))
                win_give(job, c, me, pair, lane, STOP & ~WIN_SOFT, met);
        }
    }
}

/* ---- classes
   ------------------------------------------------------------------------------------- */

template <class Decoder> WIN_FN uint32_t win_groups(const struct turbo_windows_class &c)
{
    const uint32_t each = Decoder::LANES * c.slots;

    return (c.frames + each - 1) / each;
}

/* The group after this one, of so many: asked for when a group begins, needed when it ends. */
WIN_FN void win_ask(const struct turbo_windows_job &job, uint32_t groups, uint32_t n)
{
    if (threadIdx.x == 0)
        at<uint32_t>(win_shared, WIN_NEXT(WIN_THREADS) + 4 * (n % 2)) =
            job.processors ? win_share_next(job, groups, win_processor() % job.processors)
                           : gridDim.x + atomicAdd(job.queue, 1);
}

template <class Decoder> WIN_FN uint32_t win_first(const struct turbo_windows_job &job)
{
    if (!job.processors)
        return blockIdx.x;
    if (threadIdx.x == 0)
        win_share_begin(job, win_processor() % job.processors);
    win_ask(job, win_groups<Decoder>(job.only), 1);
    __syncthreads();
    return at<uint32_t>(win_shared, WIN_NEXT(WIN_THREADS) + 4);
}

/* Not WHOLE: windows of some classes are not whole blocks of steps, those of others may be. */
template <class Decoder, bool WHOLE>
WIN_FN void win_decode_any_group(const struct turbo_windows_job &job,
                                 const struct turbo_windows_class &c, const struct win_thread &me,
                                 uint32_t group)
{
    if (WHOLE || c.steps % WIN_BLOCK == 0)
        win_decode_group<Decoder, true>(job, c, me, group);
    else
        win_decode_group<Decoder, false>(job, c, me, group);
}

/* Groups of all classes in one row, and who is done takes the next; of one class see share.cuh. */
template <class Decoder, bool WHOLE> WIN_FN void win_decode_all(const struct turbo_windows_job &job)
{
    const uint32_t classes = job.n_classes ? job.n_classes : 1;
    uint32_t mine = win_first<Decoder>(job), before = 0, n = 0;

    for (uint32_t i = 0; i < classes; i++) {
        const struct turbo_windows_class c = job.n_classes ? job.classes[i] : job.only;
        const uint32_t behind = before + win_groups<Decoder>(c);

        if (mine < behind) {
            const struct win_thread me = win_begin_class(job, c);

            for (; mine < behind; n++) {
                win_ask(job, behind, n);
                win_decode_any_group<Decoder, WHOLE>(job, c, me, mine - before);
                mine = at<uint32_t>(win_shared, WIN_NEXT(WIN_THREADS) + 4 * (n % 2));
            }
        }
        before = behind;
    }
}

/* Each block of threads begins with another class, and helps with the others when it is done. */
template <class Decoder, int STOP, bool WHOLE>
WIN_FN void win_decode_queues(const struct turbo_windows_job &job)
{
    const uint32_t classes = job.n_classes ? job.n_classes : 1;
    uint32_t first = blockIdx.x % classes;

    for (uint32_t n = 0; n < classes; n++) {
        const uint32_t i = first + n < classes ? first + n : first + n - classes;
        const struct turbo_windows_class c = job.n_classes ? job.classes[i] : job.only;
        const struct win_thread me = win_begin_class(job, c);

        if (WHOLE || c.steps % WIN_BLOCK == 0)
            win_decode_queue<Decoder, STOP, true>(job, c, me, job.queue + i);
        else
            win_decode_queue<Decoder, STOP, false>(job, c, me, job.queue + i);
    }
}

#ifndef WIN_ON_HOST
template <class Decoder, int STOP, bool WHOLE>
static __global__ void __launch_bounds__(WIN_THREADS, WIN_THREADS == WIN_NARROW ? 2 : 1)
    turbo_windows_kernel(const __grid_constant__ struct turbo_windows_job job)
{
    if constexpr (STOP == WIN_ALWAYS_ALL)
        win_decode_all<Decoder, WHOLE>(job);
    else
        win_decode_queues<Decoder, STOP, WHOLE>(job);
}
#endif

#endif
