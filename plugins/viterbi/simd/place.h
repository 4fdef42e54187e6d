/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template, included by simd/lanes.h: steps whose new metrics take the place of the old ones, up to
 * three at a time on eight vectors in registers.
 *
 * A butterfly's states differ in the oldest digit before a step, in the newest one after it: place
 * bit k of a state's metric, which was the oldest digit's, is then the newest one's. After i steps state s
 * stands at s turned left by k = i mod (K - 1) digits, and the step takes the pairs that differ in
 * bit k. Decisions and labels are in the order of states.
 */

struct NAME(pass) {
    const uint8_t *label;
    unsigned digits, k;
    unsigned newest, oldest; /* times sizeof(metrics), as all labels here */
};

static FECRUN_ALWAYS_INLINE void NAME(butterfly)(const struct NAME(pass) * pass, const metrics *bm,
                                                 unsigned c, bool alike, bool wrap, metrics *a,
                                                 metrics *b, uint8_t *upper, uint8_t *lower)
{
#define BM(label) metric_load((const elem *)(const void *)((const uint8_t *)bm + (label)))
    const metrics one = BM(c), two = BM(c ^ pass->newest);
    const metrics three = alike ? two : BM(c ^ pass->oldest);
    const metrics four = alike ? one : BM(c ^ pass->newest ^ pass->oldest);
    const metrics x = metric_add(*a, one), y = metric_add(*b, three), z = metric_add(*a, two),
                  w = metric_add(*b, four);

    if (wrap)
        metric_wrap_acs2(x, y, z, w, a, b, upper, lower);
    else
        metric_acs2(x, y, z, w, a, b, upper, lower);
#undef BM
}

