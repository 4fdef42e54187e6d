/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/schedule/stats.h"

#include <fecrun/sdk/stats.h>
#include <math.h>

uint64_t stats_add_squares(uint64_t a, uint64_t b)
{
    return a < STATS_UNKNOWN - (b < STATS_UNKNOWN ? b : STATS_UNKNOWN) ? a + b : STATS_UNKNOWN;
}

/* Student's t squared: t^2 / (d + t^2) has the distribution Beta(1/2, d/2). */
static double student_squared(double confidence, double d)
{
    const double x = fecrun_beta_quantile(0.5, d / 2, confidence);

    return d * x / (1 - x);
}

void stats_clustered(const struct stats_clusters *c, double confidence, double *low, double *high)
{
    const double n = (double)c->clusters, trials = (double)c->trials, errors = (double)c->errors;
    const double p = errors / trials, hit = (double)c->hit;
    double variance, effective, k;

    *low = 0;
    *high = 1;
    if (!c->errors || c->clusters < 2) {
        if (!c->errors)
            fecrun_interval(0, c->clusters, confidence, low, high);
        return;
    }
    *low = *high = NAN;
    if (c->squares >= STATS_UNKNOWN || c->errors >= c->trials)
        return;
    variance = ((double)c->squares - errors / n * errors) * n / (n - 1) / trials / trials;
    effective = p * (1 - p) / variance;
    /* The variance is known from those that were hit. */
    effective *= student_squared(confidence, 1e9) / student_squared(confidence, fmax(hit - 1, 1));
    if (!(variance > 0 && effective < trials))
        effective = trials;
    k = p * effective;
    *low = fecrun_beta_quantile(k, effective - k + 1, (1 - confidence) / 2);
    *high = fecrun_beta_quantile(k + 1, effective - k, 1 - (1 - confidence) / 2);
}
