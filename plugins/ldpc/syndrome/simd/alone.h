/* SPDX-License-Identifier: BSD-2-Clause */
/* One shot alone, in AVX-512: vectors along the edges of a row, then along columns of one weight. */

struct alone {
    struct lanes common; /* what it has for one shot */
    float *llr;          /* of places */
    float *gamma;        /* with memory: of places */
    float *message;      /* of edges, in vectors of rows, and a 0 behind them */
    float *q;            /* of a row */
    uint16_t *error;     /* of groups of places */
    uint8_t *unmet;      /* of rows */
    uint8_t *best;       /* legs: the lightest solution so far, of columns */
};

static size_t alone_carve(struct alone *w, const struct ldpc_syndrome_simd *s, void *base)
{
    const struct ldpc_syndrome *d = s->d;
    const size_t vector = LDPC_SYNDROME_ALONE * sizeof(float);
    size_t used = 0;

    w->common.s = s;
    w->llr = fecrun_carve(base, &used, s->alone.groups * vector);
    w->gamma = fecrun_carve(base, &used, d->memory ? s->alone.groups * vector : 0);
    w->best = fecrun_carve(base, &used, d->legs ? d->cols : 0);
    w->message = fecrun_carve(base, &used, (s->alone.vectors + 1) * vector);
    w->q = fecrun_carve(base, &used, s->widest * sizeof *w->q + vector);
    w->error = fecrun_carve(base, &used, s->alone.groups * sizeof *w->error);
    w->unmet = fecrun_carve(base, &used, d->rows);
    w->common.syndrome = fecrun_carve(base, &used, d->rows);
    w->common.llr = fecrun_carve(base, &used, d->cols * sizeof *w->common.llr);
    w->common.bits = fecrun_carve(base, &used, d->cols);
    w->common.osd = fecrun_carve(base, &used, d->osd ? osd_scratch(d) : 0);
    return used;
}

static size_t alone_scratch(const struct ldpc_syndrome_simd *s)
{
    struct alone w;

    return alone_carve(&w, s, NULL);
}

static FECRUN_ALWAYS_INLINE void two_least(floats *least, floats *second, floats a, floats b)
{
    *second = floats_min(floats_min(*second, b), floats_max(*least, a));
    *least = floats_min(*least, a);
}

/* The two least of all lanes, in all lanes. */
static FECRUN_ALWAYS_INLINE void least_of_all(floats *least, floats *second)
{
    two_least(least, second, _mm512_shuffle_f32x4(*least, *least, 0x4e),
              _mm512_shuffle_f32x4(*second, *second, 0x4e));
    two_least(least, second, _mm512_shuffle_f32x4(*least, *least, 0xb1),
              _mm512_shuffle_f32x4(*second, *second, 0xb1));
    two_least(least, second, _mm512_shuffle_ps(*least, *least, 0x4e),
              _mm512_shuffle_ps(*second, *second, 0x4e));
    two_least(least, second, _mm512_shuffle_ps(*least, *least, 0xb1),
              _mm512_shuffle_ps(*second, *second, 0xb1));
}

