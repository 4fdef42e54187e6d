/* SPDX-License-Identifier: BSD-2-Clause */
/* --bench: information bits a second of one backend on one thread, on noisy frames. */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"

#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 15, FEWEST = 3, FRAMES = 64 };

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Seconds of run() alone, on a device until its stream is empty; sorted. How many: fewer where a
   call is slow, 0 after a failure. */
static size_t measure(const struct check *check, const struct check_instance *instance,
                      const struct check_input *input, uint64_t frames, double seconds[RUNS])
{
    struct check_call call = check_call_for(instance->variant, input, frames);
    double end = check_clock() + check->options->seconds;
    size_t n = 0;

    for (int warm = 2; n < RUNS && (n < FEWEST || check_clock() < end); warm--) {
        struct check_result result;
        struct fecrun_error err;
        int status;

        check_now(check->report, "bench, run %zu", n);
        status = check_run(instance, input, &call, &result, &err);
        check_result_free(&result);
        if (status)
            return 0;
        if (warm <= 0)
            seconds[n++] = check_run_seconds();
    }
    qsort(seconds, n, sizeof *seconds, by_value);
    return n;
}

static void print(const struct check *check, const struct check_variant *v, uint64_t frames,
                  const double *seconds, size_t n)
{
    double bits = (double)v->out[0].items * (double)frames;
    char text[160];

    snprintf(check->report->bench, sizeof check->report->bench,
             "%.1f Mb/s (%.1f to %.1f) of information bits, %.400s, %s, %llu frames a call",
             2 * bits / (seconds[(n - 1) / 2] + seconds[n / 2]) / 1e6, bits / seconds[n - 1] / 1e6,
             bits / seconds[0] / 1e6, v->point->text, check_variant_text(v, text, sizeof text),
             (unsigned long long)frames);
}

static void run_bench(const struct check *check, const struct check_variant *v, uint64_t frames)
{
    const struct fecrun_form *form = check_first_form(v, check->backend->backend);
    struct check_random random = {check->options->seed};
    struct check_instance instance;
    struct check_input input;
    struct fecrun_error err;
    double seconds[RUNS];
    size_t n;

    if (!form || check_input_make(&input, check, v, CHECK_NOISE_3DB, frames, &random))
        return;
    if (!check_instance_open(&instance, check, check->stage, check->backend, v, form, NULL, frames,
                             &err)) {
        n = measure(check, &instance, &input, frames, seconds);
        if (n)
            print(check, v, frames, seconds, n);
        check_instance_close(&instance);
    }
    check_input_free(&input);
}

static bool is_decoder(const struct fecrun_stage *stage)
{
    return stage->role == FECRUN_ROLE_TRANSFORM && stage->inputs[0]->kinds == FECRUN_KIND_LLR &&
           stage->outputs[0]->kinds == FECRUN_KIND_BITS;
}

void check_bench(const struct check *check, const struct check_variants *variants)
{
    for (size_t i = 0; i < variants->n; i++) {
        const struct check_variant *v = &variants->variant[i];

        if (v->point->example && v->point->example->batch) {
            run_bench(check, v, v->point->example->batch);
            return;
        }
    }
    if (variants->n && is_decoder(check->stage->stage))
        run_bench(check, &variants->variant[0], FRAMES);
}
