/* SPDX-License-Identifier: BSD-2-Clause */
/* LLRs of decoded bits of convolutional codes. */
#ifndef VITERBI_REF_SOFT_H
#define VITERBI_REF_SOFT_H

#include "plugins/viterbi/code/tiles.h"

struct viterbi_soft {
    bool exact;        /* log-map, else max-log */
    uint32_t feedback; /* K binary digits; 0: none */
    double unit;       /* units of the input in a natural LLR, for log-map; 1 will do for max-log */
};

/* Bytes of scratch memory, aligned to 64. */
size_t viterbi_soft_scratch(const struct viterbi_spec *spec);

/* llr: of the info_bits of the one frame of input, in its units, positive for 0. */
void viterbi_soft_decode(const struct viterbi_soft *how, const struct viterbi_spec *spec,
                         const struct viterbi_input *input, float *llr, void *scratch);

#endif
