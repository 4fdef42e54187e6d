/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/batch/exec.h"
#include "core/batch/scratch.h"

#include "core/plan/candidates.h"
#include "core/plugin/calling.h"

#include <fecrun/sdk/params.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool exec_ordered(const struct exec *exec, size_t s)
{
    return plan_flags(exec->created->plans[0], s) & FECRUN_STAGE_ORDERED &&
           (s || !shape_source_frames(exec->created));
}

/* On a device it says which one. */
int exec_fail(const struct exec *exec, size_t s, int status, const struct fecrun_error *err,
              struct diag *diag)
{
    const struct choice *choice = &exec->negotiation->choices[s];
    const struct param_set *params = exec->graph->stages[s].params;
    struct fecrun_error longer = *err;

    if (choice->space == SPACE_HOST || err->param[0])
        return param_fail(params, status, err, diag);
    snprintf(longer.text, sizeof longer.text, "%s:%d: %.400s", choice->backend->backend->provider,
             exec->negotiation->device, err->text[0] ? err->text : "failed without a reason");
    return param_fail(params, status, &longer, diag);
}

static bool stage_runs(const struct exec *exec, size_t s)
{
    return exec->negotiation->choices[s].absorbed_by < 0;
}

static void begin_call(const struct exec *exec, size_t s, const char *what)
{
    const struct graph_stage *stage = &exec->graph->stages[s];

    calling_begin(stage->decl->id, what, stage->entry->plugin->path);
}

/* ---- Instances ---- */

uint64_t exec_frames(const struct exec *exec, const struct shape *shape, size_t s, uint64_t frames)
{
    const struct edge *in = exec->negotiation->choices[s].in;
    uint64_t most = 0, n;

    for (unsigned p = 0; p < exec->graph->stages[s].n_in; p++)
        if (in[p].from_stage >= 0 && (n = shape_frames(shape, (size_t)in[p].from_stage,
                                                       (unsigned)in[p].from_port, frames)) > most)
            most = n;
    for (unsigned p = 0; p < exec->graph->stages[s].n_out; p++)
        if ((n = shape_frames(shape, s, p, frames)) > most)
            most = n;
    return most;
}

/* Makes one instance, the class's or that of all, by what was chosen for the exec. */
static int create(struct exec *exec, const struct shape *shape, size_t s, size_t class,
                  void **instance, struct diag *diag)
{
    const struct choice *choice = &exec->negotiation->choices[s];
    struct fecrun_error err = {.size = sizeof err};
    struct options_room room;
    struct fecrun_create args = options_create(shape, s, choice->form, choice->n_absorbed, class,
                                               &room);
    int status;

    args.tune = param_values(choice->tune);
    args.max_frames = exec_frames(exec, shape, s, shape->frames);
    args.device = choice->space == SPACE_HOST ? 0 : exec->negotiation->device;
    begin_call(exec, s, "create");
    status = choice->backend->backend->create(&args, instance, &err);
    calling_end(&err);
    if (!status)
        return 0;
    *instance = NULL;
    if (param_index(choice->tune, err.param) >= 0) /* the user's choice does not go with the rest */
        return param_fail(choice->tune, DIAG_USAGE, &err, diag);
    return exec_fail(exec, s, DIAG_RUN, &err, diag);
}

static size_t instances_of(const struct exec *exec, const struct shape *shape, size_t s)
{
    return options_instances(shape, s, exec->negotiation->choices[s].form);
}

static void free_set(const struct exec *exec, struct exec_set *set)
{
    for (size_t s = 0; set->instances && s < exec->graph->n; s++) {
        if (!set->instances[s])
            continue;
        begin_call(exec, s, "destroy");
        for (size_t c = 0; c < instances_of(exec, set->shape, s); c++)
            exec->negotiation->choices[s].backend->backend->destroy(set->instances[s][c]);
        calling_end(NULL);
        free(set->instances[s]);
    }
    free(set->instances);
    memset(set, 0, sizeof *set);
}

static int make_instances(struct exec *exec, struct exec_set *set, size_t s, struct diag *diag)
{
    size_t n = instances_of(exec, set->shape, s);

    set->instances[s] = calloc(n, sizeof *set->instances[s]);
    if (!set->instances[s])
        return diag_no_memory(diag);
    for (size_t c = 0; c < n; c++)
        if (create(exec, set->shape, s, c, &set->instances[s][c], diag))
            return -1;
    return 0;
}

