/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/registers/nr.cuh"

using namespace ldpc_registers;

/* As in bg1_9.cu. */
const struct ldpc_registers_kernel ldpc_registers_bg1_46_256[] = {
    entry<1, 46, 4, 46, 0, 0, 0, 0, 256>(),
    entry<1, 46, 0, 46, 0, 11, 0, 0, 320>(),
    {},
};
