/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template, included by simd/lanes.h: K = 7, generators 133 and 171, R = K7_STEPS
 * (2 or 4) steps at a time on 2^R states in registers, all labels constants.
 *
 * The states of group g are g << R | j before the R steps. After t of them local state p, whose
 * upper t bits are the new inputs, is state p >> (R - t) << (6 - t) | g << (R - t) | the lower
 * R - t bits of p.
 * Both generators take the newest and the oldest bit, so a butterfly has two labels, c and c ^ 3,
 * and every second butterfly has the label 0, whose branch metric is 0: nothing to add, but in the
 * first of the R steps, which normalises.
 */

#define K7_R K7_STEPS
#define K7_STATE(t, p) \
    ((p) >> (K7_R - (t)) << (6 - (t)) | g << (K7_R - (t)) | ((p) & ((1u << (K7_R - (t))) - 1)))
#define K7_LABEL(s) (K7_PARITY((s)&0133u) | K7_PARITY((s)&0171u) << 1)
#define K7_PARITY(v) ((unsigned)__builtin_parity(v))

static FECRUN_ALWAYS_INLINE metrics NAME(k7_add)(metrics v, const metrics *bm, unsigned c, bool all)
{
    return all || c != 0 ? metric_add(v, bm[c]) : v;
}

/* From the states s and s + 1. `all`: the label 0 has a branch metric too, the normalisation. */
static FECRUN_ALWAYS_INLINE void NAME(k7_butterfly)(unsigned s, metrics a, metrics b,
                                                    const metrics *bm, bool all, metrics *p,
                                                    metrics *q, uint8_t *dropped)
{
    const unsigned c = K7_LABEL(s);
    metric_acs2(NAME(k7_add)(a, bm, c, all), NAME(k7_add)(b, bm, c ^ 3, all),
                NAME(k7_add)(a, bm, c ^ 3, all), NAME(k7_add)(b, bm, c, all), p, q,
                dropped + s / 2 * 8, dropped + (s / 2 + 32) * 8);
}

