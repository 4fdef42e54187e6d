/* SPDX-License-Identifier: BSD-2-Clause */
/* A lane of a list decoder, its memory and pointers (plan.h). */
#ifndef POLAR_CUDA_LIST_LANE_CUH
#define POLAR_CUDA_LIST_LANE_CUH

#include "plugins/polar/cuda/list/plan.h"
#include "plugins/polar/cuda/list/llr.cuh"

#define LIST_ALL 0xffffffffu

/* A path that is not there. Metrics of others stay below 2^18. */
#define LIST_NO_PATH (1u << 25)

FECRUN_ON_DEVICE constexpr int list_log2(int n)
{
    return n > 1 ? 1 + list_log2(n / 2) : 0;
}

/* A word of L numbers of lanes, or of what a path has done in a leaf. */
template <bool WIDE> struct list_wide_word {
    typedef uint32_t type;
};
template <> struct list_wide_word<true> {
    typedef uint64_t type;
};
template <int L> using list_pointers = typename list_wide_word<(L > 8)>::type;
template <int L> using list_story = typename list_wide_word<(L > 16)>::type;

/* The same in all lanes, which the compiler cannot know of what comes from memory: then branches on it
   need no code that brings lanes together again. */
FECRUN_ON_DEVICE uint32_t list_uniform(uint32_t x)
{
    return __shfl_sync(LIST_ALL, x, 0);
}

/* ALONE: of a frame that has a warp of its own: each of 32 / L lanes does a part of what a path has to
   do that divides, and the same as the others, in the same memory, of the rest. */
template <int L, bool ALONE> struct list_lane {
    static constexpr uint32_t parts = ALONE ? 32 / L : 1;

    uint32_t part;
    uint32_t *rows, *x, *global; /* of the frame's first lane */
    uint32_t *received, *top;    /* of the frame: words of four LLRs, in order */
    uint32_t stages, half;       /* half: words of four LLRs of half the frame */
    uint32_t threads;            /* of the block that have frames */
    uint32_t me, group;          /* number among the frame's lanes; first one of them in the warp */
    list_pointers<L> alpha;      /* lanes of LLRs of stages from 1 on, */
    list_pointers<L> beta;       /* of bits of left nodes of stages from 5 on */
    uint32_t bits;               /* of the 32 positions that are being decoded */
    uint32_t metric;
};

template <int L> FECRUN_ON_DEVICE uint32_t list_pointer(list_pointers<L> word, uint32_t i)
{
    return (uint32_t)(word >> i * list_log2(L)) & (L - 1);
}

template <int L>
FECRUN_ON_DEVICE list_pointers<L> list_point(list_pointers<L> word, uint32_t i, uint32_t lane)
{
    const uint32_t shift = i * list_log2(L);

    return (word & ~((list_pointers<L>)(L - 1) << shift)) | (list_pointers<L>)lane << shift;
}

/* One of the frame's lanes in a row. */
FECRUN_ON_DEVICE uint32_t *list_at(uint32_t *rows, uint32_t row, uint32_t lane)
{
    return rows + row * LIST_ROW + 4 * lane;
}

/* 32 positions of x. */
template <int L, bool ALONE>
FECRUN_ON_DEVICE uint32_t *list_x(const list_lane<L, ALONE> &me, uint32_t word, uint32_t lane)
{
    return me.x + word * (LIST_ROW / 4) + lane;
}

/* Of those with this position, of a left node of this stage. */
template <int L, bool ALONE>
FECRUN_ON_DEVICE uint32_t list_left_bits(const list_lane<L, ALONE> &me, uint32_t stage, uint32_t at)
{
    return *list_x(me, at / 32, list_pointer<L>(me.beta, stage - 5));
}

/* What another path has in this word. */
template <int L, bool ALONE>
FECRUN_ON_DEVICE uint32_t list_of(const list_lane<L, ALONE> &me, uint32_t word, uint32_t lane)
{
    (void)me;
    return __shfl_sync(LIST_ALL, word, (int)lane, L);
}