static int make_set(struct exec *exec, struct exec_set *set, const struct shape *shape,
                    bool ordered, struct diag *diag)
{
    set->shape = shape;
    set->instances = calloc(exec->graph->n, sizeof *set->instances);
    if (!set->instances)
        return diag_no_memory(diag);
    for (size_t s = 0; s < exec->graph->n; s++)
        if (stage_runs(exec, s) && !(exec->kept && exec->kept[s]) &&
            exec_ordered(exec, s) == ordered &&
            !(ordered && exec->sinkless && s + 1 == exec->graph->n) &&
            make_instances(exec, set, s, diag))
            return -1;
    return 0;
}

/* ---- Scratch ---- */

static int grow(struct exec *exec, struct memory *memory, struct place place, size_t bytes,
                struct diag *diag)
{
    if (bytes <= memory->bytes)
        return 0;
    memory_free(memory);
    return memory_alloc(memory, exec->graph->registry, place, bytes, diag);
}

/* What the largest wish of a set is. One piece per worker serves all its stages: they run one after
   the other. */
static struct bytes scratch_of(const struct exec *exec, const struct exec_set *set, uint64_t frames)
{
    struct bytes most = {0};

    for (size_t s = 0; set->instances && s < exec->graph->n; s++) {
        const struct choice *choice = &exec->negotiation->choices[s];
        if (!set->instances[s] || !choice->backend->backend->scratch)
            continue;
        for (size_t c = 0; c < instances_of(exec, set->shape, s); c++) {
            uint64_t bytes = choice->backend->backend->scratch(
                set->instances[s][c], exec_frames(exec, set->shape, s, frames));
            uint64_t *old = choice->space == SPACE_HOST ? &most.host : &most.device;
            *old = bytes > *old ? bytes : *old;
        }
    }
    return most;
}

static int size_scratch(struct exec *exec, struct worker *worker, const struct exec_set *set,
                        struct diag *diag)
{
    struct bytes bytes = scratch_of(exec, set, set->instances ? set->shape->frames : 0);
    struct place host = {.pool = exec->layout.device.pool};

    if (exec->shares && bytes.host <= SCRATCH_SHARED) {
        bytes.host = 0;
        scratch_give(scratch_take()); /* here, so that calls in this thread allocate nothing */
    }
    if (grow(exec, &worker->scratch, host, (size_t)bytes.host, diag))
        return -1;
    return grow(exec, &worker->device_scratch, exec->layout.device, (size_t)bytes.device, diag);
}

int exec_make_instances(struct exec *exec, struct worker *worker, struct diag *diag)
{
    if (!make_set(exec, &worker->full, exec->created, false, diag))
        return 0;
    free_set(exec, &worker->full);
    return -1;
}

int exec_make_worker(struct exec *exec, struct worker *worker, struct diag *diag)
{
    if (worker->full.instances)
        return 0;
    if (stream_open(&worker->stream, exec->graph->registry, exec->layout.device.space,
                    exec->layout.device.device, diag))
        return -1;
    if (!exec_make_instances(exec, worker, diag))
        return 0;
    /* the run may go on without what was asked of it, and the next one begin with this worker */
    stream_close(&worker->stream);
    return -1;
}

struct bytes exec_scratch(const struct exec *exec, uint64_t frames)
{
    struct bytes bytes = scratch_of(exec, &exec->workers[0].full, frames);

    bytes.host = bytes_times(bytes.host, exec->n_workers);
    bytes.device = bytes_times(bytes.device, exec->n_workers);
    return bytes;
}

int exec_start_worker(struct exec *exec, struct worker *worker, struct diag *diag)
{
    if (worker->started)
        return 0;
    if (exec_make_worker(exec, worker, diag) || size_scratch(exec, worker, &worker->full, diag) ||
        size_scratch(exec, worker, &exec->ordered, diag))
        return -1;
    worker->started = true;
    return 0;
}

int exec_start_tail(struct exec *exec, struct worker *worker, struct diag *diag)
{
    if (worker->tail.instances)
        return 0;
    if (!make_set(exec, &worker->tail, &exec->tail, false, diag) &&
        !size_scratch(exec, worker, &worker->tail, diag))
        return 0;
    free_set(exec, &worker->tail);
    return -1;
}

