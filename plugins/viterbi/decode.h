/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Viterbi decoding on the CPU: a plain reference that defines the result, and vector code that
 * gives the same result.
 *
 * An LLR above zero means bit 0. i8: -128 is read as -127. float: NaN is read as 0, and magnitudes
 * are clamped to 2^20. A path's metric is minus the sum of the LLRs of its 1 bits; the largest wins.
 * Of two equal candidates for one state the one whose dropped bit is 1 survives; of equal states
 * the lowest number is the best. Float sums are made in one order: doc/viterbi.md.
 */
#ifndef VITERBI_DECODE_H
#define VITERBI_DECODE_H

#include <fecrun/plugin.h>

#include "plugins/viterbi/code/tiles.h"

/*
 * Items of a stream that viterbi.decode asks for beyond an overlap. Where conv.depuncture is
 * absorbed the host shrinks the margin by the pattern's rate; how many items an overlap really has
 * depends on where its ones are, and differs from that by less than a period.
 */
#define VITERBI_SPARE_ITEMS 64

/* viterbi.decode's code object. A recursive code is decoded as the one without feedback, whose bits are what goes into the
   register. */
struct viterbi_decode_code {
    struct viterbi_spec spec; /* first: cuda knows no more */
    uint32_t feedback;        /* K binary digits; 0: none */
    bool exact;               /* of the output llr: log-map, else max-log */
    double unit;              /* units of the input in a natural LLR; 1 if unknown */
};

/* Its outputs. */
enum { VITERBI_OUT_BITS, VITERBI_OUT_METRIC, VITERBI_OUT_REENCODED, VITERBI_OUT_LLR };

/* For .outputs of a form: all of them, all but LLRs, or the bits alone. */
#define VITERBI_OUT_SOFT(bits) \
    FECRUN_OUT({.type = bits}, {.type = FECRUN_F32}, {.type = FECRUN_F32}, {.type = FECRUN_F32})
#define VITERBI_OUT_ALL(bits) \
    FECRUN_OUT({.type = bits}, {.type = FECRUN_F32}, {.type = FECRUN_F32}, {.type = FECRUN_NONE})
#define VITERBI_OUT_BITS_ALONE(bits) \
    FECRUN_OUT({.type = bits}, {.type = FECRUN_NONE}, {.type = FECRUN_NONE}, {.type = FECRUN_NONE})

/* Backends of viterbi.decode. */
extern const struct fecrun_backend viterbi_decode_ref;
extern const struct fecrun_backend viterbi_decode_simd;
extern const struct fecrun_backend viterbi_decode_cuda;
extern const struct fecrun_backend viterbi_decode_cuda_general;

/* ---- the reference: ref/decode.c ---- */

size_t viterbi_ref_scratch(const struct viterbi_spec *spec);
/* bits: one a byte, frames * L. scratch: aligned to 64 bytes. */
void viterbi_ref_decode(const struct viterbi_spec *spec, const struct viterbi_input *input,
                        uint8_t *bits, struct viterbi_verdict *verdict, void *scratch);

#endif
