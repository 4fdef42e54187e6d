/* SPDX-License-Identifier: BSD-2-Clause */
/* Leaves of a list decoder (decode.h). */
#ifndef POLAR_CUDA_LIST_LEAF_CUH
#define POLAR_CUDA_LIST_LEAF_CUH

#include "plugins/polar/cuda/list/fork.cuh"
#include "plugins/polar/cuda/list/step.cuh"
#include "plugins/polar/cuda/list/weak.cuh"

/*
 * What a path finds in a leaf. NODE_RATE0, NODE_REP: what it costs that all bits are 0, and the sum of
 * LLRs. Others: how up to 16 bits are decided, the parity of the signs, the key of the weakest bit.
 */
struct list_leaf {
    int zeros, sum;
    uint32_t word, odd, least;
};

/* ---- LLRs, up to 16 of them ----------------------------------------------------------------------- */

/* The sum of both lanes. */
FECRUN_ON_DEVICE int list_add(uint32_t sum)
{
    return llr_integer(llr_add(sum, sum >> 16));
}

template <int WORDS> FECRUN_ON_DEVICE void list_add_all(struct list_leaf &leaf, const uint32_t *a)
{
    uint32_t sum = a[0], zeros = llr_least(a[0], 0);

    FECRUN_UNROLL
    for (int i = 1; i < WORDS; i++) {
        sum = llr_add(sum, a[i]);
        zeros = llr_add(zeros, llr_least(a[i], 0));
    }
    leaf.zeros -= list_add(zeros);
    leaf.sum += list_add(sum);
}

/* Bits at places of `a` words. */
template <int WORDS> FECRUN_ON_DEVICE uint32_t list_signs(const uint32_t *a)
{
    uint32_t word = 0;

    FECRUN_UNROLL
    for (int i = 0; i < WORDS; i++)
        word |= llr_negative(a[i]) & 0x10001u << i;
    return word;
}

template <int WORDS, int L, bool ALONE>
FECRUN_ON_DEVICE void list_look(const list_lane<L, ALONE> &me, const struct polar_list_step &step,
                                struct list_leaf &leaf, const uint32_t *a)
{
    if (step.node == NODE_RATE0 || step.node == NODE_REP) {
        list_add_all<WORDS>(leaf, a);
        return;
    }
    leaf.word = list_signs<WORDS>(a);
    leaf.odd = __popc(leaf.word) & 1;
    leaf.least = list_find_weak<WORDS>(me, a, step.stage == 0);
}

/* ---- More of them ------------------------------------------------------------------------------ */

template <enum polar_list_source SOURCE, int L, bool ALONE>
FECRUN_ON_DEVICE void list_load_of(const list_lane<L, ALONE> &me, uint32_t stage, uint32_t p,
                                   uint32_t (&a)[8])
{
    list_load<SOURCE>(me, list_node<SOURCE>(me, stage), p, a);
}

template <int L, bool ALONE>
FECRUN_ON_DEVICE void list_load_large(const list_lane<L, ALONE> &me,
                                      const struct polar_list_step &step, uint32_t p,
                                      uint32_t (&a)[8])
{
    if (step.source == LIST_GLOBAL)
        list_load_of<LIST_GLOBAL>(me, step.stage, p, a);
    else if (step.source == LIST_SHARED)
        list_load_of<LIST_SHARED>(me, step.stage, p, a);
    else
        list_load_of<LIST_TOP_RIGHT>(me, step.stage, p, a);
}

/* How they are decided goes to x. */
template <int L, bool ALONE>
FECRUN_ON_DEVICE void list_look_large(const list_lane<L, ALONE> &me,
                                      const struct polar_list_step &step, struct list_leaf &leaf)
{
    const bool sums = step.node == NODE_RATE0 || step.node == NODE_REP;
    uint32_t weak[L];

    FECRUN_UNROLL
    for (int i = 0; i < L; i++)
        weak[i] = LIST_ALL;
    POLAR_UNROLL_BY(1)
    for (uint32_t p = 0; p < 1u << step.stage; p += 16) {
        uint32_t a[8], key[8];

        list_load_large(me, step, p, a);
        if (sums) {
            list_add_all<8>(leaf, a);
            continue;
        }
        leaf.word = p % 32 ? leaf.word | list_signs<8>(a) << 8 : list_signs<8>(a);
        if (p % 32) {
            leaf.odd ^= __popc(leaf.word) & 1;
            *list_x(me, (step.at + p) / 32, me.me) = leaf.word;
        }
        FECRUN_UNROLL
        for (uint32_t i = 0; i < 8; i++)
            key[i] = list_keys(a[i], p + 2 * i);
        list_order_words<8>(key);
        list_merge_words<L, 8>(weak, key);
    }
    if (sums)
        return;
    list_put_weak<L, L>(me, weak);
    leaf.least = __vminu2(weak[0], weak[0] >> 16) & 0xffff;
}

/* ---- Forks ------------------------------------------------------------------------------------- */

/*
 * A path in the forks of a leaf: which bits it has flipped, was the parity odd where it began it, and
 * in which lane that was, on top. Flipped bits are at their places, or, of a leaf of more than 16
 * positions, by number of the fork.
 */
