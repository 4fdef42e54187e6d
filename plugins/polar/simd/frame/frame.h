/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decoders of one frame at a time, for calls that have few: a vector holds positions of the frame, and
 * decided bits are words of 64 (code/words.h).
 */
#ifndef POLAR_SIMD_FRAME_H
#define POLAR_SIMD_FRAME_H

#include "plugins/polar/code/program.h"
#include "plugins/polar/code/words.h"

struct polar_frame_kernel {
    /*
     * Decodes N i8 LLRs by successive cancellation, -128 as -127. The program is not one for lists.
     * alpha: room for 2 N bytes, aligned to 64. x: words->words words; all are written.
     */
    void (*sc)(const struct polar_program *program, const struct polar_words *words,
               const int8_t *from, int8_t *alpha, uint64_t *x);
    /* Turns x into u, in place, and gathers the K free bits of u; gathered has room for a word more. */
    void (*gather)(const struct polar_words *words, uint64_t *x, uint64_t *gathered);
};

/* NULL: not in this build. */
const struct polar_frame_kernel *polar_frame_avx2(void);
const struct polar_frame_kernel *polar_frame_avx512(void);

#endif
