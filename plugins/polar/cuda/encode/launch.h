/* SPDX-License-Identifier: BSD-2-Clause */
/* polar.encode on CUDA devices: tables, and the launch of the kernel. */
#ifndef POLAR_CUDA_ENCODE_LAUNCH_H
#define POLAR_CUDA_ENCODE_LAUNCH_H

#include <fecrun/plugin.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct polar_encode_args;
struct polar_encode_class;

/*
 * All classes of frames in one piece of memory, as it is copied to the device: n classes, followed by
 * the words of u of each class, and the orders of message bits.
 */
struct polar_encode_tables {
    struct polar_encode_class *classes; /* the piece; the caller frees it */
    size_t words, order;                /* where these begin, in bytes */
    size_t bytes;
};

/* codes[]: struct polar_code. Returns 0, or -1 and a reason if there is no memory. */
int polar_encode_tables_make(struct polar_encode_tables *tables, void *const *codes, uint32_t n,
                             struct fecrun_error *err);

#ifdef FECRUN_CUDA

#include <cuda_runtime_api.h>

/* One of the kernels. */
const void *polar_encode_kernel(void);

cudaError_t polar_encode_launch(const struct polar_encode_args *args, bool in_packed,
                                bool out_packed, cudaStream_t stream);

#endif

#ifdef __cplusplus
}
#endif

#endif
