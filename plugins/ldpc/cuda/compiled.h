/* SPDX-License-Identifier: BSD-2-Clause */
/* Common parts of kernels in registers and in shared memory that are compiled at run time. */
#ifndef LDPC_CUDA_COMPILED_H
#define LDPC_CUDA_COMPILED_H

#include <fecrun/plugin.h>
#include <stddef.h>

#include "plugins/common/rtc/compiled.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Machine code of a source that includes headers of this directory, for compute capability
 * `capability` (90: 9.0), malloc()ed; NULL and the reason in err. Needs no device.
 */
void *ldpc_compile(const char *text, unsigned capability, int driver, size_t *size,
                   struct fecrun_error *err);

/* Where shared memory of a thread block begins, by the device's capability: part of instructions. */
unsigned ldpc_shared_begins(unsigned device);

/* rtc_compiled_load() of such a source. */
int ldpc_compiled_load(struct rtc_compiled *compiled, const char *text, int device,
                       struct fecrun_error *err);

#ifdef __cplusplus
}
#endif

#endif
