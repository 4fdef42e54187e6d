/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/simd/simd.h"

#include <stddef.h>

const struct fecrun_param *const chain_simd_tune[] = {&fecrun_isa_param, NULL};

static const struct chain_kernels *kernels_of(uint32_t isa)
{
    if (!fecrun_isa_runs(isa))
        return NULL;
    return isa == FECRUN_ISA_AVX512 ? chain_kernels_avx512()
           : isa == FECRUN_ISA_AVX2 ? chain_kernels_avx2()
                                    : chain_kernels_generic();
}

static bool has(uint32_t isa)
{
    return kernels_of(isa) != NULL;
}

int chain_simd_choose(const struct fecrun_create *args, const struct chain_kernels **kernels,
                      struct fecrun_error *err)
{
    uint32_t isa;

    if (fecrun_isa_choose(args->tune->v[0], args->host, has, &isa, err))
        return -1;
    *kernels = kernels_of(isa);
    return 0;
}
