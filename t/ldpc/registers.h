/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernels in registers of ldpc.decode's backend `cuda`, on the CPU. ldpc_fast_emulate.cc has
 * them under names of their own: in builds with CUDA the plugin has the real ones.
 */
#ifndef T_LDPC_FAST_H
#define T_LDPC_FAST_H

#define LDPC_FAST_EMULATED
#define ldpc_fast_bg1 emulated_fast_bg1
#define ldpc_fast_bg1_fixed emulated_fast_bg1_fixed
#define ldpc_fast_bg2 emulated_fast_bg2
#define ldpc_fast_bg2_fixed emulated_fast_bg2_fixed
#define ldpc_fast_choose emulated_fast_choose
#define ldpc_fast_take emulated_fast_take
#define ldpc_fast_shared emulated_fast_shared

#include "plugins/ldpc/cuda_fast.h"

enum { SHARED_MOST = 227 << 10 }; /* bytes of a block, compute capability 9.0 */

#ifdef __cplusplus
extern "C" {
#endif

/* How a launch goes: all of it may be anything. */
struct ldpc_fast_grid {
    uint32_t blocks, threads;
    size_t shared;        /* bytes */
    uint32_t order;       /* which thread goes first, and when bulk copies happen */
};

void ldpc_fast_emulate(const struct ldpc_fast_kernel *kernel, const struct ldpc_fast_work *work,
                       const struct ldpc_fast_grid *grid);

/* Is it one of those that are compiled for the CPU? */
int ldpc_fast_compiled(const struct ldpc_fast_kernel *kernel);

/* Do messages of this row have 8 bits, two in a word? */
int ldpc_fast_packed(const struct ldpc_fast_kernel *kernel, uint32_t row);

#ifdef __cplusplus
}
#endif

#endif
