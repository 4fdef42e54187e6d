/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernel parts of the general decoder (plan.h): one row of H in one thread, its LLRs two a register. `pairs`,
 * `plain` and `open` are constants wherever a function is called. See arith.h.
 */
#ifndef LDPC_CUDA_GENERAL_ROW_H
#define LDPC_CUDA_GENERAL_ROW_H

#include "plugins/ldpc/cuda/general/group.h"

enum { MOST_PAIRS = LDPC_GENERAL_PAIRED / 2, KEPT_PAIRS = 6 };

/* The two smallest magnitudes, of even and of odd places or of all; and the product of signs. */
struct minima {
    uint32_t first, second, signs;
};

/* A row's messages as they are stored; word i is `step` words behind word 0. */
struct messages {
    uint32_t *word;
    uint32_t step;
};

/* Compressed messages of the iteration before, ready to be taken apart. */
struct old_messages {
    uint32_t usual, low, high; /* a pair of messages; where one is at the place of the minimum */
    uint32_t place, signs;
};

FECRUN_ON_DEVICE struct old_messages recall(const struct messages *m, bool first, bool open)
{
    struct old_messages old = {0, 0, 0, 0, 0};

    if (!first) {
        const uint32_t minima = m->word[0];

        old.signs = m->word[m->step];
        old.place = open ? m->word[2 * m->step] : old.signs & 31;
        old.usual = pair_of(minima & LOW);
        old.low = (minima & ~LOW) >> 16 | (minima & LOW) << 16;
        old.high = minima;
    }
    return old;
}

FECRUN_ON_DEVICE uint32_t old_pair(unsigned mode, const struct old_messages *old, uint32_t p)
{
    const uint32_t magnitude = old->place == 2 * p       ? old->low
                               : old->place == 2 * p + 1 ? old->high
                                                         : old->usual;

    return signed_pair(mode, magnitude, old->signs << p);
}

FECRUN_ON_DEVICE void take_pair(unsigned mode, struct minima *m, uint32_t q)
{
    const uint32_t magnitude = abs_pair(mode, q);

    m->second = min_pair(mode, m->second, max_pair(mode, m->first, magnitude));
    m->first = min_pair(mode, m->first, magnitude);
    m->signs ^= q;
}

/* One number; m is that of a whole row. */
FECRUN_ON_DEVICE void take_one(struct minima *m, uint32_t magnitude, uint32_t sign)
{
    m->second = smaller(m->second, larger(m->first, magnitude));
    m->first = smaller(m->first, magnitude);
    m->signs ^= sign;
}

/* Of even and odd places together. */
FECRUN_ON_DEVICE struct minima merge(const struct minima *m)
{
    const uint32_t a = m->first & LOW, b = m->first >> 16;
    const struct minima all = {smaller(a, b),
                               smaller(larger(a, b), smaller(m->second & LOW, m->second >> 16)),
                               (m->signs ^ m->signs >> 16) & SIGN};

    return all;
}

/*
 * The column of degree 1 of an extension row: its LLR is what the channel said, its message is not
 * kept. Returns its a posteriori LLR; without MODE_SOFT its sign only.
 */
FECRUN_ON_DEVICE uint32_t take_extension(unsigned mode, const struct group *g,
                                         const struct row *row, struct minima *all)
{
    bool absent;
    const uint32_t channel = g->llr[find_llr(mode, g, row->edge + row->weight, row->lane, &absent)];
    const uint32_t r = signed_pair(mode, scaled(mode, g->rule, all->first), all->signs);
    const uint32_t sum = add_pair(mode, channel, r);

    take_one(all, abs_pair(mode, channel) & LOW, channel & SIGN);
    return sum & (mode & MODE_SOFT ? LOW : SIGN);
}

/* Where a pair's LLRs are, and which of the two this lane does not have. */
struct spots {
    uint32_t low, high;
    bool no_low, no_high;
};

FECRUN_ON_DEVICE struct spots find_spots(unsigned mode, const struct group *g,
                                         const struct row *row, uint32_t p, bool two)
{
    struct spots at;

    at.low = find_llr(mode, g, row->edge + 2 * p, row->lane, &at.no_low);
    at.high = at.low;
    at.no_high = true;
    if (two)
        at.high = find_llr(mode, g, row->edge + 2 * p + 1, row->lane, &at.no_high);
    return at;
}

/* Between reading and writing: NR's places fit into 16 bits; those of long rows are found again. */
FECRUN_ON_DEVICE struct spots keep_spots(unsigned mode, struct spots at)
{
    if (mode & MODE_NR)
        at.low |= at.high << 16;
    return at;
}

