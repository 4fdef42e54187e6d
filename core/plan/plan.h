/* SPDX-License-Identifier: BSD-2-Clause */
/* Sizes and code objects of a bound pipeline, for one sweep point and one class of frames. */
#ifndef FECRUN_PLAN_PLAN_H
#define FECRUN_PLAN_PLAN_H

#include <fecrun/sim.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;
struct graph;
struct pipeline_block;
struct pipeline_sweep;

#define GRAPH_MAX_STAGES 64

/* One point of a sweep. Zeroed: no sweep. */
struct point {
    size_t n;
    const struct pipeline_sweep *sweeps;
    size_t at; /* which combination of their values: the last one's change fastest */
    /* What the RNG knows it by, a number a stage: see point_number(). */
    uint32_t numbers[GRAPH_MAX_STAGES];
};

/* The value of sweep i there, as text. */
const char *point_value(const struct point *point, size_t i);

struct plan_stage {
    struct param_set *params; /* with the point's and the class's values */
    struct fecrun_plan plan;
    struct fecrun_sim_plan sim;
    struct fecrun_frame out[FECRUN_MAX_PORTS];
};

struct plan {
    const struct graph *graph;
    struct plan_stage *stages;
};

struct plan_request {
    const struct point *point;          /* NULL: values as in the file */
    const struct pipeline_block *block; /* NULL: no blocks */
    uint64_t tail_items;                /* 0: whole frames; else the source's last, shorter frame */
};

int plan_make(struct plan **plan, const struct graph *graph, const struct plan_request *request,
              struct diag *diag);
void plan_free(struct plan *plan);

/* Frame at an input port, NULL if it is not linked. */
const struct fecrun_frame *plan_input(const struct plan *plan, size_t stage, unsigned port);

/* All flags of a stage: its own and those of its parameters. */
uint32_t plan_flags(const struct plan *plan, size_t stage);

/* Signal-to-noise ratios that the pipeline's channel makes; NaN where there is none. */
void plan_snr(const struct plan *plan, double *ebn0_db, double *esn0_db);

/*
 * Sets point->numbers from the values of the point's plan: what the RNG knows a point by. Each stage has a number of its
 * own, made of the swept values that can reach its output: so what is swept behind a stage leaves its random values as
 * they are, and all values of a receiver's parameter meet the same frames and the same noise. Where stages combine frames
 * with those of another run (fecrun_plan.past), channels get other numbers than they had there.
 */
void point_number(struct point *point, const struct plan *plan);

/* "LLRs", "bits", "symbols". */
const char *plan_kind_name(uint32_t kind);

#endif
