/* SPDX-License-Identifier: BSD-2-Clause */
/* Forks of paths (decode.h), by sorting networks across a frame's lanes. */
#ifndef POLAR_CUDA_LIST_FORK_CUH
#define POLAR_CUDA_LIST_FORK_CUH

#include "plugins/polar/cuda/list_lane.cuh"

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

/* Which path a lane goes on with, and with which choice. */
struct list_choice {
    uint32_t lane, other;
};

/*
 * One fork, to at most `paths` paths in order. in_order: they are already, by metric and place.
 * Keys: metric, 5 bits of the candidate's number.
 */
template <int L, bool ALONE>
FECRUN_ON_DEVICE struct list_choice list_fork(list_lane<L, ALONE> &me, uint32_t penalty,
                                              uint32_t paths, bool in_order)
{
    const uint32_t other = (me.metric + penalty) << 5 | L | me.me;
    uint32_t keep = me.metric << 5 | me.me, key;
    struct list_choice choice;

    if (!in_order)
        keep = list_sort<L>(keep, me.me, false);
    key = list_sort<L>(other, me.me, true);
    key = key < keep ? key : keep;
    FECRUN_UNROLL
    for (int distance = L / 2; distance; distance /= 2)
        key = list_exchange(key, distance, !(me.me & (uint32_t)distance));
    choice.lane = key & (L - 1);
    choice.other = key & L;
    me.metric = me.me < paths ? key >> 5 : LIST_NO_PATH;
    return choice;
}

/* Are all frames' paths in order? */
template <int L, bool ALONE> FECRUN_ON_DEVICE bool list_in_order(const list_lane<L, ALONE> &me)
{
    const uint32_t next = list_of(me, me.metric, me.me < L - 1 ? me.me + 1 : me.me);

    return !__any_sync(LIST_ALL, me.metric > next && me.metric < LIST_NO_PATH);
}

/*
 * Would a fork change a frame of the warp whose paths are in order? Only if a choice with its penalty
 * is better than the last path: of equal metrics the path that stays comes first.
 */
template <int L, bool ALONE>
FECRUN_ON_DEVICE bool list_is_change(const list_lane<L, ALONE> &me, uint32_t penalty,
                                     uint32_t paths)
{
    return __any_sync(LIST_ALL, me.metric + penalty < list_of(me, me.metric, paths - 1));
}

#endif
