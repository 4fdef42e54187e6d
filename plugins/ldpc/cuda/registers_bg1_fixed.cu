/* SPDX-License-Identifier: BSD-2-Clause */
#include "cuda_fast_kernel.cuh"

using namespace ldpc_fast;

/*
 * As in cuda_fast_bg1.cu: the fastest of those measured. What does not fit into registers is spilled to
 * L1, of which shared memory leaves little: with 46 rows many messages are in shared memory.
 */
const struct ldpc_fast_kernel ldpc_fast_bg1_fixed[] = {
    entry<1, 5, 0, 0, 0, 0, 384, 2>(),
    entry<1, 9, 4, 9, 0, 0, 384>(),
    entry<1, 13, 3, 13, 0, 0, 384>(),
    entry<1, 18, 0, 18, 0, 0, 384>(),
    entry<1, 24, 0, 24, 0, 0, 384>(),
    entry<1, 34, 0, 34, 0, 2, 384>(),
    entry<1, 46, 0, 46, 0, 6, 384>(),
    entry<1, 46, 0, 46, 0, 12, 288>(), /* fills 9 warps only; with shifts in memory 2/3 as fast as 384 */
    {},
};
