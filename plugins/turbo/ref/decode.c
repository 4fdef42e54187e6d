/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The reference of turbo.decode: the BCJR algorithm in floats, one frame at a time, nothing clever.
 *
 * Metrics are logarithms of probabilities, less what all branches of a step have in common: of the
 * two values of a bit the likelier one costs nothing and the other its |LLR|. So certain bits, whose
 * LLRs are large, leave the small differences of the others alone. max-log computes in the input's
 * units, log-map in natural ones.
 */
#include <fecrun/sdk/carve.h>
#include <fecrun/sdk/stage.h>
#include <math.h>

#include "plugins/common/checks/checks.h"
#include "plugins/turbo/code/interleaver.h"
#include "plugins/turbo/decode.h"

#define LIMIT FECRUN_LLR_MAX_F32

/* Of states that cannot be: below all sums of costs, far from the end of floats. */
#define NEVER (-1e30f)

/* Metrics of the eight states. */
typedef float states[TURBO_STATES];

struct ref {
    const struct turbo_decode *d;
    uint32_t windows;   /* sub-blocks P */
    float *sys;         /* LLRs of the block's bits, in its order, with what was known before, */
    float *prior;       /* a priori ones for the present half iteration, */
    float *llr;         /* and those that the last one ended with */
    float *parity[2];   /* LLRs of each encoder's parity bits, in its order */
    uint16_t *order[2]; /* bit of the block that an encoder takes at step i */
    float *in;          /* present half iteration: LLRs of the encoder's input bits */
    states *alpha;      /* before each step */
    states *begin[2];   /* alpha before the first step of each sub-block, of each encoder */
    states *end[2];     /* beta behind the last one */
    states last[2];     /* alpha behind the block */
    float *z[2]; /* LLRs of each encoder's parity bits after its last half iteration, if any, */
    bool word;   /* where somebody reads them */
};

/* ---- memory ---------------------------------------------------------------------------------- */

/* Lays the arrays out behind `base` (NULL: only counts) and returns their bytes. */
static size_t lay_out(struct ref *ref, const struct turbo_decode *d, void *base)
{
    const size_t row = d->k * sizeof(float);
    size_t used = 0;

    ref->d = d;
    ref->windows = d->sub_blocks ? d->sub_blocks : 1;
    ref->sys = fecrun_carve(base, &used, row);
    ref->prior = fecrun_carve(base, &used, row);
    ref->llr = fecrun_carve(base, &used, row);
    ref->in = fecrun_carve(base, &used, row);
    ref->alpha = fecrun_carve(base, &used, d->k * sizeof(states));
    for (unsigned e = 0; e < 2; e++) {
        ref->parity[e] = fecrun_carve(base, &used, row);
        ref->z[e] = fecrun_carve(base, &used, row);
        ref->order[e] = fecrun_carve(base, &used, d->k * sizeof(uint16_t));
        ref->begin[e] = fecrun_carve(base, &used, ref->windows * sizeof(states));
        ref->end[e] = fecrun_carve(base, &used, ref->windows * sizeof(states));
    }
    return used;
}

static void make_orders(struct ref *ref)
{
    for (uint32_t i = 0; i < ref->d->k; i++)
        ref->order[0][i] = (uint16_t)i;
    turbo_interleaver(ref->d->qpp, ref->order[1], NULL);
}

/* ---- input and output ------------------------------------------------------------------------ */

static float read_llr(const struct turbo_decode *d, const void *row, uint32_t type, size_t i)
{
    float x;

    if (type == FECRUN_I8)
        x = fmaxf((float)((const int8_t *)row)[i], -127);
    else if (type == FECRUN_I16)
        x = (float)((const int16_t *)row)[i];
    else
        x = ((const float *)row)[i];
    if (isnan(x))
        return 0;
    if (d->algorithm == TURBO_LOG_MAP)
        x = (float)(x / d->llr_scale);
    return fminf(fmaxf(x, -LIMIT), LIMIT);
}

