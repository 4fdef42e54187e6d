/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/registers/nr.cuh"

using namespace ldpc_registers;

/* As in bg1_halved_18.cu. */
const struct ldpc_registers_kernel ldpc_registers_bg2_halved[] = {
    halved<2, 6, 0, 0, 0, 0, 384>(),   halved<2, 12, 0, 0, 0, 0, 384>(),
    halved<2, 20, 0, 0, 0, 0, 384>(),  halved<2, 30, 0, 0, 0, 0, 384>(),
    halved<2, 42, 4, 14, 0, 0, 384>(), {},
};
