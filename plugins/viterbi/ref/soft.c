/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * LLRs of the bits that an encoder got: the BCJR algorithm in double, one frame at a time. Alpha is kept at every BLOCK-th
 * step and computed again in between, so that long frames need little memory. Before and behind pieces of a stream, and
 * round tail-biting frames, as many steps are looked at as an overlap has.
 */
#include "plugins/viterbi/ref/soft.h"

#include <fecrun/sdk/carve.h>
#include <fecrun/sdk/params.h>
#include <math.h>
#include <string.h>

enum { BLOCK = 64, OVERLAP = 16 /* steps a bit of memory, round tail-biting frames */ };

struct soft {
    const struct viterbi_soft *how;
    const struct viterbi_spec *spec;
    const struct viterbi_input *input;
    size_t lead, steps; /* in front of the frame; in all */
    uint32_t states;
    uint8_t *label; /* of each register */
    double *border, *alpha,
        *beta; /* at each block's first step; of a block's steps; behind a step */
    double *next;
};

static size_t most_overlap(const struct viterbi_spec *spec, size_t wanted)
{
    if (spec->termination == VITERBI_TAIL_BITING)
        return (size_t)OVERLAP * (spec->code.K - 1);
    return spec->termination == VITERBI_CONTINUOUS ? wanted : 0;
}

static size_t lay_out(struct soft *soft, const struct viterbi_spec *spec, size_t steps, void *base)
{
    const size_t row = sizeof(double) << (spec->code.K - 1);
    size_t used = 0;

    soft->states = UINT32_C(1) << (spec->code.K - 1);
    soft->border = fecrun_carve(base, &used, (steps / BLOCK + 1) * row);
    soft->alpha = fecrun_carve(base, &used, BLOCK * row);
    soft->beta = fecrun_carve(base, &used, row);
    soft->next = fecrun_carve(base, &used, row);
    soft->label = fecrun_carve(base, &used, 2 * soft->states);
    return used;
}

size_t viterbi_soft_scratch(const struct viterbi_spec *spec)
{
    struct soft soft;

    return lay_out(&soft, spec,
                   viterbi_frame_steps(spec) + most_overlap(spec, spec->v1) +
                       most_overlap(spec, spec->v2),
                   NULL);
}

/* ---- metrics ---------------------------------------------------------------------------------- */

static double read_llr(const struct soft *soft, ptrdiff_t item)
{
    double x;

    if (soft->spec->is_float)
        x = (double)((const float *)soft->input->llr)[item];
    else
        x = fmax(((const int8_t *)soft->input->llr)[item], -127);
    return isnan(x) ? 0 : fmin(fmax(x, -FECRUN_LLR_MAX_F32), FECRUN_LLR_MAX_F32) / soft->how->unit;
}

/* branch[label]: less the LLRs whose bit of the label is 1. */
static void fill_branches(const struct soft *soft, size_t step, double *branch)
{
    const size_t T = viterbi_frame_steps(soft->spec);
    const unsigned n = soft->spec->code.n;
    ptrdiff_t at = (ptrdiff_t)step - (ptrdiff_t)soft->lead;

    if (soft->spec->termination == VITERBI_TAIL_BITING)
        at = (ptrdiff_t)((step + T - soft->lead % T) % T);
    branch[0] = 0;
    for (unsigned j = 0; j < n; j++) {
        const double llr = read_llr(soft, at * (ptrdiff_t)n + (ptrdiff_t)j);

        for (uint32_t label = 0; label < 1u << j; label++)
            branch[label | 1u << j] = branch[label] - llr;
    }
}

static double sum_of(const struct soft *soft, double a, double b)
{
    const double most = fmax(a, b);

    return soft->how->exact && isfinite(most) ? most + log1p(exp(-fabs(a - b))) : most;
}

static void normalise(double *metric, uint32_t states)
{
    double most = metric[0];

    for (uint32_t s = 1; s < states; s++)
        most = fmax(most, metric[s]);
    for (uint32_t s = 0; s < states; s++)
        metric[s] -= most;
}

/* What is known where a frame or what was read begins and ends: state 0, or nothing. */
static void fill_end(double *metric, uint32_t states, bool zero)
{
    for (uint32_t s = 0; s < states; s++)
        metric[s] = zero && s ? -INFINITY : 0;
}

