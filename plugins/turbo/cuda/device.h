/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Declarations shared by the CUDA backends except the decoder: tables in device memory, frames of
 * a call.
 */
#ifndef TURBO_CUDA_DEVICE_H
#define TURBO_CUDA_DEVICE_H

#include <fecrun/sdk/cuda.h>

#include "plugins/turbo/cuda/frames.h"

#ifdef FECRUN_CUDA

enum { TURBO_GPU_PORTS = 3 /* in, prior, out */ };

struct turbo_gpu {
    int device;
    uint32_t n_codes; /* classes of frames */
    void *table;      /* device memory: what the kernels know of the classes */
    uint64_t chunks;
    uint32_t in_type, out_type; /* enum fecrun_type */
};

/* Copies `table` to the device. NULL and a reason on failure. */
struct turbo_gpu *turbo_gpu_new(const struct fecrun_create *args, const void *table, size_t bytes,
                                struct fecrun_error *err);
/* The backends' destroy(), scratch() and probe(). */
void turbo_gpu_destroy(void *gpu);
size_t turbo_gpu_scratch(const void *gpu, uint64_t frames);
int turbo_gpu_probe(const struct fecrun_host *host, int32_t device, char *reason,
                    size_t reason_size);

/* Where the kernels find the frames of a call; prior may be NULL. Makes the instance's device the
 * thread's device, too. */
int turbo_gpu_begin(const struct turbo_gpu *gpu, const struct fecrun_call *call,
                    const struct fecrun_view *in, const struct fecrun_view *prior,
                    const struct fecrun_view *out, struct turbo_frames *frames,
                    struct fecrun_error *err);

#endif
#endif
