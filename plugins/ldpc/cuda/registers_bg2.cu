/* SPDX-License-Identifier: BSD-2-Clause */
#include "cuda_fast_kernel.cuh"

using namespace ldpc_fast;

/* As in cuda_fast_bg1.cu. */
const struct ldpc_fast_kernel ldpc_fast_bg2[] = {
    entry<2, 6, 0, 0, 0, 0, 0, 6>(),
    entry<2, 12, 0, 0, 0, 0, 0, 12, 256>(),
    entry<2, 12, 0, 0, 0, 0, 0, 4>(),
    entry<2, 20, 0, 0, 0, 0, 0>(),
    entry<2, 30, 0, 0, 0, 0, 0, 0, 256>(),
    entry<2, 30, 0, 0, 0, 4, 0>(),
    entry<2, 42, 0, 0, 0, 0, 0, 0, 256>(),
    entry<2, 42, 4, 42, 0, 0, 0>(),
    {},
};
