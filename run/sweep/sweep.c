/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/sweep/sweep_impl.h"

#include "core/plan/share.h"
#include "run/schedule/stats.h"
#include "run/session/budget.h"
#include <fecrun/sdk/params.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Does the stage take a swept value of another one, which it would not have read anew? */
static bool follows_sweep(const struct plan *plan, size_t s)
{
    const struct fecrun_param *const *params = plan->graph->stages[s].stage->params;

    for (size_t i = 0; params[i]; i++)
        if (!(params[i]->flags & FECRUN_PARAM_POINT) && share_varies(plan, s, i))
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
        if (!(stage->stage->params[param_index(stage->params, sweep->param)]->flags &
              FECRUN_PARAM_POINT))
            return false;
    }
    for (size_t s = 0; s < graph->n; s++)
        if (follows_sweep(plan, s) || plan_flags(plan, s) & FECRUN_STAGE_ORDERED ||
            sp->negotiation->choices[s].absorbed_by >= 0)
            return false;
    return true;
}

static void close_exec(struct sweep *sweep)
{
    fleet_leave(&sweep->fleet);
    if (sweep->open)
        exec_close(&sweep->exec);
    session_plan_free(&sweep->plan);
    session_plan_free(&sweep->made);
    sweep->open = false;
}

static int begin(struct sweep *sweep, const struct session_plan *plan, struct diag *diag)
{
    const struct sweep_options *options = sweep->options;

    if (sweep->begun || !options->on_plan)
        return 0;
    sweep->begun = true;
    return options->on_plan(options->data, plan, session_workers(sweep->session, plan->negotiation),
                            diag);
}

/* Takes over the plan. */
static int open_exec(struct sweep *sweep, struct session_plan *plan, struct diag *diag)
{
    struct exec_options options = {
        .cancel = sweep->options->cancel, .watch = sweep->options->watch, .pool = sweep->pool};
    struct diag ignored = {0};
    int status;

    close_exec(sweep);
    sweep->made = *plan;
    status = session_exec(sweep->session, &sweep->made, session_most(sweep->session, &sweep->made),
                          &options, &sweep->exec, diag);
    sweep->open = !status;
    sweep->keep_instances = can_share(sweep->session, &sweep->made);
    sweep->exec.sinkless = sweep->options->sinkless;
    /* results begin with the run, also where it could not begin */
    if (begin(sweep, &sweep->made, status ? &ignored : diag))
        status = -1;
    return status ? -1 : exec_open_files(&sweep->exec, diag);
}

/* ---- What follows from a point's plan and counts ---- */

void result_count(struct result_point *point, const struct run_counts *counts)
{
    point->counts = *counts;
    if (counts->blocks)
        point->iterations_mean = (double)counts->iterations / (double)counts->blocks;
    if (!point->split)
        point->counts.blocks = point->counts.block_errors = point->counts.blocks_judged = 0;
}

/* One ratio for the table only if all classes of blocks have it. */
static void point_snr(const struct shape *shape, struct result_point *result)
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
static const char **point_names(const struct shape *shape)
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

/* ---- One point's result ---- */

static const struct session_plan *present(const struct sweep *sweep)
{
    return sweep->plan.plan ? &sweep->plan : &sweep->made;
}

/* Whoever looks at each frame, or at each call, looks at one device's. */
static bool is_shared(const struct sweep *sweep)
{
    return fleet_shares(&sweep->fleet) && !sweep->options->on_frames && !sweep->options->watch;
}

/* Only what says which point it is; returns the names, free() them. NULL: out of memory. */
static const char **name_point(const struct sweep *sweep, const struct session_plan *plan,
                               struct result_point *point)
{
    const struct pipeline *pipeline = sweep->session->pipeline;
    const char **names = point_names(&plan->shape);

    *point = (struct result_point){.n_set = plan->shape.point.n,
                                   .set_names = names,
                                   .set_values = names + plan->shape.point.n,
                                   .split = plan->shape.n_levels > 1,
                                   .limits = sweep->limits,
                                   .n_users = pipeline->n_blocks,
                                   .users = pipeline->blocks,
                                   .plan = plan};
    point_snr(&plan->shape, point);
    return names;
}

/* What came of the point's task. */
struct done {
    struct run_counts counts;
    double seconds;
    const char *stop;
};

