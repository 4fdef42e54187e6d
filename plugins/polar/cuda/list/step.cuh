/* SPDX-License-Identifier: BSD-2-Clause */
/* Steps of a list decoder between stages: to children, and back. */
#ifndef POLAR_CUDA_LIST_STEP_CUH
#define POLAR_CUDA_LIST_STEP_CUH

#include "plugins/polar/cuda/list/lane.cuh"

/* ---- To a child that is stored ---------------------------------------------------------------- */

/* Of stage 5 or more, 16 positions at a time; at: its first one. Unrolled further, all of the kernel's
   code would be too much for the caches. */
template <enum polar_list_source SOURCE, bool RIGHT, int L, bool ALONE>
FECRUN_ON_DEVICE void list_pass(const list_lane<L, ALONE> &me, uint32_t stage, uint32_t at,
                                uint32_t *to)
{
    const struct list_from from = list_node<SOURCE>(me, stage + 1);
    const uint32_t size = 1u << stage;

    POLAR_UNROLL_BY(1)
    for (uint32_t p = 16 * me.part; p < size; p += 16 * me.parts) {
        const uint32_t bits = RIGHT ? list_left_bits(me, stage, at - size + p) >> p % 32 / 2 : 0;
        uint32_t a[8], b[8];

        list_load<SOURCE>(me, from, p, a);
        list_load<SOURCE>(me, from, p + size, b);
        list_children<RIGHT, 8>(a, a, b, bits);
        list_store_packed(to + p / 16 * LIST_ROW, a);
    }
}

/* The same, and the left child of that, which lies at `left`. */
template <enum polar_list_source SOURCE, bool RIGHT, int L, bool ALONE>
FECRUN_ON_DEVICE void list_pass_both(const list_lane<L, ALONE> &me, uint32_t stage, uint32_t at,
                                     uint32_t *to, uint32_t *left)
{
    const struct list_from from = list_node<SOURCE>(me, stage + 1);
    const uint32_t size = 1u << stage;

    POLAR_UNROLL_BY(1)
    for (uint32_t p = 16 * me.part; p < size / 2; p += 16 * me.parts) {
        uint32_t child[2][8];

        FECRUN_UNROLL
        for (uint32_t i = 0; i < 2; i++) {
            const uint32_t q = p + i * size / 2;
            const uint32_t bits = RIGHT ? list_left_bits(me, stage, at - size + q) >> q % 32 / 2
                                        : 0;
            uint32_t a[8], b[8];

            list_load<SOURCE>(me, from, q, a);
            list_load<SOURCE>(me, from, q + size, b);
            list_children<RIGHT, 8>(child[i], a, b, bits);
            list_store_packed(to + q / 16 * LIST_ROW, child[i]);
        }
        list_children<false, 8>(child[0], child[0], child[1], 0);
        list_store_packed(left + p / 16 * LIST_ROW, child[0]);
    }
}

/* Where this lane's LLRs of a stage from 5 on lie. */
template <int L, bool ALONE>
FECRUN_ON_DEVICE uint32_t *list_own(const list_lane<L, ALONE> &me, uint32_t stage)
{
    if (stage > 6)
        return list_at(me.global, polar_list_global_row(stage), me.me);
    return list_at(me.rows, stage == 6 ? LIST_ROW_6 : LIST_ROW_5, me.me);
}

template <enum polar_list_source SOURCE, bool RIGHT, int L, bool ALONE>
FECRUN_ON_DEVICE void list_pass_from(const list_lane<L, ALONE> &me,
                                     const struct polar_list_step &step)
{
    uint32_t *const to = list_own(me, step.stage);

    if (step.stored == LIST_STORED_BOTH)
        list_pass_both<SOURCE, RIGHT>(me, step.stage, step.at, to, list_own(me, step.stage - 1u));
    else
        list_pass<SOURCE, RIGHT>(me, step.stage, step.at, to);
}

template <bool RIGHT, int L, bool ALONE>
FECRUN_ON_DEVICE void list_pass_large(const list_lane<L, ALONE> &me,
                                      const struct polar_list_step &step)
{
    if (step.parent == LIST_GLOBAL)
        list_pass_from<LIST_GLOBAL, RIGHT>(me, step);
    else if (step.parent == LIST_SHARED)
        list_pass_from<LIST_SHARED, RIGHT>(me, step);
    else
        list_pass_from<LIST_TOP_RIGHT, RIGHT>(me, step);
}

/* ---- To a child in registers, of stage 4 or less ------------------------------------------------ */

