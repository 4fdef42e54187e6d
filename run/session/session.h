/* SPDX-License-Identifier: BSD-2-Clause */
/* What every verb on a pipeline file needs: plugins, the file, the graph, and then its points. */
#ifndef FECRUN_RUN_SESSION_SESSION_H
#define FECRUN_RUN_SESSION_SESSION_H

#include "run/file/pipeline.h"
#include "run/schedule/schedule.h"
#include "core/plan/graph.h"
#include "core/plan/negotiate.h"

struct exec;
struct exec_options;
struct line;
struct memory_pool;

struct session_options {
    struct registry_options registry;
    struct pipeline_options pipeline;
    unsigned threads; /* 0: all CPUs */
    /* Gets what stages find odd and old names, "FILE:LINE:COLUMN: ID: ...", the same maybe more than once; also when points
       are planned later. May be NULL. */
    pipeline_say *warn;
    void *warn_data;
};

struct session {
    struct registry *registry;
    struct pipeline *pipeline;
    struct graph *graph;
    unsigned threads;
    pipeline_say *warn; /* see session_options */
    void *warn_data;
};

/* Loads plugins, reads and binds the file (or the text that the options have). */
int session_open(struct session *session, const char *file, const struct session_options *options,
                 struct diag *diag);
void session_close(struct session *session);

/* Points of the sweep: the product of its parameters, the last one changing fastest. 1 without. */
size_t session_points(const struct session *session);

/* Plans and negotiates the point of that number. */
struct session_plan {
    struct shape shape;
    const struct plan *plan; /* of the first class */
    struct negotiation *negotiation;
    uint64_t frames; /* the batch size, the user's or the planner's; the shape has it once it is
                        used for an exec */
};
int session_plan(const struct session *session, size_t number, struct session_plan *plan,
                 struct diag *diag);
/* Zeroed: nothing to do. */
void session_plan_free(struct session_plan *plan);

/* All that `run` checks before its first frame: every point and class of blocks is planned. first:
   gets the first point's plan, so that it need not be made twice; may be NULL. cancel: the user's,
   may be NULL. */
int session_check(const struct session *session, struct session_plan *first,
                  const volatile int *cancel, struct diag *diag);

/* Frames that a batch needs no more than: buffers for no more than will come. */
uint64_t session_most(const struct session *session, const struct session_plan *plan);

/*
 * Opens exec for the plan, but for its ordered stages, with the first worker's instances. Memory is
 * looked at first: the batch is made smaller (in plan, too) if it does not fit and is not the
 * user's. The plan outlives the exec. options: cancel and pool are the caller's, the rest is filled
 * in.
 */
int session_exec(const struct session *session, struct session_plan *plan, uint64_t most,
                 struct exec_options *options, struct exec *exec, struct diag *diag);

/* The same with the memory of a batch for the first worker. pool may be NULL; with one, stages share the working
   memory of the calling thread. After an error the line is closed. */
int session_line(const struct session *session, struct session_plan *plan, uint64_t most,
                 struct memory_pool *pool, struct line *line, struct diag *diag);

/* An error at the first stage that has the flag, also by its parameters: "FILE:LINE:COLUMN: ID: why". */
int session_refuse(const struct plan *plan, uint32_t flag, const char *why, struct diag *diag);

/* Can frames be had from any one on, without those before? Not where files or streams take part;
   what: for whom that is an error. */
int session_seekable(const struct session_plan *plan, const char *what, struct diag *diag);

/*
 * Can the instances of stage s, made for one plan, be used with another one (serves.c)? An instance reads FECRUN_PARAM_POINT
 * parameters, and the noise that follows from them, in each call. It has read the codes of absorbed stages in create(), and
 * a file cannot be read again.
 */
bool session_serves(const struct session_plan *made, const struct session_plan *next, size_t s);

/* Threads that a run of this plan uses: as many as batches are in flight where a device takes part,
   so that each has a stream of its own and memory is bounded. */
unsigned session_workers(const struct session *session, const struct negotiation *negotiation);

/* Stop rules with the defaults filled in. */
struct run_limits session_limits(const struct session *session, const struct plan *plan);

/* ---- Memory: what a run needs, what this machine has, and the batch that follows (budget.c) ---- */

/* Bytes that this process may have, as they were when it first asked: the least of the machine's memory, the limits of
   its control groups (v1 and v2, and of those that they are in) and ulimit -v and -d. UINT64_MAX: unknown. */
uint64_t budget_host_memory(void);
/* Of the control groups alone: `groups` is /proc/self/cgroup, `mount` /sys/fs/cgroup. */
uint64_t budget_of_groups(const char *groups, const char *mount);

/* Frames in a batch where the user says nothing. */
uint64_t budget_batch(const struct session *session, const struct session_plan *plan,
                      struct diag *diag);

/*
 * Is there room for a run of exec? Scratch counts once instances exist (exec_make_worker). *frames
 * is then what its batches have. If not, and the batch is the planner's: *frames is the largest
 * that fits. Else an error with what is needed and what there is.
 */
int budget_check(const struct session *session, const struct exec *exec, uint64_t *frames,
                 struct diag *diag);

/* Free memory of devices is asked for once and then taken as it is, so that all points of a sweep
   have the same batch; this forgets it. */
void budget_forget(const struct session *session);

/* ---- Files that stages name (paths.c) ---- */

/* The file that parameter i names; NULL: none, or "-", standard input or output. The set owns it. */
const char *paths_of(const struct param_set *params, size_t i);

/* No stage may write a file that another one reads or writes, the pipeline file, that of `blocks:` or a plugin. */
int paths_check(const struct graph *graph, struct diag *diag);

#endif
