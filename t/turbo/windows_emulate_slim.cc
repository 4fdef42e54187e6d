/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of windows_emulate.cc with WIN_SLIM threads a block. */
#define WIN_THREADS WIN_SLIM
#define EMULATE_WINDOWS windows_emulate_slim

#include "t/turbo/windows_emulate.cc"