/* What is known of a bit beforehand, in units of the metrics. */
static float read_apriori(const struct turbo_decode *d, const float *row, uint32_t i)
{
    const double unit = d->apriori / (d->algorithm == TURBO_LOG_MAP ? d->llr_scale : 1);

    return row && !isnan(row[i]) ? (float)(row[i] * unit) : 0;
}

/* Fillers are zeros, whatever arrives; the first encoder stays in state 0 and gives zeros, too.
   apriori: an LLR for each of the others, or NULL. */
static void load(struct ref *ref, const void *row, uint32_t type, const float *apriori)
{
    const struct turbo_decode *d = ref->d;

    for (uint32_t i = 0; i < d->k; i++) {
        const bool filler = i < d->fillers;

        ref->sys[i] = LIMIT;
        if (!filler)
            ref->sys[i] = fminf(fmaxf(read_llr(d, row, type, turbo_item(d->k, 0, i)) +
                                          read_apriori(d, apriori, i - d->fillers),
                                      -LIMIT),
                                LIMIT);
        ref->parity[0][i] = filler ? LIMIT : read_llr(d, row, type, turbo_item(d->k, 1, i));
        ref->parity[1][i] = read_llr(d, row, type, turbo_item(d->k, 2, i));
        ref->prior[i] = 0;
    }
}

/* A tie decides 0. */
static void store(const struct ref *ref, uint8_t *row, uint32_t type)
{
    const struct turbo_decode *d = ref->d;

    if (type == FECRUN_PACKED)
        memset(row, 0, fecrun_bytes(type, d->bits));
    for (uint32_t i = 0; i < d->bits; i++) {
        const unsigned bit = ref->llr[d->fillers + i] < 0;
        if (type == FECRUN_PACKED)
            row[i / 8] |= (uint8_t)(bit << (7 - i % 8));
        else
            row[i] = (uint8_t)bit;
    }
}

/* The LLRs, or what of them did not come in with the bit itself. */
static void store_llrs(const struct ref *ref, bool extrinsic, float *row)
{
    const struct turbo_decode *d = ref->d;
    const float unit = d->algorithm == TURBO_LOG_MAP ? (float)d->llr_scale : 1;

    for (uint32_t i = 0; i < d->bits; i++) {
        const uint32_t bit = d->fillers + i;
        const float llr = unit * (ref->llr[bit] - (extrinsic ? ref->sys[bit] : 0));

        row[i] = fminf(fmaxf(llr, -LIMIT), LIMIT);
    }
}

static void store_word_llr(const struct ref *ref, uint32_t item, float llr, float *row)
{
    const struct turbo_decode *d = ref->d;
    const float unit = d->algorithm == TURBO_LOG_MAP ? (float)d->llr_scale : 1;

    row[item] = fminf(fmaxf(unit * llr, -LIMIT), LIMIT);
}

/* ---- one step of the trellis ----------------------------------------------------------------- */

/* Logarithm of the sum of two probabilities, or what max-log takes for it. */
static inline float sum_of(float a, float b, bool exact)
{
    const float most = a > b ? a : b;

    return exact ? most + log1pf(expf(-fabsf(a - b))) : most;
}

struct costs {
    float of[2][2]; /* of the input bit, of the parity bit */
};

/* Of a branch with each pair of bits, never above 0. */
static inline struct costs costs_of(float in, float parity)
{
    const float u[2] = {in < 0 ? in : 0, in > 0 ? -in : 0};
    const float z[2] = {parity < 0 ? parity : 0, parity > 0 ? -parity : 0};

    return (struct costs){{{u[0] + z[0], u[0] + z[1]}, {u[1] + z[0], u[1] + z[1]}}};
}

static inline float branch(const struct costs *costs, uint32_t state, uint32_t u)
{
    return costs->of[u][turbo_parity(state, u)];
}

