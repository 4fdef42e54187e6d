/* SPDX-License-Identifier: BSD-2-Clause */
/* plugins/common/vec: each name means the same in all instruction sets. */
#include "t/common/vec.h"
#include "t/lib/tap.h"

#include <fecrun/sdk/simd.h>

static void check(const char *name, bool runs, const char *(*wrong)(void))
{
    const char *found = runs ? wrong() : "";

    if (found && !*found)
        skip(1, "this machine or build has no %s", name);
    else
        ok(!found, "%s: each name does what it says%s%s", name, found ? ", but not " : "",
           found ? found : "");
}

int main(void)
{
    check("generic", true, vec_wrong_generic);
    check("generic without SSE2", true, vec_wrong_portable);
    check("avx2", fecrun_isa_runs(FECRUN_ISA_AVX2), vec_wrong_avx2);
    check("avx512", fecrun_isa_runs(FECRUN_ISA_AVX512), vec_wrong_avx512);
    return done_testing();
}
