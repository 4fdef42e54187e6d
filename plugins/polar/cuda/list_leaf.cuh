/* SPDX-License-Identifier: BSD-2-Clause */
/* Leaves of a list decoder (decode.h). */
#ifndef POLAR_CUDA_LIST_LEAF_CUH
#define POLAR_CUDA_LIST_LEAF_CUH

#include "plugins/polar/cuda/list_fork.cuh"
#include "plugins/polar/cuda/list_step.cuh"
#include "plugins/polar/cuda/list_weak.cuh"

/*
 * What a path finds in a leaf. NODE_RATE0, NODE_REP: what it costs that all bits are 0, and the sum of
 * LLRs. Others: the parity of the signs.
 */
struct list_leaf {
    int zeros, sum;
    uint32_t word; /* of up to 16 bits: how they are decided */
    uint32_t odd;
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

template <int WORDS, int L>
FECRUN_ON_DEVICE void list_look(const list_lane<L> &me, const struct polar_list_step &step,
                                struct list_leaf &leaf, const uint32_t *a)
{
    if (step.node == NODE_RATE0 || step.node == NODE_REP) {
        list_add_all<WORDS>(leaf, a);
        return;
    }
    leaf.word = list_signs<WORDS>(a);
    leaf.odd = __popc(leaf.word);
    list_find_weak<WORDS>(me, a, step.stage == 0);
}

/* ---- More of them ------------------------------------------------------------------------------ */

template <int L>
FECRUN_ON_DEVICE void list_load_large(const list_lane<L> &me, const struct list_from &from,
                                      bool packed, uint32_t p, uint32_t (&a)[8])
{
    if (packed)
        list_load<LIST_PACKED>(me, from, p, a);
    else
        list_load<LIST_PLAIN>(me, from, p, a);
}

template <int L>
FECRUN_ON_DEVICE void list_add_large(const list_lane<L> &me, const struct polar_list_step &step,
                                     struct list_leaf &leaf)
{
    const struct list_from from = list_node(me, step.stage);
    const bool packed = list_is_packed(me, step.stage);

    POLAR_UNROLL_BY(1)
    for (uint32_t p = 0; p < 1u << step.stage; p += 16) {
        uint32_t a[8];

        if (list_is_top(me, step.stage, step.at))
            list_load<LIST_TOP>(me, from, p, a);
        else
            list_load_large(me, from, packed, p, a);
        list_add_all<8>(leaf, a);
    }
}

template <int L> FECRUN_ON_DEVICE void list_insert(uint32_t (&weak)[L], uint32_t key)
{
    FECRUN_UNROLL
    for (int i = 0; i < L; i++)
        list_order_pairs(weak[i], key);
}

template <int L>
FECRUN_ON_DEVICE void list_look_large(const list_lane<L> &me, const struct polar_list_step &step,
                                      struct list_leaf &leaf)
{
    const struct list_from from = list_node(me, step.stage);
    const bool packed = list_is_packed(me, step.stage);
    uint32_t weak[L];

    FECRUN_UNROLL
    for (int i = 0; i < L; i++)
        weak[i] = LIST_ALL;
    POLAR_UNROLL_BY(1)
    for (uint32_t p = 0; p < 1u << step.stage; p += 16) {
        uint32_t a[8];

        list_load_large(me, from, packed, p, a);
        leaf.odd ^= __popc(list_signs<8>(a));
        FECRUN_UNROLL
        for (uint32_t i = 0; i < 8; i++)
            list_insert(weak, list_keys(a[i], p + 2 * i));
    }
    list_put_weak<L, L>(me, weak);
}

/* ---- Deciding ---------------------------------------------------------------------------------- */

/* A path in the forks of a leaf: the lane where it began it, is the parity odd, which forks took the
   other choice. */
enum { LIST_STORY_ODD = 1 << 4, LIST_STORY_FLIP = 5 };

template <int L>
FECRUN_ON_DEVICE uint32_t list_penalty(const list_lane<L> &me, const struct polar_list_step &step,
                                       const struct list_leaf &leaf, uint32_t story, uint32_t i)
{
    const uint32_t even = step.node == NODE_SPC;
    uint32_t size, spare;

    if (step.node == NODE_REP)
        return (uint32_t)(leaf.sum < 0 ? -leaf.sum : leaf.sum);
    size = list_weak_size(list_weak_at(me, story % L, i + even));
    spare = even ? list_weak_size(list_weak_at(me, story % L, 0)) : 0;
    return story & LIST_STORY_ODD ? size - spare : size + spare;
}

/* As many forks as change something: where one does not, later ones, whose penalties are not less,
   do not. */
template <int L>
FECRUN_ON_DEVICE uint32_t list_forks(list_lane<L> &me, const struct polar_list_step &step,
                                     const struct list_leaf &leaf, uint32_t &story, uint32_t paths)
{
    bool in_order = list_in_order(me);
    uint32_t i;

    POLAR_UNROLL_BY(1)
    for (i = 0; i < step.forks; i++) {
        const uint32_t penalty = list_penalty(me, step, leaf, story, i);
        struct list_choice choice;

        if (in_order && !list_is_change(me, penalty, paths))
            break;
        choice = list_fork(me, penalty, paths, in_order);
        story = list_of(me, story, choice.lane);
        if (choice.other)
            story ^= 1u << (LIST_STORY_FLIP + i) |
                     (step.node == NODE_SPC ? (uint32_t)LIST_STORY_ODD : 0);
        in_order = true;
    }
    return i;
}

/* A bit of the leaf in a word of bits, or in this lane's x. */
template <int L>
FECRUN_ON_DEVICE void list_flip(const list_lane<L> &me, const struct polar_list_step &step,
                                uint32_t &word, uint32_t number, bool flip)
{
    const uint32_t bit = flip ? 1u << polar_list_place(number) : 0;

    if (step.stage < 5)
        word ^= bit;
    else
        *list_x(me, (step.at + number) / 32, me.me) ^= bit;
}

/* By the signs, as the path is now. */
template <int L>
FECRUN_ON_DEVICE void list_put_signs(const list_lane<L> &me, const struct polar_list_step &step)
{
    const struct list_from from = list_node(me, step.stage);
    const bool packed = list_is_packed(me, step.stage);

    POLAR_UNROLL_BY(1)
    for (uint32_t p = 0; p < 1u << step.stage; p += 32) {
        uint32_t a[8], word;

        list_load_large(me, from, packed, p, a);
        word = list_signs<8>(a);
        list_load_large(me, from, packed, p + 16, a);
        *list_x(me, (step.at + p) / 32, me.me) = word | list_signs<8>(a) << 8;
    }
}

template <int L>
FECRUN_ON_DEVICE void list_put_all(const list_lane<L> &me, const struct polar_list_step &step,
                                   uint32_t word)
{
    POLAR_UNROLL_BY(1)
    for (uint32_t p = 0; p < 1u << step.stage; p += 32)
        *list_x(me, (step.at + p) / 32, me.me) = word;
}

/* The bits of a leaf with its forks done, of which the last `forks` changed nothing. */
template <int L>
FECRUN_ON_DEVICE void list_decide(const list_lane<L> &me, const struct polar_list_step &step,
                                  struct list_leaf &leaf, uint32_t story, uint32_t forks)
{
    const uint32_t even = step.node == NODE_SPC;