/* So that the best state has 0. */
static inline void normalise(float *m)
{
    float most = m[0];

    for (unsigned s = 1; s < TURBO_STATES; s++)
        most = m[s] > most ? m[s] : most;
    for (unsigned s = 0; s < TURBO_STATES; s++)
        m[s] -= most;
}

/* Into state t lead 2 t and 2 t + 1 modulo 8, with opposite inputs. */
static inline void forward(const float *from, const struct costs *costs, bool exact, float *to)
{
    for (uint32_t t = 0; t < TURBO_STATES; t++) {
        const uint32_t s = 2 * t % TURBO_STATES, u = turbo_next(s, 1) == t;

        to[t] = sum_of(from[s] + branch(costs, s, u), from[s + 1] + branch(costs, s + 1, !u),
                       exact);
    }
    normalise(to);
}

static inline void backward(const float *from, const struct costs *costs, bool exact, float *to)
{
    for (uint32_t s = 0; s < TURBO_STATES; s++)
        to[s] = sum_of(from[turbo_next(s, 0)] + branch(costs, s, 0),
                       from[turbo_next(s, 1)] + branch(costs, s, 1), exact);
    normalise(to);
}

/* LLR of the input bit of a step between these metrics. */
static inline float decide(const float *alpha, const struct costs *costs, const float *beta,
                           bool exact)
{
    float of[2];

    for (uint32_t u = 0; u < 2; u++) {
        of[u] = alpha[0] + branch(costs, 0, u) + beta[turbo_next(0, u)];
        for (uint32_t s = 1; s < TURBO_STATES; s++)
            of[u] = sum_of(of[u], alpha[s] + branch(costs, s, u) + beta[turbo_next(s, u)], exact);
    }
    return of[0] - of[1];
}

/* The same of its parity bit. */
static float decide_parity(const float *alpha, const struct costs *costs, const float *beta,
                           bool exact)
{
    float of[2] = {10 * NEVER, 10 * NEVER};

    for (uint32_t s = 0; s < TURBO_STATES; s++)
        for (uint32_t u = 0; u < 2; u++) {
            const uint32_t z = turbo_parity(s, u);

            of[z] = sum_of(of[z], alpha[s] + branch(costs, s, u) + beta[turbo_next(s, u)], exact);
        }
    return of[0] - of[1];
}

/* ---- a half iteration ------------------------------------------------------------------------ */

static inline void go_forward(struct ref *ref, unsigned e, uint32_t window, bool exact)
{
    const uint32_t steps = ref->d->k / ref->windows, first = window * steps;
    states next;

    memcpy(ref->alpha[first], ref->begin[e][window], sizeof(states));
    for (uint32_t i = first; i < first + steps; i++) {
        const struct costs costs = costs_of(ref->in[i], ref->parity[e][i]);

        forward(ref->alpha[i], &costs, exact, next);
        if (i + 1 < first + steps)
            memcpy(ref->alpha[i + 1], next, sizeof next);
    }
    memcpy(window + 1 < ref->windows ? ref->begin[e][window + 1] : ref->last[e], next, sizeof next);
}

/* Also the results: LLRs, and a priori LLRs for the other encoder. */
static inline void go_backward(struct ref *ref, unsigned e, uint32_t window, bool exact)
{
    const uint32_t steps = ref->d->k / ref->windows, first = window * steps;
    states beta, next;

    memcpy(beta, ref->end[e][window], sizeof beta);
    for (uint32_t i = first + steps; i-- > first;) {
        const struct costs costs = costs_of(ref->in[i], ref->parity[e][i]);
        const uint32_t bit = ref->order[e][i];
        const float llr = decide(ref->alpha[i], &costs, beta, exact);
        const float extrinsic = (float)ref->d->scale * (llr - ref->in[i]);

        if (ref->word)
            ref->z[e][i] = decide_parity(ref->alpha[i], &costs, beta, exact);
        ref->llr[bit] = llr;
        ref->prior[bit] = fminf(fmaxf(extrinsic, -LIMIT), LIMIT);
        backward(beta, &costs, exact, next);
        memcpy(beta, next, sizeof beta);
    }
    if (window)
        memcpy(ref->end[e][window - 1], beta, sizeof beta);
}

