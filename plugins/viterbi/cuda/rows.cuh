/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rows of short frames: each thread of a block writes one to shared memory, byte by byte, and then all threads
 * copy what lies one behind the other to device memory in whole vectors.
 */
#ifndef VITERBI_CUDA_ROWS_CUH
#define VITERBI_CUDA_ROWS_CUH

#include <fecrun/sdk/device.h>

#include "plugins/viterbi/cuda/grid.h"

/* Shared memory of a block whose rows have at most so many bytes each. */
FECRUN_INLINE size_t conv_rows_bytes(uint64_t most)
{
    return (size_t)(most * CONV_THREADS + 32) / 16 * 16;
}

/* Bytes in front of the first row: vectors then begin at the same places on both sides. */
FECRUN_ON_DEVICE unsigned conv_rows_skip(const uint8_t *out)
{
    return (unsigned)((uintptr_t)out & 15);
}

/* `all` bytes to `out`; rows begins at a multiple of 16, and its first row conv_rows_skip() bytes behind. */
FECRUN_ON_DEVICE void conv_rows_put(uint8_t *out, const uint8_t *rows, unsigned all)
{
    const unsigned skip = conv_rows_skip(out);

    for (unsigned c = threadIdx.x; 16 * c < skip + all; c += CONV_THREADS) {
        const int64_t begin = (int64_t)(16 * c) - skip;
        uint32_t part[4];

        fecrun_load_128(part, rows + 16 * c);
        if (begin >= 0 && begin + 16 <= all) {
            fecrun_store_128(out + begin, part);
            continue;
        }
#pragma unroll
        for (int i = 0; i < 4; i++)
            fecrun_store_bytes(out, all, begin + 4 * i, part[i]);
    }
}

#endif
