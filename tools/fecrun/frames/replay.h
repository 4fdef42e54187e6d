/* SPDX-License-Identifier: BSD-2-Clause */
/* One frame of one point again, alone, and what each port holds of it. */
#ifndef FECRUN_TOOLS_FECRUN_FRAMES_REPLAY_H
#define FECRUN_TOOLS_FECRUN_FRAMES_REPLAY_H

#include "run/sweep/session.h"

/* An output port's share of the frame, on the host. */
struct replay_port {
    const char *stage, *port; /* ids */
    const char *backend;
    const struct fecrun_frame *frame;
    uint32_t type;   /* enum fecrun_type, of the data */
    uint64_t pieces; /* of frame->items each, that many bytes apart */
    uint64_t stride;
    const void *data;
};

struct replay_options {
    size_t point;
    uint64_t frame;
    const volatile int *cancel; /* may be NULL */
    /* In the pipeline's order; not for stages that another one absorbed. Not 0: stop. */
    int (*on_port)(void *data, const struct replay_port *port, struct diag *diag);
    void *data;
};

/* counts: of the frame; without rows. */
int replay_run(const struct session *session, const struct replay_options *options,
               struct run_counts *counts, struct diag *diag);

#endif
