/* SPDX-License-Identifier: BSD-2-Clause */
#include "chain_cuda.h"

#ifdef FECRUN_CUDA

#include <stdlib.h>

int chain_cuda_probe(const struct fecrun_host *host, char *reason, size_t reason_size)
{
    (void)host;
    return fecrun_cuda_probe_kernel(chain_cuda_kernel(), reason, reason_size);
}

int chain_cuda_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct chain_cuda *own = calloc(1, sizeof *own);

    *instance = own;
    if (!own)
        return fecrun_fail(err, NULL, "out of memory");
    own->device = args->device;
    own->absorbed = args->n_absorbed ? args->absorbed_codes[0][0] : NULL;
    return 0;
}

int chain_cuda_begin(int device, struct fecrun_error *err)
{
    return fecrun_cuda_check(err, "cannot use the device", cudaSetDevice(device));
}

int chain_cuda_end(cudaError_t status, struct fecrun_error *err)
{
    return fecrun_cuda_check(err, "cannot start the kernel", status);
}

void chain_cuda_levels(struct levels *levels, const struct map_code *code)
{
    unsigned dimension_bits = code->bits == 1 ? 1 : code->bits / 2;

    for (unsigned p = 0; p < 1u << dimension_bits; p++) {
        unsigned symbol = p;

        if (code->bits > 1)
            for (unsigned i = symbol = 0; i < dimension_bits; i++)
                symbol |= (p >> i & 1) << (2 * i + 1);
        levels->level[p] = code->symbol[symbol][0];
    }
}

#endif
