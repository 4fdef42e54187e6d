/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * llr.quantize: clamp(round(scale * llr)). Rounding is to the nearest, halves to the even
 * neighbour; a NaN becomes 0.
 */
#include "plugins/chain/plugin.h"
#include "plugins/chain/codes.h"
#include "plugins/chain/modem/modem.h"
#include "plugins/chain/quantize.h"

#include <fecrun/sdk/sample.h>
#include <math.h>

enum { P_TYPE, P_BITS, P_MAX, P_SCALE };

/* Of types[]: numbers of bits, and numpy's names of two of them. */
static const char *const type_names[] = {"i8", "i16", "i4", "i1", "i2", NULL};

static const struct fecrun_param *const params[] = {
    FECRUN_CHOICE("type", type_names, .default_text = "i8", .help = "type of the output"),
    FECRUN_INT("bits", 2, 16, .unit = "bits",
               .help = "width of the quantizer: magnitudes up to 2^(bits-1)-1; default: that of "
                       "the type"),
    FECRUN_INT("max", 1, 32767,
               .help = "largest magnitude, where it is to be less than bits allows"),
    FECRUN_FLOAT(
        "scale", 1e-6, 1e6, .flags = FECRUN_PARAM_REQUIRED | FECRUN_PARAM_MAY_AUTO,
        .unit = "steps per unit of the input",
        .help = "factor before rounding; auto: from modulation and noise: 10 steps of i8 for "
                "a standard deviation of the LLR of a symbol's weakest bit, and at most 10 "
                "for a natural LLR"),
    NULL,
};

static const struct {
    uint32_t type;
    int bits;
} types[] = {{FECRUN_I8, 8}, {FECRUN_I16, 16}, {FECRUN_I4, 4}, {FECRUN_I8, 8}, {FECRUN_I16, 16}};

/* The largest magnitude, or -1. */
static int largest(const struct fecrun_values *values, int width, struct fecrun_error *err)
{
    const struct fecrun_value *bits = fecrun_value(values, P_BITS);
    const struct fecrun_value *max = fecrun_value(values, P_MAX);
    int used = bits->given ? (int)bits->i : width;
    int limit = (1 << (used - 1)) - 1;

    if (used > width)
        return fecrun_fail(err, "bits", "%d bits do not fit into type %s: at most %d", used,
                           fecrun_value(values, P_TYPE)->s, width);
    if (max->given && max->i > limit)
        return fecrun_fail(err, "max", "%lld is more than %d bits hold: at most %d",
                           (long long)max->i, used, limit);
    return max->given ? (int)max->i : limit;
}

/*
 * auto. The LLR of a symbol's weakest bit is normal, of mean m = 4 unit^2 / N0 and variance 2 m,
 * where 2 unit is the smallest distance of two points. With
 * AUTO_STEPS in a standard deviation, rounding adds 1/1200 to the noise, and 127 is so far away that
 * neither sums of repeated bits nor the sums inside of polar decoders end there. In the worst
 * channels that would leave no room for repetition, so AUTO_MOST is the limit. Wider types have more
 * of both, narrower ones end at m and a standard deviation.
 */
#define AUTO_STEPS 10
#define AUTO_MOST 10

/* Two digits, so that the last place of a logarithm changes nothing. */
static double two_digits(double x)
{
    const double unit = pow(10, floor(log10(x)) - 1);

    return fmax(1e-6, fmin(1e6, round(x / unit) * unit));
}

/* The scale for `auto`, and plan->note; 0 and *err if too little is known of the input. */
static double auto_scale(const struct fecrun_frame *in, int max, struct fecrun_plan *plan,
                         struct fecrun_error *err)
{
    const double unit = fecrun_fact_get(in, CHAIN_HALF_DISTANCE, 0);
    const double wide = max > 127 ? sqrt(max / 127.0) : 1;
    double mean, sigma, scale;

