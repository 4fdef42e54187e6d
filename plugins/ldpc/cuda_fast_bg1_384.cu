/* SPDX-License-Identifier: BSD-2-Clause */
#include "cuda_fast_kernel.cuh"

using namespace ldpc_fast;

/* Rows with packed messages, rows with messages in shared memory: the fastest of those measured. What
   does not fit into registers is spilled to L1, of which shared memory leaves little. */
const struct ldpc_fast_kernel ldpc_fast_bg1_384[] = {
    entry<1, 5, 0, 0, 0, 0, true>(),
    entry<1, 9, 4, 9, 0, 0, true>(),
    entry<1, 13, 3, 13, 0, 0, true>(),
    entry<1, 18, 0, 18, 0, 0, true>(),
    entry<1, 24, 0, 24, 0, 0, true>(),
    entry<1, 34, 0, 34, 0, 2, true>(),
    entry<1, 46, 0, 46, 0, 0, true>(),
    {},
};
