/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The reference: one tile at a time, nothing clever. Metrics of i8 LLRs are integers. Those of f32
 * LLRs are floats, and each sum is made in one order (doc/viterbi.md), so that rounding decides the
 * same ties wherever it is done.
 */
#include "plugins/viterbi/decode.h"

#include <fecrun/sdk/params.h>
#include <math.h>
#include <stdlib.h>

#include "plugins/viterbi/match.h"
#include "plugins/viterbi/code/views.h"
#include "plugins/viterbi/ref/soft.h"

struct ref {
    const struct viterbi_spec *spec;
    const struct viterbi_input *input;
    uint32_t states;
    double *metric, *next;
    uint8_t *dropped; /* [step][state]: the surviving predecessor's dropped bit */
};

size_t viterbi_ref_scratch(const struct viterbi_spec *spec)
{
    const size_t states = (size_t)1 << (spec->code.K - 1);
    return 2 * states * sizeof(double) + viterbi_tile_max_steps(spec) * states;
}

static double read_llr(const struct ref *ref, ptrdiff_t item)
{
    if (ref->spec->is_float) {
        const double x = (double)((const float *)ref->input->llr)[item];
        return isnan(x) ? 0.0 : fmin(fmax(x, -1048576.0), 1048576.0);
    }
    const int x = ((const int8_t *)ref->input->llr)[item];
    return x < -127 ? -127.0 : (double)x;
}

/* First item of the tile's forward step i. */
static ptrdiff_t item_of_step(const struct ref *ref, size_t frame, const struct viterbi_tile *tile,
                              size_t i)
{
    const size_t T = viterbi_frame_steps(ref->spec);
    ptrdiff_t step = (ptrdiff_t)(tile->at + i) - (ptrdiff_t)tile->lead;

    if (ref->spec->termination == VITERBI_TAIL_BITING)
        step = (ptrdiff_t)((tile->at + i + T - tile->lead % T) % T);
    return (ptrdiff_t)(frame * ref->input->stride) + step * (ptrdiff_t)ref->spec->code.n;
}

/* In double a sum of two floats is so precise that rounding it again makes it the float sum. */
static double sum(const struct ref *ref, double a, double b)
{
    return ref->spec->is_float ? (double)(float)(a + b) : a + b;
}

/* branch[label]: `base`, less the LLRs whose bit of the label is 1, one after the other. */
static void branch_metrics(const struct ref *ref, ptrdiff_t item, double base, double *branch)
{
    const struct viterbi_code *code = &ref->spec->code;

    for (uint32_t label = 0; label < 1u << code->n; label++) {
        branch[label] = base;
        for (unsigned j = 0; j < code->n; j++) {
            const double llr = read_llr(ref, item + (ptrdiff_t)j);
            if (label >> j & 1)
                branch[label] = sum(ref, branch[label], code->inverted[j] ? llr : -llr);
        }
    }
}

/* renew: state 0's metric is taken away from all. */
static void forward_step(struct ref *ref, ptrdiff_t item, bool renew, uint8_t *dropped)
{
    struct viterbi_code plain = ref->spec->code; /* labels without inversion */
    double branch[1 << VITERBI_MAX_N], *swap = ref->metric;

    memset(plain.inverted, 0, sizeof plain.inverted);
    branch_metrics(ref, item, renew ? -ref->metric[0] : 0.0, branch);
    for (uint32_t s = 0; s < ref->states; s++) {
        double candidate[2];
        for (uint32_t d = 0; d < 2; d++) {
            const uint32_t reg = s << 1 | d; /* the newest bit of s is the input bit */
            candidate[d] = sum(ref, ref->metric[reg & (ref->states - 1)],
                               branch[viterbi_code_label(&plain, reg)]);
        }
        dropped[s] = candidate[1] >= candidate[0];
        ref->next[s] = candidate[dropped[s]];
    }
    ref->metric = ref->next;
    ref->next = swap;
}

static uint32_t best_state(const struct ref *ref)
{
    uint32_t best = 0;
    for (uint32_t s = 1; s < ref->states; s++)
        if (ref->metric[s] > ref->metric[best])
            best = s;
    return best;
}

