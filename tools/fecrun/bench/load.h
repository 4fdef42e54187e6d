/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An open-loop load: frames arrive at equal intervals, whether or not the frame before is done, and are served in
 * order, one after the other. The latency of a frame counts from its planned arrival, so the time it waits for
 * earlier frames is part of it (no "coordinated omission").
 */
#ifndef FECRUN_TOOL_BENCH_LOAD_H
#define FECRUN_TOOL_BENCH_LOAD_H

#include "core/base/diag.h"

#include <stdint.h>

/* Seconds: a system that holds a thread up for less is no overload. */
#define LOAD_PATIENCE 1

struct load {
    double rate;     /* frames that arrive in a second, above 0 */
    uint64_t frames; /* that arrive in all, at least 1 */
    /* Serves one frame, from arrival to result. Not 0: an error, which ends the load. */
    int (*serve)(void *data, struct diag *diag);
    /* Monotonic seconds. */
    double (*now)(void *data);
    void *data;
    const volatile int *cancel; /* the load ends early where this becomes 1; may be NULL */
};

struct load_served {
    uint64_t frames; /* fewer than arrive after cancel, or where the rate is far too high */
    double busy;     /* seconds that the frames took, without their waiting */
    bool
        overloaded; /* they took longer than they arrive: the queue grows as long as the load lasts */
};

/*
 * Runs the load and fills us[load->frames] with the latency of each frame, in microseconds, in the order of arrival. Ends
 * early, overloaded, where a frame has waited as long as the whole load lasts, and LOAD_PATIENCE. -1: the error of serve.
 */
int load_run(const struct load *load, double *us, struct load_served *served, struct diag *diag);

#endif
