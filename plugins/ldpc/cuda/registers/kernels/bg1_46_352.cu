/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/registers/nr.cuh"

using namespace ldpc_registers;

/* As in bg1_9.cu. */
const struct ldpc_registers_kernel ldpc_registers_bg1_46_352[] = {
    entry<1, 46, 0, 46, 0, 9, 0, 0, 352>(),
    entry<1, 46, 0, 46, 0, 6, 0>(),
    {},
};
