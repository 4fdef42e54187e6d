/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations shared by the files of the host API. */
#ifndef FECRUN_RUN_API_API_IMPL_H
#define FECRUN_RUN_API_API_IMPL_H

#include <fecrun/fecrun.h>

#include "core/batch/exec.h"
#include "core/batch/line.h"
#include "run/session/session.h"

#include <pthread.h>

struct fecrun_session {
    struct session session;
    pthread_mutex_t lock; /* of what follows: other threads ask and cancel */
    struct fecrun_progress progress;
    volatile int *cancel; /* of the run that is under way, the caller's flag or our own */
    volatile int own_cancel;
    bool busy;    /* one function at a time works with the session */
    bool closed;  /* and is freed when nobody uses it any more */
    size_t users; /* prepared pipelines */
};

/* A segment of a stream. */
struct part {
    uint64_t first;   /* frame that is next */
    uint64_t pending; /* frames in its buffer that wait: it is the first of them */
    uint64_t before;  /* items in front of them */
    uint64_t frames;  /* of the present call */
};

/* State of a stream between calls. */
struct feed {
    bool begun;
    uint64_t
        rest_items; /* behind the source's frames: the begin of one whose end has not come yet */
    uint64_t tail_items;
    struct part parts[GRAPH_MAX_STAGES]; /* one a segment */
};

/* A bound stage and its array. */
struct prepared_port {
    size_t stage;
    bool output; /* a sink's: the caller gets it */
    struct buffer *buffer;
    bool shared;    /* another one before it has the same buffer */
    bool bound;     /* there is an array */
    bool direct;    /* the array is the buffer */
    char *own;      /* the buffer's data without array */
    char *array;    /* inputs are only read */
    size_t bytes;   /* of the array */
    size_t stride;  /* from frame to frame; 0: frames lie behind each other */
    uint64_t items; /* of a stream, in the last call */
};

/*
 * A pipeline made ready to be called: planned, with its instances and the memory of one batch, so
 * that a call does the stages' work and nothing else, in the caller's thread. Stages that are bound
 * stand for the caller's arrays, which take the place of their buffers where they can.
 */
struct fecrun_prepared {
    struct fecrun_session *owner;
    struct session session; /* the owner's, but with one thread and the next */
    struct pipeline
        pipeline; /* what fecrun_set() has set is in its seed and its sweeps, of one value each */
    struct session_plan *made;    /* the present values */
    struct session_plan *kept;    /* codes of instances that are older; NULL: none is */
    bool older[GRAPH_MAX_STAGES]; /* the stage's are */
    struct memory_pool *pool;
    struct line line;
    uint64_t frames;     /* most of one call */
    uint64_t next_frame; /* calls are one row of frames, for random stages */
    bool is_stream;      /* of items; else of frames */
    struct feed feed;
    bool broken;      /* a stage failed: its instance is of no more use */
    bool lent;        /* the stream is the caller's, who waits for it himself */
    void *own_stream; /* what the worker had before */
    size_t n_ports;
    struct prepared_port *ports;
};

static inline bool prepared_bound(const struct fecrun_prepared *prepared, size_t s)
{
    return prepared->session.graph->stages[s].stage->flags & FECRUN_STAGE_BOUND;
}

static inline bool prepared_on_host(const struct fecrun_prepared *prepared, size_t s)
{
    return prepared->made->negotiation->choices[s].space == SPACE_HOST;
}

/* Can these stages be prepared? */
int prepared_check(const struct session_plan *plan, struct diag *diag);
/* Frames that a stream's batch needs more than a call. */
uint64_t prepared_delay(const struct plan *plan);
/* Frees a plan. NULL is allowed. */
void prepared_drop(struct session_plan *plan);
/* Places the arrays again after the slot's memory has changed: as buffers, or with a copy. */
void prepared_place(struct fecrun_prepared *prepared);
/* The bound stage of that id. */
struct prepared_port *prepared_port(const struct fecrun_prepared *prepared, const char *id,
                                    struct diag *diag);
/* Its id, and what one frame (a piece, where frames are split) is. */
const char *prepared_id(const struct fecrun_prepared *prepared, const struct prepared_port *port);
const struct fecrun_frame *prepared_frame(const struct fecrun_prepared *prepared,
                                          const struct prepared_port *port);
/* Is it of use, and does each port have an array? */
int prepared_ready(const struct fecrun_prepared *prepared, struct diag *diag);
/* Is the port's array as large as those bytes, which n frames or items (`what`) take? */
int prepared_fits(const struct fecrun_prepared *prepared, const struct prepared_port *port,
                  uint64_t n, const char *what, size_t bytes, struct diag *diag);
/* Copies where the buffer's memory is: done on the host, queued on a device. */
int prepared_move(struct fecrun_prepared *prepared, const struct buffer *buffer, void *to,
                  const void *from, size_t bytes, struct diag *diag);

/* Frees the values that were set. */
void settings_free(struct pipeline *pipeline);

/* Calls work() with the calling thread's device kept. Returns what it does, with *message filled. */
typedef int api_work(struct fecrun_prepared *prepared, const void *data, struct diag *diag);
int api_call(struct fecrun_prepared *prepared, api_work *work, const void *data,
             struct fecrun_message *message);

/* Field of a caller's struct, or what it is where the caller does not know it or gave no struct. */
#define FIELD(p, field, otherwise) ((p) && FECRUN_HAS(p, field) ? (p)->field : (otherwise))

/* Fills the caller's message, a text cut where he has less room for it. Returns -1. */
int api_fail(const struct diag *diag, struct fecrun_message *message);

/* Fails because a required pointer is NULL; the message names the function and the pointer. Returns -1. */
int api_null(const char *function, const char *what, struct fecrun_message *message);
#define NEED(pointer) \
    do { \
        if (!(pointer)) \
            return api_null(__func__, #pointer, message); \
    } while (0)

/* Reserves the session for one function, which may choose devices. Returns -1 if it is closed or another function is using
   it. */
int api_enter(struct fecrun_session *session, const char *function, struct guest *guest,
              struct fecrun_message *message);
/* Ends the reservation. users is added to the number of prepared pipelines: 1, 0, or -1. Frees a closed session that
   nobody uses any more. */
void api_leave(struct fecrun_session *session, const struct guest *guest, int users);

/* Fields behind `size` that the caller knows, of a struct that the library has filled. */
void api_give(void *to, const void *from, size_t bytes);

#endif
