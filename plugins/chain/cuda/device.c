/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/cuda/device.h"

#ifdef FECRUN_CUDA

#include <stdlib.h>

int chain_cuda_probe(const struct fecrun_host *host, int32_t device, char *reason,
                     size_t reason_size)
{
    (void)host;
    return fecrun_cuda_probe_kernel(chain_cuda_kernel(), device, reason, reason_size);
}

int chain_cuda_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct chain_cuda *own = calloc(1, sizeof *own);

    *instance = own;
    if (!own)
        return fecrun_no_memory(err);
    own->device = args->device;
    own->absorbed = args->n_absorbed ? args->absorbed_codes[0][0] : NULL;
    return 0;
}

int chain_cuda_end(cudaError_t status, struct fecrun_error *err)
{
    return fecrun_cuda_check(err, "cannot start the kernel", status);
}

#endif
