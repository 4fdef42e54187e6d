/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instances of the CUDA backends beside the decoders: a table in device memory, and the places of the
 * frames of a call.
 */
#ifndef PLUGINS_COMMON_GPU_H
#define PLUGINS_COMMON_GPU_H

#include <fecrun/sdk/cuda.h>
#include <stdbool.h>

#include "plugins/common/gpu/frames.h"

#ifdef FECRUN_CUDA

enum { GPU_PORTS = 3 };

/* What an instance begins with. */
struct gpu {
    int device;
    uint32_t in_type, out_type; /* enum fecrun_type, of the first ports */
    void *table;                /* device memory: what the kernels know of the classes of frames */
    /*
     * Where frames of different sizes lie, and their classes: the host's tables copied to the
     * device, since all batches of an instance have the same ones. NULL: there is one class.
     */
    uint64_t *offset[GPU_PORTS], *class_items[GPU_PORTS];
    uint32_t *class_of;
    uint32_t n_classes;
    uint64_t copied; /* frames */
    void *stream;    /* that they were copied on */
};

/* Where the kernels find the frames of a call; ports in the order of gpu_begin()'s views. */
struct gpu_call {
    struct gpu_frames frames;
    struct gpu_port port[GPU_PORTS];
};

/*
 * A cleared instance of `size` bytes, which begins with a struct gpu, with a copy of `bytes` bytes of
 * `table` on the device; NULL and a reason in err on failure. Makes args->device the thread's device,
 * too. gpu_destroy() frees it, and is the backend's destroy(); NULL is allowed.
 */
void *gpu_make(size_t size, const struct fecrun_create *args, const void *table, size_t bytes,
               struct fecrun_error *err);
void gpu_destroy(void *instance);

/* The same of a struct gpu alone, in *instance. 0, or -1 and a reason. */
int gpu_create(const struct fecrun_create *args, const void *table, size_t bytes, void **instance,
               struct fecrun_error *err);

/*
 * Jobs of all classes in device memory, for kernels that do frames of all of them: what code objects say, which may
 * be others at another point. They are copied where they differ from those of the call before.
 */
struct gpu_jobs {
    void *seen, *device;
    size_t bytes;
    bool put; /* once before */
};

int gpu_jobs_make(struct gpu_jobs *jobs, size_t bytes, struct fecrun_error *err);
/* NULL and a reason, or where they are. */
const void *gpu_jobs_put(struct gpu_jobs *jobs, const void *all, void *stream,
                         struct fecrun_error *err);
void gpu_jobs_free(struct gpu_jobs *jobs);

/* view[]: NULL: not linked; the first one is. Makes the instance's device the thread's device, too. 0, or
   -1 and a reason. */
int gpu_begin(void *instance, const struct fecrun_call *call,
              const struct fecrun_view *const view[GPU_PORTS], struct gpu_call *made,
              struct fecrun_error *err);

#endif
#endif
