/* SPDX-License-Identifier: BSD-2-Clause */
/* modem.map, channel.awgn, modem.demap and llr.quantize in one kernel. */
#include "plugins/chain/cuda/thread/link.h"
#include "plugins/chain/cuda/kernels/launch.cuh"

namespace
{

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

template <unsigned M, uint32_t TYPE>
__global__ void __launch_bounds__(THREADS)
    link_kernel(const __grid_constant__ rows in, const __grid_constant__ rows out,
                const __grid_constant__ link_job job, const __grid_constant__ words words,
                bool wide_in, bool wide_out)
{
    __shared__ float symbols[M > 1 ? 1 << 2 * M : 1][2];

    if (M > 1)
        share_symbols<M>(symbols, job);
    FECRUN_EACH_FRAME(f, in.frames)
    {
        const link_frame frame = {fecrun_rng_counter(&words.rng, words.first + f, 0),
                                  row_of<const uint8_t>(in, f),
                                  row_of<uint8_t>(out, f),
                                  in.items,
                                  in.type,
                                  wide_in,
                                  wide_out};

        link_lane(&job, symbols, M, TYPE, &frame,
                  blockIdx.x * (LINK_LANES * LINK_BLOCKS) + threadIdx.x);
    }
}

template <unsigned M, uint32_t TYPE>
cudaError_t start_link(const rows &in, const rows &out, const link_job &job, const words &words,
                       void *stream)
{
    const uint64_t lanes = groups_of(in.items, 4 * M * LINK_BLOCKS * LINK_LANES) * LINK_LANES;
    const unsigned height = fecrun_grid_width(in.frames, 1, THREADS / LINK_LANES);
    const struct fecrun_grid g = fecrun_grid_of(lanes, in.frames, LINK_LANES * height, LINK_LANES);
    const shape s = {fecrun_grid_blocks(g), fecrun_grid_threads(g)};

    return start(link_kernel<M, TYPE>, s, stream, in, out, job, words, multiple(in, 4),
                 multiple(out, (unsigned)fecrun_bytes(out.type, 4)));
}

template <uint32_t TYPE>
cudaError_t start_scheme(const rows &in, const rows &out, const link_job &job, const words &words,
                         void *stream)
{
    switch (job.demap.bits) {
    case 1:
        return start_link<1, TYPE>(in, out, job, words, stream);
    case 2:
        return start_link<2, TYPE>(in, out, job, words, stream);
    case 3:
        return start_link<3, TYPE>(in, out, job, words, stream);
    case 4:
        return start_link<4, TYPE>(in, out, job, words, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

} // namespace

extern "C" cudaError_t chain_cuda_link(struct rows in, struct rows out, const struct link_job *job,
                                       struct words words, void *stream)
{
    if (empty(in))
        return cudaSuccess;
    switch (out.type) {
    case FECRUN_I8:
        return start_scheme<FECRUN_I8>(in, out, *job, words, stream);
    case FECRUN_I16:
        return start_scheme<FECRUN_I16>(in, out, *job, words, stream);
    case FECRUN_I4:
        return start_scheme<FECRUN_I4>(in, out, *job, words, stream);
    default:
        return cudaErrorInvalidValue;
    }
}
