/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/registers/nr.cuh"

using namespace ldpc_registers;

/*
 * For code blocks that have a multiprocessor each: those of bg1_fixed_18.cu, with as many
 * messages of 8 bits, so that bits are the same. (The first two numbers after the rows; the others are of
 * no consequence for bits.)
 */
const struct ldpc_registers_kernel ldpc_registers_bg1_halved_18[] = {
    halved<1, 5, 0, 0, 0, 0, 384, 1>(),
    halved<1, 9, 4, 9, 0, 0, 384>(),
    halved<1, 13, 3, 13, 0, 0, 384>(),
    halved<1, 18, 0, 18, 0, 0, 384>(),
    {},
};
