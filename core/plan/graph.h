/* SPDX-License-Identifier: BSD-2-Clause */
/* A pipeline bound to stages of the registry, with checked parameters and connected ports. */
#ifndef FECRUN_PLAN_GRAPH_H
#define FECRUN_PLAN_GRAPH_H

#include "core/plan/pipeline.h"
#include "core/plugin/registry.h"
#include "core/value/param.h"

struct graph_link {
    int stage; /* index of the stage that feeds this input; -1: not linked */
    int port;
};

struct graph_stage {
    const struct pipeline_stage *decl;
    const struct registry_stage *entry;
    const struct fecrun_stage *stage;
    const char *wish; /* the backend that the user asked for: NAME or NAME:DEVICE; NULL: choose */
    const struct registry_backend *wished; /* that one; NULL: the stage has none of this name */
    int device;                            /* with it */
    struct param_set *params;
    unsigned n_in, n_out;
    struct graph_link in[FECRUN_MAX_PORTS];
    uint32_t random_stage; /* 16-bit number for the RNG, made from the id */
};

struct graph {
    const struct pipeline *pipeline;
    const struct registry *registry;
    size_t n;
    struct graph_stage *stages;
};

/* Looks stages up, reads their parameters, applies --set, links ports, checks sweeps and blocks. */
int graph_bind(struct graph **graph, const struct pipeline *pipeline,
               const struct registry *registry, struct diag *diag);
void graph_free(struct graph *graph);

/* Does any stage read this output? */
bool graph_output_read(const struct graph *graph, size_t stage, unsigned port);

/* Does the stage read an output of a stage that is marked? */
bool graph_reads_any(const struct graph *graph, size_t stage, const bool *marked);

/* With `from:` a stage can be left out, which nobody wants: an error then. Asked once the stages are
   planned, for what is wrong may be the name of a port that should read it. */
int graph_check_read(const struct graph *graph, struct diag *diag);

/* Index of the stage's size parameter of that name, which a column of `blocks:` may set, or -1. */
int graph_size_param(const struct graph *graph, size_t stage, const char *name);

/* Index of the stage with this id, or -1. */
int graph_find(const struct graph *graph, const char *id);

#endif
