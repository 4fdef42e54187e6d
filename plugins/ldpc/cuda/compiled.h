/* SPDX-License-Identifier: BSD-2-Clause */
/* Common parts of kernels in registers and in shared memory that are compiled at run time. */
#ifndef LDPC_CUDA_COMPILED_H
#define LDPC_CUDA_COMPILED_H

#include <fecrun/plugin.h>
#include <stddef.h>

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

/* ---- On a device ---- */

struct ldpc_compiled {
    void *library; /* cudaLibrary_t */
    const void *function;
};

/* Could there be such kernels on this device? 0, or -1 and why not. Quick. */
int ldpc_compiled_possible(int device, struct fecrun_error *why);

/*
 * Compiles and loads the source's only kernel, for the device, which is the thread's own. -1: reason in
 * err, and nothing is left behind.
 */
int ldpc_compiled_load(struct ldpc_compiled *compiled, const char *text, int device,
                       struct fecrun_error *err);

/* Zeroed is fine. */
void ldpc_compiled_unload(struct ldpc_compiled *compiled);

#ifdef __cplusplus
}
#endif

#endif
