/* SPDX-License-Identifier: BSD-2-Clause */
/* Leaves of a list whose bits are free, or all but one, and their forks: part of list.h. */

/*
 * A leaf whose bits are free, or all but one. Constants where it is inlined: words, 2 if the leaf has 128
 * positions, and rows, if it has at most 8. Word 1 has the positions from 64 on.
 */
struct LIST(leaf) {
    uint32_t words, rows;
    ROW bits[2];      /* as paths are now */
    __m256i from;     /* which path each of them was when the leaf began; as they were then: */
    ROW spare_bit[2]; /* what keeps the parity even, */
    ROW spare;        /* and its magnitude in bits 8 to 15 */
    ROW least, least_bit[2];
    ROW magnitude[16];
};

/* These are of row i of a leaf: to its place in words. */
static FECRUN_ALWAYS_INLINE lv LIST(up)(lv bits, uint32_t i)
{
    return i ? lv_sll(bits, i % 8 * 8) : bits;
}

static FECRUN_ALWAYS_INLINE void LIST(begin_free)(const struct polar_frame_paths *p,
                                                  struct LIST(leaf) * leaf, uint32_t stage)
{
    const lv none = lv_set(stage < 3 ? (long long)(~(uint64_t)0 << (8u << stage)) : 0);

    for (uint32_t i = 0; i < leaf->words; i++)
        EACH_VECTOR
    leaf->bits[i].v[w] = lv_zero();
    for (uint32_t i = 0; i < leaf->rows; i++) {
        const ROW a = LIST(fresh)(p, stage, i);
        ROW *bits = &leaf->bits[leaf->words == 2 ? i / 8 : 0];

        EACH_VECTOR
        {
            const lv signs = lv_words_of(lv_negative(a.v[w]));

            bits->v[w] = lv_or(bits->v[w], LIST(up)(signs, i));
            leaf->magnitude[i].v[w] = lv_or(lv_abs_i8(a.v[w]), none);
        }
    }
}

/* The least one of eight bytes, in all of them. */
static FECRUN_ALWAYS_INLINE lv LIST(least_byte)(lv m)
{
    m = lv_min_u8(m, lv_srli(m, 32));
    m = lv_min_u8(m, lv_srli(m, 16));
    m = lv_min_u8(m, lv_srli(m, 8));
    return lv_spread(m, 0);
}

/* To leaf->least_bit: the first position whose magnitude is `least`, in all bytes of a word. */
static FECRUN_ALWAYS_INLINE void LIST(find_first)(struct LIST(leaf) * leaf, ROW least)
{
    const lv zero = lv_zero();
    ROW bit[2];

    EACH_VECTOR
    bit[0].v[w] = bit[1].v[w] = zero;
    for (uint32_t i = 0; i < leaf->rows; i++) {
        ROW *of = &bit[leaf->words == 2 ? i / 8 : 0];

        EACH_VECTOR
        {
            const lv_bytes is = lv_equal_bytes(leaf->magnitude[i].v[w], least.v[w]);

            of->v[w] = lv_or(of->v[w], LIST(up)(lv_words_of(is), i));
        }
    }
    EACH_VECTOR
    {
        if (leaf->words == 2)
            bit[1].v[w] = lv_where(lv_equal(bit[0].v[w], zero), bit[1].v[w]);
        for (uint32_t i = 0; i < leaf->words; i++)
            leaf->least_bit[i].v[w] = lv_and(bit[i].v[w], lv_sub(zero, bit[i].v[w]));
    }
}

/* The next least magnitude, the first one of equals: to least and least_bit; it counts no more. */
static FECRUN_ALWAYS_INLINE void LIST(find_least)(struct LIST(leaf) * leaf)
{
    ROW least = leaf->magnitude[0];

    for (uint32_t i = 1; i < leaf->rows; i++)
        EACH_VECTOR
    least.v[w] = lv_min_u8(least.v[w], leaf->magnitude[i].v[w]);
    EACH_VECTOR
    {
        least.v[w] = LIST(least_byte)(least.v[w]);
        leaf->least.v[w] = lv_and(least.v[w], lv_set(255));
    }
    LIST(find_first)(leaf, least);
    for (uint32_t i = 0; i < leaf->rows; i++) {
        const ROW *bit = &leaf->least_bit[leaf->words == 2 ? i / 8 : 0];

        EACH_VECTOR
        leaf->magnitude[i].v[w] = lv_fill_bytes(leaf->magnitude[i].v[w],
                                                lv_bytes_of(bit->v[w], i % 8));
    }
}

/* Words whose number of ones is odd. */
static FECRUN_ALWAYS_INLINE lv_mask LIST(odd_words)(lv v)
{
    v = lv_xor(v, lv_srli(v, 32));
    v = lv_xor(v, lv_srli(v, 16));
    v = lv_xor(v, lv_srli(v, 8));
    v = lv_xor(v, lv_srli(v, 4));
    v = lv_xor(v, lv_srli(v, 2));
    v = lv_xor(v, lv_srli(v, 1));
    return lv_odd(v);
}

