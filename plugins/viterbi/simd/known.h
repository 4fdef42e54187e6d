/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template, included by simd/lanes.h: a code of two known generators, R = KNOWN_STEPS (2, 3 or 4) steps at a
 * time on 2^R states in registers, all labels constants. lanes.h says for each code
 *   KNOWN(x)                    name of this code's x
 *   KNOWN_K, KNOWN_A, KNOWN_B   constraint length and generators, both with their first and last tap
 *   KNOWN_STEPS, KNOWN_UNROLL   R, and how many groups of states the compiler unrolls: all
 *
 * The states of group g are g << R | j before the R steps. After t of them local state p, whose
 * upper t bits are the new inputs, is state p >> (R - t) << (K - 1 - t) | g << (R - t) | the lower
 * R - t bits of p.
 * Both generators take the newest and the oldest bit, so a butterfly has two labels, c and c ^ 3,
 * and every second butterfly has the label 0, whose branch metric is 0: nothing to add, but in the
 * first of the R steps, which normalises.
 */

#define KNOWN_R KNOWN_STEPS
#define KNOWN_M (KNOWN_K - 1)
#define KNOWN_HALF (1u << (KNOWN_M - 1))
#define KNOWN_STEP_BYTES (8u << KNOWN_M) /* of decisions */
#define KNOWN_STATE(t, p) \
    ((p) >> (KNOWN_R - (t)) << (KNOWN_M - (t)) | g << (KNOWN_R - (t)) | \
     ((p) & ((1u << (KNOWN_R - (t))) - 1)))
#define KNOWN_PARITY(v) ((unsigned)__builtin_parity(v))
#define KNOWN_LABEL(s) (KNOWN_PARITY((s)&KNOWN_A) | KNOWN_PARITY((s)&KNOWN_B) << 1)

static FECRUN_ALWAYS_INLINE metrics KNOWN(add)(metrics v, const metrics *bm, unsigned c, bool all)
{
    return all || c != 0 ? metric_add(v, bm[c]) : v;
}

/* From the states s and s + 1. `all`: the label 0 has a branch metric too, the normalisation. */
static FECRUN_ALWAYS_INLINE void KNOWN(butterfly)(unsigned s, metrics a, metrics b,
                                                  const metrics *bm, bool all, metrics *p,
                                                  metrics *q, uint8_t *dropped)
{
    const unsigned c = KNOWN_LABEL(s);
    metric_acs2(KNOWN(add)(a, bm, c, all), KNOWN(add)(b, bm, c ^ 3, all),
                KNOWN(add)(a, bm, c ^ 3, all), KNOWN(add)(b, bm, c, all), p, q, dropped + s / 2 * 8,
                dropped + (s / 2 + KNOWN_HALF) * 8);
}