/* The task's counts, or all that the keeper has of the point. */
static int report(struct sweep *sweep, const struct session_plan *plan, const struct done *done,
                  struct diag *diag)
{
    const struct sweep_options *options = sweep->options;
    struct result_point point;
    const char **names = name_point(sweep, plan, &point);
    int status = names ? 0 : diag_no_memory(diag);

    if (!status && options->keeper) {
        status = options->keeper->sum(options->data, sweep->number, &point, diag);
    } else {
        point.seconds = done->seconds;
        point.stop = done->stop;
        point.workers = sweep->exec.n_workers;
        result_count(&point, &done->counts);
    }
    if (!status) {
        walk_note(&sweep->walk, &point);
        if (is_shared(sweep))
            point.shares = fleet_taken(&sweep->fleet, &point.n_shares);
        status = options->on_point(options->data, &point, diag);
        free((void *)point.shares);
    }
    free(names);
    return status;
}

static void progress(void *data, const struct run_counts *counts, double seconds)
{
    const struct sweep *sweep = data;
    struct run_counts all = *counts;
    struct sweep_progress p = {.point = sweep->number,
                               .points = session_points(sweep->session),
                               .at = &present(sweep)->shape.point,
                               .counts = &all,
                               .limits = sweep->limits,
                               .seconds = seconds + sweep->task.seconds_before};

    run_counts_add(&all, &sweep->task.before, 0);
    sweep->options->on_progress(sweep->options->data, &p);
}

