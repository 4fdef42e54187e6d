/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the progress line of a run. */
#ifndef FECRUN_TOOL_PROGRESS_H
#define FECRUN_TOOL_PROGRESS_H

#include "run/sweep/sweep.h"

#include <time.h>

/* Seconds until the first stop rule holds, if things go on as they are; negative: unknown. */
double progress_left(const struct sweep_progress *p);

/* At most `width` columns, and no more than fit into text: what matters less is left out. now: for
   the time of day at which the point ends. */
void progress_line(char *text, size_t size, unsigned width, const struct sweep_progress *p,
                   time_t now);

/* On a terminal, a file number, in the place of the line before. */
void progress_show(int terminal, const struct sweep_progress *p);
void progress_clear(int terminal);

#endif
