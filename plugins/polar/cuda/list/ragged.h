/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lists for frames of several classes in one launch: a warp decodes 32 / L frames of one class, then
 * of the same or another. Which frames a class has a kernel of its own finds out before.
 */
#ifndef POLAR_CUDA_LIST_RAGGED_H
#define POLAR_CUDA_LIST_RAGGED_H

#include "plugins/polar/cuda/list/plan.h"

enum { LIST_DEAL_THREADS = 1024 };

/* All pointers are the device's. */
struct polar_list_ragged {
    const struct polar_list_job *job; /* of each class; where frames lie is not in it */
    uint32_t n_classes, frames;
    uint32_t rows, global_rows; /* of a warp: the most that a class needs */
    uint32_t *global;
    const int8_t *in;
    uint8_t *out;
    struct fecrun_frame_info *info;
    const uint64_t *in_offset, *out_offset;
    const uint32_t *class_of;
    uint32_t again;  /* only frames whose info says that their CRC fails */
    uint32_t *start; /* n_classes + 1: where the frames of a class begin in */
    uint32_t *next;  /* n_classes: the same, moved on */
    uint32_t *order; /* numbers of frames, class by class */
};

#ifdef __cplusplus
extern "C" {
#endif

#ifdef FECRUN_CUDA
const void *polar_list_ragged_kernel_of(uint32_t lanes);
const void *polar_list_deal_kernel_of(void); /* one block of LIST_DEAL_THREADS */
#endif

#ifdef __cplusplus
}
#endif

#endif
