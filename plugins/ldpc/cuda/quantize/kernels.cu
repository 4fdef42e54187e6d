/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels of block.h: frames of up to 1024 LLRs have a warp, of more 4 to 32. */
#include "plugins/ldpc/cuda/quantize/block.h"

enum { BLOCK_THREADS = 128 }; /* of frames with fewer threads */

template <int THREADS, int HELD>
static __global__ void __launch_bounds__(THREADS < BLOCK_THREADS ? BLOCK_THREADS : THREADS)
    quantize(const __grid_constant__ struct ldpc_quantize_work work)
{
    constexpr int TOGETHER = THREADS < BLOCK_THREADS ? BLOCK_THREADS / THREADS : 1;
    __shared__ uint32_t sums[THREADS / 32];
    const struct quantize_group g = {THREADS, threadIdx.x % THREADS, sums};
    const uint64_t frame = (uint64_t)blockIdx.x * TOGETHER + threadIdx.x / THREADS;

    if (frame < work.frames) /* the same for a whole warp, and for all where they meet */
        quantize_frame(&work, frame, HELD, &g);
}

template <int THREADS, int HELD>
static int launch(const struct ldpc_quantize_work *work, void *stream)
{
    const unsigned block = THREADS < BLOCK_THREADS ? +BLOCK_THREADS : THREADS;
    const unsigned together = block / THREADS;
    const unsigned blocks = (unsigned)((work->frames + together - 1) / together);

    quantize<THREADS, HELD><<<blocks, block, 0, (cudaStream_t)stream>>>(*work);
    return cudaGetLastError();
}

int ldpc_quantize_launch(const struct ldpc_quantize_work *work, void *stream)
{
    return work->n <= 32 * 16     ? launch<32, 16>(work, stream)
           : work->n <= 32 * 32   ? launch<32, 32>(work, stream)
           : work->n <= 128 * 16  ? launch<128, 16>(work, stream)
           : work->n <= 128 * 32  ? launch<128, 32>(work, stream)
           : work->n <= 512 * 16  ? launch<512, 16>(work, stream)
           : work->n <= 512 * 32  ? launch<512, 32>(work, stream)
           : work->n <= 1024 * 24 ? launch<1024, 24>(work, stream)
                                  : launch<1024, LDPC_QUANTIZE_HELD>(work, stream);
}
