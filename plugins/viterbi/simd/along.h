/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template: one tile, V_LANES states to a vector, metrics in memory by state. For long constraint
 * lengths, where 64 tiles side by side would leave the caches, and for small batches. Uses what
 * simd/lanes.h describes, less V_LLR, V_WRAP_ACS2 and V_BIAS, and
 *   V_PARTS(p, even, odd)   the 2 * V_LANES elements at p, even and odd ones apart
 *   V_SIGN(v, m)            -v where m is all ones, v where it is 0
 *   V_AND(v, m)
 *   item, ITEM_VALUE(x)     an LLR as it comes, and as it counts
 */

struct NAME(table) {
    vec flip[VITERBI_MAX_N]; /* output j of the butterfly in this lane against lane 0's */
};

/* Lane by lane, in the order of doc/viterbi.md: x is taken away where the lane's bit of the label is 1. */
static FECRUN_ALWAYS_INLINE void NAME(branch_in_order)(const struct viterbi_code *code,
                                                       const struct NAME(table) * table,
                                                       const item *llr, unsigned n, vec base,
                                                       vec *bm)
{
    bm[0] = base;
    for (unsigned j = 0; j < n; j++) {
        const elem value = ITEM_VALUE(llr[j]);
        const vec x = V_SET1((elem)(code->inverted[j] ? -value : value));
        const vec flipped = V_AND(x, table->flip[j]), others = V_SUB(x, flipped);
        for (unsigned c = 0; c < 1u << j; c++) {
            bm[c + (1u << j)] = V_SUB(bm[c], others);
            bm[c] = V_SUB(bm[c], flipped);
        }
    }
}

/* The labels from 8 on, from the first eight in registers: read back from the table each would wait for the
 * one it is made from. */
static FECRUN_ALWAYS_INLINE void NAME(branch_eights)(const vec *x, unsigned n, vec *bm)
{
    const vec b0 = bm[0], b1 = bm[1], b2 = bm[2], b3 = bm[3];
    const vec b4 = bm[4], b5 = bm[5], b6 = bm[6], b7 = bm[7];

    for (unsigned c = 8; c < 1u << n; c += 8) {
        vec sum = V_SET1(0);
        for (unsigned j = 3; j < n; j++)
            if (c >> j & 1)
                sum = V_ADD(sum, x[j]);
        bm[c] = V_SUB(b0, sum);
        bm[c + 1] = V_SUB(b1, sum);
        bm[c + 2] = V_SUB(b2, sum);
        bm[c + 3] = V_SUB(b3, sum);
        bm[c + 4] = V_SUB(b4, sum);
        bm[c + 5] = V_SUB(b5, sum);
        bm[c + 6] = V_SUB(b6, sum);
        bm[c + 7] = V_SUB(b7, sum);
    }
}

/* Labels are linear: that of butterfly i + k, i a multiple of V_LANES, is label[i] with the bits
 * flipped that differ between label[k] and label[0]. So one branch metric vector a label does. */
static FECRUN_ALWAYS_INLINE void NAME(branch)(const struct viterbi_code *code,
                                              const struct NAME(table) * table, const item *llr,
                                              unsigned n, vec base, vec *bm)
{
    vec x[VITERBI_MAX_N];

    if (V_BITS == 32) {
        NAME(branch_in_order)(code, table, llr, n, base, bm);
        return;
    }
    for (unsigned j = 0; j < n; j++) {
        const elem value = ITEM_VALUE(llr[j]);
        x[j] = V_SET1((elem)(code->inverted[j] ? -value : value));
        base = V_SUB(base, V_AND(x[j], table->flip[j]));
    }
    bm[0] = base;
    for (unsigned j = 0; j < n; j++) {
        x[j] = V_SIGN(x[j], table->flip[j]);
        for (unsigned c = 0; j < 3 && c < 1u << j; c++)
            bm[c + (1u << j)] = V_SUB(bm[c], x[j]);
    }
    if (n > 3)
        NAME(branch_eights)(x, n, bm);
}

static void NAME(table_of)(const struct viterbi_simd *s, struct NAME(table) * table)
{
    for (unsigned j = 0; j < s->spec.code.n; j++) {
        elem flip[V_LANES];
        for (unsigned k = 0; k < V_LANES; k++)
            memset(&flip[k], (s->label[k] ^ s->label[0]) >> j & 1 ? 0xff : 0, sizeof flip[k]);
        table->flip[j] = V_LOAD(flip);
    }
}

