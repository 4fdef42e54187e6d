/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames in floats from what was received to their bits. */
#ifndef POLAR_CUDA_BP_ANY_RUN_CUH
#define POLAR_CUDA_BP_ANY_RUN_CUH

#include "plugins/polar/cuda/bp/any/phases.cuh"

/* ---- When a frame is done ------------------------------------------------------------------------ */

/* Sets x G against u; x is no more. */
FECRUN_ON_DEVICE void bp_any_compare(const struct bp_any_frame &me)
{
    for (uint32_t stage = 0; stage < me.stages; stage++) {
        BP_EACH_PAIR(me, pair)
        {
            const uint32_t i = bp_first_of(pair, stage);

            me.x[i] ^= me.x[i + (1u << stage)];
        }
        __syncthreads();
    }
    for (uint32_t i = me.thread; i < me.n; i += me.threads)
        if (me.x[i] != me.u[i])
            me.flags[BP_DIFFER] = 1;
}

FECRUN_ON_DEVICE void bp_any_syndrome(const struct polar_bp_job &job, const struct bp_any_frame &me)
{
    uint32_t sum = 0;

    for (uint32_t i = me.thread; i < me.n; i += me.threads)
        sum ^= me.u[i] ? job.syndrome[i] : 0;
    atomicXor(&me.flags[BP_SYNDROME], sum);
}

FECRUN_ON_DEVICE void bp_any_clear(const struct bp_any_frame &me)
{
    if (me.thread == 0)
        me.flags[BP_DIFFER] = me.flags[BP_SYNDROME] = 0;
}

/* An iteration is over. True: all frames of the block are done. */
FECRUN_ON_DEVICE bool bp_any_mark(const struct polar_bp_job &job, struct bp_any_frame &me)
{
    __syncthreads();
    if (!me.done) {
        me.iterations++;
        me.done = job.stop == POLAR_GMATRIX ? !me.flags[BP_DIFFER]
                                            : me.flags[BP_SYNDROME] == job.right;
    }
    return __syncthreads_and(me.done);
}

/* ---- Iterations ---------------------------------------------------------------------------------- */

template <int RULE, bool FAST>
FECRUN_ON_DEVICE void bp_any_iterate(const struct polar_bp_any_job &job, struct bp_any_frame &me)
{
    const uint32_t stop = job.bp.stop;

    for (uint32_t n = 1;; n++) {
        bp_any_clear(me);
        for (uint32_t stage = me.stages; stage-- > 0;) {
            bp_any_left<RULE, FAST>(job, me, stage);
            __syncthreads();
        }
        if (stop == POLAR_CRC)
            bp_any_syndrome(job.bp, me);
        if (stop == POLAR_CRC && bp_any_mark(job.bp, me))
            return;
        if (n == job.bp.iterations && stop != POLAR_GMATRIX)
            break;
        for (uint32_t stage = 0; stage + (stop != POLAR_GMATRIX) < me.stages; stage++) {
            bp_any_right<RULE, FAST>(job, me, stage);
            __syncthreads();
        }
        if (stop == POLAR_GMATRIX)
            bp_any_compare(me);
        if (stop == POLAR_GMATRIX && (bp_any_mark(job.bp, me) || n == job.bp.iterations))
            return;
    }
    if (stop == POLAR_NEVER)
        me.iterations = job.bp.iterations;
}

/* ---- Output ------------------------------------------------------------------------------------- */

FECRUN_ON_DEVICE void bp_any_put(const struct polar_frames &f, const struct bp_any_frame &me,
                                 uint32_t frame)
{
    for (uint32_t i = 32 * me.thread; i < f.k; i += 32 * me.threads) {
        const uint32_t bits = f.k - i < 32 ? f.k - i : 32;
        uint32_t word = 0;

        for (uint32_t j = 0; j < bits; j++)
            word |= (uint32_t)me.u[f.position[i + j]] << (31 - j);
        polar_put_32(f, f.out + frame * f.out_stride, i, word, bits);
    }
}

FECRUN_ON_DEVICE void bp_any_say(const struct polar_bp_job &job, const struct bp_any_frame &me,
                                 uint32_t frame)
{
    struct fecrun_frame_info *const info = &job.frames.info[frame];
    const bool right = job.frames.checked ? me.flags[BP_SYNDROME] == job.right : me.done;

    info->iterations = me.iterations;
    if (job.frames.checked || job.stop == POLAR_GMATRIX)
        info->flags = (info->flags & ~(uint32_t)FECRUN_FRAME_FAILED) | FECRUN_FRAME_CHECKED |
                      (right ? 0 : (uint32_t)FECRUN_FRAME_FAILED);
}

/* u is there, and all threads know. */
FECRUN_ON_DEVICE void bp_any_finish(const struct polar_bp_job &job, const struct bp_any_frame &me,
                                    uint32_t frame)
{
    __syncthreads();
    bp_any_clear(me);
    __syncthreads();
    if (job.frames.checked)
        bp_any_syndrome(job, me);
    __syncthreads();
    if (frame >= job.frames.count)
        return;
    bp_any_put(job.frames, me, frame);
    if (me.thread == 0)
        bp_any_say(job, me, frame);
}

/* Messages in shared memory are behind the bits and flags of all frames of the block. */
template <int RULE, bool FAST>
FECRUN_ON_DEVICE void bp_any_run(const struct polar_bp_any_job &job, uint8_t *shared)
{
    const struct polar_frames &f = job.bp.frames;
    const uint32_t bytes = polar_bp_any_bytes(job.bp.stages);
    const size_t floats = polar_bp_any_floats(job.bp.stages);
    struct bp_any_frame me;
    uint32_t mine, number;

    me.stages = job.bp.stages;
    me.n = 1u << me.stages;
    me.threads = polar_bp_any_threads(me.stages);
    me.thread = threadIdx.x % me.threads;
    mine = threadIdx.x / me.threads;
    number = blockIdx.x * job.together + mine;
    me.flags = (uint32_t *)(shared + mine * bytes);
    me.u = (uint8_t *)(me.flags + 4);
    me.x = me.u + me.n;
    me.column = job.memory ? job.memory + number * floats
                           : (float *)(shared + job.together * bytes) + mine * floats;
    for (uint32_t first = blockIdx.x * job.together; first < f.count;
         first += gridDim.x * job.together) {
        const uint32_t frame = first + mine;

        me.iterations = 0;
        me.done = false;
        bp_any_begin<RULE>(job, me, f.in + (frame < f.count ? frame : f.count - 1) * f.in_stride);
        __syncthreads();
        bp_any_iterate<RULE, FAST>(job, me);
        bp_any_finish(job.bp, me, frame);
        __syncthreads();
    }
}

#endif
