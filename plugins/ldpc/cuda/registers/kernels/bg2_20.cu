/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/registers/nr.cuh"

using namespace ldpc_registers;

/* As in bg1_9.cu. */
const struct ldpc_registers_kernel ldpc_registers_bg2_20[] = {
    entry<2, 6, 0, 0, 0, 0, 0, 6>(),
    entry<2, 12, 0, 0, 0, 0, 0, 12, 256>(),
    entry<2, 12, 0, 0, 0, 0, 0, 4>(),
    entry<2, 20, 0, 0, 0, 0, 0>(),
    {},
};
