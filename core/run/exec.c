/* SPDX-License-Identifier: BSD-2-Clause */
#include "exec.h"

#include "exec_call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int out_of_memory(struct diag *diag)
{
    return diag_fail(diag, DIAG_RUN, "out of memory");
}

bool stage_ordered(const struct exec *exec, size_t s)
{
    return plan_flags(exec->created.plans[0], s) & FECRUN_ORDERED;
}

static bool stage_runs(const struct exec *exec, size_t s)
{
    return exec->negotiation->choices[s].absorbed_by < 0;
}

/* ---- Instances ---- */

static int create_one(struct exec *exec, const struct shape *shape, size_t s, size_t class,
                      size_t n_codes, void **instance, struct diag *diag)
{
    const struct choice *choice = &exec->negotiation->choices[s];
    const char *names[GRAPH_MAX_STAGES];
    void *const *codes[GRAPH_MAX_STAGES];
    struct fecrun_error err = {.size = sizeof err};
    struct fecrun_create args = {.size = sizeof args,
                                 .host = &exec->graph->registry->host,
                                 .codes = shape->codes[s] + class,
                                 .n_codes = (uint32_t)n_codes,
                                 .form = choice->form,
                                 .tune = param_values(choice->tune),
                                 .max_frames = shape->frames,
                                 .device = choice->device,
                                 .n_absorbed = choice->n_absorbed,
                                 .absorbed = names,
                                 .absorbed_codes = codes};

    for (unsigned k = 0; k < choice->n_absorbed; k++) {
        size_t t = s - choice->n_absorbed + k;
        names[k] = exec->graph->stages[t].decl->name;
        codes[k] = shape->codes[t] + class;
    }
    if (!choice->backend->backend->create(&args, instance, &err))
        return 0;
    *instance = NULL;
    if (param_index(choice->tune, err.param) >= 0) /* the user's choice does not go with the rest */
        return param_fail(choice->tune, DIAG_USAGE, &err, diag);
    return stage_fail(exec, s, DIAG_RUN, &err, diag);
}

static size_t instances_of(const struct exec *exec, const struct shape *shape, size_t s)
{
    const struct choice *choice = &exec->negotiation->choices[s];

    return stage_ordered(exec, s) || choice->form->flags & FECRUN_RAGGED ? 1 : shape->n_classes;
}

static void free_set(const struct exec *exec, struct exec_set *set)
{
    for (size_t s = 0; set->instances && s < exec->graph->n; s++) {
        if (!set->instances[s])
            continue;
        for (size_t c = 0; c < instances_of(exec, set->shape, s); c++)
            exec->negotiation->choices[s].backend->backend->destroy(set->instances[s][c]);
        free(set->instances[s]);
    }
    free(set->instances);
    memset(set, 0, sizeof *set);
}

static int make_instances(struct exec *exec, struct exec_set *set, size_t s, struct diag *diag)
{
    size_t n = instances_of(exec, set->shape, s);
    size_t n_codes = n == 1 ? set->shape->n_classes : 1;

    set->instances[s] = calloc(n, sizeof *set->instances[s]);
    if (!set->instances[s])
        return out_of_memory(diag);
    for (size_t c = 0; c < n; c++)
        if (create_one(exec, set->shape, s, c, n_codes, &set->instances[s][c], diag))
            return -1;
    return 0;
}

