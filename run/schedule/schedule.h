/* SPDX-License-Identifier: BSD-2-Clause */
/* One sweep point: threads take batches through the pipeline, counts are taken in frame order. */
#ifndef FECRUN_RUN_SCHEDULE_SCHEDULE_H
#define FECRUN_RUN_SCHEDULE_SCHEDULE_H

#include "run/schedule/counts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;
struct exec;
struct fecrun_frame_info;
struct slot;

#include <pthread.h>

struct run_limits {
    uint64_t frame_errors, frames; /* 0: none */
    double seconds;                /* 0: none */
};

/*
 * How many frames a batch has: few at the beginning, so that a slow code shows and ends in time, then more
 * until a batch takes PACE_SECONDS.
 */
struct pace {
    uint64_t frames;
    double before; /* seconds of a batch when there were fewer of them; 0: not known */
};

/* Threads that run points, one after the other, with the lock of the present one. Zeroed: none yet. */
struct crew {
    bool open, closing;
    pthread_mutex_t lock;
    pthread_cond_t change; /* for the threads */
    pthread_cond_t over;   /* for the caller */
    unsigned n, started;   /* started: those that have a number */
    pthread_t *threads;
    struct run *run;
    unsigned wanted;  /* the first so many threads work on it */
    uint64_t turn;    /* runs that were begun */
    struct pace pace; /* of the last run: the next one may begin with that */
};

void crew_close(struct crew *crew);

/* A condition for timed_wait(): until it is signalled, or that long, whatever happens to the clock on the wall. */
void timed_init(pthread_cond_t *cond);
void timed_wait(pthread_cond_t *cond, pthread_mutex_t *lock, long milliseconds);

struct run_options {
    struct crew *crew;        /* lives through runs; NULL: the run has threads of its own */
    struct run_limits limits; /* of this run's own frames, wherever it begins */
    /* The point's frame to begin with: not 0 only where no stage is ordered or a stream's, and a
       multiple of shape_unit(). */
    uint64_t first_frame;
    /* Of a stream's part: so many frames at the beginning, and behind limits.frames, are decoded only
       because others read over their ends. They are not counted, and exec->tap does not get them. */
    uint64_t lead, trail;
    unsigned in_flight;
    /* Called a few times a second from the calling thread, with a copy of the counts without rows;
       batches go on meanwhile. May be NULL. */
    void (*progress)(void *data, const struct run_counts *counts, double seconds);
    /* Of each batch, in frame order, the frames that were counted. Quick: others wait. May be NULL. */
    void (*counted)(void *data, const struct fecrun_frame_info *info, uint64_t frames);
    /*
     * What was counted since the call before: about once in save_every seconds, less often in long
     * runs, and at the end. From the calling thread, batches go on meanwhile. 0: fine; 1: no more
     * frames are wanted; -1: the run fails. May be NULL.
     */
    int (*save)(void *data, const struct run_part *part, struct diag *diag);
    double save_every;
    void *data;
};

/* What the caller's thread does while others work: it saves parts and shows progress, both without the lock. */
struct watch {
    const struct run_options *options;
    pthread_mutex_t *lock;
    struct run_parts *parts; /* what is counted */
    double saved, shown;     /* when it was done last; times are seconds of the run */
    bool failed;             /* save() did: it is not called again */
};
/* Saves what is new, if it is time for that, or `all`. Returns what save() does. */
int watch_save(struct watch *watch, double now, bool all, struct diag *diag);
/* Shows these counts, a few times a second. */
void watch_show(struct watch *watch, double now, const struct run_counts *counts);

/*
 * Runs the present point of exec. *counts is valid also after an error (what was counted until
 * then); the caller frees counts->rows. *stop: frame_errors, frames, seconds, end, signal, saved
 * (save() said so), error.
 */
int run_point(struct exec *exec, const struct run_options *options, struct run_counts *counts,
              double *seconds, const char **stop, struct diag *diag);

/* Counts the slot's frames but for the first `skip` into an empty part; returns the rule that stops the point, or NULL.
   Frames behind the one that fulfils it are not counted. Of the part, all but its beginning and its time. */
const char *count_slot(struct run_part *part, const struct exec *exec, const struct slot *slot,
                       uint64_t skip, const struct run_limits *limits);

#endif
