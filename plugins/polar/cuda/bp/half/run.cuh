/* SPDX-License-Identifier: BSD-2-Clause */
/* Pairs of frames from what was received to their bits: iterations, when they end, output. */
#ifndef POLAR_CUDA_BP_HALF_RUN_CUH
#define POLAR_CUDA_BP_HALF_RUN_CUH

#include "plugins/polar/cuda/bp/half/phases.cuh"
#include "plugins/polar/cuda/output.cuh"
#include "plugins/polar/decode.h"

/* What a block's threads tell each other, of each pair. */
struct bp_flags {
    uint32_t wrong[2]; /* lanes whose u and x differ; of even iterations, of odd ones */
    uint32_t sum[2];   /* of the syndromes of both frames */
};

/* How far a pair's frames are, as the thread of a block of 16 knows it. */
struct bp_progress {
    uint32_t done;          /* lanes: bits are not to change any more */
    uint32_t bits;          /* u of the thread's block, when its frame was done or as it is */
    uint32_t iterations[2]; /* of each frame */
};

template <int STAGES> struct bp_memory {
    bp_thread<STAGES> me;
    struct bp_flags *flags;
    uint32_t *received; /* of the thread, 16 bytes */
};

/* ---- Where everything is ----------------------------------------------------------------------- */

/*
 * Cheap blocks are those of a block's first threads, whose warps are always on the same of a
 * multiprocessor's schedulers; so every other block of threads has the halves of that change places.
 */
template <uint32_t THREADS>
FECRUN_ON_DEVICE struct polar_bp_thread bp_load_thread(const struct polar_bp_half_job &job)
{
    const uint32_t other = threadIdx.x ^ (__popc(blockIdx.x) & 1 ? THREADS / 2 : 0);
    uint32_t word[BP_THREAD_WORDS];
    struct polar_bp_thread t;

    fecrun_load_128(word, &job.thread[other].place);
    fecrun_load_128(word + 4, &job.thread[threadIdx.x].middle_4);
    memcpy(&t, word, sizeof t);
    return t;
}

FECRUN_ON_DEVICE uint32_t *bp_shared_at(uint32_t *shared, uint32_t bytes)
{
    return (uint32_t *)((char *)shared + bytes);
}

template <int STAGES>
FECRUN_ON_DEVICE void bp_lay_out(const struct polar_bp_half_job &job, uint32_t *shared,
                                 bp_memory<STAGES> &m)
{
    using shape = bp_shape<STAGES>;
    const struct polar_bp_thread t = bp_load_thread<shape::THREADS>(job);
    bp_thread<STAGES> &me = m.me;

    me.u = shared + shape::PAIRS * (shape::WORDS_4 + (shape::MIDDLE ? shape::WORDS_8 : 0)) +
           shape::THREADS * 16;
    m.flags = (struct bp_flags *)(me.u + shape::THREADS);
    me.pair = threadIdx.x / shape::EACH;
    me.number = threadIdx.x % shape::EACH;
    me.place = t.place;
    me.pairs = job.pairs + 16 * me.place.block;
    me.scale = job.scale;
    me.sure = job.sure;
    me.cheap = __ballot_sync(0xffffffffu, me.place.kind == BP_ANY_BLOCK) == 0;
    me.first_4 = bp_shared_at(shared, me.place.first_4);
    me.middle_4 = bp_shared_at(shared, t.middle_4);
    me.middle_8 = bp_shared_at(shared, t.middle_8);
    me.last_in = bp_shared_at(shared, t.last);
    m.received = bp_shared_at(shared, t.received);
    me.received = m.received;
}

/* ---- Beginning --------------------------------------------------------------------------------- */

FECRUN_ON_DEVICE const int8_t *bp_frame(const struct polar_frames &f, uint32_t frame)
{
    return f.in + (frame < f.count ? frame : f.count - 1) * f.in_stride;
}

