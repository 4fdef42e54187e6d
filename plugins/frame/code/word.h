/* SPDX-License-Identifier: BSD-2-Clause */
/* Sync words, and how well they fit at each place of a stream. */
#ifndef FRAME_CODE_WORD_H
#define FRAME_CODE_WORD_H

#include <fecrun/plugin.h>
#include <stdbool.h>

enum { WORD_MOST = 256 }; /* symbols of a word; the sum of so many int8 fits into int16 */

struct word {
    unsigned width;
    int8_t sign[WORD_MOST]; /* what an LLR is for: 1 for 0, -1 for 1 */
};

struct word_standard {
    const char *name;
    const char *word; /* as word_read() takes it */
    uint32_t frame;   /* items after the word; 0: any number */
    bool keep;        /* the word is part of the frame */
};

/* That of a parameter `scheme`; NULL: there is none. */
const struct word_standard *word_find_standard(const char *name);

/* Reads a text of 0 and 1. Blanks and _ are left out. */
int word_read(struct word *word, const char *text, struct fecrun_error *err);

/*
 * A place's score is the sum of sign x LLR over the word. An i8 LLR of -128 counts -127, a bit counts 1 or -1. An f32 LLR
 * that is not a number counts 0, and its magnitude counts up to FECRUN_LLR_MAX_F32. Floats are added two
 * symbols at a time, from the word's first ones on.
 */
struct word_kernels {
    const char *name;
    /* Scores of the first `places` places of U8 bits or I8 LLRs (`type`), of which there are places + width - 1. */
    void (*score_i16)(const struct word *word, const void *from, uint32_t type, int16_t *score,
                      uint64_t places);
    /* The same of F32. */
    void (*score_f32)(const struct word *word, const float *from, float *score, uint64_t places);
    /*
     * The first of n places where the sum of the rows' scores is largest. `either`: of their magnitudes. n is 1 or more.
     * narrow: no sum leaves the range of int16.
     */
    uint64_t (*best_i16)(const int16_t *const *rows, unsigned n_rows, bool either, bool narrow,
                         uint64_t n);
    uint64_t (*best_f32)(const float *const *rows, unsigned n_rows, bool either, uint64_t n);
};

extern const struct word_kernels word_kernels_ref;
/* NULL: this build has none. */
const struct word_kernels *word_kernels_avx2(void);
const struct word_kernels *word_kernels_avx512(void);

/* What an f32 LLR counts. */
static inline float word_llr(float x)
{
    const float number = x == x ? x : 0;
    const float least = number > FECRUN_LLR_MAX_F32 ? FECRUN_LLR_MAX_F32 : number;

    return least < -FECRUN_LLR_MAX_F32 ? -FECRUN_LLR_MAX_F32 : least;
}

#endif
