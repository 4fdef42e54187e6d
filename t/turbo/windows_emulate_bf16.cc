/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of windows_emulate.cc as devices of compute capability 8.0 to 8.9 run them. */
#define WIN_ACS WIN_BF16
#define EMULATE_WINDOWS windows_emulate_bf16
#define EMULATE_SINGLE single_emulate_bf16

#include "t/turbo/windows_emulate.cc"
