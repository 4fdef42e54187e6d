/* SPDX-License-Identifier: BSD-2-Clause */
#include "rng.h"

/* Compiled with -O3, so that four counters go through the rounds side by side. */
void fecrun_rng_words(const struct fecrun_rng *rng, uint64_t frame, uint32_t first, uint32_t *words,
                      size_t blocks)
{
    struct fecrun_rng own = *rng;

    for (size_t b = 0; b < blocks; b++) {
        philox4x32_ctr_t x = fecrun_rng_block(&own, frame, first + (uint32_t)b);

        words[4 * b] = x.v[0];
        words[4 * b + 1] = x.v[1];
        words[4 * b + 2] = x.v[2];
        words[4 * b + 3] = x.v[3];
    }
}