/* Sub-blocks begin with what their neighbours ended with in the iteration before. */
static inline void half_iteration(struct ref *ref, unsigned e, bool exact)
{
    for (uint32_t i = 0; i < ref->d->k; i++)
        ref->in[i] = ref->sys[ref->order[e][i]] + ref->prior[ref->order[e][i]];
    for (uint32_t w = ref->windows; w-- > 0;)
        go_forward(ref, e, w, exact);
    for (uint32_t w = 0; w < ref->windows; w++)
        go_backward(ref, e, w, exact);
}

/* The tail's three steps leave no choice: one path from each state to state 0. */
static void start_tail(struct ref *ref, unsigned e, const void *row, uint32_t type)
{
    const struct turbo_decode *d = ref->d;
    float *beta = ref->end[e][ref->windows - 1];

    for (uint32_t s = 0; s < TURBO_STATES; s++) {
        uint32_t state = s;

        beta[s] = 0;
        for (uint32_t t = 0; t < TURBO_TAIL; t++) {
            const uint32_t u = turbo_tail_input(state);
            const struct costs costs = costs_of(read_llr(d, row, type, turbo_tail_x(d->k, e, t)),
                                                read_llr(d, row, type, turbo_tail_z(d->k, e, t)));

            beta[s] += branch(&costs, state, u);
            state = turbo_next(state, u);
        }
    }
    normalise(beta);
}

/* Nothing is known of the borders inside the block; an encoder starts in state 0. */
static void start(struct ref *ref, const void *row, uint32_t type)
{
    for (unsigned e = 0; e < 2; e++) {
        memset(ref->begin[e], 0, ref->windows * sizeof(states));
        memset(ref->end[e], 0, ref->windows * sizeof(states));
        memset(ref->last[e], 0, sizeof(states));
        memcpy(ref->z[e], ref->parity[e], ref->d->k * sizeof(float));
        for (uint32_t s = 1; s < TURBO_STATES; s++)
            ref->begin[e][0][s] = NEVER;
        start_tail(ref, e, row, type);
    }
}

/* ---- one frame ------------------------------------------------------------------------------- */

static bool crc_holds(const struct ref *ref)
{
    const uint32_t polynomial = turbo_stop_polynomial(ref->d->stop);
    uint32_t state = 0;

    for (uint32_t i = ref->d->fillers; i < ref->d->k; i++)
        state = turbo_crc_step(state, polynomial, ref->llr[i] < 0);
    return state == 0;
}

/* Does the frame meet the rule of early stopping? Fillers are not asked. */
static bool is_done(const struct ref *ref)
{
    const struct turbo_decode *d = ref->d;
    const double unit = d->algorithm == TURBO_LOG_MAP ? 1 : d->llr_scale;
    double sum = 0, least = INFINITY;

    if (d->stop == TURBO_NEVER)
        return false;
    if (d->stop == TURBO_CRC24A || d->stop == TURBO_CRC24B)
        return crc_holds(ref);
    for (uint32_t i = d->fillers; i < d->k; i++) {
        sum += fabs((double)ref->llr[i]);
        least = fmin(least, fabs((double)ref->llr[i]));
    }
    return (d->stop == TURBO_MEAN_LLR ? sum / d->bits : least) >= d->threshold * unit;
}

static void decode(struct ref *ref, struct fecrun_frame_info *info)
{
    const struct turbo_decode *d = ref->d;
    bool done = false;
    uint32_t n = 0;

    while (!done && n < turbo_passes(d)) {
        for (unsigned e = d->extra_half && !n; e < 2; e++) {
            if (d->algorithm == TURBO_LOG_MAP)
                half_iteration(ref, e, true);
            else
                half_iteration(ref, e, false);
        }
        n++;
        done = is_done(ref);
    }
    turbo_report(d, n, done, info);
}

