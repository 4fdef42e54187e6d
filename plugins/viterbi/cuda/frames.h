/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames of the kernels of conv.*, of one size or of several classes. A C compiler takes all of it, too. */
#ifndef VITERBI_CUDA_FRAMES_H
#define VITERBI_CUDA_FRAMES_H

#include <fecrun/sdk/device.h>

/* In device memory; all NULL where there is one class, and strides say where frames are. */
struct conv_classes {
    const uint32_t *of;                     /* each frame's class */
    const uint64_t *in_offset, *out_offset; /* of each frame, bytes */
    const uint64_t *in_items, *out_items;   /* of each class */
};

FECRUN_INLINE uint64_t conv_place(const uint64_t *offset, uint64_t stride, uint64_t f)
{
    return offset ? offset[f] : f * stride;
}

FECRUN_INLINE uint64_t conv_items(const struct conv_classes *classes, const uint64_t *items,
                                  uint64_t f, uint64_t all)
{
    return classes->of ? items[classes->of[f]] : all;
}

#endif
