/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of plan.h. */
#include "plugins/turbo/cuda/document/thread.h"
#include "plugins/turbo/cuda/windows/plan.h"

enum { DOC_THREADS = 128 };

struct doc_meet {
    unsigned lanes; /* of the warp: the eight of this sub-block */

    __device__ __forceinline__ void operator()() const
    {
        __syncwarp(lanes);
    }
};

static __global__ void __launch_bounds__(DOC_THREADS)
    doc_load_kernel(const __grid_constant__ struct turbo_document d)
{
    doc_load(d, blockIdx.x, threadIdx.x, DOC_THREADS);
}

/* 2010: one block of eight threads a sub-block. */
template <bool EXACT>
static __global__ void __launch_bounds__(DOC_STATES)
    doc_state_parallel(const __grid_constant__ struct turbo_document d, unsigned encoder,
                       uint32_t iteration)
{
    extern __shared__ float alphas[]; /* of all steps, and behind them their places */
    __shared__ struct doc_shared shared;
    uint16_t *const places = (uint16_t *)(alphas + DOC_STATES * d.steps);
    const uint64_t frame = blockIdx.x / d.windows;
    const uint32_t window = blockIdx.x - (uint32_t)frame * d.windows, first = window * d.steps;

    if (d.left[frame] & DOC_DONE)
        return;
    for (uint32_t i = threadIdx.x; i < d.steps; i += DOC_STATES)
        places[i] = (uint16_t)(encoder ? turbo_pi(&d.qpp, first + i) : first + i);
    __syncwarp(0xff);
    doc_half<EXACT>(d, doc_frame_at(d, frame), encoder, iteration, window, threadIdx.x, shared,
                    alphas, places, doc_meet{0xff});
}

/* 2011: the same sub-block of DOC_GROUP codewords. */
template <bool EXACT>
static __global__ void __launch_bounds__(DOC_GROUP *DOC_STATES)
    doc_sub_blocks(const __grid_constant__ struct turbo_document d, unsigned encoder,
                   uint32_t iteration)
{
    __shared__ struct doc_shared shared[DOC_GROUP];
    const uint32_t window = blockIdx.x % d.windows, codeword = threadIdx.x / DOC_STATES;
    const uint64_t frame = (uint64_t)(blockIdx.x / d.windows) * DOC_GROUP + codeword;
    const unsigned lanes = 0xffu << (threadIdx.x & 24);

    if (frame >= d.frames || d.left[frame] & DOC_DONE)
        return;
    const struct doc_frame f = doc_frame_at(d, frame);

    doc_half<EXACT>(d, f, encoder, iteration, window, threadIdx.x % DOC_STATES, shared[codeword],
                    f.alpha + (uint64_t)DOC_STATES * window * d.steps, NULL, doc_meet{lanes});
}

/* After an iteration: counts it, and looks whether the frame meets the rule. */
static __global__ void __launch_bounds__(DOC_THREADS)
    doc_check(const __grid_constant__ struct turbo_document d)
{
    __shared__ float found[DOC_THREADS];
    const uint64_t frame = blockIdx.x;
    const struct doc_frame f = doc_frame_at(d, frame);
    float mine = d.stop == TURBO_MIN_LLR ? 3e38f : 0;
    bool met = false;

    if (d.left[frame] & DOC_DONE)
        return;
    for (uint32_t i = d.fillers + threadIdx.x; i < d.qpp.k; i += DOC_THREADS)
        mine = d.stop == TURBO_MIN_LLR ? fminf(mine, fabsf(f.llr[i])) : mine + fabsf(f.llr[i]);
    found[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x)
        return;
    for (unsigned i = 1; i < DOC_THREADS; i++)
        mine = d.stop == TURBO_MIN_LLR ? fminf(mine, found[i]) : mine + found[i];
    if (d.stop == TURBO_MEAN_LLR)
        met = mine >= d.threshold * (float)(d.qpp.k - d.fillers);
    else if (d.stop == TURBO_MIN_LLR)
        met = mine >= d.threshold;
    else if (d.stop != TURBO_NEVER) {
        const uint32_t polynomial = turbo_stop_polynomial(d.stop);
        uint32_t state = 0;

        for (uint32_t i = d.fillers; i < d.qpp.k; i++)
            state = turbo_crc_step(state, polynomial, f.llr[i] < 0);
        met = state == 0;
    }
    d.left[frame] = (d.left[frame] + 1) | (met ? DOC_DONE : 0);
}

