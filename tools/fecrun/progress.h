/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the progress line of a run. */
#ifndef FECRUN_TOOL_PROGRESS_H
#define FECRUN_TOOL_PROGRESS_H

#include "core/plan/pipeline.h"
#include "core/plan/plan.h"
#include "run/schedule/schedule.h"

#include <time.h>

struct progress {
    size_t point, points;   /* a sweep that ends by itself may not come to all of them */
    const struct point *at; /* its values */
    const struct run_counts *counts;
    struct run_limits limits;
    double seconds;
};

/* Seconds until the first stop rule holds, if things go on as they are; negative: unknown. */
double progress_left(const struct progress *p);

/* At most `width` columns, and no more than fit into text: what matters less is left out. now: for
   the time of day at which the point ends. */
void progress_line(char *text, size_t size, unsigned width, const struct progress *p, time_t now);

/* On a terminal, a file number, in the place of the line before. */
void progress_show(int terminal, const struct progress *p);
void progress_clear(int terminal);

#endif