template <int L> FECRUN_ON_DEVICE uint32_t list_story_flips(list_story<L> story)
{
    return (uint32_t)story & (L > 16 ? LIST_ALL : 0x00ff00ffu);
}

template <int L> FECRUN_ON_DEVICE constexpr list_story<L> list_story_odd()
{
    return (list_story<L>)1 << (L > 16 ? 32 : 8);
}

template <int L> FECRUN_ON_DEVICE list_story<L> list_story_of(uint32_t lane)
{
    return (list_story<L>)lane << (8 * sizeof(list_story<L>) - list_log2(L));
}

template <int L> FECRUN_ON_DEVICE uint32_t list_story_lane(list_story<L> story)
{
    return (uint32_t)(story >> (8 * sizeof story - list_log2(L)));
}

/* The lane's row of 16 bytes: below its number there is nothing. */
template <int L, bool ALONE>
FECRUN_ON_DEVICE const uint16_t *list_story_weak(const list_lane<L, ALONE> &me, list_story<L> story)
{
    const char *const row = (const char *)list_at(me.rows, LIST_WEAK_ROW, 0);

    return (const uint16_t *)(row + (uint32_t)(story >> (8 * sizeof story - list_log2(L) - 4)));
}

/* The bit of a number below 16, or 32 if nothing is above it. */
FECRUN_ON_DEVICE uint32_t list_flip_of(uint32_t number)
{
    return 1u << ((number >> 1 | number << 4) & 31);
}

/*
 * As many forks as change something: paths in order change only if another choice is better than the
 * last path; where none is, none is later, as penalties are not less. more: what the other choice
 * costs but for the bit itself; the choice changes its sign.
 */
template <int L, bool ALONE>
FECRUN_ON_DEVICE uint32_t list_forks(list_lane<L, ALONE> &me, const struct polar_list_step &step,
                                     int more, list_story<L> &story, uint32_t paths)
{
    const uint32_t first = step.node == NODE_SPC;
    bool in_order = list_in_order(me);
    uint32_t i;

    POLAR_UNROLL_BY(1)
    for (i = 0; i < step.forks; i++) {
        const uint32_t weak = list_story_weak(me, story)[list_weak_index<L>(first + i)];
        const uint32_t penalty = list_weak_size(weak) + (uint32_t)more;
        const uint32_t other = list_key<L>(me.metric + penalty, L | me.me);
        uint32_t keep = list_key<L>(me.metric, me.me), key, any, flip;

        if (!in_order)
            keep = list_sort<L>(keep, me.me, false);
        any = __ballot_sync(LIST_ALL, other < list_of(me, keep, paths - 1));
        if (in_order && !any)
            break;
        key = list_best(me, keep, other, any);
        me.metric = me.me < paths ? key >> (list_log2(L) + 1) : LIST_NO_PATH;
        flip = list_of(me, list_flip_of(step.stage < 5 ? weak : i), key & (L - 1));
        story = list_of(me, story, key & (L - 1));
        more = (int)list_of(me, (uint32_t)more, key & (L - 1));
        if (key & L) {
            story ^= flip;
            more = -more;
        }
        in_order = true;
    }
    return i;
}

/* ---- Bits of more than 16 positions ------------------------------------------------------------ */

template <int L, bool ALONE>
FECRUN_ON_DEVICE void list_put_all(const list_lane<L, ALONE> &me,
                                   const struct polar_list_step &step, uint32_t word)
{
    POLAR_UNROLL_BY(1)
    for (uint32_t p = 0; p < 1u << step.stage; p += 32)
        *list_x(me, (step.at + p) / 32, me.me) = word;
}

template <int L, bool ALONE>
FECRUN_ON_DEVICE void list_flip(const list_lane<L, ALONE> &me, const struct polar_list_step &step,
                                uint32_t key, bool flip)
{
    if (flip && me.part == 0)
        *list_x(me, (step.at + key % 128) / 32, me.me) ^= 1u << list_weak_place(key);
}

/* By the signs, where the path began the leaf, and what it has flipped. */
template <int L, bool ALONE>
FECRUN_ON_DEVICE void list_put_signs(const list_lane<L, ALONE> &me,
                                     const struct polar_list_step &step, list_story<L> story,
                                     uint32_t forks)
{
    const uint32_t lane = list_story_lane<L>(story), first = step.node == NODE_SPC;
    const uint32_t flips = list_story_flips<L>(story), words = (1u << step.stage) / 32;
    const uint16_t *const weak = list_story_weak(me, story);
    uint32_t x[LIST_LEAF_WORDS];

    FECRUN_UNROLL
    for (uint32_t i = 0; i < LIST_LEAF_WORDS; i++)
        x[i] = i < words ? *list_x(me, step.at / 32 + i, lane) : 0;
    __syncwarp();
    FECRUN_UNROLL
    for (uint32_t i = 0; i < LIST_LEAF_WORDS; i++)
        if (i < words && me.part == 0)
            *list_x(me, step.at / 32 + i, me.me) = x[i];
    POLAR_UNROLL_BY(1)
    for (uint32_t i = 0; i < forks; i++)
        list_flip(me, step, weak[list_weak_index<L>(first + i)], flips & list_flip_of(i));
    if (first)
        list_flip(me, step, weak[0],
                  ((uint32_t)__popc(flips) ^ (story & list_story_odd<L>() ? 1 : 0)) & 1);
    if (ALONE)
        __syncwarp(); /* one lane has written for all that have this path */
}

