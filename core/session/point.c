/* SPDX-License-Identifier: BSD-2-Clause */
/* What follows from a point's counts. */
#include "core/session/sweep.h"

#include "core/base/stats.h"

void result_ber_interval(const struct result_point *point, double *low, double *high)
{
    const struct stats_clusters counts = {.clusters = point->frames,
                                          .hit = point->frame_errors,
                                          .trials = point->bits,
                                          .errors = point->bit_errors,
                                          .squares = point->squares};

    stats_clustered(&counts, 0.95, low, high);
}
