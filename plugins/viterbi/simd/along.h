/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template: one tile, METRICS states to a vector, metrics in memory by state. For long constraint
 * lengths, where 64 tiles side by side would leave the caches, and for small batches. Uses what
 * simd/lanes.h describes, less llr_load, metric_wrap_acs2 and METRIC_BIAS, and
 *   metric_parts(p, even, odd)   the 2 * METRICS elements at p, even and odd ones apart
 *   OF(negate)(m, v)             -v where m is all ones, v where it is 0
 *   OF(and)(v, m)
 *   ITEM_VALUE(x)                an LLR as it counts
 */

struct NAME(table) {
    metrics flip[VITERBI_MAX_N]; /* output j of the butterfly in this lane against lane 0's */
};

/* Lane by lane, in the order of doc/viterbi.md: x is taken away where the lane's bit of the label is 1. */
static FECRUN_ALWAYS_INLINE void NAME(branch_in_order)(const struct viterbi_code *code,
                                                       const struct NAME(table) * table,
                                                       const item *llr, unsigned n, metrics base,
                                                       metrics *bm)
{
    bm[0] = base;
    for (unsigned j = 0; j < n; j++) {
        const elem value = ITEM_VALUE(llr[j]);
        const metrics x = metric_set((elem)(code->inverted[j] ? -value : value));
        const metrics flipped = metric_and(x, table->flip[j]), others = metric_sub(x, flipped);
        for (unsigned c = 0; c < 1u << j; c++) {
            bm[c + (1u << j)] = metric_sub(bm[c], others);
            bm[c] = metric_sub(bm[c], flipped);
        }
    }
}

/* The labels from 8 on, from the first eight in registers: read back from the table each would wait for the
 * one it is made from. */
static FECRUN_ALWAYS_INLINE void NAME(branch_eights)(const metrics *x, unsigned n, metrics *bm)
{
    const metrics b0 = bm[0], b1 = bm[1], b2 = bm[2], b3 = bm[3];
    const metrics b4 = bm[4], b5 = bm[5], b6 = bm[6], b7 = bm[7];

    for (unsigned c = 8; c < 1u << n; c += 8) {
        metrics sum = metric_set(0);
        for (unsigned j = 3; j < n; j++)
            if (c >> j & 1)
                sum = metric_add(sum, x[j]);
        bm[c] = metric_sub(b0, sum);
        bm[c + 1] = metric_sub(b1, sum);
        bm[c + 2] = metric_sub(b2, sum);
        bm[c + 3] = metric_sub(b3, sum);
        bm[c + 4] = metric_sub(b4, sum);
        bm[c + 5] = metric_sub(b5, sum);
        bm[c + 6] = metric_sub(b6, sum);
        bm[c + 7] = metric_sub(b7, sum);
    }
}

/* Labels are linear: that of butterfly i + k, i a multiple of METRICS, is label[i] with the bits
 * flipped that differ between label[k] and label[0]. So one branch metric vector a label does. */
static FECRUN_ALWAYS_INLINE void NAME(branch)(const struct viterbi_code *code,
                                              const struct NAME(table) * table, const item *llr,
                                              unsigned n, metrics base, metrics *bm)
{
    metrics x[VITERBI_MAX_N];

    if (METRIC_BITS == 32) {
        NAME(branch_in_order)(code, table, llr, n, base, bm);
        return;
    }
    for (unsigned j = 0; j < n; j++) {
        const elem value = ITEM_VALUE(llr[j]);
        x[j] = metric_set((elem)(code->inverted[j] ? -value : value));
        base = metric_sub(base, metric_and(x[j], table->flip[j]));
    }
    bm[0] = base;
    for (unsigned j = 0; j < n; j++) {
        x[j] = metric_negate(table->flip[j], x[j]);
        for (unsigned c = 0; j < 3 && c < 1u << j; c++)
            bm[c + (1u << j)] = metric_sub(bm[c], x[j]);
    }
    if (n > 3)
        NAME(branch_eights)(x, n, bm);
}

static void NAME(table_of)(const struct viterbi_simd *s, struct NAME(table) * table)
{
    for (unsigned j = 0; j < s->spec.code.n; j++) {
        elem flip[METRICS];
        for (unsigned k = 0; k < METRICS; k++)
            memset(&flip[k], (s->label[k] ^ s->label[0]) >> j & 1 ? 0xff : 0, sizeof flip[k]);
        table->flip[j] = metric_load(flip);
    }
}

static FECRUN_ALWAYS_INLINE void NAME(step)(const struct viterbi_simd *s, const elem *from,
                                            elem *to, const metrics *bm, uint8_t *dropped,
                                            bool forced, bool alike)
{
    const uint32_t half = s->states / 2;

    for (uint32_t i = 0; i < half; i += METRICS) {
        const unsigned c = s->label[i];
        uint8_t *d = dropped + i / 8;
        const metrics one = bm[c], two = bm[c ^ s->newest];
        metrics a, b, p, q;
        metric_parts(from + 2 * i, &a, &b);
        p = metric_add(a, one);
        q = metric_add(a, two);
        if (forced) {
            memset(d, 0, METRICS / 8);
            memset(d + half / 8, 0, METRICS / 8);
        } else {
            metric_acs2(p, metric_add(b, alike ? two : bm[c ^ s->oldest]), q,
                        metric_add(b, alike ? one : bm[c ^ s->newest ^ s->oldest]), &p, &q, d,
                        d + half / 8);
        }
        metric_store(to + i, p);
        metric_store(to + i + half, q);
    }
}

static FECRUN_ALWAYS_INLINE void NAME(steps)(struct viterbi_run *run, unsigned n, bool alike,
                                             const item *llr, size_t from, size_t steps)
{
    const struct viterbi_simd *s = run->simd;
    uint8_t *dropped = viterbi_run_dropped(run, from);
    const size_t forced = run->from_zero ? s->spec.code.K - 1 : 0;
    struct NAME(table) table;
    metrics bm[1 << VITERBI_MAX_N];

    NAME(table_of)(s, &table);
    for (size_t i = from; i < from + steps; i++) {
        const elem *now = run->metric[run->parity];
        elem *to = run->metric[1 - run->parity];
        const bool renew = METRIC_BITS == 32 ? (i - run->begin) % VITERBI_RENEW == 0
                                             : (i - from) % VITERBI_PERIOD16 == 0;
        NAME(branch)(&s->spec.code, &table, llr, n, metric_set(renew ? (elem)-now[0] : 0), bm);
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

#ifdef metric_exchange
#include "plugins/viterbi/simd/turn.h"
#endif

#undef NAME
#undef OF
#undef METRIC_BITS
#undef ITEM_VALUE
#undef elem
#undef item
#undef metrics
#undef metric_load
#undef metric_store
#undef metric_acs2
#undef metric_parts
#undef metric_exchange
#undef metric_decide2
