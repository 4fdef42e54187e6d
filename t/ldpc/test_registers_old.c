/* SPDX-License-Identifier: BSD-2-Clause */
/* The same kernels as devices before compute capability 9.0 have them: registers_emulate_old.o. */
#include "t/ldpc/test_registers_code.c"