/* From `state` at stage `stage` down to stage `stop`; bits of steps below `end` go to bits[]. */
static uint32_t trace_back(const struct ref *ref, uint32_t state, size_t stage, size_t stop,
                           size_t end, uint8_t *bits)
{
    while (stage-- > stop) {
        if (stage < end)
            bits[stage - stop] = (uint8_t)(state >> (ref->spec->code.K - 2));
        state = (state << 1 | ref->dropped[stage * ref->states + state]) & (ref->states - 1);
    }
    return state;
}

/* begin: the tile's first step, or that of this round. */
static void forward(struct ref *ref, size_t frame, const struct viterbi_tile *tile, size_t begin,
                    size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        forward_step(ref, item_of_step(ref, frame, tile, i), (i - begin) % VITERBI_RENEW == 0,
                     ref->dropped + i * ref->states);
}

static void decode_tile(struct ref *ref, size_t frame, const struct viterbi_tile *tile,
                        uint8_t *bits)
{
    struct viterbi_trace trace;
    size_t done = 0;

    for (uint32_t s = 0; s < ref->states; s++)
        ref->metric[s] = tile->from_zero && s != 0 ? -INFINITY : 0.0;
    for (size_t k = 0; viterbi_tile_trace(ref->spec, tile, k, &trace); k++) {
        uint32_t state = 0;
        forward(ref, frame, tile, 0, done, trace.stage);
        done = trace.stage;
        if (!trace.known && ref->spec->start != VITERBI_ANY)
            state = best_state(ref);
        trace_back(ref, state, trace.stage, tile->lead + trace.from, tile->lead + trace.to,
                   bits + trace.from);
    }
}

/*
 * A best path that ends where it began is the most likely of all tail-biting ones. In later passes
 * the end of one pass is decided by the next: the path is traced through two passes and the bits
 * are those of the first of them.
 */
static void wrap_around(struct ref *ref, size_t frame, uint8_t *bits,
                        struct viterbi_verdict *verdict)
{
    const size_t T = viterbi_frame_steps(ref->spec);
    const struct viterbi_tile tile = {.steps = T, .count = T, .bits = T};

    for (uint32_t s = 0; s < ref->states; s++)
        ref->metric[s] = 0.0;
    verdict->converged = 0;
    verdict->iterations = 0;
    while (!verdict->converged && verdict->iterations < ref->spec->wrap_limit) {
        const size_t at = verdict->iterations == 0 ? 0 : T;
        uint32_t end;
        if (verdict->iterations > 1)
            memcpy(ref->dropped, ref->dropped + T * ref->states, T * ref->states);
        forward(ref, frame, &tile, at, at, at + T);
        end = trace_back(ref, best_state(ref), at + T, T, 0, bits);
        verdict->converged = trace_back(ref, end, T, 0, T, bits) == end;
        verdict->iterations++;
    }
}

void viterbi_ref_decode(const struct viterbi_spec *spec, const struct viterbi_input *input,
                        uint8_t *bits, struct viterbi_verdict *verdict, void *scratch)
{
    struct ref ref = {.spec = spec, .input = input};

    ref.states = UINT32_C(1) << (spec->code.K - 1);
    ref.metric = scratch;
    ref.next = ref.metric + ref.states;
    ref.dropped = (uint8_t *)(ref.next + ref.states);
    for (size_t frame = 0; frame < input->frames; frame++) {
        uint8_t *out = bits + frame * spec->info_bits;
        if (viterbi_wraps_around(spec)) {
            wrap_around(&ref, frame, out, &verdict[frame]);
            continue;
        }
        verdict[frame] = (struct viterbi_verdict){.converged = 1, .iterations = 1};
        for (size_t k = 0; k < viterbi_frame_tiles(spec); k++) {
            struct viterbi_tile tile;
            viterbi_tile_at(spec, input, frame, k, &tile);
            decode_tile(&ref, frame, &tile, out + tile.at);
        }
    }
}

/* ---- the word that was decoded -------------------------------------------------------------- */

/* The register of step t: its input in digit K-1, the one before it in digit K-2. Before a frame there are zeros, before a
   tail-biting one its end. */
