/* SPDX-License-Identifier: BSD-2-Clause */
/* Backend `simd` of ldpc.decode: 8-bit layered min-sum on the CPU. */
#include "plugins/ldpc/simd/simd.h"

#include <fecrun/sdk/simd.h>
#include <fecrun/sdk/stage.h>

static const struct ldpc_kernel *avx512(void)
{
#if defined(__x86_64__) || defined(__i386__)
    if (__builtin_cpu_supports("avx512vbmi") && ldpc_kernel_vbmi())
        return ldpc_kernel_vbmi();
#endif
    return ldpc_kernel_avx512();
}

static const struct ldpc_kernel *kernel_of(uint32_t isa)
{
    if (!fecrun_isa_runs(isa))
        return NULL;
    return isa == FECRUN_ISA_AVX512 ? avx512()
           : isa == FECRUN_ISA_AVX2 ? ldpc_kernel_avx2()
                                    : ldpc_kernel_generic();
}

/* Vectors of 64 bytes take twice the time of those of 32, which have as many lanes as are needed here; but for rows
   that are packed. */
static const struct ldpc_kernel *along_of(const struct ldpc_kernel *kernel, uint32_t z)
{
    const struct ldpc_kernel *narrow = ldpc_kernel_avx2();

    if (!narrow || z > narrow->width || kernel->width <= narrow->width ||
        kernel->slots & (z <= 16 ? 16 : 32))
        return kernel;
    return narrow;
}

static bool has(uint32_t isa)
{
    return kernel_of(isa) != NULL;
}

struct ldpc_simd *ldpc_simd_with(const struct ldpc_decode *decode, const struct ldpc_kernel *kernel,
                                 enum ldpc_layout layout, bool whole, struct fecrun_error *err)
{
    struct ldpc_simd *s = calloc(1, sizeof *s);

    if (!s) {
        fecrun_no_memory(err);
        return NULL;
    }
    s->decode = decode;
    s->whole = whole;
    s->kernel = kernel;
    s->along = along_of(kernel, decode->code->z);
    if (ldpc_fixed_init(&s->fixed, decode, err) || ldpc_simd_plan(s, layout, err)) {
        ldpc_simd_free(s);
        return NULL;
    }
    return s;
}

struct ldpc_simd *ldpc_simd_new(const struct ldpc_decode *decode, uint32_t isa,
                                enum ldpc_layout layout, bool whole, struct fecrun_error *err)
{
    const struct ldpc_kernel *kernel = kernel_of(isa);

    if (kernel)
        return ldpc_simd_with(decode, kernel, layout, whole, err);
    fecrun_fail(err, "isa", "this build or this machine has no such code");
    return NULL;
}

void ldpc_simd_free(struct ldpc_simd *s)
{
    if (!s)
        return;
    free(s->row);
    free(s->edge);
    free(s->column);
    free(s->column_of);
    free(s->from);
    free(s->step);
    free(s->packed.column);
    free(s->packed.order);
    free(s->packed.orders);
    free(s->packed.turns);
    free(s->run);
    free(s->index);
    free(s->lone);
    free(s);
}

size_t ldpc_simd_scratch(const struct ldpc_simd *s)
{
    struct ldpc_along_work along_work;
    struct ldpc_lanes_work lanes_work;
    size_t along = s->n_rows ? ldpc_along_carve(&along_work, s, NULL) : 0;
    size_t lanes = s->along_few <= LDPC_LANES || s->along_rest <= LDPC_LANES
                       ? ldpc_lanes_carve(&lanes_work, s, NULL)
                       : 0;

    return along > lanes ? along : lanes;
}

void ldpc_simd_decode(const struct ldpc_simd *s, const struct ldpc_batch *batch, uint64_t frames,
                      void *scratch)
{
    const uint32_t few = frames > LDPC_ALONE ? s->along_rest : s->along_few;
    const uint64_t rest = frames % LDPC_LANES;
    uint64_t side = 0;

    if (few <= LDPC_LANES)
        side = frames - (rest < few ? rest : 0);
    if (side)
        s->kernel->lanes(s, batch, 0, side, scratch);
    for (uint64_t f = side; f < frames; f++)
        s->along->along(s, batch, f, scratch);
}

