/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations shared by the CUDA backends, and instances with tables in device memory. */
#ifndef LDPC_CUDA_DEVICE_H
#define LDPC_CUDA_DEVICE_H

#include <fecrun/sdk/cuda.h>

#include "plugins/ldpc/cuda/frames.h"

#ifdef FECRUN_CUDA

/* probe() of all backends of this plugin: it looks for one of the kernels, since the build has code
 * for the same devices of all of them. */
int ldpc_cuda_probe(const struct fecrun_host *host, int32_t device, char *reason,
                    size_t reason_size);

enum { LDPC_GPU_PORTS = 3 };

struct ldpc_gpu {
    int device;
    void *table; /* device memory: what the kernels know of the classes */
    /*
     * Where frames of different sizes lie, and their classes: the host's tables copied to the
     * device, since all batches of an instance have the same ones. NULL: there is one class.
     */
    uint64_t *offset[LDPC_GPU_PORTS];
    uint32_t *class_of;
    uint64_t copied; /* frames */
    void *stream;    /* that they were copied on */
};

/* Where the kernels find the frames of a call; ports: inputs first, then the output. */
struct ldpc_gpu_call {
    struct ldpc_frames frames;
    struct ldpc_port port[LDPC_GPU_PORTS];
};

/*
 * Copies `table` to the device; NULL and a reason in err if that fails. Makes args->device the
 * thread's device, too.
 */
struct ldpc_gpu *ldpc_gpu_make(const struct fecrun_create *args, const void *table, size_t bytes,
                               struct fecrun_error *err);
void ldpc_gpu_destroy(struct ldpc_gpu *gpu);

/* view[]: as the ports; NULL: not linked. Makes the instance's device the thread's device, too. */
int ldpc_gpu_begin(struct ldpc_gpu *gpu, const struct fecrun_call *call,
                   const struct fecrun_view *const view[LDPC_GPU_PORTS], struct ldpc_gpu_call *made,
                   struct fecrun_error *err);

#endif
#endif
