/* SPDX-License-Identifier: BSD-2-Clause */
#include "sweep.h"

#include "budget.h"
#include "params.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sweep {
    const struct session *session;
    const struct sweep_options *options;
    bool keep_instances; /* all points can share them */
    bool open;
    struct exec exec;
    struct session_plan plan; /* of the point that exec was made for */
    size_t number;
    struct run_limits limits;
    json_t *backends;         /* of the first point */
    struct memory_pool *pool; /* so that points use the memory of those before */
};

/* Only parameters that a run() call reads anew change between the points, no file would have to be
   read again, and no instance holds the code of a stage that it absorbed. */
static bool can_share(const struct session *session, const struct session_plan *sp)
{
    const struct plan *plan = sp->plan;
    const struct graph *graph = session->graph;

    for (size_t i = 0; i < session->pipeline->n_sweeps; i++) {
        const struct pipeline_sweep *sweep = &session->pipeline->sweeps[i];
        const struct graph_stage *stage = &graph->stages[graph_find(graph, sweep->stage)];
        if (!(stage->stage->params[param_index(stage->params, sweep->param)]->flags &
              FECRUN_POINT))
            return false;
    }
    for (size_t s = 0; s < graph->n; s++)
        if (plan_flags(plan, s) & FECRUN_ORDERED || sp->negotiation->choices[s].absorbed_by >= 0)
            return false;
    return true;
}

static void close_exec(struct sweep *sweep)
{
    if (sweep->open)
        exec_close(&sweep->exec);
    session_plan_free(&sweep->plan);
    sweep->open = false;
}

static int open_exec(struct sweep *sweep, const struct point *point, struct diag *diag)
{
    struct exec_options options = {.cancel = sweep->options->cancel, .pool = sweep->pool};
    struct diag ignored = {0};
    int status;

    close_exec(sweep);
    if (session_plan(sweep->session, point, &sweep->plan, diag))
        return -1;
    sweep->limits = session_limits(sweep->session, sweep->plan.plan);
    status = session_exec(sweep->session, point, &sweep->plan,
                          session_most(sweep->session, &sweep->plan), &options, &sweep->exec,
                          diag);
    sweep->open = !status;
    /* results begin with the run, also where it could not begin */
    if (sweep->number == 0 && sweep->options->on_plan &&
        sweep->options->on_plan(sweep->options->data, &sweep->plan, options.workers,
                                status ? &ignored : diag))
        status = -1;
    return status ? -1 : exec_open_files(&sweep->exec, diag);
}

/* ---- One point's result ---- */

static struct result_class *result_classes(const struct session *session,
                                           const struct run_counts *counts)
{
    size_t n = session->pipeline->n_blocks;
    struct result_class *classes = n ? calloc(n, sizeof *classes) : NULL;

    for (size_t r = 0; classes && r < n; r++)
        classes[r] = (struct result_class){.cell = session->pipeline->blocks[r].cell,
                                           .user = session->pipeline->blocks[r].user,
                                           .frames = counts->rows[r].frames,
                                           .bits = counts->rows[r].bits,
                                           .bit_errors = counts->rows[r].bit_errors,
                                           .frame_errors = counts->rows[r].frame_errors};
    return classes;
}

/* One ratio for the table only if all classes of blocks have it. */
static void common_snr(const struct exec *exec, struct result_point *result)
{
    double eb, es;

    plan_snr(exec->shape.plans[0], &result->ebn0_db, &result->esn0_db);
    for (size_t c = 1; c < exec->shape.n_classes; c++) {
        plan_snr(exec->shape.plans[c], &eb, &es);
        if (!(fabs(eb - result->ebn0_db) < 1e-9))
            result->ebn0_db = NAN;
        if (!(fabs(es - result->esn0_db) < 1e-9))
            result->esn0_db = NAN;
    }
}

#define TEXT_SIZE 256

/* Canonical values of the swept parameters, as the point's plan has them. */
static void name_point(const struct sweep *sweep, const struct point *point, char (*names)[TEXT_SIZE],
                       char (*values)[TEXT_SIZE])
{
    const struct plan *plan = sweep->exec.shape.plans[0];

    for (size_t i = 0; i < point->n; i++) {
        const struct pipeline_sweep *s = point->sweeps[i];
        const struct param_set *set = plan->stages[graph_find(plan->graph, s->stage)].params;
        snprintf(names[i], TEXT_SIZE, "%s.%s", s->stage, s->param);
        param_text(set, (size_t)param_index(set, s->param), values[i], TEXT_SIZE);
    }
}

