/* SPDX-License-Identifier: BSD-2-Clause */
#include "cuda_fast_kernel.cuh"

using namespace ldpc_fast;

/* Rows whose messages are packed, rows whose messages are in shared memory: as measured. */
const struct ldpc_fast_kernel ldpc_fast_bg1_384[] = {
    entry<1, 5, 0, 0, 0, 0, true>(),
    entry<1, 9, 4, 9, 0, 0, true>(),
    entry<1, 13, 3, 13, 0, 0, true>(),
    entry<1, 18, 0, 18, 0, 0, true>(),
    entry<1, 24, 4, 18, 0, 4, true>(),
    entry<1, 34, 0, 34, 0, 2, true>(),
    entry<1, 46, 0, 46, 0, 2, true>(),
    {},
};
