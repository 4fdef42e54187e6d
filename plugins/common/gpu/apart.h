/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Frames of a batch of several classes, sorted: those of a class follow each other, in the order in which they came.
 * For kernels that do many frames of one size at a time. Two launches copy inputs there, and outputs and infos
 * back. Not for stages that are random, as a frame's words come with its number.
 */
#ifndef PLUGINS_COMMON_GPU_APART_H
#define PLUGINS_COMMON_GPU_APART_H

#include "plugins/common/gpu/frames.h"

#include <fecrun/sdk/cuda.h>
#include <stdbool.h>

/* ---- Kernels (apart.cuh) ---- */

enum { APART_PORTS = 8 }; /* inputs and outputs of a stage together */

/* Of a port: frames as they came, and where those of each class lie when they are sorted. */
struct apart_port {
    struct gpu_port mixed;
    uint8_t *sorted;
    const uint64_t *first;  /* bytes from `sorted` to the first frame of each class */
    const uint64_t *stride; /* of its frames */
    const uint64_t *bytes;  /* of its frames */
};

struct apart_args {
    uint64_t frames;
    const uint32_t *class_of,
        *rank; /* of each frame: its class, and how many of that are in front of it */
    uint32_t n_ports;
    struct apart_port port[APART_PORTS];
    struct fecrun_frame_info *mixed_info, *info; /* info: sorted; of a class from first_info on */
    const uint64_t *first_info;
};

#ifdef FECRUN_CUDA

/* Copies frames and infos of all classes to their sorted places, or back. */
typedef cudaError_t (*apart_copy)(const struct apart_args *args, bool back, void *stream);

/* Three numbers a class, on both sides: first, stride and bytes of struct apart_port. */
struct apart_table {
    uint64_t *host, *device;
};

/* Frames of an instance. */
struct apart {
    apart_copy copy;
    int device;
    uint32_t n; /* classes */
    uint64_t max_frames;
    unsigned n_in, n_ports;     /* inputs, then outputs */
    uint64_t align;             /* bytes, of each frame's beginning */
    uint32_t type[APART_PORTS]; /* enum fecrun_type; FECRUN_NONE: not linked */
    uint64_t *items;            /* [port * n + class] */
    /* Of the last call, on the host: */
    uint64_t frames;
    void *stream;
    uint64_t *count, *first_info;  /* of each class: frames, and those in front of its own */
    uint32_t *rank, *sorted_class; /* of each frame: of the mixed ones, of the sorted ones */
    uint64_t *offset[APART_PORTS]; /* of each sorted frame, and of the end */
    struct apart_table table[APART_PORTS];
    /* Device memory: */
    char *memory;
    uint32_t *class_of_there, *rank_there;
    uint64_t *first_info_there, *mixed_offset[APART_PORTS];
};

/* One call of it. */
struct apart_call {
    const struct fecrun_call *call;
    const struct fecrun_view *view[APART_PORTS]; /* as they came; NULL: not linked */
    struct fecrun_frame_info *info;              /* sorted */
    char *sorted[APART_PORTS];
    char *scratch; /* behind what is used here */
};

/* args: of create(), n_codes > 1. items(): of a frame at each port, where create() gets one class alone. On failure
   nothing is left. */
typedef void apart_items(const struct fecrun_create *one, uint64_t in[FECRUN_MAX_PORTS],
                         uint64_t out[FECRUN_MAX_PORTS]);
int apart_make(struct apart *a, const struct fecrun_create *args, apart_items *items,
               apart_copy copy, uint64_t align, struct fecrun_error *err);
void apart_free(struct apart *a);

/* What begin() takes from the front of a call's scratch memory. */
size_t apart_scratch(const struct apart *a, uint64_t frames);

/* Queues the way of inputs and infos to their sorted places, and that of outputs and infos back. */
int apart_begin(struct apart *a, const struct fecrun_call *call,
                const struct fecrun_view *const in[], struct fecrun_view *const out[],
                struct apart_call *k, struct fecrun_error *err);
int apart_end(const struct apart *a, const struct apart_call *k, struct fecrun_error *err);

/* The sorted frames of a port, all of them, or those of one class as frames of one size. */
struct fecrun_view apart_view(const struct apart *a, const struct apart_call *k, unsigned port);
struct fecrun_view apart_class(const struct apart *a, const struct apart_call *k, unsigned port,
                               uint32_t c);

#endif

/* The arguments of one class; codes[] holds what they point to. */
enum { APART_ABSORBED = 8 /* at most */ };
struct fecrun_create apart_one(const struct fecrun_create *args, uint32_t c,
                               void *const *codes[APART_ABSORBED]);

#endif
