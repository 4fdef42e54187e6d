/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the frames of a batch look like: one class of equal frames, or the rows of `blocks:` with a
 * class each, or the single shorter frame that ends a stream. Plans belong to the present point.
 */
#ifndef FECRUN_SHAPE_H
#define FECRUN_SHAPE_H

#include "plan.h"

/* A row of frames with equal sizes. */
struct shape_row {
    unsigned class;
    uint64_t first, count;
    const struct pipeline_block *block; /* NULL without blocks */
};

struct shape {
    const struct graph *graph;
    uint64_t tail_items; /* not 0: the end of a stream */
    uint64_t frames;     /* in a full batch */
    size_t n_rows;
    struct shape_row *rows;
    size_t n_classes;
    struct plan **plans; /* one a class, of the present point */
    void ***codes;       /* [stage][class], of the present point */
};

/* Batch of `frames` equal frames, or (pipeline with blocks) all rows of blocks once. Plans for the
   given point. */
int shape_make(struct shape *shape, const struct graph *graph, const struct point *point,
               uint64_t frames, struct diag *diag);
/* The frame of tail_items (at the source) that ends a stream. */
int shape_make_tail(struct shape *shape, const struct graph *graph, const struct point *point,
                    uint64_t tail_items, struct diag *diag);
void shape_free(struct shape *shape);

/* New plans of another point, the old ones are handed over in *old (shape_free it after the
   instances that were made from it). */
int shape_move(struct shape *shape, struct shape *old, const struct point *point,
               struct diag *diag);

/* Items of one frame of a class at an output port. */
uint64_t shape_items(const struct shape *shape, unsigned class, size_t stage, unsigned port);

/* Bytes from the start of a buffer of that type to a row's first frame; rows may be n_rows. */
uint64_t shape_offset(const struct shape *shape, size_t row, size_t stage, unsigned port,
                      uint32_t type);

#endif
