/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/sweep/sweep.h"

#include "run/schedule/stats.h"
#include <fecrun/sdk/stats.h>
#include <fecrun/sdk/params.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void result_ber_interval(const struct result_point *point, double *low, double *high)
{
    const struct run_counts *counts = &point->counts;
    const struct stats_clusters clusters = {.clusters = counts->frames,
                                            .hit = counts->frame_errors,
                                            .trials = counts->bits,
                                            .errors = counts->bit_errors,
                                            .squares = counts->squares};

    stats_clustered(&clusters, 0.95, low, high);
}

/* ---- Which point comes next, where what was counted decides ---- */

#define PATIENCE 2 /* times the frames that the errors take at the wanted rate */

double sweep_value(const struct pipeline_sweep *sweep, double at)
{
    double first = 0, last = 0;

    conf_float(sweep->values[0], &first);
    conf_float(sweep->values[sweep->count - 1], &last);
    return sweep->count > 1 ? first + (last - first) / (double)(sweep->count - 1) * at : first;
}

static bool is_search(const struct walk *walk)
{
    return walk->last && walk->last->find_rate > 0;
}

/* Returns the number of the first point. */
static size_t walk_begin(struct walk *walk, const struct session *session)
{
    const struct pipeline_sweep *sweep = pipeline_walk(session->pipeline);
    double step;

    *walk = (struct walk){.last = sweep, .share = 1};
    if (!is_search(walk))
        return 0;
    step = sweep_value(sweep, 1) - sweep_value(sweep, 0);
    walk->find = (struct find){.rate = sweep->find_rate,
                               .count = sweep->count,
                               .start = sweep->find_start,
                               .walk = step > 0 && step < 1 ? (size_t)lround(1 / step) : 1};
    return sweep->find_start;
}

/* The rules with which a point is run: a search does not wait for errors much longer than the wanted
   rate takes. */
static void walk_limits(const struct walk *walk, struct run_limits *limits)
{
    double most;

    if (!is_search(walk) || !limits->frame_errors)
        return;
    most = ceil(PATIENCE * (double)limits->frame_errors * walk->share / walk->last->find_rate);
    if (most < 0x1p48 && (!limits->frames || most < (double)limits->frames))
        limits->frames = (uint64_t)most;
}

/* A search gets what the point came to, whose place on its grid is `at`. */
static void note(struct walk *walk, const struct result_point *point, size_t at)
{
    const struct run_counts *counts = &point->counts;
    const double fer = (double)counts->frame_errors / (double)counts->frames;
    const double ber = (double)counts->bit_errors / (double)counts->bits;
    const bool by_errors = point->stop && !strcmp(point->stop, "frame_errors");
    struct find_point to = {.at = at};

    to.rate = find_rate(walk->last->find_ber ? ber : fer, counts->frame_errors, by_errors);
    if (walk->last->find_ber)
        result_ber_interval(point, &to.low, &to.high);
    else
        fecrun_interval(counts->frame_errors, counts->frames, 0.95, &to.low, &to.high);
    if (walk->last->find_ber && fer > 0)
        walk->share = ber / fer;
    find_add(&walk->find, &to);
}

/* As sweep_next(): from the point *number, which came to *point, on to the next one. */
static int walk_next(struct walk *walk, const struct session *session,
                     const struct result_point *point, size_t *number, struct diag *diag)
{
    const struct pipeline_sweep *last = walk->last;
    const struct run_counts *counts = &point->counts;
    const size_t at = last ? *number % last->count : 0, base = *number - at;
    size_t next;

    if (last && !(counts->counted && counts->frames && counts->bits))
        return diag_fail_at(diag, DIAG_USAGE, last->mark,
                            "sweep.%s.%s: %s wants error rates, but no sink of this file counts "
                            "errors",
                            last->stage, last->param, pipeline_walk_name(last));
    if (is_search(walk)) {
        note(walk, point, at);
        if (find_next(&walk->find, &next))
            return *number = base + next, 1;
        walk->ended = true; /* another one begins, for the next values of the other sweeps */
        walk->share = 1;
        *number = base + last->count + last->find_start;
    } else if (last && (double)counts->frame_errors / (double)counts->frames <= last->until_fer) {
        *number = base + last->count;
    } else {
        ++*number;
    }
    return *number < session_points(session);
}

/* ---- Instances ---- */

static void close_exec(struct sweep *sweep)
{
    fleet_leave(&sweep->fleet);
    if (sweep->open)
        exec_close(&sweep->exec);
    session_plan_free(&sweep->made);
    sweep->open = false;
}

const struct session_plan *sweep_plan(const struct sweep *sweep)
{
    return sweep->plan.plan ? &sweep->plan : &sweep->made;
}

/* The exec takes over the plan. */
static int open_exec(struct sweep *sweep, struct diag *diag)
{
    const struct session *session = sweep->session;
    struct exec_options options = {
        .cancel = sweep->options.cancel, .watch = sweep->options.watch, .pool = sweep->pool};

    close_exec(sweep);
    sweep->made = sweep->plan;
    sweep->plan = (struct session_plan){0};
    if (session_exec(session, &sweep->made, session_most(session, &sweep->made), &options,
                     &sweep->exec, diag))
        return -1;
    sweep->open = true;
    sweep->exec.sinkless = sweep->options.sinkless;
    return 0;
}

/* Do the instances serve the present point? All of them: they have one layout. */
static bool serves(const struct sweep *sweep)
{
    for (size_t s = 0; s < sweep->session->graph->n; s++)
        if (!sweep->open || !session_serves(&sweep->made, &sweep->plan, s))
            return false;
    return true;
}

