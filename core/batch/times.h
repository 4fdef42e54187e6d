/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures the time of each stage, only on request: the host then waits after each stage. */
#ifndef FECRUN_BATCH_TIMES_H
#define FECRUN_BATCH_TIMES_H

#include "core/plan/plan.h"

enum times_move { TIMES_NONE, TIMES_CONVERT, TIMES_TO_DEVICE, TIMES_TO_HOST };

struct stage_time {
    uint64_t calls, frames; /* of the source's frames: one of a stage in pieces is all pieces */
    double seconds;
    /* What was done to its output for those that read it; conversions on the way to another space
       count as part of the copy. */
    enum times_move move;
    uint64_t moves, bytes; /* bytes: only of copies */
    double move_seconds;
};

/* Who is told how long a call, or what was done to its output, took: in the thread that has waited for it. */
struct times_watch {
    void (*took)(void *data, size_t stage, const struct stage_time *time);
    void *data;
};

#endif
