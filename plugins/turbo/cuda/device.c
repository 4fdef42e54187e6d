/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/turbo/cuda/device.h"

#include "plugins/turbo/cuda/rate/launch.h"

#ifdef FECRUN_CUDA

int turbo_cuda_probe(const struct fecrun_host *host, int32_t device, char *reason,
                     size_t reason_size)
{
    (void)host;
    return fecrun_cuda_probe_kernel(turbo_rate_kernel(), device, reason, reason_size);
}

#endif
