/* SPDX-License-Identifier: BSD-2-Clause */
/* The CUDA kernels of polar.decode on the CPU: cuda_emulate.cc. */
#ifndef T_POLAR_CUDA_H
#define T_POLAR_CUDA_H

#include "plugins/polar/cuda/list/ragged.h"
#include "plugins/polar/cuda/sc/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A launch of `blocks` blocks of so many warps, one after the other; `order`: which threads go first.
   alone: a warp has one frame. */
void polar_emulate_sc(const struct polar_sc_job *job, uint32_t blocks, uint32_t warps,
                      unsigned order);
void polar_emulate_list(const struct polar_list_job *job, uint32_t blocks, uint32_t warps,
                        unsigned order, bool alone);
/* Both kernels; lanes: of a frame. */
void polar_emulate_ragged(const struct polar_list_ragged *ragged, uint32_t lanes, uint32_t blocks,
                          uint32_t warps, unsigned order);

#ifdef __cplusplus
}
#endif

#endif
