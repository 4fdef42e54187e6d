/* SPDX-License-Identifier: BSD-2-Clause */
/* Chooses the instruction set of a CPU backend that has code for several. */
#ifndef FECRUN_SDK_SIMD_H
#define FECRUN_SDK_SIMD_H

#include <fecrun/plugin.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For what only pays off where it is inlined into a loop. */
#define FECRUN_ALWAYS_INLINE inline __attribute__((always_inline))

/* "generic", "avx2", "avx512", NULL: by enum fecrun_isa. */
extern const char *const fecrun_isa_names[];

/* The tuning parameter `isa`: auto, or one of the names. In a schema: &fecrun_isa_param. */
extern const struct fecrun_param fecrun_isa_param;

/* Does this CPU run code for this instruction set (enum fecrun_isa)? AVX512: F, BW, VL and DQ. */
bool fecrun_isa_runs(uint32_t isa);

/*
 * For create(): the instruction set that `wanted`, a value of fecrun_isa_param, asks for, within
 * what the host allows; auto: the best for which has() is true. has() is true for those that this
 * build has code for and this CPU runs, FECRUN_ISA_GENERIC at least. An error names `isa`.
 */
int fecrun_isa_choose(const struct fecrun_value *wanted, const struct fecrun_host *host,
                      bool (*has)(uint32_t isa), uint32_t *isa, struct fecrun_error *err);

#ifdef __cplusplus
}
#endif

#endif