static void alone_row(const struct alone *w, uint32_t r)
{
    const struct ldpc_syndrome *d = w->common.s->d;
    const struct ldpc_syndrome_alone *a = &w->common.s->alone;
    const uint32_t vectors = a->first[r + 1] - a->first[r];
    const uint32_t rest = (d->row_first[r + 1] - d->row_first[r]) % LDPC_SYNDROME_ALONE;
    const uint32_t *place = a->place + (size_t)a->first[r] * LDPC_SYNDROME_ALONE;
    float *message = w->message + (size_t)a->first[r] * LDPC_SYNDROME_ALONE;
    const floats limit = floats_set(LDPC_SYNDROME_LIMIT), alpha = floats_set(d->alpha);
    floats least = limit, second = limit, near, far, sign;
    unsigned minus = 0;

    for (uint32_t v = 0; v < vectors; v++) {
        const __mmask16 there = (__mmask16)(v + 1 < vectors || !rest ? 0xffff : (1U << rest) - 1);
        const __m512i at = _mm512_loadu_si512(place + v * LDPC_SYNDROME_ALONE);
        const floats L = _mm512_i32gather_ps(at, w->llr, 4);
        const floats q = _mm512_mask_sub_ps(limit, there, L,
                                            floats_load(message + v * LDPC_SYNDROME_ALONE));

        floats_store(w->q + v * LDPC_SYNDROME_ALONE, q);
        minus ^= _mm512_movepi32_mask(_mm512_castps_si512(q));
        second = floats_min(second, most_of(least, q));
        least = least_of(least, q);
    }
    least_of_all(&least, &second);
    sign = floats_signs((__mmask16)(__builtin_parity(minus) ^ w->common.syndrome[r] ? 0xffff : 0));
    near = floats_xor(floats_mul(alpha, least), sign);
    far = floats_xor(floats_mul(alpha, second), sign);
    for (uint32_t v = 0; v < vectors; v++) {
        const floats q = floats_load(w->q + v * LDPC_SYNDROME_ALONE);
        const __mmask16 above = _mm512_cmp_ps_mask(_mm512_andnot_ps(floats_set(-0.0F), q), least,
                                                   _CMP_GT_OQ);

        floats_store(message + v * LDPC_SYNDROME_ALONE,
                     floats_xor(_mm512_mask_blend_ps(above, far, near), floats_sign(q)));
    }
}

/* The rows of columns whose decision is new. */
static void alone_change(const struct alone *w, uint32_t group, unsigned changed)
{
    const struct ldpc_syndrome *d = w->common.s->d;

    for (; changed; changed &= changed - 1) {
        const uint32_t col =
            w->common.s->alone.col[group * LDPC_SYNDROME_ALONE + (unsigned)__builtin_ctz(changed)];

        for (uint32_t k = d->col_first[col]; k < d->col_first[col + 1]; k++)
            w->unmet[d->row_of_col[k]] ^= 1;
    }
}

/* LLRs and decisions, of messages that there are. */
static void alone_columns(const struct alone *w)
{
    const struct ldpc_syndrome_alone *a = &w->common.s->alone;
    const floats limit = floats_set(LDPC_SYNDROME_LIMIT), low = floats_set(-LDPC_SYNDROME_LIMIT);
    const uint32_t *edge = a->edge;

    for (uint32_t g = 0; g < a->groups; g++) {
        const floats prior = _mm512_loadu_ps(a->prior + (size_t)g * LDPC_SYNDROME_ALONE);
        floats L = prior;
        uint16_t error;

        if (w->common.s->d->memory)
            L = floats_add(
                prior, floats_mul(floats_load(w->gamma + (size_t)g * LDPC_SYNDROME_ALONE),
                                  floats_sub(floats_load(w->llr + (size_t)g * LDPC_SYNDROME_ALONE),
                                             prior)));
        for (uint32_t k = 0; k < a->weight[g]; k++, edge += LDPC_SYNDROME_ALONE)
            L = floats_add(L, _mm512_i32gather_ps(_mm512_loadu_si512(edge), w->message, 4));
        L = floats_min(floats_max(L, low), limit);
        floats_store(w->llr + (size_t)g * LDPC_SYNDROME_ALONE, L);
        error = floats_not_above_0(L);
        if (error != w->error[g])
            alone_change(w, g, error ^ w->error[g]);
        w->error[g] = error;
    }
}

/* The memory strengths of a leg; 0 at places without a column. */
static void alone_memory(const struct alone *w, uint32_t leg)
{
    const struct ldpc_syndrome_alone *a = &w->common.s->alone;
    const struct ldpc_syndrome *d = w->common.s->d;

    if (!leg)
        memset(w->gamma, 0, a->groups * LDPC_SYNDROME_ALONE * sizeof *w->gamma);
    ldpc_syndrome_gammas(d, leg, w->common.llr);
    for (uint32_t j = 0; j < d->cols; j++)
        w->gamma[a->place_of[j]] = w->common.llr[j];
    if (!leg)
        memcpy(w->llr, a->prior, a->groups * LDPC_SYNDROME_ALONE * sizeof *w->llr);
}

/*
 * A leg, with the messages of its first iteration: those of a row are inverted where its syndrome is 1.
 */