/* A backend may take the codes of one point and not of the next. */
int sweep_move(struct sweep *sweep, struct session_plan *next, struct diag *diag)
{
    fleet_place(&sweep->fleet, next);
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

int sweep_point(struct sweep *sweep, const struct run_options *options, struct run_counts *counts,
                double *seconds, const char **stop, struct diag *diag)
{
    if (!is_shared(sweep))
        return run_point(&sweep->exec, options, counts, seconds, stop, diag);
    return fleet_run(&sweep->fleet, &sweep->exec, sweep->number, options, counts, seconds, stop,
                     diag);
}

static void counted(void *data, const struct fecrun_frame_info *info, uint64_t frames)
{
    const struct sweep *sweep = data;

    sweep->options->on_frames(sweep->options->data, info, frames);
}

/* ---- A point ---- */

static int save(void *data, const struct run_part *part, struct diag *diag)
{
    const struct sweep *sweep = data;

    return sweep->options->keeper->save(sweep->options->data, sweep->number, part, diag);
}

static int do_task(struct sweep *sweep, struct done *done, struct diag *diag)
{
    const struct sweep_options *options = sweep->options;
    const struct run_options run = {.crew = &sweep->crew,
                                    .limits = sweep->task.limits,
                                    .first_frame = sweep->task.first,
                                    .in_flight = sweep->session->pipeline->in_flight,
                                    .progress = options->on_progress ? progress : NULL,
                                    .counted = options->on_frames ? counted : NULL,
                                    .save = options->keeper ? save : NULL,
                                    .save_every = options->keeper ? options->keeper->save_every : 0,
                                    .data = sweep};

    free(done->counts.rows);
    return sweep_point(sweep, &run, &done->counts, &done->seconds, &done->stop, diag);
}

/* Is there something to do at the point? Its first task. -1: an error. */
static int first_task(struct sweep *sweep, struct diag *diag)
{
    const struct sweep_options *options = sweep->options;

    if (options->keeper)
        return options->keeper->next(options->data, sweep->number, &sweep->task, diag);
    sweep->task = (struct sweep_task){.limits = sweep->limits};
    if (options->frames_of)
        sweep->task.limits = (struct run_limits){
            .frames = options->frames_of(options->data, sweep->number)};
    return 1;
}

/* more: what first_task() said. Takes over the plan. */
static int run_tasks(struct sweep *sweep, struct session_plan *plan, int more, struct diag *diag)
{
    const struct sweep_keeper *keeper = sweep->options->keeper;
    const bool moved = more && !sweep_move(sweep, plan, diag);
    const struct session_plan *of = moved ? present(sweep) : plan;
    struct done done = {.stop = "error"};
    int status = more && !moved ? -1 : begin(sweep, of, diag);

    while (!status && more > 0) {
        sweep->worked = true;
        status = do_task(sweep, &done, diag);
        if (!keeper || fecrun_cancelled(sweep->exec.cancel))
            break;
        more = status ? 0 : keeper->next(sweep->options->data, sweep->number, &sweep->task, diag);
        status = more < 0 ? -1 : status;
    }
    memory_pool_trim(sweep->pool);
    if (moved && !status)
        status = exec_finish(&sweep->exec, diag);
    /* what was counted before an error is worth having */
    if (keeper ? (!status || moved) && !keeper->rounds : !status || done.counts.frames)
        status = report(sweep, of, &done, diag) ? -1 : status;
    free(done.counts.rows);
    if (!more && !moved)
        session_plan_free(plan);
    return status;
}

static int enter(struct sweep *sweep, const struct session_plan *plan, struct diag *diag)
{
    struct result_point point;
    const char **names;
    int status;

    sweep->limits = session_limits(sweep->session, plan->plan);
    walk_limits(&sweep->walk, &sweep->limits);
    if (!sweep->options->keeper)
        return 0;
    names = name_point(sweep, plan, &point);
    status = names ? sweep->options->keeper->enter(sweep->options->data, &point, diag)
                   : diag_no_memory(diag);
    free(names);
    return status;
}

/* ---- All points ---- */

/* The present point. A keeper's second round and those behind it plan only where there is something to do. */
static int visit(struct sweep *sweep, struct session_plan *plan, struct diag *diag)
{
    int more = sweep->round || !enter(sweep, plan, diag) ? first_task(sweep, diag) : -1;

    if (sweep->round && more > 0 && session_plan(sweep->session, sweep->number, plan, diag))
        return -1;
    if (more > 0 || (!more && !sweep->round))
        return run_tasks(sweep, plan, more, diag);
    if (!sweep->round)
        session_plan_free(plan);
    return more;
}

/* On to the next point. 0: there is none. */
static int advance(struct sweep *sweep, struct diag *diag)
{
    const struct sweep_options *options = sweep->options;
    struct result_found found;
    int more;

    if (options->keeper && options->keeper->rounds) {
        if (++sweep->number < session_points(sweep->session))
            return 1;
        more = sweep->worked;
        sweep->number = 0;
        sweep->round++;
        sweep->worked = false;
        return more;
    }
    more = walk_next(&sweep->walk, &found, diag);
    if (more >= 0 && found.sweep && options->on_found &&
        options->on_found(options->data, &found, diag))
        return -1;
    sweep->number = sweep->walk.number;
    return more;
}

/* The plan is that of the present point, made before. */
static int walk_points(struct sweep *sweep, struct session_plan *plan, struct diag *diag)
{
    int more = 1;

    for (bool first = true; more > 0; first = false) {
        if (!first && !sweep->round && session_plan(sweep->session, sweep->number, plan, diag))
            return -1;
        if (visit(sweep, plan, diag))
            return -1;
        if (sweep->options->cancel && fecrun_cancelled(sweep->options->cancel))
            return 0;
        more = advance(sweep, diag);
    }
    return more;
}

/* Who takes part, and the plan of the first point that is run. The plan given is of point 0. */
static int begin_fleet(struct sweep *sweep, struct session_plan *plan, struct diag *diag)
{
    const struct sweep_options *options = sweep->options;

    sweep->fleet = (struct fleet){
        .session = sweep->session, .pool = sweep->pool, .cancel = options->cancel};
    if (options->fleet)
        sweep->fleet.options = *options->fleet;
    if (fleet_begin(&sweep->fleet, plan, diag))
        return -1;
    if (!sweep->number)
        return 0;
    session_plan_free(plan);
    return session_plan(sweep->session, sweep->number, plan, diag);
}

int sweep_begin(struct sweep *sweep, const struct session *session,
                const struct sweep_options *options, struct session_plan *plan, struct diag *diag)
{
    *sweep = (struct sweep){.session = session, .options = options};
    budget_forget(session);
    walk_begin(&sweep->walk, session);
    sweep->number = sweep->walk.number;
    sweep->pool = memory_pool_open(false);
    if (session_check(session, plan, options->cancel, diag))
        return -1;
    if (!begin_fleet(sweep, plan, diag))
        return 0;
    session_plan_free(plan);
    return -1;
}

void sweep_end(struct sweep *sweep)
{
    crew_close(&sweep->crew);
    close_exec(sweep);
    fleet_close(&sweep->fleet);
    memory_pool_close(sweep->pool);
}

int sweep_run(const struct session *session, const struct sweep_options *options, struct diag *diag)
{
    struct sweep sweep;
    struct session_plan plan;
    int status = sweep_begin(&sweep, session, options, &plan, diag);

    if (!status)
        status = walk_points(&sweep, &plan, diag);
    sweep_end(&sweep);
    return status;
}
