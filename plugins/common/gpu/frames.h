/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How the CUDA kernels beside the decoders see a batch. A C compiler takes all of it, too: the tests
 * run the threads on the CPU.
 */
#ifndef PLUGINS_COMMON_GPU_FRAMES_H
#define PLUGINS_COMMON_GPU_FRAMES_H

#include <fecrun/sdk/device.h>

/* The frames at a port. */
struct gpu_port {
    uint8_t *data;          /* NULL: the port is not linked */
    const uint64_t *offset; /* of each frame, bytes; NULL: `stride` says it */
    uint64_t stride;
    const uint64_t *class_items; /* of a frame of each class; NULL as offset */
};

/* The frames of a call, whatever is done with them. */
struct gpu_frames {
    uint64_t n;
    const uint32_t *class_of; /* one a frame; NULL: all are of the first class */
};

FECRUN_INLINE uint8_t *gpu_frame(const struct gpu_port *port, uint64_t f)
{
    return port->data + (port->offset ? port->offset[f] : f * port->stride);
}

FECRUN_INLINE uint32_t gpu_class(const struct gpu_frames *frames, uint64_t f)
{
    return frames->class_of ? frames->class_of[f] : 0;
}

/* The first `n` bits of a word, n 0..32, the first one in the least significant place. */
FECRUN_INLINE uint32_t gpu_mask(unsigned n)
{
    return n < 32 ? (1u << n) - 1 : UINT32_MAX;
}

#endif
