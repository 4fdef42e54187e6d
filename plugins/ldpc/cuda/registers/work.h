/* SPDX-License-Identifier: BSD-2-Clause */
/* Arguments of the kernels in registers (plan.h). Also for the compiler of kernels at run time. */
#ifndef LDPC_CUDA_REGISTERS_WORK_H
#define LDPC_CUDA_REGISTERS_WORK_H

#include <fecrun/plugin.h>
#include <stdint.h>

#include "plugins/ldpc/alphas.h"
#include "plugins/ldpc/cuda/soft_work.h"

/* Where the shared memory of a thread block begins: from compute capability 9.0 on. Before, at 0. */
#ifndef LDPC_SHARED_BEGINS
#define LDPC_SHARED_BEGINS 1024
#endif

enum {
    LDPC_REGISTERS_LANES = 416,                      /* most of m, of any kernel */
    LDPC_REGISTERS_PLACES = 400,                     /* of shifts, rows padded to multiples of 4 */
    LDPC_REGISTERS_FLAGS = 4 * LDPC_REGISTERS_LANES, /* bytes: place.cuh */
    LDPC_REGISTERS_ALIGN = 16,                       /* bytes of a bulk copy */
    LDPC_REGISTERS_BASE = LDPC_SHARED_BEGINS,        /* part of instructions: row.cuh */
};

/* What columns of degree 1 are: a word a lane in shared memory, bytes there, or bytes in device memory. */
enum { LDPC_REGISTERS_HALVES, LDPC_REGISTERS_BYTES, LDPC_REGISTERS_AWAY };

/* What a launch gets. Pointers are device memory. */
struct ldpc_registers_work {
    const int8_t
        *in;      /* N LLRs a frame; may begin anywhere, 64 bytes behind the last are readable */
    uint8_t *out; /* packed bits */
    struct fecrun_frame_info *info;
    uint64_t in_stride, out_stride;        /* bytes */
    uint32_t shift[LDPC_REGISTERS_PLACES]; /* in bytes: 4 (s + turn) mod m */
    uint32_t frames;
    uint32_t z, pairs; /* pairs: G */
    uint32_t lanes;    /* m */
    uint32_t rows;     /* in use, at most those of the kernel */
    uint32_t read;     /* LLRs of a frame that are read: of `rows` rows */
    uint32_t slot;     /* bytes of a frame in the staging area */
    uint32_t k, bits;  /* K and K' */
    uint32_t iterations, early_stop;
    uint32_t alpha_shift;        /* of an iteration's place in alpha[]: alphas.h */
    uint32_t alpha[LDPC_ALPHAS]; /* a half, the upper one is 0 */
    uint32_t one;                /* 1: the compiler shall not know */
    uint32_t wrap;               /* -4 m */
    uint32_t quads;              /* 1: lanes can be read and written by fours and eights */
    uint32_t turn[48];           /* of the rows from 4 on, in lanes: 0..z-1 */
    uint32_t beta;               /* OMS: two halves; SPA: its correction at 0: minima.cuh, */
    char *own;                   /* AWAY, and SOFT: columns of degree 1, of each thread block */
    struct ldpc_soft_work soft;  /* SOFT; of all: its unit, of frames that were scaled one by one */
    uint32_t fall;               /* and how that falls */
    float natural;  /* OMS: beta, SPA: the root of a natural LLR; in units of the input */
    uint32_t waits; /* 1: the launch began before what it waits for has ended */
};

#endif
