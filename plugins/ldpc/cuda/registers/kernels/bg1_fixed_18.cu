/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/registers/nr.cuh"

using namespace ldpc_registers;

/*
 * As in bg1_9.cu: the fastest of those measured. What does not fit into registers is spilled
 * to L1, of which shared memory leaves little: with 46 rows many messages are in shared memory.
 */
const struct ldpc_registers_kernel ldpc_registers_bg1_fixed_18[] = {
    entry<1, 5, 0, 0, 0, 0, 384, 4, 384, 2, 6>(),
    entry<1, 9, 4, 9, 0, 0, 384, 0, 384, 3, 6>(),
    entry<1, 13, 3, 13, 0, 0, 384>(),
    entry<1, 18, 0, 18, 0, 0, 384>(),
    {},
};
