/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/sweep/sweep_impl.h"

#include "core/plan/share.h"
#include "run/sweep/budget.h"
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
        if (!(params[i]->flags & FECRUN_POINT) && share_varies(plan, s, i))
            return true;
    return false;
}

/* Only parameters that a run() call reads anew change between the points, no file would have to be
   read again, and no instance holds the code of a stage that it absorbed. */
bool sweep_can_share(const struct session *session, const struct session_plan *sp)
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

void sweep_close(struct sweep *sweep)
{
    struct runner *runner = sweep->options->runner;

    if (runner)
        runner->leave(runner);
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
        .cancel = sweep->options->cancel, .timed = sweep->options->timed, .pool = sweep->pool};
    struct diag ignored = {0};
    int status;

    sweep_close(sweep);
    sweep->made = *plan;
    status = session_exec(sweep->session, &sweep->made, session_most(sweep->session, &sweep->made),
                          &options, &sweep->exec, diag);
    sweep->open = !status;
    sweep->exec.sinkless = sweep->options->sinkless;
    /* results begin with the run, also where it could not begin */
    if (begin(sweep, &sweep->made, status ? &ignored : diag))
        status = -1;
    return status ? -1 : exec_open_files(&sweep->exec, diag);
}

/* ---- One point's result ---- */

/* Whoever looks at each frame, or at each call, looks at one device's. */
static bool is_shared(const struct sweep *sweep)
{
    const struct sweep_options *options = sweep->options;

    return options->runner && options->runner->shares(options->runner) && !options->on_frames &&
           !options->timed;
}

/* free() them. */
static struct run_share *take_shares(struct sweep *sweep, struct result_point *result)
{
    struct runner *runner = sweep->options->runner;
    struct run_share *shares = is_shared(sweep) ? runner->taken(runner, &result->n_shares) : NULL;

    result->shares = shares;
    return shares;
}

static int report(struct sweep *sweep, const struct run_counts *counts, double seconds,
                  const char *stop, struct diag *diag)
{
    const struct session_plan *plan = sweep->plan.plan ? &sweep->plan : &sweep->made;
    const struct pipeline *pipeline = sweep->session->pipeline;
    const struct shape *shape = &plan->shape;
    const char **names = point_names(shape);
    struct result_point result = {.n_set = shape->point.n,
                                  .set_names = names,
                                  .set_values = names + shape->point.n,
                                  .split = shape->n_levels > 1,
                                  .seconds = seconds,
                                  .stop = stop,
                                  .n_users = pipeline->n_blocks,
                                  .users = pipeline->blocks,
                                  .times = sweep->options->timed ? &sweep->times : NULL,
                                  .workers = sweep->exec.n_workers,
                                  .plan = plan};
    struct run_share *shares = take_shares(sweep, &result);
    int status;

    result_count(&result, counts);
    point_snr(shape, &result);
    walk_note(&sweep->walk, &result);
    status = names ? sweep->options->on_point(sweep->options->data, &result, diag)
                   : diag_no_memory(diag);
    free(shares);
    free(names);
    return status;
}

static void progress(void *data, const struct run_counts *counts, double seconds)
{
    const struct sweep *sweep = data;
    struct run_counts all = *counts;
    struct sweep_progress p = {.point = sweep->number,
                               .points = session_points(sweep->session),
                               .at = sweep->plan.plan ? &sweep->plan.shape.point
                                                      : &sweep->made.shape.point,
                               .counts = &all,
                               .limits = sweep->limits,
                               .seconds = seconds + sweep->task.seconds_before};

    run_counts_add(&all, &sweep->task.before, 0);
    sweep->options->on_progress(sweep->options->data, &p);
}

/* To the next point, whose plan is taken over: with the instances of the one before where they
   serve it, too. A backend may take the codes of one point and not of the next. */
int sweep_move(struct sweep *sweep, struct session_plan *next, struct diag *diag)
{
    const struct runner *runner = sweep->options->runner;

    if (runner)
        runner->place(runner, next);
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
    struct runner *runner = sweep->options->runner;

    if (!is_shared(sweep))
        return run_point(&sweep->exec, options, counts, seconds, stop, diag);
    return runner->run(runner, &sweep->exec, sweep->number, options, counts, seconds, stop, diag);
}

static void counted(void *data, const struct fecrun_frame_info *info, uint64_t frames)
{
    const struct sweep *sweep = data;

    sweep->options->on_frames(sweep->options->data, info, frames);
}

