/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * modem.demap: exact max-log LLRs of each bit. Of square constellations, a real dimension at a time:
 *
 *     LLR = (min over levels a with bit 1 of (y - a)^2 - min over those with bit 0) / N0
 *
 * Others compare all points a in the same way, with |y - a|^2.
 *
 * In units of the innermost level, and without y^2, which cancels, the metric of a is a^2 - 2 a y.
 * The first bit is the sign. For the others only |y| matters, as the nearest level of any kind has
 * the sign of y. One rounded multiplication or addition at a time, so that a GPU can do the same.
 * What is no number comes out as NAN: processors disagree on the bits of one that they make.
 */
#include "plugins/chain/plugin.h"
#include "plugins/chain/codes.h"
#include "plugins/chain/modem/modem.h"

#include <fecrun/sdk/sample.h>
#include <math.h>

enum { P_ESN0 = CHAIN_P_OTHERS, P_METHOD, P_TYPE, P_STATE };

static const char *const methods[] = {"max-log", NULL};
static const char *const type_names[] = {"f32", "f16", NULL};
static const uint32_t types[] = {FECRUN_F32, FECRUN_F16};

static const struct fecrun_old_choice *const old_methods[] = {
    FECRUN_OLD_CHOICE(.old = "maxlog", .now = "max-log"), NULL};

static const struct fecrun_param *const params[] = {
    CHAIN_SCHEME_PARAMS(0, "default: that of the mapper upstream"),
    FECRUN_FLOAT("esn0_db", -50, 100, .flags = FECRUN_PARAM_POINT, .unit = "dB",
                 .help = "Es/N0; default: that of the channel upstream"),
    FECRUN_CHOICE("method", methods, .default_text = "max-log", .help = "how LLRs are computed",
                  .old_choices = old_methods),
    /* Without a default that pipelines of older journals lack. */
    FECRUN_CHOICE(
        "type", type_names,
        .help = "type of the LLRs; f16: the nearest half, at most 65504, half the memory; "
                "default: f32"),
    FECRUN_PARAM(.name = "state", .type = FECRUN_VALUE_PORT,
                 .help = "the gain of each symbol: channel.fading.state, or another stage of "
                         "symbols; default: all are 1"),
    NULL,
};

static void fill_code(struct demap_all *all, const struct chain_scheme *scheme, double n0,
                      uint32_t type, const struct fecrun_frame *in)
{
    struct demap_code *code = &all->code;
    const double unit = scheme->unit;

    code->shape = scheme->shape;
    code->type = type;
    code->bits = chain_dimension_bits(scheme);
    code->linear = (float)(4 * unit / n0);
    code->inverse_unit = (float)(1 / unit);
    code->gain = (float)(unit * unit / n0);
    if (scheme->shape == CHAIN_POINTS || scheme->shape == CHAIN_TURNED) {
        code->gain = (float)(1 / n0);
        chain_points_fill(&all->points, scheme, in);
    } else {
        for (unsigned p = 0; p < 1u << (code->bits - 1); p++) {
            int level = chain_pam_level(code->bits, p);

            code->square[p] = (float)(level * level);
            code->twice[p] = (float)(2 * level);
        }
    }
}

/* `state`: NULL: not linked. */
static int check_state(const struct fecrun_value *value, const struct fecrun_frame *in,
                       const struct fecrun_frame *state, struct fecrun_plan *plan,
                       struct fecrun_error *err)
{
    const double faded = fecrun_fact_get(in, CHAIN_FADED, 0);

    if (value->given && !state)
        return fecrun_fail(err, "state",
                           "%s is no stage of this file: write channel.fading.state, or a "
                           "source.file of `kind: symbols`",
                           value->s);
    if (state && (fecrun_fact_get(state, CHAIN_FADED, 0) > 0 || state->scheme[0]))
        return fecrun_fail(
            err, "state",
            "%s gives symbols, and no gains: write channel.fading.state, or a source.file of "
            "`kind: symbols`",
            value->s);
    if (state && state->items != in->items)
        return fecrun_fail(err, "state", "gives %llu gains a frame, and the frame has %llu symbols",
                           (unsigned long long)state->items, (unsigned long long)in->items);
    if (faded > 0 && !state)
        fecrun_warn(plan,
                    "channel.fading changed %s of the symbols, and nothing says how here: "
                    "`state: channel.fading.state` does",
                    faded > 1 ? "phase and amplitude" : "the amplitude");
    return 0;
}

