/* SPDX-License-Identifier: BSD-2-Clause */
/* The probe of the CUDA backends. */
#ifndef TURBO_CUDA_DEVICE_H
#define TURBO_CUDA_DEVICE_H

#include <fecrun/sdk/cuda.h>

#ifdef FECRUN_CUDA

/* probe() of the backends beside the decoders: it looks for one of the kernels, since the build has code
 * for the same devices of all of them. */
int turbo_cuda_probe(const struct fecrun_host *host, int32_t device, char *reason,
                     size_t reason_size);

#endif
#endif
