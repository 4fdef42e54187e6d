/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs one frame of one point again, and keeps the content of each port. */
#ifndef FECRUN_TOOLS_FECRUN_FRAMES_REPLAY_H
#define FECRUN_TOOLS_FECRUN_FRAMES_REPLAY_H

#include "core/batch/line.h"
#include "run/session/session.h"

struct replay_options {
    size_t point;
    uint64_t frame;
    /* In the pipeline's order; not for stages that another one absorbed. The data is on the host. Not
       0: stop. */
    int (*on_port)(void *data, const struct line_port *port, struct diag *diag);
    void *data;
};

/* counts: of the frame; without rows. */
int replay_run(const struct session *session, const struct replay_options *options,
               struct run_counts *counts, struct diag *diag);

#endif
