/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations shared by the parts of `run`: the run, its journal, and replays. */
#ifndef FECRUN_TOOL_CMD_RUN_H
#define FECRUN_TOOL_CMD_RUN_H

#include <stdio.h>

#include "run/sweep/sweep.h"
#include "tools/fecrun/cli.h"
#include "tools/fecrun/cluster/cluster.h"
#include "tools/fecrun/journal/journal.h"

struct running {
    const struct cli *cli;
    const struct session *session;
    struct sweep sweep;
    bool begun; /* the head of the results is written */
    struct result *result;
    json_t *backends; /* of the first point */
    struct run_stats stats;
    bool failing; /* it was said that all frames failed */
    bool shown;   /* progress stands on the line now */
    void (*progress)(void *data, const struct run_counts *counts,
                     double seconds); /* run_progress() on a terminal, else NULL */
    volatile int *cancel;
    struct cluster *cluster;
    struct shard shard;
    struct journal journal;
    bool journaling;          /* it is open */
    struct journal_task task; /* the present one; without a journal zeroed */
    struct summary summary;   /* of the point that is told now */
};

/* Removes the line of progress that is shown. */
void run_clear(struct running *running);
/* run_options.progress(); data: a struct running. */
void run_progress(void *data, const struct run_counts *counts, double seconds);
/* The same without a terminal: says what cannot wait. */
void run_watch(void *data, const struct run_counts *counts, double seconds);
/* The head of the results, once. */
int run_begin(struct running *running, struct diag *diag);
/* sweep_make(), and with the first point run_begin(). */
int run_make(struct running *running, struct diag *diag);
/* Tells a point's result. */
int run_show(struct running *running, const struct result_point *point, struct diag *diag);
/* sweep_next(), and tells what a search has found. */
int run_next(struct running *running, const struct result_point *point, struct diag *diag);

/* --journal: runs what a journal lacks. */
int run_journal(struct running *running, struct diag *diag);
/* Of a shard the table comes at the end. Closes the journal. */
int run_end_journal(struct running *running, int status, struct diag *diag);

/* One of several processes of a job (cluster/cluster.h). */
int run_check_cluster(const struct cli *cli, const struct cluster *cluster, struct diag *diag);
int run_welcome(struct running *running, const struct session_plan *plan, struct diag *diag);
void run_worker(const struct cli *cli, struct cluster *cluster, const volatile int *signal);

/* "POINT:FRAME" */
int run_replay(const struct cli *cli, struct session *session, struct diag *diag);

/* --doctor: the LLRs of the first point. */
int run_doctor(const struct cli *cli, struct session *session, const volatile int *cancel,
               struct diag *diag);

#endif