/* ---- the backend ---------------------------------------------------------------------------- */

enum { T_ISA, T_LAYOUT };

static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    struct ldpc_fixed fixed;

    return ldpc_fixed_init(&fixed, args->codes[0], err);
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    const struct fecrun_value *layout = fecrun_value(args->tune, T_LAYOUT);
    uint32_t isa = FECRUN_ISA_GENERIC;

    *instance = NULL;
    if (fecrun_isa_choose(fecrun_value(args->tune, T_ISA), args->host, has, &isa, err))
        return -1;
    *instance = ldpc_simd_new(args->codes[0], isa,
                              !layout->given || layout->is_auto ? LDPC_LAYOUT_AUTO
                              : layout->i == 0                  ? LDPC_LAYOUT_ALONG
                                                                : LDPC_LAYOUT_LANES,
                              ldpc_form_is_soft(args->form), err);
    return *instance ? 0 : -1;
}

static void note(const struct fecrun_create *args, char *text, size_t text_size)
{
    struct fecrun_error err = {.size = sizeof err};
    void *instance;

    if (create(args, &instance, &err))
        return;
    ldpc_simd_explain(instance, text, text_size);
    ldpc_simd_free(instance);
}

static void destroy(void *instance)
{
    ldpc_simd_free(instance);
}

static size_t scratch(const void *instance, uint64_t frames)
{
    (void)frames;
    return ldpc_simd_scratch(instance);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct ldpc_simd *s = instance;
    struct ldpc_batch batch = {
        .llr = in[0]->data,
        .llr_stride = in[0]->stride,
        .bits = out[LDPC_OUT]->data,
        .bits_stride = out[LDPC_OUT]->stride,
        .packed = out[LDPC_OUT]->type == FECRUN_PACKED,
        .info = call->info,
    };

    if (in[0]->items != s->decode->code->n || out[LDPC_OUT]->items != s->decode->bits)
        return fecrun_fail(err, NULL, "made for frames of %lu LLRs, called with %llu",
                           (unsigned long)s->decode->code->n, (unsigned long long)in[0]->items);
    for (unsigned p = 0; p < 2; p++)
        if (out[LDPC_OUT_LLR + p]) {
            batch.soft[p] = out[LDPC_OUT_LLR + p]->data;
            batch.soft_stride[p] = out[LDPC_OUT_LLR + p]->stride;
        }
    ldpc_simd_decode(s, &batch, in[0]->frames, call->scratch);
    return 0;
}

/* The last one, which is chosen where somebody reads LLRs, has more to keep: struct ldpc_simd, `whole`. */
static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_I8}), LDPC_DECODE_OUT_BITS(FECRUN_PACKED)),
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_I8}), LDPC_DECODE_OUT_BITS(FECRUN_U8)),
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_I8}), LDPC_DECODE_OUT(FECRUN_PACKED)), NULL};

static const struct fecrun_param *const tune[] = {
    &fecrun_isa_param,
    FECRUN_PARAM(.name = "layout", .type = FECRUN_VALUE_CHOICE, .flags = FECRUN_PARAM_MAY_AUTO,
                 .choices = (const char *const[]){"block", "blocks", NULL}, .default_text = "auto",
                 .help = "block: one block after the other, vectors along its lanes; blocks: 64 "
                         "blocks side by side; auto: what is faster"),
    NULL};

const struct fecrun_backend ldpc_decode_simd = {
    .size = sizeof(struct fecrun_backend),
    .name = "simd",
    .summary = "8-bit layered min-sum, along the lanes of a block or 64 blocks side by side",
    .forms = forms,
    .agreement = FECRUN_AGREEMENT_NEAR,
    .bound = 1,
    .tune = tune,
    .create = create,
    .scratch = scratch,
    .run = run,
    .destroy = destroy,
    .takes = takes,
    .note = note,
};
