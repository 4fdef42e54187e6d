/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/registers/nr.cuh"

using namespace ldpc_registers;

/* As in bg1_9.cu. */
const struct ldpc_registers_kernel ldpc_registers_bg2_42[] = {
    entry<2, 30, 0, 0, 0, 0, 0, 0, 256>(),
    entry<2, 30, 0, 0, 0, 4, 0>(),
    entry<2, 42, 0, 0, 0, 0, 0, 0, 256>(),
    entry<2, 42, 4, 42, 0, 0, 0>(),
    {},
};