/* bits: of the left child's positions, first those of the first word. */
template <bool RIGHT, int L, bool ALONE>
FECRUN_ON_DEVICE void list_small(const list_lane<L, ALONE> &me, uint32_t stage, uint32_t bits,
                                 uint32_t (&to)[8])
{
    const uint32_t lane = list_pointer<L>(me.alpha, stage);
    uint32_t a[8], b[8];

    if (stage == 4) {
        const uint32_t *const from = list_at(me.rows, LIST_ROW_5, lane);

        list_load_packed(from, a);
        list_load_packed(from + LIST_ROW, b);
        list_children<RIGHT, 8>(to, a, b, bits);
    } else if (stage == 3) {
        list_load_plain(list_at(me.rows, LIST_ROW_4, lane), a);
        list_children<RIGHT, 4>(to, a, a + 4, bits);
    } else if (stage == 2) {
        fecrun_load_128(a, list_at(me.rows, LIST_ROW_3, lane));
        list_children<RIGHT, 2>(to, a, a + 2, bits);
    } else {
        fecrun_load_128(a, list_at(me.rows, LIST_ROW_2, lane));
        if (stage == 1)
            list_children<RIGHT, 1>(to, a, a + 1, bits);
        else
            to[0] = llr_child<RIGHT>(a[2], a[2] >> 16, bits << 15) & 0xffff;
    }
}

template <int L, bool ALONE>
FECRUN_ON_DEVICE void list_get_small(const list_lane<L, ALONE> &me,
                                     const struct polar_list_step &step, uint32_t (&to)[8])
{
    if (step.right)
        list_small<true>(me, step.stage, me.bits >> step.left, to);
    else
        list_small<false>(me, step.stage, 0, to);
}

template <int L, bool ALONE>
FECRUN_ON_DEVICE void list_put_small(const list_lane<L, ALONE> &me, uint32_t stage,
                                     const uint32_t (&a)[8])
{
    if (stage == 4)
        list_store_plain(list_at(me.rows, LIST_ROW_4, me.me), a);
    else if (stage == 3)
        fecrun_store_128(list_at(me.rows, LIST_ROW_3, me.me), a);
    else if (stage == 2)
        fecrun_store_64(list_at(me.rows, LIST_ROW_2, me.me), a);
    else
        fecrun_store_32(list_at(me.rows, LIST_ROW_2, me.me) + 2, a[0]);
}

/* LLRs of 32 positions or more to where they are kept. */
template <int L, bool ALONE>
FECRUN_ON_DEVICE void list_to_child(const list_lane<L, ALONE> &me,
                                    const struct polar_list_step &step)
{
    if (step.right)
        list_pass_large<true>(me, step);
    else
        list_pass_large<false>(me, step);
}

/* ---- Back ------------------------------------------------------------------------------------- */

/* The bits of a left node of 32 positions or more become its parent's first half. */
template <int WORDS, int L, bool ALONE>
FECRUN_ON_DEVICE void list_join(const list_lane<L, ALONE> &me, uint32_t word, uint32_t words,
                                uint32_t lane)
{
    uint32_t left[WORDS];

    FECRUN_UNROLL
    for (uint32_t i = 0; i < WORDS; i++)
        left[i] = *list_x(me, word + i, lane) ^ *list_x(me, word + words + i, me.me);
    __syncwarp();
    FECRUN_UNROLL
    for (uint32_t i = 0; i < WORDS; i++)
        *list_x(me, word + i, me.me) = left[i];
}

/* Both children of this stage, the left one at `at`, are decided. */
template <int L, bool ALONE>
FECRUN_ON_DEVICE void list_combine(const list_lane<L, ALONE> &me, uint32_t stage, uint32_t at)
{
    const uint32_t words = (1u << stage) / 32, lane = list_pointer<L>(me.beta, stage - 5);

    __syncwarp(); /* other lanes have written what follows: left nodes and, ALONE, right ones */
    if (words % 4 == 0) {
        POLAR_UNROLL_BY(1)
        for (uint32_t i = 0; i < words; i += 4)
            list_join<4>(me, at / 32 + i, words, lane);
    } else if (words == 2) {
        list_join<2>(me, at / 32, 2, lane);
    } else {
        list_join<1>(me, at / 32, 1, lane);
    }
}

/* A leaf's bits are there: so are those of parents whose right child it ends. */
template <int L, bool ALONE>
FECRUN_ON_DEVICE void list_climb(list_lane<L, ALONE> &me, const struct polar_list_step &step)
{
    uint32_t places = step.places, shift = step.stage ? (1u << step.stage) / 2 : 16;
    uint32_t stage = step.stage + step.near, at = step.at;

    POLAR_UNROLL_BY(1)
    for (uint32_t i = 0; i < step.near; i++) {
        me.bits ^= (me.bits & places) >> shift;
        places |= places >> shift;
        shift = shift * 2 & 31 ? shift * 2 : 1;
    }
    if (stage < 5)
        return;
    if (step.near)
        *list_x(me, at / 32, me.me) = me.bits;
    POLAR_UNROLL_BY(1)
    for (uint32_t i = 0; i < step.far; i++) {
        at &= ~(1u << stage);
        list_combine(me, stage++, at);
    }
    me.beta = list_point<L>(me.beta, stage - 5, me.me);
}

#endif