static int make_set(struct exec *exec, struct exec_set *set, const struct shape *shape,
                    bool ordered, struct diag *diag)
{
    set->shape = shape;
    set->instances = calloc(exec->graph->n, sizeof *set->instances);
    if (!set->instances)
        return out_of_memory(diag);
    for (size_t s = 0; s < exec->graph->n; s++)
        if (stage_runs(exec, s) && stage_ordered(exec, s) == ordered &&
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
static struct bytes scratch_of(const struct exec *exec, const struct exec_set *set,
                               uint64_t frames)
{
    struct bytes most = {0};

    for (size_t s = 0; set->instances && s < exec->graph->n; s++) {
        const struct choice *choice = &exec->negotiation->choices[s];
        if (!set->instances[s] || !choice->backend->backend->scratch)
            continue;
        for (size_t c = 0; c < instances_of(exec, set->shape, s); c++) {
            uint64_t bytes = choice->backend->backend->scratch(set->instances[s][c], frames);
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
    struct place host = {.pool = exec->layout.pool};
    struct place device = {.space = exec->layout.device_space, .device = exec->layout.device,
                           .pool = exec->layout.pool};

    if (grow(exec, &worker->scratch, host, (size_t)bytes.host, diag))
        return -1;
    return grow(exec, &worker->device_scratch, device, (size_t)bytes.device, diag);
}

static int make_worker(struct exec *exec, struct worker *worker, struct diag *diag)
{
    if (worker->full.instances)
        return 0;
    if (stream_open(&worker->stream, exec->graph->registry, exec->layout.device_space,
                    exec->layout.device, diag))
        return -1;
    return make_set(exec, &worker->full, &exec->created, false, diag);
}

int exec_measure(struct exec *exec, struct diag *diag)
{
    return make_worker(exec, &exec->workers[0], diag);
}

struct bytes exec_scratch(const struct exec *exec, uint64_t frames)
{
    struct bytes bytes = scratch_of(exec, &exec->workers[0].full, frames);

    bytes.host *= exec->n_workers;
    bytes.device *= exec->n_workers;
    return bytes;
}

int exec_start_worker(struct exec *exec, struct worker *worker, struct diag *diag)
{
    if (worker->started)
        return 0;
    if (make_worker(exec, worker, diag) || size_scratch(exec, worker, &worker->full, diag) ||
        size_scratch(exec, worker, &exec->ordered, diag))
        return -1;
    worker->started = true;
    return 0;
}

int exec_start_tail(struct exec *exec, struct worker *worker, struct diag *diag)
{
    if (worker->tail.instances)
        return 0;
    if (make_set(exec, &worker->tail, &exec->tail, false, diag))
        return -1;
    return size_scratch(exec, worker, &worker->tail, diag);
}

/* ---- Segments ---- */

static bool reads_over_ends(const struct exec *exec, size_t s)
{
    return exec->layout.margins[s].before || exec->layout.margins[s].after;
}

static void cut_segments(struct exec *exec)
{
    bool after_ordered = false;

    exec->n_segments = 0;
    for (size_t s = 0; s < exec->graph->n; s++) {
        bool ordered;
        if (!stage_runs(exec, s))
            continue;
        ordered = stage_ordered(exec, s);
        if (!exec->n_segments || ordered || after_ordered || reads_over_ends(exec, s))
            exec->segments[exec->n_segments++] =
                (struct segment){.first = s, .ordered = ordered};
        exec->segments[exec->n_segments - 1].last = s;
        after_ordered = ordered;
    }
}

/* ---- Opening and closing ---- */

/* Sum over the sweeps, so that their order does not matter, of FNV-1a over "STAGE.PARAM=value"
   with canonical values: 4, 4.0 and "4" are one point. */
uint32_t point_number(const struct graph *graph, const struct point *point)
{
    uint32_t number = 0;

    for (size_t i = 0; point && i < point->n; i++) {
        const struct pipeline_sweep *sweep = point->sweeps[i];
        struct param_set *set =
            param_clone(graph->stages[graph_find(graph, sweep->stage)].params);
        char value[256] = "", text[512];
        uint32_t hash = 2166136261u;
        if (set) {
            param_override(set, sweep->param, sweep->values[point->index[i]], sweep->mark, NULL);
            param_text(set, (size_t)param_index(set, sweep->param), value, sizeof value);
        }
        param_free(set);
        snprintf(text, sizeof text, "%s.%s=%s", sweep->stage, sweep->param, value);
        for (const char *p = text; *p; p++)
            hash = (hash ^ (unsigned char)*p) * 16777619u;
        number += hash;
    }
    return number;
}

static void set_point(struct exec *exec, const struct point *point)
{
    exec->point = point;
    exec->point_number = point_number(exec->graph, point);
}

int exec_open(struct exec *exec, const struct negotiation *negotiation,
              const struct point *point, const struct exec_options *options, struct diag *diag)
{
    static const volatile int never;

    *exec = (struct exec){.graph = negotiation->graph,
                          .negotiation = negotiation,
                          .n_workers = options->workers,
                          .seed = negotiation->graph->pipeline->seed,
                          .cancel = options->cancel ? options->cancel : &never};
    exec->workers = calloc(exec->n_workers, sizeof *exec->workers);
    if (!exec->workers)
        return out_of_memory(diag);
    set_point(exec, point);
    if (shape_make(&exec->created, exec->graph, point, options->batch, diag) ||
        shape_make(&exec->shape, exec->graph, point, options->batch, diag) ||
        layout_make(&exec->layout, negotiation, &exec->created, options->pool, diag))
        goto fail;
    cut_segments(exec);
    if (options->dry || !exec_open_files(exec, diag))
        return 0;
fail:
    exec_close(exec);
    return -1;
}

int exec_open_files(struct exec *exec, struct diag *diag)
{
    return make_set(exec, &exec->ordered, &exec->created, true, diag);
}

int exec_move(struct exec *exec, const struct point *point, bool *same, struct diag *diag)
{
    struct shape old;

    if (shape_move(&exec->shape, &old, point, diag))
        return -1;
    shape_free(&old);
    set_point(exec, point);
    *same = true;
    for (size_t c = 0; c < exec->shape.n_classes; c++)
        *same = *same && plan_same_frames(exec->created.plans[c], exec->shape.plans[c]);
    return 0;
}

int exec_finish(struct exec *exec, struct diag *diag)
{
    for (size_t s = 0; s < exec->graph->n; s++) {
        const struct fecrun_backend *backend;
        struct fecrun_error err = {.size = sizeof err};
        if (!exec->ordered.instances || !exec->ordered.instances[s])
            continue;
        backend = exec->negotiation->choices[s].backend->backend;
        if (backend->finish && backend->finish(exec->ordered.instances[s][0], &err))
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
    shape_free(&exec->shape);
    shape_free(&exec->created);
    memset(exec, 0, sizeof *exec);
}
