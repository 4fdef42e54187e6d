/* SPDX-License-Identifier: BSD-2-Clause */
/* ldpc.encode on CUDA devices: arguments and launch of the kernels. */
#ifndef LDPC_CUDA_ENCODE_LAUNCH_H
#define LDPC_CUDA_ENCODE_LAUNCH_H

#include <fecrun/plugin.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ldpc_code;
struct ldpc_encode_args;
struct ldpc_encode_class;

/* Lists of all classes. Begins as {0}; the caller frees `entry`. */
struct ldpc_encode_table {
    uint32_t *entry;
    size_t n, room;
};

/*
 * Fills *class and appends its lists. -1 and a reason, if this code is not one of those that the
 * kernels encode.
 */
int ldpc_encode_plan(struct ldpc_encode_table *table, struct ldpc_encode_class *c,
                     const struct ldpc_code *code, struct fecrun_error *err);

/* Words of shared memory that a frame takes, and threads that it keeps busy. */
uint32_t ldpc_encode_words(const struct ldpc_encode_class *c);
uint32_t ldpc_encode_group(const struct ldpc_encode_class *c);

#ifdef FECRUN_CUDA

#include <cuda_runtime_api.h>

cudaError_t ldpc_encode_launch(const struct ldpc_encode_args *args, bool in_packed, bool out_packed,
                               cudaStream_t stream);

#endif

#ifdef __cplusplus
}
#endif

#endif