static uint32_t register_at(const struct viterbi_spec *spec, const uint8_t *bits, size_t t)
{
    const unsigned K = spec->code.K;
    uint32_t reg = 0;

    for (unsigned d = 0; d < K; d++) {
        const size_t at = t >= d ? t - d : t + spec->info_bits - d;

        if ((t >= d || spec->termination == VITERBI_TAIL_BITING) && at < spec->info_bits)
            reg |= (uint32_t)bits[at] << (K - 1 - d);
    }
    return reg;
}

static struct viterbi_match match_word(const struct viterbi_spec *spec, const void *llr,
                                       const uint8_t *bits)
{
    struct viterbi_match match = {0};

    for (size_t t = viterbi_match_from(spec); t < viterbi_frame_steps(spec); t++) {
        const unsigned label = viterbi_code_label(&spec->code, register_at(spec, bits, t));

        for (unsigned j = 0; j < spec->code.n; j++) {
            const size_t i = t * spec->code.n + j;
            const int8_t x = spec->is_float ? 0 : ((const int8_t *)llr)[i];
            const double value = spec->is_float ? viterbi_match_f32(((const float *)llr)[i])
                                                : (double)(x < -127 ? -127 : x);
            const double fit = label >> j & 1 ? -value : value;

            match.metric += fit;
            match.symbols += value != 0;
            match.wrong += fit < 0;
        }
    }
    return match;
}

/* What went into the register, with the feedback, becomes what the encoder got. */
static void unfeed(const struct viterbi_spec *spec, uint32_t feedback, uint8_t *bits)
{
    for (size_t t = spec->info_bits; t-- > 0;)
        bits[t] = (uint8_t)__builtin_parity(register_at(spec, bits, t) & feedback);
}

/* ---- the backend --------------------------------------------------------------------------- */

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct viterbi_decode_code *code = malloc(sizeof *code);

    *instance = code;
    if (!code)
        return fecrun_no_memory(err);
    *code = *(const struct viterbi_decode_code *)args->codes[0];
    code->spec.is_float = args->form->in[0].type == FECRUN_F32;
    return 0;
}

static size_t scratch(const void *instance, uint64_t frames)
{
    (void)frames;
    const struct viterbi_spec *spec = &((const struct viterbi_decode_code *)instance)->spec;
    const size_t hard = viterbi_ref_scratch(spec), soft = viterbi_soft_scratch(spec);

    return hard > soft ? hard : soft;
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct viterbi_decode_code *code = instance;
    const struct viterbi_spec *spec = &code->spec;

    if (viterbi_check_views(spec, in[0], out[0], err))
        return -1;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        struct viterbi_input input = viterbi_input_of(spec, call, in[0], f, 1);
        struct viterbi_verdict verdict;

        if (fecrun_cancelled(call->cancel))
            return FECRUN_CANCELLED;
        viterbi_ref_decode(spec, &input, fecrun_row(out[0], f), &verdict, call->scratch);
        if (viterbi_wants_match(out)) {
            const struct viterbi_match match = match_word(spec, input.llr, fecrun_row(out[0], f));

            viterbi_put_match(&match, out, f);
        }
        if (code->feedback)
            unfeed(spec, code->feedback, fecrun_row(out[0], f));
        if (out[VITERBI_OUT_LLR])
            viterbi_soft_decode(&(struct viterbi_soft){code->exact, code->feedback, code->unit},
                                spec, &input, fecrun_row(out[VITERBI_OUT_LLR], f), call->scratch);
        viterbi_report(spec, &verdict, &call->info[f]);
    }
    return 0;
}

static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_I8}), VITERBI_OUT_SOFT(FECRUN_U8)),
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_F32}), VITERBI_OUT_SOFT(FECRUN_U8)), NULL};

const struct fecrun_backend viterbi_decode_ref = {
    .size = sizeof(struct fecrun_backend),
    .name = "ref",
    .summary = "the definition of the result, in plain C",
    .forms = forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
    .create = create,
    .scratch = scratch,
    .run = run,
    .destroy = free,
};
