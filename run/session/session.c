/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/session/session.h"
#include "core/base/cpu.h"
#include "core/batch/exec.h"
#include "core/batch/line.h"
#include "core/plan/candidates.h"

#include <fecrun/sdk/thread.h>
#include <fecrun/sdk/params.h>

#include <stdlib.h>
#include <string.h>

/* ---- Plugins ---- */

/* Rows of the file's stages, but where another one is named; on the device that is named. */
static int may_choose(void *data, const struct registry_stage *entry,
                      const struct registry_backend *backend)
{
    const struct graph *graph = data;

    for (size_t s = 0; s < graph->n; s++) {
        const struct graph_stage *stage = &graph->stages[s];
        if (stage->entry == entry && (!stage->wish || stage->wished == backend))
            return stage->wish ? stage->device : candidates_device(graph, backend->provider);
    }
    return REGISTRY_NOT;
}

/* ---- Warnings ---- */

/* Tells what stages said in plan(), for all classes of frames. */
static int tell_warnings(const struct session *session, const struct shape *shape,
                         struct diag *diag)
{
    for (size_t s = 0; s < shape->graph->n; s++)
        for (size_t c = 0; c < shape->n_classes; c++) {
            const char *warning = shape->plans[c]->stages[s].plan.warning;
            const struct pipeline_stage *decl = shape->graph->stages[s].decl;
            struct diag place = {0}; /* its form is that of errors */

            if (!warning[0] || !session->warn)
                continue;
            diag_fail_at(&place, DIAG_OK, decl->mark, "%s: %s", decl->id, warning);
            if (session->warn(session->warn_data, place.text, diag))
                return -1;
        }
    return 0;
}

/* ---- A session ---- */

/* Plugins are told what the pipeline wants, before one is asked. */
static int bind(struct session *session, struct diag *diag)
{
    struct registry *registry = session->registry;

    if (session->pipeline->low_latency)
        registry->host.latency = FECRUN_LATENCY_LOW;
    return pipeline_rename_old(session->pipeline, registry, session->warn, session->warn_data,
                               diag) ||
                   graph_bind(&session->graph, session->pipeline, registry, diag) ||
                   paths_check(session->graph, diag) ||
                   registry_probe(registry, may_choose, session->graph, diag)
               ? -1
               : 0;
}

int session_open(struct session *session, const char *file, const struct session_options *options,
                 struct diag *diag)
{
    *session = (struct session){.threads = options->threads ? options->threads : fecrun_cpus(),
                                .warn = options->warn,
                                .warn_data = options->warn_data};
    if (!pipeline_load(&session->pipeline, file, &options->pipeline, diag) &&
        !registry_open(&session->registry, &options->registry, diag) && !bind(session, diag))
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
        n *= session->pipeline->sweeps[i].zipped ? 1 : session->pipeline->sweeps[i].count;
    return n;
}

/* At least one; not more where frames are waited for, as a batch of them goes on once it is complete. */
static uint64_t whole_rounds(const struct pipeline *pipeline, const struct session_plan *plan,
                             uint64_t frames)
{
    const uint32_t source = plan_flags(plan->plan, 0);
    const uint64_t unit = shape_unit(&plan->shape);
    const bool waits = source & FECRUN_STAGE_ORDERED && !(source & FECRUN_STAGE_SEEKS);

    return frames < unit || (pipeline->n_blocks && waits && !pipeline->batch)
               ? unit
               : frames / unit * unit;
}

int session_plan(const struct session *session, size_t number, struct session_plan *plan,
                 struct diag *diag)
{
    const struct pipeline *pipeline = session->pipeline;
    struct point point = {.n = pipeline->n_sweeps, .sweeps = pipeline->sweeps, .at = number};

    memset(plan, 0, sizeof *plan);
    if (shape_make(&plan->shape, session->graph, &point, diag))
        return -1;
    plan->plan = plan->shape.plans[0];
    point_number(&plan->shape.point, plan->plan);
    if (graph_check_read(session->graph, diag) || tell_warnings(session, &plan->shape, diag) ||
        negotiate(&plan->negotiation, &plan->shape, diag))
        goto fail;
    plan->frames = pipeline->batch ? pipeline->batch : budget_batch(session, plan, diag);
    if (plan->frames) {
        plan->frames = whole_rounds(pipeline, plan, plan->frames);
        return 0;
    }
fail:
    session_plan_free(plan);
    return -1;
}

void session_plan_free(struct session_plan *plan)
{
    negotiation_free(plan->negotiation);
    shape_free(&plan->shape);
    memset(plan, 0, sizeof *plan);
}

int session_refuse(const struct plan *plan, uint32_t flag, const char *why, struct diag *diag)
{
    for (size_t s = 0; s < plan->graph->n; s++) {
        const struct pipeline_stage *decl = plan->graph->stages[s].decl;
        if (plan_flags(plan, s) & flag)
            return diag_fail_at(diag, DIAG_USAGE, decl->mark, "%s: %s", decl->id, why);
    }
    return 0;
}

static int check_point(const struct session *session, size_t number, struct session_plan *plan,
                       struct diag *diag)
{
    if (session_plan(session, number, plan, diag))
        return -1;
    if (!session_refuse(plan->plan, FECRUN_STAGE_BOUND,
                        "is memory of a program that prepares the pipeline (fecrun.h); a run has "
                        "none, but files: source.file, sink.file",
                        diag) &&
        (session_points(session) == 1 ||
         !session_refuse(plan->plan, FECRUN_STAGE_ONE_POINT,
                         "cannot be part of a sweep: every point would overwrite what the one "
                         "before wrote",
                         diag)))
        return 0;
    session_plan_free(plan);
    return -1;
}

