/* SPDX-License-Identifier: BSD-2-Clause */
#include "simd.h"

#include <fecrun/sdk/params.h>

const char *const fecrun_isa_names[] = {
    [FECRUN_ISA_GENERIC] = "generic",
    [FECRUN_ISA_AVX2] = "avx2",
    [FECRUN_ISA_AVX512] = "avx512",
    NULL,
};

const struct fecrun_param fecrun_isa_param = {
    .size = sizeof(struct fecrun_param),
    .name = "isa",
    .type = FECRUN_VALUE_CHOICE,
    .flags = FECRUN_PARAM_MAY_AUTO,
    .choices = fecrun_isa_names,
    .default_text = "auto",
    .help = "instruction set; auto: the best of this CPU",
};

bool fecrun_isa_runs(uint32_t isa)
{
#if defined(__x86_64__) || defined(__i386__)
    if (isa == FECRUN_ISA_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    if (isa == FECRUN_ISA_AVX2)
        return __builtin_cpu_supports("avx2");
#endif
    return isa == FECRUN_ISA_GENERIC;
}

int fecrun_isa_choose(const struct fecrun_value *wanted, const struct fecrun_host *host,
                      bool (*has)(uint32_t isa), uint32_t *isa, struct fecrun_error *err)
{
    const uint32_t allowed = host->isa < FECRUN_ISA_AVX512 ? host->isa : FECRUN_ISA_AVX512;

    *isa = allowed;
    if (!wanted->given || wanted->is_auto) {
        while (*isa > FECRUN_ISA_GENERIC && !has(*isa))
            (*isa)--;
        return 0;
    }
    if ((uint64_t)wanted->i > allowed)
        return fecrun_fail(err, "isa",
                           "%s is more than %s, the best that this CPU has and FECRUN_ISA allows",
                           wanted->s, fecrun_isa_names[allowed]);
    *isa = (uint32_t)wanted->i;
    if (has(*isa))
        return 0;
    return fecrun_fail(err, "isa", "this build or this machine has no %s code", wanted->s);
}
