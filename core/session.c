/* SPDX-License-Identifier: BSD-2-Clause */
#include "session.h"

#include "cpu.h"
#include "params.h"

#include <stdlib.h>
#include <string.h>

int session_open(struct session *session, const char *file, const struct session_options *options,
                 struct diag *diag)
{
    memset(session, 0, sizeof *session);
    session->threads = options->threads ? options->threads : cpu_count();
    if (!pipeline_load(&session->pipeline, file, &options->pipeline, diag) &&
        !registry_open(&session->registry, &options->registry, diag) &&
        !graph_bind(&session->graph, session->pipeline, session->registry, diag))
        return 0;
    session_close(session);
    return -1;
}

void session_close(struct session *session)
{
    graph_free(session->graph);
    pipeline_free(session->pipeline);
    registry_close(session->registry);
    memset(session, 0, sizeof *session);
}

/* ---- Points ---- */

size_t session_points(const struct session *session)
{
    size_t n = 1;

    for (size_t i = 0; i < session->pipeline->n_sweeps; i++)
        n *= session->pipeline->sweeps[i].count;
    return n;
}

void session_point(const struct session *session, size_t number, struct session_point *point)
{
    size_t n = session->pipeline->n_sweeps;

    point->point = (struct point){.n = n, .sweeps = point->sweeps, .index = point->index};
    for (size_t i = n; i-- > 0;) {
        point->sweeps[i] = &session->pipeline->sweeps[i];
        point->index[i] = number % point->sweeps[i]->count;
        number /= point->sweeps[i]->count;
    }
}

/* ---- Plans ---- */

static uint64_t largest_frame(const struct plan *plan)
{
    uint64_t most = 1;

    for (size_t s = 0; s < plan->graph->n; s++)
        for (unsigned p = 0; p < plan->graph->stages[s].n_out; p++) {
            const struct fecrun_frame *frame = &plan->stages[s].out[p];
            uint64_t bytes = fecrun_bytes(frame->type, frame->items);
            most = bytes > most ? bytes : most;
        }
    return most;
}

/*
 * At most 6 MiB a buffer: enough frames for full vectors, small enough for the outer caches and
 * for stop rules to waste little. Whole rows of 64, the widest vector of bytes, where they fit.
 */
static uint64_t default_batch(const struct plan *plan)
{
    uint64_t frames = ((uint64_t)6 << 20) / largest_frame(plan);

    if (frames > 4096)
        frames = 4096;
    if (frames >= 64)
        frames = frames / 64 * 64;
    return frames ? frames : 1;
}

int session_plan(const struct session *session, const struct point *point,
                 struct session_plan *plan, struct diag *diag)
{
    const struct pipeline *pipeline = session->pipeline;

    memset(plan, 0, sizeof *plan);
    if (shape_make(&plan->shape, session->graph, point, 1, diag))
        return -1;
    plan->plan = plan->shape.plans[0];
    if (negotiate(&plan->negotiation, plan->plan, diag)) {
        session_plan_free(plan);
        return -1;
    }
    plan->frames = pipeline->n_blocks ? plan->shape.frames
                   : pipeline->batch  ? pipeline->batch
                                      : default_batch(plan->plan);
    return 0;
}

void session_plan_free(struct session_plan *plan)
{
    negotiation_free(plan->negotiation);
    shape_free(&plan->shape);
    memset(plan, 0, sizeof *plan);
}

/* The stage's parameters, too, may make it one that writes a file. */
static int check_one_point(const struct plan *plan, struct diag *diag)
{
    for (size_t s = 0; s < plan->graph->n; s++)
        if (plan_flags(plan, s) & FECRUN_ONE_POINT)
            return diag_fail_at(diag, DIAG_USAGE, plan->graph->stages[s].decl->mark,
                                "%s: cannot be part of a sweep: every point would overwrite what "
                                "the one before wrote", plan->graph->stages[s].decl->id);
    return 0;
}

static int check_point(const struct session *session, size_t number, struct diag *diag)
{
    struct session_point point;
    struct session_plan plan;
    int status;

    session_point(session, number, &point);
    if (session_plan(session, &point.point, &plan, diag))
        return -1;
    status = session_points(session) > 1 ? check_one_point(plan.plan, diag) : 0;
    session_plan_free(&plan);
    return status;
}

int session_check(const struct session *session, struct diag *diag)
{
    for (size_t i = 0; i < session_points(session); i++)
        if (check_point(session, i, diag))
            return -1;
    return 0;
}

int session_try(const struct session *session, struct diag *diag)
{
    struct session_point point;
    struct session_plan plan;
    struct exec exec;
    struct exec_options options = {.workers = 1, .dry = true};
    int status;

    session_point(session, 0, &point);
    if (session_plan(session, &point.point, &plan, diag))
        return -1;
    options.batch = plan.frames;
    status = exec_open(&exec, plan.negotiation, &point.point, &options, diag);
    if (!status) {
        status = exec_start_worker(&exec, &exec.workers[0], diag);
        exec_close(&exec);
    }
    session_plan_free(&plan);
    return status;
}

/* A device needs a thread for each batch in flight, to queue its work. */
unsigned session_workers(const struct session *session, const struct negotiation *negotiation)
{
    unsigned workers = session->threads;

    for (size_t s = 0; s < negotiation->graph->n; s++)
        if (negotiation->choices[s].space != SPACE_HOST && session->pipeline->in_flight > workers)
            workers = session->pipeline->in_flight;
    return workers;
}

struct run_limits session_limits(const struct session *session, const struct plan *plan)
{
    const struct pipeline *p = session->pipeline;
    bool ends = plan_flags(plan, 0) & FECRUN_ENDS;

    if (p->stop_given)
        return (struct run_limits){.frame_errors = p->stop_frame_errors,
                                   .frames = p->stop_frames,
                                   .seconds = p->stop_seconds};
    return ends ? (struct run_limits){0}
                : (struct run_limits){.frame_errors = 100, .seconds = 60};
}
