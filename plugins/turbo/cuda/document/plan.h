/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The turbo decoders of two papers by Wu, Sun, (Gupta, Wang,) Cavallaro, in floats: eight threads,
 * one a state of the trellis, do a sub-block; one launch is a half iteration.
 *
 *     state-parallel (2010)  a block of eight threads a sub-block, forward metrics in shared
 *                            memory, the interleaver's addresses fetched there beforehand
 *     sub-blocks (2011)      128 threads: the same sub-block of 16 codewords, forward metrics in
 *                            device memory, a mark at codewords that are finished
 *
 * Both keep what eight steps back have found and then compute eight LLRs at once, each thread one,
 * in an order that keeps shared memory's banks apart. Borders of sub-blocks start with what the
 * neighbours ended with in the iteration before. The second encoder's half reads and writes at the
 * interleaver's addresses.
 */
#ifndef TURBO_CUDA_DOCUMENT_PLAN_H
#define TURBO_CUDA_DOCUMENT_PLAN_H

#include <fecrun/plugin.h>
#include <stdbool.h>

#ifdef FECRUN_CUDA
#include <cuda_runtime_api.h>
#endif

#include "plugins/turbo/decode.h"

enum { DOC_GROUP = 16 /* codewords of a block of sub-blocks */, DOC_STATES = 8 };

struct turbo_document {
    struct turbo_qpp qpp;
    uint32_t fillers, windows, steps; /* P, W */
    uint32_t iterations;
    enum turbo_stop stop;
    bool exact;          /* log-map */
    bool state_parallel; /* else sub-blocks */
    float unit;          /* of the input, in what metrics count: natural LLRs or its own */
    float scale;         /* of extrinsic LLRs */
    float threshold;     /* in what metrics count */
    const void *in;
    uint8_t *out;
    uint64_t in_stride, out_stride, frames; /* bytes */
    const void *apriori;                    /* floats: LLRs of the bits beforehand; NULL: none */
    uint64_t apriori_stride;
    float apriori_unit; /* of one of these, in what metrics count */
    char *soft[2];      /* floats: LLRs, and extrinsic ones; NULL: not wanted */
    uint64_t soft_stride[2];
    uint32_t type; /* enum fecrun_type of the input */
    uint32_t packed;
    struct fecrun_frame_info *info;
    float *memory;  /* turbo_document_floats() of each frame, */
    uint32_t *left; /* and a word: iterations done, DOC_DONE once the rule is met */
};

#define DOC_DONE 0x80000000u

/* Floats of a frame: LLRs that arrived, extrinsic ones of both encoders, all, borders, metrics. */
TURBO_FN uint64_t turbo_document_floats(const struct turbo_document *d)
{
    return 3 * (d->qpp.k + 4u) + 3u * d->qpp.k + 64u * d->windows +
           (d->state_parallel ? 0 : DOC_STATES * (uint64_t)d->qpp.k);
}

/* Bytes of shared memory of a thread block. */
TURBO_FN size_t turbo_document_shared(const struct turbo_document *d)
{
    return d->state_parallel ? d->steps * (DOC_STATES * sizeof(float) + sizeof(uint16_t)) : 0;
}

#ifdef FECRUN_CUDA
#ifdef __cplusplus
extern "C" {
#endif

const void *turbo_document_kernel(void);

cudaError_t turbo_document_prepare(const struct turbo_document *d);

/* Queues all iterations. */
cudaError_t turbo_document_launch(const struct turbo_document *d, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
#endif
