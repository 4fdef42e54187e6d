/* SPDX-License-Identifier: BSD-2-Clause */
/* The member's side of a fleet: runs leases of a session's points, one after the other. */
#ifndef FECRUN_TOOL_CLUSTER_SERVE_H
#define FECRUN_TOOL_CLUSTER_SERVE_H

#include "run/fleet/fleet.h"

struct server;
struct sweep_options;

/* options: cancel (also to stop a lease) and sinkless are used, of the fleet's local and locals; fleet may be NULL.
   *plan: of the first point, as long as no lease was done. */
int serve_open(struct server **server, const struct session *session,
               const struct sweep_options *options, const struct fleet_options *fleet,
               const struct session_plan **plan, struct diag *diag);
/* part->counts.rows, as many as the plan's shape has with `blocks:`, live until the next call. */
int serve_lease(struct server *server, size_t point, const struct lease *lease,
                struct run_part *part, struct diag *diag);
/* Rows in a part's counts; 0 without `blocks:`. */
size_t serve_rows(const struct server *server);
/* Of the last lease, for the sink of who gave it (fleet_event.data); lives as long. */
const void *serve_data(const struct server *server, size_t *n);
void serve_close(struct server *server);

#endif
