/* SPDX-License-Identifier: BSD-2-Clause */
/* All points of a session, one after the other. */
#ifndef FECRUN_SESSION_SWEEP_H
#define FECRUN_SESSION_SWEEP_H

#include "core/session/session.h"

/* Counters of one user class of `blocks:`. */
struct result_class {
    const char *cell, *user;
    uint64_t frames, bits, bit_errors, frame_errors;
};

struct result_point {
    const struct session_plan *plan; /* what it ran with */
    size_t n_set;
    const char *const *set_names;  /* swept parameters */
    const char *const *set_values; /* canonical text */
    double ebn0_db, esn0_db;       /* NaN: no such thing in this pipeline */
    bool counted;                  /* a sink.errors counted; else the error fields are null */
    bool checked;                  /* frames carry a check; else undetected is null */
    uint64_t frames, bits, bit_errors, frame_errors, undetected, failed;
    uint64_t info_bits; /* what a speed is of */
    bool split; /* frames go in pieces: code blocks of transport blocks. Else these are 0: */
    bool blocks_judged; /* were they counted or checked? */
    uint64_t blocks, block_errors;
    double iterations_mean;
    uint64_t iterations_max; /* 0: no iterative decoder; both are then null */
    double seconds;
    const char *stop; /* frame_errors | frames | seconds | end | signal */
    size_t n_classes;
    const struct result_class *classes;
};

struct sweep_progress {
    size_t point, points;
    const struct run_counts *counts;
    struct run_limits limits;
    double seconds;
};

struct sweep_options {
    volatile int *cancel; /* set by a signal handler: the point ends, no further one begins */
    /* Before the first frame, once: the plan of the first point. Not 0: stop. */
    int (*on_plan)(void *data, const struct session_plan *plan, unsigned workers,
                   struct diag *diag);
    /* After each point, also one that was cut short by a signal or an error. Not 0: stop. */
    int (*on_point)(void *data, const struct result_point *point, struct diag *diag);
    void (*on_progress)(void *data, const struct sweep_progress *progress); /* may be NULL */
    /* Frames of the present point, in frame order, as they are counted. May be NULL. */
    void (*on_frames)(void *data, const struct fecrun_frame_info *info, uint64_t frames);
    /* The point's frames; then no other rule ends it. NULL: the file's rules. */
    uint64_t (*frames_of)(void *data, size_t point);
    void *data;
};

int sweep_run(const struct session *session, const struct sweep_options *options,
              struct diag *diag);

#endif
