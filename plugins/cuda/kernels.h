/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of convert_kernels.cu for cuda.c. */
#ifndef CUDA_KERNELS_H
#define CUDA_KERNELS_H

#include "plugins/cuda/convert.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Queues the conversion on the current device. pair: neither NONE nor COPY. */
cudaError_t cuda_convert_launch(unsigned pair, const struct convert_job *job, void *stream);

/* One of the kernels, for the probe. */
const void *cuda_convert_kernel(void);

#ifdef __cplusplus
}
#endif

#endif
