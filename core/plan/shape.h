/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the frames of a batch look like: one class of equal frames, or the rows of `blocks:` with a
 * class each, or the single shorter frame that ends a stream. Plans belong to the present point.
 */
#ifndef FECRUN_PLAN_SHAPE_H
#define FECRUN_PLAN_SHAPE_H

#include "core/plan/plan.h"

/* A row of frames with equal sizes; those of `blocks:` follow each other again and again, round by round. */
struct shape_row {
    unsigned class;
    uint64_t first, count;              /* first: in its round; of a span: in the batch */
    const struct pipeline_block *block; /* NULL without blocks */
};

/*
 * All output ports with as many pieces of each frame of the source: one for each way to split frames,
 * the first one not at all. What a full batch has there; frame infos stand level by level.
 */
struct shape_level {
    size_t stage; /* one of the ports */
    unsigned port;
    uint64_t *before; /* frames of a round in front of each row, and in all; NULL without blocks */
    uint64_t frames;  /* in all */
    uint64_t infos;   /* number of the first frame info */
};

struct shape {
    const struct graph *graph;
    struct point point;
    uint64_t tail_items; /* not 0: the end of a stream */
    uint64_t frames;     /* in a full batch */
    uint64_t round; /* frames of all rows: a full batch has several rounds, or this is all of it */
    size_t n_rows;
    struct shape_row *rows;
    size_t n_classes;
    struct plan **plans; /* one a class, of the present point */
    void ***codes;       /* [stage][class], of the present point */
    size_t n_levels;
    struct shape_level *levels;
    size_t *level_of; /* [stage * FECRUN_MAX_PORTS + port] */
    size_t blocks;    /* the level with most frames */
    uint64_t infos;   /* of all levels */
};

/* Sums of bytes do not overflow: a product ends at more than a machine can address. Small ones are not divided. */
#define BYTES_MOST ((uint64_t)1 << 48)
static inline uint64_t bytes_times(uint64_t a, uint64_t b)
{
    return (a | b) >> 24 && a && b > BYTES_MOST / a ? BYTES_MOST : a * b;
}

/* Batch of one frame, or (pipeline with blocks) all rows of blocks once. Plans for the given point,
   NULL: values as in the file. */
int shape_make(struct shape *shape, const struct graph *graph, const struct point *point,
               struct diag *diag);
/* The frame of tail_items (at the source) that ends a stream. */
int shape_make_tail(struct shape *shape, const struct shape *full, uint64_t tail_items,
                    struct diag *diag);
void shape_free(struct shape *shape);

/* A batch has that many frames: with rows of blocks, a multiple of shape_unit(). */
void shape_set_frames(struct shape *shape, uint64_t frames);

/* Items of one frame of a class at an output port. */
uint64_t shape_items(const struct shape *shape, unsigned class, size_t stage, unsigned port);

/* Frames at an output port when a batch has that many of the source. */
uint64_t shape_frames(const struct shape *shape, size_t stage, unsigned port, uint64_t frames);

/* Frames of a source that each worker may read for itself (FECRUN_STAGE_SEEKS); 0: it is read in order. */
static inline uint64_t shape_source_frames(const struct shape *shape)
{
    const struct plan *plan = shape->plans[0];

    return plan_flags(plan, 0) & FECRUN_STAGE_SEEKS && shape->n_rows == 1
               ? plan->stages[0].sim.frames
               : 0;
}

/* Which level has the port's frames? */
static inline struct shape_level *shape_level(const struct shape *shape, size_t stage,
                                              unsigned port)
{
    return &shape->levels[shape->level_of[stage * FECRUN_MAX_PORTS + port]];
}

/* Frame infos of a batch of that many frames. */
uint64_t shape_infos(const struct shape *shape, uint64_t frames);

/* All batches but the last one have a multiple of that many frames: a round of blocks, or 1. */
uint64_t shape_unit(const struct shape *shape);

/* Row number `span` of the batch, counted through all rounds. Behind the batch, `first` is at least its frames. */
struct shape_row shape_span(const struct shape *shape, size_t span);
/* The span of a frame. */
size_t shape_span_of(const struct shape *shape, uint64_t frame);

/* Bytes of that many frames of the source in a buffer of that type, from its first frame on: for those in
   front of a span this is where it lies. */
uint64_t shape_bytes(const struct shape *shape, uint64_t frames, size_t stage, unsigned port,
                     uint32_t type);

#endif