/* Named variables, not arrays, so that they are registers. */
#define KNOWN_PAIR(t, x, y, e, o, lo, hi) \
    KNOWN(butterfly) \
    (KNOWN_STATE(t, e##u), x##e, x##o, bm[t], (t) == 0, &y##lo, &y##hi, \
     dropped + (t)*KNOWN_STEP_BYTES)
#define KNOWN_LOAD(p) metric_load(from + (g << KNOWN_R | (p)) * METRICS)
#define KNOWN_STORE(p, v) metric_store(to + ((p) << (KNOWN_M - KNOWN_R) | g) * METRICS, v)

static FECRUN_ALWAYS_INLINE void KNOWN(group)(const elem *from, elem *to, const metrics (*bm)[4],
                                              uint8_t *dropped, unsigned g)
{
    metrics x0 = KNOWN_LOAD(0), x1 = KNOWN_LOAD(1), x2 = KNOWN_LOAD(2), x3 = KNOWN_LOAD(3);
#if KNOWN_STEPS == 2
    metrics y0, y1, y2, y3;

    KNOWN_PAIR(0, x, y, 0, 1, 0, 2);
    KNOWN_PAIR(0, x, y, 2, 3, 1, 3);
    KNOWN_PAIR(1, y, x, 0, 1, 0, 2);
    KNOWN_PAIR(1, y, x, 2, 3, 1, 3);
#elif KNOWN_STEPS == 3
#define KNOWN_STEP(t, x, y) \
    KNOWN_PAIR(t, x, y, 0, 1, 0, 4); \
    KNOWN_PAIR(t, x, y, 2, 3, 1, 5); \
    KNOWN_PAIR(t, x, y, 4, 5, 2, 6); \
    KNOWN_PAIR(t, x, y, 6, 7, 3, 7)
    metrics x4 = KNOWN_LOAD(4), x5 = KNOWN_LOAD(5), x6 = KNOWN_LOAD(6), x7 = KNOWN_LOAD(7);
    metrics y0, y1, y2, y3, y4, y5, y6, y7;

    KNOWN_STEP(0, x, y);
    KNOWN_STEP(1, y, x);
    KNOWN_STEP(2, x, y);
    x0 = y0, x1 = y1, x2 = y2, x3 = y3;
    KNOWN_STORE(4u, y4);
    KNOWN_STORE(5u, y5);
    KNOWN_STORE(6u, y6);
    KNOWN_STORE(7u, y7);
#undef KNOWN_STEP
#else
#define KNOWN_STEP(t, x, y) \
    KNOWN_PAIR(t, x, y, 0, 1, 0, 8); \
    KNOWN_PAIR(t, x, y, 2, 3, 1, 9); \
    KNOWN_PAIR(t, x, y, 4, 5, 2, 10); \
    KNOWN_PAIR(t, x, y, 6, 7, 3, 11); \
    KNOWN_PAIR(t, x, y, 8, 9, 4, 12); \
    KNOWN_PAIR(t, x, y, 10, 11, 5, 13); \
    KNOWN_PAIR(t, x, y, 12, 13, 6, 14); \
    KNOWN_PAIR(t, x, y, 14, 15, 7, 15)
    metrics x4 = KNOWN_LOAD(4), x5 = KNOWN_LOAD(5), x6 = KNOWN_LOAD(6), x7 = KNOWN_LOAD(7);
    metrics x8 = KNOWN_LOAD(8), x9 = KNOWN_LOAD(9), x10 = KNOWN_LOAD(10), x11 = KNOWN_LOAD(11);
    metrics x12 = KNOWN_LOAD(12), x13 = KNOWN_LOAD(13), x14 = KNOWN_LOAD(14), x15 = KNOWN_LOAD(15);
    metrics y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15;

    KNOWN_STEP(0, x, y);
    KNOWN_STEP(1, y, x);
    KNOWN_STEP(2, x, y);
    KNOWN_STEP(3, y, x);
    KNOWN_STORE(4u, x4);
    KNOWN_STORE(5u, x5);
    KNOWN_STORE(6u, x6);
    KNOWN_STORE(7u, x7);
    KNOWN_STORE(8u, x8);
    KNOWN_STORE(9u, x9);
    KNOWN_STORE(10u, x10);
    KNOWN_STORE(11u, x11);
    KNOWN_STORE(12u, x12);
    KNOWN_STORE(13u, x13);
    KNOWN_STORE(14u, x14);
    KNOWN_STORE(15u, x15);
#undef KNOWN_STEP
#endif
    KNOWN_STORE(0u, x0);
    KNOWN_STORE(1u, x1);
    KNOWN_STORE(2u, x2);
    KNOWN_STORE(3u, x3);
}

static FECRUN_ALWAYS_INLINE void KNOWN(block)(const elem *from, elem *to, const metrics (*bm)[4],
                                              uint8_t *dropped)
{
    KNOWN_UNROLL for (unsigned g = 0; g < 1u << (KNOWN_M - KNOWN_R); g++)
        KNOWN(group)(from, to, bm, dropped, g);
}

/* bm[1] belongs to KNOWN_A, bm[2] to KNOWN_B, wherever they stand in the code; sums go in the code's order,
   which floats tell from the other one where there is a base. */
static FECRUN_ALWAYS_INLINE void KNOWN(branch)(const struct viterbi_code *code, const item *llr,
                                               metrics base, metrics *bm)
{
    const unsigned first = code->gen[0] != KNOWN_A;
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

static unsigned KNOWN(vector)(struct viterbi_run *run, unsigned v, const item *llr, size_t from,
                              size_t steps)
{
    const struct viterbi_simd *s = run->simd;
    const size_t end = from + steps, careful = run->from_zero ? s->careful : 0;
    const size_t at = ((size_t)v << KNOWN_M) * METRICS;
    elem *metric[2] = {(elem *)run->metric[run->parity] + at,
                       (elem *)run->metric[1 - run->parity] + at};
    uint8_t *dropped = viterbi_run_dropped(run, from) + v * (METRICS / 8);
    unsigned swaps = 0;

    llr += v * METRICS;
    for (size_t i = from, taken; i < end; i += taken, swaps++) {
        const elem *now = metric[swaps & 1];
        elem *to = metric[~swaps & 1];
        if (i < careful || end - i < KNOWN_R || !NAME(aligned)(run, i, KNOWN_R)) {
            taken = 1;
            NAME(single)(run, now, to, llr, dropped, i);
        } else {
            metrics bm[KNOWN_R][4];
            taken = KNOWN_R;
            KNOWN(branch)
            (&s->spec.code, llr, NAME(renews)(run, i) ? NAME(base)(now, s->offset) : metric_set(0),
             bm[0]);
            for (unsigned t = 1; t < KNOWN_R; t++)
                KNOWN(branch)(&s->spec.code, llr + t * 2 * VITERBI_LANES, metric_set(0), bm[t]);
            KNOWN(block)(now, to, bm, dropped);
        }
        llr += taken * 2 * VITERBI_LANES;
        dropped += taken * KNOWN_STEP_BYTES;
    }
    return swaps;
}

static void KNOWN(forward)(struct viterbi_run *run, const void *packed, size_t from, size_t steps)
{
    unsigned swaps = 0;

    for (unsigned v = 0; v * METRICS < run->lanes; v++)
        swaps = KNOWN(vector)(run, v, packed, from, steps);
    run->parity ^= swaps & 1;
}

#undef KNOWN
#undef KNOWN_K
#undef KNOWN_A
#undef KNOWN_B
#undef KNOWN_STEPS
#undef KNOWN_UNROLL
#undef KNOWN_R
#undef KNOWN_M
#undef KNOWN_HALF
#undef KNOWN_STEP_BYTES
#undef KNOWN_STATE
#undef KNOWN_PARITY
#undef KNOWN_LABEL
#undef KNOWN_PAIR
#undef KNOWN_LOAD
#undef KNOWN_STORE
