/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How the CUDA kernels beside the decoder see a batch. A C compiler takes all of it, too: the tests
 * run the threads on the CPU.
 */
#ifndef TURBO_CUDA_FRAMES_H
#define TURBO_CUDA_FRAMES_H

#include <fecrun/sdk/device.h>

/* The frames at a port. */
struct turbo_port {
    uint8_t *data;          /* NULL: the port is not linked */
    const uint64_t *offset; /* of each frame, bytes; NULL: `stride` says it */
    uint64_t stride;
};

/* Those of a call: n frames at each port. */
struct turbo_frames {
    uint64_t n;
    const uint32_t *class_of; /* one a frame; NULL: all are of the first class */
    struct turbo_port in, prior, out;
};

FECRUN_INLINE uint8_t *turbo_frame_of(const struct turbo_port *port, uint64_t f)
{
    return port->data + (port->offset ? port->offset[f] : f * port->stride);
}

FECRUN_INLINE uint32_t turbo_class_of(const struct turbo_frames *frames, uint64_t f)
{
    return frames->class_of ? frames->class_of[f] : 0;
}

#endif
