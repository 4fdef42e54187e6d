/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/outer/simd/instance.h"

const struct fecrun_param *const outer_simd_tune[] = {&fecrun_isa_param, NULL};

int outer_simd_probe(const struct fecrun_host *host, outer_has_kernels *has, const char *needs,
                     char *reason, size_t reason_size)
{
    if (host->isa >= FECRUN_ISA_AVX2 && has(FECRUN_ISA_AVX2))
        return 0;
    snprintf(reason, reason_size, "needs %s, and this CPU or FECRUN_ISA has less", needs);
    return -1;
}

void *outer_simd_make(const struct fecrun_create *args, size_t size, outer_has_kernels *has,
                      uint32_t *isa, struct fecrun_error *err)
{
    void *instance;

    if (fecrun_isa_choose(fecrun_value(args->tune, 0), args->host, has, isa, err))
        return NULL;
    instance = calloc(1, size);
    if (!instance)
        fecrun_no_memory(err);
    return instance;
}

void outer_simd_note(const char *name, char *text, size_t text_size)
{
    if (name)
        snprintf(text, text_size, "kernels of %s", name);
}