/* State s is reached from the registers 2 s and 2 s + 1. */
static void forward(const struct soft *soft, size_t step, const double *from, double *to)
{
    double branch[1 << VITERBI_MAX_N];

    fill_branches(soft, step, branch);
    for (uint32_t s = 0; s < soft->states; s++) {
        const uint32_t reg = 2 * s;

        to[s] = sum_of(soft, from[reg & (soft->states - 1)] + branch[soft->label[reg]],
                       from[(reg + 1) & (soft->states - 1)] + branch[soft->label[reg + 1]]);
    }
    normalise(to, soft->states);
}

/* beta in front of the step, and the LLR of its bit. */
static double backward(const struct soft *soft, size_t step, const double *alpha)
{
    double branch[1 << VITERBI_MAX_N], of[2] = {-INFINITY, -INFINITY};

    fill_branches(soft, step, branch);
    for (uint32_t s = 0; s < soft->states; s++) {
        double best = -INFINITY;

        for (uint32_t u = 0; u < 2; u++) {
            const uint32_t reg = u * soft->states + s;
            const double behind = branch[soft->label[reg]] + soft->beta[reg >> 1];
            const int bit = soft->how->feedback ? __builtin_parity(reg & soft->how->feedback)
                                                : (int)u;

            of[bit] = sum_of(soft, of[bit], alpha[s] + behind);
            best = sum_of(soft, best, behind);
        }
        soft->next[s] = best;
    }
    normalise(soft->next, soft->states);
    return of[0] - of[1];
}

/* ---- a frame ---------------------------------------------------------------------------------- */

static void go_forward(struct soft *soft, bool from_zero)
{
    const size_t row = soft->states;

    fill_end(soft->border, soft->states, from_zero);
    for (size_t b = 0; b * BLOCK + BLOCK < soft->steps; b++) {
        memcpy(soft->alpha, soft->border + b * row, row * sizeof(double));
        for (size_t i = 0; i < BLOCK; i++)
            forward(soft, b * BLOCK + i, soft->alpha + (i % 2) * row,
                    i + 1 < BLOCK ? soft->alpha + ((i + 1) % 2) * row
                                  : soft->border + (b + 1) * row);
    }
}

static void go_backward(struct soft *soft, float *llr)
{
    const size_t row = soft->states, end = soft->lead + soft->spec->info_bits;

    for (size_t b = (soft->steps - 1) / BLOCK + 1; b-- > 0;) {
        const size_t first = b * BLOCK;
        const size_t n = soft->steps - first < BLOCK ? soft->steps - first : BLOCK;

        memcpy(soft->alpha, soft->border + b * row, row * sizeof(double));
        for (size_t i = 0; i + 1 < n; i++)
            forward(soft, first + i, soft->alpha + i * row, soft->alpha + (i + 1) * row);
        for (size_t i = n; i-- > 0;) {
            const size_t step = first + i;
            const double x = backward(soft, step, soft->alpha + i * row) * soft->how->unit;
            double *swap = soft->beta;

            if (step >= soft->lead && step < end)
                llr[step - soft->lead] = (float)fmin(fmax(x, -FECRUN_LLR_MAX_F32),
                                                     FECRUN_LLR_MAX_F32);
            soft->beta = soft->next;
            soft->next = swap;
        }
    }
}

void viterbi_soft_decode(const struct viterbi_soft *how, const struct viterbi_spec *spec,
                         const struct viterbi_input *input, float *llr, void *scratch)
{
    struct soft soft = {.how = how, .spec = spec, .input = input};
    const size_t before = most_overlap(spec, spec->v1), after = most_overlap(spec, spec->v2);
    const bool stream = spec->termination == VITERBI_CONTINUOUS;
    const bool from_zero = stream ? input->at_start && input->before <= before
                                  : spec->termination != VITERBI_TAIL_BITING;
    size_t trail = after;

    soft.lead = stream && input->before < before ? input->before : before;
    if (stream && input->after < after)
        trail = input->after;
    soft.steps = soft.lead + viterbi_frame_steps(spec) + trail;
    lay_out(&soft, spec, soft.steps, scratch);
    for (uint32_t reg = 0; reg < 2 * soft.states; reg++)
        soft.label[reg] = (uint8_t)viterbi_code_label(&spec->code, reg);
    go_forward(&soft, from_zero);
    fill_end(soft.beta, soft.states, spec->termination == VITERBI_ZERO);
    go_backward(&soft, llr);
}
