/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file that is decoded by several, devices or processes, and written by one: their parts come as
 * samples, in any order, and go to the sink in frame order. For pipelines that begin with a source that
 * seeks and end with an ordered sink, nothing between them being ordered.
 */
#ifndef FECRUN_RUN_FLEET_CAPTURE_H
#define FECRUN_RUN_FLEET_CAPTURE_H

#include "run/session/session.h"

struct margin;

bool capture_is(const struct session_plan *plan);

/* A file without a frame: there is nothing to share, and nothing wrong with it. */
bool capture_is_empty(const struct session_plan *plan);

/* Frames round a part that its stages read over: see run_options. */
struct margin capture_margins(const struct exec *exec);
/* Bytes that travel for a frame of the source. */
uint64_t capture_bytes(const struct exec *exec);

/* What the sink would have got of one part: for each call the number of frames and items, frame infos,
   samples. */
struct capture_data {
    char *bytes;
    size_t n, room;
};

/* exec_tap.take(); data: a struct capture_data. */
int capture_take(void *data, const struct fecrun_view *view, const struct fecrun_frame_info *info,
                 struct diag *diag);
void capture_free(struct capture_data *data);

/* Parts that wait for those before them. */
struct capture {
    bool on;
    uint64_t next; /* frame that the sink has not got */
    struct capture_part *parts;
};

struct capture_part {
    uint64_t first, frames; /* of the source */
    struct capture_data data;
    struct capture_part *following;
};

/* Takes over the data. -1: out of memory. */
int capture_keep(struct capture *capture, uint64_t first, uint64_t frames,
                 struct capture_data *data);
/* Has the one that is next come? */
bool capture_ready(const struct capture *capture);
/* It is then the caller's; NULL: it has not come. */
struct capture_part *capture_next(struct capture *capture);
/* To the sink, or into `into` if that is not NULL; the part is gone afterwards. cancel: the user's, set:
   a reader of the sink's that has stopped is not waited for. */
int capture_write(struct exec *exec, struct capture_part *part, struct capture_data *into,
                  const volatile int *cancel, struct diag *diag);
void capture_close(struct capture *capture);

#endif
