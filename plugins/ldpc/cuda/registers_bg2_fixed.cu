/* SPDX-License-Identifier: BSD-2-Clause */
#include "cuda_fast_kernel.cuh"

using namespace ldpc_fast;

/* As in cuda_fast_bg1_fixed.cu. */
const struct ldpc_fast_kernel ldpc_fast_bg2_fixed[] = {
    entry<2, 6, 0, 0, 0, 0, 384, 6>(),
    entry<2, 12, 0, 0, 0, 0, 384, 4>(),
    entry<2, 20, 0, 0, 0, 0, 384>(),
    entry<2, 30, 0, 0, 0, 4, 384>(),
    entry<2, 42, 4, 14, 0, 4, 384>(),
    {},
};
