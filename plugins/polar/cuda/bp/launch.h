/* SPDX-License-Identifier: BSD-2-Clause */
/* Belief propagation on a device, for the backends that have it. */
#ifndef POLAR_CUDA_BP_LAUNCH_H
#define POLAR_CUDA_BP_LAUNCH_H

#include <fecrun/sdk/cuda.h>

#include "plugins/polar/cuda/bp/plan.h"
#include "plugins/polar/decode.h"

enum polar_bp_messages { BP_MESSAGES_AUTO, BP_MESSAGES_SHARED, BP_MESSAGES_GLOBAL };

/* Which kernel. */
struct polar_bp_choice {
    bool half; /* bp_half where it can, else bp_any, of which the rest speaks */
    enum polar_bp_messages messages;
    bool fast;
};

struct polar_bp;

/* On the present device; *bp is NULL after a failure. */
int polar_bp_create(struct polar_bp **bp, const struct polar_decode *d,
                    const struct polar_bp_choice *choice, uint32_t type, struct fecrun_error *err);
void polar_bp_destroy(struct polar_bp *bp);
/* Without bp_half: of one class in bp_ragged. Where frames lie is not in it. */
struct polar_bp_any_job polar_bp_any_job_of(const struct polar_bp *bp);
size_t polar_bp_scratch(const struct polar_bp *bp, uint64_t frames);
/* d: the code object of this call. The device is the present one. */
int polar_bp_run(const struct polar_bp *bp, const struct polar_decode *d,
                 const struct fecrun_call *call, const struct fecrun_view *in,
                 const struct fecrun_view *out, struct fecrun_error *err);

#endif
