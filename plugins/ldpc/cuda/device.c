/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/device.h"

#include "plugins/ldpc/cuda/general/plan.h"

#ifdef FECRUN_CUDA

int ldpc_cuda_probe(const struct fecrun_host *host, int32_t device, char *reason,
                    size_t reason_size)
{
    (void)host;
    return fecrun_cuda_probe_kernel(ldpc_cuda_kernel(), device, reason, reason_size);
}

#endif
