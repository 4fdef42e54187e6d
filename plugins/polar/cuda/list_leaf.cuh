/* SPDX-License-Identifier: BSD-2-Clause */
/* Forks of paths, and the leaves that make them (decode.h). */
#ifndef POLAR_CUDA_LIST_LEAF_CUH
#define POLAR_CUDA_LIST_LEAF_CUH

#include "plugins/polar/cuda/list_lane.cuh"

/* ---- Forks ----------------------------------------------------------------------------------- */

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
template <int L>
FECRUN_ON_DEVICE struct list_choice list_fork(list_lane<L> &me, uint32_t penalty, uint32_t paths,
                                              bool in_order)
{
    uint32_t keep = me.metric << 5 | me.me;
    const uint32_t other = (me.metric + penalty) << 5 | L | me.me;
    uint32_t key;
    struct list_choice choice;

    if (!in_order)
        keep = list_sort<L>(keep, me.me, false);
    key = list_sort<L>(other, me.me, true);
    key = key < keep ? key : keep;
    FECRUN_UNROLL
    for (int distance = L / 2; distance; distance /= 2)
        key = list_exchange(key, distance, !(me.me & (uint32_t)distance));
    choice.lane = key & (L - 1);
    choice.other = key / L & 1;
    me.metric = key >> 5;
    if (me.metric >= LIST_NO_PATH || me.me >= paths)
        me.metric = LIST_NO_PATH;
    return choice;
}

template <int L>
FECRUN_ON_DEVICE uint32_t list_of(const list_lane<L> &me, uint32_t word, uint32_t lane)
{
    return __shfl_sync(LIST_ALL, word, (int)(me.group + lane));
}

/* All that a path is but its metric. */
template <int L> FECRUN_ON_DEVICE void list_become(list_lane<L> &me, uint32_t lane)
{
    me.near = list_of(me, me.near, lane);
    me.far = list_of(me, me.far, lane);
    me.beta = list_of(me, me.beta, lane);
    me.bits = list_of(me, me.bits, lane);
}

/* ---- LLRs of a leaf, 16 at a time --------------------------------------------------------------- */

template <int L>
FECRUN_ON_DEVICE void list_word(const list_lane<L> &me, uint32_t stage, uint32_t at, uint32_t r,
                                uint32_t &a, uint32_t &b)
{
    if (stage == me.stages)
        list_receive(me, r, a, b);
    else if (stage == LIST_TOP_STAGE && at == 0)
        list_get<LIST_TOP_LEFT>(me, nullptr, r, 0, a, b);
    else if (stage == LIST_TOP_STAGE)
        list_get<LIST_TOP_RIGHT>(me, nullptr, r, list_top_bits(me, LIST_TOP_RIGHT, r), a, b);
    else
        list_get<LIST_ROWS>(me, list_from(me, stage), r, 0, a, b);
}

/* Words of two; those behind a short leaf's end are 0. */
template <int L>
FECRUN_ON_DEVICE void list_read(const list_lane<L> &me, uint32_t stage, uint32_t at, uint32_t chunk,
                                uint32_t (&a)[8])
{
    const uint32_t words = stage ? (1u << stage) / 2 : 1;

    if (stage > 4) {
        FECRUN_UNROLL
        for (uint32_t r = 0; r < 4; r++)
            list_word(me, stage, at, 4 * chunk + r, a[2 * r], a[2 * r + 1]);
        return;
    }
    FECRUN_UNROLL
    for (uint32_t k = 0; k < 8; k++)
        a[k] = k < words ? *list_at(me, polar_list_row(stage) + k, list_pointer<L>(me.near, stage))
                         : 0;
}

FECRUN_ON_DEVICE uint32_t list_chunks(uint32_t stage)
{
    return stage > 4 ? (1u << stage) / 16 : 1;
}

/* The sum of 16, which is exact in halves. */
FECRUN_ON_DEVICE int list_sum(const uint32_t (&a)[8], bool negative)
{
    uint32_t sum = 0;

    FECRUN_UNROLL
    for (int k = 0; k < 8; k++)
        sum = halves_add(sum, negative ? halves_least(a[k], 0) : a[k]);
    return (int)halves_float(halves_add(sum, sum >> 16), 0);
}

/* Signs at places 0 .. 7 of both halves. */
FECRUN_ON_DEVICE uint32_t list_signs(const uint32_t (&a)[8])
{
    uint32_t word = 0;

    FECRUN_UNROLL
    for (int k = 0; k < 8; k++)
        word |= halves_negative(a[k]) >> (15 - k);
    return word;
}

