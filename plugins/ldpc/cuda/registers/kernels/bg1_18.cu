/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/registers/nr.cuh"

using namespace ldpc_registers;

/* As in bg1_9.cu. */
const struct ldpc_registers_kernel ldpc_registers_bg1_18[] = {
    entry<1, 13, 0, 0, 0, 0, 0, 2, 256>(),
    entry<1, 13, 0, 13, 0, 0, 0>(),
    entry<1, 18, 0, 0, 0, 0, 0, 0, 256>(),
    entry<1, 18, 0, 18, 0, 0, 0>(),
    {},
};
