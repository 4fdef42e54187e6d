/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/registers/nr.cuh"

using namespace ldpc_registers;

/* As in bg1_9.cu. */
const struct ldpc_registers_kernel ldpc_registers_bg1_34[] = {
    entry<1, 34, 4, 34, 0, 0, 0, 0, 256>(),
    entry<1, 34, 0, 34, 0, 2, 0>(),
    {},
};
