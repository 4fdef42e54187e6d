/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TURBO_ENCODE_H
#define TURBO_ENCODE_H

#include "plugins/turbo/code/trellis.h"

/* Code object of turbo.encode. Immutable after plan(). */
struct turbo_encode {
    const struct turbo_qpp *qpp;
    uint32_t k, fillers;
    uint32_t bits; /* input items of a frame: k - fillers */
    uint32_t word; /* output items: 3 (k + 4) */
    uint16_t pi[TURBO_MOST_K];
};

/* Fills *e. qpp: of turbo_qpp_table; fillers < qpp->k. */
void turbo_encode_make(struct turbo_encode *e, const struct turbo_qpp *qpp, uint32_t fillers);

/* One frame of u8 bits, TS 36.212 5.1.3.2: k - fillers in; d0, d1, d2 out, 0 at the fillers. */
void turbo_encode_frame(const struct turbo_encode *e, const uint8_t *in, uint8_t *out);

extern const struct fecrun_backend turbo_encode_cuda; /* cuda/encode/backend.c */

#endif
