/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of windows_emulate.cc with WIN_SLIMMEST threads a block. */
#define WIN_THREADS WIN_SLIMMEST
#define EMULATE_WINDOWS windows_emulate_slimmest

#include "t/turbo/windows_emulate.cc"
