/* SPDX-License-Identifier: BSD-2-Clause */
/* The probe of the CUDA backends. */
#ifndef LDPC_CUDA_DEVICE_H
#define LDPC_CUDA_DEVICE_H

#include <fecrun/sdk/cuda.h>
#include <stdbool.h>

#ifdef FECRUN_CUDA

/* probe() of all backends of this plugin: it looks for one of the kernels, since the build has code
 * for the same devices of all of them. */
#ifdef __cplusplus
extern "C" {
#endif

int ldpc_cuda_probe(const struct fecrun_host *host, int32_t device, char *reason,
                    size_t reason_size);

/* apart_copy, see plugins/common/gpu/apart.h. */
struct apart_args;
cudaError_t ldpc_cuda_copy_classes(const struct apart_args *args, bool back, void *stream);

#ifdef __cplusplus
}
#endif

#endif
#endif