    if (!(unit > 0) || !(in->n0 > 0) || !(in->llr_scale > 0)) {
        fecrun_fail(err, "scale",
                    "auto needs LLRs of which modulation, noise and unit are known, as "
                    "modem.demap gives them: give a number");
        return 0;
    }
    mean = 4 * unit * unit / in->n0;
    sigma = sqrt(2 * mean);
    scale = fmin(wide * AUTO_STEPS / sigma, wide * AUTO_MOST);
    scale = two_digits(fmin(scale, max / (mean + sigma)) / in->llr_scale);
    snprintf(plan->note, sizeof plan->note,
             "scale = %g, as the LLR of a weak bit is %.2g +- %.2g (%.23s, Es/N0 %.1f dB)", scale,
             mean, sigma, in->scheme, -10 * log10(in->n0));
    return scale;
}

static int quantize_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                         const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                         struct fecrun_plan *plan, struct fecrun_error *err)
{
    int64_t choice = fecrun_value(values, P_TYPE)->i;
    const struct fecrun_value *given = fecrun_value(values, P_SCALE);
    double scale = given->f;
    int max = largest(values, types[choice].bits, err);
    struct quantize_code *code;

    (void)host;
    if (max < 0)
        return -1;
    if (in[0]->stream && types[choice].type == FECRUN_I4 && in[0]->items % 2)
        return fecrun_fail(err, "type",
                           "pieces of a stream of i4 need an even number of items, "
                           "not %llu",
                           (unsigned long long)in[0]->items);
    if (given->is_auto)
        scale = auto_scale(in[0], max, plan, err);
    if (!(scale > 0))
        return -1;
    code = fecrun_code(plan, sizeof *code, err);
    if (!code)
        return -1;
    code->scale = (float)scale;
    code->max = (float)max;
    fecrun_frame_copy(out[0], in[0]);
    out[0]->type = types[choice].type;
    out[0]->llr_scale = in[0]->llr_scale * scale;
    out[0]->llr_max = max;
    return 0;
}

static int quantize_run(void *instance, const struct fecrun_call *call,
                        const struct fecrun_view *const in[], struct fecrun_view *const out[],
                        struct fecrun_error *err)
{
    (void)instance;
    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++)
        chain_quantize_row(call->codes[0], fecrun_row(in[0], f), fecrun_row(out[0], f),
                           out[0]->type, in[0]->items);
    return 0;
}

/* The narrowest that holds the values first. */
static const struct fecrun_form *const forms[] = {
    FECRUN_ONE_FORM(FECRUN_F32, FECRUN_I4),
    FECRUN_ONE_FORM(FECRUN_F32, FECRUN_I8),
    FECRUN_ONE_FORM(FECRUN_F32, FECRUN_I16),
    NULL,
};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(quantize_run), .forms = forms),
    &chain_llr_quantize_cuda,
    &chain_llr_quantize_simd,
    NULL,
};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{type: i8, scale: 4}"),
    FECRUN_EXAMPLE(.params = "{type: i8, bits: 5, scale: 2.5}"),
    FECRUN_EXAMPLE(.params = "{type: i8, max: 10, scale: 1.5}"),
    FECRUN_EXAMPLE(.params = "{type: i4, scale: 1}"),
    FECRUN_EXAMPLE(.params = "{type: i4, bits: 3, scale: 0.7}"),
    FECRUN_EXAMPLE(.params = "{type: i16, bits: 12, scale: 64}"),
    NULL};

const struct fecrun_stage chain_llr_quantize = {
    FECRUN_TRANSFORM(quantize_plan, free),
    .name = "llr.quantize",
    .summary = "LLRs to fixed point: clamp(round(scale * llr))",
    .params = params,
    .inputs = FECRUN_ONE_PORT("in", FECRUN_KIND_LLR, "LLRs of any scale"),
    .outputs = FECRUN_ONE_PORT("out", FECRUN_KIND_LLR, "fixed-point LLRs"),
    .backends = backends,
    .examples = examples,
};
