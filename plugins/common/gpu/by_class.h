/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Forms with FECRUN_FORM_RAGGED for CUDA backends whose kernels take frames of one size: an instance has one of
 * the backend's own instances a class. Frames are copied so that those of a class follow each other, each
 * instance is called once, and what it gave is copied back: three launches and one a class, however the
 * classes are mixed. Not for stages that are random, as a frame's words come with its number.
 */
#ifndef PLUGINS_COMMON_GPU_BY_CLASS_H
#define PLUGINS_COMMON_GPU_BY_CLASS_H

#include "plugins/common/gpu/frames.h"

#include <fecrun/sdk/cuda.h>

/* ---- Kernels (by_class.cuh) ---- */

enum { BY_CLASS_PORTS = 4 };

/* Frames of a port: mixed, and where those of each class lie when they are apart. */
struct by_class_port {
    struct gpu_port mixed;
    uint8_t *apart;
    const uint64_t *first;  /* bytes from `apart` to the first frame of each class */
    const uint64_t *stride; /* of its frames, multiples of 16 */
    const uint64_t *bytes;  /* of its frames */
};

struct by_class_args {
    uint64_t frames;
    const uint32_t *class_of,
        *rank; /* of each frame: its class, and how many of that are in front of it */
    uint32_t n_ports;
    struct by_class_port port[BY_CLASS_PORTS];
    struct fecrun_frame_info *mixed_info, *info; /* info: apart, of a class from first_info on */
    const uint64_t *first_info;
};

#ifdef FECRUN_CUDA

#ifdef __cplusplus
extern "C" {
#endif

/* Copies frames and infos of all classes apart, or back. */
typedef cudaError_t (*by_class_copy)(const struct by_class_args *args, bool back, void *stream);

#ifdef __cplusplus
}
#endif

/* What the backend does with frames of one class, and where the kernels are. scratch may be NULL. */
struct by_class_backend {
    int (*create)(const struct fecrun_create *args, void **instance, struct fecrun_error *err);
    size_t (*scratch)(const void *instance, uint64_t frames);
    int (*run)(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err);
    void (*destroy)(void *instance);
    /* Items of a frame at each port, which create() gets for one class. */
    void (*items)(const struct fecrun_create *one, uint64_t in[FECRUN_MAX_PORTS],
                  uint64_t out[FECRUN_MAX_PORTS]);
    by_class_copy copy;
};

int by_class_create(const struct by_class_backend *backend, const struct fecrun_create *args,
                    void **instance, struct fecrun_error *err);
size_t by_class_scratch(const void *instance, uint64_t frames);
int by_class_run(void *instance, const struct fecrun_call *call,
                 const struct fecrun_view *const in[], struct fecrun_view *const out[],
                 struct fecrun_error *err);
void by_class_destroy(void *instance);
/* The backend's own instance of the first class. */
const void *by_class_first(const void *instance);

#endif

/* For takes(): asks `takes` about each class by itself. */
int by_class_takes(const struct fecrun_create *args,
                   int (*takes)(const struct fecrun_create *args, struct fecrun_error *err),
                   struct fecrun_error *err);

#endif
