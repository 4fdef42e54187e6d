/* SPDX-License-Identifier: BSD-2-Clause */
/* test_registers.cu for the kernels of devices before compute capability 9.0 whose ring has a slot in device memory. */
#define REGISTERS_OLD
#define REGISTERS_HELD 1
#define REGISTERS_GLOBAL_SLOT 1
#define REGISTERS_THREADS 128
#include "t/viterbi/test_registers.cu"
