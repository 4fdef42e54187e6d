/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/registers/nr.cuh"

using namespace ldpc_registers;

/* As in bg1_fixed_18.cu. */
const struct ldpc_registers_kernel ldpc_registers_bg1_fixed_34[] = {
    entry<1, 24, 0, 24, 0, 0, 384>(),
    entry<1, 34, 0, 34, 0, 3, 384>(),
    {},
};