static int demap_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                      const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                      struct fecrun_plan *plan, struct fecrun_error *err)
{
    const struct fecrun_value *esn0 = fecrun_value(values, P_ESN0);
    const struct fecrun_value *asked = fecrun_value(values, P_TYPE);
    const uint32_t type = asked->given ? types[asked->i] : FECRUN_F32;
    double n0 = esn0->given ? pow(10, -esn0->f / 10) : in[0]->n0;
    struct chain_scheme scheme;
    struct demap_all *code;

    (void)host;
    if (chain_scheme_read(&scheme, values, in[0], plan, err) ||
        check_state(fecrun_value(values, P_STATE), in[0], in[1], plan, err))
        return -1;
    if (!(n0 > 0))
        return fecrun_fail(err, "esn0_db",
                           "no channel upstream says how strong the noise is: "
                           "give Es/N0 in dB");
    code = fecrun_code(plan, sizeof *code, err);
    if (!code)
        return -1;
    fill_code(code, &scheme, n0, type, in[0]);
    chain_demapped_frame(out[0], in[0], &scheme);
    fecrun_fact_drop(out[0], CHAIN_FADED);
    out[0]->kind = FECRUN_KIND_LLR;
    out[0]->type = type;
    out[0]->n0 = n0;
    out[0]->llr_scale = 1;
    out[0]->llr_max = type == FECRUN_F16 ? CHAIN_HALF_MAX : 0;
    return fecrun_fact_set(out[0], CHAIN_HALF_DISTANCE, scheme.unit, err);
}

/* The smallest metric of the levels whose bit number `bit` (0: the last) is `value`. */
static inline float smallest(const float *metric, unsigned levels, unsigned bit, unsigned value)
{
    float best = INFINITY;

#pragma GCC unroll 16
    for (unsigned p = 0; p < levels; p++)
        if ((p >> bit & 1) == value)
            best = metric[p] < best ? metric[p] : best;
    return best;
}

static inline float one_nan(float x)
{
    return x == x ? x : NAN;
}

