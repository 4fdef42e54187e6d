/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * modem.demap: exact max-log LLRs of each bit, a real dimension at a time:
 *
 *     LLR = (min over levels a with bit 1 of (y - a)^2 - min over those with bit 0) / N0
 *
 * In units of the innermost level, and without y^2, which cancels, the metric of a is a^2 - 2 a y.
 * The first bit is the sign. For the others only |y| matters, as the nearest level of any kind has
 * the sign of y. One rounded multiplication or addition at a time, so that a GPU can do the same.
 * What is no number comes out as NAN: processors disagree on the bits of one that they make.
 */
#include "plugins/chain/plugin.h"
#include "plugins/chain/codes.h"
#include "plugins/chain/modem/modem.h"

#include <math.h>

enum { P_SCHEME, P_ESN0, P_METHOD };

static const char *const methods[] = {"max-log", NULL};

static const struct fecrun_old_choice *const old_methods[] = {
    FECRUN_OLD_CHOICE(.old = "maxlog", .now = "max-log"), NULL};

static const struct fecrun_param *const params[] = {
    FECRUN_PARAM(.name = "scheme", .type = FECRUN_VALUE_CHOICE, .choices = chain_scheme_names,
                 .help = "default: that of the mapper upstream"),
    FECRUN_PARAM(.name = "esn0_db", .type = FECRUN_VALUE_FLOAT, .flags = FECRUN_PARAM_POINT,
                 .unit = "dB", .fmin = -50, .fmax = 100,
                 .help = "Es/N0; default: that of the channel upstream"),
    FECRUN_PARAM(.name = "method", .type = FECRUN_VALUE_CHOICE, .choices = methods,
                 .default_text = "max-log", .help = "how LLRs are computed",
                 .old_choices = old_methods),
    NULL,
};

static void fill_code(struct demap_code *code, uint32_t scheme, double n0)
{
    double unit = chain_scheme_unit(scheme);

    code->scheme = scheme;
    code->bits = chain_scheme_dimension_bits(scheme);
    code->linear = (float)(4 * unit / n0);
    code->inverse_unit = (float)(1 / unit);
    code->gain = (float)(unit * unit / n0);
    for (unsigned p = 0; p < 1u << (code->bits - 1); p++) {
        int level = chain_pam_level(code->bits, p);

        code->square[p] = (float)(level * level);
        code->twice[p] = (float)(2 * level);
    }
}

static int demap_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                      const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                      struct fecrun_plan *plan, struct fecrun_error *err)
{
    const struct fecrun_value *esn0 = fecrun_value(values, P_ESN0);
    uint32_t scheme = chain_scheme_find(fecrun_value(values, P_SCHEME), in[0], err);
    double n0 = esn0->given ? pow(10, -esn0->f / 10) : in[0]->n0;
    struct demap_code *code;

    (void)host;
    if (scheme == FECRUN_SCHEME_NONE)
        return -1;
    if (!(n0 > 0))
        return fecrun_fail(err, "esn0_db",
                           "no channel upstream says how strong the noise is: "
                           "give Es/N0 in dB");
    code = fecrun_code(plan, sizeof *code, err);
    if (!code)
        return -1;
    fill_code(code, scheme, n0);
    fecrun_frame_copy(out[0], in[0]);
    out[0]->kind = FECRUN_KIND_LLR;
    out[0]->type = FECRUN_F32;
    out[0]->items = in[0]->items * chain_scheme_bits(scheme);
    out[0]->channel_bits = out[0]->items;
    out[0]->scheme = scheme;
    out[0]->bits_per_symbol = chain_scheme_bits(scheme);
    out[0]->n0 = n0;
    out[0]->llr_scale = 1;
    out[0]->llr_max = 0;
    return 0;
}

/* The smallest metric of the levels whose bit number `bit` (0: the last) is `value`. */
static inline float smallest(const float *metric, unsigned levels, unsigned bit, unsigned value)
{
    float best = INFINITY;

#pragma GCC unroll 8
    for (unsigned p = 0; p < levels; p++)
        if ((p >> bit & 1) == value)
            best = metric[p] < best ? metric[p] : best;
    return best;
}

