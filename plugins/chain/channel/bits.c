/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * channel.bsc and channel.bec: bits in, LLRs out. Bit i of a frame is hit where the frame's random
 * word i is below p * 2^32. The BSC makes +-ln((1-p)/p), to 8 significant bits, of a bit; for p = 0 the
 * magnitude is FECRUN_LLR_MAX_F32, and so it is of all that a BEC lets through, for that is certain.
 * An erased bit is 0.
 */
#include "plugins/chain/plugin.h"
#include "plugins/chain/codes.h"

#include <math.h>

enum { P_P };

static const struct fecrun_param *const bsc_params[] = {
    FECRUN_FLOAT("p", 0, 0.5, .flags = FECRUN_PARAM_REQUIRED | FECRUN_PARAM_POINT,
                 .help = "probability that a bit is inverted"),
    NULL,
};

static const struct fecrun_param *const bec_params[] = {
    FECRUN_FLOAT("p", 0, 1, .flags = FECRUN_PARAM_REQUIRED | FECRUN_PARAM_POINT,
                 .help = "probability that a bit is erased, below 1"),
    NULL,
};

/* The nearest number of 8 significant bits, at most 0.2 % away: float sums of up to 2^16 of them are
   exact, so that paths which tie do so in whatever order a decoder adds. */
static float short_float(double x)
{
    int exponent;
    double fraction = frexp(x, &exponent);

    return (float)ldexp(nearbyint(fraction * 256), exponent - 8);
}

static float magnitude(double p, bool erases)
{
    return erases || p == 0 ? FECRUN_LLR_MAX_F32 : short_float(log((1 - p) / p));
}

static int channel_plan(const struct fecrun_values *values, bool erases,
                        const struct fecrun_frame *in, struct fecrun_frame *out,
                        struct fecrun_plan *plan, struct fecrun_error *err)
{
    double p = fecrun_value(values, P_P)->f;
    struct channel_code *code;

    if (p >= 1)
        return fecrun_fail(err, "p", "must be below 1, or nothing arrives");
    code = fecrun_code(plan, sizeof *code, err);
    if (!code)
        return -1;
    code->threshold = (uint32_t)fmin(UINT32_MAX, floor(p * 4294967296.0 + 0.5));
    code->magnitude = magnitude(p, erases);
    code->erases = erases;
    fecrun_frame_copy(out, in);
    out->kind = FECRUN_KIND_LLR;
    out->type = FECRUN_F32;
    out->channel_bits = in->items;
    out->bits_per_symbol = 1;
    out->llr_scale = 1;
    out->llr_max = code->magnitude;
    return 0;
}

static int bsc_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                    const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                    struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host;
    return channel_plan(values, false, in[0], out[0], plan, err);
}

static int bec_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                    const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                    struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host;
    return channel_plan(values, true, in[0], out[0], plan, err);
}

static void invert(const struct channel_code *code, const uint8_t *bits, const uint32_t *words,
                   float *llr, size_t n)
{
    struct channel_code own = *code;

    for (size_t i = 0; i < n; i++) {
        uint32_t bit = (bits[i] & 1u) ^ (words[i] < own.threshold);

        llr[i] = bit ? -own.magnitude : own.magnitude;
    }
}

static void erase(const struct channel_code *code, const uint8_t *bits, const uint32_t *words,
                  float *llr, size_t n)
{
    struct channel_code own = *code;

    for (size_t i = 0; i < n; i++) {
        float sent = bits[i] & 1 ? -own.magnitude : own.magnitude;

        llr[i] = words[i] < own.threshold ? 0.0f : sent;
    }
}

static void channel_frame(const struct channel_code *code, const struct fecrun_rng *rng,
                          uint64_t number, const struct fecrun_view *in, uint64_t f, float *llr)
{
    uint32_t words[CHAIN_CHUNK];
    uint8_t buffer[CHAIN_CHUNK];

    for (uint64_t i = 0; i < in->items; i += CHAIN_CHUNK) {
        size_t n = chain_part(in->items - i);
        const uint8_t *bits = chain_bits(in, f, i, n, buffer);

        fecrun_rng_words(rng, number, (uint32_t)(i / FECRUN_RNG_BLOCK), words,
                         (n + FECRUN_RNG_BLOCK - 1) / FECRUN_RNG_BLOCK);
        if (code->erases)
            erase(code, bits, words, llr + i, n);
        else
            invert(code, bits, words, llr + i, n);
    }
}

static int channel_run(void *instance, const struct fecrun_call *call,
                       const struct fecrun_view *const in[], struct fecrun_view *const out[],
                       struct fecrun_error *err)
{
    struct fecrun_rng rng = call->sim->rng;

    (void)instance;
    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++)
        channel_frame(call->codes[0], &rng, call->first_frame + f, in[0], f, fecrun_row(out[0], f));
    return 0;
}

static const struct fecrun_form *const forms[] = {
    FECRUN_ONE_FORM(FECRUN_U8, FECRUN_F32),
    FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_F32),
    NULL,
};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(channel_run), .forms = forms),
    &chain_channel_bits_cuda,
    NULL,
};

static const struct fecrun_port *const inputs[] = {
    FECRUN_PORT(.name = "in", .kinds = FECRUN_KIND_BITS, .help = "coded bits"),
    NULL,
};
static const struct fecrun_port *const outputs[] = {
    FECRUN_PORT(.name = "out", .kinds = FECRUN_KIND_LLR, .help = "natural LLRs (scale 1)"),
    NULL,
};

const struct fecrun_stage chain_channel_bsc = {
    FECRUN_TRANSFORM(bsc_plan, free),
    .name = "channel.bsc",
    .flags = FECRUN_STAGE_RANDOM,
    .summary = "binary symmetric channel",
    .params = bsc_params,
    .inputs = inputs,
    .outputs = outputs,
    .backends = backends,
};

static const struct fecrun_example *const examples[] = {FECRUN_EXAMPLE(.params = "{p: 0.3}"),
                                                        FECRUN_EXAMPLE(.params = "{p: 0.7}"), NULL};

const struct fecrun_stage chain_channel_bec = {
    FECRUN_TRANSFORM(bec_plan, free),
    .name = "channel.bec",
    .flags = FECRUN_STAGE_RANDOM,
    .summary = "binary erasure channel",
    .params = bec_params,
    .inputs = inputs,
    .outputs = outputs,
    .backends = backends,
    .examples = examples,
};