/* LLRs of the tail's bits: from each state behind the block one path leads to state 0. */
static void store_tail(const struct ref *ref, unsigned e, bool exact, float *row)
{
    const float *const alpha = ref->last[e], *const beta = ref->end[e][ref->windows - 1];

    for (uint32_t t = 0; t < TURBO_TAIL; t++) {
        float x[2] = {10 * NEVER, 10 * NEVER}, z[2] = {10 * NEVER, 10 * NEVER};

        for (uint32_t s = 0; s < TURBO_STATES; s++) {
            uint32_t state = s;

            for (uint32_t i = 0; i < t; i++)
                state = turbo_next(state, turbo_tail_input(state));
            const uint32_t u = turbo_tail_input(state), p = turbo_parity(state, u);

            x[u] = sum_of(x[u], alpha[s] + beta[s], exact);
            z[p] = sum_of(z[p], alpha[s] + beta[s], exact);
        }
        store_word_llr(ref, turbo_tail_x(ref->d->k, e, t), x[0] - x[1], row);
        store_word_llr(ref, turbo_tail_z(ref->d->k, e, t), z[0] - z[1], row);
    }
}

static void store_word(const struct ref *ref, float *row)
{
    const struct turbo_decode *d = ref->d;

    for (uint32_t i = 0; i < d->k; i++) {
        const bool filler = i < d->fillers;

        store_word_llr(ref, turbo_item(d->k, 0, i), filler ? LIMIT : ref->llr[i], row);
        store_word_llr(ref, turbo_item(d->k, 1, i), filler ? LIMIT : ref->z[0][i], row);
        store_word_llr(ref, turbo_item(d->k, 2, i), ref->z[1][i], row);
    }
    for (unsigned e = 0; e < 2; e++)
        store_tail(ref, e, d->algorithm == TURBO_LOG_MAP, row);
}

static size_t scratch(const void *instance, uint64_t frames)
{
    struct ref ref;

    (void)frames;
    return lay_out(&ref, instance, NULL);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    struct ref ref;

    (void)instance;
    (void)err;
    lay_out(&ref, call->codes[0], call->scratch);
    make_orders(&ref);
    ref.word = out[TURBO_OUT_CODE_LLR] != NULL;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const void *row = fecrun_row(in[0], f);

        if (fecrun_cancelled(call->cancel))
            return FECRUN_CANCELLED;
        load(&ref, row, in[0]->type,
             in[TURBO_IN_APRIORI] ? fecrun_row(in[TURBO_IN_APRIORI], f) : NULL);
        start(&ref, row, in[0]->type);
        decode(&ref, &call->info[f]);
        store(&ref, fecrun_row(out[TURBO_OUT], f), out[TURBO_OUT]->type);
        if (out[TURBO_OUT_LLR])
            store_llrs(&ref, false, fecrun_row(out[TURBO_OUT_LLR], f));
        if (out[TURBO_OUT_EXTRINSIC])
            store_llrs(&ref, true, fecrun_row(out[TURBO_OUT_EXTRINSIC], f));
        if (ref.word)
            store_word(&ref, fecrun_row(out[TURBO_OUT_CODE_LLR], f));
    }
    return 0;
}

#define FORM(from, to) FECRUN_FORM(TURBO_DECODE_IN(from), TURBO_DECODE_OUT_WORD(to))

static const struct fecrun_form *const forms[] = {CHECKS_DECODER_FORMS(FORM)};

const struct fecrun_backend turbo_decode_ref = {
    .size = sizeof(struct fecrun_backend),
    .name = "ref",
    .summary = "the definition of the result, in plain C and floats, whole blocks",
    .forms = forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
    .create = fecrun_no_instance,
    .scratch = scratch,
    .run = run,
    .destroy = fecrun_no_destroy,
};
