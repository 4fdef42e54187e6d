/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One worker and one slot: a range of frames through some stages, in the caller's thread, and what the
 * ports hold afterwards. run/schedule/ takes batches through several workers instead.
 *
 *     line_open(), then for each batch line_begin(), line_run(), line_end(); line_port(); line_close()
 */
#ifndef FECRUN_BATCH_LINE_H
#define FECRUN_BATCH_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;
struct exec;
struct fecrun_frame;
struct fecrun_frame_info;
struct negotiation;
struct shape;
struct slot;
struct worker;

/* line_open() makes all three, and they belong to the line. A caller that has them already fills in the struct and
   neither opens nor closes the line. A zeroed line is closed. */
struct line {
    struct exec *exec;
    struct worker *worker;
    struct slot *slot;
};

/*
 * Makes the instances of every stage and the memory of one batch of shape->frames. Negotiation and shape
 * outlive the line. files: ordered stages are opened, too; else they have no instances and are not to be
 * run. After an error (an instance or memory that cannot be had, a file that cannot be opened) the
 * line is closed.
 */
int line_open(struct line *line, const struct negotiation *negotiation, const struct shape *shape,
              bool files, struct diag *diag);
/* The same of an exec that is open already, with a worker at least: from calloc(), and the line's also
   after an error. */
int line_start(struct line *line, struct exec *exec, struct diag *diag);
/* Frees everything. Files that line_finish() has not put in place are dropped. A zeroed line is allowed. */
void line_close(struct line *line);

/* The next batch: frames first to first + frames - 1 of the source, 1 to shape->frames of them, and
   from a multiple of shape->frames on where there are `blocks:`. */
void line_begin(struct line *line, uint64_t first, uint64_t frames);

/* Runs stages first to last, both included, in order, and what their outputs need for those that read
   them. A stage that another one absorbed is left out. Work for a device is queued. Stages see no
   neighbouring batches. Ends early, without an error, where the source has no frames left. */
int line_run(struct line *line, size_t first, size_t last, struct diag *diag);
/* Does only the copies and conversions that the stage's outputs need. For a caller that has filled these
   outputs itself. */
int line_edges(struct line *line, size_t stage, struct diag *diag);
/* Queues the copy of the frame infos to the host. */
int line_end(struct line *line, struct diag *diag);
/* Waits until all queued work is done. */
int line_wait(struct line *line, struct diag *diag);
/* After the last batch: written files are put in place. */
int line_finish(struct line *line, struct diag *diag);

/* Frames that the batch really has: fewer than were asked for where a source has ended. */
uint64_t line_frames(const struct line *line);

/* An output port's share of one frame. */
struct line_port {
    const char *stage, *port, *backend;   /* ids */
    const struct fecrun_frame *frame;     /* as the stage planned it */
    const struct fecrun_frame_info *info; /* the source frame's, after line_end() and line_wait() */
    uint32_t type;                        /* enum fecrun_type, of the data */
    uint64_t pieces, stride;              /* of frame->items each, that many bytes apart */
    bool on_host;
    const char
        *data; /* the first piece, until the next batch; on a device line_fetch() copies it */
};

/* frame: 0 is the batch's first. False: the stage was absorbed, or nobody reads this port, which has
   no buffer then. */
bool line_port(const struct line *line, size_t stage, unsigned port, uint64_t frame,
               struct line_port *out);
/* Copies pieces * stride bytes to host memory, and waits. */
int line_fetch(struct line *line, const struct line_port *port, void *to, struct diag *diag);

#endif
