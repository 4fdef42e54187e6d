/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TURBO_ENCODE_H
#define TURBO_ENCODE_H

#include "plugins/turbo/code/family.h"
#include "plugins/turbo/code/trellis.h"

/* Code object of turbo.encode. Immutable after plan(). */
struct turbo_encode {
    const struct turbo_family *family;
    const struct turbo_qpp *qpp; /* LTE */
    uint32_t k, fillers;
    uint32_t bits; /* input items of a frame: k - fillers */
    uint32_t word; /* output items */
    uint16_t pi[TURBO_LONGEST];
};

/* Fills *e of a block that the code has. */
void turbo_encode_make_of(struct turbo_encode *e, const struct turbo_family *family, uint32_t k,
                          uint32_t fillers);
/* The same of LTE. qpp: of turbo_qpp_table; fillers < qpp->k. */
void turbo_encode_make(struct turbo_encode *e, const struct turbo_qpp *qpp, uint32_t fillers);

/* One frame of u8 bits: k - fillers in, the word out. Of LTE d0, d1, d2, with 0 at the fillers. */
void turbo_encode_frame(const struct turbo_encode *e, const uint8_t *in, uint8_t *out);

extern const struct fecrun_backend turbo_encode_cuda; /* cuda/encode/backend.c */

#endif
