/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/session/sweep.h"

#include "core/plan/share.h"
#include "core/session/budget.h"
#include <fecrun/sdk/params.h>

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
    struct session_plan made; /* of the point that exec was made for */
    struct session_plan plan; /* of the present one, if it is another */
    size_t number;
    struct run_limits limits;
    struct memory_pool *pool; /* so that points use the memory of those before */
};

/* Does the stage take a swept value of another one, which it would not have read anew? */
static bool follows_sweep(const struct plan *plan, size_t s)
{
    const struct fecrun_param *const *params = plan->graph->stages[s].stage->params;

    for (size_t i = 0; params[i]; i++)
        if (!(params[i]->flags & FECRUN_POINT) && share_varies(plan, s, i))
            return true;
    return false;
}

/* Only parameters that a run() call reads anew change between the points, no file would have to be
   read again, and no instance holds the code of a stage that it absorbed. */
static bool can_share(const struct session *session, const struct session_plan *sp)
{
    const struct plan *plan = sp->plan;
    const struct graph *graph = session->graph;

    for (size_t i = 0; i < session->pipeline->n_sweeps; i++) {
        const struct pipeline_sweep *sweep = &session->pipeline->sweeps[i];
        const struct graph_stage *stage = &graph->stages[graph_find(graph, sweep->stage)];
        if (!(stage->stage->params[param_index(stage->params, sweep->param)]->flags & FECRUN_POINT))
            return false;
    }
    for (size_t s = 0; s < graph->n; s++)
        if (follows_sweep(plan, s) || plan_flags(plan, s) & FECRUN_ORDERED ||
            sp->negotiation->choices[s].absorbed_by >= 0)
            return false;
    return true;
}

static void close_exec(struct sweep *sweep)
{
    if (sweep->open)
        exec_close(&sweep->exec);
    session_plan_free(&sweep->plan);
    session_plan_free(&sweep->made);
    sweep->open = false;
}

