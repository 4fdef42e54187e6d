/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/registers/nr.cuh"

using namespace ldpc_registers;

/* As in bg1_fixed_18.cu. */
const struct ldpc_registers_kernel ldpc_registers_bg1_fixed_46[] = {
    entry<1, 46, 0, 46, 0, 7, 384>(),
    entry<1, 46, 0, 46, 0, 12,
          288>(), /* fills 9 warps only; with shifts in memory 2/3 as fast as 384 */
    {},
};
