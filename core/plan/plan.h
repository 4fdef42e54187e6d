/* SPDX-License-Identifier: BSD-2-Clause */
/* Sizes and code objects of a bound pipeline, for one sweep point and one class of frames. */
#ifndef FECRUN_PLAN_H
#define FECRUN_PLAN_H

#include "graph.h"

/* One point of a sweep. number: what the RNG knows it by, a hash of the swept names and values. */
struct point {
    size_t n;
    const struct pipeline_sweep *const *sweeps;
    const size_t *index; /* into sweeps[i]->values */
};

struct plan_stage {
    struct param_set *params; /* with the point's and the class's values */
    struct fecrun_plan plan;
    struct fecrun_frame out[FECRUN_MAX_PORTS];
};

struct plan {
    const struct graph *graph;
    struct plan_stage *stages;
    const struct plan *next; /* of the next class of `blocks:`; not owned; NULL: the last */
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

/* Are all frames and margins such that what was chosen for one plan serves the other? */
bool plan_same_frames(const struct plan *a, const struct plan *b);

/* Signal-to-noise ratios that the pipeline's channel makes; NaN where there is none. */
void plan_snr(const struct plan *plan, double *ebn0_db, double *esn0_db);

/* "LLRs", "bits", "symbols". */
const char *plan_kind_name(uint32_t kind);
const char *plan_type_name(uint32_t type);

#endif