/* Of thousands of values that a search may take, only the first and the last are looked at. */
static bool is_end(const struct session *session, size_t number)
{
    const struct pipeline_sweep *walk = pipeline_walk(session->pipeline);
    const size_t at = walk ? number % walk->count : 0;

    return !walk || !(walk->find_rate > 0) || at == 0 || at + 1 == walk->count;
}

static int check_cancel(const struct session *session, size_t planned, const volatile int *cancel,
                        struct diag *diag)
{
    if (!cancel || !fecrun_cancelled(cancel))
        return 0;
    return diag_fail(diag, DIAG_RUN,
                     "stopped by a signal: %zu of %zu points were planned, none run", planned,
                     session_points(session));
}

int session_check(const struct session *session, struct session_plan *first,
                  const volatile int *cancel, struct diag *diag)
{
    const size_t points = session_points(session);
    struct session_plan own, plan, before = {0};
    size_t i;

    first = first ? first : &own;
    for (i = 0; i < points && !check_cancel(session, i, cancel, diag); i++) {
        if (!is_end(session, i))
            continue;
        if (check_point(session, i, i ? &plan : first, diag))
            break;
        session_plan_free(&before); /* not earlier: neighbours share much of what plugins made */
        before = i ? plan : before;
    }
    session_plan_free(&before);
    if (i && (first == &own || i < points))
        session_plan_free(first);
    return i < points ? -1 : 0;
}

int session_exec(const struct session *session, struct session_plan *plan, uint64_t most,
                 struct exec_options *options, struct exec *exec, struct diag *diag)
{
    uint64_t frames;

    options->workers = session_workers(session, plan->negotiation);
    do {
        shape_set_frames(&plan->shape, plan->frames < most ? plan->frames : most);
        if (exec_open(exec, plan->negotiation, &plan->shape, options, diag))
            return -1;
        /* slots alone first: instances for far too many frames may fail in words of their own */
        if (budget_check(session, exec, &frames, diag))
            break;
        if (frames == exec->created->frames && (exec_make_worker(exec, &exec->workers[0], diag) ||
                                                budget_check(session, exec, &frames, diag)))
            break;
        if (frames == exec->created->frames)
            return 0;
        plan->frames = frames;
        exec_close(exec);
    } while (1);
    exec_close(exec);
    return -1;
}

int session_line(const struct session *session, struct session_plan *plan, uint64_t most,
                 struct memory_pool *pool, struct line *line, struct diag *diag)
{
    struct exec_options options = {.shares = pool, .pool = pool};
    struct exec *exec = calloc(1, sizeof *exec);

    *line = (struct line){0};
    if (!exec)
        return diag_no_memory(diag);
    if (!session_exec(session, plan, most, &options, exec, diag))
        return line_start(line, exec, diag);
    free(exec);
    return -1;
}

uint64_t session_most(const struct session *session, const struct session_plan *plan)
{
    const uint64_t frames = session_limits(session, plan->plan).frames;
    const uint64_t unit = shape_unit(&plan->shape);

    return frames ? (frames + unit - 1) / unit * unit : UINT64_MAX;
}

unsigned session_workers(const struct session *session, const struct negotiation *negotiation)
{
    return negotiation->space != SPACE_HOST ? session->pipeline->in_flight : session->threads;
}

struct run_limits session_limits(const struct session *session, const struct plan *plan)
{
    const struct pipeline *p = session->pipeline;
    bool ends = plan_flags(plan, 0) & FECRUN_STAGE_ENDS;

    if (p->stop_given)
        return (struct run_limits){.frame_errors = p->stop_frame_errors,
                                   .frames = p->stop_frames,
                                   .seconds = p->stop_seconds};
    return ends ? (struct run_limits){0} : (struct run_limits){.frame_errors = 100, .seconds = 60};
}

/* ---- Frames from any one on ---- */

/* Why it must begin with its first frame; NULL: it need not. */
static const char *in_order(const struct plan *plan, size_t s)
{
    const struct plan_stage *stage = &plan->stages[s];
    const struct graph_stage *bound = &plan->graph->stages[s];

    if (plan_flags(plan, s) & FECRUN_STAGE_ORDERED && bound->n_out)
        return plan_flags(plan, s) & FECRUN_STAGE_SEEKS ? "reads a file from its beginning"
                                                        : "reads a pipe, or a file in a loop";
    if (plan_flags(plan, s) & FECRUN_STAGE_ORDERED)
        return "writes a file from its beginning";
    if (plan_flags(plan, s) & FECRUN_STAGE_ENDS)
        return "has an end";
    if (stage->plan.before || stage->plan.after)
        return "reads over the ends of frames";
    return bound->n_out && stage->out[0].stream ? "is a stream" : NULL;
}

int session_seekable(const struct session_plan *plan, const char *what, struct diag *diag)
{
    const struct shape *shape = &plan->shape;

    for (size_t s = 0; s < shape->graph->n; s++)
        for (size_t c = 0; c < shape->n_classes; c++) {
            const char *why = in_order(shape->plans[c], s);
            if (why)
                return diag_fail_at(diag, DIAG_USAGE, shape->graph->stages[s].decl->mark,
                                    "%s: %s, so %s cannot begin in its middle",
                                    shape->graph->stages[s].decl->id, why, what);
        }
    return 0;
}