static void alone_start(const struct alone *w, uint32_t leg)
{
    const struct ldpc_syndrome_alone *a = &w->common.s->alone;
    const uint32_t rows = w->common.s->d->rows;

    if (w->common.s->d->memory)
        alone_memory(w, leg);
    memcpy(w->message, a->start,
           ((size_t)a->vectors + 1) * LDPC_SYNDROME_ALONE * sizeof *w->message);
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t v = a->first[r]; w->common.syndrome[r] && v < a->first[r + 1]; v++) {
            float *message = w->message + (size_t)v * LDPC_SYNDROME_ALONE;

            floats_store(message, floats_xor(floats_load(message), floats_set(-0.0F)));
        }
    memset(w->error, 0, a->groups * sizeof *w->error);
    memcpy(w->unmet, w->common.syndrome, rows);
}

static bool alone_is_0(const uint8_t *bits, uint32_t n)
{
    uint8_t any = 0;

    for (uint32_t i = 0; i < n; i++)
        any |= bits[i];
    return !any;
}

static void alone_errors(const struct alone *w)
{
    const struct ldpc_syndrome_alone *a = &w->common.s->alone;
    const uint32_t cols = w->common.s->d->cols;
    float *restrict llr = w->common.llr;
    uint8_t *restrict bits = w->common.bits;

    for (uint32_t j = 0; j < cols; j++)
        llr[j] = w->llr[a->place_of[j]];
    for (uint32_t j = 0; j < cols; j++)
        bits[j] = llr[j] <= 0;
}

/* 1: the syndrome is met; 0: it is not; -1: cancelled. */
static int alone_leg(const struct alone *w, uint32_t leg, uint32_t *done)
{
    const struct ldpc_syndrome *d = w->common.s->d;
    const uint32_t most = leg ? d->leg_iterations : d->iterations;

    alone_start(w, leg);
    for (uint32_t i = 0; i < most; i++) {
        if (w->common.batch->cancel && fecrun_cancelled(w->common.batch->cancel))
            return -1;
        for (uint32_t r = 0; i && r < d->rows; r++)
            alone_row(w, r);
        alone_columns(w);
        ++*done;
        if (alone_is_0(w->unmet, d->rows))
            return 1;
    }
    return 0;
}

/* All legs: the number of solutions, the lightest one in best; -1: cancelled. */
static int alone_legs(const struct alone *w, uint32_t *done)
{
    const struct ldpc_syndrome *d = w->common.s->d;
    int64_t least = INT64_MAX;
    uint32_t found = 0;

    for (uint32_t leg = 0; leg <= d->legs && found < d->solutions; leg++) {
        const int met = alone_leg(w, leg, done);
        int64_t weight;

        if (met < 0)
            return -1;
        if (!met || !d->legs) {
            found += (uint32_t)met;
            continue;
        }
        alone_errors(w);
        weight = ldpc_syndrome_weigh(d, w->common.bits);
        if (!found++ || weight < least) {
            memcpy(w->best, w->common.bits, d->cols);
            least = weight;
        }
    }
    return (int)found;
}

/* False: cancelled. */
static bool alone_shot(const struct alone *w, uint64_t shot)
{
    const struct ldpc_syndrome_simd *s = w->common.s;
    const struct lanes *common = &w->common;
    uint32_t done = 0;
    int found;
    bool met;

    load_syndrome(common, shot);
    if (s->zero_met && s->d->solutions < 2 && alone_is_0(common->syndrome, s->d->rows)) {
        put(common, shot, s->zero_error, s->zero_llr, 1, true);
        return true;
    }
    found = alone_legs(w, &done);
    if (found < 0)
        return false;
    met = found > 0;
    alone_errors(w);
    if (met && s->d->legs)
        memcpy(common->bits, w->best, s->d->cols);
    if (!met && s->d->osd)
        met = osd(s->d, common->llr, common->syndrome, common->bits, common->osd);
    put(common, shot, common->bits, common->llr, done, met);
    return true;
}

static bool alone_decode(const struct ldpc_syndrome_simd *s,
                         const struct ldpc_syndrome_batch *batch, void *scratch)
{
    struct alone w;

    alone_carve(&w, s, scratch);
    w.common.batch = batch;
    for (uint64_t shot = 0; shot < batch->frames; shot++)
        if (!alone_shot(&w, shot))
            return false;
    return true;
}
