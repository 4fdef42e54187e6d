/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of windows_emulate.cc with WIN_SLIMMEST threads a block, as devices with 64 KiB run them. */
#define WIN_THREADS WIN_SLIMMEST
#define WIN_ACS WIN_LANES
#define EMULATE_WINDOWS windows_emulate_slimmest

#include "t/turbo/windows_emulate.cc"
