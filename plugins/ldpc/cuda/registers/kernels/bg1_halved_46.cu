/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/registers/nr.cuh"

using namespace ldpc_registers;

/* As in bg1_halved_18.cu. */
const struct ldpc_registers_kernel ldpc_registers_bg1_halved_46[] = {
    halved<1, 24, 0, 24, 0, 0, 384>(),
    halved<1, 34, 0, 34, 0, 0, 384>(),
    halved<1, 46, 0, 46, 0, 0, 384, 3>(),
    {},
};