/* n dimensions to `bits` planes of LLRs; bits is a constant wherever this is used. power: see demap_faded(). */
static inline void demap_planes(const struct demap_code *code, unsigned bits, const float *y,
                                const float *power, size_t n, float plane[][CHAIN_CHUNK])
{
    struct demap_code own = *code;
    unsigned levels = 1u << (bits - 1);

    for (size_t i = 0; i < n; i++) {
        float scaled = y[i] * own.inverse_unit;
        float size = fabsf(scaled);
        float strength = power ? power[i / 2] : 1.0f;
        float metric[CHAIN_MOST_LEVELS];
        float best, sign;

#pragma GCC unroll 16
        for (unsigned p = 0; p < levels; p++)
            metric[p] = own.square[p] * strength - own.twice[p] * size;
        best = smallest(metric, levels, 31, 0);
        sign = (strength + 2.0f * size) - best;
        plane[0][i] = one_nan(own.gain * copysignf(sign, scaled));
#pragma GCC unroll 4
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
static inline void demap_chunk(const struct demap_code *code, const float *y, const float *power,
                               size_t n, float *llr)
{
    float plane[6][CHAIN_CHUNK];

    if (code->bits == 2)
        demap_planes(code, 2, y, power, n, plane);
    else if (code->bits == 3)
        demap_planes(code, 3, y, power, n, plane);
    else if (code->bits == 4)
        demap_planes(code, 4, y, power, n, plane);
    else if (code->bits == 5)
        demap_planes(code, 5, y, power, n, plane);
    else
        demap_planes(code, 6, y, power, n, plane);
    interleave(plane, code->bits, n, llr);
}

static void demap_chunk_alone(const struct demap_code *code, const float *y, size_t n, float *llr)
{
    demap_chunk(code, y, NULL, n, llr);
}

static void demap_chunk_faded(const struct demap_code *code, const float *y, const float *power,
                              size_t n, float *llr)
{
    demap_chunk(code, y, power, n, llr);
}

static void demap_linear(float linear, const float *y, unsigned step, uint64_t n, float *llr)
{
    for (uint64_t i = 0; i < n; i++)
        llr[i] = one_nan(linear * y[step * i]);
}

/* ---- Tables of points ---- */

enum { SIDE = 32, MOST_BITS = 12 }; /* symbols side by side, so that loops vectorise */

/* Distances of n symbols from all points, to the smallest with a bit 0 and 1. */
static void nearest_points(const struct points_code *points, const float real[SIDE],
                           const float imaginary[SIDE], const float strength[SIDE],
                           float best[MOST_BITS][2][SIDE])
{
    const unsigned bits = points->bits;

    for (unsigned k = 0; k < 2 * bits * SIDE; k++)
        best[k / (2 * SIDE)][k / SIDE % 2][k % SIDE] = INFINITY;
    for (unsigned p = 0; p < 1u << bits; p++) {
        float metric[SIDE];

        for (unsigned i = 0; i < SIDE; i++)
            metric[i] = points->energy[p] * strength[i] -
                        (points->twice[p][0] * real[i] + points->twice[p][1] * imaginary[i]);
        for (unsigned j = 0; j < bits; j++) {
            float *least = best[j][p >> (bits - 1 - j) & 1];

            for (unsigned i = 0; i < SIDE; i++)
                least[i] = metric[i] < least[i] ? metric[i] : least[i];
        }
    }
}

/* A frame, or a stream's piece; its first symbol has number `first`. */
static void demap_points(const struct demap_all *all, const float (*y)[2], const float *power,
                         uint64_t symbols, uint64_t first, float *llr)
{
    const struct points_code *points = &all->points;
    const bool turns = all->code.shape == CHAIN_TURNED;
    float real[SIDE], imaginary[SIDE], strength[SIDE], best[MOST_BITS][2][SIDE];

    for (uint64_t s = 0; s < symbols; s += SIDE) {
        const unsigned n = symbols - s < SIDE ? (unsigned)(symbols - s) : SIDE;

        memset(real, 0, sizeof real);
        memset(imaginary, 0, sizeof imaginary);
        for (unsigned i = 0; i < n; i++) {
            const bool turned = turns && (first + s + i) % 2;

            real[i] = turned ? y[s + i][1] : y[s + i][0];
            imaginary[i] = turned ? -y[s + i][0] : y[s + i][1];
        }
        for (unsigned i = 0; i < SIDE; i++)
            strength[i] = power && i < n ? power[s + i] : 1.0f;
        nearest_points(points, real, imaginary, strength, best);
        for (unsigned i = 0; i < n; i++)
            for (unsigned j = 0; j < points->bits; j++)
                *llr++ = one_nan(all->code.gain * (best[j][1][i] - best[j][0][i]));
    }
}

/* ---- Running ---- */

static void demap_frame(const struct demap_code *code, const float *y, const float *power,
                        uint64_t symbols, float *llr)
{
    if (code->shape == CHAIN_REAL) {
        demap_linear(code->linear, y, 2, symbols, llr);
    } else if (code->bits == 1) {
        demap_linear(code->linear, y, 1, 2 * symbols, llr);
    } else {
        for (uint64_t i = 0; i < 2 * symbols; i += CHAIN_CHUNK)
            if (power)
                demap_chunk_faded(code, y + i, power + i / 2, chain_part(2 * symbols - i),
                                  llr + code->bits * i);
            else
                demap_chunk_alone(code, y + i, chain_part(2 * symbols - i), llr + code->bits * i);
    }
}

/* So many symbols, of which the first one has number `first` in its frame or stream. power: see demap_faded(), or NULL. */
static void demap_symbols(const struct demap_all *all, const float *y, const float *power,
                          uint64_t symbols, uint64_t first, float *llr)
{
    if (all->code.shape == CHAIN_REAL || all->code.shape == CHAIN_SQUARE)
        demap_frame(&all->code, y, power, symbols, llr);
    else
        demap_points(all, (const float(*)[2])y, power, symbols, first, llr);
}

/*
 * The same of symbols that were multiplied by gains h, and received as y: |y - h a|^2 is |h|^2 |a|^2 - 2 Re(conj(h) y conj(a)),
 * less |y|^2. So conj(h) y takes the place of y, and |h|^2, the power, that of 1.
 */
static void demap_faded(const struct demap_all *all, const float *y, const float *h,
                        uint64_t symbols, uint64_t first, unsigned bits, float *llr)
{
    float turned[CHAIN_CHUNK], power[CHAIN_CHUNK / 2];

    for (uint64_t s = 0; s < symbols; s += CHAIN_CHUNK / 2, y += CHAIN_CHUNK, h += CHAIN_CHUNK) {
        const uint64_t n = chain_part(2 * (symbols - s)) / 2;

        for (uint64_t i = 0; i < n; i++) {
            const float re = h[2 * i], im = h[2 * i + 1];

            power[i] = re * re + im * im;
            turned[2 * i] = re * y[2 * i] + im * y[2 * i + 1];
            turned[2 * i + 1] = re * y[2 * i + 1] - im * y[2 * i];
        }
        demap_symbols(all, turned, power, n, first + s, llr + s * bits);
    }
}

static void demap_any(const struct demap_all *all, const float *y, const float *h, uint64_t symbols,
                      uint64_t first, unsigned bits, float *llr)
{
    if (h)
        demap_faded(all, y, h, symbols, first, bits, llr);
    else
        demap_symbols(all, y, NULL, symbols, first, llr);
}

static unsigned symbol_bits(const struct demap_all *all)
{
    return all->code.shape == CHAIN_REAL     ? 1
           : all->code.shape == CHAIN_SQUARE ? 2 * all->code.bits
                                             : all->points.bits;
}

static uint16_t half_of(float llr)
{
    return fecrun_half(llr > CHAIN_HALF_MAX    ? CHAIN_HALF_MAX
                       : llr < -CHAIN_HALF_MAX ? -CHAIN_HALF_MAX
                                               : llr);
}

static void demap_halves(const struct demap_all *all, const float *y, const float *h,
                         uint64_t symbols, uint64_t first, uint16_t *llr)
{
    const unsigned bits = symbol_bits(all);
    const uint64_t most = CHAIN_CHUNK / bits;
    float buffer[CHAIN_CHUNK];

    for (uint64_t s = 0; s < symbols; s += most) {
        const uint64_t part = symbols - s < most ? symbols - s : most;

        demap_any(all, y + 2 * s, h ? h + 2 * s : NULL, part, first + s, bits, buffer);
        for (uint64_t i = 0; i < part * bits; i++)
            *llr++ = half_of(buffer[i]);
    }
}

static int demap_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    const struct demap_all *all = call->codes[0];
    const uint64_t symbols = in[0]->items;

    (void)instance;
    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const uint64_t first = chain_first_symbol(all->points.stream, call, symbols, f);
        const float *y = fecrun_row(in[0], f), *h = in[1] ? fecrun_row(in[1], f) : NULL;

        if (all->code.type == FECRUN_F16)
            demap_halves(all, y, h, symbols, first, fecrun_row(out[0], f));
        else
            demap_any(all, y, h, symbols, first, symbol_bits(all), fecrun_row(out[0], f));
    }
    return 0;
}