FECRUN_ON_DEVICE struct spots kept_spots(unsigned mode, unsigned pairs, const struct group *g,
                                         const struct row *row, uint32_t p, bool two,
                                         struct spots at)
{
    if (mode & MODE_NR) {
        at.high = at.low >> 16;
        at.low &= LOW;
        at.no_low = false;
        at.no_high = !two;
        return at;
    }
    return pairs > KEPT_PAIRS ? find_spots(mode, g, row, p, two) : at;
}

FECRUN_ON_DEVICE uint32_t read_pair(unsigned mode, const struct group *g, const struct spots *at,
                                    uint32_t r)
{
    const uint32_t most = most_of(mode);
    uint32_t q = sub_pair(mode, g->llr[at->low] | (uint32_t)g->llr[at->high] << 16, r);

    if (at->no_low)
        q = (q & ~LOW) | most;
    if (at->no_high)
        q = (q & LOW) | most << 16;
    return q;
}

FECRUN_ON_DEVICE void write_pair(const struct group *g, const struct spots *at, uint32_t sum)
{
    if (!at->no_low)
        g->llr[at->low] = (uint16_t)sum;
    if (!at->no_high)
        g->llr[at->high] = (uint16_t)(sum >> 16);
}

/*
 * A row of up to 2 * pairs messages; but for `open`, of 2 * pairs or one less. Returns what
 * take_extension() says of an extension row's own column.
 */
FECRUN_ON_DEVICE uint32_t take_row(unsigned mode, unsigned pairs, bool plain, bool open,
                                   const struct group *g, const struct row *row,
                                   const struct messages *messages, bool extension)
{
    const uint32_t most = pair_of(most_of(mode));
    struct old_messages old = {0, 0, 0, 0, 0};
    struct minima m = {most, most, 0}, all;
    uint32_t q[MOST_PAIRS], first, other, signs = 0;
    uint32_t place = 31; /* nowhere: the minimum is the extension column's, or all are too large */
    struct spots kept[MOST_PAIRS];
    uint32_t own = 0;

    if (!plain)
        old = recall(messages, g->first, open);
    FECRUN_UNROLL
    for (unsigned p = 0; p < pairs; p++) {
        const bool two = (p + 1 < pairs && !open) || 2 * p + 1 < row->weight;
        struct spots at;
        uint32_t r = 0;

        if (open && 2 * p >= row->weight)
            continue;
        at = find_spots(mode, g, row, p, two);
        if (plain && !g->first)
            r = messages->word[p * messages->step];
        if (!plain)
            r = old_pair(mode, &old, p);
        q[p] = read_pair(mode, g, &at, r);
        take_pair(mode, &m, q[p]);
        kept[p] = keep_spots(mode, at);
    }
    all = merge(&m);
    if (extension)
        own = take_extension(mode, g, row, &all);
    first = pair_of(all.first);
    other = pair_of(scaled(mode, g->rule, all.second));
    all.first = pair_of(scaled(mode, g->rule, all.first));
    all.signs = pair_of(all.signs);
    FECRUN_UNROLL
    for (unsigned p = 0; p < pairs; p++) {
        const bool two = (p + 1 < pairs && !open) || 2 * p + 1 < row->weight;
        uint32_t is_first, r;
        struct spots at;

        if (open && 2 * p >= row->weight)
            continue;
        at = kept_spots(mode, pairs, g, row, p, two, kept[p]);
        is_first = equal_pair(mode, abs_pair(mode, q[p]), first);
        r = signed_pair(mode, (all.first & ~is_first) | (other & is_first), q[p] ^ all.signs);
        write_pair(g, &at, posterior_pair(mode, q[p], r));
        if (plain)
            messages->word[p * messages->step] = r;
        signs |= ((q[p] ^ all.signs) & SIGNS) >> p;
        place = is_first & LOW ? 2 * p : is_first ? 2 * p + 1 : place;
    }
    if (!plain) {
        messages->word[0] = (all.first & LOW) | (other & ~LOW);
        messages->word[messages->step] = open ? signs : signs | place;
        if (open)
            messages->word[2 * messages->step] = place;
    }
    return own;
}

/* ---- Rows of any weight: LLRs are read twice ---- */

