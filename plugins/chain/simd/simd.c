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

int chain_simd_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    const struct chain_kernels *kernels;

    if (chain_simd_choose(args, &kernels, err))
        return -1;
    *instance = (void *)kernels; /* read only */
    return 0;
}

/* Bits of the real part are every other one of a QAM symbol's. */
static float amplitude(const struct map_code *map, unsigned bits, unsigned behind_sign)
{
    unsigned symbol = 0;

    if (map->bits == 1)
        return map->symbol[0][0];
    for (unsigned p = 1; p < bits; p++)
        symbol |= (behind_sign >> (bits - 1 - p) & 1) << (map->bits - 1 - 2 * p);
    return map->symbol[symbol][0];
}

void chain_link_send(struct chain_link *link, unsigned bits, const struct map_code *map,
                     const struct awgn_code *awgn)
{
    link->bits = bits;
    link->sigma = awgn->sigma;
    for (unsigned p = 0; p < 1u << (bits - 1); p++)
        link->amplitude[p] = amplitude(map, bits, p);
}
