/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The L weakest bits of a leaf, in order. A bit's key is its |LLR| and 7 bits of number; keys are
 * sorted two at a time, those of even positions and those of odd ones, and put together at the end.
 */
#ifndef POLAR_CUDA_LIST_WEAK_CUH
#define POLAR_CUDA_LIST_WEAK_CUH

#include "plugins/polar/cuda/list/lane.cuh"

/* Of the two LLRs from position `number` on. */
FECRUN_ON_DEVICE uint32_t list_keys(uint32_t a, uint32_t number)
{
    return llr_size(a) * 128 + (number * 0x10001u + 0x10000u);
}

FECRUN_ON_DEVICE void list_order_pairs(uint32_t &low, uint32_t &high)
{
    const uint32_t least = __vminu2(low, high);

    high = __vmaxu2(low, high);
    low = least;
}

/* Batcher's merge exchange: N lists of two keys each. */
template <int N> FECRUN_ON_DEVICE void list_order_words(uint32_t *key)
{
    FECRUN_UNROLL
    for (int p = N / 2; p; p /= 2) {
        FECRUN_UNROLL
        for (int i = 0; i + p < N; i++)
            if (!(i & p))
                list_order_pairs(key[i], key[i + p]);
        FECRUN_UNROLL
        for (int q = N / 2; q > p; q /= 2)
            FECRUN_UNROLL
        for (int i = 0; i + q < N; i++)
            if (!(i & p))
                list_order_pairs(key[i + p], key[i + q]);
    }
}

/* The least N of two such lists, the second one of M, in order. */
template <int N, int M> FECRUN_ON_DEVICE void list_merge_words(uint32_t *key, const uint32_t *more)
{
    FECRUN_UNROLL
    for (int i = 0; i < N; i++)
        if (N - 1 - i < M)
            key[i] = __vminu2(key[i], more[N - 1 - i]);
    FECRUN_UNROLL
    for (int distance = N / 2; distance; distance /= 2)
        FECRUN_UNROLL
    for (int i = 0; i < N; i++)
        if (!(i & distance))
            list_order_pairs(key[i], key[i + distance]);
}

/* A bitonic list of single keys. */
template <int N> FECRUN_ON_DEVICE void list_order_keys(uint32_t *key)
{
    FECRUN_UNROLL
    for (int distance = N / 2; distance; distance /= 2)
        FECRUN_UNROLL
    for (int i = 0; i < N; i++)
        if (!(i & distance)) {
            const uint32_t low = key[i], high = key[i + distance];

            key[i] = low < high ? low : high;
            key[i + distance] = low < high ? high : low;
        }
}

/* The least M keys of N words in order, to this lane's row, two in a word. */
template <int N, int M, int L, bool ALONE>
FECRUN_ON_DEVICE void list_put_weak(const list_lane<L, ALONE> &me, const uint32_t *word)
{
    uint32_t key[M];

    FECRUN_UNROLL
    for (int i = 0; i < M; i++) {
        const uint32_t even = i < N ? word[i] & 0xffff : LIST_ALL;
        const uint32_t odd = M - 1 - i < N ? word[M - 1 - i] >> 16 : LIST_ALL;

        key[i] = even < odd ? even : odd;
    }
    list_order_keys<M>(key);
    FECRUN_UNROLL
    for (int i = 0; i < M; i += 2)
        list_at(me.rows, LIST_WEAK_ROW + i / 8, me.me)[i / 2 % 4] = key[i] | key[i + 1] << 16;
}

/* Of a leaf of so many words; single: of one LLR. Returns the least one. */
template <int WORDS, int L, bool ALONE>
FECRUN_ON_DEVICE uint32_t list_find_weak(const list_lane<L, ALONE> &me, const uint32_t *a,
                                         bool single)
{
    uint32_t key[WORDS];

    FECRUN_UNROLL
    for (int i = 0; i < WORDS; i++)
        key[i] = list_keys(a[i], 2 * i);
    if (single)
        key[0] |= 0xffff0000u;
    list_order_words<WORDS>(key);
    list_put_weak<WORDS, (2 * WORDS < L ? 2 * WORDS : L)>(me, key);
    return __vminu2(key[0], key[0] >> 16) & 0xffff;
}

/* Where in a lane's rows one of the weakest bits is. */
template <int L> FECRUN_ON_DEVICE uint32_t list_weak_index(uint32_t rank)
{
    return L > 8 ? rank / 8 * (2 * LIST_ROW) + rank % 8 : rank;
}

FECRUN_ON_DEVICE uint32_t list_weak_size(uint32_t key)
{
    return key >> 7;
}

FECRUN_ON_DEVICE uint32_t list_weak_place(uint32_t key)
{
    return polar_list_place(key & 127);
}

#endif
