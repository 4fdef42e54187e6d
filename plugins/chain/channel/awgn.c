/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * channel.awgn: white Gaussian noise, variance N0/2 a real dimension, on symbols of mean energy 1.
 * Sample s of a frame (gauss.h) goes to the real (s even) or imaginary part of symbol s / 2; real
 * symbols (BPSK) have one sample each.
 */
#include "plugins/chain/plugin.h"
#include "plugins/chain/codes.h"

#include <math.h>

enum { P_EBN0, P_ESN0 };

static const struct fecrun_param *const params[] = {
    FECRUN_FLOAT("ebn0_db", -50, 100, .flags = FECRUN_PARAM_POINT, .unit = "dB",
                 .help = "Eb/N0 = Es/N0 - 10 log10(R * bits per symbol), R = information bits / "
                         "channel bits; this or esn0_db"),
    FECRUN_FLOAT("esn0_db", -50, 100, .flags = FECRUN_PARAM_POINT, .unit = "dB",
                 .help = "Es/N0, per symbol; this or ebn0_db"),
    NULL,
};

static int find_esn0(const struct fecrun_values *values, const struct fecrun_frame *in,
                     double *esn0_db, struct fecrun_error *err)
{
    const struct fecrun_value *ebn0 = fecrun_value(values, P_EBN0);
    const struct fecrun_value *esn0 = fecrun_value(values, P_ESN0);

    if (!ebn0->given == !esn0->given)
        return fecrun_fail(err, ebn0->given ? "esn0_db" : "ebn0_db",
                           "give either ebn0_db or esn0_db%s", ebn0->given ? ", not both" : "");
    *esn0_db = esn0->f;
    if (esn0->given)
        return 0;
    if (!in->info_bits || !in->channel_bits || !in->bits_per_symbol)
        return fecrun_fail(err, "ebn0_db",
                           "the code rate is unknown, as no source of bits and "
                           "mapper are upstream: give esn0_db");
    *esn0_db = ebn0->f +
               10 * log10((double)in->info_bits / ((double)in->channel_bits * fecrun_pieces(in)) *
                          in->bits_per_symbol);
    if (*esn0_db < -50 || *esn0_db > 100)
        return fecrun_fail(err, "ebn0_db", "makes Es/N0 %.1f dB: -50 to 100 is allowed", *esn0_db);
    return 0;
}

static int awgn_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct awgn_code *code;
    double esn0_db = 0, n0;

    (void)host;
    if (find_esn0(values, in[0], &esn0_db, err))
        return -1;
    code = fecrun_code(plan, sizeof *code, err);
    if (!code)
        return -1;
    /* Another libm may differ in the last bit of the double; as a float, sigma is the same. */
    n0 = pow(10, -esn0_db / 10);
    code->sigma = (float)sqrt(n0 / 2);
    code->real = in[0]->symbol_dimensions == 1;
    fecrun_frame_copy(out[0], in[0]);
    out[0]->n0 = in[0]->n0 + n0; /* noise of an earlier channel adds up */
    return 0;
}

static void add_complex(float *out, const float *in, const float *noise, float sigma, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = in[i] + sigma * noise[i];
}

/* n symbols, one sample each. */
static void add_real(float *out, const float *in, const float *noise, float sigma, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        out[2 * i] = in[2 * i] + sigma * noise[i];
        out[2 * i + 1] = in[2 * i + 1];
    }
}

static void awgn_frame(const struct awgn_code *code, const struct fecrun_rng *rng, uint64_t frame,
                       const float *in, float *out, uint64_t symbols)
{
    uint64_t samples = code->real ? symbols : 2 * symbols;
    float noise[CHAIN_CHUNK];

    for (uint64_t s = 0; s < samples; s += CHAIN_CHUNK) {
        size_t n = chain_part(samples - s);

        fecrun_gauss(rng, frame, s, noise, n);
        if (code->real)
            add_real(out + 2 * s, in + 2 * s, noise, code->sigma, n);
        else
            add_complex(out + s, in + s, noise, code->sigma, n);
    }
}

static int awgn_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    struct fecrun_rng rng = call->sim->rng;

    (void)instance;
    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++)
        awgn_frame(call->codes[0], &rng, call->first_frame + f, fecrun_row(in[0], f),
                   fecrun_row(out[0], f), in[0]->items);
    return 0;
}

static const struct fecrun_form *const forms[] = {
    FECRUN_ONE_FORM(FECRUN_C8, FECRUN_C8),
    NULL,
};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(awgn_run), .forms = forms),
    &chain_channel_awgn_cuda,
    &chain_channel_awgn_simd,
    NULL,
};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{esn0_db: 3}"), FECRUN_EXAMPLE(.params = "{ebn0_db: 3}"), NULL};

const struct fecrun_stage chain_channel_awgn = {
    FECRUN_TRANSFORM(awgn_plan, free),
    .name = "channel.awgn",
    .flags = FECRUN_STAGE_RANDOM,
    .summary = "white Gaussian noise",
    .params = params,
    .inputs = FECRUN_ONE_PORT("in", FECRUN_KIND_SYMBOLS, "symbols of mean energy 1"),
    .outputs = FECRUN_ONE_PORT("out", FECRUN_KIND_SYMBOLS, "noisy symbols"),
    .backends = backends,
    .examples = examples,
};