/* An odd frame at the end is decoded in both lanes. */
template <int STAGES>
FECRUN_ON_DEVICE void bp_receive(const struct polar_bp_half_job &job, bp_memory<STAGES> &m,
                                 uint32_t pair)
{
    using shape = bp_shape<STAGES>;
    const int8_t *const first = bp_frame(job.bp.frames, 2 * pair) + m.me.number;
    const int8_t *const second = bp_frame(job.bp.frames, 2 * pair + 1) + m.me.number;
    uint32_t llr[16];

    FECRUN_UNROLL
    for (uint32_t k = 0; k < 16; k++) {
        const uint32_t one = (uint8_t)first[k * shape::EACH],
                       two = (uint8_t)second[k * shape::EACH];

        /* 1152 and more; -128 is limited */
        llr[k] = (one | two << 16) ^ 0x64806480u;
        llr[k] = bp_check(bp_fma(llr[k], job.unit, job.bias), job.most);
    }
    bp_put_16(m.received, llr, 4 * shape::THREADS);
}

template <int STAGES> FECRUN_ON_DEVICE void bp_begin(bp_thread<STAGES> &me)
{
    FECRUN_UNROLL
    for (int i = 0; i < 16; i++) {
        me.x1[i] = me.x2[i] = me.x3[i] = 0;
        me.x5[i] = me.x6[i] = me.x7[i] = 0;
        me.last[i] = me.y1[i] = me.y2[i] = me.y3[i] = 0;
        if (bp_shape<STAGES>::MIDDLE)
            me.middle_4[20 * i] = 0;
    }
}

/* ---- When frames are done ------------------------------------------------------------------------ */

/* The thread's share of its frames' syndromes. */
template <int STAGES>
FECRUN_ON_DEVICE void bp_add_syndrome(const struct polar_bp_job &job, const bp_memory<STAGES> &m,
                                      uint32_t bits)
{
    const uint32_t *const syndrome = job.syndrome + 16 * m.me.place.block;
    uint32_t sum[2] = {0, 0};

    FECRUN_UNROLL
    for (int q = 0; q < 4; q++) {
        uint32_t word[4];

        fecrun_load_128(word, syndrome + 4 * q);
        FECRUN_UNROLL
        for (int k = 0; k < 4; k++) {
            sum[0] ^= bits >> (4 * q + k) & 1 ? word[k] : 0;
            sum[1] ^= bits >> (4 * q + k + 16) & 1 ? word[k] : 0;
        }
    }
    atomicXor(&m.flags[m.me.place.pair].sum[0], sum[0]);
    atomicXor(&m.flags[m.me.place.pair].sum[1], sum[1]);
}

/* Lanes of a pair whose CRC fails, once all have added. */
FECRUN_ON_DEVICE uint32_t bp_failed(const struct polar_bp_job &job, const struct bp_flags &flags)
{
    return (flags.sum[0] != job.right ? 0xffffu : 0) |
           (flags.sum[1] != job.right ? 0xffff0000u : 0);
}

/* Of columns that the middle phase has, u G: x of 16 words whose numbers differ in bits 4 .. 7. */
template <int STAGES> FECRUN_ON_DEVICE void bp_encode_middle(const bp_thread<STAGES> &me)
{
    uint32_t *const at = me.u + me.pair * bp_shape<STAGES>::EACH + me.number;
    uint32_t word = *at;

    FECRUN_UNROLL
    for (uint32_t distance = 1; distance < 16; distance *= 2) {
        const uint32_t other = __shfl_xor_sync(0xffffffffu, word, (int)distance);

        word ^= me.number & distance ? 0 : other;
    }
    *at = word;
}

/* Which lanes' decided u, encoded, is not the decided x? Behind bp_right_last(). */
template <int STAGES> FECRUN_ON_DEVICE uint32_t bp_compare(const bp_thread<STAGES> &me)
{
    using shape = bp_shape<STAGES>;
    const uint32_t *const words = me.u + me.pair * shape::EACH + me.number / 16;
    uint32_t x[16], sum[16], differ = 0;

    bp_right_x(me, sum);
    FECRUN_UNROLL
    for (uint32_t k = 0; k < 16; k++)
        x[k] = words[k * shape::EACH / 16] << (15 - me.number % 16);
    FECRUN_UNROLL
    for (uint32_t h = 1u << (4 - shape::LAST); h < 16; h *= 2)
        FECRUN_UNROLL
    for (uint32_t k = 0; k < 16; k++)
        if (!(k & h))
            x[k] ^= x[k + h];
    FECRUN_UNROLL
    for (int k = 0; k < 16; k++)
        differ |= x[k] ^ bp_add(sum[k], 0);
    return (differ & 0x8000u ? 0xffffu : 0) | (differ & 0x80000000u ? 0xffff0000u : 0);
}

