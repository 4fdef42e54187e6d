/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template: 64 tiles side by side, METRICS to a vector, metrics in memory as [vector of lanes]
 * [state][METRICS]. kernels.h includes it, and says for each instance
 *   NAME(x)             name of this instance's x
 *   METRIC_BITS, elem (of a metric), item (of a packed LLR), metrics: METRICS of a vector
 *   OF(op)              an operation of these: of set, add, sub
 *   metric_load(p), metric_store(p, v), llr_load(p)
 *   metric_acs(x, y, out, mask)   out = max; bit i of *mask = (y >= x) in lane i, METRICS / 8 bytes
 *   metric_acs2(x, y, z, w, p, q, mask_p, mask_q)   of (x, y, p, mask_p) and of (z, w, q, mask_q)
 *   metric_wrap_acs2(...)         the same by the sign of the wrapped difference
 *   METRIC_BIAS                   what stands for 0: metric_acs may compare unsigned numbers
 * Metrics are minus the sum of the LLRs of 1 bits: half of the definition's, up to a constant that
 * all states share.
 *
 * Integer metrics wrap. That is exact as long as the true values that an instruction compares lie
 * in one window of 2^bits; viterbi_code_range() bounds them, viterbi_simd_create() checks it:
 *   8 bits:  every `period` steps the metric of state 0 is moved to -offset, through the branch
 *            metrics; candidates then stay within [-offset - down M, -offset + up M].
 *   16 bits: after at most 17 steps; |metric| <= (early + 17 n) M <= (84 + 102) 127 = 23622.
 * Floats are rounded, so each sum is made in the order of doc/viterbi.md: state 0's metric is taken
 * away at every 16th step of a round and at no other.
 * Soon after a known start the 8-bit window may not hold: steps below `careful` use metric_wrap_acs2,
 * which needs no more than differences of two candidates, merge M <= 127. In the first K - 1 of
 * them each reachable state has one path, over the predecessor with dropped bit 0, and what the
 * unreachable ones hold is never looked at: "impossible" needs no value.
 */

static FECRUN_ALWAYS_INLINE void NAME(branch)(const struct viterbi_code *code, const item *llr,
                                              unsigned n, metrics base, metrics *bm)
{
    bm[0] = base;
    for (unsigned j = 0; j < n; j++) {
        const metrics x = llr_load(llr + j * VITERBI_LANES);
        for (unsigned c = 0; c < 1u << j; c++)
            bm[c + (1u << j)] = code->inverted[j] ? metric_add(bm[c], x) : metric_sub(bm[c], x);
    }
}

/*
 * The butterfly from states a, b = 2 i, 2 i + 1 to states i (p) and i + states / 2 (q). `alike`:
 * every output depends on the newest bit just as on the oldest, so that two branch metrics do.
 */
#define BUTTERFLY(ACS2, a, b, bm, c, p, q, mask_p, mask_q) \
    do { \
        const metrics *const bm_ = (bm); \
        const unsigned c_ = (c); \
        const metrics one_ = bm_[c_], two_ = bm_[c_ ^ s->newest]; \
        ACS2(metric_add(a, one_), metric_add(b, alike ? two_ : bm_[c_ ^ s->oldest]), \
             metric_add(a, two_), metric_add(b, alike ? one_ : bm_[c_ ^ s->newest ^ s->oldest]), \
             p, q, mask_p, mask_q); \
    } while (0)

static FECRUN_ALWAYS_INLINE void NAME(one_step)(const struct viterbi_simd *s, const elem *from,
                                                elem *to, const metrics *bm, uint8_t *dropped,
                                                bool wrap)
{
    const uint32_t half = s->states / 2;
    const bool alike = false;

    for (uint32_t i = 0; i < half; i++) {
        const metrics a = metric_load(from + 2 * i * METRICS),
                      b = metric_load(from + (2 * i + 1) * METRICS);
        const unsigned c = s->label[i];
        metrics p, q;
        if (wrap)
            BUTTERFLY(metric_wrap_acs2, a, b, bm, c, &p, &q, dropped + i * 8,
                      dropped + (i + half) * 8);
        else
            BUTTERFLY(metric_acs2, a, b, bm, c, &p, &q, dropped + i * 8, dropped + (i + half) * 8);
        metric_store(to + i * METRICS, p);
        metric_store(to + (i + half) * METRICS, q);
    }
}

static void NAME(forced_step)(const struct viterbi_simd *s, const elem *from, elem *to,
                              const metrics *bm, uint8_t *dropped)
{
    const uint32_t half = s->states / 2;

    for (uint32_t i = 0; i < half; i++) {
        const metrics a = metric_load(from + 2 * i * METRICS);
        const unsigned c = s->label[i];
        metric_store(to + i * METRICS, metric_add(a, bm[c]));
        metric_store(to + (i + half) * METRICS, metric_add(a, bm[c ^ s->newest]));
        memset(dropped + i * 8, 0, METRICS / 8);
        memset(dropped + (i + half) * 8, 0, METRICS / 8);
    }
}

