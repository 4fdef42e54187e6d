/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/registers/nr.cuh"

using namespace ldpc_registers;

/* As in bg1_9.cu. For tiny z, whose LLRs need more of the shared memory. */
const struct ldpc_registers_kernel ldpc_registers_bg1_46_384[] = {
    entry<1, 46, 0, 46, 0, 0, 0>(),
    {},
};