/* Lanes that are right now are done, after so many iterations. True: all frames of the block are. */
template <int STAGES>
FECRUN_ON_DEVICE bool bp_mark(struct bp_progress &p, uint32_t wrong, uint32_t iterations)
{
    const uint32_t now = ~wrong & ~p.done;

    if (now & 0xffffu)
        p.iterations[0] = iterations;
    if (now >> 16)
        p.iterations[1] = iterations;
    p.done |= now;
    return bp_shape<STAGES>::PAIRS == 1 ? p.done == 0xffffffffu
                                        : __syncthreads_and(p.done == 0xffffffffu);
}

/* ---- Iterations ---------------------------------------------------------------------------------- */

/* The left half of an iteration but its first phase, from received LLRs to column 4. */
template <int STAGES> FECRUN_ON_DEVICE void bp_go_left(bp_thread<STAGES> &me)
{
    if constexpr (bp_shape<STAGES>::MIDDLE) {
        bp_left_middle(me);
        __syncthreads();
    }
}

template <int STAGES> FECRUN_ON_DEVICE void bp_go_right(bp_thread<STAGES> &me, bool compares)
{
    if constexpr (bp_shape<STAGES>::MIDDLE) {
        bp_right_middle(me);
        if (compares)
            bp_encode_middle(me);
        __syncthreads();
    }
    bp_right_last(me);
}

template <int STAGES>
FECRUN_ON_DEVICE uint32_t bp_iterate(const struct polar_bp_job &job, bp_thread<STAGES> &me)
{
    uint32_t x4[16];

    POLAR_UNROLL_BY(1)
    for (uint32_t left = job.iterations;; left--) {
        bp_left_last(me);
        __syncthreads();
        bp_go_left(me);
        bp_left_first(me, x4);
        if (left == 1)
            return bp_bits(me, x4);
        bp_right_first(me, x4);
        __syncthreads();
        bp_go_right(me, false);
    }
}

/* The same, until all frames are done. */
template <int STAGES>
FECRUN_ON_DEVICE void bp_iterate_until(const struct polar_bp_job &job, bp_memory<STAGES> &m,
                                       struct bp_progress &p)
{
    const bool compares = job.stop == POLAR_GMATRIX;
    bp_thread<STAGES> &me = m.me;
    struct bp_flags &flags = m.flags[me.place.pair];
    uint32_t x4[16];

    POLAR_UNROLL_BY(1)
    for (uint32_t i = 0;; i++) {
        bp_left_last(me);
        __syncthreads();
        /* behind the barrier of the next iteration, so that it has none of its own */
        if (compares && i && (bp_mark<STAGES>(p, flags.wrong[i % 2], i) || i == job.iterations))
            return;
        bp_go_left(me);
        bp_left_first(me, x4);
        const uint32_t bits = bp_bits(me, x4);
        p.bits = (p.bits & p.done) | (bits & ~p.done);
        if (compares) {
            me.u[me.place.pair * bp_shape<STAGES>::EACH + me.place.block] = bp_transform(bits);
            flags.wrong[(i + 1) % 2] = 0;
        } else {
            bp_add_syndrome(job, m, bits);
        }
        bp_right_first(me, x4);
        __syncthreads();
        if (!compares) {
            const uint32_t failed = bp_failed(job, flags);

            if (bp_mark<STAGES>(p, failed, i + 1) || i + 1 == job.iterations)
                return;
        }
        bp_go_right(me, compares);
        if (compares) {
            const uint32_t wrong = bp_compare(me);

            if (wrong)
                atomicOr(&m.flags[me.pair].wrong[(i + 1) % 2], wrong);
        } else {
            flags.sum[0] = flags.sum[1] = 0;
        }
    }
}

