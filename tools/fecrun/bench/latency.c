/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures the latency of single frames that arrive at a rate. */
#include "tools/fecrun/bench/bench_impl.h"
#include "tools/fecrun/bench/load.h"

#include "core/base/cpu.h"

#include <math.h>
#include <stdlib.h>

#define MIN_SECONDS 0.02 /* of a repeat that measures how many frames single calls serve */

struct server {
    bench_time_fn *fn;
    void *data;
};

static int serve(void *data, struct diag *diag)
{
    const struct server *server = data;

    return server->fn(server->data, 1, diag) < 0 ? -1 : 0;
}

static double now(void *data)
{
    (void)data;
    return cpu_seconds();
}

/* ---- What was measured ---- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* A quantile is unknown where not one frame is expected above it. */
static void take_quantiles(double *us, uint64_t n, double quantiles[5])
{
    static const double q[] = {0.5, 0.9, 0.99, 0.999};

    qsort(us, n, sizeof *us, by_value);
    for (size_t i = 0; i < 4; i++)
        quantiles[i] = n * (1 - q[i]) > 1 - 1e-9 ? bench_quantile(us, n, q[i]) : NAN;
    quantiles[4] = n ? us[n - 1] : NAN;
}

static void take_served(const struct load_served *served, double *us, struct bench_result *result)
{
    result->served = served->frames;
    result->service_us = served->frames ? 1e6 * served->busy / (double)served->frames : 0;
    result->load = 1e-6 * result->service_us * result->rate;
    result->overloaded = served->overloaded;
    take_quantiles(us, served->overloaded ? 0 : served->frames, result->load_us);
}

/* ---- The load ---- */

static int plan_load(const struct bench_load *wanted, double call_seconds,
                     struct bench_result *result, struct diag *diag)
{
    const double rate = wanted->rate > 0 ? wanted->rate : wanted->share / call_seconds;
    const double frames = floor(rate * wanted->seconds + 0.5);

    result->rate = rate;
    result->arrivals = (uint64_t)fmin(frames, BENCH_LOAD_FRAMES);
    if (frames < 1 || frames > BENCH_LOAD_FRAMES)
        return diag_fail(diag, DIAG_USAGE,
                         "--seconds %g: %.6g frames arrive at a rate of %.6g a second, must be 1 "
                         "to %d",
                         wanted->seconds, frames, rate, BENCH_LOAD_FRAMES);
    return 0;
}

int bench_serve(struct bench *bench, bench_time_fn *fn, void *data, struct bench_result *result,
                struct diag *diag)
{
    struct server server = {fn, data};
    struct load load = {.serve = serve, .now = now, .data = &server, .cancel = bench->load->cancel};
    struct load_served served;
    double *us, call = bench_median(fn, data, MIN_SECONDS, NULL, NULL, diag);
    int status;

    if (call < 0 || plan_load(bench->load, call, result, diag))
        return -1;
    load.rate = result->rate;
    load.frames = result->arrivals;
    us = calloc(load.frames, sizeof *us);
    if (!us)
        return diag_no_memory(diag);
    status = load_run(&load, us, &served, diag);
    if (!status)
        take_served(&served, us, result);
    free(us);
    return status;
}
