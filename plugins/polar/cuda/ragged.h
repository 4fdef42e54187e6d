/* SPDX-License-Identifier: BSD-2-Clause */
/* sc and lists for batches of several classes of frames, in one launch of each, for the backend cuda. */
#ifndef POLAR_CUDA_RAGGED_H
#define POLAR_CUDA_RAGGED_H

#include <fecrun/sdk/cuda.h>

#include "plugins/polar/decode.h"

#ifdef FECRUN_CUDA

struct polar_ragged;

/* For codes that polar_list_plan() takes, all of one algorithm. On the present device; *r is NULL
   after a failure. */
int polar_ragged_create(struct polar_ragged **r, const struct fecrun_create *args,
                        const struct fecrun_cuda_limits *limits, struct fecrun_error *err);
void polar_ragged_destroy(struct polar_ragged *r);
size_t polar_ragged_scratch(const struct polar_ragged *r, uint64_t frames);
/* The device is the present one. */
int polar_ragged_run(const struct polar_ragged *r, const struct fecrun_call *call,
                     const struct fecrun_view *in, const struct fecrun_view *out,
                     struct fecrun_error *err);

#endif
#endif
