/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Batches in flight. A slot is one batch's memory: a buffer for each output port and, where types
 * or spaces differ, one for each input; frame infos; all allocated once and used again and again.
 */
#ifndef FECRUN_BATCH_H
#define FECRUN_BATCH_H

#include "shape.h"
#include "space.h"

struct buffer {
    struct memory memory;
    char *data;      /* first frame; margins lie around it */
    uint32_t type;
    int stage, port; /* the output port whose items it holds */
};

struct slot_stage {
    struct buffer out[FECRUN_MAX_PORTS];
    struct buffer in[FECRUN_MAX_PORTS];      /* only where an edge converts or copies */
    struct buffer staging[FECRUN_MAX_PORTS]; /* host side of an edge that does both */
};

/* Items around a stage's input 0 (streams), at the port that really feeds it. */
struct margin {
    uint64_t before, after;
};

struct slot {
    struct slot_stage *stages;
    struct memory info;        /* struct fecrun_frame_info, host */
    struct memory device_info; /* the same on the device, if there is one */
    unsigned info_space;       /* where the infos are up to date */
    const struct shape *shape;
    uint64_t batch, first_frame, frames;
    uint64_t tail_items;       /* the source's, behind the last whole frame */
};

/* What slots of one pipeline have in common. */
struct layout {
    const struct graph *graph;
    const struct negotiation *negotiation;
    const struct shape *shape; /* of a full batch */
    struct margin *margins;    /* one a stage */
    unsigned device_space;     /* SPACE_HOST: no device takes part */
    int device;
};

int layout_make(struct layout *layout, const struct negotiation *negotiation,
                const struct shape *shape, struct diag *diag);
void layout_free(struct layout *layout);

int slot_make(struct slot *slot, const struct layout *layout, struct diag *diag);
void slot_free(struct slot *slot, const struct layout *layout);

/* The buffer that input `port` of a stage reads. */
struct buffer *slot_input(struct slot *slot, const struct layout *layout, size_t stage,
                          unsigned port);

/* Items of the whole batch in a stream's buffer (one class). */
uint64_t slot_stream_items(const struct slot *slot, const struct buffer *buffer);

/* After a stage has run: fills the inputs of all stages that read it and want another type or
   space. */
int slot_edges(struct slot *slot, const struct layout *layout, size_t stage,
               struct space_stream *stream, struct diag *diag);

#endif