static int demap_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    return chain_takes_type(args->codes[0], args->form, err);
}

static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_C8}, {.type = FECRUN_C8}),
                FECRUN_OUT({.type = FECRUN_F16})),
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_C8}, {.type = FECRUN_C8}),
                FECRUN_OUT({.type = FECRUN_F32})),
    NULL,
};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(demap_run), .forms = forms, .takes = demap_takes),
    &chain_modem_demap_cuda,
    NULL,
};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{esn0_db: 7}"),
    FECRUN_EXAMPLE(.params = "{scheme: 16qam, esn0_db: 7, type: f16}"),
    FECRUN_EXAMPLE(.params = "{scheme: 8psk, esn0_db: 9, type: f16}"),
    CHAIN_SCHEME_EXAMPLES(", esn0_db: 9"), NULL};

const struct fecrun_stage chain_modem_demap = {
    FECRUN_TRANSFORM(demap_plan, free),
    .name = "modem.demap",
    .summary = "symbols to max-log LLRs",
    .params = params,
    .inputs = FECRUN_PORTS(
        FECRUN_PORT(.name = "in", .kinds = FECRUN_KIND_SYMBOLS, .help = "received symbols"),
        FECRUN_PORT(.name = "state", .kinds = FECRUN_KIND_SYMBOLS, .flags = FECRUN_PORT_OPTIONAL,
                    .help = "the gain that each of them was multiplied by"),
        NULL),
    .outputs = FECRUN_ONE_PORT("out", FECRUN_KIND_LLR, "natural LLRs (scale 1)"),
    .backends = backends,
    .examples = examples,
    .undoes = "modem.map",
};
