/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Arguments of the kernels in shared memory (plan.h). Also for the compiler of kernels at run
 * time.
 */
#ifndef LDPC_CUDA_SHARED_WORK_H
#define LDPC_CUDA_SHARED_WORK_H

#include <fecrun/plugin.h>
#include <stdint.h>

#include "plugins/ldpc/alphas.h"
#include "plugins/ldpc/cuda/soft_work.h"

enum {
    LDPC_SHARED_CODEWORDS = 64,                    /* most of a thread block */
    LDPC_SHARED_FLAGS = 3 * LDPC_SHARED_CODEWORDS, /* bytes, and a word each: kernel.cuh */
    LDPC_SHARED_END = LDPC_SHARED_FLAGS + 4 * LDPC_SHARED_CODEWORDS,
    LDPC_SHARED_NO_LANE = 0xffff
};

/* Rows of a layer that are taken at once, a thread each (and a slot: plan.h). */
struct ldpc_shared_step {
    uint32_t edge; /* first one: place in the code's list, or in work.table */
    uint32_t word; /* first one of its messages, in either memory; the source: times threads */
    uint32_t lane; /* of the first row, or where lanes are in work.table, if LISTED */
    uint32_t rows; /* this many */
    uint32_t kind; /* weight of the rows, its place among the code's weights << 8, and flags */
};

enum {
    LDPC_SHARED_LISTED = 1 << 16,
    LDPC_SHARED_SKIPS = 1 << 17, /* some edge is not there in some lane */
    LDPC_SHARED_SYNC = 1 << 18,  /* the layer ends */
    LDPC_SHARED_NEAR = 1 << 19   /* its messages are in shared memory */
};

/* What a launch gets. Pointers are device memory. */
struct ldpc_shared_work {
    const void *in;
    uint8_t *out;
    struct fecrun_frame_info *info;
    uint64_t in_stride, out_stride;     /* bytes */
    const uint32_t *table;              /* lifted columns of edges, two a word; or lanes */
    const uint32_t *place, *info_place; /* as in struct ldpc_code */
    uint32_t *messages;                 /* of all thread blocks; NULL: all in shared memory */
    uint64_t message_words;             /* of a thread block */
    uint32_t frames;
    uint32_t n, punctured, k, bits; /* n: LLRs of a frame that are read */
    uint32_t aligned;               /* LLRs can be read four at a time */
    uint32_t iterations, early_stop;
    float beta;                  /* oms: offset, in units of the LLRs */
    uint32_t alpha_shift;        /* of an iteration's place in alpha[]: alphas.h */
    uint32_t alpha[LDPC_ALPHAS]; /* a half, the upper one is 0 */
    struct ldpc_soft_work soft;  /* SOFT; its unit is NULL */
};

#endif
