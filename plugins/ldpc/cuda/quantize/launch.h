/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * LLRs of type f16 and f32 for decoders of i8: a frame's are multiplied by a number of its own, rounded
 * and limited to +-127. block.h says which number.
 */
#ifndef LDPC_CUDA_QUANTIZE_LAUNCH_H
#define LDPC_CUDA_QUANTIZE_LAUNCH_H

#include <fecrun/plugin.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/ldpc/code/code.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LDPC_QUANTIZE_THREADS = 1024, /* of a frame, at most, */
    LDPC_QUANTIZE_HELD = 32,      /* each of which has so many LLRs at most */
    LDPC_QUANTIZE_MOST = LDPC_QUANTIZE_THREADS * LDPC_QUANTIZE_HELD,
    LDPC_QUANTIZE_BEHIND = 64, /* bytes behind the last frame that decoders read */
};

struct ldpc_quantize_work {
    const char *in;
    int8_t *out;
    float *unit; /* of a frame each: what an i8 LLR of 1 was; NULL: nobody asks */
    uint64_t in_stride, out_stride; /* bytes */
    uint64_t frames;
    uint32_t in_type, n;       /* n: LLRs of a frame, at most LDPC_QUANTIZE_MOST */
    uint32_t known, known_end; /* places of known zeros: what arrives there does not count */
};

/* Bytes from one frame's i8 LLRs to the next one's. */
static inline uint64_t ldpc_quantize_stride(uint32_t n)
{
    return (n + 15) / 16 * 16;
}

/* Frames of i8 LLRs in this memory, as far apart as frames of n LLRs are. */
static inline struct fecrun_view ldpc_quantize_view(void *data, uint32_t n, uint64_t frames)
{
    return (struct fecrun_view){.size = sizeof(struct fecrun_view),
                                .data = data,
                                .type = FECRUN_I8,
                                .frames = frames,
                                .items = n,
                                .stride = ldpc_quantize_stride(n)};
}

/*
 * Frames first..first + n - 1 of `in`, of one class, to those of such a view. unit: of the batch's frames, what an i8
 * LLR of 1 was, or NULL. stream: cudaStream_t.
 */
int ldpc_quantize_run(const struct ldpc_code *code, const struct fecrun_view *in,
                      const struct fecrun_view *narrow, float *unit, uint64_t first, uint64_t n,
                      void *stream, struct fecrun_error *err);

/* cudaError_t; stream: cudaStream_t. */
int ldpc_quantize_launch(const struct ldpc_quantize_work *work, void *stream);

#ifdef __cplusplus
}
#endif

#endif
