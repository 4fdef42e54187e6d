/* SPDX-License-Identifier: BSD-2-Clause */
/* Backend `simd` of ldpc.syndrome. */
#include "plugins/ldpc/syndrome/simd/simd.h"

enum { T_ISA };

const struct ldpc_syndrome_kernel *ldpc_syndrome_kernel(uint32_t isa)
{
    if (!fecrun_isa_runs(isa))
        return NULL;
    return isa == FECRUN_ISA_AVX512 ? ldpc_syndrome_avx512()
           : isa == FECRUN_ISA_AVX2 ? ldpc_syndrome_avx2()
                                    : ldpc_syndrome_generic();
}

static bool has(uint32_t isa)
{
    return ldpc_syndrome_kernel(isa) != NULL;
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    uint32_t isa = FECRUN_ISA_GENERIC;

    *instance = NULL;
    if (fecrun_isa_choose(fecrun_value(args->tune, T_ISA), args->host, has, &isa, err))
        return -1;
    *instance = ldpc_syndrome_simd_new(args->codes[0], ldpc_syndrome_kernel(isa), err);
    return *instance ? 0 : -1;
}

static void destroy(void *instance)
{
    ldpc_syndrome_simd_free(instance);
}

static size_t scratch(const void *instance, uint64_t frames)
{
    const struct ldpc_syndrome_simd *s = instance;

    (void)frames;
    return s->kernel->scratch(s);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct ldpc_syndrome_simd *s = instance;
    const struct ldpc_syndrome_batch batch = {
        .syndrome = in[0],
        .error = out[LDPC_SYNDROME_ERROR],
        .llr = out[LDPC_SYNDROME_LLR],
        .info = call->info,
        .cancel = call->cancel,
        .frames = in[0]->frames,
    };

    (void)err;
    return s->kernel->decode(s, &batch, call->scratch) ? 0 : FECRUN_CANCELLED;
}

static const struct fecrun_param *const tune[] = {&fecrun_isa_param, NULL};

const struct fecrun_backend ldpc_syndrome_simd = {
    .size = sizeof(struct fecrun_backend),
    .name = "simd",
    .summary = "shots side by side, with the reference's result",
    .forms = LDPC_SYNDROME_FORMS,
    .agreement = FECRUN_AGREEMENT_EXACT,
    .tune = tune,
    .create = create,
    .scratch = scratch,
    .run = run,
    .destroy = destroy,
};