/* The least reliable bit keeps the parity; returns paths that have it flipped. */
static FECRUN_ALWAYS_INLINE uint32_t LIST(begin_even)(struct polar_frame_paths *p,
                                                      struct LIST(leaf) * leaf)
{
    uint32_t odd = 0;
    ROW cost;

    LIST(find_least)(leaf);
    EACH_VECTOR
    leaf->spare.v[w] = lv_slli(leaf->least.v[w], 8);
    for (uint32_t i = 0; i < leaf->words; i++)
        leaf->spare_bit[i] = leaf->least_bit[i];
    EACH_VECTOR
    {
        const lv all = leaf->words == 2 ? lv_xor(leaf->bits[0].v[w], leaf->bits[1].v[w])
                                        : leaf->bits[0].v[w];
        const lv_mask is = LIST(odd_words)(all);

        odd |= lv_paths_of(is) << LIST_WORDS * w;
        cost.v[w] = lv_where(is, leaf->least.v[w]);
    }
    LIST(add_metric)(p, cost);
    return odd;
}

/* What the other choice costs; odd: paths that have the least reliable bit flipped. */
static FECRUN_ALWAYS_INLINE ROW LIST(penalty_of)(const struct LIST(leaf) * leaf, bool even,
                                                 uint32_t odd)
{
    const MAP from = LIST(map_of)(leaf->from);
    ROW both, penalty;

    if (!even)
        return LIST(move)(leaf->least, from);
    EACH_VECTOR
    both.v[w] = lv_or(leaf->least.v[w], leaf->spare.v[w]);
    both = LIST(move)(both, from);
    EACH_VECTOR
    {
        const lv least = lv_and(both.v[w], lv_set(255));
        const lv spare = lv_srli(both.v[w], 8);

        penalty.v[w] = lv_choose(lv_paths(odd >> LIST_WORDS * w), lv_sub(least, spare),
                                 lv_add(least, spare));
    }
    return penalty;
}

static FECRUN_ALWAYS_INLINE void LIST(flip)(ROW *bits, ROW which, uint32_t paths)
{
    EACH_VECTOR
    bits->v[w] = lv_flip(bits->v[w], lv_paths(paths >> LIST_WORDS * w), which.v[w]);
}

/* One fork, of the next bit; false: it changes nothing, and no later one does. */
static FECRUN_ALWAYS_INLINE bool LIST(fork_free)(struct polar_frame_paths *p,
                                                 struct LIST(leaf) * leaf, bool even, uint32_t *odd)
{
    __m256i parent;

    LIST(find_least)(leaf);
    if (!LIST(rank)(p, LIST(penalty_of)(leaf, even, *odd), &parent))
        return false;
    leaf->from = move_places(leaf->from, parent);
    for (uint32_t i = 0; i < leaf->words; i++) {
        leaf->bits[i] = LIST(move)(leaf->bits[i], LIST(map_of)(parent));
        LIST(flip)
        (&leaf->bits[i], LIST(move)(leaf->least_bit[i], LIST(map_of)(leaf->from)), p->other);
    }
    if (even)
        *odd = move_bits(*odd, parent) ^ p->other;
    return true;
}

static FECRUN_ALWAYS_INLINE void LIST(free_leaf)(struct polar_frame_paths *p,
                                                 const struct polar_step *step, uint32_t stages,
                                                 bool even, uint32_t words, uint32_t rows)
{
    const uint32_t h = 1u << step->stage, free = even ? h - 1 : h;
    const uint32_t forks = free < p->most - 1 ? free : p->most - 1;
    struct LIST(leaf) leaf;
    uint32_t odd = 0, made = 0;

    leaf.words = words;
    leaf.rows = rows;
    leaf.from = LIST(places)(all_places);
    LIST(begin_free)(p, &leaf, step->stage);
    if (even)
        odd = LIST(begin_even)(p, &leaf);
    while (made < forks && LIST(fork_free)(p, &leaf, even, &odd))
        made++;
    if (made)
        LIST(follow)(p, step, stages, leaf.from);
    for (uint32_t i = 0; i < words; i++) {
        if (even)
            LIST(flip)(&leaf.bits[i], LIST(move)(leaf.spare_bit[i], LIST(map_of)(leaf.from)), odd);
        if (h >= 64)
            LIST(store)(LIST(beta)(p, step->at + 64 * i), leaf.bits[i]);
        else
            LIST(put_bits)(p, step, leaf.bits[i]);
    }
}

static void LIST(leaf_free)(struct polar_frame_paths *p, const struct polar_step *step,
                            uint32_t stages)
{
    if (step->stage <= 3)
        LIST(free_leaf)(p, step, stages, false, 1, 1);
    else if (step->stage <= 6)
        LIST(free_leaf)(p, step, stages, false, 1, 1u << (step->stage - 3));
    else
        LIST(free_leaf)(p, step, stages, false, 2, 16);
}

static void LIST(leaf_even)(struct polar_frame_paths *p, const struct polar_step *step,
                            uint32_t stages)
{
    if (step->stage <= 3)
        LIST(free_leaf)(p, step, stages, true, 1, 1);
    else if (step->stage <= 6)
        LIST(free_leaf)(p, step, stages, true, 1, 1u << (step->stage - 3));
    else
        LIST(free_leaf)(p, step, stages, true, 2, 16);
}
