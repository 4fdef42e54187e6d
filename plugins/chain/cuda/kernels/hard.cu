/* SPDX-License-Identifier: BSD-2-Clause */
/* modem.hard, alone or with modem.map and channel.awgn. */
#include "plugins/chain/cuda/thread/hard.h"
#include "plugins/chain/cuda/kernels/launch.cuh"

namespace
{

/* Levels in shared memory: lanes of a warp want different ones. */
__device__ __forceinline__ void share_job(hard_job *shared, const hard_job &job)
{
    const unsigned i = threadIdx.y * blockDim.x + threadIdx.x;

    if (i < 16)
        shared->levels.level[i] = job.levels.level[i];
    if (i < NOISE_ROUNDS) {
        shared->keys.round[i][0] = job.keys.round[i][0];
        shared->keys.round[i][1] = job.keys.round[i][1];
    }
    __syncthreads();
}

template <unsigned M, bool REAL, bool LINKED, bool RAGGED>
__global__ void __launch_bounds__(THREADS)
    kernel(const __grid_constant__ rows in, const __grid_constant__ rows out,
           const __grid_constant__ hard_job job, const hard_class *classes,
           const __grid_constant__ words words, bool wide)
{
    __shared__ hard_job shared;
    const uint64_t group = my_group();

    if (LINKED)
        share_job(&shared, job);
    if (group * HARD_DIMENSIONS * M >= out.items)
        return;
    FECRUN_EACH_FRAME(f, out.frames)
    {
        const void *from = frame_of<RAGGED, const void>(in, f);
        const hard_frame frame = {from,
                                  frame_of<RAGGED, uint8_t>(out, f),
                                  items_of<RAGGED>(out, f),
                                  in.type,
                                  out.type,
                                  aligned<RAGGED>(from, 16, wide),
                                  fecrun_rng_counter(&words.rng, words.first + f, 0)};
        const hard_class *own = RAGGED ? classes + in.class_of[f] : &job.own;

        if (!RAGGED || group * HARD_DIMENSIONS * M < frame.bits)
            hard_group(REAL, M, LINKED, &shared, own, &frame, (uint32_t)group);
    }
}

template <unsigned M, bool REAL, bool LINKED>
cudaError_t launch(const rows &in, const rows &out, const hard_job &job, const hard_class *classes,
                   const words &words, void *stream)
{
    return start(out.offset ? kernel<M, REAL, LINKED, true> : kernel<M, REAL, LINKED, false>,
                 make_shape(out.frames, groups_of(out.items, HARD_DIMENSIONS * M)), stream, in, out,
                 job, classes, words, multiple(in, 16));
}

template <bool LINKED>
cudaError_t launch_scheme(const rows &in, const rows &out, bool real, unsigned bits,
                          const hard_job &job, const hard_class *classes, const words &words,
                          void *stream)
{
    if (real)
        return launch<1, true, LINKED>(in, out, job, classes, words, stream);
    switch (bits) {
    case 1:
        return launch<1, false, LINKED>(in, out, job, classes, words, stream);
    case 2:
        return launch<2, false, LINKED>(in, out, job, classes, words, stream);
    case 3:
        return launch<3, false, LINKED>(in, out, job, classes, words, stream);
    case 4:
        return launch<4, false, LINKED>(in, out, job, classes, words, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

} // namespace

extern "C" cudaError_t chain_cuda_hard(struct rows in, struct rows out, bool real, unsigned bits,
                                       const struct hard_job *job, const struct hard_class *classes,
                                       struct words words, void *stream)
{
    if (empty(out))
        return cudaSuccess;
    return in.type == FECRUN_C8
               ? launch_scheme<false>(in, out, real, bits, *job, classes, words, stream)
               : launch_scheme<true>(in, out, real, bits, *job, classes, words, stream);
}