static FECRUN_ALWAYS_INLINE void NAME(step)(const struct viterbi_simd *s, const elem *from,
                                            elem *to, const vec *bm, uint8_t *dropped, bool forced,
                                            bool alike)
{
    const uint32_t half = s->states / 2;

    for (uint32_t i = 0; i < half; i += V_LANES) {
        const unsigned c = s->label[i];
        uint8_t *d = dropped + i / 8;
        const vec one = bm[c], two = bm[c ^ s->newest];
        vec a, b, p, q;
        V_PARTS(from + 2 * i, &a, &b);
        p = V_ADD(a, one);
        q = V_ADD(a, two);
        if (forced) {
            memset(d, 0, V_LANES / 8);
            memset(d + half / 8, 0, V_LANES / 8);
        } else {
            V_ACS2(p, V_ADD(b, alike ? two : bm[c ^ s->oldest]), q,
                   V_ADD(b, alike ? one : bm[c ^ s->newest ^ s->oldest]), &p, &q, d, d + half / 8);
        }
        V_STORE(to + i, p);
        V_STORE(to + i + half, q);
    }
}

static FECRUN_ALWAYS_INLINE void NAME(steps)(struct viterbi_run *run, unsigned n, bool alike,
                                             const item *llr, size_t from, size_t steps)
{
    const struct viterbi_simd *s = run->simd;
    uint8_t *dropped = viterbi_run_dropped(run, from);
    const size_t forced = run->from_zero ? s->spec.code.K - 1 : 0;
    struct NAME(table) table;
    vec bm[1 << VITERBI_MAX_N];

    NAME(table_of)(s, &table);
    for (size_t i = from; i < from + steps; i++) {
        const elem *now = run->metric[run->parity];
        elem *to = run->metric[1 - run->parity];
        const bool renew = V_BITS == 32 ? (i - run->begin) % VITERBI_RENEW == 0
                                        : (i - from) % VITERBI_PERIOD16 == 0;
        NAME(branch)(&s->spec.code, &table, llr, n, V_SET1(renew ? (elem)-now[0] : 0), bm);
        if (i < forced)
            NAME(step)(s, now, to, bm, dropped, true, false);
        else
            NAME(step)(s, now, to, bm, dropped, false, alike);
        run->parity ^= 1;
        llr += n;
        dropped += run->dropped_step;
    }
}

static void NAME(forward)(struct viterbi_run *run, const void *packed, size_t from, size_t steps)
{
    const unsigned n = run->simd->spec.code.n;
    const bool alike = run->simd->newest == run->simd->oldest;

    if (alike && n == 2)
        NAME(steps)(run, 2, true, packed, from, steps);
    else if (alike && n == 3)
        NAME(steps)(run, 3, true, packed, from, steps);
    else
        NAME(steps)(run, n, false, packed, from, steps);
}

static void NAME(best)(struct viterbi_run *run, size_t stage, uint64_t *seed)
{
    const struct viterbi_simd *s = run->simd;
    const unsigned K = s->spec.code.K;
    const uint32_t stride = run->from_zero && stage < K - 1 ? 1u << (K - 1 - stage) : 1;
    const elem *m = run->metric[run->parity];
    elem top = m[0];

    memset(seed, 0, (K - 1) * sizeof *seed);
    for (uint32_t i = stride; i < s->states; i += stride)
        top = m[i] > top ? m[i] : top;
    for (uint32_t i = 0; i < s->states; i += stride) {
        if (m[i] == top) {
            seed[0] = i;
            break;
        }
    }
}

static void NAME(reset)(struct viterbi_run *run)
{
    run->parity = 0;
    memset(run->metric[0], 0, run->simd->states * sizeof(elem));
}

#ifdef V_EXCHANGE
#include "plugins/viterbi/simd/turn.h"
#endif

#undef NAME
#undef V_BITS
#undef V_LANES
#undef V_LOAD
#undef V_STORE
#undef V_ADD
#undef V_SUB
#undef V_SET1
#undef V_ACS
#undef V_ACS2
#undef V_PARTS
#undef V_SIGN
#undef V_AND
#undef vec
#undef elem
#undef item
#undef ITEM_VALUE
