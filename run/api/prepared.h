/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A pipeline made ready to be called: planned, with its instances and the memory of one batch, so
 * that a call does the stages' work and nothing else, in the caller's thread. Stages that are bound
 * stand for the caller's arrays, which take the place of their buffers where they can.
 */
#ifndef FECRUN_RUN_API_PREPARED_H
#define FECRUN_RUN_API_PREPARED_H

#include "core/batch/exec.h"
#include "core/batch/line.h"
#include "run/sweep/session.h"

/* A bound stage and its array. */
struct prepared_port {
    size_t stage;
    bool output; /* a sink's: the caller gets it */
    struct buffer *buffer;
    bool shared;   /* another one before it has the same buffer */
    bool bound;    /* there is an array */
    bool direct;   /* the array is the buffer */
    char *own;     /* the buffer's data without array */
    char *array;   /* inputs are only read */
    size_t bytes;  /* of the array */
    size_t stride; /* from frame to frame; 0: frames lie behind each other */
};

struct prepared {
    struct session session; /* the caller's, but with one thread */
    struct session_plan plan;
    struct line line;
    uint64_t next_frame; /* calls are one row of frames, for random stages */
    bool broken;         /* a stage failed: its instance is of no more use */
    bool lent;           /* the stream is the caller's, who waits for it himself */
    void *own_stream;    /* what the worker had before */
    size_t n_ports;
    struct prepared_port *ports;
};

struct prepared_options {
    uint64_t frames;     /* most of one call; 0: the pipeline's batch, or 1 */
    void *const *stream; /* handle of a stream of the caller's; NULL: one of its own */
};

/* The session outlives it and may be prepared several times. Zeroed after an error. */
int prepared_make(struct prepared *prepared, const struct session *session,
                  const struct prepared_options *options, struct diag *diag);
/* Waits for queued work. Zeroed: nothing to do. */
void prepared_free(struct prepared *prepared);

/* The bound stage of that id, or NULL and an error. */
struct prepared_port *prepared_find(const struct prepared *prepared, const char *id,
                                    struct diag *diag);
/* What lies there. */
const struct fecrun_frame *prepared_frame(const struct prepared *prepared,
                                          const struct prepared_port *port);
/* Bytes of one frame; of so many, without gap. */
size_t prepared_frame_bytes(const struct prepared *prepared, const struct prepared_port *port);
size_t prepared_bytes(const struct prepared *prepared, const struct prepared_port *port,
                      uint64_t frames);

int prepared_bind(const struct prepared *prepared, struct prepared_port *port, void *array,
                  size_t bytes, size_t stride, struct diag *diag);

/* Calls all stages on the next frames. With a lent stream the work may only be queued. */
int prepared_run(struct prepared *prepared, uint64_t frames, struct diag *diag);

#endif
