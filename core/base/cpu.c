/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/base/cpu.h"

#include "core/base/array.h"

#include <fecrun/sdk/simd.h>
#include <stdlib.h>
#include <time.h>

int cpu_isa(struct diag *diag)
{
    const char *cap = getenv("FECRUN_ISA");
    int isa = cap && *cap ? array_index(fecrun_isa_names, cap) : FECRUN_ISA_AVX512;

    if (isa < 0)
        return diag_fail(diag, DIAG_USAGE, "FECRUN_ISA=%s: must be generic, avx2 or avx512", cap);
    while (!fecrun_isa_runs((uint32_t)isa))
        isa--;
    return isa;
}

double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
