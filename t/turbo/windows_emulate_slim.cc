/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of windows_emulate.cc with WIN_SLIM threads a block, as devices with 99 KiB run them. */
#define WIN_THREADS WIN_SLIM
#define WIN_ACS WIN_BF16
#define EMULATE_WINDOWS windows_emulate_slim

#include "t/turbo/windows_emulate.cc"
