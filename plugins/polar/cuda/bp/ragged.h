/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Belief propagation for batches of several classes of frames, in one launch: bp_any, a frame a
 * block, of as many threads as the largest class has.
 */
#ifndef POLAR_CUDA_BP_RAGGED_H
#define POLAR_CUDA_BP_RAGGED_H

#include <fecrun/sdk/cuda.h>

#include "plugins/polar/cuda/bp/plan.h"
#include "plugins/polar/decode.h"

/* All pointers are the device's. */
struct polar_bp_ragged_job {
    const struct polar_bp_any_job *job; /* of each class; where frames lie is not in it */
    uint32_t frames, packed;
    uint32_t floats; /* of a block, the most that a class needs */
    float llr_scale;
    float *memory; /* not NULL: the floats of all blocks of the grid */
    const uint8_t *in;
    uint8_t *out;
    struct fecrun_frame_info *info;
    const uint64_t *in_offset, *out_offset;
    const uint32_t *class_of;
};

#ifdef __cplusplus
extern "C" {
#endif

#ifdef FECRUN_CUDA

const void *polar_bp_ragged_kernel_of(uint32_t rule);

struct polar_bp_ragged;

/* On the present device; *r is NULL after a failure. */
int polar_bp_ragged_create(struct polar_bp_ragged **r, const struct fecrun_create *args,
                           struct fecrun_error *err);
void polar_bp_ragged_destroy(struct polar_bp_ragged *r);
size_t polar_bp_ragged_scratch(const struct polar_bp_ragged *r, uint64_t frames);
/* The device is the present one. */
int polar_bp_ragged_run(const struct polar_bp_ragged *r, const struct fecrun_call *call,
                        const struct fecrun_view *in, const struct fecrun_view *out,
                        struct fecrun_error *err);

#endif

#ifdef __cplusplus
}
#endif

#endif
