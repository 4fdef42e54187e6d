/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The smallest host: what core/ is for, on its archive alone. It loads plugins, plans a chain of stages and
 * runs a file through them, batch by batch:
 *
 *     mini PLUGIN_DIR CHAIN.yaml
 *
 * CHAIN.yaml is a list of stages, each {NAME: {PARAMETERS}}, of which the first reads a file and the last one
 * writes one. run/ adds what users want besides: sweeps, threads, several devices, counting, results.
 */
#include "core/batch/exec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 64 }; /* of a batch */

struct host {
    struct registry *registry;
    struct conf *conf;
    struct pipeline pipeline;
    struct graph *graph;
    struct shape shape;
    struct negotiation *negotiation;
    struct exec exec;
    struct slot slot;
};

/* ---- What is to be run ---- */

static int read_chain(struct host *host, const char *path, struct diag *diag)
{
    static char here[] = ".";
    struct pipeline *pipeline = &host->pipeline;
    const struct conf_node *list;

    if (conf_parse_file(&host->conf, path, diag))
        return -1;
    list = host->conf->root;
    if (list->kind != CONF_LIST || !list->count)
        return diag_fail_at(diag, DIAG_USAGE, list->mark, "must be a list of stages");
    pipeline->stages = calloc(list->count, sizeof *pipeline->stages);
    if (!pipeline->stages)
        return diag_no_memory(diag);
    pipeline->conf = host->conf;
    pipeline->base_dir = here;
    for (size_t i = 0; i < list->count; i++) {
        const struct conf_node *stage = list->items[i];
        if (stage->kind != CONF_MAP || stage->count != 1)
            return diag_fail_at(diag, DIAG_USAGE, stage->mark, "must be {NAME: {PARAMETERS}}");
        pipeline->stages[pipeline->n_stages++] = (struct pipeline_stage){
            .name = stage->keys[0]->text,
            .id = stage->keys[0]->text,
            .params = stage->items[0],
            .mark = stage->mark};
    }
    return 0;
}

/* ---- Plugins and the plan ---- */

static int plan(struct host *host, const char *plugin_dir, struct diag *diag)
{
    const char *const dirs[] = {plugin_dir, NULL};
    const struct registry_options options = {.dirs = dirs};
    const struct point point = {0};

    /* plugins, and what can run here */
    if (registry_open(&host->registry, &options, diag))
        return -1;
    /* stages by name, their parameters read and their ports linked */
    if (graph_bind(&host->graph, &host->pipeline, host->registry, diag))
        return -1;
    /* sizes of frames, and the plugins' code objects */
    if (shape_make(&host->shape, host->graph, &point, diag))
        return -1;
    shape_set_frames(&host->shape, FRAMES);
    /* a backend for each stage, sample types and copies between them */
    return negotiate(&host->negotiation, &host->shape, diag);
}

/* ---- Batches ---- */

static int run_batch(struct host *host, uint64_t first, uint64_t frames, struct diag *diag)
{
    struct exec *exec = &host->exec;
    struct slot *slot = &host->slot;

    slot->shape = &host->shape;
    slot->batch = first / FRAMES;
    slot->first_frame = first;
    slot->frames = frames;
    slot->info_space = INFO_CLEAR;
    for (size_t k = 0; k < exec->n_segments; k++)
        if (exec_segment(exec, &exec->workers[0], slot, k, 0, NULL, diag))
            return -1;
    return exec_end(exec, &exec->workers[0], slot, diag);
}

static int run(struct host *host, struct diag *diag)
{
    const struct exec_options options = {.workers = 1};
    const uint64_t frames = host->shape.plans[0]->stages[0].plan.frames; /* that the file has */

    if (exec_open(&host->exec, host->negotiation, &host->shape, &options, diag))
        return -1;
    if (slot_make(&host->slot, &host->exec.layout, diag) ||
        exec_make_worker(&host->exec, &host->exec.workers[0], diag) ||
        exec_start_worker(&host->exec, &host->exec.workers[0], diag))
        return -1;
    for (uint64_t first = 0; first < frames; first += FRAMES)
        if (run_batch(host, first, frames - first < FRAMES ? frames - first : FRAMES, diag))
            return -1;
    return exec_finish(&host->exec, diag);
}

static void close_all(struct host *host)
{
    if (host->exec.graph) {
        slot_free(&host->slot, &host->exec.layout);
        exec_close(&host->exec);
    }
    negotiation_free(host->negotiation);
    shape_free(&host->shape);
    graph_free(host->graph);
    free(host->pipeline.stages);
    conf_free(host->conf);
    registry_close(host->registry);
}

int main(int argc, char **argv)
{
    struct host host = {0};
    struct diag diag = {0};
    int status;

    if (argc != 3) {
        fprintf(stderr, "usage: mini PLUGIN_DIR CHAIN.yaml\n");
        return 2;
    }
    status = read_chain(&host, argv[2], &diag) || plan(&host, argv[1], &diag) || run(&host, &diag);
    if (status)
        fprintf(stderr, "mini: %s\n", diag.text);
    close_all(&host);
    return status ? 1 : 0;
}
