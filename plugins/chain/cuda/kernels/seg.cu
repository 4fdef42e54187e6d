/* SPDX-License-Identifier: BSD-2-Clause */
/* seg.split, seg.join, seg.concatenate and seg.divide. */
#include "plugins/chain/cuda/kernels/launch.cuh"
#include "plugins/chain/cuda/thread/seg.h"

namespace
{

/* Loops over the items, one warp for each. */
#define EACH_WARP(i, items) \
    for (uint64_t i = (uint64_t)blockIdx.x * (THREADS / CRC_LANES) + threadIdx.x / CRC_LANES; \
         i < (items); i += (uint64_t)gridDim.x * (THREADS / CRC_LANES))

__device__ __forceinline__ uint32_t sum_of_lanes(uint32_t state)
{
#pragma unroll
    for (int step = CRC_LANES / 2; step > 0; step /= 2)
        state ^= __shfl_xor_sync(0xffffffffu, state, step);
    return state;
}

__device__ __forceinline__ void make_table(uint32_t *table, const crc_code &code)
{
    table[threadIdx.x] = crc_entry(threadIdx.x, code.polynomial);
    __syncthreads();
}

__global__ void parity_kernel(const __grid_constant__ seg_job job, rows in, uint32_t *parity)
{
    __shared__ uint32_t table[256];

    make_table(table, job.transport);
    EACH_WARP(f, in.frames)
    {
        const uint8_t *from = row_of<const uint8_t>(in, f);
        const unsigned lane = threadIdx.x % CRC_LANES;
        const uint32_t state = sum_of_lanes(
            crc_of_lane(&job.transport, &job.of_transport, table, lane, in.type, from));

        if (!lane)
            parity[f] = crc_parity(&job.transport, state, in.type, from);
    }
}

__global__ void split_kernel(const __grid_constant__ seg_job job, rows in, rows out,
                             const uint32_t *parity)
{
    __shared__ uint32_t table[256];

    make_table(table, job.block);
    EACH_WARP(block, out.frames)
    {
        const uint64_t f = block / job.blocks;
        const uint32_t r = (uint32_t)(block - f * job.blocks), own = parity ? parity[f] : 0;
        const uint8_t *from = row_of<const uint8_t>(in, f);
        const unsigned lane = threadIdx.x % CRC_LANES;
        uint8_t *to = row_of<uint8_t>(out, block);
        const uint32_t state = sum_of_lanes(
            seg_split_lane(&job, table, lane, in.type, from, own, r, to, out.type));

        if (!lane)
            seg_split_end(&job, state, in.type, from, own, r, to, out.type);
    }
}

__global__ void blocks_kernel(const __grid_constant__ seg_job job, rows in,
                              fecrun_frame_info *blocks)
{
    __shared__ uint32_t table[256];

    make_table(table, job.block);
    EACH_WARP(block, in.frames)
    {
        const uint8_t *from = row_of<const uint8_t>(in, block);
        const unsigned lane = threadIdx.x % CRC_LANES;
        const uint32_t state = sum_of_lanes(
            crc_of_lane(&job.block, &job.of_block, table, lane, in.type, from));

        if (!lane)
            blocks[block].flags = seg_flags(
                blocks[block].flags,
                crc_parity(&job.block, state, in.type, from) ==
                    crc_get(job.block.message, job.block.width, in.type, from));
    }
}

__global__ void join_kernel(const __grid_constant__ seg_job job, seg_rows in, rows out,
                            fecrun_frame_info *blocks, fecrun_frame_info *info)
{
    __shared__ uint32_t table[256];

    make_table(table, job.transport);
    EACH_WARP(f, out.frames)
    {
        const uint64_t first = f * job.blocks;
        const unsigned lane = threadIdx.x % CRC_LANES;
        const uint32_t state = sum_of_lanes(
            seg_join_lane(&job, table, lane, &in, first, row_of<uint8_t>(out, f), out.type));
        uint32_t bad = 0;

        for (uint32_t r = lane; r < job.blocks && job.block.width; r += CRC_LANES)
            bad |= blocks[first + r].flags & FECRUN_FRAME_FAILED;
        bad = __any_sync(0xffffffffu, bad != 0);
        if (lane)
            continue;
        bad |= !seg_join_end(&job, state, &in, first);
        info[f].flags = seg_flags(info[f].flags, !bad);
        if (!job.block.width)
            blocks[first].flags = seg_flags(blocks[first].flags, !bad);
    }
}

__global__ void concatenate_kernel(const __grid_constant__ seg_job job, seg_rows in, rows out)
{
    const uint64_t i = my_group();

    if (8 * i >= out.items)
        return;
    FECRUN_EACH_FRAME(f, out.frames)
    {
        const unsigned n = seg_part(out.items, i);

        seg_put(out.type, row_of<uint8_t>(out, f), i,
                seg_gather(&job, &in, f * job.blocks, 8 * (uint32_t)i, n), n);
    }
}

__global__ void divide_kernel(uint32_t blocks, uint64_t bytes, rows in, rows out)
{
    const uint64_t c = my_group();

    FECRUN_EACH_FRAME(block, out.frames)
    {
        const uint64_t f = block / blocks, r = block - f * blocks;

        seg_divide_chunk(row_of<const uint8_t>(in, f) + r * bytes, row_of<uint8_t>(out, block),
                         (int64_t)bytes, c);
    }
}

shape warps(uint64_t items)
{
    const uint64_t blocks = (items + THREADS / CRC_LANES - 1) / (THREADS / CRC_LANES);
    shape s;

    s.blocks = dim3((unsigned)(blocks < 1u << 20 ? blocks : 1u << 20));
    s.threads = dim3(THREADS);
    return s;
}

seg_rows plain(const rows &r)
{
    const seg_rows p = {(uint8_t *)r.data, r.stride, r.type};

    return p;
}

} // namespace

extern "C" cudaError_t chain_cuda_split(struct rows in, struct rows out, const struct seg_job *job,
                                        uint32_t *parity, void *stream)
{
    cudaError_t status = cudaSuccess;

    if (empty(in))
        return status;
    if (job->transport.width)
        status = start(parity_kernel, warps(in.frames), stream, *job, in, parity);
    if (status != cudaSuccess)
        return status;
    return start(split_kernel, warps(out.frames), stream, *job, in, out,
                 (const uint32_t *)(job->transport.width ? parity : NULL));
}

extern "C" cudaError_t chain_cuda_join(struct rows in, struct rows out, const struct seg_job *job,
                                       struct fecrun_frame_info *blocks,
                                       struct fecrun_frame_info *info, void *stream)
{
    cudaError_t status = cudaSuccess;

    if (empty(out))
        return status;
    if (job->block.width)
        status = start(blocks_kernel, warps(in.frames), stream, *job, in, blocks);
    if (status != cudaSuccess)
        return status;
    return start(join_kernel, warps(out.frames), stream, *job, plain(in), out, blocks, info);
}

extern "C" cudaError_t chain_cuda_concatenate(struct rows in, struct rows out,
                                              const struct seg_job *job, void *stream)
{
    if (empty(out))
        return cudaSuccess;
    return start(concatenate_kernel, make_shape(out.frames, groups_of(out.items, 8)), stream, *job,
                 plain(in), out);
}

extern "C" cudaError_t chain_cuda_divide(struct rows in, struct rows out, uint32_t blocks,
                                         uint64_t bytes, void *stream)
{
    if (empty(out))
        return cudaSuccess;
    return start(divide_kernel, make_shape(out.frames, fecrun_chunks(bytes, 4)), stream, blocks,
                 bytes, in, out);
}