/* ---- A leaf ------------------------------------------------------------------------------------ */

/* The bits of a leaf that is no NODE_RATE0, of up to 16 or in x. */
template <int L, bool ALONE>
FECRUN_ON_DEVICE void list_choose(list_lane<L, ALONE> &me, const struct polar_list_step &step,
                                  struct list_leaf &leaf, uint32_t paths)
{
    const bool even = step.node == NODE_SPC, same = step.node == NODE_REP;
    list_story<L> story = list_story_of<L>(me.me);
    uint32_t spare = 1u << list_weak_place(leaf.least), forks;
    int more = even ? (int)list_weak_size(leaf.least) : 0;

    if (same) {
        leaf.word = leaf.sum < 0 ? LIST_ALL : 0;
        me.metric += (uint32_t)(leaf.sum < 0 ? leaf.zeros + leaf.sum : leaf.zeros);
        more = leaf.sum < 0 ? -leaf.sum : leaf.sum;
    } else if (even && leaf.odd) {
        story |= list_story_odd<L>();
        me.metric += (uint32_t)more;
        more = -more;
    }
    forks = list_forks(me, step, more, story, paths);
    if (forks) {
        const uint32_t lane = list_story_lane<L>(story);

        me.alpha = list_of(me, me.alpha, lane);
        me.beta = list_of(me, me.beta, lane);
        me.bits = list_of(me, me.bits, lane);
        leaf.word = list_of(me, leaf.word, lane);
        spare = list_of(me, spare, lane);
    }
    leaf.word ^= same ? 0 - (uint32_t)(story & 1) : list_story_flips<L>(story);
    if (even && __popc(leaf.word) & 1)
        leaf.word ^= spare;
    if (step.stage > 4 && same)
        list_put_all(me, step, leaf.word);
    else if (step.stage > 4)
        list_put_signs(me, step, story, forks);
}

/* The sum of bits in front of a position: of code words of left nodes, which lie in lanes by stage, and
   of the 32 that are being decoded. */
template <int L, bool ALONE>
FECRUN_ON_DEVICE uint32_t list_parity(const list_lane<L, ALONE> &me, uint32_t at,
                                      const uint32_t *mask)
{
    const uint32_t last = at / 32;
    uint32_t sum = me.bits & mask[last];

    POLAR_UNROLL_BY(1)
    for (uint32_t i = 0; i < last; i++) {
        const uint32_t stage = 31 - (uint32_t)__clz((int)(i ^ last));

        if (mask[i])
            sum ^= *list_x(me, i, list_pointer<L>(me.beta, stage)) & mask[i];
    }
    return (uint32_t)__popc(sum) & 1;
}

/* A bit that is known, `llr` in the lower half of a word. */
template <int L, bool ALONE>
FECRUN_ON_DEVICE void list_take_parity(list_lane<L, ALONE> &me, const struct polar_list_step &step,
                                       uint32_t llr, struct list_leaf &leaf, const uint32_t *parity)
{
    leaf.word = list_parity(me, step.at, parity + (step.forks << me.stages) / 32);
    if ((llr_negative(llr) & 1) != leaf.word)
        me.metric += (uint32_t)llr_size(llr) & 0x7fff;
}

/* a: its LLRs if they are up to 16. */
template <int L, bool ALONE>
FECRUN_ON_DEVICE void list_do_leaf(list_lane<L, ALONE> &me, const struct polar_list_step &step,
                                   const uint32_t (&a)[8], uint32_t paths, const uint32_t *parity)
{
    struct list_leaf leaf = {0, 0, 0, 0, 0};

    if (step.node == NODE_PARITY)
        list_take_parity(me, step, a[0], leaf, parity);
    else if (step.stage > 4)
        list_look_large(me, step, leaf);
    else if (step.stage == 4)
        list_look<8>(me, step, leaf, a);
    else if (step.stage == 3)
        list_look<4>(me, step, leaf, a);
    else if (step.stage == 2)
        list_look<2>(me, step, leaf, a);
    else
        list_look<1>(me, step, leaf, a);
    if (step.node == NODE_RATE0) {
        me.metric += (uint32_t)leaf.zeros;
        if (step.stage > 4)
            list_put_all(me, step, 0);
    } else if (step.node != NODE_PARITY) {
        if (step.node == NODE_REP)
            list_at(me.rows, LIST_WEAK_ROW, me.me)[0] = 0;
        __syncwarp(); /* others want this lane's weakest bits */
        list_choose(me, step, leaf, paths);
    }
    if (step.stage < 5)
        me.bits = (me.bits & ~step.places) | (leaf.word << step.place & step.places);
    list_climb(me, step);
}

#endif
