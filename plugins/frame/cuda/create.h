/* SPDX-License-Identifier: BSD-2-Clause */
/* What all backends cuda of the plugin frame do alike (backend.c). */
#ifndef FRAME_CUDA_CREATE_H
#define FRAME_CUDA_CREATE_H

#include <fecrun/plugin.h>

#ifdef FECRUN_CUDA

/* As the member of struct fecrun_backend: can the device run the plugin's kernels? */
int frame_gpu_probe(const struct fecrun_host *host, int32_t device, char *reason,
                    size_t reason_size);

/* Makes an instance with a copy of the table, and frees the table. NULL: *err says already why there is none. */
int frame_gpu_create(const struct fecrun_create *args, void *table, size_t bytes, void **instance,
                     struct fecrun_error *err);

#endif
#endif
