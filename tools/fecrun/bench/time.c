/* SPDX-License-Identifier: BSD-2-Clause */
/* Repeats, medians and percentiles of times. */
#include "tools/fecrun/bench/bench_impl.h"

#include "core/base/cpu.h"

#include <math.h>
#include <stdlib.h>

enum { LATENCY_CALLS = 200, LATENCY_LEAST = 20, CALLS_MOST = 1 << 20 };

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Calls that take at least that long, and as warm-up the calls that show it. */
static unsigned enough_calls(bench_time_fn *fn, void *data, double least, struct diag *diag)
{
    unsigned calls = BENCH_SLOTS;
    double t = fn(data, calls, diag);

    while (t >= 0 && t < least / 2 && calls < CALLS_MOST / 2) {
        calls *= 2;
        t = fn(data, calls, diag);
    }
    if (t < 0)
        return 0;
    t = 1.1 * least * calls / (t + 1e-12);
    return t < CALLS_MOST ? (unsigned)t + 1 : CALLS_MOST;
}

double bench_median(bench_time_fn *fn, void *data, double least, double *spread, unsigned *calls,
                    struct diag *diag)
{
    double seconds[BENCH_REPEATS], median;
    unsigned n = enough_calls(fn, data, least, diag);

    if (!n)
        return -1;
    for (unsigned i = 0; i < BENCH_REPEATS; i++) {
        double t = fn(data, n, diag);
        if (t < 0)
            return -1;
        seconds[i] = t / n;
    }
    qsort(seconds, BENCH_REPEATS, sizeof *seconds, by_value);
    median = seconds[BENCH_REPEATS / 2];
    if (spread)
        *spread = (seconds[BENCH_REPEATS - 1] - seconds[0]) / median;
    if (calls)
        *calls = n;
    return median;
}

double bench_quantile(const double *sorted, uint64_t n, double q)
{
    double place, below;
    uint64_t i;

    if (n == 0)
        return 0;
    place = fmin(fmax(q, 0), 1) * (double)(n - 1);
    below = floor(place);
    i = (uint64_t)below;
    if (i + 1 >= n)
        return sorted[n - 1];
    return sorted[i] + (place - below) * (sorted[i + 1] - sorted[i]);
}

int bench_latency(bench_time_fn *fn, void *data, double most, struct bench_result *result,
                  struct diag *diag)
{
    double us[LATENCY_CALLS], begin = cpu_seconds();
    unsigned n = 0;

    while (n < LATENCY_CALLS && (n < LATENCY_LEAST || cpu_seconds() - begin < most)) {
        double t = fn(data, 1, diag);
        if (t < 0)
            return -1;
        us[n++] = 1e6 * t;
    }
    qsort(us, n, sizeof *us, by_value);
    result->latency_us[0] = bench_quantile(us, n, 0.5);
    result->latency_us[1] = bench_quantile(us, n, 0.9);
    result->latency_us[2] = bench_quantile(us, n, 0.99);
    result->latency_us[3] = us[n - 1];
    result->latency_calls = n;
    return 0;
}
