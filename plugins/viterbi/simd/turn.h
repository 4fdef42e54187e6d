/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template, included by simd/along.h where there is metric_exchange: one tile whose metrics turn in
 * place, three steps at a time on eight vectors in registers; simd/turning.h tells how. Uses, beyond
 * what along.h does,
 *   metric_exchange(b, p, q)   lanes of *p whose number has bit b change places with those of *q whose
 *                              number has not
 *   metric_decide2(x, y, z, w, p, q, mask)   metric_acs2 with both states' decisions at mask,
 *                              METRICS / 4 bytes
 */

/* What is the same for the butterflies of a pass, which begins with coordinate k. */
struct NAME(turn_pass) {
    unsigned k, turn, coordinates;
    size_t next;           /* bytes from step to step of decisions */
    size_t newest, oldest; /* as labels are, in 8 bytes of branch metrics */
    const struct viterbi_turning_step *step;
    const metrics *bm; /* [step][1 << VITERBI_MAX_N] */
    elem *to; /* the metrics once more: their addresses are not kept in registers for so long */
};

/* The butterfly of *a and *b in their place, by the branch metrics that they add. */
static FECRUN_ALWAYS_INLINE void NAME(turn_decide)(metrics *a, metrics *b, metrics one, metrics two,
                                                   metrics three, metrics four, uint8_t *mask,
                                                   int exchange)
{
    metrics p, q;

    metric_decide2(metric_add(*a, one), metric_add(*b, three), metric_add(*a, two),
                   metric_add(*b, four), &p, &q, mask);
    if (exchange >= 0)
        metric_exchange((unsigned)exchange, &p, &q);
    *a = p;
    *b = q;
}

#define BM(place) \
    metric_load((const elem *)(const void *)((const uint64_t *)(const void *)bm + (place)))

/* `mirrored`: both states of each pair make all outputs each other's complements, so that the one's
 * branch metric stands as far from the end of the table as the other's from its beginning. */
static FECRUN_ALWAYS_INLINE void NAME(turn_butterfly)(const struct NAME(turn_pass) * pass,
                                                      unsigned t, size_t butterfly, metrics *a,
                                                      metrics *b, uint8_t *mask, int exchange,
                                                      bool mirrored)
{
    const metrics *bm = pass->bm + ((size_t)t << VITERBI_MAX_N);
    const size_t c = pass->step[t].label[butterfly];

    if (mirrored) {
        const metrics one = BM(c), two = BM(pass->newest - c);
        NAME(turn_decide)(a, b, one, two, two, one, mask, exchange);
    } else {
        NAME(turn_decide)
        (a, b, BM(c), BM(c ^ pass->newest), BM(c ^ pass->oldest),
         BM(c ^ pass->newest ^ pass->oldest), mask, exchange);
    }
}

static FECRUN_ALWAYS_INLINE elem *NAME(turn_at)(elem *metric, unsigned number, unsigned turn,
                                                unsigned coordinates)
{
    const unsigned mask = (1u << coordinates) - 1;
    return metric + ((number << turn | number >> (coordinates - turn)) & mask) * (size_t)METRICS;
}

/* Three steps from k on. The first exchanges the lanes' bit `first`, the others the next ones; below
 * 0 there is nothing to exchange. V, k and next are those of the pass, given apart so that the
 * compiler may know them. */
