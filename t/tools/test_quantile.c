/* SPDX-License-Identifier: BSD-2-Clause */
/* Quantiles of the times that bench measures. */
#include "t/lib/tap.h"
#include "tools/fecrun/bench/bench.h"

#include <math.h>

int main(void)
{
    static const double values[] = {1, 2, 4, 8};

    ok(bench_quantile(values, 0, 0.5) == 0, "of nothing");
    ok(bench_quantile(values, 1, 0.9) == 1, "of one");
    ok(bench_quantile(values, 4, 0) == 1 && bench_quantile(values, 4, 1) == 8, "ends");
    ok(bench_quantile(values, 4, 0.5) == 3, "median");
    ok(fabs(bench_quantile(values, 4, 0.9) - 6.8) < 1e-12, "90 %%");
    ok(bench_quantile(values, 4, -1) == 1 && bench_quantile(values, 4, 2) == 8, "outside");
    return done_testing();
}