/* Named variables, not arrays, so that they are registers. */
#define K7_B(t, x, y, e, o, lo, hi) \
    NAME(k7_butterfly) \
    (K7_STATE(t, e##u), x##e, x##o, bm[t], (t) == 0, &y##lo, &y##hi, dropped + (t)*512)
#define K7_LOAD(p) metric_load(from + (g << K7_R | (p)) * METRICS)
#define K7_STORE(p, v) metric_store(to + ((p) << (6 - K7_R) | g) * METRICS, v)

static FECRUN_ALWAYS_INLINE void NAME(k7_group)(const elem *from, elem *to, const metrics (*bm)[4],
                                                uint8_t *dropped, unsigned g)
{
    metrics x0 = K7_LOAD(0), x1 = K7_LOAD(1), x2 = K7_LOAD(2), x3 = K7_LOAD(3);
#if K7_STEPS == 2
    metrics y0, y1, y2, y3;

    K7_B(0, x, y, 0, 1, 0, 2);
    K7_B(0, x, y, 2, 3, 1, 3);
    K7_B(1, y, x, 0, 1, 0, 2);
    K7_B(1, y, x, 2, 3, 1, 3);
#else
#define K7_STEP(t, x, y) \
    K7_B(t, x, y, 0, 1, 0, 8); \
    K7_B(t, x, y, 2, 3, 1, 9); \
    K7_B(t, x, y, 4, 5, 2, 10); \
    K7_B(t, x, y, 6, 7, 3, 11); \
    K7_B(t, x, y, 8, 9, 4, 12); \
    K7_B(t, x, y, 10, 11, 5, 13); \
    K7_B(t, x, y, 12, 13, 6, 14); \
    K7_B(t, x, y, 14, 15, 7, 15)
    metrics x4 = K7_LOAD(4), x5 = K7_LOAD(5), x6 = K7_LOAD(6), x7 = K7_LOAD(7);
    metrics x8 = K7_LOAD(8), x9 = K7_LOAD(9), x10 = K7_LOAD(10), x11 = K7_LOAD(11);
    metrics x12 = K7_LOAD(12), x13 = K7_LOAD(13), x14 = K7_LOAD(14), x15 = K7_LOAD(15);
    metrics y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15;

    K7_STEP(0, x, y);
    K7_STEP(1, y, x);
    K7_STEP(2, x, y);
    K7_STEP(3, y, x);
    K7_STORE(4u, x4);
    K7_STORE(5u, x5);
    K7_STORE(6u, x6);
    K7_STORE(7u, x7);
    K7_STORE(8u, x8);
    K7_STORE(9u, x9);
    K7_STORE(10u, x10);
    K7_STORE(11u, x11);
    K7_STORE(12u, x12);
    K7_STORE(13u, x13);
    K7_STORE(14u, x14);
    K7_STORE(15u, x15);
#undef K7_STEP
#endif
    K7_STORE(0u, x0);
    K7_STORE(1u, x1);
    K7_STORE(2u, x2);
    K7_STORE(3u, x3);
}

static FECRUN_ALWAYS_INLINE void NAME(k7_block)(const elem *from, elem *to, const metrics (*bm)[4],
                                                uint8_t *dropped)
{
#define K7_GROUPS(g) \
    NAME(k7_group)(from, to, bm, dropped, (g)); \
    NAME(k7_group)(from, to, bm, dropped, (g) + 1); \
    NAME(k7_group)(from, to, bm, dropped, (g) + 2); \
    NAME(k7_group)(from, to, bm, dropped, (g) + 3)
    K7_GROUPS(0);
#if K7_STEPS == 2
    K7_GROUPS(4);
    K7_GROUPS(8);
    K7_GROUPS(12);
#endif
#undef K7_GROUPS
}

/* bm[1] belongs to 133, bm[2] to 171, wherever they stand in the code; sums go in the code's order,
   which floats tell from the other one where there is a base. */
static FECRUN_ALWAYS_INLINE void NAME(k7_branch)(const struct viterbi_code *code, const item *llr,
                                                 metrics base, metrics *bm)
{
    const unsigned first = code->gen[0] != 0133;
    const metrics x = llr_load(llr + first * VITERBI_LANES),
                  y = llr_load(llr + !first * VITERBI_LANES);

    bm[0] = base;
    bm[1] = code->inverted[first] ? metric_add(base, x) : metric_sub(base, x);
    bm[2] = code->inverted[!first] ? metric_add(base, y) : metric_sub(base, y);
    if (first)
        bm[3] = code->inverted[first] ? metric_add(bm[2], x) : metric_sub(bm[2], x);
    else
        bm[3] = code->inverted[!first] ? metric_add(bm[1], y) : metric_sub(bm[1], y);
}

static unsigned NAME(k7_vector)(struct viterbi_run *run, unsigned v, const item *llr, size_t from,
                                size_t steps)
{
    const struct viterbi_simd *s = run->simd;
    const size_t end = from + steps, careful = run->from_zero ? s->careful : 0;
    elem *metric[2] = {(elem *)run->metric[run->parity] + v * 64 * METRICS,
                       (elem *)run->metric[1 - run->parity] + v * 64 * METRICS};
    uint8_t *dropped = viterbi_run_dropped(run, from) + v * (METRICS / 8);
    unsigned swaps = 0;

    llr += v * METRICS;
    for (size_t i = from, taken; i < end; i += taken, swaps++) {
        const elem *now = metric[swaps & 1];
        elem *to = metric[~swaps & 1];
        if (i < careful || end - i < K7_R || !NAME(aligned)(run, i, K7_R)) {
            taken = 1;
            NAME(single)(run, now, to, llr, dropped, i);
        } else {
            metrics bm[K7_R][4];
            taken = K7_R;
            NAME(k7_branch)
            (&s->spec.code, llr, NAME(renews)(run, i) ? NAME(base)(now, s->offset) : metric_set(0),
             bm[0]);
            for (unsigned t = 1; t < K7_R; t++)
                NAME(k7_branch)(&s->spec.code, llr + t * 2 * VITERBI_LANES, metric_set(0), bm[t]);
            NAME(k7_block)(now, to, bm, dropped);
        }
        llr += taken * 2 * VITERBI_LANES;
        dropped += taken * 512;
    }
    return swaps;
}

static void NAME(k7_forward)(struct viterbi_run *run, const void *packed, size_t from, size_t steps)
{
    unsigned swaps = 0;

    for (unsigned v = 0; v * METRICS < run->lanes; v++)
        swaps = NAME(k7_vector)(run, v, packed, from, steps);
    run->parity ^= swaps & 1;
}

#undef K7_R
#undef K7_STATE
#undef K7_LABEL
#undef K7_PARITY
#undef K7_B
#undef K7_LOAD
#undef K7_STORE