static FECRUN_ALWAYS_INLINE void NAME(turn_three)(const struct NAME(turn_pass) * given,
                                                  elem *metric, uint8_t *dropped, unsigned V,
                                                  unsigned k, size_t next, int first, bool mirrored)
{
    const struct NAME(turn_pass) pass = *given;
    const unsigned low = (1u << k) - 1;
    const size_t at1 = (size_t)(NAME(turn_at)(metric, 1u << k, pass.turn, V) - metric);
    const size_t at2 = (size_t)(NAME(turn_at)(metric, 2u << k, pass.turn, V) - metric);
    const size_t at4 = (size_t)(NAME(turn_at)(metric, 4u << k, pass.turn, V) - metric);

    for (unsigned g = 0; g < 1u << (V - 3); g++) {
        const unsigned lo = g & low, hi = (g & ~low) << 2;
        const size_t i = hi | lo;
        const size_t at = (size_t)(NAME(turn_at)(metric, hi << 1 | lo, pass.turn, V) - metric);
        elem *m = metric + at, *m2 = m + at2, *m4 = m + at4, *m6 = m4 + at2;
        uint8_t *d = dropped + i * (METRICS / 4);
        metrics x0 = metric_load(m), x1 = metric_load(m + at1), x2 = metric_load(m2),
                x3 = metric_load(m2 + at1);
        metrics x4 = metric_load(m4), x5 = metric_load(m4 + at1), x6 = metric_load(m6),
                x7 = metric_load(m6 + at1);

#define B(t, a, b, n) \
    NAME(turn_butterfly) \
    (&pass, t, i + ((n) << k), &x##a, &x##b, d + (t)*next + ((size_t)(n) << k) * (METRICS / 4), \
     first + (t), mirrored)
        B(0, 0, 1, 0);
        B(0, 2, 3, 1);
        B(0, 4, 5, 2);
        B(0, 6, 7, 3);
        B(1, 0, 2, 0);
        B(1, 1, 3, 1);
        B(1, 4, 6, 2);
        B(1, 5, 7, 3);
        B(2, 0, 4, 0);
        B(2, 1, 5, 1);
        B(2, 2, 6, 2);
        B(2, 3, 7, 3);
#undef B
        m = pass.to + at;
        metric_store(m, x0);
        metric_store(m + at1, x1);
        m += at2;
        metric_store(m, x2);
        metric_store(m + at1, x3);
        m += at4;
        metric_store(m, x6);
        metric_store(m + at1, x7);
        m -= at2;
        metric_store(m, x4);
        metric_store(m + at1, x5);
    }
}

/* K = 15, outputs as `mirrored` wants them: the codes of deep space. False: another pass. */
static bool NAME(turn_k15)(const struct NAME(turn_pass) * pass, elem *metric, uint8_t *dropped)
{
    const unsigned lane_bits = (unsigned)__builtin_ctz(METRICS), V = 14 - lane_bits;
    const size_t next = (1 << 14) / 8;
    const int first = -(int)(V - lane_bits);

    switch (pass->k) {
    case 0:
        NAME(turn_three)(pass, metric, dropped, V, 0, next, first, true);
        return true;
    case 3:
        NAME(turn_three)(pass, metric, dropped, V, 3, next, first + 3, true);
        return true;
    case 6:
        NAME(turn_three)(pass, metric, dropped, V, 6, next, first + 6, true);
        return true;
    default:
        return false;
    }
}

static void NAME(turn_any)(const struct NAME(turn_pass) * pass, elem *metric, uint8_t *dropped,
                           int first)
{
#define ANY(first) \
    NAME(turn_three)(pass, metric, dropped, pass->coordinates, pass->k, pass->next, first, false)
    switch (first) {
    case -2:
        ANY(-2);
        break;
    case -1:
        ANY(-1);
        break;
    case 0:
        ANY(0);
        break;
    case 1:
        ANY(1);
        break;
    case 2:
        ANY(2);
        break;
    default:
        ANY(-3);
        break;
    }
#undef ANY
}

