/* SPDX-License-Identifier: BSD-2-Clause */
/* crc.attach and crc.check with any polynomial. */
#include "plugins/chain/cuda/thread/crc_general.h"
#include "plugins/chain/cuda/kernels/launch.cuh"

namespace
{

/* Messages of at most so many bits are done by a thread each, longer ones by a warp. */
enum { SHORT = 256 };

__device__ __forceinline__ void share_table(uint64_t *table, uint64_t polynomial)
{
    for (unsigned i = threadIdx.x; i < 256; i += THREADS)
        table[i] = crc_general_entry(i, polynomial);
    __syncthreads();
}

template <unsigned LANES, bool CHECK, bool RAGGED>
__global__ void kernel(rows in, rows out, const __grid_constant__ crc_general_job job,
                       const crc_general_job *classes, fecrun_frame_info *info)
{
    __shared__ uint64_t table[256];
    const unsigned lane = threadIdx.x % LANES;
    const uint64_t teams = (uint64_t)gridDim.x * (THREADS / LANES);

    share_table(table, job.crc.polynomial);
    for (uint64_t f = (uint64_t)blockIdx.x * (THREADS / LANES) + threadIdx.x / LANES; f < in.frames;
         f += teams) {
        const crc_general_job &own = RAGGED ? classes[in.class_of[f]] : job;
        const uint8_t *from = frame_of<RAGGED, const uint8_t>(in, f);
        uint8_t *to = frame_of<RAGGED, uint8_t>(out, f);
        uint64_t state;

        if (LANES == 1) {
            state = crc_general_whole(&own, table, in.type, from, to);
        } else {
            state = crc_general_of_lane(&own, table, lane, in.type, from);
#pragma unroll
            for (int step = CRC_LANES / 2; step > 0; step /= 2)
                state ^= __shfl_xor_sync(0xffffffffu, state, step);
            crc_copy(own.code.message, lane, in.type, from, to);
        }
        if (lane == 0) {
            uint32_t flags = CHECK ? info[f].flags : 0;

            crc_general_finish(&own, CHECK, state, in.type, from, to, &flags);
            if (CHECK)
                info[f].flags = flags;
        }
    }
}

template <unsigned LANES, bool CHECK>
cudaError_t launch(const rows &in, const rows &out, const crc_general_job &job,
                   const crc_general_job *classes, fecrun_frame_info *info, void *stream)
{
    const uint64_t blocks = groups_of(in.frames, THREADS / LANES);
    const shape s = {dim3((unsigned)(blocks < 1u << 20 ? blocks : 1u << 20)), dim3(THREADS)};

    return start(in.offset ? kernel<LANES, CHECK, true> : kernel<LANES, CHECK, false>, s, stream,
                 in, out, job, classes, info);
}

} // namespace

extern "C" cudaError_t chain_cuda_crc_general(struct rows in, struct rows out,
                                              const struct crc_general_job *job,
                                              const struct crc_general_job *classes, bool check,
                                              struct fecrun_frame_info *info, void *stream)
{
    if (!in.frames)
        return cudaSuccess;
    if (in.items <= SHORT)
        return check ? launch<1, true>(in, out, *job, classes, info, stream)
                     : launch<1, false>(in, out, *job, classes, info, stream);
    return check ? launch<32, true>(in, out, *job, classes, info, stream)
                 : launch<32, false>(in, out, *job, classes, info, stream);
}