template <int L, bool ALONE>
FECRUN_ON_DEVICE uint64_t list_of(const list_lane<L, ALONE> &me, uint64_t word, uint32_t lane)
{
    return (uint64_t)list_of(me, (uint32_t)(word >> 32), lane) << 32 |
           list_of(me, (uint32_t)word, lane);
}

/* ---- 16 LLRs ---------------------------------------------------------------------------------- */

FECRUN_ON_DEVICE void list_load_packed(const uint32_t *from, uint32_t (&a)[8])
{
    uint32_t word[4];

    fecrun_load_128(word, from);
    FECRUN_UNROLL
    for (int i = 0; i < 4; i++)
        llr_unpack(word[i], a[2 * i], a[2 * i + 1]);
}

FECRUN_ON_DEVICE void list_store_packed(uint32_t *to, const uint32_t (&a)[8])
{
    uint32_t word[4];

    FECRUN_UNROLL
    for (int i = 0; i < 4; i++)
        word[i] = llr_pack(a[2 * i], a[2 * i + 1]);
    fecrun_store_128(to, word);
}

FECRUN_ON_DEVICE void list_load_plain(const uint32_t *from, uint32_t (&a)[8])
{
    fecrun_load_128(a, from);
    fecrun_load_128(a + 4, from + LIST_ROW);
}

FECRUN_ON_DEVICE void list_store_plain(uint32_t *to, const uint32_t (&a)[8])
{
    fecrun_store_128(to, a);
    fecrun_store_128(to + LIST_ROW, a + 4);
}

/* Children of nodes whose LLRs are a and b; `bits` as of 32 positions, those of the left child
   first. */
template <bool RIGHT, int WORDS>
FECRUN_ON_DEVICE void list_children(uint32_t *to, const uint32_t *a, const uint32_t *b,
                                    uint32_t bits)
{
    FECRUN_UNROLL
    for (int i = 0; i < WORDS; i++)
        to[i] = llr_child<RIGHT>(a[i], b[i], bits << (15 - i));
}

/* Of a node of stage 5 or more: the first of them, and words from 16 to 16. */
struct list_from {
    const uint32_t *base;
    uint32_t step;
};

template <enum polar_list_source SOURCE, int L, bool ALONE>
FECRUN_ON_DEVICE struct list_from list_node(const list_lane<L, ALONE> &me, uint32_t stage)
{
    /* LLRs of nodes that have no pointer are those that came in, of which all paths have the same */
    const uint32_t lane = stage > 8 * sizeof me.alpha / list_log2(L)
                              ? 0
                              : list_pointer<L>(me.alpha, stage - 1);
    struct list_from from = {NULL, LIST_ROW};

    if constexpr (SOURCE == LIST_SHARED) {
        from.base = list_at(me.rows, stage == 6 ? LIST_ROW_6 : LIST_ROW_5, lane);
        if (stage > 6)
            from = {me.top, 4};
    } else {
        from.base = list_at(me.global, polar_list_global_row(stage), lane);
        if (stage == me.stages)
            from = {me.received, 4};
    }
    return from;
}

/* 16 of them from position p of the node on. */
template <enum polar_list_source SOURCE, int L, bool ALONE>
FECRUN_ON_DEVICE void list_load(const list_lane<L, ALONE> &me, const struct list_from &from,
                                uint32_t p, uint32_t (&a)[8])
{
    if constexpr (SOURCE == LIST_TOP_RIGHT) {
        uint32_t b[8];

        list_load_packed(me.received + p / 4, a);
        list_load_packed(me.received + me.half + p / 4, b);
        list_children<true, 8>(a, a, b, list_left_bits(me, me.stages - 1, p) >> p % 32 / 2);
    } else {
        list_load_packed(from.base + p / 16 * from.step, a);
    }
}

#endif
