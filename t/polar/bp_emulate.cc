/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of belief propagation as functions of the CPU, as cuda_emulate.cc does it. */

/* Its longjmp() takes a jump to another stack for an attack. */
#undef _FORTIFY_SOURCE

#define EMU_STACK (1 << 17)
#define _Noreturn __attribute__((noreturn))
#include "t/lib/cuda_emulate.h"

#include "t/polar/bp_cuda.h"

static uint32_t atomicXor(uint32_t *at, uint32_t x)
{
    const uint32_t old = *at;

    *at ^= x;
    return old;
}

#include "plugins/polar/cuda/bp/any/ragged.cuh"
#include "plugins/polar/cuda/bp/half/run.cuh"

static void *shared;

static void blocks(void (*body)(void *), const void *job, uint32_t n, uint32_t threads,
                   size_t bytes, unsigned order)
{
    shared = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!shared)
        bail("out of memory");
    gridDim.x = n;
    for (blockIdx.x = 0; blockIdx.x < n; blockIdx.x++) {
        memset(shared, 0xee, bytes);
        emu_block(body, (void *)(uintptr_t)job, threads, order + blockIdx.x);
    }
    free(shared);
}

template <int STAGES, bool STOPS> static void half_body(void *job)
{
    bp_half_run<STAGES, STOPS>(*(const struct polar_bp_half_job *)job, (uint32_t *)shared);
}

template <bool STOPS> static void (*half_body_of(uint32_t stages))(void *)
{
    return stages == 8    ? half_body<8, STOPS>
           : stages == 9  ? half_body<9, STOPS>
           : stages == 10 ? half_body<10, STOPS>
           : stages == 11 ? half_body<11, STOPS>
                          : half_body<12, STOPS>;
}

void polar_emulate_bp_half(const struct polar_bp_half_job *job, uint32_t n, unsigned order)
{
    const uint32_t stages = job->bp.stages;

    blocks(job->bp.stop == POLAR_NEVER ? half_body_of<false>(stages) : half_body_of<true>(stages),
           job, n, polar_bp_half_threads(stages), 4 * (size_t)polar_bp_half_words(stages), order);
}

template <int RULE> static void any_body(void *job)
{
    bp_any_run<RULE, false>(*(const struct polar_bp_any_job *)job, (uint8_t *)shared);
}

void polar_emulate_bp_any(const struct polar_bp_any_job *job, uint32_t n, unsigned order)
{
    const uint32_t stages = job->bp.stages;
    const size_t each = polar_bp_any_bytes(stages) +
                        (job->memory ? 0 : sizeof(float) * polar_bp_any_floats(stages));

    blocks(job->rule == POLAR_MIN_SUM       ? any_body<POLAR_MIN_SUM>
           : job->rule == POLAR_SUM_PRODUCT ? any_body<POLAR_SUM_PRODUCT>
                                            : any_body<POLAR_SUM_PRODUCT_LR>,
           job, n, job->together * polar_bp_any_threads(stages), job->together * each, order);
}

template <int RULE> static void ragged_body(void *job)
{
    bp_run_ragged<RULE>(*(const struct polar_bp_ragged_job *)job, (uint8_t *)shared);
}

void polar_emulate_bp_ragged(const struct polar_bp_ragged_job *job, uint32_t stages, uint32_t n,
                             unsigned order)
{
    const uint32_t rule = job->job->rule;
    const size_t bytes = polar_bp_any_bytes(stages) +
                         (job->memory ? 0 : sizeof(float) * polar_bp_any_floats(stages));

    blocks(rule == POLAR_MIN_SUM       ? ragged_body<POLAR_MIN_SUM>
           : rule == POLAR_SUM_PRODUCT ? ragged_body<POLAR_SUM_PRODUCT>
                                       : ragged_body<POLAR_SUM_PRODUCT_LR>,
           job, n, polar_bp_any_threads(stages), bytes, order);
}