/* Bits of a leaf, all alike or not, of 32 positions or more: in rows. */
template <int L>
FECRUN_ON_DEVICE void list_put(list_lane<L> &me, uint32_t stage, uint32_t at, uint32_t word)
{
    if (stage < 5) {
        const uint32_t places = list_places(stage, at);

        me.bits = (me.bits & ~places) | (word & places);
        return;
    }
    for (uint32_t row = 0; row < (1u << stage) / 32; row++)
        *list_at(me, me.x_row + at / 32 + row, me.me) = word;
    list_done(me, stage, at);
}

/* ---- Frozen, repeated ------------------------------------------------------------------------- */

template <int L> FECRUN_ON_DEVICE void list_zeros(list_lane<L> &me, uint32_t stage, uint32_t at)
{
    int sum = 0;

    POLAR_UNROLL_BY(1)
    for (uint32_t c = 0; c < list_chunks(stage); c++) {
        uint32_t a[8];

        list_read(me, stage, at, c, a);
        sum += list_sum(a, true);
    }
    me.metric += (uint32_t)-sum;
    list_put(me, stage, at, 0);
}

template <int L>
FECRUN_ON_DEVICE void list_repeat(list_lane<L> &me, uint32_t stage, uint32_t at, uint32_t paths)
{
    int zeros = 0, sum = 0;
    uint32_t one;
    struct list_choice choice;

    POLAR_UNROLL_BY(1)
    for (uint32_t c = 0; c < list_chunks(stage); c++) {
        uint32_t a[8];

        list_read(me, stage, at, c, a);
        zeros -= list_sum(a, true);
        sum += list_sum(a, false);
    }
    one = sum < 0;
    me.metric += (uint32_t)(one ? zeros + sum : zeros);
    choice = list_fork(me, (uint32_t)(one ? -sum : sum), paths, false);
    list_become(me, choice.lane);
    one = list_of(me, one, choice.lane) ^ choice.other;
    list_put(me, stage, at, 0u - one);
}

/* ---- Free bits ------------------------------------------------------------------------------- */

/* The L weakest bits, in order: |a|, 9 bits of number. In lanes: even and odd positions. */
template <int L> struct list_weak {
    uint32_t key[L];
    uint32_t odd; /* parity of signs */
};

template <int L> FECRUN_ON_DEVICE void list_insert(struct list_weak<L> &weak, uint32_t key)
{
    FECRUN_UNROLL
    for (int i = 0; i < L; i++) {
        const uint32_t greater = __vmaxu2(weak.key[i], key);

        weak.key[i] = __vminu2(weak.key[i], key);
        key = greater;
    }
}

/* Of both lanes' lists one, in the lower lane. */
template <int L> FECRUN_ON_DEVICE void list_merge(struct list_weak<L> &weak)
{
    uint32_t key[L];

    FECRUN_UNROLL
    for (int i = 0; i < L; i++) {
        const uint32_t even = weak.key[i] & 0xffff, odd = weak.key[L - 1 - i] >> 16;

        key[i] = even < odd ? even : odd;
    }
    FECRUN_UNROLL
    for (int distance = L / 2; distance; distance /= 2)
        FECRUN_UNROLL
    for (int i = 0; i < L; i++)
        if (!(i & distance)) {
            const uint32_t low = key[i], high = key[i + distance];

            key[i] = low < high ? low : high;
            key[i + distance] = low < high ? high : low;
        }
    FECRUN_UNROLL
    for (int i = 0; i < L; i++)
        weak.key[i] = key[i];
}

/* Into the lane's rows. */
template <int L>
FECRUN_ON_DEVICE uint32_t list_find_weak(list_lane<L> &me, uint32_t stage, uint32_t at)
{
    const uint32_t words = stage ? (stage < 4 ? (1u << stage) / 2 : 8) : 1;
    struct list_weak<L> weak;
    uint32_t odd = 0;

    FECRUN_UNROLL
    for (int i = 0; i < L; i++)
        weak.key[i] = LIST_ALL;
    POLAR_UNROLL_BY(1)
    for (uint32_t c = 0; c < list_chunks(stage); c++) {
        uint32_t a[8];

        list_read(me, stage, at, c, a);
        FECRUN_UNROLL
        for (uint32_t k = 0; k < 8; k++)
            if (k < words) {
                const uint32_t size = halves_add(halves_size(a[k]), 0x64006400u) & 0x007f007fu;
                const uint32_t number = (16 * c + 2 * k) * 0x10001u + 0x10000u;

                list_insert(weak, ((size << 9) + number) | (stage ? 0 : 0xffff0000u));
            }
        odd ^= list_signs(a);
    }
    list_merge(weak);
    FECRUN_UNROLL
    for (int i = 0; i < L / 2; i++)
        *list_at(me, LIST_WEAK_ROW + i, me.me) = weak.key[2 * i] | weak.key[2 * i + 1] << 16;
    __syncwarp();
    return __popc(odd) & 1;
}

