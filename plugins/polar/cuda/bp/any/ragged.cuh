/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel of bp/ragged.h. */
#ifndef POLAR_CUDA_BP_ANY_RAGGED_CUH
#define POLAR_CUDA_BP_ANY_RAGGED_CUH

#include "plugins/polar/cuda/bp/any/run.cuh"
#include "plugins/polar/cuda/bp/ragged.h"

/* The job of frame number n, as if it were the only one. */
FECRUN_ON_DEVICE struct polar_bp_any_job bp_ragged_job(const struct polar_bp_ragged_job &r,
                                                       uint32_t n)
{
    struct polar_bp_any_job job = r.job[r.class_of[n]];

    job.bp.frames.in = (const int8_t *)(r.in + r.in_offset[n]);
    job.bp.frames.out = r.out + r.out_offset[n];
    job.bp.frames.info = r.info + n;
    job.bp.frames.in_stride = job.bp.frames.out_stride = 0;
    job.bp.frames.count = 1;
    job.bp.frames.packed = r.packed;
    job.llr_scale = r.llr_scale;
    job.memory = r.memory;
    job.together = 1;
    return job;
}

/* Threads that a short frame has no pairs for meet the others at barriers. */
template <int RULE>
FECRUN_ON_DEVICE void bp_run_ragged(const struct polar_bp_ragged_job &r, uint8_t *shared)
{
    for (uint32_t n = blockIdx.x; n < r.frames; n += gridDim.x) {
        const struct polar_bp_any_job job = bp_ragged_job(r, n);
        struct bp_any_frame me;

        me.stages = job.bp.stages;
        me.n = 1u << me.stages;
        me.threads = blockDim.x;
        me.thread = threadIdx.x;
        me.iterations = 0;
        me.done = false;
        me.flags = (uint32_t *)shared;
        me.u = (uint8_t *)(me.flags + 4);
        me.x = me.u + me.n;
        me.column = r.memory ? r.memory + (size_t)blockIdx.x * r.floats
                             : (float *)(shared + polar_bp_any_bytes(me.stages));
        bp_any_begin<RULE>(job, me, job.bp.frames.in);
        __syncthreads();
        bp_any_iterate<RULE, false>(job, me);
        bp_any_finish(job.bp, me, 0);
        __syncthreads();
    }
}

#endif
