/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend simd of viterbi.decode. */
#include "plugins/viterbi/simd/simd.h"

#include <fecrun/sdk/params.h>
#include <fecrun/sdk/simd.h>
#include <stdlib.h>

#include "plugins/viterbi/code/views.h"
#include "plugins/viterbi/code/words.h"
#include "plugins/viterbi/simd/match.h"

enum { T_ISA, T_METRIC_BITS };

struct instance {
    struct viterbi_spec spec;
    uint32_t feedback;
    struct viterbi_simd *simd;
    size_t core_scratch; /* bytes, behind which the verdicts lie */
    struct viterbi_tables tables;
};

static int fail_create(int error, const struct viterbi_spec *spec, uint32_t isa, unsigned bits,
                       struct fecrun_error *err)
{
    const char *problem = viterbi_spec_problem(spec);

    switch (error) {
    case VITERBI_SIMD_NO_ISA:
        return fecrun_fail(err, "isa", "this build or this machine has no %s code",
                           fecrun_isa_names[isa]);
    case VITERBI_SIMD_NO_WIDTH:
        if (spec->is_float)
            return fecrun_fail(err, "metric_bits", "F32 LLRs have float metrics, not %u-bit ones",
                               bits);
        return fecrun_fail(err, "metric_bits",
                           "%u-bit metrics cannot hold LLRs up to %d of this code exactly", bits,
                           spec->llr_max);
    case VITERBI_SIMD_BAD_SPEC:
        return fecrun_fail(err, NULL, "%s", problem ? problem : "bad parameters");
    default:
        return fecrun_no_memory(err);
    }
}

static void destroy(void *instance)
{
    struct instance *s = instance;

    if (!s)
        return;
    viterbi_simd_destroy(s->simd);
    free(s);
}

static unsigned wanted_bits(const struct fecrun_create *args)
{
    const struct fecrun_value *width = fecrun_value(args->tune, T_METRIC_BITS);

    return width->given && !width->is_auto ? (unsigned)atoi(width->s) : 0;
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    const unsigned bits = wanted_bits(args);
    struct instance *s = calloc(1, sizeof *s);
    uint32_t isa = FECRUN_ISA_GENERIC;
    int error;

    *instance = NULL;
    if (!s)
        return fecrun_no_memory(err);
    s->spec = ((const struct viterbi_decode_code *)args->codes[0])->spec;
    s->feedback = ((const struct viterbi_decode_code *)args->codes[0])->feedback;
    fill_tables(&s->tables, s->spec.code.n);
    s->spec.is_float = args->form->in[0].type == FECRUN_F32;
    if (fecrun_isa_choose(fecrun_value(args->tune, T_ISA), args->host, viterbi_simd_has, &isa, err))
        goto fail;
    error = viterbi_simd_create(&s->simd, &s->spec, isa, bits);
    if (error) {
        s->simd = NULL;
        fail_create(error, &s->spec, isa, bits, err);
        goto fail;
    }
    s->core_scratch = (viterbi_simd_scratch(s->simd) + 63) & ~(size_t)63;
    *instance = s;
    return 0;
fail:
    destroy(s);
    return -1;
}

static void note(const struct fecrun_create *args, char *text, size_t text_size)
{
    struct fecrun_error err = {.size = sizeof err};
    void *instance;

    if (create(args, &instance, &err))
        return;
    viterbi_simd_explain(((struct instance *)instance)->simd, wanted_bits(args), text, text_size);
    destroy(instance);
}

static size_t scratch(const void *instance, uint64_t frames)
{
    return ((const struct instance *)instance)->core_scratch +
           frames * sizeof(struct viterbi_verdict);
}

static void finish_row(const struct instance *s, const struct viterbi_input *input,
                       struct fecrun_view *const out[], uint64_t f)
{
    uint8_t *bits = fecrun_row(out[0], f);

    if (viterbi_wants_match(out)) {
        const char *llr = input->llr;
        struct viterbi_match match;

        llr += f * input->stride * (s->spec.is_float ? sizeof(float) : 1);
        viterbi_match_row(&s->spec, &s->tables, llr, bits, &match);
        viterbi_put_match(&match, out, f);
    }
    if (s->feedback)
        viterbi_unfeed_row(&s->spec, s->feedback, bits);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct instance *s = instance;
    void *verdicts = (char *)call->scratch + s->core_scratch;
    struct viterbi_verdict *verdict = verdicts;
    struct viterbi_input input;

    if (viterbi_check_views(&s->spec, in[0], out[0], err))
        return -1;
    input = viterbi_input_of(&s->spec, call, in[0], 0, in[0]->frames);
    viterbi_simd_decode(s->simd, &input, out[0]->data, out[0]->stride, verdict, call->scratch);
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        finish_row(s, &input, out, f);
        viterbi_report(&s->spec, &verdict[f], &call->info[f]);
    }
    return 0;
}

static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_I8}), VITERBI_OUT_ALL(FECRUN_PACKED)),
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_F32}), VITERBI_OUT_ALL(FECRUN_PACKED)), NULL};

static const struct fecrun_param *const tune[] = {
    &fecrun_isa_param,
    FECRUN_PARAM(.name = "metric_bits", .type = FECRUN_VALUE_CHOICE, .flags = FECRUN_PARAM_MAY_AUTO,
                 .unit = "bits", .choices = (const char *const[]){"8", "16", NULL},
                 .default_text = "auto",
                 .help = "width of path metrics for I8 LLRs; auto: the narrowest that is exact"),
    NULL};

const struct fecrun_backend viterbi_decode_simd = {
    .size = sizeof(struct fecrun_backend),
    .name = "simd",
    .summary = "64 tiles side by side, or one after the other along their states",
    .forms = forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
    .tune = tune,
    .note = note,
    .create = create,
    .scratch = scratch,
    .run = run,
    .destroy = destroy,
};
