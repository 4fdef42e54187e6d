/* SPDX-License-Identifier: BSD-2-Clause */
/* Forks of paths (decode.h), by sorting networks across a frame's lanes. */
#ifndef POLAR_CUDA_LIST_FORK_CUH
#define POLAR_CUDA_LIST_FORK_CUH

#include "plugins/polar/cuda/list/lane.cuh"

FECRUN_ON_DEVICE uint32_t list_exchange(uint32_t key, int distance, bool least)
{
    const uint32_t other = __shfl_xor_sync(LIST_ALL, key, distance);

    return least ? (key < other ? key : other) : (key < other ? other : key);
}

/* Keys of a frame's lanes in order, bitonic: rising, or falling. */
template <int L> FECRUN_ON_DEVICE uint32_t list_sort(uint32_t key, uint32_t me, bool falling)
{
    FECRUN_UNROLL
    for (int size = 2; size <= L; size *= 2)
        FECRUN_UNROLL
    for (int distance = size / 2; distance; distance /= 2)
        key = list_exchange(key, distance,
                            (!(me & (uint32_t)distance) == !(me & (uint32_t)size)) != falling);
    return key;
}

/* ---- Candidates: keys of a metric and a number, which is a path's lane, or L more: its other choice -- */

template <int L> FECRUN_ON_DEVICE uint32_t list_key(uint32_t metric, uint32_t number)
{
    return metric << (list_log2(L) + 1) | number;
}

/*
 * Paths in order get some of the other choices among them: each comes where it belongs, what is behind
 * moves on, the last one falls out. wanted: lanes of them.
 */
template <int L, bool ALONE>
FECRUN_ON_DEVICE uint32_t list_insert(const list_lane<L, ALONE> &me, uint32_t keep, uint32_t other,
                                      uint32_t wanted)
{
    while (__any_sync(LIST_ALL, wanted != 0)) {
        const uint32_t found = list_of(me, other, (uint32_t)__ffs((int)wanted) - 1);
        const uint32_t last = list_of(me, keep, me.me - 1);
        const uint32_t key = wanted ? found : LIST_ALL;
        const uint32_t after = me.me && last > key ? last : key;

        keep = keep < after ? keep : after;
        wanted &= wanted - 1;
    }
    return keep;
}

/* The same by sorting networks: for many other choices. */
template <int L> FECRUN_ON_DEVICE uint32_t list_merge(uint32_t me, uint32_t keep, uint32_t other)
{
    uint32_t key = list_sort<L>(other, me, true);

    key = key < keep ? key : keep;
    FECRUN_UNROLL
    for (int distance = L / 2; distance; distance /= 2)
        key = list_exchange(key, distance, !(me & (uint32_t)distance));
    return key;
}

/* So many exchanges, of which one to be inserted takes as long as three, are a merge. */
template <int L> FECRUN_ON_DEVICE constexpr int list_most_inserted()
{
    return list_log2(L) * (list_log2(L) + 3) / 6;
}

/* The best L in order. any: lanes of the warp whose other choice is among them. */
template <int L, bool ALONE>
FECRUN_ON_DEVICE uint32_t list_best(const list_lane<L, ALONE> &me, uint32_t keep, uint32_t other,
                                    uint32_t any)
{
    const uint32_t wanted = any >> me.group & LIST_ALL >> (32 - L);

    if (__any_sync(LIST_ALL, __popc(wanted) > list_most_inserted<L>()))
        return list_merge<L>(me.me, keep, other);
    return list_insert(me, keep, other, wanted);
}

/* Are all frames' paths in order? */
template <int L, bool ALONE> FECRUN_ON_DEVICE bool list_in_order(const list_lane<L, ALONE> &me)
{
    const uint32_t next = list_of(me, me.metric, me.me < L - 1 ? me.me + 1 : me.me);

    return !__any_sync(LIST_ALL, me.metric > next && me.metric < LIST_NO_PATH);
}

#endif
