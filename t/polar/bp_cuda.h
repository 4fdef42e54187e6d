/* SPDX-License-Identifier: BSD-2-Clause */
/* The CUDA kernels of belief propagation on the CPU: bp_emulate.cc. */
#ifndef T_POLAR_BP_CUDA_H
#define T_POLAR_BP_CUDA_H

#include "plugins/polar/cuda/bp/ragged.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Launches of `n` blocks, one after the other; `order`: which threads go first. */
void polar_emulate_bp_half(const struct polar_bp_half_job *job, uint32_t n, unsigned order);
/* The same as code of 8.0 does it: bp_emulate_apart.cc. */
void polar_emulate_bp_half_apart(const struct polar_bp_half_job *job, uint32_t n, unsigned order);
void polar_emulate_bp_any(const struct polar_bp_any_job *job, uint32_t n, unsigned order);
/* stages: of the largest class. */
void polar_emulate_bp_ragged(const struct polar_bp_ragged_job *job, uint32_t stages, uint32_t n,
                             unsigned order);

#ifdef __cplusplus
}
#endif

#endif
