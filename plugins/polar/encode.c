/* SPDX-License-Identifier: BSD-2-Clause */
/* The stage polar.encode and its reference. */
#include <fecrun/sdk/stage.h>

#include "plugins/common/checks/checks.h"
#include "plugins/polar/code/params.h"
#include "plugins/polar/code/small.h"
#include "plugins/polar/code/words.h"
#include "plugins/polar/plugin.h"

static void code_free(void *of)
{
    struct polar_code *code = of;

    if (code)
        free(code->words);
    free(code);
}

/* Short codes, and those with parities, are encoded without words. */
static int make_words(struct polar_code *code, struct fecrun_error *err)
{
    const struct polar_crc none = {0};

    if (code->small || code->parities || code->n < 64)
        return 0;
    code->words = polar_words_new(code, &none);
    return code->words ? 0 : fecrun_no_memory(err);
}

static int plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *result, struct fecrun_error *err)
{
    struct polar_code *code;

    (void)host;
    code = polar_read_code(values, err);
    if (!code)
        return -1;
    if (checks_bits(in[0], code->k, 0, err) || make_words(code, err)) {
        code_free(code);
        return -1;
    }
    result->code = code;
    fecrun_frame_bits(out[0], in[0], code->n);
    snprintf(result->note, sizeof result->note, "N = %u, K = %u%s", code->n, code->k,
             code->parities ? ", 3 parity bits" : "");
    return 0;
}

static void encode_row(const struct polar_code *code, const uint8_t *in, uint8_t *word)
{
    if (code->small) {
        polar_small_encode(code, in, word);
        return;
    }
    if (code->words) {
        polar_words_encode(code->words, in, word);
        return;
    }
    polar_place(code, in, word);
    polar_transform(word, code->n);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct polar_code *code = call->codes[0];

    (void)instance, (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++)
        if (in[0]->type == FECRUN_PACKED)
            polar_words_encode_packed(code->words, fecrun_row(in[0], f), fecrun_row(out[0], f));
        else
            encode_row(code, fecrun_row(in[0], f), fecrun_row(out[0], f));
    return 0;
}

static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct polar_code *code = args->codes[0];

    return args->form->in[0].type == FECRUN_PACKED && !code->words
               ? fecrun_fail(err, NULL, "short codes and those with parity bits take a bit a byte")
               : 0;
}

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(run),
                   .summary = "places the bits and does the butterflies, 64 bits at a time",
                   .takes = takes,
                   .forms = FECRUN_FORMS(FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8),
                                         FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_PACKED)),
                   .agreement = FECRUN_AGREEMENT_EXACT),
    &polar_encode_cuda,
    NULL,
};

static const struct fecrun_param *const params[] = {POLAR_CODE_PARAMS, NULL};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{code: nr, k: 20, e: 40}", .items = 20),
    FECRUN_EXAMPLE(.params = "{code: nr, k: 511, e: 900}", .items = 511),
    FECRUN_EXAMPLE(.params = "{code: nr, k: 64, e: 216, n_max: 9, input_interleave: true}",
                   .items = 64),
    FECRUN_EXAMPLE(.params = "{code: plain, n: 1024, k: 512}", .items = 512),
    FECRUN_EXAMPLE(.params = "{code: plain, n: 4096, k: 3000, construction: ga, design_snr_db: 1}",
                   .items = 3000),
    FECRUN_EXAMPLE(.params = "{code: nr-small, k: 11}", .items = 11),
    FECRUN_EXAMPLE(.params = "{code: nr-small, k: 1, qm: 6}", .items = 1),
    NULL};

const struct fecrun_stage polar_encode_stage = {
    FECRUN_TRANSFORM(plan, code_free),
    .name = "polar.encode",
    .summary = "polar encoder: K bits, CRC included, give the N bits of the word in natural order",
    .params = params,
    .inputs = FECRUN_BITS_IN,
    .outputs = FECRUN_BITS_OUT,
    .backends = backends,
    .examples = examples,
};
