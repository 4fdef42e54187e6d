/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend simd of viterbi.decode: choice of kernels, and the walk over a batch. */
#include "plugins/viterbi/simd/turning.h"

#include <fecrun/sdk/params.h>
#include <fecrun/sdk/simd.h>
#include <stdlib.h>

#include "plugins/viterbi/code/views.h"

static const struct viterbi_kernel *kernels_of(uint32_t isa)
{
    if (!fecrun_isa_runs(isa))
        return NULL;
    return isa == FECRUN_ISA_AVX512 ? viterbi_kernels_avx512()
           : isa == FECRUN_ISA_AVX2 ? viterbi_kernels_avx2()
                                    : viterbi_kernels_generic();
}

bool viterbi_simd_has(uint32_t isa)
{
    return kernels_of(isa) != NULL;
}

/* K = 7 with generators 133 and 171 in either order: the code of CCSDS, DVB and 802.11. */
static bool is_k7(const struct viterbi_code *code)
{
    return code->K == 7 && code->n == 2 &&
           ((code->gen[0] == 0133 && code->gen[1] == 0171) ||
            (code->gen[0] == 0171 && code->gen[1] == 0133));
}

/* The largest |LLR| for which an 8-bit kernel with this range is exact, and its offset. */
static bool range_fits(const struct viterbi_range *range, int M, int *offset)
{
    const int up = (int)range->up * M, down = (int)range->down * M;

    *offset = up > 127 ? up - 127 : 0;
    return down + *offset <= 128 && (int)range->merge * M <= 127 && (int)range->early * M <= 127;
}

static bool fits_8_bits(struct viterbi_simd *simd, unsigned period)
{
    uint16_t work[4 << (VITERBI_LANES_MAX_K - 1)];
    struct viterbi_range range;

    viterbi_code_range(&simd->spec.code, period, work, &range);
    simd->careful = range.settle;
    return range_fits(&range, simd->spec.llr_max, &simd->offset);
}

static bool usable(struct viterbi_simd *simd, const struct viterbi_kernel *kernel,
                   unsigned metric_bits)
{
    const unsigned K = simd->spec.code.K;

    if ((kernel->bits == 32) != simd->spec.is_float || K < kernel->min_K)
        return false;
    if (metric_bits != 0 && metric_bits != kernel->bits)
        return false;
    if (kernel->lanes > 1 && K > VITERBI_LANES_MAX_K)
        return false;
    if (kernel->k7 && !is_k7(&simd->spec.code))
        return false;
    if (kernel->turning && viterbi_wraps_around(&simd->spec)) /* its rounds end within a turn */
        return false;
    simd->careful = K - 1;
    simd->offset = 0;
    return kernel->bits != 8 || fits_8_bits(simd, kernel->period);
}

static void fill_labels(struct viterbi_simd *simd)
{
    struct viterbi_code code = simd->spec.code;

    memset(code.inverted, 0, sizeof code.inverted); /* the kernels change the LLR's sign instead */
    for (uint32_t i = 0; i < simd->states / 2; i++)
        simd->label[i] = (uint8_t)viterbi_code_label(&code, 2 * i);
    simd->newest = viterbi_code_label(&code, simd->states);
    simd->oldest = viterbi_code_label(&code, 1);
}

/* Measured: from how many tiles on a group is faster than one tile after the other. */
static size_t few_tiles(const struct viterbi_simd *simd)
{
    const unsigned K = simd->spec.code.K, few = K <= 7 ? 3 : K == 8 ? 5 : K == 9 ? 8 : 10;

    if (!simd->along)
        return 0;
    if (!simd->lanes)
        return SIZE_MAX;
    return simd->isa == FECRUN_ISA_AVX512 ? 2 * few : few;
}