/* What edge j brings to the row; sign: of its old message. */
FECRUN_ON_DEVICE uint32_t bring(unsigned mode, const struct group *g, const struct row *row,
                                uint32_t j, const struct old_messages *old, uint32_t sign,
                                uint32_t *at, bool *absent)
{
    const uint32_t r = signed_pair(mode, old->place == j ? old->low & LOW : old->usual & LOW, sign);

    *at = find_llr(mode, g, row->edge + j, row->lane, absent);
    return *absent ? most_of(mode) : sub_pair(mode, g->llr[*at], r) & LOW;
}

FECRUN_ON_DEVICE void take_long_row(unsigned mode, const struct group *g, const struct row *row,
                                    const struct messages *messages)
{
    const uint32_t most = most_of(mode), step = messages->step;
    struct old_messages old = {0, 0, 0, 0, 0};
    struct minima all = {most, most, 0};
    uint32_t q, at, signs = 0, next = 0, place = 0, first, other;
    bool absent;

    if (!g->first) {
        const uint32_t minima = messages->word[0];

        old.usual = minima & LOW;
        old.low = minima >> 16;
        old.place = messages->word[step];
    }
    for (uint32_t j = 0; j < row->weight; j++) {
        if (j % 32 == 0)
            signs = g->first ? 0 : messages->word[(2 + j / 32) * step];
        q = bring(mode, g, row, j, &old, signs << (31 - j % 32) >> 16, &at, &absent);
        if ((abs_pair(mode, q) & LOW) < all.first)
            place = j;
        take_one(&all, abs_pair(mode, q) & LOW, q & SIGN);
    }
    first = scaled(mode, g->rule, all.first);
    other = scaled(mode, g->rule, all.second);
    for (uint32_t j = 0; j < row->weight; j++) {
        uint32_t r;

        if (j % 32 == 0) {
            signs = g->first ? 0 : messages->word[(2 + j / 32) * step];
            next = 0;
        }
        q = bring(mode, g, row, j, &old, signs << (31 - j % 32) >> 16, &at, &absent);
        next |= ((q ^ all.signs) & SIGN) >> 15 << j % 32;
        r = signed_pair(mode, j == place ? other : first, q ^ all.signs);
        if (!absent)
            g->llr[at] = (uint16_t)posterior_pair(mode, q, r);
        if (j % 32 == 31 || j + 1 == row->weight)
            messages->word[(2 + j / 32) * step] = next;
    }
    messages->word[0] = first | other << 16;
    messages->word[step] = place;
}

/* ---- Which one ---- */

#define PLAIN(n) \
    case n: \
        return take_row(mode, n, true, false, g, row, messages, extension)
#define COMPRESSED(n) \
    case n: \
        return take_row(mode, n, false, false, g, row, messages, extension)

FECRUN_ON_DEVICE uint32_t take_any_row(unsigned mode, const struct group *g, const struct row *row,
                                       const struct messages *messages, bool extension)
{
    const uint32_t pairs = (row->weight + 1) / 2;

    if (row->weight <= g->threshold)
        switch (pairs) {
            PLAIN(1);
            PLAIN(2);
            PLAIN(3);
            PLAIN(4);
        default:
            return 0;
        }
    if (mode & MODE_NR) /* the weights of its graphs: up to 10, and 19 */
        switch (pairs) {
            COMPRESSED(1);
            COMPRESSED(2);
            COMPRESSED(3);
            COMPRESSED(4);
            COMPRESSED(5);
        default:
            return take_row(mode, 10, false, false, g, row, messages, extension);
        }
    switch (pairs) {
        COMPRESSED(1);
        COMPRESSED(2);
        COMPRESSED(3);
        COMPRESSED(4);
        COMPRESSED(5);
        COMPRESSED(6);
        COMPRESSED(7);
        COMPRESSED(8);
        COMPRESSED(9);
        COMPRESSED(10);
        COMPRESSED(11);
    default:
        break;
    }
    if (row->weight <= LDPC_GENERAL_PAIRED)
        return take_row(mode, MOST_PAIRS, false, true, g, row, messages, extension);
    take_long_row(mode, g, row, messages);
    return 0;
}

/* Parity of the bits of a row, but for an extension row's own column. */
FECRUN_ON_DEVICE uint32_t row_parity(unsigned mode, const struct group *g, const struct row *row)
{
    uint32_t parity = 0;

    FECRUN_UNROLL_4
    for (uint32_t j = 0; j < row->weight; j++) {
        bool absent;
        const uint32_t at = find_llr(mode, g, row->edge + j, row->lane, &absent);

        if (!absent)
            parity ^= g->llr[at];
    }
    return parity >> 15 & 1;
}

#endif
