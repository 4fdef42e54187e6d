/* SPDX-License-Identifier: BSD-2-Clause */
/* Instances of the chosen backends, and calling them on batches. No scheduling: see run.c. */
#ifndef FECRUN_EXEC_H
#define FECRUN_EXEC_H

#include "batch.h"

/*
 * Stages between two points where batches must wait for each other: an ordered stage (a file) is a
 * segment of its own, a stage that reads over the ends of its batch begins one.
 */
struct segment {
    size_t first, last;
    bool ordered;
};

struct exec_set { /* instances for one shape */
    const struct shape *shape;
    void ***instances; /* [stage][class]; one class for ordered stages and ragged forms */
};

/* One thread's own things. */
struct worker {
    struct exec_set full, tail;
    struct memory scratch, device_scratch;
    struct space_stream stream;
    bool started;
};

struct exec {
    const struct graph *graph;
    const struct negotiation *negotiation;
    struct layout layout;
    struct shape created;  /* what instances were made from */
    struct shape shape;    /* the present point; plans only, else as created */
    struct shape tail;     /* frames == 0: not met yet */
    struct exec_set ordered; /* instances that all workers share */
    size_t n_segments;
    struct segment segments[GRAPH_MAX_STAGES];
    unsigned n_workers;
    struct worker *workers;
    const struct point *point; /* NULL: no sweep */
    uint32_t point_number;
    uint64_t seed;
    const volatile int *cancel; /* the user's; never NULL */
    int ending; /* what calls get as their cancel flag: set by the user, a stop rule or an error */
};

struct exec_options {
    uint64_t batch; /* frames */
    unsigned workers;
    const volatile int *cancel; /* may be NULL */
    bool dry;                   /* no ordered stages (files): see exec_open_files */
    struct memory_pool *pool;   /* for all memory; outlives the exec; may be NULL */
};

/* Takes the negotiation as it is; point may be NULL. Creates the ordered instances. */
int exec_open(struct exec *exec, const struct negotiation *negotiation,
              const struct point *point, const struct exec_options *options, struct diag *diag);
/* What `dry` left out. */
int exec_open_files(struct exec *exec, struct diag *diag);
/* Another point of a sweep over FECRUN_POINT parameters: same instances, new codes. *same is false
   where its frames are others after all: then open anew. */
int exec_move(struct exec *exec, const struct point *point, bool *same, struct diag *diag);
/* Puts written files in place. */
int exec_finish(struct exec *exec, struct diag *diag);
void exec_close(struct exec *exec);

/* Makes the first worker's instances, and says what all workers together take as their scratch for
   batches of that many frames. */
int exec_measure(struct exec *exec, struct diag *diag);
struct bytes exec_scratch(const struct exec *exec, uint64_t frames);
/* Called in the worker's own thread before its first segment. */
int exec_start_worker(struct exec *exec, struct worker *worker, struct diag *diag);
/* Instances for the end of a stream. */
int exec_start_tail(struct exec *exec, struct worker *worker, struct diag *diag);

/* Runs one stage on the slot, its output edges too. have: items that lie readable around the
   stage's input 0, or NULL for none. */
int exec_stage(struct exec *exec, struct worker *worker, struct slot *slot, size_t stage,
               const struct margin *have, struct diag *diag);
/* The same without the edges: for timing. */
int exec_stage_alone(struct exec *exec, struct worker *worker, struct slot *slot, size_t stage,
                     const struct margin *have, struct diag *diag);
/* Runs the stages of a segment, then waits for the device; have is for its first stage. */
int exec_segment(struct exec *exec, struct worker *worker, struct slot *slot, size_t segment,
                 const struct margin *have, struct diag *diag);
/* The same without the segment's first `skip` stages. */
int exec_segment_from(struct exec *exec, struct worker *worker, struct slot *slot, size_t segment,
                      size_t skip, const struct margin *have, struct diag *diag);
/* After a segment's last stage: waits for the device. */
int exec_segment_end(struct exec *exec, struct worker *worker, struct slot *slot, size_t segment,
                     struct diag *diag);
/* After the last stage: waits for the device, frame infos are on the host. */
int exec_end(struct exec *exec, struct worker *worker, struct slot *slot, struct diag *diag);

/* 32-bit number of a point, from the canonical text of its swept values; 0 without a sweep. */
uint32_t point_number(const struct graph *graph, const struct point *point);

#endif
