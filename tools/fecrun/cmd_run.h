/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations shared by the parts of `run`: the run, its journal, and replays. */
#ifndef FECRUN_TOOL_CMD_RUN_H
#define FECRUN_TOOL_CMD_RUN_H

#include <stdio.h>

#include "tools/fecrun/cli.h"
#include "tools/fecrun/cluster/cluster.h"
#include "tools/fecrun/journal/journal.h"

struct running {
    const struct cli *cli;
    const struct session *session;
    struct result *result;
    json_t *backends; /* of the first point */
    struct run_stats stats;
    bool shown; /* progress stands on the line now */
    volatile int *cancel;
    struct cluster *cluster;
    struct shard shard;
    struct journal journal;
    bool journaling;        /* it is open */
    struct summary summary; /* of the point that is told now */
};

/* --journal: what the sweep asks; its data is a struct running. */
extern const struct sweep_keeper run_keeper, run_shard_keeper;
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
