/* SPDX-License-Identifier: BSD-2-Clause */
/* ldpc.encode: declarations shared by its encoders. */
#ifndef LDPC_ENCODE_H
#define LDPC_ENCODE_H

#include "plugins/ldpc/code/steps.h"

/* Code object of ldpc.encode. Immutable after plan(). */
struct ldpc_encode {
    struct ldpc_code *code;
    struct ldpc_steps *steps; /* NULL: DVB-S2, or code->solution */
    uint64_t bits;            /* K' = code->k - code->fillers, input items of a frame */
    bool from_split;          /* bg, z and fillers are seg.split's */
};

/* The encoders: bytes of working memory, and one frame of u8 bits. */
size_t ldpc_scratch_lifted(const struct ldpc_encode *e);
void ldpc_encode_lifted(const struct ldpc_encode *e, const uint8_t *in, uint8_t *out,
                        void *scratch);
size_t ldpc_scratch_small(const struct ldpc_encode *e); /* as lifted, z up to 64 */
void ldpc_encode_small(const struct ldpc_encode *e, const uint8_t *in, uint8_t *out, void *scratch);
size_t ldpc_scratch_dvbs2(const struct ldpc_encode *e);
void ldpc_encode_dvbs2(const struct ldpc_encode *e, const uint8_t *in, uint8_t *out, void *scratch);
size_t ldpc_scratch_general(const struct ldpc_encode *e);
void ldpc_encode_general(const struct ldpc_encode *e, const uint8_t *in, uint8_t *out,
                         void *scratch);

#endif