static int choose_kernels(struct viterbi_simd *simd, const struct viterbi_kernel *kernels,
                          unsigned metric_bits)
{
    size_t careful = 0;
    int offset = 0;

    for (const struct viterbi_kernel *k = kernels; k->bits != 0; k++) {
        if (k->lanes > 1 && !simd->lanes && usable(simd, k, metric_bits)) {
            simd->lanes = k;
            careful = simd->careful;
            offset = simd->offset;
        } else if (k->lanes == 1 && !simd->along && usable(simd, k, 0)) {
            simd->along = k;
        }
    }
    simd->careful = careful;
    simd->offset = offset;
    if (!simd->lanes && (!simd->along || (metric_bits != 0 && metric_bits != simd->along->bits)))
        return VITERBI_SIMD_NO_WIDTH;
    simd->few = few_tiles(simd);
    if (!simd->along || !simd->along->turning)
        return 0;
    simd->turning = viterbi_turning_create(&simd->spec.code, simd->label, simd->along->turning,
                                           simd->along->state_bit);
    return simd->turning ? 0 : VITERBI_SIMD_NO_MEMORY;
}

static void describe(struct viterbi_simd *simd)
{
    const struct viterbi_kernel *k = simd->lanes ? simd->lanes : simd->along;
    const char *type = simd->spec.is_float ? "float" : k->bits == 8 ? "8-bit" : "16-bit";

    snprintf(simd->text, sizeof simd->text, "%s %s, %s", k->name, type,
             simd->lanes ? "64 tiles side by side" : "along the states of one tile");
}

int viterbi_simd_create(struct viterbi_simd **simd, const struct viterbi_spec *spec, uint32_t isa,
                        unsigned metric_bits)
{
    const struct viterbi_kernel *kernels;
    struct viterbi_simd *s;
    int error;

    *simd = NULL;
    if (viterbi_spec_problem(spec))
        return VITERBI_SIMD_BAD_SPEC;
    if (metric_bits != 0 &&
        (spec->is_float ? metric_bits != 32 : metric_bits != 8 && metric_bits != 16))
        return VITERBI_SIMD_NO_WIDTH;
    kernels = kernels_of(isa);
    if (!kernels)
        return VITERBI_SIMD_NO_ISA;
    s = calloc(1, sizeof *s);
    if (!s)
        return VITERBI_SIMD_NO_MEMORY;
    s->spec = *spec;
    s->isa = isa;
    s->states = UINT32_C(1) << (spec->code.K - 1);
    fill_labels(s);
    error = choose_kernels(s, kernels, metric_bits);
    if (error) {
        viterbi_simd_destroy(s);
        return error;
    }
    describe(s);
    *simd = s;
    return 0;
}

void viterbi_simd_destroy(struct viterbi_simd *simd)
{
    if (!simd)
        return;
    free(simd->turning);
    free(simd);
}

const char *viterbi_simd_describe(const struct viterbi_simd *simd)
{
    return simd->text;
}

size_t viterbi_simd_scratch(const struct viterbi_simd *simd)
{
    struct viterbi_run run;
    size_t lanes = 0, along = 0;

    if (simd->lanes)
        lanes = viterbi_run_carve(&run, simd, simd->lanes, NULL);
    if (simd->along)
        along = viterbi_run_carve(&run, simd, simd->along, NULL);
    return lanes > along ? lanes : along;
}

/* Full groups side by side; what is left one by one if it is little. */
static const struct viterbi_kernel *kernel_for(const struct viterbi_simd *simd, size_t items,
                                               unsigned *lanes)
{
    const struct viterbi_kernel *kernel = items < simd->few ? simd->along : simd->lanes;
    *lanes = items < kernel->lanes ? (unsigned)items : kernel->lanes;
    return kernel;
}

static void decode_wrapping(const struct viterbi_simd *simd, const struct viterbi_input *input,
                            uint8_t *packed, size_t out_stride, struct viterbi_verdict *verdict,
                            void *scratch)
{
    struct viterbi_run run;
    unsigned lanes;

    for (size_t frame = 0; frame < input->frames; frame += lanes) {
        const struct viterbi_kernel *kernel = kernel_for(simd, input->frames - frame, &lanes);
        viterbi_run_carve(&run, simd, kernel, scratch);
        viterbi_run_wrap(&run, input, frame, lanes, packed, out_stride, verdict + frame);
    }
}

