/* SPDX-License-Identifier: BSD-2-Clause */
/* Pinned host memory. */
#ifndef CUDA_PINNED_H
#define CUDA_PINNED_H

#ifdef FECRUN_CUDA
#include <cuda_runtime_api.h>
#include <stddef.h>

/* At least one byte, aligned to 64, that all devices can copy from and to. The device is the thread's own. */
cudaError_t cuda_pinned_alloc(size_t bytes, void **ptr);
cudaError_t cuda_pinned_free(void *ptr);

#endif
#endif