/* ---- Output ------------------------------------------------------------------------------------- */

template <int STAGES>
FECRUN_ON_DEVICE void bp_put_bits(const struct polar_frames &f, const bp_thread<STAGES> &me,
                                  uint32_t pair)
{
    const uint32_t *const u = me.u + me.pair * bp_shape<STAGES>::EACH;

    POLAR_UNROLL_BY(1)
    for (uint32_t i = 32 * me.number; i < f.k; i += 32 * bp_shape<STAGES>::EACH) {
        const uint32_t bits = f.k - i < 32 ? f.k - i : 32;
        const uint32_t wanted = 0xffffffffu << (32 - bits);
        const uint32_t one = polar_gather_16(f, u, 1, i);
        const uint32_t two = polar_gather_16(f, u, 1, i + 16);

        FECRUN_UNROLL
        for (unsigned lane = 0; lane < 2; lane++)
            if (2 * pair + lane < f.count)
                polar_put_32(f, f.out + (2 * pair + lane) * f.out_stride, i,
                             polar_bytes(two, one, lane ? 0x7632 : 0x5410) & wanted, bits);
    }
}

FECRUN_ON_DEVICE void bp_say(const struct polar_bp_job &job, uint32_t frame, uint32_t iterations,
                             bool right)
{
    struct fecrun_frame_info *const info = &job.frames.info[frame];

    info->iterations = iterations;
    if (job.frames.checked || job.stop == POLAR_GMATRIX)
        info->flags = (info->flags & ~(uint32_t)FECRUN_FRAME_FAILED) | FECRUN_FRAME_CHECKED |
                      (right ? 0 : (uint32_t)FECRUN_FRAME_FAILED);
}

/* u of all pairs is there; `first`: the block's first pair. */
template <int STAGES>
FECRUN_ON_DEVICE void bp_finish(const struct polar_bp_job &job, bp_memory<STAGES> &m,
                                const struct bp_progress &p, uint32_t first)
{
    using shape = bp_shape<STAGES>;
    bp_thread<STAGES> &me = m.me;
    uint32_t wrong = ~p.done;

    __syncthreads(); /* flags and u may still be read */
    me.u[me.place.pair * shape::EACH + me.place.block] = p.bits;
    if (threadIdx.x < shape::PAIRS)
        m.flags[threadIdx.x].sum[0] = m.flags[threadIdx.x].sum[1] = 0;
    __syncthreads();
    if (job.frames.checked)
        bp_add_syndrome(job, m, p.bits);
    bp_put_bits(job.frames, me, first + me.pair);
    __syncthreads();
    if (me.place.block)
        return;
    if (job.frames.checked)
        wrong = bp_failed(job, m.flags[me.place.pair]);
    for (unsigned lane = 0; lane < 2; lane++) {
        const uint32_t frame = 2 * (first + me.place.pair) + lane;

        if (frame < job.frames.count)
            bp_say(job, frame, p.iterations[lane], !(wrong >> 16 * lane & 1));
    }
}

template <int STAGES, bool STOPS>
FECRUN_ON_DEVICE void bp_half_run(const struct polar_bp_half_job &job, uint32_t *shared)
{
    using shape = bp_shape<STAGES>;
    const uint32_t pairs = (job.bp.frames.count + 1) / 2;
    bp_memory<STAGES> m;

    bp_lay_out(job, shared, m);
    POLAR_UNROLL_BY(1)
    for (uint32_t first = blockIdx.x * shape::PAIRS; first < pairs;
         first += gridDim.x * shape::PAIRS) {
        struct bp_progress p = {0, 0, {job.bp.iterations, job.bp.iterations}};

        if (threadIdx.x < shape::PAIRS)
            m.flags[threadIdx.x] = (struct bp_flags){{0, 0}, {0, 0}};
        bp_receive(job, m, first + m.me.pair);
        bp_begin(m.me);
        if (STOPS)
            bp_iterate_until(job.bp, m, p);
        else
            p.bits = bp_iterate(job.bp, m.me);
        bp_finish(job.bp, m, p, first);
        __syncthreads();
    }
}

#endif
