/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory: what a run needs, what this machine has, and the batch that follows from it. */
#ifndef FECRUN_RUN_SESSION_BUDGET_H
#define FECRUN_RUN_SESSION_BUDGET_H

#include "core/batch/exec.h"
#include "run/session/session.h"

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

#endif
