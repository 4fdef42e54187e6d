/* SPDX-License-Identifier: BSD-2-Clause */
#include "gauss.h"

/* Compiled with -O3 -fno-math-errno: without the latter sqrtf keeps the loop scalar. */
void fecrun_gauss_words(float *out, const uint32_t *words, size_t pairs)
{
    for (size_t i = 0; i < pairs; i++)
        fecrun_gauss_pair(words[2 * i], words[2 * i + 1], out + 2 * i);
}

void fecrun_gauss(const struct fecrun_rng *rng, uint64_t frame, uint64_t first, float *out,
                  size_t n)
{
    enum { CHUNK = 1024 }; /* words: the buffer stays in the first level cache */
    uint32_t words[CHUNK];
    uint32_t block = (uint32_t)(first / FECRUN_RNG_BLOCK);
    size_t whole = n - n % FECRUN_RNG_BLOCK;

    for (size_t i = 0; i < whole; i += CHUNK) {
        size_t m = whole - i < CHUNK ? whole - i : CHUNK;

        fecrun_rng_words(rng, frame, block + (uint32_t)(i / FECRUN_RNG_BLOCK), words,
                         m / FECRUN_RNG_BLOCK);
        fecrun_gauss_words(out + i, words, m / 2);
    }
    if (whole < n) {
        float last[FECRUN_RNG_BLOCK];

        fecrun_rng_words(rng, frame, block + (uint32_t)(whole / FECRUN_RNG_BLOCK), words, 1);
        fecrun_gauss_words(last, words, FECRUN_RNG_BLOCK / 2);
        memcpy(out + whole, last, (n - whole) * sizeof *out);
    }
}
