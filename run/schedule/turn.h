/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whose turn is it? The batches of a point on their way through the segments. A segment is ready
 * when
 *
 *   - it is ordered (a file) and all batches before this one have been through it, or
 *   - its first stage reads over the ends of the batch (streams) and the neighbours that it reads
 *     from have come as far, or
 *   - it is neither.
 *
 * All of it is called under the crew's lock. Results are tallied in batch order, so they do not
 * depend on who was faster.
 */
#ifndef FECRUN_RUN_SCHEDULE_TURN_H
#define FECRUN_RUN_SCHEDULE_TURN_H

#include "core/batch/exec.h"
#include "run/schedule/schedule.h"

struct task { /* a slot under way */
    struct slot slot;
    bool active, busy, finished, tallied;
    bool released;        /* its present, ordered segment has let the next batch follow */
    size_t segment;       /* next one to run */
    double seconds;       /* at work in segments that wait for nobody */
    struct run_part part; /* what was counted of it */
};

struct run {
    struct exec *exec;
    const struct run_options *options;
    struct run_counts *counts;
    struct crew *crew;
    size_t n_tasks;
    struct task *tasks;
    struct task **by_batch; /* n_tasks places */
    struct slot **lines;    /* a thread's for turn_line_up(), one after the other */
    uint64_t next_batch, next_frame;
    uint64_t end; /* frames of the source; UINT64_MAX: it says so when it has run */
    uint64_t done[GRAPH_MAX_STAGES]; /* batches that an ordered segment has finished */
    uint64_t tally_batch;
    bool source_ended; /* no batch >= next_batch will come */
    const char *stop;  /* no new batches, what is ready is finished */
    bool enough;       /* nothing more is wanted: the stop rule's frame has been tallied */
    bool failed;
    uint64_t failed_batch; /* the first one; those before it are finished and counted */
    uint64_t cut_batch;    /* the first one that a stage has left; UINT64_MAX: none */
    bool margins;          /* stages read over the ends of batches */
    struct diag diag;
    unsigned busy;    /* threads at work on a batch */
    bool open_ended;  /* frames see what comes behind them: the limit is no end, see turn.c */
    unsigned running; /* worker threads alive */
    double start;     /* of the first batch: set-up is not run time; 0: not yet */
    char *tail;       /* items that end a stream, until their batch begins */
    uint64_t tail_items;
    struct watch watch;
    struct run_parts parts; /* what it is to save */
    struct diag unsaved;    /* why save() failed */
};

/* Whether the limit is an end. */
void turn_begin(struct run *run);
/* The oldest batch that can go on, else a new one, else NULL. */
struct task *turn_pick(struct run *run);
/* The neighbours of a task in a row, itself at [0]; line has room for all slots on both sides. */
struct slot *const *turn_line_up(struct run *run, struct task *task, struct slot **line,
                                 size_t *n_before, size_t *n_after);
/* An ordered stage has done its part: the next batch may follow while copies of this one go on.
   asked: frames that it was to have. */
void turn_release(struct run *run, struct task *task, uint64_t asked);
/* The task has been through a segment, or failed there. */
void turn_end(struct run *run, struct task *task, uint64_t asked, const struct diag *failed);
/* The work of a batch in one segment took so long. */
void turn_took(struct run *run, struct task *task, double seconds);
/* Of several errors that of the earliest batch counts, whichever thread was first. */
void turn_fail(struct run *run, uint64_t batch, const struct diag *diag);
/* The user's signal, the limit of time. */
void turn_check_clock(struct run *run);
/* No new batches, for that reason. */
void turn_stop(struct run *run, const char *reason);
double turn_elapsed(const struct run *run);
/* After the last turn: what stopped the run. A batch that is stuck is an error. */
const char *turn_over(struct run *run);

/* part.c */
int part_begin(struct run *run, struct diag *diag);
/* Adds to the run's counts, and to those that are to be saved. */
void part_add(struct run *run, const struct run_part *more);
/* Counts all frames of the batch, and notes which were wrong. Without the lock. */
void part_count(const struct run *run, struct task *task);
/* Adds what was counted, or only the frames up to the one that fulfils a rule which stops the point; returns it. */
const char *part_tally(struct run *run, struct task *task);

#endif
