/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs all points of a session. */
#ifndef T_LIB_SWEEP_H
#define T_LIB_SWEEP_H

#include "run/sweep/sweep.h"

/* options: progress and data are used, the limits are the session's; may be NULL. on_point gets each point that has
   frames, also one that an error ended, with the options' data; may be NULL. */
static inline int sweep_all(const struct session *session, const struct run_options *options,
                            const volatile int *cancel,
                            void (*on_point)(void *data, const struct result_point *point),
                            struct diag *diag)
{
    struct run_options run = options ? *options : (struct run_options){0};
    struct sweep sweep;
    int more = sweep_open(&sweep, session, &(struct sweep_options){.cancel = cancel}, diag) ? -1
                                                                                            : 1;

    while (more > 0) {
        run.limits = sweep.point.limits;
        more = sweep_point(&sweep, &run, diag) ? -1 : 1;
        if (on_point && (more > 0 || sweep.point.counts.frames))
            on_point(run.data, &sweep.point);
        if (more > 0)
            more = sweep_next(&sweep, &sweep.point, diag);
    }
    sweep_close(&sweep);
    return more;
}

#endif
