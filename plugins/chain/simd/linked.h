/* SPDX-License-Identifier: BSD-2-Clause */
/* Stages that run alone or with all stages from the bits on absorbed: instances and calls. */
#ifndef CHAIN_SIMD_LINKED_H
#define CHAIN_SIMD_LINKED_H

#include "plugins/chain/simd/simd.h"

#include <stdbool.h>

struct chain_linked {
    const struct chain_kernels *kernels;
    bool links; /* from bits on */
    struct chain_link link;
};

/* Of the absorbed stages, as fecrun_create has them: nearest to the source first. */
enum { CHAIN_MAP, CHAIN_AWGN, CHAIN_DEMAP };

/* For create(); it links where that many stages are absorbed, and `link` is then to be filled. The
   caller frees it. NULL and *err: no memory, or no such instruction set. */
struct chain_linked *chain_linked_make(const struct fecrun_create *args, uint32_t absorbed,
                                       struct fecrun_error *err);

/* Frame f, of one that does not link. */
typedef void chain_alone(const struct chain_kernels *kernels, const struct fecrun_call *call,
                         const struct fecrun_view *in, const struct fecrun_view *out, uint64_t f);

/* run() */
void chain_linked_run(const struct chain_linked *own, const struct fecrun_call *call,
                      const struct fecrun_view *in, const struct fecrun_view *out,
                      chain_alone *alone);

#endif