/* forced: each state has one path yet, over its predecessor with dropped bit 0. */
static void NAME(turn_one)(const struct NAME(turn_pass) * pass, elem *metric, uint8_t *dropped,
                           int exchange, bool forced)
{
    const unsigned k = pass->k, low = (1u << k) - 1;
    const size_t at1 = (size_t)(NAME(turn_at)(metric, 1u << k, pass->turn, pass->coordinates) -
                                metric);
    const metrics *bm = pass->bm;

    for (unsigned i = 0; i < 1u << (pass->coordinates - 1); i++) {
        elem *m = NAME(turn_at)(metric, (i & ~low) << 1 | (i & low), pass->turn, pass->coordinates);
        uint8_t *d = dropped + i * (METRICS / 4);
        const size_t c = pass->step->label[i];
        metrics a = metric_load(m), b = metric_load(m + at1);

        if (forced) {
            b = metric_add(a, BM(c ^ pass->newest));
            a = metric_add(a, BM(c));
            memset(d, 0, METRICS / 4);
        } else {
            NAME(turn_butterfly)(pass, 0, i, &a, &b, d, -1, false);
        }
        switch (exchange) {
        case 0:
            metric_exchange(0, &a, &b);
            break;
        case 1:
            metric_exchange(1, &a, &b);
            break;
        case 2:
            metric_exchange(2, &a, &b);
            break;
        case 3:
            metric_exchange(3, &a, &b);
            break;
        case 4:
            metric_exchange(4, &a, &b);
            break;
        default:
            break;
        }
        metric_store(m, a);
        metric_store(m + at1, b);
    }
}

static FECRUN_ALWAYS_INLINE void NAME(turn_steps)(struct viterbi_run *run, unsigned n,
                                                  const item *llr, size_t from, size_t steps)
{
    const struct viterbi_simd *s = run->simd;
    const struct viterbi_turning *t = s->turning;
    const size_t forced = run->from_zero ? s->spec.code.K - 1 : 0, end = from + steps;
    uint8_t *dropped = viterbi_run_dropped(run, from);
    elem *metric = run->metric[0];
    metrics bm[3][1 << VITERBI_MAX_N];
    struct NAME(turn_pass) pass = {.coordinates = t->coordinates,
                                   .next = run->dropped_step,
                                   .newest = s->newest * sizeof(metrics) / 8,
                                   .oldest = s->oldest * sizeof(metrics) / 8,
                                   .bm = bm[0],
                                   .to = metric};
    const bool k15 = s->spec.code.K == 15 && s->newest == s->oldest && s->newest + 1 == 1u << n;

    for (size_t i = from, taken; i < end; i += taken) {
        const unsigned k = (unsigned)(i % t->coordinates);
        const int first = (int)k - (int)(t->coordinates - t->lane_bits);
        taken = i >= forced && end - i >= 3 && k + 3 <= t->coordinates ? 3 : 1;
        pass.k = k;
        pass.turn = viterbi_turning_by(t, i);
        pass.step = &t->step[k];
        for (unsigned j = 0; j < taken; j++) {
            const void *flip = pass.step[j].flip;
            NAME(branch)
            (&s->spec.code, flip, llr + j * n, n, metric_set(k + j == 0 ? (elem)-metric[0] : 0),
             bm[j]);
        }
        if (taken == 1)
            NAME(turn_one)(&pass, metric, dropped, first, i < forced);
        else if (!k15 || !NAME(turn_k15)(&pass, metric, dropped))
            NAME(turn_any)(&pass, metric, dropped, first);
        llr += taken * n;
        dropped += taken * run->dropped_step;
    }
}

static void NAME(turn_forward)(struct viterbi_run *run, const void *packed, size_t from,
                               size_t steps)
{
    const unsigned n = run->simd->spec.code.n;

    if (n == 6)
        NAME(turn_steps)(run, 6, packed, from, steps);
    else
        NAME(turn_steps)(run, n, packed, from, steps);
}

static void NAME(turn_best)(struct viterbi_run *run, size_t stage, uint64_t *seed)
{
    const struct viterbi_simd *s = run->simd;
    const unsigned K = s->spec.code.K;
    const uint32_t stride = run->from_zero && stage < K - 1 ? 1u << (K - 1 - stage) : 1;
    const elem *m = run->metric[0];
    uint16_t where[2][128];
    elem top = m[0];

    viterbi_turning_where(s->turning, stage, where);
    memset(seed, 0, (K - 1) * sizeof *seed);
    for (uint32_t i = stride; i < s->states; i += stride) {
        const elem other = m[where[0][i % 128] ^ where[1][i / 128]];
        if (other > top) {
            top = other;
            seed[0] = i;
        }
    }
}

#undef BM