void viterbi_simd_decode(const struct viterbi_simd *simd, const struct viterbi_input *input,
                         uint8_t *packed, size_t out_stride, struct viterbi_verdict *verdict,
                         void *scratch)
{
    const struct viterbi_spec *spec = &simd->spec;
    struct viterbi_groups groups;
    struct viterbi_group group;
    struct viterbi_run run;
    unsigned lanes;

    /* Bits are inserted, also where tiles meet within a byte; pad bits behind the last one stay as they are. */
    for (size_t frame = 0; frame < input->frames; frame++)
        memset(packed + frame * out_stride, 0, (spec->info_bits + 7) / 8);
    if (viterbi_wraps_around(spec)) {
        decode_wrapping(simd, input, packed, out_stride, verdict, scratch);
        return;
    }
    for (size_t frame = 0; frame < input->frames; frame++)
        verdict[frame] = (struct viterbi_verdict){.converged = 1, .iterations = 1};
    viterbi_groups_begin(&groups, spec, input);
    while (viterbi_groups_next(&groups, &group)) {
        for (size_t i = 0; i < group.items; i += lanes) {
            const struct viterbi_kernel *kernel = kernel_for(simd, group.items - i, &lanes);
            viterbi_run_carve(&run, simd, kernel, scratch);
            viterbi_run_group(&run, input, &group, i, lanes, packed, out_stride);
        }
    }
}

/* ---- the backend --------------------------------------------------------------------------- */

enum { T_ISA, T_METRIC_BITS };

struct instance {
    struct viterbi_spec spec;
    struct viterbi_simd *simd;
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

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    const struct fecrun_value *width = fecrun_value(args->tune, T_METRIC_BITS);
    unsigned bits = width->given && !width->is_auto ? (unsigned)atoi(width->s) : 0;
    struct instance *s = calloc(1, sizeof *s);
    uint32_t isa = FECRUN_ISA_GENERIC;
    int error;

    *instance = NULL;
    if (!s)
        return fecrun_no_memory(err);
    s->spec = *(const struct viterbi_spec *)args->codes[0];
    s->spec.is_float = args->form->in[0].type == FECRUN_F32;
    if (fecrun_isa_choose(fecrun_value(args->tune, T_ISA), args->host, viterbi_simd_has, &isa, err))
        goto fail;
    error = viterbi_simd_create(&s->simd, &s->spec, isa, bits);
    if (error) {
        s->simd = NULL;
        fail_create(error, &s->spec, isa, bits, err);
        goto fail;
    }
    *instance = s;
    return 0;
fail:
    destroy(s);
    return -1;
}

/* The verdicts lie behind the core's memory. */
static size_t core_scratch(const struct instance *s)
{
    return (viterbi_simd_scratch(s->simd) + 63) & ~(size_t)63;
}

static size_t scratch(const void *instance, uint64_t frames)
{
    return core_scratch(instance) + frames * sizeof(struct viterbi_verdict);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct instance *s = instance;
    void *verdicts = (char *)call->scratch + core_scratch(s);
    struct viterbi_verdict *verdict = verdicts;
    struct viterbi_input input;

    if (viterbi_check_views(&s->spec, in[0], out[0], err))
        return -1;
    input = viterbi_input_of(&s->spec, call, in[0], 0, in[0]->frames);
    viterbi_simd_decode(s->simd, &input, out[0]->data, out[0]->stride, verdict, call->scratch);
    for (uint64_t f = 0; f < in[0]->frames; f++)
        viterbi_report(&s->spec, &verdict[f], &call->info[f]);
    return 0;
}

static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_I8}), FECRUN_OUT({.type = FECRUN_PACKED})),
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_F32}), FECRUN_OUT({.type = FECRUN_PACKED})), NULL};

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
    .summary = "64 tiles side by side, or the states of one",
    .forms = forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
    .tune = tune,
    .create = create,
    .scratch = scratch,
    .run = run,
    .destroy = destroy,
};
