/* SPDX-License-Identifier: BSD-2-Clause */
/* Creates instances of the chosen backends and calls them on batches, as run/schedule asks. */
#ifndef FECRUN_BATCH_EXEC_H
#define FECRUN_BATCH_EXEC_H

#include "core/batch/slot.h"
#include "core/batch/times.h"

/*
 * Stages between two points where batches must wait for each other: an ordered stage (a file) is a
 * segment of its own, a stage that reads over the ends of its batch begins one.
 */
struct segment {
    size_t first, last;
    bool ordered;
};

struct exec_set { /* instances for one shape */
    const struct shape *shape;
    void ***instances; /* [stage][class]; one class for ordered stages and ragged forms */
};

/* One thread's own things. */
struct worker {
    struct exec_set full, tail;
    struct memory scratch, device_scratch;
    struct stream stream;
    bool started;
};

/* Takes what the last stage would get, which is then not called: of the source's frames from `first`
   up to `end`, all of one class. In frame order; one thread at a time. */
struct exec_tap {
    int (*take)(void *data, const struct fecrun_view *view, const struct fecrun_frame_info *info,
                struct diag *diag);
    void *data;
    uint64_t first, end;
};

struct exec {
    const struct graph *graph;
    const struct negotiation *negotiation;
    struct layout layout;
    const struct shape *created; /* what instances were made from; */
    const struct shape *shape;   /* of the present point: both are the caller's. He may set it to
                                    that of another point of a sweep over FECRUN_PARAM_POINT parameters,
                                    with the same frames: same instances, new codes */
    struct shape tail;           /* frames == 0: not met yet */
    struct exec_set ordered;     /* instances that all workers share */
    size_t n_segments;
    struct segment segments[GRAPH_MAX_STAGES];
    unsigned n_workers;
    struct worker *workers;
    uint64_t seed;
    const volatile int *cancel;      /* the user's; never NULL */
    struct exec_tap tap;             /* take NULL: there is none */
    bool sinkless;                   /* an ordered last stage is not opened */
    const struct times_watch *watch; /* NULL: nobody; nothing is waited for */
    bool shares;                     /* see exec_options */
    const bool *kept;                /* stages whose instances another exec has; NULL: none */
    uint64_t lead;                   /* of the present run: see run_options */
    int ending; /* what calls get as their cancel flag: set by the user, a stop rule or an error */
};

struct exec_options {
    unsigned workers;
    const volatile int *cancel;      /* may be NULL */
    const struct times_watch *watch; /* outlives the exec; may be NULL */
    bool shares;                     /* stages on the host work in memory of the calling thread
                                        (scratch.h) if it is enough */
    struct memory_pool *pool;        /* for all memory; outlives the exec; may be NULL */
};

/* Negotiation and shape, with the batch's frames, outlive it. Nothing is created yet. */
int exec_open(struct exec *exec, const struct negotiation *negotiation, const struct shape *shape,
              const struct exec_options *options, struct diag *diag);
/* Creates the ordered instances, which open files. */
int exec_open_files(struct exec *exec, struct diag *diag);
/* Puts written files in place. */
int exec_finish(struct exec *exec, struct diag *diag);
void exec_close(struct exec *exec);

/* Makes the worker's instances for full batches, but for those that are kept. */
int exec_make_instances(struct exec *exec, struct worker *worker, struct diag *diag);
/* The same, and its stream, if it has none yet. */
int exec_make_worker(struct exec *exec, struct worker *worker, struct diag *diag);
/* What all workers together take as their scratch for batches of that many frames, once the first
   one has its instances. */
struct bytes exec_scratch(const struct exec *exec, uint64_t frames);
/* Frames that stage s gets or gives at most in a batch of that many. */
uint64_t exec_frames(const struct exec *exec, const struct shape *shape, size_t s, uint64_t frames);
/* Called in the worker's own thread before its first segment. */
int exec_start_worker(struct exec *exec, struct worker *worker, struct diag *diag);
/* Instances for the end of a stream. */
int exec_start_tail(struct exec *exec, struct worker *worker, struct diag *diag);
/* Plans the frame that ends a stream, before exec_start_tail(): of as many of *items as all stages take, which *items then
   says. 0: all are left over. What was made for another end is freed. */
int exec_plan_tail(struct exec *exec, uint64_t *items, struct diag *diag);

/* Runs one stage on the slot, without its output edges. have: items that lie readable around the stage's
   input 0, or NULL for none. */
int exec_stage_alone(struct exec *exec, struct worker *worker, struct slot *slot, size_t stage,
                     const struct margin *have, struct diag *diag);
/*
 * Streams: a batch whose stage reads over its ends gets copies of its neighbours' items.
 * neighbours[-k] and [+k] are the batches before and after, contiguous in time; n_before and
 * n_after say how many there are. Copies what the first stage of the segment wants into the
 * margins of its input buffer and says in *have how much that was.
 */
int exec_gather(struct exec *exec, struct worker *worker, size_t segment,
                struct slot *const *neighbours, size_t n_before, size_t n_after,
                struct margin *have, struct diag *diag);
/* Runs stages first to last that no other one absorbed, and their edges; have is for the first one. Ends where the
   source has no frames. */
int exec_stages(struct exec *exec, struct worker *worker, struct slot *slot, size_t first,
                size_t last, const struct margin *have, struct diag *diag);
/* What a stage's output needs for those that read it. */
int exec_edges(struct exec *exec, struct worker *worker, struct slot *slot, size_t stage,
               struct diag *diag);
/* Gives the last stage, an ordered sink, frames that a tap took; first: the first one's number there;
   cancel: as that of a call, but may be NULL. */
int exec_sink(struct exec *exec, const struct fecrun_view *view, struct fecrun_frame_info *info,
              uint64_t first, const volatile int *cancel, struct diag *diag);
/* After a segment's last stage: waits for the device; after the last segment, frame infos are on the
   host. */
int exec_segment_end(struct exec *exec, struct worker *worker, struct slot *slot, size_t segment,
                     struct diag *diag);

bool exec_ordered(const struct exec *exec, size_t stage);
/* The error of a stage's create() or run() as a diagnostic. */
int exec_fail(const struct exec *exec, size_t stage, int status, const struct fecrun_error *err,
              struct diag *diag);

#endif