int sweep_make(struct sweep *sweep, struct diag *diag)
{
    if (sweep->ready)
        return 0;
    fleet_place(&sweep->fleet, &sweep->plan);
    if (serves(sweep)) {
        shape_set_frames(&sweep->plan.shape, sweep->made.shape.frames);
        sweep->exec.shape = &sweep->plan.shape;
    } else if (open_exec(sweep, diag)) {
        return -1;
    }
    sweep->ready = true;
    return 0;
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

/* ---- A point ---- */

static void free_result(struct result_point *point)
{
    free((void *)point->set_names);
    free(point->counts.rows);
    free((void *)point->shares);
    *point = (struct result_point){0};
}

/* All that follows from the present plan. */
static int begin_result(struct sweep *sweep, struct diag *diag)
{
    const struct shape *shape = &sweep->plan.shape;
    const struct pipeline *pipeline = sweep->session->pipeline;
    const char **names = point_names(shape);

    free_result(&sweep->point);
    if (!names)
        return diag_no_memory(diag);
    sweep->point = (struct result_point){.plan = &sweep->plan,
                                         .limits = session_limits(sweep->session, sweep->plan.plan),
                                         .n_set = shape->point.n,
                                         .set_names = names,
                                         .set_values = names + shape->point.n,
                                         .split = shape->n_levels > 1,
                                         .n_users = pipeline->n_blocks,
                                         .users = pipeline->blocks};
    walk_limits(&sweep->walk, &sweep->point.limits);
    point_snr(shape, &sweep->point);
    return 0;
}

int sweep_go(struct sweep *sweep, size_t number, struct diag *diag)
{
    struct session_plan plan;

    if (sweep_plan(sweep)->plan && sweep->number == number)
        return 0;
    memory_pool_trim(sweep->pool);
    if (session_plan(sweep->session, number, &plan, diag))
        return -1;
    session_plan_free(&sweep->plan);
    sweep->plan = plan;
    sweep->number = number;
    sweep->ready = false;
    return begin_result(sweep, diag);
}

/* Whoever looks at each frame, or at each call, looks at one device's. */
static bool is_shared(const struct sweep *sweep, const struct run_options *options)
{
    return fleet_shares(&sweep->fleet) && !options->counted && !sweep->options.watch;
}

int sweep_frames(struct sweep *sweep, const struct run_options *options, struct run_counts *counts,
                 double *seconds, const char **stop, struct diag *diag)
{
    struct run_options run = *options;

    run.crew = &sweep->crew;
    run.in_flight = sweep->session->pipeline->in_flight;
    if (!sweep->exec.ordered.instances && exec_open_files(&sweep->exec, diag))
        return -1;
    if (!is_shared(sweep, options))
        return run_point(&sweep->exec, &run, counts, seconds, stop, diag);
    return fleet_run(&sweep->fleet, &sweep->exec, sweep->number, &run, counts, seconds, stop, diag);
}

void sweep_shares(struct sweep *sweep)
{
    free((void *)sweep->point.shares);
    sweep->point.shares = fleet_shares(&sweep->fleet)
                              ? fleet_taken(&sweep->fleet, &sweep->point.n_shares)
                              : NULL;
}

int sweep_point(struct sweep *sweep, const struct run_options *options, struct diag *diag)
{
    struct result_point *point = &sweep->point;
    struct run_counts counts = {0};
    int status = sweep_make(sweep, diag);

    point->stop = "error";
    point->plan = sweep_plan(sweep);
    if (status)
        return -1;
    status = sweep_frames(sweep, options, &counts, &point->seconds, &point->stop, diag);
    if (!status)
        status = exec_finish(&sweep->exec, diag);
    point->workers = sweep->exec.n_workers;
    result_count(point, &counts);
    if (is_shared(sweep, options))
        sweep_shares(sweep);
    return status;
}

/* ---- All points ---- */

int sweep_next(struct sweep *sweep, const struct result_point *point, struct diag *diag)
{
    size_t number = sweep->number;
    int more;

    if (sweep->walk.ended)
        sweep->walk.find.n = 0;
    sweep->walk.ended = false;
    if (sweep->options.cancel && fecrun_cancelled(sweep->options.cancel))
        return 0;
    more = walk_next(&sweep->walk, sweep->session, point, &number, diag);
    return more > 0 && sweep_go(sweep, number, diag) ? -1 : more;
}

int sweep_open(struct sweep *sweep, const struct session *session,
               const struct sweep_options *options, struct diag *diag)
{
    size_t first;

    *sweep = (struct sweep){.session = session,
                            .options = *options,
                            .pool = memory_pool_open(false),
                            .fleet = {.session = session, .cancel = options->cancel}};
    sweep->fleet.pool = sweep->pool;
    if (options->fleet)
        sweep->fleet.options = *options->fleet;
    budget_forget(session);
    first = walk_begin(&sweep->walk, session);
    if (session_check(session, &sweep->plan, options->cancel, diag) ||
        fleet_begin(&sweep->fleet, &sweep->plan, diag))
        return -1;
    return first ? sweep_go(sweep, first, diag) : begin_result(sweep, diag);
}

void sweep_close(struct sweep *sweep)
{
    crew_close(&sweep->crew);
    close_exec(sweep);
    session_plan_free(&sweep->plan);
    fleet_close(&sweep->fleet);
    memory_pool_close(sweep->pool);
    free_result(&sweep->point);
}

int sweep_try(const struct session *session, struct diag *diag)
{
    struct sweep sweep;
    const int status = sweep_open(&sweep, session, &(struct sweep_options){0}, diag) ||
                       sweep_make(&sweep, diag);

    sweep_close(&sweep);
    return status ? -1 : 0;
}
