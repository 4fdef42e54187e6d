/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decoders of one frame at a time, for calls that have few: a vector holds positions of the frame, and
 * decided bits are words of 64 (code/words.h).
 */
#ifndef POLAR_SIMD_FRAME_H
#define POLAR_SIMD_FRAME_H

#include "plugins/common/words/words.h"
#include "plugins/polar/code/program.h"
#include "plugins/polar/code/words.h"

enum { POLAR_FRAME_MOST_PATHS = 32, POLAR_FRAME_NO_PATH = 1 << 25 };

/* Paths of a list decoder; list.h. P is 8, 16 or 32, at least L. */
struct polar_frame_paths {
    uint32_t most;   /* L */
    uint32_t paths;  /* P */
    int8_t *llr;     /* 2 N + 64; of stage s from 2^s on: before the first fork */
    int8_t *alpha;   /* (N / 8 + 2) 8 P, aligned to 64 */
    uint64_t *beta;  /* P for each 64 positions, aligned to 64; x at the end */
    uint32_t shared; /* bit s: stage s is still in llr */
    uint32_t other;  /* bit p: path p took the other choice at the last fork */
    uint8_t alpha_of[POLAR_MOST_STAGES + 1][32] __attribute__((aligned(32)));
    uint8_t beta_of[POLAR_MOST_STAGES + 1][32] __attribute__((aligned(32)));
    /* POLAR_FRAME_NO_PATH and more: there is none */
    uint32_t metric[32] __attribute__((aligned(64)));
};

struct polar_frame_kernel {
    /*
     * Decodes N i8 LLRs by successive cancellation, -128 as -127. The program is not one for lists.
     * alpha: room for 2 N bytes, aligned to 64. x: words->words words; all are written.
     */
    void (*sc)(const struct polar_program *program, const struct polar_words *words,
               const int8_t *from, int8_t *alpha, uint64_t *x);
    /* Turns x into u, in place, and gathers the K free bits of u; gathered has room for a word more. */
    void (*gather)(const struct polar_words *words, uint64_t *x, uint64_t *gathered);
    /* The K bits of the message, one a byte. */
    void (*spread)(const uint64_t *message, uint32_t k, uint8_t *to);
    /* Decodes N i8 LLRs with a list, `most` and `paths` set. */
    void (*list)(const struct polar_program *program, const int8_t *from,
                 struct polar_frame_paths *paths);
    /* Measured: frames up to which one at a time takes less than lanes; with lists of up to 2, 4, 8 paths. */
    uint32_t few, few_lists[3];
};

/* NULL: not in this build. */
const struct polar_frame_kernel *polar_frame_avx2(void);
const struct polar_frame_kernel *polar_frame_avx512(void);

#endif
