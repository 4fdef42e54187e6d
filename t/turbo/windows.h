/* SPDX-License-Identifier: BSD-2-Clause */
/* The CUDA kernels of windows/plan.h on the CPU: windows_emulate.cc. */
#ifndef T_TURBO_WINDOWS_H
#define T_TURBO_WINDOWS_H

#include "plugins/turbo/cuda/single/plan.h"
#include "plugins/turbo/cuda/windows/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A launch of `blocks` blocks with so much shared memory, one after the other; `order`: which threads go first. All but the wide
   kernels. */
void windows_emulate(const struct turbo_windows_job *job, const struct turbo_windows_kind *kind,
                     uint32_t bytes, uint32_t blocks, unsigned order);

/* WIN_NARROW threads as devices older than 9.0 run them: windows/acs.cuh. */
extern bool windows_bf16;

/* The same of one number of threads. */
void windows_emulate_dpx(const struct turbo_windows_job *job, const struct turbo_windows_kind *kind,
                         uint32_t bytes, uint32_t blocks, unsigned order);
void windows_emulate_bf16(const struct turbo_windows_job *job,
                          const struct turbo_windows_kind *kind, uint32_t bytes, uint32_t blocks,
                          unsigned order);
void windows_emulate_slim(const struct turbo_windows_job *job,
                          const struct turbo_windows_kind *kind, uint32_t bytes, uint32_t blocks,
                          unsigned order);
void windows_emulate_slimmest(const struct turbo_windows_job *job,
                              const struct turbo_windows_kind *kind, uint32_t bytes,
                              uint32_t blocks, unsigned order);

/* The next group of a block of threads on that multiprocessor: win_share_next(), windows/share.cuh. */
uint32_t windows_share(const struct turbo_windows_job *job, uint32_t groups, uint32_t processor,
                       bool begins);

/* The same of single/plan.h's kernel. */
void single_emulate(const struct turbo_windows_job *job, uint32_t blocks, unsigned order);
void single_emulate_dpx(const struct turbo_windows_job *job, uint32_t blocks, unsigned order);
void single_emulate_bf16(const struct turbo_windows_job *job, uint32_t blocks, unsigned order);

#ifdef __cplusplus
}
#endif

#endif
