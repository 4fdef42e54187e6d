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
#include <fecrun/sdk/simd.h>
#include <fecrun/sdk/stage.h>
#include <math.h>

#include "plugins/common/checks/checks.h"
#include "plugins/turbo/decode.h"

#define LIMIT FECRUN_LLR_MAX_F32

/* Of states that cannot be: below all sums of costs, far from the end of floats. */
#define NEVER (-1e30f)

/* Metrics of the states. */
typedef float states[TURBO_MOST_STATES];

enum { LABELS = 1 << TURBO_MOST_OUTPUTS };

struct ref {
    const struct turbo_decode *d;
    const struct turbo_family *family;
    struct turbo_trellis trellis[2];
    uint32_t windows; /* sub-blocks P */
    float *sys;       /* LLRs of the block's bits, in its order, with what was known before, */
    float *prior;     /* a priori ones for the present half iteration, */
    float *llr;       /* and those that the last one ended with */
    float *parity[2][TURBO_MOST_OUTPUTS]; /* LLRs of each encoder's parity bits, in its order */
    uint16_t *order[2];                   /* bit of the block that an encoder takes at step i */
    float *in;        /* present half iteration: LLRs of the encoder's input bits */
    states *alpha;    /* before each step */
    states *begin[2]; /* alpha before the first step of each sub-block, of each encoder */
    states *end[2];   /* beta behind the last one */
    states last[2];   /* alpha behind the block */
    float *z[2][TURBO_MOST_OUTPUTS]; /* those after its last half iteration, if any, */
    bool word;                       /* where somebody reads them */
};

/* ---- memory ---------------------------------------------------------------------------------- */