/* Takes over the plan. */
static int open_exec(struct sweep *sweep, struct session_plan *plan, struct diag *diag)
{
    struct exec_options options = {.cancel = sweep->options->cancel, .pool = sweep->pool};
    struct diag ignored = {0};
    int status;

    close_exec(sweep);
    sweep->made = *plan;
    sweep->limits = session_limits(sweep->session, sweep->made.plan);
    status = session_exec(sweep->session, &sweep->made, session_most(sweep->session, &sweep->made),
                          &options, &sweep->exec, diag);
    sweep->open = !status;
    /* results begin with the run, also where it could not begin */
    if (sweep->number == 0 && sweep->options->on_plan &&
        sweep->options->on_plan(sweep->options->data, &sweep->made, options.workers,
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
static void common_snr(const struct shape *shape, struct result_point *result)
{
    double eb, es;

    plan_snr(shape->plans[0], &result->ebn0_db, &result->esn0_db);
    for (size_t c = 1; c < shape->n_classes; c++) {
        plan_snr(shape->plans[c], &eb, &es);
        if (!(fabs(eb - result->ebn0_db) < 1e-9))
            result->ebn0_db = NAN;
        if (!(fabs(es - result->esn0_db) < 1e-9))
            result->esn0_db = NAN;
    }
}

#define TEXT_SIZE 256

/* Swept parameters and their canonical values, as the point's plan has them: values stand behind
   the n names. free() it; NULL: out of memory. */
static const char **name_point(const struct shape *shape)
{
    const struct plan *plan = shape->plans[0];
    const size_t n = shape->point.n;
    const char **names = calloc(n + 1, 2 * (sizeof *names + TEXT_SIZE));
    char *text = (char *)(names + 2 * n);

    for (size_t i = 0; names && i < n; i++, text += 2 * TEXT_SIZE) {
        const struct pipeline_sweep *s = &shape->point.sweeps[i];
        const struct param_set *set = plan->stages[graph_find(plan->graph, s->stage)].params;
        snprintf(text, TEXT_SIZE, "%s.%s", s->stage, s->param);
        names[i] = text;
        names[n + i] = param_text(set, (size_t)param_index(set, s->param), text + TEXT_SIZE,
                                  TEXT_SIZE);
    }
    return names;
}

static int report(struct sweep *sweep, const struct run_counts *counts, double seconds,
                  const char *stop, struct diag *diag)
{
    const struct shape *shape = sweep->exec.shape;
    const char **names = name_point(shape);
    struct result_class *classes = result_classes(sweep->session, counts);
    struct result_point result = {.n_set = shape->point.n,
                                  .set_names = names,
                                  .set_values = names + shape->point.n,
                                  .counted = counts->counted,
                                  .checked = counts->checked,
                                  .frames = counts->frames,
                                  .bits = counts->bits,
                                  .info_bits = counts->info_bits,
                                  .bit_errors = counts->bit_errors,
                                  .frame_errors = counts->frame_errors,
                                  .undetected = counts->undetected,
                                  .failed = counts->failed,
                                  .split = shape->n_levels > 1,
                                  .iterations_max = counts->iterations_max,
                                  .seconds = seconds,
                                  .stop = stop,
                                  .n_classes = classes ? sweep->session->pipeline->n_blocks : 0,
                                  .classes = classes,
                                  .plan = sweep->plan.plan ? &sweep->plan : &sweep->made};
    int status;

    if (counts->blocks)
        result.iterations_mean = (double)counts->iterations / (double)counts->blocks;
    if (result.split) {
        result.blocks = counts->blocks;
        result.block_errors = counts->block_errors;
        result.blocks_judged = counts->blocks_judged;
    }
    common_snr(shape, &result);
    status = names ? sweep->options->on_point(sweep->options->data, &result, diag)
                   : diag_fail(diag, DIAG_RUN, "out of memory");
    free(names);
    free(classes);
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

/* To the next point, whose plan is taken over: with the instances of the one before where they
   serve it, too. A backend may take the codes of one point and not of the next. */
static int move_exec(struct sweep *sweep, struct session_plan *next, struct diag *diag)
{
    if (!sweep->open || !sweep->keep_instances ||
        !shape_same_frames(&sweep->made.shape, &next->shape) ||
        !negotiation_same(sweep->made.negotiation, next->negotiation))
        return open_exec(sweep, next, diag);
    session_plan_free(&sweep->plan);
    sweep->plan = *next;
    shape_set_frames(&sweep->plan.shape, sweep->made.shape.frames);
    sweep->exec.shape = &sweep->plan.shape;
    return 0;
}

static void counted(void *data, const struct fecrun_frame_info *info, uint64_t frames)
{
    const struct sweep *sweep = data;

    sweep->options->on_frames(sweep->options->data, info, frames);
}

static int run_one(struct sweep *sweep, struct session_plan *plan, struct diag *diag)
{
    struct run_options options = {.in_flight = sweep->session->pipeline->in_flight,
                                  .progress = sweep->options->on_progress ? progress : NULL,
                                  .counted = sweep->options->on_frames ? counted : NULL,
                                  .data = sweep};
    struct run_counts counts = {0};
    const char *stop = "error";
    double seconds = 0;
    int status;

    if (move_exec(sweep, plan, diag))
        return -1;
    sweep->keep_instances = can_share(sweep->session, &sweep->made);
    options.limits = sweep->limits;
    if (sweep->options->frames_of)
        options.limits = (struct run_limits){
            .frames = sweep->options->frames_of(sweep->options->data, sweep->number)};
    status = run_point(&sweep->exec, &options, &counts, &seconds, &stop, diag);
    memory_pool_trim(sweep->pool);
    if (!status)
        status = exec_finish(&sweep->exec, diag);
    /* what was counted before an error is worth having */
    if ((!status || counts.frames) && report(sweep, &counts, seconds, stop, diag))
        status = -1;
    free(counts.rows);
    return status;
}

int sweep_run(const struct session *session, const struct sweep_options *options, struct diag *diag)
{
    struct sweep sweep = {.session = session, .options = options};
    size_t points = session_points(session);
    struct session_plan plan;
    int status;

    budget_forget(session);
    status = session_check(session, &plan, diag);
    sweep.pool = memory_pool_open();

    for (; !status && sweep.number < points; sweep.number++) {
        if (sweep.number)
            status = session_plan(session, sweep.number, &plan, diag);
        if (!status)
            status = run_one(&sweep, &plan, diag);
        if (options->cancel && fecrun_cancelled(options->cancel))
            break;
    }
    close_exec(&sweep);
    memory_pool_close(sweep.pool);
    return status;
}
