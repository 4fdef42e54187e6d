/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FECRUN_TOOL_REPORT_DEVICES_H
#define FECRUN_TOOL_REPORT_DEVICES_H

#include "run/fleet/devices.h"
#include "run/sweep/sweep.h"

#include <jansson.h>

/* Adds "runs_on": ["cuda:0", ...], on a machine with several nodes "runs_on_nodes": [0, ...], and, if
   not all devices take part though nobody said so, "runs_on_note"; nothing where the host works
   alone. */
int report_runs_on(json_t *o, const struct session *session, const struct session_plan *plan,
                   struct diag *diag);

/* Who did what of the point: [{"who":, "frames":, "seconds":, "node":, "bound":, "lost": why}], the last
   three where there is something to say. NULL: no memory. */
json_t *report_shares(const struct result_point *point);

#endif
