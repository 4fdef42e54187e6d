/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory strengths of belief propagation with memory, and of its legs (Relay-BP): Mueller, Alexander,
 * Beverland, Buehler, Johnson, Maurer, Vandeth, arXiv 2506.01779.
 */
#include <fecrun/sdk/rng.h>

#include "plugins/ldpc/syndrome/syndrome.h"

enum { BLOCKS = 64 };

void ldpc_syndrome_gammas(const struct ldpc_syndrome *d, uint32_t leg, float *gamma)
{
    const struct fecrun_rng rng = {.seed = d->gamma_seed};
    uint32_t words[BLOCKS * FECRUN_RNG_BLOCK];

    for (uint32_t j = 0; !leg && j < d->cols; j++)
        gamma[j] = d->gamma0;
    for (uint32_t first = 0; leg && first < d->cols; first += BLOCKS * FECRUN_RNG_BLOCK) {
        const uint32_t left = d->cols - first;
        const uint32_t n = left < BLOCKS * FECRUN_RNG_BLOCK ? left : BLOCKS * FECRUN_RNG_BLOCK;

        fecrun_rng_words(&rng, leg, first / FECRUN_RNG_BLOCK, words, BLOCKS);
        for (uint32_t i = 0; i < n; i++)
            gamma[first + i] = d->gamma_min + d->gamma_width * ((float)(words[i] >> 8) * 0x1p-24F);
    }
}

int64_t ldpc_syndrome_weigh(const struct ldpc_syndrome *d, const uint8_t *error)
{
    int64_t weight = 0;

    for (uint32_t j = 0; j < d->cols; j++)
        weight += error[j] ? d->weight[j] : 0;
    return weight;
}
