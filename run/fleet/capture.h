/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file that is decoded by several, devices or processes, and written by one: their parts come as
 * samples, in any order, and go to the sink in frame order. For pipelines that begin with a source that
 * seeks and end with an ordered sink, nothing between them being ordered.
 */
#ifndef FECRUN_RUN_FLEET_CAPTURE_H
#define FECRUN_RUN_FLEET_CAPTURE_H

#include "run/fleet/lease.h"
#include "run/session/session.h"

struct margin;

bool capture_is(const struct session_plan *plan);

/* A file without a frame: there is nothing to share, and nothing wrong with it. */
bool capture_is_empty(const struct session_plan *plan);

/* Frames round a part that its stages read over: see run_options. */
struct margin capture_margins(const struct exec *exec);
/* Bytes that travel for a frame of the source. */
uint64_t capture_bytes(const struct exec *exec);

/* exec_tap.take(). data: a struct lease_data, what the sink would have got of one part: for each call the number of frames
   and items, frame infos, samples. */
int capture_take(void *data, const struct fecrun_view *view, const struct fecrun_frame_info *info,
                 struct diag *diag);
void capture_free(struct lease_data *data);

/* To the sink, or into `into` if that is not NULL; the part's data is gone afterwards. cancel: the user's, set:
   a reader of the sink's that has stopped is not waited for. */
int capture_write(struct exec *exec, struct lease_part *part, struct lease_data *into,
                  const volatile int *cancel, struct diag *diag);

#endif