static inline float one_nan(float x)
{
    return x == x ? x : NAN;
}

/* n dimensions to `bits` planes of LLRs; bits is a constant wherever this is used. */
static inline void demap_planes(const struct demap_code *code, unsigned bits, const float *y,
                                size_t n, float plane[][CHAIN_CHUNK])
{
    struct demap_code own = *code;
    unsigned levels = 1u << (bits - 1);

    for (size_t i = 0; i < n; i++) {
        float scaled = y[i] * own.inverse_unit;
        float size = fabsf(scaled);
        float metric[MAX_LEVELS];
        float best, sign;

#pragma GCC unroll 8
        for (unsigned p = 0; p < levels; p++)
            metric[p] = own.square[p] - own.twice[p] * size;
        best = smallest(metric, levels, 31, 0);
        sign = (1.0f + 2.0f * size) - best;
        plane[0][i] = one_nan(own.gain * copysignf(sign, scaled));
#pragma GCC unroll 3
        for (unsigned j = 1; j < bits; j++)
            plane[j][i] = one_nan(own.gain * (smallest(metric, levels, bits - 1 - j, 1) -
                                              smallest(metric, levels, bits - 1 - j, 0)));
    }
}

/* Plane j holds bits 2j and 2j+1 of the symbols side by side. */
static void interleave(float plane[][CHAIN_CHUNK], unsigned bits, size_t n, float *llr)
{
    for (size_t i = 0; i < n; i += 2)
        for (unsigned j = 0; j < bits; j++)
            memcpy(llr + bits * i + 2 * j, plane[j] + i, 2 * sizeof(float));
}

/* Square QAM: n dimensions, an even number, at most CHAIN_CHUNK. */
static void demap_chunk(const struct demap_code *code, const float *y, size_t n, float *llr)
{
    float plane[4][CHAIN_CHUNK];

    if (code->bits == 2)
        demap_planes(code, 2, y, n, plane);
    else if (code->bits == 3)
        demap_planes(code, 3, y, n, plane);
    else
        demap_planes(code, 4, y, n, plane);
    interleave(plane, code->bits, n, llr);
}

static void demap_linear(float linear, const float *y, unsigned step, uint64_t n, float *llr)
{
    for (uint64_t i = 0; i < n; i++)
        llr[i] = one_nan(linear * y[step * i]);
}

static void demap_frame(const struct demap_code *code, const float *y, uint64_t symbols, float *llr)
{
    if (code->scheme == FECRUN_BPSK) {
        demap_linear(code->linear, y, 2, symbols, llr);
    } else if (code->scheme == FECRUN_QPSK) {
        demap_linear(code->linear, y, 1, 2 * symbols, llr);
    } else {
        for (uint64_t i = 0; i < 2 * symbols; i += CHAIN_CHUNK)
            demap_chunk(code, y + i, chain_part(2 * symbols - i), llr + code->bits * i);
    }
}

static int demap_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    (void)instance;
    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++)
        demap_frame(call->codes[0], fecrun_row(in[0], f), in[0]->items, fecrun_row(out[0], f));
    return 0;
}

static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_C8}), FECRUN_OUT({.type = FECRUN_F32})),
    NULL,
};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = forms, .create = fecrun_no_instance, .run = demap_run,
                   .destroy = fecrun_no_destroy),
    &chain_modem_demap_cuda,
    NULL,
};

static const struct fecrun_example *const examples[] = {FECRUN_EXAMPLE(.params = "{esn0_db: 7}"),
                                                        NULL};

const struct fecrun_stage chain_modem_demap = {
    .size = sizeof chain_modem_demap,
    .name = "modem.demap",
    .role = FECRUN_ROLE_TRANSFORM,
    .summary = "symbols to max-log LLRs",
    .params = params,
    .inputs = FECRUN_ONE_PORT("in", FECRUN_KIND_SYMBOLS, "received symbols"),
    .outputs = FECRUN_ONE_PORT("out", FECRUN_KIND_LLR, "natural LLRs (scale 1)"),
    .backends = backends,
    .plan = demap_plan,
    .plan_free = free,
    .examples = examples,
    .undoes = "modem.map",
};
