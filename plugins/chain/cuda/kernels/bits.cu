/* SPDX-License-Identifier: BSD-2-Clause */
/* source.random, sink.errors, crc.attach and crc.check. */
#include <fecrun/sim.h>
#include "plugins/chain/cuda/thread/bits.h"
#include "plugins/chain/cuda/kernels/launch.cuh"

namespace
{

enum { LONG_ROW = 16384 /* bytes */ };

/* ---- source.random ---- */

template <bool PACKED> __global__ void random_kernel(rows out, words words, bool wide)
{
    const uint64_t group = my_group();

    if (group * (PACKED ? GROUP_PACKED : GROUP_U8) >= out.items)
        return;
    FECRUN_EACH_FRAME(f, out.frames)
    {
        if (PACKED)
            random_packed(&words.rng, words.first + f, group, out.items, row_of<uint8_t>(out, f),
                          wide);
        else
            random_bytes(&words.rng, words.first + f, group, out.items, row_of<uint8_t>(out, f),
                         wide);
    }
}

/* ---- sink.errors ---- */

/* LANES threads a frame: a warp, or a block. */
template <unsigned LANES>
__global__ void errors_kernel(rows in, rows reference, fecrun_frame_info *info, bool add,
                              unsigned unit)
{
    const unsigned lane = threadIdx.x % LANES;
    const uint64_t team = (uint64_t)blockIdx.x * (THREADS / LANES) + threadIdx.x / LANES;
    const uint64_t teams = (uint64_t)gridDim.x * (THREADS / LANES);
    __shared__ unsigned long long sum;

    for (uint64_t f = team; f < in.frames; f += teams) {
        unsigned long long count = differ(in.type, row_of<const uint8_t>(in, f),
                                          row_of<const uint8_t>(reference, f), in.items, lane,
                                          LANES, unit);

#pragma unroll
        for (int step = 16; step > 0; step /= 2)
            count += __shfl_down_sync(0xffffffffu, count, step);
        if (LANES > 32) {
            if (threadIdx.x == 0)
                sum = 0;
            __syncthreads();
            if (threadIdx.x % 32 == 0)
                atomicAdd(&sum, count);
            __syncthreads();
            count = sum;
            __syncthreads();
        }
        if (lane == 0) {
            info[f].bit_errors = count + (add ? info[f].bit_errors : 0);
            info[f].flags |= FECRUN_FRAME_COUNTED;
        }
    }
}

/* ---- crc.attach, crc.check: a warp a frame ---- */

template <bool CHECK>
__global__ void crc_kernel(rows in, rows out, crc_code code, crc_lanes lanes,
                           fecrun_frame_info *info)
{
    __shared__ uint32_t table[256];
    const unsigned lane = threadIdx.x % CRC_LANES;
    const uint64_t warps = (uint64_t)gridDim.x * (THREADS / CRC_LANES);

    table[threadIdx.x] = crc_entry(threadIdx.x, code.polynomial);
    __syncthreads();
    for (uint64_t f = (uint64_t)blockIdx.x * (THREADS / CRC_LANES) + threadIdx.x / CRC_LANES;
         f < in.frames; f += warps) {
        const uint8_t *from = row_of<const uint8_t>(in, f);
        uint8_t *to = row_of<uint8_t>(out, f);
        uint32_t state = crc_of_lane(&code, &lanes, table, lane, in.type, from);

#pragma unroll
        for (int step = CRC_LANES / 2; step > 0; step /= 2)
            state ^= __shfl_xor_sync(0xffffffffu, state, step);
        crc_copy(code.message, lane, in.type, from, to);
        if (lane)
            continue;
        state = crc_parity(&code, state, in.type, from);
        crc_put(code.message, CHECK ? 0 : state, CHECK ? 0 : code.width, in.type,
                crc_last(code.message, in.type, from), to);
        if (CHECK) {
            const uint32_t got = crc_get(code.message, code.width, in.type, from);

            info[f].flags = crc_flags(&code, info[f].flags, got == state);
        }
    }
}

/* ---- Launching ---- */

shape warp_a_frame(uint64_t frames)
{
    const uint64_t blocks = (frames + THREADS / 32 - 1) / (THREADS / 32);
    shape s;

    s.blocks = dim3((unsigned)(blocks < 1u << 20 ? blocks : 1u << 20));
    s.threads = dim3(THREADS);
    return s;
}

shape block_a_frame(uint64_t frames)
{
    shape s;

    s.blocks = dim3((unsigned)(frames < 1u << 20 ? frames : 1u << 20));
    s.threads = dim3(THREADS);
    return s;
}

} // namespace

extern "C" const void *chain_cuda_kernel(void)
{
    return (const void *)random_kernel<true>;
}

extern "C" cudaError_t chain_cuda_random(struct rows out, struct words words, void *stream)
{
    if (empty(out))
        return cudaSuccess;
    if (out.type == FECRUN_PACKED)
        return start(random_kernel<true>,
                     make_shape(out.frames, groups_of(out.items, GROUP_PACKED)), stream, out, words,
                     multiple(out, 16));
    return start(random_kernel<false>, make_shape(out.frames, groups_of(out.items, GROUP_U8)),
                 stream, out, words, multiple(out, 16));
}

extern "C" cudaError_t chain_cuda_errors(struct rows in, struct rows reference,
                                         struct fecrun_frame_info *info, bool add, void *stream)
{
    const uint64_t bytes = in.type == FECRUN_PACKED ? in.items / 8 : in.items;
    const unsigned unit = multiple(in, 16) && multiple(reference, 16) ? 16
                          : multiple(in, 4) && multiple(reference, 4) ? 4
                                                                      : 1;

    if (!in.frames)
        return cudaSuccess;
    if (bytes > LONG_ROW)
        return start(errors_kernel<THREADS>, block_a_frame(in.frames), stream, in, reference, info,
                     add, unit);
    return start(errors_kernel<32>, warp_a_frame(in.frames), stream, in, reference, info, add,
                 unit);
}

extern "C" cudaError_t chain_cuda_crc_attach(struct rows in, struct rows out,
                                             const struct crc_code *code,
                                             const struct crc_lanes *lanes, void *stream)
{
    fecrun_frame_info *const none = nullptr;

    if (!in.frames)
        return cudaSuccess;
    return start(crc_kernel<false>, warp_a_frame(in.frames), stream, in, out, *code, *lanes, none);
}

extern "C" cudaError_t chain_cuda_crc_check(struct rows in, struct rows out,
                                            const struct crc_code *code,
                                            const struct crc_lanes *lanes,
                                            struct fecrun_frame_info *info, void *stream)
{
    if (!in.frames)
        return cudaSuccess;
    return start(crc_kernel<true>, warp_a_frame(in.frames), stream, in, out, *code, *lanes, info);
}
