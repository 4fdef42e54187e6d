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
#include "core/batch/line.h"
#include "core/plan/graph.h"
#include "core/plan/negotiate.h"

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
    struct line line;
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
    pipeline->place.base_dir = here;
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
    if (registry_open(&host->registry, &options, diag) ||
        registry_probe(host->registry, NULL, NULL, diag))
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

static int run(struct host *host, struct diag *diag)
{
    const uint64_t frames = host->shape.plans[0]->stages[0].sim.frames; /* that the file has */

    /* instances of the backends, and the memory of one batch */
    if (line_open(&host->line, host->negotiation, &host->shape, true, diag))
        return -1;
    for (uint64_t first = 0; first < frames; first += FRAMES) {
        line_begin(&host->line, first, frames - first < FRAMES ? frames - first : FRAMES);
        if (line_run(&host->line, 0, host->graph->n - 1, diag) || line_wait(&host->line, diag))
            return -1;
    }
    return line_finish(&host->line, diag);
}

static void close_all(struct host *host)
{
    line_close(&host->line);
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
