/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#include "tools/fecrun/cli.h"
#include <fecrun/sdk/params.h>
#include "tools/fecrun/report.h"
#include "tools/fecrun/signals.h"
#include "core/session/sweep.h"

#include <string.h>
#include <unistd.h>

struct running {
    const struct cli *cli;
    const struct session *session;
    struct result *result;
    json_t *backends; /* of the first point */
    bool terminal;    /* progress is shown */
    bool shown;       /* and stands on the line now */
    uint64_t last_frames;
    double last_seconds, rate;
};

static void clear_progress(struct running *running)
{
    if (running->shown)
        fputs("\r\033[K", stderr);
    running->shown = false;
}

/* Seconds until the first stop rule holds, if things go on as they are; negative: unknown. */
static double time_left(const struct sweep_progress *p, double rate)
{
    double left = -1, t;

    if (p->limits.seconds > 0)
        left = p->limits.seconds - p->seconds;
    if (p->limits.frames && rate > 0) {
        t = (double)(p->limits.frames - p->counts->frames) / rate;
        left = left < 0 || t < left ? t : left;
    }
    if (p->limits.frame_errors && p->counts->frame_errors) {
        t = p->seconds * ((double)p->limits.frame_errors / (double)p->counts->frame_errors - 1);
        left = left < 0 || t < left ? t : left;
    }
    return left;
}

static void on_progress(void *data, const struct sweep_progress *p)
{
    struct running *running = data;
    double rate = p->seconds > 0 ? (double)p->counts->frames / p->seconds : 0;
    double mbps = p->seconds > 0 ? (double)p->counts->info_bits / p->seconds * 1e-6 : 0;
    double left = time_left(p, rate);

    if (p->seconds < 0.5)
        return;
    fprintf(stderr, "\r\033[Kpoint %zu/%zu: %llu frames, %llu wrong, %.4g Mb/s", p->point + 1,
            p->points, (unsigned long long)p->counts->frames,
            (unsigned long long)p->counts->frame_errors, mbps);
    if (left >= 0)
        fprintf(stderr, ", %.0f s left", left);
    fflush(stderr);
    running->shown = true;
}

static int on_plan(void *data, const struct session_plan *plan, unsigned workers, struct diag *diag)
{
    struct running *running = data;

    cli_warn(running->session);
    return result_run(running->result, report_run(running->session, plan, workers), diag);
}

static int on_point(void *data, const struct result_point *point, struct diag *diag)
{
    struct running *running = data;

    json_t *backends = report_backends(running->session, point->plan);
    int status;

    clear_progress(running);
    if (!running->backends)
        running->backends = json_incref(backends);
    status = result_point(running->result, point,
                          json_equal(backends, running->backends) ? NULL : backends, diag);
    json_decref(backends);
    return status;
}

/* A sink that writes its samples to standard output, or NULL. */
static const char *sink_on_stdout(const struct session *session)
{
    const struct graph_stage *sink = &session->graph->stages[session->graph->n - 1];
    const struct fecrun_values *values = param_values(sink->params);

    for (size_t i = 0; i < values->count; i++)
        if (sink->stage->params[i]->type == FECRUN_P_PATH && values->v[i]->given &&
            !strcmp(values->v[i]->s, "-"))
            return sink->decl->id;
    return NULL;
}

/* Samples and results do not mix. */
static int open_results(struct running *running, struct diag *diag)
{
    const struct cli *cli = running->cli;
    const char *sink = sink_on_stdout(running->session);
    const struct result_options options = cli->result;

    if (sink && ((options.json && !strcmp(options.json, "-")) ||
                 (options.csv && !strcmp(options.csv, "-"))))
        return diag_fail(diag, DIAG_USAGE, "%s -: %s writes to standard output, too",
                         options.json && !strcmp(options.json, "-") ? "--json" : "--csv", sink);
    if (result_open(&running->result, &options, diag))
        return -1;
    if (sink)
        result_spare_stdout(running->result);
    return 0;
}

int cmd_run(const struct cli *cli, struct diag *diag)
{
    struct session session;
    struct running running = {.cli = cli, .session = &session};
    struct sweep_options options = {
        .on_plan = on_plan, .on_point = on_point, .data = &running, .cancel = signals_catch()};
    int status;

    if (session_open(&session, cli->operand, &cli->session, diag))
        return -1;
    running.terminal = !cli->result.quiet && isatty(STDERR_FILENO);
    options.on_progress = running.terminal ? on_progress : NULL;
    status = open_results(&running, diag);
    if (!status) {
        status = sweep_run(&session, &options, diag);
        clear_progress(&running);
        status = cli_close(cli, running.result, status, fecrun_cancelled(options.cancel), diag);
    }
    json_decref(running.backends);
    session_close(&session);
    return status;
}
