/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames of one point, from the first one on, through the first stages of a pipeline on one thread:
   what their ports hold. */
#ifndef FECRUN_TOOLS_FECRUN_FRAMES_LOOK_H
#define FECRUN_TOOLS_FECRUN_FRAMES_LOOK_H

#include "run/sweep/session.h"

struct look {
    struct session_plan plan;
    struct exec exec;
    struct slot slot;
    bool open;
    bool over; /* a source has nothing more */
};

/* An output port's share of a frame, on the host. */
struct look_port {
    const struct fecrun_frame *frame;
    uint32_t type;           /* enum fecrun_type, of the data */
    uint64_t pieces, stride; /* of frame->items each, that many bytes apart */
    const char *data;
};

/* batch: frames at a time; all rows where there are `blocks:`. Zeroed: nothing to close. Streams are
   cut into their pieces, whose neighbours no stage sees. */
int look_open(struct look *look, const struct session *session, size_t point, uint64_t batch,
              const volatile int *cancel, struct diag *diag);
void look_close(struct look *look);

/* Runs stages up to `last` on the next frames; *frames: so many of them are of the batch's first row,
   0: there are no more. What is written is dropped. */
int look_next(struct look *look, size_t last, uint64_t *frames, struct diag *diag);

/* Of frame number `frame` of those. False: nothing of it is on the host. */
bool look_port(const struct look *look, size_t stage, unsigned port, uint64_t frame,
               struct look_port *out);

#endif
