/* SPDX-License-Identifier: BSD-2-Clause */
/* 512 bits for osd.h, where there are no vectors of that size. */

typedef uint64_t block __attribute__((vector_size(64), may_alias));

static FECRUN_ALWAYS_INLINE unsigned block_words(const block *v)
{
    const uint64_t *word = (const uint64_t *)v;
    unsigned words = 0;

    for (unsigned i = 0; i < 8; i++)
        words |= (unsigned)(word[i] != 0) << i;
    return words;
}

static FECRUN_ALWAYS_INLINE int64_t block_cost(const block *v, const int64_t *cost, uint32_t blocks)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < 8 * blocks; i++)
        for (uint64_t bits = ((const uint64_t *)v)[i]; bits; bits &= bits - 1)
            sum += cost[64 * i + (unsigned)__builtin_ctzll(bits)];
    return sum;
}
