/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CUDA_PROBE_H
#define CUDA_PROBE_H

#include <fecrun/sdk/cuda.h>

#ifdef FECRUN_CUDA

/* The provider's: can this device be used? */
int cuda_probe(const struct fecrun_host *host, int32_t device, char *reason, size_t reason_size);

#endif
#endif
