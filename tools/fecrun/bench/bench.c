/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/bench/bench_impl.h"

#include <stdio.h>
#include <string.h>

static bool is_decoder(const struct graph *graph, size_t s)
{
    const char *dot = strrchr(graph->stages[s].decl->name, '.');

    return dot && !strcmp(dot, ".decode");
}

int bench_stage(const struct session *session, const char *id, struct diag *diag)
{
    const struct graph *graph = session->graph;
    int found = -1;

    if (id) {
        found = graph_find(graph, id);
        if (found < 0)
            return diag_fail(diag, DIAG_USAGE, "--stage %s: no stage of that name in the file", id);
        if (found == 0 || found + 1 == (int)graph->n)
            return diag_fail(diag, DIAG_USAGE, "--stage %s: sources and sinks are not timed", id);
        return found;
    }
    for (size_t s = 0; s < graph->n; s++)
        if (is_decoder(graph, s))
            found = (int)s;
    if (found < 0)
        diag_fail(diag, DIAG_USAGE, "this pipeline has no decoder; --stage ID says what to time");
    return found;
}

static int open_bench(struct bench *bench, struct diag *diag)
{
    struct exec_options options = {0};

    if (session_plan(bench->session, bench->options->point, &bench->plan, diag))
        return -1;
    if (bench->options->batch % shape_unit(&bench->plan.shape))
        return diag_fail(
            diag, DIAG_USAGE,
            "--batches: %llu frames are no multiple of the %llu that the rows of blocks have",
            (unsigned long long)bench->options->batch,
            (unsigned long long)shape_unit(&bench->plan.shape));
    shape_set_frames(&bench->plan.shape, bench->options->batch);
    bench->on_device = bench->plan.negotiation->choices[bench->stage].space != SPACE_HOST;
    bench->threads = bench->on_device || bench->load ? 1 : bench->session->threads;
    bench->in_flight = bench->load ? 1 : bench->session->pipeline->in_flight;
    options.workers = bench->on_device ? bench->in_flight : bench->threads;
    if (exec_open(&bench->exec, bench->plan.negotiation, &bench->plan.shape, &options, diag))
        return -1;
    bench->open = true;
    if (exec_open_files(&bench->exec, diag))
        return -1;
    for (unsigned w = 0; w < options.workers; w++)
        if (exec_start_worker(&bench->exec, &bench->exec.workers[w], diag))
            return -1;
    return bench_slots_make(bench, diag);
}

static void close_bench(struct bench *bench)
{
    bench_slots_free(bench);
    if (bench->open)
        exec_close(&bench->exec);
    session_plan_free(&bench->plan);
}

/* Information bits of a whole batch: what a decoder puts out; any other stage counts those that
   its frames carry. */
static uint64_t batch_bits(const struct bench *bench)
{
    const struct shape *shape = bench->exec.created;
    uint64_t bits = 0;

    for (size_t r = 0; r < shape->n_rows; r++) {
        const struct fecrun_frame *out =
            &shape->plans[shape->rows[r].class]->stages[bench->stage].out[0];
        bits += shape->rows[r].count *
                (is_decoder(bench->session->graph, bench->stage) || !out->info_bits
                     ? out->items * out->pieces
                     : out->info_bits);
    }
    return bits * (shape->frames / shape->round);
}

static uint64_t scratch_bytes(const struct bench *bench)
{
    const struct fecrun_backend *backend =
        bench->exec.negotiation->choices[bench->stage].backend->backend;

    return backend->scratch
               ? backend->scratch(bench->exec.workers[0].full.instances[bench->stage][0],
                                  exec_frames(&bench->exec, bench->exec.created, bench->stage,
                                              bench->exec.created->frames))
               : 0;
}

static void name_device(const struct bench *bench, struct bench_result *result)
{
    const struct choice *choice = &bench->exec.negotiation->choices[bench->stage];

    if (choice->space == SPACE_HOST)
        snprintf(result->device, sizeof result->device, "host");
    else
        snprintf(result->device, sizeof result->device, "%s:%d", choice->backend->backend->provider,
                 bench->exec.negotiation->device);
}

static int measure(struct bench *bench, struct bench_result *result, struct diag *diag)
{
    const double bits = (double)batch_bits(bench);

    if (bench->load)
        return bench->on_device ? bench_latency_device(bench, result, diag)
                                : bench_latency_host(bench, result, diag);
    return bench->on_device ? bench_device(bench, bits, result, diag)
                            : bench_host(bench, bits, result, diag);
}

static int run(struct bench *bench, struct bench_result *result, struct diag *diag)
{
    int status;

    memset(result, 0, sizeof *result);
    result->unmade = true;
    status = open_bench(bench, diag);
    if (!status) {
        result->unmade = false;
        status = measure(bench, result, diag);
    }
    if (!status) {
        result->stage = bench->session->graph->stages[bench->stage].decl->id;
        result->backend = bench->exec.negotiation->choices[bench->stage].backend->backend->name;
        name_device(bench, result);
        result->batch = bench->exec.created->frames;
        result->scratch_bytes = scratch_bytes(bench);
        result->threads = bench->threads;
        result->info_bits = batch_bits(bench) / bench->exec.created->frames;
    }
    close_bench(bench);
    return status;
}

int bench_run(const struct session *session, size_t stage, const struct bench_options *options,
              struct bench_result *result, struct diag *diag)
{
    struct bench bench = {.session = session, .options = options, .stage = stage};

    return run(&bench, result, diag);
}

int bench_load_run(const struct session *session, size_t stage, const struct bench_load *load,
                   struct bench_result *result, struct diag *diag)
{
    const struct bench_options options = {
        .point = load->point, .batch = 1, .check_seconds = load->check_seconds};
    struct bench bench = {.session = session, .options = &options, .load = load, .stage = stage};

    return run(&bench, result, diag);
}
