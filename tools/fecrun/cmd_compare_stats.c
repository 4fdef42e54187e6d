/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/cmd_compare_stats.h"

#include <fecrun/sdk/stats.h>
#include <math.h>
#include <stdbool.h>

double compare_paired(uint64_t a, uint64_t b)
{
    const double n = (double)a + (double)b, high = (double)(a > b ? a : b);
    const double p = a == b ? 1 : 2 * fecrun_beta(high, n - high + 1, 0.5);

    return p < 1 ? p : 1;
}

double compare_unpaired(const struct compare_two *two)
{
    const double a = (double)two->trials[0], b = (double)two->trials[1], n = a + b;
    const double all = (double)two->errors[0] + (double)two->errors[1];
    const bool upper = (double)two->errors[0] * n >= all * a;
    double k = (double)two->errors[0], term, sum;

    if (!(all > 0 && all < n && a > 0 && b > 0))
        return 1;
    /* hypergeometric: the same for any rate, so for the one that both have together */
    term = fecrun_binomial(k, a, all / n, 1 - all / n) *
           fecrun_binomial(all - k, b, all / n, 1 - all / n) /
           fecrun_binomial(all, n, all / n, 1 - all / n);
    for (sum = term; term > 1e-17 * sum; sum += term) {
        if (upper)
            term *= (a - k) / (k + 1) * ((all - k) / (b - all + k + 1)), k++;
        else
            term *= k / (a - k + 1) * ((b - all + k) / (all - k + 1)), k--;
    }
    return 2 * sum < 1 ? 2 * sum : 1;
}

void compare_ratio(const struct compare_two *two, double confidence, double *low, double *high)
{
    const double scale = (double)two->trials[0] / (double)two->trials[1];

    fecrun_interval(two->errors[1], two->errors[0] + two->errors[1], confidence, low, high);
    *low = *low / (1 - *low) * scale;
    *high = *high < 1 ? *high / (1 - *high) * scale : INFINITY;
}

double compare_strata(const struct compare_two *strata, size_t n)
{
    double off = 0, variance = 0;

    for (size_t i = 0; i < n; i++) {
        const double a = (double)strata[i].trials[0], b = (double)strata[i].trials[1];
        const double all = (double)strata[i].errors[0] + (double)strata[i].errors[1];

        if (!(a > 0 && b > 0 && a + b > 1))
            continue;
        off += (double)strata[i].errors[0] - all * (a / (a + b));
        variance += all * (a / (a + b)) * (b / (a + b)) * ((a + b - all) / (a + b - 1));
    }
    /* half an error less, as errors are whole ones */
    off = fmax(fabs(off) - 0.5, 0);
    return variance > 0 ? erfc(off / sqrt(2 * variance)) : 1;
}