/* Butterfly of x##i and x##j in step t, whose state is `offset` from that of the group's first. */
#define B(t, i, j, offset) \
    NAME(butterfly) \
    (&here, bm[t], c##t ^ here.label[offset] * (unsigned)sizeof(metrics), alike, false, &x##i, \
     &x##j, d##t + (offset)*8, d##t + ((offset) + half) * 8)
#define STATE(t, steps) (h << ((steps)-1 - (t)) | lo << (V - k - 1 - (t)))

static FECRUN_ALWAYS_INLINE void NAME(place_three)(const struct NAME(pass) * pass, elem *metric,
                                                   const metrics (*bm)[1 << VITERBI_MAX_N],
                                                   uint8_t *dropped, size_t next, bool alike)
{
    const struct NAME(pass) here = *pass;
    const unsigned V = here.digits, k = here.k;
    const uint32_t half = 1u << (V - 1), quarter = half / 2, eighth = half / 4;
    const size_t at1 = (size_t)METRICS << k, at2 = 2 * at1, at4 = 4 * at1;

    for (unsigned lo = 0; lo < 1u << k; lo++) {
        for (unsigned h = 0; h < 1u << (V - k - 3); h++) {
            elem *m = metric + (h << (k + 3) | lo) * (size_t)METRICS;
            const uint32_t s0 = STATE(0, 3), s1 = STATE(1, 3), s2 = STATE(2, 3);
            uint8_t *d0 = dropped + s0 * 8, *d1 = dropped + next + s1 * 8;
            uint8_t *d2 = dropped + 2 * next + s2 * 8;
            const unsigned c0 = here.label[s0] * (unsigned)sizeof(metrics);
            const unsigned c1 = here.label[s1] * (unsigned)sizeof(metrics);
            const unsigned c2 = here.label[s2] * (unsigned)sizeof(metrics);
            metrics x0 = metric_load(m), x1 = metric_load(m + at1);
            metrics x2 = metric_load(m + at2), x3 = metric_load(m + at2 + at1);
            metrics x4 = metric_load(m + at4), x5 = metric_load(m + at4 + at1);
            metrics x6 = metric_load(m + at4 + at2), x7 = metric_load(m + at4 + at2 + at1);

            B(0, 0, 1, 0);
            B(0, 2, 3, 1);
            B(0, 4, 5, 2);
            B(0, 6, 7, 3);
            B(1, 0, 2, 0);
            B(1, 1, 3, quarter);
            B(1, 4, 6, 1);
            B(1, 5, 7, quarter + 1);
            B(2, 0, 4, 0);
            B(2, 1, 5, eighth);
            B(2, 2, 6, quarter);
            B(2, 3, 7, quarter + eighth);
            metric_store(m, x0);
            metric_store(m + at1, x1);
            metric_store(m + at2, x2);
            metric_store(m + at2 + at1, x3);
            metric_store(m + at4, x4);
            metric_store(m + at4 + at1, x5);
            metric_store(m + at4 + at2, x6);
            metric_store(m + at4 + at2 + at1, x7);
        }
    }
}

static FECRUN_ALWAYS_INLINE void NAME(place_two)(const struct NAME(pass) * pass, elem *metric,
                                                 const metrics (*bm)[1 << VITERBI_MAX_N],
                                                 uint8_t *dropped, size_t next, bool alike)
{
    const struct NAME(pass) here = *pass;
    const unsigned V = here.digits, k = here.k;
    const uint32_t half = 1u << (V - 1), quarter = half / 2;
    const size_t at1 = (size_t)METRICS << k, at2 = 2 * at1;

    for (unsigned lo = 0; lo < 1u << k; lo++) {
        for (unsigned h = 0; h < 1u << (V - k - 2); h++) {
            elem *m = metric + (h << (k + 2) | lo) * (size_t)METRICS;
            const uint32_t s0 = STATE(0, 2), s1 = STATE(1, 2);
            uint8_t *d0 = dropped + s0 * 8, *d1 = dropped + next + s1 * 8;
            const unsigned c0 = here.label[s0] * (unsigned)sizeof(metrics);
            const unsigned c1 = here.label[s1] * (unsigned)sizeof(metrics);
            metrics x0 = metric_load(m), x1 = metric_load(m + at1);
            metrics x2 = metric_load(m + at2), x3 = metric_load(m + at2 + at1);

            B(0, 0, 1, 0);
            B(0, 2, 3, 1);
            B(1, 0, 2, 0);
            B(1, 1, 3, quarter);
            metric_store(m, x0);
            metric_store(m + at1, x1);
            metric_store(m + at2, x2);
            metric_store(m + at2 + at1, x3);
        }
    }
}

#undef B
#undef STATE

/* forced: each state has one path yet, over its predecessor with dropped bit 0. */
static FECRUN_ALWAYS_INLINE void NAME(place_one)(const struct NAME(pass) * pass, elem *metric,
                                                 const metrics *bm, uint8_t *dropped, bool forced,
                                                 bool wrap)
{
    const struct NAME(pass) here = *pass;
    const unsigned V = here.digits, k = here.k;
    const uint32_t half = 1u << (V - 1);
    const size_t at1 = (size_t)METRICS << k;

    for (unsigned lo = 0; lo < 1u << k; lo++) {
        for (unsigned h = 0; h < 1u << (V - k - 1); h++) {
            elem *m = metric + (h << (k + 1) | lo) * (size_t)METRICS;
            const uint32_t s0 = h | lo << (V - k - 1);
            uint8_t *d = dropped + s0 * 8;
            const unsigned c = here.label[s0];
            metrics a = metric_load(m), b = metric_load(m + at1);

            if (forced) {
                b = metric_add(a, bm[c ^ here.newest / (unsigned)sizeof(metrics)]);
                a = metric_add(a, bm[c]);
                memset(d, 0, METRICS / 8);
                memset(d + half * 8, 0, METRICS / 8);
            } else {
                NAME(butterfly)
                (&here, bm, c * (unsigned)sizeof(metrics), false, wrap, &a, &b, d, d + half * 8);
            }
            metric_store(m, a);
            metric_store(m + at1, b);
        }
    }
}

/* As single(). */
static void NAME(place_single)(const struct viterbi_run *run, const struct NAME(pass) * pass,
                               elem *metric, const metrics *bm, uint8_t *dropped, size_t i)
{
    const struct viterbi_simd *s = run->simd;

    if (run->from_zero && i < s->careful && i < s->spec.code.K - 1)
        NAME(place_one)(pass, metric, bm, dropped, true, false);
    else if (run->from_zero && i < s->careful)
        NAME(place_one)(pass, metric, bm, dropped, false, true);
    else
        NAME(place_one)(pass, metric, bm, dropped, false, false);
}

/* How many steps from i on go together; floats are renewed at the first of them only. */
static unsigned NAME(together)(const struct viterbi_run *run, size_t i, size_t end, unsigned k)
{
    const struct viterbi_simd *s = run->simd;
    size_t most = run->kernel->period < 3 ? run->kernel->period : 3;

    if (run->from_zero && i < s->careful)
        return 1;
    if (METRIC_BITS == 32 && most > VITERBI_RENEW - (i - run->begin) % VITERBI_RENEW)
        most = VITERBI_RENEW - (i - run->begin) % VITERBI_RENEW;
    most = end - i < most ? end - i : most;
    return most < s->spec.code.K - 1 - k ? (unsigned)most : s->spec.code.K - 1 - k;
}

static FECRUN_ALWAYS_INLINE void NAME(place_vector)(struct viterbi_run *run, unsigned v, bool alike,
                                                    const item *llr, size_t from, size_t steps)
{
    const struct viterbi_simd *s = run->simd;
    const unsigned n = s->spec.code.n;
    const size_t step = n * VITERBI_LANES, end = from + steps;
    elem *metric = (elem *)run->metric[0] + (size_t)v * s->states * METRICS;
    uint8_t *dropped = viterbi_run_dropped(run, from) + v * (METRICS / 8);
    struct NAME(pass) pass = {.label = s->label,
                              .digits = s->spec.code.K - 1,
                              .k = run->turned,
                              .newest = s->newest * (unsigned)sizeof(metrics),
                              .oldest = s->oldest * (unsigned)sizeof(metrics)};
    metrics bm[3][1 << VITERBI_MAX_N];

    llr += v * METRICS;
    for (size_t i = from, taken; i < end; i += taken) {
        taken = NAME(together)(run, i, end, pass.k);
        for (unsigned t = 0; t < taken; t++)
            NAME(branch)
        (&s->spec.code, llr + t * step, n,
         t == 0 && NAME(renews)(run, i) ? NAME(base)(metric, s->offset) : metric_set(0), bm[t]);
        if (taken == 3)
            NAME(place_three)(&pass, metric, bm, dropped, run->dropped_step, alike);
        else if (taken == 2)
            NAME(place_two)(&pass, metric, bm, dropped, run->dropped_step, alike);
        else
            NAME(place_single)(run, &pass, metric, bm[0], dropped, i);
        pass.k = (pass.k + (unsigned)taken) % pass.digits;
        llr += taken * step;
        dropped += taken * run->dropped_step;
    }
}

static void NAME(forward)(struct viterbi_run *run, const void *packed, size_t from, size_t steps)
{
    for (unsigned v = 0; v * METRICS < run->lanes; v++) {
        if (run->simd->newest == run->simd->oldest)
            NAME(place_vector)(run, v, true, packed, from, steps);
        else
            NAME(place_vector)(run, v, false, packed, from, steps);
    }
    run->turned = (unsigned)((run->turned + steps) % (run->simd->spec.code.K - 1));
}
