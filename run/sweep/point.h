/* SPDX-License-Identifier: BSD-2-Clause */
/* What a point of a sweep came to. */
#ifndef FECRUN_RUN_SWEEP_POINT_H
#define FECRUN_RUN_SWEEP_POINT_H

#include "run/session/session.h"

struct run_share;

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

/* Sets what follows from the point's counts, once `split` is known. */
void result_count(struct result_point *point, const struct run_counts *counts);
/* 95 % of the bit error rate; NaN: not known. */
void result_ber_interval(const struct result_point *point, double *low, double *high);

#endif
