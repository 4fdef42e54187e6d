/* SPDX-License-Identifier: BSD-2-Clause */
/* turbo.encode on CUDA devices: tables, and the launch of the kernel. */
#ifndef TURBO_CUDA_ENCODE_LAUNCH_H
#define TURBO_CUDA_ENCODE_LAUNCH_H

#include <fecrun/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

struct turbo_encode;
struct turbo_encode_args;
struct turbo_encode_class;

/* What the kernel knows of a class. */
struct turbo_encode_class turbo_encode_class_of(const struct turbo_encode *encode);

#ifdef FECRUN_CUDA

#include <cuda_runtime_api.h>

cudaError_t turbo_encode_launch(const struct turbo_encode_args *args, bool in_packed,
                                bool out_packed, cudaStream_t stream);

#endif

#ifdef __cplusplus
}
#endif

#endif
