/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * channel.fading: flat fading. Each symbol is multiplied by a complex gain of mean power 1, Rayleigh or Rician, which
 * stays for a block of symbols or changes as a moving receiver hears it (Jakes' spectrum).
 */
#include "plugins/chain/channel/fading.h"
#include "plugins/chain/modem/modem.h"
#include "plugins/chain/plugin.h"

#include <inttypes.h>
#include <math.h>

enum { P_MODEL, P_K, P_BLOCK, P_DOPPLER, P_GAIN };
enum { RAYLEIGH, RICIAN };

static const char *const models[] = {"rayleigh", "rician", NULL};
static const char *const models_help[] = {"many paths, none of which is stronger than the others",
                                          "these, and a direct path of phase 0: k_db", NULL};
static const char *const gains[] = {"complex", "magnitude", NULL};
static const char *const gains_help[] = {
    "amplitude and phase change", "amplitude only, as behind a receiver that knows the phase",
    NULL};

static const struct fecrun_param *const params[] = {
    FECRUN_CHOICE("model", models, .default_text = "rayleigh", .choices_help = models_help,
                  .help = "distribution of the gains; their mean power is 1"),
    FECRUN_FLOAT("k_db", -40, 60, .flags = FECRUN_PARAM_POINT, .unit = "dB",
                 .help = "rician: power of the direct path over that of all others"),
    FECRUN_INT("block", 1, 1 << 28, .unit = "symbols",
               .help = "a gain stays for so many symbols; default: for a frame"),
    FECRUN_FLOAT("doppler", 1e-9, 0.5, .flags = FECRUN_PARAM_POINT, .unit = "cycles a symbol",
                 .help = "instead of block: gains change with Jakes' spectrum; the largest Doppler "
                         "frequency times the duration of a symbol"),
    FECRUN_CHOICE("gain", gains, .default_text = "complex", .choices_help = gains_help,
                  .help = "what a symbol is multiplied by"),
    NULL,
};

static int read_speed(struct fading_code *code, const struct fecrun_values *values,
                      const struct fecrun_frame *in, struct fecrun_error *err)
{
    const struct fecrun_value *block = fecrun_value(values, P_BLOCK);
    const struct fecrun_value *doppler = fecrun_value(values, P_DOPPLER);

    if (block->given && doppler->given)
        return fecrun_fail(err, "doppler", "give either block or doppler, not both");
    if (!block->given && !doppler->given && in->stream)
        return fecrun_fail(err, "block", "a stream has no frames: give block or doppler");
    code->doppler = doppler->given ? doppler->f : 0;
    code->block = doppler->given ? 0 : block->given ? (uint64_t)block->i : in->items;
    return 0;
}

static int read_params(struct fading_code *code, const struct fecrun_values *values,
                       const struct fecrun_frame *in, struct fecrun_error *err)
{
    const struct fecrun_value *k_db = fecrun_value(values, P_K);
    const bool rician = fecrun_value(values, P_MODEL)->i == RICIAN;
    const double k = rician ? pow(10, k_db->f / 10) : 0;

    if (rician && !k_db->given)
        return fecrun_fail(err, "k_db", "must be given: how strong the direct path is");
    if (!rician && k_db->given == 2)
        return fecrun_fail(err, "k_db", "rayleigh has no direct path: write `model: rician`");
    /* As floats they are the same with any libm. */
    code->direct = (float)sqrt(k / (k + 1));
    code->diffuse = (float)sqrt(1 / (k + 1));
    code->magnitude = fecrun_value(values, P_GAIN)->i != 0;
    code->stream = in->stream != 0;
    return read_speed(code, values, in, err);
}

static int fading_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct fading_code read = {0}, *code;

    (void)host;
    if (read_params(&read, values, in[0], err))
        return -1;
    if (in[0]->n0 > 0)
        fecrun_warn(plan, "the noise of channel.awgn in front of it fades, too: the noise of a "
                          "receiver comes after the fading");
    fecrun_frame_copy(out[0], in[0]);
    fecrun_frame_copy(out[1], in[0]);
    fecrun_frame_scheme(out[1], "", 0, 0);
    fecrun_fact_drop(out[1], CHAIN_FADED);
    if (!read.magnitude && out[0]->symbol_dimensions == 1)
        out[0]->symbol_dimensions = 2; /* BPSK is turned, and noise has two parts */
    if (fecrun_fact_set(out[0], CHAIN_FADED, read.magnitude ? 1 : 2, err))
        return -1;
    code = fecrun_code(plan, sizeof *code, err);
    if (!code)
        return -1;
    *code = read;
    if (code->block)
        snprintf(plan->note, sizeof plan->note, "a gain for %" PRIu64 " symbols", code->block);
    return 0;
}

static int fading_run(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    (void)instance, (void)err;
    return fading_batch(chain_wave_ref, call, in[0], out);
}

static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_C8}),
                FECRUN_OUT({.type = FECRUN_C8}, {.type = FECRUN_C8})),
    NULL,
};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(fading_run), .forms = forms),
    &chain_channel_fading_simd,
    NULL,
};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{}"),
    FECRUN_EXAMPLE(.params = "{block: 7}"),
    FECRUN_EXAMPLE(.params = "{doppler: 0.01}"),
    FECRUN_EXAMPLE(.params = "{model: rician, k_db: 6, doppler: 0.3, gain: magnitude}"),
    FECRUN_EXAMPLE(.params = "{model: rician, k_db: -3, block: 100, gain: magnitude}", .stream = 1),
    FECRUN_EXAMPLE(.params = "{doppler: 1e-5}", .stream = 1),
    NULL,
};

const struct fecrun_stage chain_channel_fading = {
    FECRUN_TRANSFORM(fading_plan, free),
    .name = "channel.fading",
    .flags = FECRUN_STAGE_RANDOM,
    .summary = "flat fading, Rayleigh or Rician, in blocks or with Jakes' spectrum",
    .params = params,
    .inputs = FECRUN_ONE_PORT("in", FECRUN_KIND_SYMBOLS, "symbols"),
    .outputs = FECRUN_PORTS(
        FECRUN_PORT(.name = "out", .kinds = FECRUN_KIND_SYMBOLS, .help = "faded symbols"),
        FECRUN_PORT(.name = "state", .kinds = FECRUN_KIND_SYMBOLS, .flags = FECRUN_PORT_OPTIONAL,
                    .help = "the gain of each symbol, for modem.demap's state"),
        NULL),
    .backends = backends,
    .examples = examples,
};