/* What a step adds to all branch metrics so that state 0's old metric becomes -offset. */
static FECRUN_ALWAYS_INLINE metrics NAME(base)(const elem *from, int offset)
{
    return metric_sub(metric_set((elem)(METRIC_BIAS - offset)), metric_load(from));
}

/* Does the step begin with state 0's metric taken away? In steps of their own integers may always. */
static FECRUN_ALWAYS_INLINE bool NAME(renews)(const struct viterbi_run *run, size_t i)
{
    return METRIC_BITS != 32 || (i - run->begin) % VITERBI_RENEW == 0;
}

/* Steps done together begin at a multiple of their number: so each renewal begins some. */
static FECRUN_ALWAYS_INLINE bool NAME(aligned)(const struct viterbi_run *run, size_t i, unsigned n)
{
    return METRIC_BITS != 32 || (i - run->begin) % n == 0;
}

/* One step in which each metric is stored: soon after a known start, or a last one. */
static void NAME(single)(struct viterbi_run *run, const elem *from, elem *to, const item *llr,
                         uint8_t *dropped, size_t i)
{
    const struct viterbi_simd *s = run->simd;
    const size_t careful = run->from_zero ? s->careful : 0;
    metrics bm[1 << VITERBI_MAX_N];

    NAME(branch)
    (&s->spec.code, llr, s->spec.code.n,
     NAME(renews)(run, i) ? NAME(base)(from, s->offset) : metric_set(0), bm);
    if (i < careful && i < s->spec.code.K - 1)
        NAME(forced_step)(s, from, to, bm, dropped);
    else if (i < careful)
        NAME(one_step)(s, from, to, bm, dropped, true);
    else
        NAME(one_step)(s, from, to, bm, dropped, false);
}

#include "plugins/viterbi/simd/place.h"

/*
 * Against state 0, which also brings 8-bit metrics that wrapped in careful steps into the window.
 * Early after a known start only the states with K - 1 - stage zeros at the end can be reached.
 */
static void NAME(best)(struct viterbi_run *run, size_t stage, uint64_t *seed)
{
    const struct viterbi_simd *s = run->simd;
    const unsigned K = s->spec.code.K;
    const uint32_t stride = run->from_zero && stage < K - 1 ? 1u << (K - 1 - stage) : 1;

    memset(run->words, 0, s->states * sizeof *run->words);
    for (unsigned v = 0; v * METRICS < run->lanes; v++) {
        const elem *m = (const elem *)run->metric[run->parity] + (size_t)v * s->states * METRICS;
#define METRIC(state) metric_load(m + place_of(state, run->turned, K - 1) * METRICS)
        const metrics zero = METRIC_BITS == 32
                                 ? metric_set(0)
                                 : metric_sub(metric_load(m), metric_set((elem)METRIC_BIAS));
        metrics top = metric_sub(metric_load(m), zero);
        uint64_t unused;
        for (uint32_t i = stride; i < s->states; i += stride)
            metric_acs(top, metric_sub(METRIC(i), zero), &top, &unused);
        for (uint32_t i = 0; i < s->states; i += stride) {
            metrics same;
            metric_acs(top, metric_sub(METRIC(i), zero), &same,
                       (uint8_t *)(run->words + i) + v * (METRICS / 8));
        }
#undef METRIC
    }
    lowest_state(run->words, K - 1, seed);
}

static void NAME(reset)(struct viterbi_run *run)
{
    run->parity = run->turned = 0;
    memset(run->metric[0], 0, run->simd->states * VITERBI_LANES * sizeof(elem));
}

#define KNOWN(x) NAME(k7_##x)
#define KNOWN_K 7
#define KNOWN_A 0133u
#define KNOWN_B 0171u
#define KNOWN_STEPS K7_STEPS
#define KNOWN_UNROLL UNROLL_GROUPS
#include "plugins/viterbi/simd/known.h"

#if METRIC_BITS != 32
#define KNOWN(x) NAME(k9_##x)
#define KNOWN_K 9
#define KNOWN_A 0561u
#define KNOWN_B 0753u
#define KNOWN_STEPS K9_STEPS
#define KNOWN_UNROLL UNROLL_GROUPS
#include "plugins/viterbi/simd/known.h"
#endif

#undef BUTTERFLY
#undef NAME
#undef OF
#undef METRIC_BITS
#undef METRIC_BIAS
#undef K7_STEPS
#undef elem
#undef item
#undef metrics
#undef metric_load
#undef metric_store
#undef metric_acs
#undef metric_acs2
#undef metric_wrap_acs2
#undef llr_load
