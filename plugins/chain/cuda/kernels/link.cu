/* SPDX-License-Identifier: BSD-2-Clause */
/* modem.map, channel.awgn, modem.demap and llr.quantize, or the first three, in one kernel. */
#include "plugins/chain/cuda/thread/link.h"
#include "plugins/common/gpu/flat.h"
#include "plugins/chain/cuda/kernels/launch.cuh"

namespace
{

/* Of four LLRs. */
constexpr unsigned wide_bytes(uint32_t type)
{
    return type == FECRUN_I4 ? 2 : type == FECRUN_I8 ? 4 : type == FECRUN_F32 ? 16 : 8;
}

/* Symbols of M bits a dimension in shared memory: lanes want different ones. */
template <unsigned M>
__device__ __forceinline__ void share_symbols(float (*symbols)[2], const link_job &job)
{
    __shared__ levels levels;
    const unsigned i = threadIdx.y * LINK_LANES + threadIdx.x, threads = LINK_LANES * blockDim.y;

    for (unsigned k = i; k < 1u << M; k += threads)
        levels.level[k] = job.levels.level[k];
    __syncthreads();
    for (unsigned k = i; k < 1u << 2 * M; k += threads)
        link_symbol(&levels, M, k, symbols[k]);
    __syncthreads();
}

/* The job of a class: the scheme and the keys are those of all. */
__device__ __forceinline__ link_job job_of(const link_job &job, const link_class &own)
{
    link_job made = job;

    made.sigma = own.sigma;
    made.demap = own.demap;
    made.quantize = own.quantize;
    made.rough = own.rough;
    return made;
}

/* Whose frames a thread takes its part of: one, or every `step` ones. */
struct link_share {
    uint64_t first, end, step;
    link_part part;
};

__device__ __forceinline__ link_share share_of(uint64_t frames, const gpu_flat &flat,
                                               uint32_t count)
{
    const uint64_t first = (uint64_t)blockIdx.y * blockDim.y + threadIdx.y;
    link_share share;

    if (flat.threads) { /* of short frames, one after the other */
        const bool there = gpu_flat_place(flat, &share.first, &share.part.first);

        share.end = share.first + there;
        share.step = 1;
        share.part.step = flat.units.by;
        share.part.count = count;
        return share;
    }
    return {first,
            frames,
            (uint64_t)gridDim.y * blockDim.y,
            {blockIdx.x * (LINK_LANES * LINK_BLOCKS) + threadIdx.x, LINK_LANES, LINK_BLOCKS}};
}

/* flat: without threads, a warp does a part of a frame. count: blocks of a thread in a flat grid. */
template <unsigned M, uint32_t TYPE, bool RAGGED>
__global__ void __launch_bounds__(THREADS, M == 1 ? 4 : 1)
    link_kernel(const __grid_constant__ rows in, const __grid_constant__ rows out,
                const __grid_constant__ link_job job, const link_class *classes,
                const __grid_constant__ words words, const __grid_constant__ gpu_flat flat,
                uint32_t count, bool wide_in, bool wide_out)
{
    __shared__ float symbols[M > 1 ? 1 << 2 * M : 1][2];
    const link_share share = share_of(in.frames, flat, count);

    if (M > 1)
        share_symbols<M>(symbols, job);
    for (uint64_t f = share.first; f < share.end; f += share.step) {
        const uint8_t *bits = frame_of<RAGGED, const uint8_t>(in, f);
        uint8_t *llrs = frame_of<RAGGED, uint8_t>(out, f);
        const link_frame frame = {fecrun_rng_counter(&words.rng, words.first + f, 0),
                                  bits,
                                  llrs,
                                  items_of<RAGGED>(in, f),
                                  in.type,
                                  aligned<RAGGED>(bits, 4, wide_in),
                                  aligned<RAGGED>(llrs, wide_bytes(TYPE), wide_out)};

        if (RAGGED && (uint64_t)share.part.first * 4 * M >= frame.items)
            continue;
        if (RAGGED) {
            const link_job own = job_of(job, classes[in.class_of[f]]);

            link_lane(&own, symbols, M, TYPE, false, &frame, &share.part);
        } else {
            link_lane(&job, symbols, M, TYPE, true, &frame, &share.part);
        }
    }
}

template <unsigned M, uint32_t TYPE>
cudaError_t start_link(const rows &in, const rows &out, const link_job &job,
                       const link_class *classes, const words &words, void *stream)
{
    const uint64_t blocks = groups_of(in.items, 4 * M);
    const uint64_t lanes = groups_of(blocks, LINK_BLOCKS * LINK_LANES) * LINK_LANES;
    const unsigned height = fecrun_grid_width(in.frames, 1, THREADS / LINK_LANES);
    const struct fecrun_grid g = fecrun_grid_of(lanes, in.frames, LINK_LANES * height, LINK_LANES);
    const bool wide_in = multiple(in, 4), wide_out = multiple(out, wide_bytes(TYPE));
    const shape s = {fecrun_grid_blocks(g), fecrun_grid_threads(g)};
    cudaError_t status = cudaSuccess;

    if (in.offset || blocks > LINK_SHORT)
        return start(in.offset ? link_kernel<M, TYPE, true> : link_kernel<M, TYPE, false>, s,
                     stream, in, out, job, classes, words, gpu_flat{}, LINK_BLOCKS, wide_in,
                     wide_out);
    const link_part part = link_short((uint32_t)blocks);
    gpu_flat_launch(in.frames, part.step, THREADS, [&](const gpu_flat &flat, unsigned n) {
        if (status == cudaSuccess)
            status = start(link_kernel<M, TYPE, false>,
                           shape{dim3(n), dim3(LINK_LANES, THREADS / LINK_LANES)}, stream, in, out,
                           job, classes, words, flat, part.count, wide_in, wide_out);
    });
    return status;
}

template <uint32_t TYPE>
cudaError_t start_scheme(const rows &in, const rows &out, const link_job &job,
                         const link_class *classes, const words &words, void *stream)
{
    switch (job.demap.bits) {
    case 1:
        return start_link<1, TYPE>(in, out, job, classes, words, stream);
    case 2:
        return start_link<2, TYPE>(in, out, job, classes, words, stream);
    case 3:
        return start_link<3, TYPE>(in, out, job, classes, words, stream);
    case 4:
        return start_link<4, TYPE>(in, out, job, classes, words, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

} // namespace

extern "C" cudaError_t chain_cuda_link(struct rows in, struct rows out, const struct link_job *job,
                                       const struct link_class *classes, struct words words,
                                       void *stream)
{
    if (empty(in))
        return cudaSuccess;
    switch (out.type) {
    case FECRUN_I8:
        return start_scheme<FECRUN_I8>(in, out, *job, classes, words, stream);
    case FECRUN_I16:
        return start_scheme<FECRUN_I16>(in, out, *job, classes, words, stream);
    case FECRUN_F32:
        return start_scheme<FECRUN_F32>(in, out, *job, classes, words, stream);
    case FECRUN_F16:
        return start_scheme<FECRUN_F16>(in, out, *job, classes, words, stream);
    case FECRUN_I4:
        return start_scheme<FECRUN_I4>(in, out, *job, classes, words, stream);
    default:
        return cudaErrorInvalidValue;
    }
}
