/* SPDX-License-Identifier: BSD-2-Clause */
/* --bench: information bits a second of one decoder on one thread, on noisy frames. */
#include "check.h"

#include "check_impl.h"
#include "stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 15 };

/* Times are those of run() alone, on a device until its stream is empty. */
struct bench {
    const struct check *check;
    struct check_variant variant;
    struct check_input input;
    struct check_call call;
    const struct fecrun_form *form;
    double seconds[RUNS];
};

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static int measure(struct bench *b, struct fecrun_error *err)
{
    const struct check *check = b->check;
    struct check_instance instance;
    int status = 0;

    if (check_instance_open(&instance, check, check->stage, check->backend, &b->variant, b->form,
                            NULL, b->call.frames, err))
        return -1;
    for (int i = -2; i < RUNS && !status; i++) { /* two to warm up */
        struct check_result result;

        check_now(check->report, "bench, run %d", i);
        status = check_run(&instance, &b->input, &b->call, &result, err);
        if (i >= 0)
            b->seconds[i] = check_run_seconds();
        check_result_free(&result);
    }
    check_instance_close(&instance);
    qsort(b->seconds, RUNS, sizeof *b->seconds, by_value);
    return status;
}

static void print(const struct bench *b)
{
    double bits = (double)b->variant.out[0].items * (double)b->call.frames;
    char frames[160];

    snprintf(b->check->report->bench, sizeof b->check->report->bench,
             "%.1f Mb/s (%.1f to %.1f) of information bits, %s, %s, %llu frames a call",
             bits / stats_quantile(b->seconds, RUNS, 0.5) / 1e6,
             bits / b->seconds[RUNS - 1] / 1e6, bits / b->seconds[0] / 1e6,
             b->variant.point->text, check_variant_text(&b->variant, frames, sizeof frames),
             (unsigned long long)b->call.frames);
}

static void run_bench(struct bench *b)
{
    const struct fecrun_form *const *forms = b->check->backend->backend->forms;
    struct check_random random = {b->check->options->seed};
    struct fecrun_error err;

    for (size_t i = 0; forms[i] && !b->form; i++)
        b->form = check_form_fits(&b->variant, forms[i]) ? forms[i] : NULL;
    if (!b->form || check_input_make(&b->input, b->check, &b->variant, CHECK_NOISE_3DB,
                                     check_bench_frames(b->check->stage->stage->name), &random))
        return;
    b->call = check_call_for(&b->variant, &b->input,
                             check_bench_frames(b->check->stage->stage->name));
    if (!measure(b, &err))
        print(b);
    check_input_free(&b->input);
}

static bool is_decoder(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot && !strcmp(dot, ".decode");
}

void check_bench(const struct check *check)
{
    const char *text = check_bench_case(check->stage->stage->name);
    struct check_points points = {0};
    struct check_variants variants = {0};
    struct check_point point;
    struct diag diag = {0};

    if (!is_decoder(check->stage->stage->name))
        return;
    if (text && check_point_read(&point, check->stage, text, "bench", &diag))
        points = (struct check_points){.n = 1, .point = &point};
    else if (check_points_make(&points, check, &diag))
        return;
    check_variants_make(&variants, check, &points);
    if (variants.n) {
        struct bench bench = {.check = check, .variant = variants.variant[0]};

        run_bench(&bench);
    }
    check_variants_free(&variants, check);
    if (points.point == &point)
        check_point_clear(&point);
    else
        check_points_free(&points);
}