/* One of the weakest bits, of the lane where they were found. */
template <int L>
FECRUN_ON_DEVICE uint32_t list_weak_at(const list_lane<L> &me, uint32_t lane, uint32_t rank)
{
    return *list_at(me, LIST_WEAK_ROW + rank / 2, lane) >> 16 * (rank % 2) & 0xffff;
}

/* What forks of a leaf have left: where the path began it, is the parity odd, which bits to flip. */
enum { LIST_STORY_ODD = 1 << 4, LIST_STORY_FLIP = 5 };

/* Flips bit `number` of a leaf that is in a word of bits, or in this lane's rows. */
template <int L>
FECRUN_ON_DEVICE void list_flip(list_lane<L> &me, uint32_t stage, uint32_t at, uint32_t number,
                                bool flip)
{
    const uint32_t bit = flip ? list_places(0, at + number) : 0;

    if (stage < 5)
        me.bits ^= bit;
    else
        *list_at(me, me.x_row + (at + number % (1u << stage)) / 32, me.me) ^= bit;
}

/* Decisions by the signs, of the path as it is now. */
template <int L> FECRUN_ON_DEVICE void list_put_signs(list_lane<L> &me, uint32_t stage, uint32_t at)
{
    uint32_t word = 0;

    POLAR_UNROLL_BY(1)
    for (uint32_t c = 0; c < list_chunks(stage); c++) {
        uint32_t a[8], signs;

        list_read(me, stage, at, c, a);
        signs = list_signs(a);
        if (stage > 4) {
            word = c % 2 ? word | signs << 8 : signs;
            if (c % 2)
                *list_at(me, me.x_row + at / 32 + c / 2, me.me) = word;
        } else {
            const uint32_t places = list_places(stage, at);

            signs = stage ? signs << at % 32 / 2 : signs << (at % 32 / 2 + 16 * (at % 2));
            me.bits = (me.bits & ~places) | (signs & places);
        }
    }
}

template <int L>
FECRUN_ON_DEVICE void list_free(list_lane<L> &me, const struct polar_list_step &step,
                                uint32_t paths)
{
    const bool even = step.node == NODE_SPC;
    const uint32_t odd = list_find_weak(me, step.stage, step.at) & even;
    uint32_t story = me.me | (odd ? (uint32_t)LIST_STORY_ODD : 0);

    if (odd)
        me.metric += list_weak_at(me, me.me, 0) >> 9;
    POLAR_UNROLL_BY(1)
    for (uint32_t i = 0; i < step.forks; i++) {
        const uint32_t spare = even ? list_weak_at(me, story % L, 0) >> 9 : 0;
        const uint32_t size = list_weak_at(me, story % L, i + even) >> 9;
        const struct list_choice choice = list_fork(
            me, story & LIST_STORY_ODD ? size - spare : size + spare, paths, i > 0);

        story = list_of(me, story, choice.lane);
        if (choice.other)
            story ^= 1u << (LIST_STORY_FLIP + i) | (even ? (uint32_t)LIST_STORY_ODD : 0);
    }
    list_become(me, story % L);
    list_put_signs(me, step.stage, step.at);
    POLAR_UNROLL_BY(1)
    for (uint32_t i = 0; i < step.forks; i++)
        list_flip(me, step.stage, step.at, list_weak_at(me, story % L, i + even) & 511,
                  story >> (LIST_STORY_FLIP + i) & 1);
    if (even)
        list_flip(me, step.stage, step.at, list_weak_at(me, story % L, 0) & 511,
                  story & LIST_STORY_ODD);
    if (step.stage > 4)
        list_done(me, step.stage, step.at);
}

template <int L>
FECRUN_ON_DEVICE void list_leaf(list_lane<L> &me, const struct polar_list_step &step,
                                uint32_t paths)
{
    if (step.node == NODE_RATE0)
        list_zeros(me, step.stage, step.at);
    else if (step.node == NODE_REP)
        list_repeat(me, step.stage, step.at, paths);
    else
        list_free(me, step, paths);
    __syncwarp(); /* LLRs that others have read may be overwritten */
}

#endif