static void set_limits(struct sweep *sweep, const struct session_plan *plan)
{
    sweep->limits = session_limits(sweep->session, plan->plan);
    walk_limits(&sweep->walk, &sweep->limits);
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

    set_limits(sweep, plan);
    if (sweep_move(sweep, plan, diag))
        return -1;
    sweep->keep_instances = sweep_can_share(sweep->session, &sweep->made);
    options.limits = sweep->limits;
    if (sweep->options->frames_of)
        options.limits = (struct run_limits){
            .frames = sweep->options->frames_of(sweep->options->data, sweep->number)};
    status = sweep_point(sweep, &options, &counts, &seconds, &stop, diag);
    sweep->times = (struct times){0};
    exec_take_times(&sweep->exec, &sweep->times);
    memory_pool_trim(sweep->pool);
    if (!status)
        status = exec_finish(&sweep->exec, diag);
    /* what was counted before an error is worth having */
    if ((!status || counts.frames) && report(sweep, &counts, seconds, stop, diag))
        status = -1;
    free(counts.rows);
    return status;
}

/* On to the next point. 0: there is none. */
static int advance(struct sweep *sweep, struct diag *diag)
{
    const struct sweep_options *options = sweep->options;
    struct result_found found;
    const int more = walk_next(&sweep->walk, &found, diag);

    if (more >= 0 && found.sweep && options->on_found &&
        options->on_found(options->data, &found, diag))
        return -1;
    sweep->number = sweep->walk.number;
    return more;
}

/* ---- With a keeper ---- */

static int save(void *data, const struct run_part *part, struct diag *diag)
{
    const struct sweep *sweep = data;

    return sweep->options->keeper->save(sweep->options->data, sweep->number, part, diag);
}

/* Only what says which point it is; then(): enter() or sum() and on_point(). */
static int with_point(struct sweep *sweep, const struct session_plan *plan,
                      int (*then)(struct sweep *sweep, struct result_point *point,
                                  struct diag *diag),
                      struct diag *diag)
{
    const char **names = point_names(&plan->shape);
    struct result_point point = {.n_set = plan->shape.point.n,
                                 .set_names = names,
                                 .set_values = names + plan->shape.point.n,
                                 .split = plan->shape.n_levels > 1,
                                 .limits = sweep->limits,
                                 .plan = plan};
    int status;

    if (!names)
        return diag_no_memory(diag);
    point_snr(&plan->shape, &point);
    status = then(sweep, &point, diag);
    free(names);
    return status;
}

static int enter(struct sweep *sweep, struct result_point *point, struct diag *diag)
{
    return sweep->options->keeper->enter(sweep->options->data, point, diag);
}

static int report_sum(struct sweep *sweep, struct result_point *point, struct diag *diag)
{
    const struct sweep_options *options = sweep->options;
    struct run_share *shares;
    int status;

    if (options->keeper->sum(options->data, sweep->number, point, diag))
        return -1;
    walk_note(&sweep->walk, point);
    shares = take_shares(sweep, point);
    status = options->on_point(options->data, point, diag);
    free(shares);
    return status;
}

static int do_task(struct sweep *sweep, struct diag *diag)
{
    const struct sweep_keeper *keeper = sweep->options->keeper;
    const struct run_options options = {.limits = sweep->task.limits,
                                        .first_frame = sweep->task.first,
                                        .in_flight = sweep->session->pipeline->in_flight,
                                        .progress = sweep->options->on_progress ? progress : NULL,
                                        .save = save,
                                        .save_every = keeper->save_every,
                                        .data = sweep};
    struct run_counts counts = {0};
    const char *stop;
    double seconds;
    int status = sweep_point(sweep, &options, &counts, &seconds, &stop, diag);

    free(counts.rows);
    return status;
}

/* more: what next() said of the first task. Takes over the plan. */
static int run_kept(struct sweep *sweep, struct session_plan *plan, int more, struct diag *diag)
{
    const struct sweep_keeper *keeper = sweep->options->keeper;
    void *data = sweep->options->data;
    const bool first = more > 0 && !sweep_move(sweep, plan, diag);
    const struct session_plan *present = !first             ? plan
                                         : sweep->plan.plan ? &sweep->plan
                                                            : &sweep->made;
    int status = more > 0 && !first ? -1 : begin(sweep, present, diag);

    if (first)
        sweep->keep_instances = sweep_can_share(sweep->session, &sweep->made);
    while (!status && more > 0) {
        sweep->worked = true;
        status = do_task(sweep, diag);
        if (fecrun_cancelled(sweep->exec.cancel))
            break;
        more = status ? 0 : keeper->next(data, sweep->number, &sweep->task, diag);
        status = more < 0 ? -1 : status;
    }
    memory_pool_trim(sweep->pool);
    if ((!status || first) && !keeper->rounds && with_point(sweep, present, report_sum, diag))
        status = -1;
    if (more <= 0 && !first)
        session_plan_free(plan);
    return status;
}

