/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs all points of a session, one after the other. */
#ifndef FECRUN_RUN_SWEEP_SWEEP_H
#define FECRUN_RUN_SWEEP_SWEEP_H

#include "run/session/session.h"

struct fleet_options;
struct run_share;
struct times_watch;

struct result_point {
    const struct session_plan *plan; /* what it ran with */
    struct run_limits limits;        /* and under which stop rules */
    size_t n_set;
    const char *const *set_names;  /* swept parameters */
    const char *const *set_values; /* canonical text */
    double ebn0_db, esn0_db;       /* NaN: no such thing in this pipeline */
    /* Not counted (by a sink.errors): errors are null; not checked: undetected is; iterations_max 0: no
       iterative decoder, and iterations are. rows: n_users. */
    struct run_counts counts;
    bool split; /* frames go in pieces: code blocks of transport blocks; else blocks are 0 */
    double iterations_mean; /* of a block */
    double seconds;
    const char *stop;                   /* frame_errors | frames | seconds | end | signal */
    size_t n_users;                     /* rows of `blocks:` */
    const struct pipeline_block *users; /* their names */
    unsigned workers;                   /* threads that it ran on */
    size_t n_shares;                    /* who did what of it; 0: one device, or the host alone */
    const struct run_share *shares;
};

struct sweep_progress {
    size_t point, points;   /* a sweep that ends by itself may not come to all of them */
    const struct point *at; /* its values */
    const struct run_counts *counts;
    struct run_limits limits;
    double seconds;
};

/* Frames that are to be done next, of a point that is done in any number of runs. */
struct sweep_task {
    uint64_t first;
    struct run_limits limits; /* of these frames alone */
    struct run_counts before; /* for the progress: what is done already, without rows */
    double seconds_before;
};

/* Whoever keeps what was counted, a journal, says what is left to do. */
struct sweep_keeper {
    double save_every; /* seconds, see run_options */
    /* Once for each point, in order, before anything else about it: its names, ratios and plan. */
    int (*enter)(void *data, const struct result_point *point, struct diag *diag);
    /* 1: the task is to be done; 0: the point has nothing to do now; -1. */
    int (*next)(void *data, size_t point, struct sweep_task *task, struct diag *diag);
    int (*save)(void *data, size_t point, const struct run_part *part, struct diag *diag);
    /* What the point amounts to: sets its counts, seconds and stop. */
    int (*sum)(void *data, size_t point, struct result_point *result, struct diag *diag);
    /* Points are gone through until none has anything to do; on_point is not called. Else they are
       done one after the other. */
    bool rounds;
};

/* What a search of the sweep found. */
struct result_found {
    const struct pipeline_sweep *sweep; /* that was searched, for its find_rate */
    struct point others;                /* with the present values of the other sweeps */
    size_t points;                      /* that were run */
    bool known;
    double value, low, high; /* 95 % */
    bool sure;               /* as well as was asked for */
    bool above, below; /* not known: the rate is larger, or smaller, as far as the sweep goes */
};

struct sweep_options {
    volatile int *cancel; /* set by a signal handler: the point ends, no further one begins */
    /* Before the first frame, once: the plan of the first point. Not 0: stop. */
    int (*on_plan)(void *data, const struct session_plan *plan, unsigned workers,
                   struct diag *diag);
    /* After each point, also one that was cut short by a signal or an error. Not 0: stop. */
    int (*on_point)(void *data, const struct result_point *point, struct diag *diag);
    /* After the last point of a search; may be NULL. Not 0: stop. */
    int (*on_found)(void *data, const struct result_found *found, struct diag *diag);
    void (*on_progress)(void *data, const struct sweep_progress *progress); /* may be NULL */
    /* Frames of the present point, in frame order, as they are counted. May be NULL. */
    void (*on_frames)(void *data, const struct fecrun_frame_info *info, uint64_t frames);
    /* The point's frames; then no other rule ends it. NULL: the file's rules. */
    uint64_t (*frames_of)(void *data, size_t point);
    const struct fleet_options *fleet; /* who takes part; NULL: the devices of this host */
    bool sinkless;                     /* an ordered sink is another process's */
    const struct times_watch *watch;   /* of where time goes, not with a keeper; may be NULL */
    const struct sweep_keeper *keeper; /* NULL: each point is run at once and as a whole */
    void *data;
};

/* Sets what follows from the point's counts, once `split` is known. */
void result_count(struct result_point *point, const struct run_counts *counts);
/* 95 % of the bit error rate; NaN: not known. */
void result_ber_interval(const struct result_point *point, double *low, double *high);

/* By all who take part. */
int sweep_run(const struct session *session, const struct sweep_options *options,
              struct diag *diag);

#endif
