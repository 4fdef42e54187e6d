/* SPDX-License-Identifier: BSD-2-Clause */
/* A cell through fecrun's own bench, and the same frames through another decoder. */
#include "bench/map/speed/speed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/map/trial.h"
#include "tools/fecrun/bench/bench.h"
#include "tools/fecrun/report.h"

enum { TEXT_SIZE = 4096, ATTEMPTS = 20 };

int speed_yaml(const struct speed_cell *s, const char *backend, char *text, size_t size)
{
    const struct variant variant = {.esn0_db = s->esn0_db, .backend = backend, .quantized = true};

    return cell_yaml(&s->cell, &variant, 0, text, size) ? 0 : -1;
}

static int open_trial(struct trial *trial, const struct speed_cell *s, const char *backend,
                      unsigned batch, struct fecrun_message *message)
{
    const struct variant variant = {
        .esn0_db = s->esn0_db, .backend = backend, .quantized = true, .batch = batch};

    return trial_open(trial, &s->cell, &variant, message);
}

int speed_find(struct speed_cell *s, const struct speed_options *options, unsigned number,
               char *text, size_t size)
{
    struct fecrun_message message = {.size = sizeof message};
    struct trial trial;

    for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
        speed_draw(s, options->seed, number, attempt);
        if (!open_trial(&trial, s, "ref", 1, &message)) {
            trial_close(&trial);
            return 0;
        }
    }
    snprintf(text, size, "%s", message.text);
    return -1;
}

static void pretend(const char *like)
{
    if (*like)
        setenv("FECRUN_CUDA_LIKE", like, 1);
    else
        unsetenv("FECRUN_CUDA_LIKE");
}

void speed_prepare(struct speed *s, const struct speed_options *options)
{
    struct fecrun_message message = {.size = sizeof message};
    struct trial trial;

    pretend(s->cell.like);
    if (open_trial(&trial, &s->cell, options->backend, s->cell.batch, &message) ||
        trial_need(&trial, s->cell.batch, &message))
        snprintf(s->refused, sizeof s->refused, "%.*s", (int)sizeof s->refused - 1, message.text);
    trial_close(&trial);
}

/* ---- Timed --------------------------------------------------------------------------------------- */

static void note_kernel(struct speed *s, const struct session *session, size_t stage)
{
    struct session_plan plan;
    struct diag diag = {0};
    json_t *report;
    const char *note = NULL;

    if (session_plan(session, 0, &plan, &diag))
        return;
    report = report_plan(session, &plan);
    note = json_string_value(
        json_object_get(json_array_get(json_object_get(report, "stages"), stage), "backend_note"));
    snprintf(s->kernel, sizeof s->kernel, "%s", note ? note : "");
    json_decref(report);
    session_plan_free(&plan);
}

static void take(struct speed *s, const struct bench_result *r)
{
    const double frames = r->device_gbps * 1e9 / (double)r->info_bits;

    s->gbps = r->device_gbps;
    s->us = 1e6 * (double)r->batch / frames;
    s->iterations = r->iterations_mean > 0 && s->cell.cell.iterations ? r->iterations_mean : 1;
    if (s->cell.cell.iterations && r->iterations_mean <= 0)
        s->iterations = s->cell.cell.iterations;
    s->rate = frames * s->cell.work * s->iterations;
    s->fer = r->fer;
    s->frames = (double)r->frames;
}

static int measure(struct speed *s, struct session *session, struct diag *diag)
{
    const struct bench_options options = {
        .batch = s->cell.batch, .stage_only = true, .brief = true};
    const int stage = bench_stage(session, NULL, diag);
    struct bench_result result;

    if (stage < 0)
        return -1;
    note_kernel(s, session, (size_t)stage);
    if (bench_run(session, (size_t)stage, &options, &result, diag))
        return -1;
    take(s, &result);
    return 0;
}

void speed_measure(struct speed *s, const struct speed_options *options)
{
    const char *dirs[] = {trial_plugin_dir, NULL};
    struct session_options session_options = {.registry.dirs = trial_plugin_dir ? dirs : NULL,
                                              .threads = 1};
    char text[TEXT_SIZE], name[32];
    struct session session;
    struct diag diag = {0};

    pretend(s->cell.like);
    snprintf(name, sizeof name, "cell %u", s->cell.cell.number);
    if (speed_yaml(&s->cell, options->backend, text, sizeof text)) {
        snprintf(s->refused, sizeof s->refused, "its pipeline is too long");
        return;
    }
    session_options.pipeline.text = text;
    session_options.pipeline.text_size = strlen(text);
    if (!session_open(&session, name, &session_options, &diag) && !measure(s, &session, &diag))
        diag.text[0] = 0;
    snprintf(s->refused, sizeof s->refused, "%.*s", (int)sizeof s->refused - 1, diag.text);
    session_close(&session);
}

/* ---- Checked -------------------------------------------------------------------------------------- */

void speed_check(struct speed *s, const struct speed_options *options)
{
    static const char *const others[] = {"simd", "ref"};
    const unsigned turns = s->cell.cell.iterations ? s->cell.cell.iterations : 1;
    const double effort = options->effort / (s->cell.cell.cost * turns);
    struct fecrun_message message = {.size = sizeof message};
    size_t frames = (size_t)fmin(s->frames, fmin(fmax(effort, 16), 2000));
    struct trial trial;

    for (unsigned i = 0; i < 2 && s->gbps > 0 && frames; i++) {
        if (!open_trial(&trial, &s->cell, others[i], 0, &message) &&
            !trial_need(&trial, frames, &message)) {
            const struct counts counts = trial_count(&trial, frames);

            s->checked = (double)counts.frames;
            s->checked_fer = (double)counts.wrong / (double)counts.frames;
            s->checker = others[i];
        }
        trial_close(&trial);
        if (s->checked > 0)
            return;
    }
}

/* Four standard deviations of both, and a third of the errors, as decoders of one algorithm differ. */
bool speed_is_wrong(const struct speed *s)
{
    const double p = (s->fer * s->frames + s->checked_fer * s->checked + 1) /
                     (s->frames + s->checked + 2);

    return s->checked > 0 && s->fer > 1.33 * s->checked_fer +
                                          4 * sqrt(p * (1 - p) * (1 / s->frames + 1 / s->checked));
}