static __global__ void __launch_bounds__(DOC_THREADS)
    doc_store(const __grid_constant__ struct turbo_document d)
{
    const uint64_t frame = blockIdx.x;
    const struct doc_frame f = doc_frame_at(d, frame);
    const uint32_t bits = d.qpp.k - d.fillers, left = d.left[frame];
    uint8_t *const out = d.out + frame * d.out_stride;

    if (!d.packed)
        for (uint32_t i = threadIdx.x; i < bits; i += DOC_THREADS)
            out[i] = f.llr[d.fillers + i] < 0;
    else
        for (uint32_t i = 8 * threadIdx.x; i < bits; i += 8 * DOC_THREADS) {
            uint32_t byte = 0;

            for (uint32_t n = i; n < i + 8; n++)
                byte = byte << 1 | (n < bits && f.llr[d.fillers + n] < 0);
            out[i / 8] = (uint8_t)byte;
        }
    for (unsigned port = 0; port < 2; port++)
        if (d.soft[port])
            doc_put_soft(d, frame, port, threadIdx.x, DOC_THREADS);
    if (threadIdx.x)
        return;
    d.info[frame].iterations = left & ~DOC_DONE;
    if (d.stop != TURBO_NEVER)
        d.info[frame].flags = (d.info[frame].flags & ~(uint32_t)FECRUN_FRAME_FAILED) |
                              FECRUN_FRAME_CHECKED | (left & DOC_DONE ? 0 : FECRUN_FRAME_FAILED);
}

/* ---- host
   ---------------------------------------------------------------------------------------- */

static const void *half_kernel(const struct turbo_document *d)
{
    if (d->state_parallel)
        return d->exact ? (const void *)doc_state_parallel<true>
                        : (const void *)doc_state_parallel<false>;
    return d->exact ? (const void *)doc_sub_blocks<true> : (const void *)doc_sub_blocks<false>;
}

static cudaError_t launch_half(const struct turbo_document *d, unsigned encoder, uint32_t iteration,
                               cudaStream_t stream)
{
    const unsigned each = d->state_parallel ? 1 : DOC_GROUP;
    const unsigned blocks = (unsigned)((d->frames + each - 1) / each) * d->windows;
    void *args[] = {(void *)d, &encoder, &iteration};

    return cudaLaunchKernel(half_kernel(d), dim3(blocks), dim3(each * DOC_STATES), args,
                            turbo_document_shared(d), stream);
}

extern "C" const void *turbo_document_kernel(void)
{
    return (const void *)doc_store;
}

extern "C" cudaError_t turbo_document_prepare(const struct turbo_document *d)
{
    if (!d->state_parallel)
        return cudaSuccess;
    return turbo_allow_shared(half_kernel(d), (uint32_t)turbo_document_shared(d));
}

extern "C" cudaError_t turbo_document_launch(const struct turbo_document *d, cudaStream_t stream)
{
    const unsigned frames = (unsigned)d->frames;
    cudaError_t status;

    doc_load_kernel<<<frames, DOC_THREADS, 0, stream>>>(*d);
    status = cudaGetLastError();
    for (uint32_t n = 0; n < d->iterations && status == cudaSuccess; n++) {
        status = launch_half(d, 0, n, stream);
        if (status == cudaSuccess)
            status = launch_half(d, 1, n, stream);
        if (status == cudaSuccess) {
            doc_check<<<frames, DOC_THREADS, 0, stream>>>(*d);
            status = cudaGetLastError();
        }
    }
    if (status != cudaSuccess)
        return status;
    doc_store<<<frames, DOC_THREADS, 0, stream>>>(*d);
    return cudaGetLastError();
}
