/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend simd of frame.sync. */
#include "plugins/frame/code/sync.h"
#include "plugins/frame/plugin.h"

#include <fecrun/sdk/simd.h>

struct instance {
    const struct sync_code *code;
    const struct word_kernels *kernels;
};

static const struct word_kernels *kernels_of(uint32_t isa)
{
    return !fecrun_isa_runs(isa)      ? NULL
           : isa == FECRUN_ISA_AVX512 ? word_kernels_avx512()
           : isa == FECRUN_ISA_AVX2   ? word_kernels_avx2()
                                      : NULL;
}

static bool has(uint32_t isa)
{
    return kernels_of(isa) != NULL;
}

static int probe(const struct fecrun_host *host, int32_t device, char *reason, size_t reason_size)
{
    (void)device;
    if (host->isa >= FECRUN_ISA_AVX2 && has(FECRUN_ISA_AVX2))
        return 0;
    snprintf(reason, reason_size, "needs AVX2, and this CPU or FECRUN_ISA has less");
    return -1;
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct instance *s;
    uint32_t isa;

    *instance = NULL;
    if (fecrun_isa_choose(fecrun_value(args->tune, 0), args->host, has, &isa, err))
        return -1;
    s = calloc(1, sizeof *s);
    if (!s)
        return fecrun_no_memory(err);
    s->code = args->codes[0];
    s->kernels = kernels_of(isa);
    *instance = s;
    return 0;
}

static void note(const struct fecrun_create *args, char *text, size_t text_size)
{
    struct fecrun_error err = {.size = sizeof err};
    void *instance;

    if (create(args, &instance, &err))
        return;
    snprintf(text, text_size, "kernels of %s", ((struct instance *)instance)->kernels->name);
    free(instance);
}

static size_t scratch(const void *instance, uint64_t frames)
{
    (void)frames;
    return sync_scratch(((const struct instance *)instance)->code);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    (void)err;
    return sync_batch(((const struct instance *)instance)->kernels, call, in[0], out[0]);
}

static const struct fecrun_form *const forms[] = {
    FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8),
    FECRUN_ONE_FORM(FECRUN_I8, FECRUN_I8),
    FECRUN_ONE_FORM(FECRUN_F32, FECRUN_F32),
    NULL,
};

static const struct fecrun_param *const tune[] = {&fecrun_isa_param, NULL};

const struct fecrun_backend frame_sync_simd = {
    .size = sizeof(struct fecrun_backend),
    .name = "simd",
    .summary = "places side by side in vectors of AVX2 and AVX-512",
    .forms = forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
    .tune = tune,
    .probe = probe,
    .note = note,
    .create = create,
    .scratch = scratch,
    .run = run,
    .destroy = free,
};
