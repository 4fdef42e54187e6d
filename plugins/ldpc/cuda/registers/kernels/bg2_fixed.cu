/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/registers/nr.cuh"

using namespace ldpc_registers;

/* As in bg1_fixed_18.cu. */
const struct ldpc_registers_kernel ldpc_registers_bg2_fixed[] = {
    entry<2, 6, 0, 0, 0, 0, 384, 6, 384, 3>(),   entry<2, 12, 0, 0, 0, 0, 384, 4, 384, 3>(),
    entry<2, 20, 0, 0, 0, 0, 384, 0, 384, 3>(),  entry<2, 30, 0, 0, 0, 4, 384>(),
    entry<2, 42, 4, 14, 0, 4, 384, 0, 384, 3>(), {},
};