    if (step.node == NODE_REP) {
        leaf.word ^= 0 - (story >> LIST_STORY_FLIP & 1);
        if (step.stage > 4)
            list_put_all(me, step, leaf.word);
        return;
    }
    if (step.stage > 4)
        list_put_signs(me, step);
    POLAR_UNROLL_BY(1)
    for (uint32_t i = 0; i < forks; i++)
        list_flip(me, step, leaf.word, list_weak_number(list_weak_at(me, story % L, i + even)),
                  story >> (LIST_STORY_FLIP + i) & 1);
    if (even)
        list_flip(me, step, leaf.word, list_weak_number(list_weak_at(me, story % L, 0)),
                  story & LIST_STORY_ODD);
}

/* All that a path is but its metric. */
template <int L>
FECRUN_ON_DEVICE void list_become(list_lane<L> &me, struct list_leaf &leaf, uint32_t lane)
{
    me.alpha = list_of(me, me.alpha, lane);
    me.beta = list_of(me, me.beta, lane);
    me.bits = list_of(me, me.bits, lane);
    leaf.word = list_of(me, leaf.word, lane);
}

template <int L>
FECRUN_ON_DEVICE void list_choose(list_lane<L> &me, const struct polar_list_step &step,
                                  struct list_leaf &leaf, uint32_t paths)
{
    uint32_t story = me.me, forks;

    if (step.node == NODE_REP) {
        leaf.word = leaf.sum < 0 ? LIST_ALL : 0;
        me.metric += (uint32_t)(leaf.sum < 0 ? leaf.zeros + leaf.sum : leaf.zeros);
    } else if (step.node == NODE_SPC && (leaf.odd & 1)) {
        story |= LIST_STORY_ODD;
        me.metric += list_weak_size(list_weak_at(me, me.me, 0));
    }
    forks = list_forks(me, step, leaf, story, paths);
    if (forks)
        list_become(me, leaf, story % L);
    list_decide(me, step, leaf, story, forks);
}

/* ---- A leaf ------------------------------------------------------------------------------------ */

template <int L>
FECRUN_ON_DEVICE void list_read(list_lane<L> &me, const struct polar_list_step &step,
                                struct list_leaf &leaf)
{
    uint32_t a[8];

    if (step.stage > 4) {
        if (step.node == NODE_RATE0 || step.node == NODE_REP)
            list_add_large(me, step, leaf);
        else
            list_look_large(me, step, leaf);
        return;
    }
    list_get_small(me, step, a);
    if (step.stage == 4)
        list_look<8>(me, step, leaf, a);
    else if (step.stage == 3)
        list_look<4>(me, step, leaf, a);
    else if (step.stage == 2)
        list_look<2>(me, step, leaf, a);
    else
        list_look<1>(me, step, leaf, a);
}

template <int L>
FECRUN_ON_DEVICE void list_do_leaf(list_lane<L> &me, const struct polar_list_step &step,
                                   uint32_t paths)
{
    struct list_leaf leaf = {0, 0, 0, 0};

    if (step.stage > 4 && step.stage < me.stages && step.stage < LIST_TOP_STAGE)
        list_to_child(me, step);
    list_read(me, step, leaf);
    __syncwarp(); /* others want this lane's weakest bits */
    if (step.node != NODE_RATE0) {
        list_choose(me, step, leaf, paths);
    } else {
        me.metric += (uint32_t)leaf.zeros;
        if (step.stage > 4)
            list_put_all(me, step, 0);
    }
    if (step.stage < 5) {
        const uint32_t places = list_places(step.stage, step.at);

        me.bits = (me.bits & ~places) | (leaf.word << polar_list_place(step.at) & places);
    }
    list_climb(me, step);
}

#endif