/* A later point's backends where they are not those of the first one, else NULL. */
static json_t *other_backends(struct sweep *sweep)
{
    json_t *backends = report_backends(sweep->session, &sweep->plan);

    if (!sweep->backends)
        sweep->backends = json_incref(backends);
    if (!json_equal(backends, sweep->backends))
        return backends;
    json_decref(backends);
    return NULL;
}

static int report(struct sweep *sweep, const struct point *point,
                  const struct run_counts *counts, double seconds, const char *stop,
                  struct diag *diag)
{
    char names[GRAPH_MAX_STAGES][TEXT_SIZE], values[GRAPH_MAX_STAGES][TEXT_SIZE];
    const char *name[GRAPH_MAX_STAGES], *value[GRAPH_MAX_STAGES];
    struct result_class *classes = result_classes(sweep->session, counts);
    struct result_point result = {.n_set = point->n,
                                  .set_names = name,
                                  .set_values = value,
                                  .counted = counts->counted,
                                  .checked = counts->checked,
                                  .frames = counts->frames,
                                  .bits = counts->bits,
                                  .bit_errors = counts->bit_errors,
                                  .frame_errors = counts->frame_errors,
                                  .undetected = counts->undetected,
                                  .failed = counts->failed,
                                  .iterations_max = counts->iterations_max,
                                  .seconds = seconds,
                                  .stop = stop,
                                  .n_classes = classes ? sweep->session->pipeline->n_blocks : 0,
                                  .classes = classes,
                                  .backends = other_backends(sweep)};
    int status;

    name_point(sweep, point, names, values);
    for (size_t i = 0; i < point->n; i++) {
        name[i] = names[i];
        value[i] = values[i];
    }
    if (counts->frames)
        result.iterations_mean = (double)counts->iterations / (double)counts->frames;
    common_snr(&sweep->exec, &result);
    status = sweep->options->on_point(sweep->options->data, &result, diag);
    free(classes);
    json_decref(result.backends);
    return status;
}

static void progress(void *data, const struct run_counts *counts, double seconds)
{
    const struct sweep *sweep = data;
    struct sweep_progress p = {.point = sweep->number,
                               .points = session_points(sweep->session),
                               .counts = counts,
                               .limits = sweep->limits,
                               .seconds = seconds};

    sweep->options->on_progress(sweep->options->data, &p);
}

/* A backend may take the codes of one point and not of the next. */
static int same_choices(const struct sweep *sweep, bool *same, struct diag *diag)
{
    struct negotiation *now;

    if (!*same)
        return 0;
    if (negotiate(&now, sweep->exec.shape.plans[0], diag))
        return -1;
    *same = negotiation_same(sweep->exec.negotiation, now);
    negotiation_free(now);
    return 0;
}

/* To the next point: with the instances of the one before where they serve it, too. */
static int move_exec(struct sweep *sweep, const struct point *point, struct diag *diag)
{
    bool same = false;

    if (sweep->open && sweep->keep_instances &&
        (exec_move(&sweep->exec, point, &same, diag) || same_choices(sweep, &same, diag)))
        return -1;
    return same ? 0 : open_exec(sweep, point, diag);
}

static int run_one(struct sweep *sweep, struct diag *diag)
{
    struct session_point point;
    struct run_options options = {.in_flight = sweep->session->pipeline->in_flight,
                                  .progress = sweep->options->on_progress ? progress : NULL,
                                  .data = sweep};
    struct run_counts counts = {0};
    const char *stop = "error";
    double seconds = 0;
    int status;

    session_point(sweep->session, sweep->number, &point);
    if (move_exec(sweep, &point.point, diag))
        return -1;
    sweep->keep_instances = can_share(sweep->session, &sweep->plan);
    options.limits = sweep->limits;
    status = run_point(&sweep->exec, &options, &counts, &seconds, &stop, diag);
    memory_pool_trim(sweep->pool);
    if (!status)
        status = exec_finish(&sweep->exec, diag);
    /* what was counted before an error is worth having */
    if ((!status || counts.frames) &&
        report(sweep, &point.point, &counts, seconds, stop, diag))
        status = -1;
    free(counts.rows);
    return status;
}

int sweep_run(const struct session *session, const struct sweep_options *options,
              struct diag *diag)
{
    struct sweep sweep = {.session = session, .options = options};
    size_t points = session_points(session);
    int status;

    budget_forget(session);
    status = session_check(session, diag);
    sweep.pool = memory_pool_open();

    for (; !status && sweep.number < points; sweep.number++) {
        status = run_one(&sweep, diag);
        if (options->cancel && fecrun_cancelled(options->cancel))
            break;
    }
    close_exec(&sweep);
    json_decref(sweep.backends);
    memory_pool_close(sweep.pool);
    return status;
}
