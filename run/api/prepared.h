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

struct fecrun_session;

struct fecrun_prepared {
    struct fecrun_session *owner;
    struct session session; /* the owner's, but with one thread */
    struct session_plan plan;
    struct line line;
    uint64_t next_frame; /* calls are one row of frames, for random stages */
    bool broken;         /* a stage failed: its instance is of no more use */
    bool lent;           /* the stream is the caller's, who waits for it himself */
    void *own_stream;    /* what the worker had before */
    size_t n_ports;
    struct prepared_port *ports;
};

#endif
