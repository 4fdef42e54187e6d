/* SPDX-License-Identifier: BSD-2-Clause */
/* source.random, sink.errors, crc.attach and crc.check. */
#include <fecrun/sim.h>
#include "plugins/chain/cuda/thread/bits.h"
#include "plugins/chain/cuda/kernels/launch.cuh"

namespace
{

enum { SHORT_ROW = 32, LONG_ROW = 16384 /* bytes */ };

/* ---- source.random ---- */

template <bool PACKED, bool RAGGED> __global__ void random_kernel(rows out, words words, bool wide)
{
    const uint64_t group = my_group(), first = group * (PACKED ? GROUP_PACKED : GROUP_U8);

    if (first >= out.items)
        return;
    FECRUN_EACH_FRAME(f, out.frames)
    {
        const uint64_t items = items_of<RAGGED>(out, f);
        uint8_t *row = frame_of<RAGGED, uint8_t>(out, f);

        if (RAGGED && first >= items)
            continue;
        if (PACKED)
            random_packed(&words.rng, words.first + f, group, items, row,
                          aligned<RAGGED>(row, 16, wide));
        else
            random_bytes(&words.rng, words.first + f, group, items, row,
                         aligned<RAGGED>(row, 16, wide));
    }
}

/* ---- sink.errors ---- */

/* Bytes that may be read at once from both rows. */
__device__ __forceinline__ unsigned unit_of(const uint8_t *a, const uint8_t *b)
{
    const uintptr_t both = (uintptr_t)a | (uintptr_t)b;

    return both % 16 == 0 ? 16 : both % 4 == 0 ? 4 : 1;
}

/* LANES threads a frame: one, a warp, or a block. */
template <unsigned LANES, bool RAGGED>
__global__ void errors_kernel(rows in, rows reference, fecrun_frame_info *info, bool add,
                              unsigned unit)
{
    const unsigned lane = threadIdx.x % LANES;
    const uint64_t team = (uint64_t)blockIdx.x * (THREADS / LANES) + threadIdx.x / LANES;
    const uint64_t teams = (uint64_t)gridDim.x * (THREADS / LANES);
    __shared__ unsigned long long sum;

    for (uint64_t f = team; f < in.frames; f += teams) {
        const uint8_t *a = frame_of<RAGGED, const uint8_t>(in, f);
        const uint8_t *b = frame_of<RAGGED, const uint8_t>(reference, f);
        unsigned long long count = differ(in.type, a, b, items_of<RAGGED>(in, f), lane, LANES,
                                          RAGGED ? unit_of(a, b) : unit);

#pragma unroll
        for (int step = LANES > 1 ? 16 : 0; step > 0; step /= 2)
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

/* ---- crc.attach, crc.check ---- */

/* Messages of at most so many bits are done by a thread each: a warp would have most lanes idle. */
enum { CRC_SHORT = 256 };

template <bool CHECK, bool RAGGED>
__global__ void crc_short_kernel(rows in, rows out, const __grid_constant__ crc_job job,
                                 const crc_job *classes, fecrun_frame_info *info)
{
    __shared__ uint32_t table[256];
    const uint64_t threads = (uint64_t)gridDim.x * THREADS;

    table[threadIdx.x] = crc_entry(threadIdx.x, job.code.polynomial);
    __syncthreads();
    for (uint64_t f = (uint64_t)blockIdx.x * THREADS + threadIdx.x; f < in.frames; f += threads) {
        const crc_code &code = (RAGGED ? classes[in.class_of[f]] : job).code;
        const uint8_t *from = frame_of<RAGGED, const uint8_t>(in, f);
        uint8_t *to = frame_of<RAGGED, uint8_t>(out, f);
        const uint32_t state = crc_parity(&code, crc_whole(&code, table, in.type, from, to),
                                          in.type, from);

        crc_put(code.message, CHECK ? 0 : state, CHECK ? 0 : code.width, in.type,
                crc_last(code.message, in.type, from), to);
        if (CHECK) {
            const uint32_t got = crc_get(code.message, code.width, in.type, from);

            info[f].flags = crc_flags(&code, info[f].flags, got == state);
        }
    }
}

/* A warp a frame. */

template <bool CHECK, bool RAGGED>
__global__ void crc_kernel(rows in, rows out, const __grid_constant__ crc_job job,
                           const crc_job *classes, fecrun_frame_info *info)
{
    __shared__ uint32_t table[256];
    const unsigned lane = threadIdx.x % CRC_LANES;
    const uint64_t warps = (uint64_t)gridDim.x * (THREADS / CRC_LANES);

    table[threadIdx.x] = crc_entry(threadIdx.x, job.code.polynomial);
    __syncthreads();
    for (uint64_t f = (uint64_t)blockIdx.x * (THREADS / CRC_LANES) + threadIdx.x / CRC_LANES;
         f < in.frames; f += warps) {
        const uint8_t *from = frame_of<RAGGED, const uint8_t>(in, f);
        uint8_t *to = frame_of<RAGGED, uint8_t>(out, f);
        const crc_job &own = RAGGED ? classes[in.class_of[f]] : job;
        const crc_code &code = own.code;
        uint32_t state = crc_of_lane(&code, &own.lanes, table, lane, in.type, from);

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

shape thread_a_frame(uint64_t frames)
{
    const uint64_t blocks = (frames + THREADS - 1) / THREADS;
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
    return (const void *)random_kernel<true, false>;
}

extern "C" cudaError_t chain_cuda_random(struct rows out, struct words words, void *stream)
{
    const bool packed = out.type == FECRUN_PACKED;
    void (*const kernel)(rows, struct words, bool) =
        packed ? (out.offset ? random_kernel<true, true> : random_kernel<true, false>)
               : (out.offset ? random_kernel<false, true> : random_kernel<false, false>);

    if (empty(out))
        return cudaSuccess;
    return start(kernel,
                 make_shape(out.frames, groups_of(out.items, packed ? GROUP_PACKED : GROUP_U8)),
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
    if (bytes <= SHORT_ROW)
        return start(in.offset ? errors_kernel<1, true> : errors_kernel<1, false>,
                     thread_a_frame(in.frames), stream, in, reference, info, add, unit);
    if (bytes > LONG_ROW)
        return start(in.offset ? errors_kernel<THREADS, true> : errors_kernel<THREADS, false>,
                     block_a_frame(in.frames), stream, in, reference, info, add, unit);
    return start(in.offset ? errors_kernel<32, true> : errors_kernel<32, false>,
                 warp_a_frame(in.frames), stream, in, reference, info, add, unit);
}

extern "C" cudaError_t chain_cuda_crc_attach(struct rows in, struct rows out,
                                             const struct crc_job *job,
                                             const struct crc_job *classes, void *stream)
{
    fecrun_frame_info *const none = nullptr;

    if (!in.frames)
        return cudaSuccess;
    if (in.items <= CRC_SHORT)
        return start(in.offset ? crc_short_kernel<false, true> : crc_short_kernel<false, false>,
                     thread_a_frame(in.frames), stream, in, out, *job, classes, none);
    return start(in.offset ? crc_kernel<false, true> : crc_kernel<false, false>,
                 warp_a_frame(in.frames), stream, in, out, *job, classes, none);
}

extern "C" cudaError_t chain_cuda_crc_check(struct rows in, struct rows out,
                                            const struct crc_job *job,
                                            const struct crc_job *classes,
                                            struct fecrun_frame_info *info, void *stream)
{
    if (!in.frames)
        return cudaSuccess;
    if (in.items <= CRC_SHORT)
        return start(in.offset ? crc_short_kernel<true, true> : crc_short_kernel<true, false>,
                     thread_a_frame(in.frames), stream, in, out, *job, classes, info);
    return start(in.offset ? crc_kernel<true, true> : crc_kernel<true, false>,
                 warp_a_frame(in.frames), stream, in, out, *job, classes, info);
}