static void drop_tail(struct exec *exec)
{
    for (unsigned w = 0; w < exec->n_workers; w++)
        free_set(exec, &exec->workers[w].tail);
    shape_free(&exec->tail);
}

enum { MOST_LEFT = 512 }; /* items that end a stream and may be left over */

/* Only a stage knows which sizes it takes, so one after the other is tried. If none of MOST_LEFT is taken, the stage
   refuses something else, and its first error stands. */
int exec_plan_tail(struct exec *exec, uint64_t *items, struct diag *diag)
{
    const bool stream = exec->created->plans[0]->stages[0].out[0].stream;
    const uint64_t all = *items;
    struct diag first = {0}, why = {0};

    if (exec->tail.tail_items == all)
        return 0;
    drop_tail(exec);
    while (*items && shape_make_tail(&exec->tail, exec->shape, *items, &why)) {
        first = *items == all ? why : first;
        if (!stream || why.status != DIAG_USAGE || all - *items == MOST_LEFT) {
            *diag = why.status == DIAG_USAGE ? first : why;
            return -1;
        }
        --*items;
        why = (struct diag){0};
    }
    return 0;
}

/* ---- Segments ---- */

static void cut_segments(struct exec *exec)
{
    bool after_ordered = false;

    exec->n_segments = 0;
    for (size_t s = 0; s < exec->graph->n; s++) {
        const struct margin *round = &exec->layout.margins[s];
        bool ordered;
        if (!stage_runs(exec, s))
            continue;
        ordered = exec_ordered(exec, s);
        if (!exec->n_segments || ordered || after_ordered || round->before || round->after)
            exec->segments[exec->n_segments++] = (struct segment){.first = s, .ordered = ordered};
        exec->segments[exec->n_segments - 1].last = s;
        after_ordered = ordered;
    }
}

/* ---- Opening and closing ---- */

int exec_open(struct exec *exec, const struct negotiation *negotiation, const struct shape *shape,
              const struct exec_options *options, struct diag *diag)
{
    static const volatile int never;

    *exec = (struct exec){.graph = negotiation->graph,
                          .negotiation = negotiation,
                          .created = shape,
                          .shape = shape,
                          .n_workers = options->workers,
                          .watch = options->watch,
                          .shares = options->shares && SCRATCH_SHARED,
                          .seed = negotiation->graph->pipeline->seed,
                          .cancel = options->cancel ? options->cancel : &never};
    exec->workers = calloc(exec->n_workers, sizeof *exec->workers);
    if (!exec->workers)
        return diag_no_memory(diag);
    if (layout_make(&exec->layout, negotiation, shape, options->pool, diag)) {
        exec_close(exec);
        return -1;
    }
    cut_segments(exec);
    return 0;
}

int exec_open_files(struct exec *exec, struct diag *diag)
{
    return make_set(exec, &exec->ordered, exec->created, true, diag);
}

int exec_finish(struct exec *exec, struct diag *diag)
{
    for (size_t s = 0; s < exec->graph->n; s++) {
        const struct fecrun_backend *backend;
        struct fecrun_error err = {.size = sizeof err};
        int status;
        if (!exec->ordered.instances || !exec->ordered.instances[s])
            continue;
        backend = exec->negotiation->choices[s].backend->backend;
        begin_call(exec, s, "finish");
        status = backend->finish ? backend->finish(exec->ordered.instances[s][0], &err) : 0;
        calling_end(&err);
        if (status)
            return param_fail(exec->graph->stages[s].params, DIAG_RUN, &err, diag);
    }
    return 0;
}

void exec_close(struct exec *exec)
{
    for (unsigned w = 0; exec->workers && w < exec->n_workers; w++) {
        struct worker *worker = &exec->workers[w];
        free_set(exec, &worker->full);
        free_set(exec, &worker->tail);
        memory_free(&worker->scratch);
        memory_free(&worker->device_scratch);
        stream_close(&worker->stream);
    }
    free(exec->workers);
    if (exec->graph)
        free_set(exec, &exec->ordered);
    layout_free(&exec->layout);
    shape_free(&exec->tail);
    memset(exec, 0, sizeof *exec);
}