/* Lays the arrays out behind `base` (NULL: only counts) and returns their bytes. */
static size_t lay_out(struct ref *ref, const struct turbo_decode *d, void *base)
{
    const size_t row = d->k * sizeof(float);
    size_t used = 0;

    ref->d = d;
    ref->family = turbo_family_of(d);
    ref->windows = d->sub_blocks ? d->sub_blocks : 1;
    ref->sys = fecrun_carve(base, &used, row);
    ref->prior = fecrun_carve(base, &used, row);
    ref->llr = fecrun_carve(base, &used, row);
    ref->in = fecrun_carve(base, &used, row);
    ref->alpha = fecrun_carve(base, &used, d->k * sizeof(states));
    for (unsigned e = 0; e < 2; e++) {
        for (unsigned o = 0; o < ref->family->outputs[e]; o++) {
            ref->parity[e][o] = fecrun_carve(base, &used, row);
            ref->z[e][o] = fecrun_carve(base, &used, row);
        }
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
    turbo_family_interleaver(ref->family, ref->d->k, ref->order[1], NULL);
    for (unsigned e = 0; e < 2; e++)
        turbo_trellis_make(ref->family, e, &ref->trellis[e]);
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

/* The LLR of an encoder's bit; 0 where it was not sent. */
static float read_bit(const struct ref *ref, const void *row, uint32_t type, unsigned e,
                      unsigned output, uint32_t step)
{
    const uint32_t item = turbo_family_item(ref->family, ref->d->k, e, output, step);

    return item == TURBO_NOT_SENT ? 0 : read_llr(ref->d, row, type, item);
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
            ref->sys[i] = fminf(
                fmaxf(read_bit(ref, row, type, 0, 0, i) + read_apriori(d, apriori, i - d->fillers),
                      -LIMIT),
                LIMIT);
        for (unsigned o = 0; o < ref->family->outputs[0]; o++)
            ref->parity[0][o][i] = filler ? LIMIT : read_bit(ref, row, type, 0, 1 + o, i);
        for (unsigned o = 0; o < ref->family->outputs[1]; o++)
            ref->parity[1][o][i] = read_bit(ref, row, type, 1, 1 + o, i);
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

static void store_word_llr(const struct ref *ref, unsigned e, unsigned output, uint32_t step,
                           float llr, float *row)
{
    const struct turbo_decode *d = ref->d;
    const uint32_t item = turbo_family_item(ref->family, d->k, e, output, step);
    const float unit = d->algorithm == TURBO_LOG_MAP ? (float)d->llr_scale : 1;

    if (item != TURBO_NOT_SENT)
        row[item] = fminf(fmaxf(unit * llr, -LIMIT), LIMIT);
}

/* ---- one step of the trellis ----------------------------------------------------------------- */

/* Logarithm of the sum of two probabilities, or what max-log takes for it. */
static FECRUN_ALWAYS_INLINE float sum_of(float a, float b, bool exact)
{
    const float most = a > b ? a : b;

    return exact ? most + log1pf(expf(-fabsf(a - b))) : most;
}

struct costs {
    float of[2][LABELS]; /* of the input bit, of the parity bits */
};

/* Of a branch with these bits, never above 0. */
static FECRUN_ALWAYS_INLINE struct costs costs_of(float in, const float *parity, uint32_t outputs)
{
    const float u[2] = {in < 0 ? in : 0, in > 0 ? -in : 0};
    float z[LABELS] = {0};
    struct costs costs;

    for (uint32_t o = 0; o < outputs; o++)
        for (uint32_t label = 0; label < 1u << outputs; label++)
            z[label] += label >> o & 1 ? (parity[o] > 0 ? -parity[o] : 0)
                                       : (parity[o] < 0 ? parity[o] : 0);
    for (uint32_t label = 0; label < 1u << outputs; label++) {
        costs.of[0][label] = u[0] + z[label];
        costs.of[1][label] = u[1] + z[label];
    }
    return costs;
}

/* An encoder, as the compiler knows it: of one code it is constant. */
struct encoder {
    const struct turbo_trellis *trellis;
    uint32_t states, outputs;
};

static FECRUN_ALWAYS_INLINE float branch(const struct encoder *e, const struct costs *costs,
                                         uint32_t state, uint32_t u)
{
    return costs->of[u][e->trellis->label[state][u]];
}

/* So that the best state has 0. */
static FECRUN_ALWAYS_INLINE void normalise(float *m, uint32_t n)
{
    float most = m[0];

    for (unsigned s = 1; s < n; s++)
        most = m[s] > most ? m[s] : most;
    for (unsigned s = 0; s < n; s++)
        m[s] -= most;
}

/* Into state t lead 2 t and 2 t + 1 modulo their number, with opposite inputs. */
static FECRUN_ALWAYS_INLINE void forward(const struct encoder *e, const float *from,
                                         const struct costs *costs, bool exact, float *to)
{
    for (uint32_t t = 0; t < e->states; t++) {
        const uint32_t s = 2 * t % e->states, u = e->trellis->next[s][1] == t;

        to[t] = sum_of(from[s] + branch(e, costs, s, u), from[s + 1] + branch(e, costs, s + 1, !u),
                       exact);
    }
    normalise(to, e->states);
}

static FECRUN_ALWAYS_INLINE void backward(const struct encoder *e, const float *from,
                                          const struct costs *costs, bool exact, float *to)
{
    for (uint32_t s = 0; s < e->states; s++)
        to[s] = sum_of(from[e->trellis->next[s][0]] + branch(e, costs, s, 0),
                       from[e->trellis->next[s][1]] + branch(e, costs, s, 1), exact);
    normalise(to, e->states);
}

/* LLR of the input bit of a step between these metrics. */
static FECRUN_ALWAYS_INLINE float decide(const struct encoder *e, const float *alpha,
                                         const struct costs *costs, const float *beta, bool exact)
{
    float of[2];

    for (uint32_t u = 0; u < 2; u++) {
        of[u] = alpha[0] + branch(e, costs, 0, u) + beta[e->trellis->next[0][u]];
        for (uint32_t s = 1; s < e->states; s++)
            of[u] = sum_of(of[u], alpha[s] + branch(e, costs, s, u) + beta[e->trellis->next[s][u]],
                           exact);
    }
    return of[0] - of[1];
}

/* The same of one of its parity bits. */
static float decide_parity(const struct encoder *e, uint32_t output, const float *alpha,
                           const struct costs *costs, const float *beta, bool exact)
{
    float of[2] = {10 * NEVER, 10 * NEVER};

    for (uint32_t s = 0; s < e->states; s++)
        for (uint32_t u = 0; u < 2; u++) {
            const uint32_t z = e->trellis->label[s][u] >> output & 1;

            of[z] = sum_of(of[z], alpha[s] + branch(e, costs, s, u) + beta[e->trellis->next[s][u]],
                           exact);
        }
    return of[0] - of[1];
}

static struct encoder encoder_of(const struct ref *ref, unsigned e)
{
    return (struct encoder){&ref->trellis[e], turbo_states(ref->family), ref->family->outputs[e]};
}

/* ---- a half iteration ------------------------------------------------------------------------ */

static FECRUN_ALWAYS_INLINE struct costs costs_at(const struct ref *ref, unsigned e,
                                                  uint32_t outputs, uint32_t i)
{
    float parity[TURBO_MOST_OUTPUTS];

    for (uint32_t o = 0; o < outputs; o++)
        parity[o] = ref->parity[e][o][i];
    return costs_of(ref->in[i], parity, outputs);
}

static FECRUN_ALWAYS_INLINE void
go_forward(struct ref *ref, unsigned e, const struct encoder *encoder, uint32_t window, bool exact)
{
    const uint32_t steps = ref->d->k / ref->windows, first = window * steps;
    states next;

    memcpy(ref->alpha[first], ref->begin[e][window], sizeof(states));
    for (uint32_t i = first; i < first + steps; i++) {
        const struct costs costs = costs_at(ref, e, encoder->outputs, i);

        forward(encoder, ref->alpha[i], &costs, exact, next);
        if (i + 1 < first + steps)
            memcpy(ref->alpha[i + 1], next, sizeof next);
    }
    memcpy(window + 1 < ref->windows ? ref->begin[e][window + 1] : ref->last[e], next, sizeof next);
}

/* Also the results: LLRs, and a priori LLRs for the other encoder. */
static FECRUN_ALWAYS_INLINE void
go_backward(struct ref *ref, unsigned e, const struct encoder *encoder, uint32_t window, bool exact)
{
    const uint32_t steps = ref->d->k / ref->windows, first = window * steps;
    states beta, next;

    memcpy(beta, ref->end[e][window], sizeof beta);
    for (uint32_t i = first + steps; i-- > first;) {
        const struct costs costs = costs_at(ref, e, encoder->outputs, i);
        const uint32_t bit = ref->order[e][i];
        const float llr = decide(encoder, ref->alpha[i], &costs, beta, exact);
        const float extrinsic = (float)ref->d->scale * (llr - ref->in[i]);

        for (uint32_t o = 0; o < encoder->outputs && ref->word; o++)
            ref->z[e][o][i] = decide_parity(encoder, o, ref->alpha[i], &costs, beta, exact);
        ref->llr[bit] = llr;
        ref->prior[bit] = fminf(fmaxf(extrinsic, -LIMIT), LIMIT);
        backward(encoder, beta, &costs, exact, next);
        memcpy(beta, next, sizeof beta);
    }
    if (window)
        memcpy(ref->end[e][window - 1], beta, sizeof beta);
}

/* Sub-blocks begin with what their neighbours ended with in the iteration before. */
static FECRUN_ALWAYS_INLINE void half_iteration(struct ref *ref, unsigned e,
                                                const struct encoder *encoder, bool exact)
{
    for (uint32_t i = 0; i < ref->d->k; i++)
        ref->in[i] = ref->sys[ref->order[e][i]] + ref->prior[ref->order[e][i]];
    for (uint32_t w = ref->windows; w-- > 0;)
        go_forward(ref, e, encoder, w, exact);
    for (uint32_t w = 0; w < ref->windows; w++)
        go_backward(ref, e, encoder, w, exact);
}

/* The tail's steps leave no choice: one path from each state to state 0. */
static void start_tail(struct ref *ref, unsigned e, const void *row, uint32_t type)
{
    const struct encoder encoder = encoder_of(ref, e);
    float *beta = ref->end[e][ref->windows - 1];

    for (uint32_t s = 0; s < encoder.states; s++) {
        uint32_t state = s;

        beta[s] = 0;
        for (uint32_t t = ref->d->k; t < ref->d->k + ref->family->memory; t++) {
            const uint32_t u = encoder.trellis->tail[state];
            float parity[TURBO_MOST_OUTPUTS];
            struct costs costs;

            for (uint32_t o = 0; o < encoder.outputs; o++)
                parity[o] = read_bit(ref, row, type, e, 1 + o, t);
            costs = costs_of(read_bit(ref, row, type, e, 0, t), parity, encoder.outputs);
            beta[s] += branch(&encoder, &costs, state, u);
            state = encoder.trellis->next[state][u];
        }
    }
    normalise(beta, encoder.states);
}

/* Nothing is known of the borders inside the block; an encoder starts in state 0. */
static void start(struct ref *ref, const void *row, uint32_t type)
{
    for (unsigned e = 0; e < 2; e++) {
        memset(ref->begin[e], 0, ref->windows * sizeof(states));
        memset(ref->end[e], 0, ref->windows * sizeof(states));
        memset(ref->last[e], 0, sizeof(states));
        for (uint32_t o = 0; o < ref->family->outputs[e]; o++)
            memcpy(ref->z[e][o], ref->parity[e][o], ref->d->k * sizeof(float));
        for (uint32_t s = 1; s < turbo_states(ref->family); s++)
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

/* The encoders of LTE and UMTS, which the compiler knows so. */
static const struct turbo_trellis threegpp = {
    .next = {{0, 4}, {4, 0}, {5, 1}, {1, 5}, {2, 6}, {6, 2}, {7, 3}, {3, 7}},
    .label = {{0, 1}, {0, 1}, {1, 0}, {1, 0}, {1, 0}, {1, 0}, {0, 1}, {0, 1}},
    .tail = {0, 1, 1, 0, 0, 1, 1, 0},
};

static bool is_threegpp(const struct turbo_family *family)
{
    return family == &turbo_lte || family == &turbo_umts;
}

static void half_iteration_of(struct ref *ref, unsigned e)
{
    const bool exact = ref->d->algorithm == TURBO_LOG_MAP;
    const struct encoder encoder = encoder_of(ref, e), known = {&threegpp, 8, 1};

    if (!is_threegpp(ref->family))
        half_iteration(ref, e, &encoder, exact);
    else if (exact)
        half_iteration(ref, e, &known, true);
    else
        half_iteration(ref, e, &known, false);
}

static void decode(struct ref *ref, struct fecrun_frame_info *info)
{
    const struct turbo_decode *d = ref->d;
    bool done = false;
    uint32_t n = 0;

    while (!done && n < turbo_passes(d)) {
        for (unsigned e = d->extra_half && !n; e < 2; e++)
            half_iteration_of(ref, e);
        n++;
        done = is_done(ref);
    }
    turbo_report(d, n, done, info);
}

/* LLRs of the tail's bits: from each state behind the block one path leads to state 0. */
static void store_tail(const struct ref *ref, unsigned e, bool exact, float *row)
{
    const float *const alpha = ref->last[e], *const beta = ref->end[e][ref->windows - 1];
    const struct encoder encoder = encoder_of(ref, e);

    for (uint32_t t = 0; t < ref->family->memory; t++)
        for (uint32_t o = 0; o <= encoder.outputs; o++) {
            float of[2] = {10 * NEVER, 10 * NEVER};

            for (uint32_t s = 0; s < encoder.states; s++) {
                uint32_t state = s, u, bit;

                for (uint32_t i = 0; i < t; i++)
                    state = encoder.trellis->next[state][encoder.trellis->tail[state]];
                u = encoder.trellis->tail[state];
                bit = o ? encoder.trellis->label[state][u] >> (o - 1) & 1 : u;
                of[bit] = sum_of(of[bit], alpha[s] + beta[s], exact);
            }
            store_word_llr(ref, e, o, ref->d->k + t, of[0] - of[1], row);
        }
}

static void store_word(const struct ref *ref, float *row)
{
    const struct turbo_decode *d = ref->d;

    for (uint32_t i = 0; i < d->k; i++) {
        const bool filler = i < d->fillers;

        store_word_llr(ref, 0, 0, i, filler ? LIMIT : ref->llr[i], row);
        for (unsigned e = 0; e < 2; e++)
            for (unsigned o = 0; o < ref->family->outputs[e]; o++)
                store_word_llr(ref, e, 1 + o, i, filler && !e ? LIMIT : ref->z[e][o][i], row);
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
