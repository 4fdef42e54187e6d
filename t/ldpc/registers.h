/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernels in registers of ldpc.decode's backend `cuda`, on the CPU. registers_emulate.cc has
 * them under names of their own: in builds with CUDA the plugin has the real ones.
 */
#ifndef T_LDPC_REGISTERS_H
#define T_LDPC_REGISTERS_H

#define LDPC_REGISTERS_EMULATED
#define ldpc_registers_bg1_9 emulated_fast_bg1_9
#define ldpc_registers_bg1_18 emulated_fast_bg1_18
#define ldpc_registers_bg1_24 emulated_fast_bg1_24
#define ldpc_registers_bg1_34 emulated_fast_bg1_34
#define ldpc_registers_bg1_46_256 emulated_fast_bg1_46_256
#define ldpc_registers_bg1_46_352 emulated_fast_bg1_46_352
#define ldpc_registers_bg1_46_384 emulated_fast_bg1_46_384
#define ldpc_registers_bg1_fixed_18 emulated_fast_bg1_fixed_18
#define ldpc_registers_bg1_fixed_34 emulated_fast_bg1_fixed_34
#define ldpc_registers_bg1_fixed_46 emulated_fast_bg1_fixed_46
#define ldpc_registers_bg2_20 emulated_fast_bg2_20
#define ldpc_registers_bg2_42 emulated_fast_bg2_42
#define ldpc_registers_bg2_fixed emulated_bg2_fixed
#define ldpc_registers_bg1_halved_18 emulated_bg1_halved_18
#define ldpc_registers_bg1_halved_46 emulated_bg1_halved_46
#define ldpc_registers_bg2_halved emulated_bg2_halved
#define ldpc_registers_choose emulated_choose
#define ldpc_registers_choose_for_twin emulated_choose_for_twin
#define ldpc_registers_halved emulated_halved

#include "plugins/ldpc/cuda/registers/plan.h"

enum { SHARED_MOST = 227 << 10 }; /* bytes of a block, compute capability 9.0 */

#ifdef __cplusplus
extern "C" {
#endif

/* How a launch goes: all of it may be anything. */
struct ldpc_registers_grid {
    uint32_t blocks, threads;
    size_t shared;  /* bytes */
    uint32_t order; /* which thread goes first, and when bulk copies happen */
};

void ldpc_registers_emulate(const struct ldpc_registers_kernel *kernel,
                            const struct ldpc_registers_work *work,
                            const struct ldpc_registers_grid *grid);

/* Is it one of those that are compiled for the CPU? */
int ldpc_registers_compiled(const struct ldpc_registers_kernel *kernel);

/* Do messages of this row have 8 bits, two in a word? */
int ldpc_registers_packed(const struct ldpc_registers_kernel *kernel, uint32_t row);

#ifdef __cplusplus
}
#endif

#endif
