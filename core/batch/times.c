/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/batch/times.h"

#include <string.h>

void times_move(struct times *sum, struct times *more)
{
    for (size_t s = 0; s < GRAPH_MAX_STAGES; s++) {
        struct stage_time *a = &sum->stages[s];
        const struct stage_time *b = &more->stages[s];

        a->calls += b->calls;
        a->frames += b->frames;
        a->seconds += b->seconds;
        a->move = b->move != TIMES_NONE ? b->move : a->move;
        a->moves += b->moves;
        a->bytes += b->bytes;
        a->move_seconds += b->move_seconds;
    }
    memset(more, 0, sizeof *more);
}