/* In the first round every point is planned and entered. */
static int keep_one(struct sweep *sweep, struct session_plan *plan, size_t round, struct diag *diag)
{
    const struct sweep_keeper *keeper = sweep->options->keeper;
    int more = 1;

    if (round == 0) {
        set_limits(sweep, plan);
        if (with_point(sweep, plan, enter, diag))
            more = -1;
    }
    if (more > 0)
        more = keeper->next(sweep->options->data, sweep->number, &sweep->task, diag);
    if (round && more > 0 && session_plan(sweep->session, sweep->number, plan, diag))
        return -1;
    if (more >= 0 && (more || round == 0))
        return run_kept(sweep, plan, more, diag);
    if (round == 0)
        session_plan_free(plan);
    return more;
}

/* The plan is that of the present point, made before; keep_one() takes it over. */
static int walk_kept(struct sweep *sweep, struct session_plan *plan, struct diag *diag)
{
    const struct sweep_options *options = sweep->options;
    int more = 1;

    for (bool first = true; more > 0; first = false) {
        if (!first && session_plan(sweep->session, sweep->number, plan, diag))
            return -1;
        if (keep_one(sweep, plan, 0, diag))
            return -1;
        if (options->cancel && fecrun_cancelled(options->cancel))
            return 0;
        more = advance(sweep, diag);
    }
    return more;
}

/* Again and again all points, until none has anything to do. */
static int rounds_kept(struct sweep *sweep, struct session_plan *plan, struct diag *diag)
{
    const struct sweep_options *options = sweep->options;
    const size_t points = session_points(sweep->session);
    int status = 0;

    for (size_t round = 0; !status && (!round || sweep->worked); round++) {
        sweep->worked = false;
        for (sweep->number = 0; !status && sweep->number < points; sweep->number++) {
            if (!round && sweep->number)
                status = session_plan(sweep->session, sweep->number, plan, diag);
            if (!status)
                status = keep_one(sweep, plan, round, diag);
            if (options->cancel && fecrun_cancelled(options->cancel))
                return status;
        }
    }
    return status;
}

static int walk_plain(struct sweep *sweep, struct session_plan *plan, struct diag *diag)
{
    const struct sweep_options *options = sweep->options;
    int more = 1;

    for (bool first = true; more > 0; first = false) {
        if (!first && session_plan(sweep->session, sweep->number, plan, diag))
            return -1;
        if (run_one(sweep, plan, diag))
            return -1;
        if (options->cancel && fecrun_cancelled(options->cancel))
            return 0;
        more = advance(sweep, diag);
    }
    return more;
}

/* Who takes part, and the plan of the first point that is run. The plan given is of point 0. */
static int begin_runner(struct sweep *sweep, struct session_plan *plan, struct diag *diag)
{
    struct runner *runner = sweep->options->runner;

    if (runner && runner->begin(runner, sweep->session, plan, sweep->pool, diag))
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
    sweep->pool = memory_pool_open();
    if (session_check(session, plan, options->cancel, diag))
        return -1;
    if (!begin_runner(sweep, plan, diag))
        return 0;
    session_plan_free(plan);
    return -1;
}

void sweep_end(struct sweep *sweep)
{
    struct runner *runner = sweep->options->runner;

    sweep_close(sweep);
    if (runner)
        runner->close(runner);
    memory_pool_close(sweep->pool);
}

int sweep_run(const struct session *session, const struct sweep_options *options, struct diag *diag)
{
    struct sweep sweep;
    struct session_plan plan;
    int status = sweep_begin(&sweep, session, options, &plan, diag);

    if (!status && !options->keeper)
        status = walk_plain(&sweep, &plan, diag);
    else if (!status)
        status = options->keeper->rounds ? rounds_kept(&sweep, &plan, diag)
                                         : walk_kept(&sweep, &plan, diag);
    sweep_end(&sweep);
    return status;
}
