/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Batches in flight. A slot is one batch's memory: a buffer for each output port and, where types
 * or spaces differ, one for each input; frame infos; all allocated once and used again and again.
 */
#ifndef FECRUN_BATCH_SLOT_H
#define FECRUN_BATCH_SLOT_H

#include "core/plan/shape.h"
#include "core/batch/memory.h"
#include "core/batch/times.h"

struct buffer {
    struct memory memory;
    char *data; /* first frame; margins lie around it */
    uint32_t type;
    size_t stage; /* with `port`: the output port whose items it holds */
    unsigned port;
};

struct slot_stage {
    struct buffer out[FECRUN_MAX_PORTS];
    struct buffer in[FECRUN_MAX_PORTS];      /* only where an edge converts or copies */
    struct buffer staging[FECRUN_MAX_PORTS]; /* between the two, of an edge that does both */
};

/* Items around a stage's input 0 (streams), at the port that really feeds it. */
struct margin {
    uint64_t before, after;
};

#define INFO_CLEAR (~0u) /* all are zero, and have not been written anywhere yet */

struct slot {
    struct slot_stage *stages;
    struct memory info;        /* struct fecrun_frame_info, host */
    struct memory device_info; /* the same on the device, if there is one */
    unsigned info_space;       /* where the infos are up to date, or INFO_CLEAR */
    const struct shape *shape;
    uint64_t batch, first_frame, frames;
    uint64_t tail_items; /* the source's, behind the last whole frame */
    bool may_pause;      /* the first source may give fewer frames though there will be more, */
    bool paused;         /* and has */
    bool cut;            /* a stage has left it, since the run ends: it holds nothing */
    uint64_t
        short_at; /* so many frames has a source beside the first one, whose input has ended; */
    size_t short_stage; /* this one. 0: they all have as many as the first */
};

/* Tables of a stage that takes frames of different sizes in one call (ragged.c): where each frame lies, and of what
   class it is. Those of a shorter batch begin just like those of a full one. */
struct ragged {
    struct memory in[FECRUN_MAX_PORTS], out[FECRUN_MAX_PORTS];
};

/* A buffer of a slot: where it lives in struct slot_stage, what it holds and in what memory. */
struct wanted {
    enum which { WHICH_OUT, WHICH_IN, WHICH_STAGING } which;
    size_t at_stage, stage;
    unsigned at_port, port;
    uint32_t type;
    struct margin margin;
    struct place place;
};

/* What slots of one pipeline have in common. */
struct layout {
    const struct graph *graph;
    const struct negotiation *negotiation;
    const struct shape *shape;    /* of a full batch */
    struct margin *margins;       /* one a stage */
    bool moves[GRAPH_MAX_STAGES]; /* the stage's output is copied or converted for a reader */
    size_t n_buffers;
    struct wanted *buffers;
    struct ragged *ragged; /* one a stage; NULL: there is no slot yet */
    bool pauses;           /* batches of a stream may have fewer frames than the others, but one */
    struct place device;   /* that takes part; its space is SPACE_HOST where none does */
};

/* pool may be NULL; it outlives the layout and its slots. No memory for frames is taken yet. */
int layout_make(struct layout *layout, const struct negotiation *negotiation,
                const struct shape *shape, struct memory_pool *pool, struct diag *diag);
void layout_free(struct layout *layout);

/* Bytes by where they lie. */
struct bytes {
    uint64_t host, device;
};

/* What one slot takes when a batch has that many frames; with classes of frames, as many as the
   shape says. *largest: of its buffers; may be NULL. All slots share what ragged_bytes() says. */
struct bytes layout_bytes(const struct layout *layout, uint64_t frames, uint64_t *largest);

/* Batches (not items) of that many frames that may be needed for the margins round a stage: as many
   as fill them, and one more, since the last but one of a stream may be short; 0 for no margin.
   Where the layout pauses, ask for batches of one frame: there may be no more in any of them. */
struct margin layout_batches(const struct layout *layout, size_t stage, uint64_t frames);

/*
 * Slots of a run: as many as batches are in flight, and those whose items are another one's margin.
 * On the host alone, every worker has one at hand, and one more waits for the writer.
 */
size_t layout_slots(const struct layout *layout, unsigned workers, unsigned in_flight,
                    uint64_t frames);

/* The first slot makes the tables of ragged.c, too; one thread at a time. */
int slot_make(struct slot *slot, struct layout *layout, struct diag *diag);
void slot_free(struct slot *slot, const struct layout *layout);

/* The buffer that input `port` of a stage reads. */
struct buffer *slot_input(struct slot *slot, const struct layout *layout, size_t stage,
                          unsigned port);

/* Frames that there are, of those that all sources have. */
uint64_t slot_frames(const struct slot *slot);

/* Queues the way of the frame infos to a space; whoever reads them on the host waits first. */
int slot_infos(struct slot *slot, unsigned space, struct stream *stream, struct diag *diag);

/* Items of the whole batch in a stream's buffer (one class). */
uint64_t slot_stream_items(const struct slot *slot, const struct buffer *buffer);

/* The frames of a span that are in the batch, maybe none, that many bytes into the buffer. */
struct fecrun_view slot_row(const struct slot *slot, const struct buffer *buffer,
                            const struct shape_row *span, uint64_t offset);

/* Does the input have a buffer of its own? And is there one between a conversion and a copy? */
bool edge_buffered(const struct edge *edge);
bool edge_staged(const struct edge *edge);

/* After a stage has run: fills the inputs of all stages that read it and want another type or
   space. time: gets what that does, and how many bytes it copies between spaces; may be NULL. */
int slot_edges(struct slot *slot, const struct layout *layout, size_t stage, struct stream *stream,
               struct stage_time *time, struct diag *diag);

/* ---- Position and class of each frame, for stages that take all classes in one call (ragged.c) ---- */

/* Host memory that they take, before and after they are made. */
uint64_t ragged_bytes(const struct layout *layout);

/* Fills layout->ragged, once; pinned where the stage runs on a device, which may read it until the
   layout is freed. */
int ragged_make(struct layout *layout, struct diag *diag);
/* The whole batch at one port. */
struct fecrun_view ragged_view(const struct slot *slot, const struct layout *layout,
                               const struct buffer *buffer, const struct memory *table);
void ragged_free(struct layout *layout);

#endif
