/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * LLRs out of the kernels in registers and in shared memory: where they go. Also for the compiler of kernels
 * at run time.
 */
#ifndef LDPC_CUDA_SOFT_WORK_H
#define LDPC_CUDA_SOFT_WORK_H

#include <fecrun/plugin.h>
#include <stdint.h>

enum { LDPC_SOFT_BITS, LDPC_SOFT_WORD, LDPC_SOFT_PORTS }; /* `llr` and `code_llr` */

/* Of a launch. Pointers are device memory. */
struct ldpc_soft_work {
    float *to[LDPC_SOFT_PORTS];       /* K' and N floats a frame; NULL: nobody reads them */
    uint64_t stride[LDPC_SOFT_PORTS]; /* bytes */
    const float *unit; /* a frame each: a kernel's LLR of 1 in units of the input; NULL: 1 */
    const void *in;    /* N LLRs a frame as they arrived, for those that no row in use reaches */
    uint64_t in_stride;
    uint32_t in_type, n; /* n: N */
};

#endif
