/* SPDX-License-Identifier: BSD-2-Clause */
/* Sync words, and where they stand in a stream. */
#ifndef FRAME_CODE_WORD_H
#define FRAME_CODE_WORD_H

#include <fecrun/plugin.h>

enum {
    WORD_MOST = 256, /* symbols of a word; sums of so many int8 fit into int16 */
    WORD_GROUP = 4,  /* symbols that are added at once; the last ones may count 0 times */
    WORD_SLACK = WORD_GROUP - 1
};

struct word {
    unsigned width;
    int8_t sign[WORD_MOST + WORD_SLACK]; /* what an LLR is for: 1 for 0, -1 for 1; zeros follow */
};

/* Of a text of 0 and 1; blanks and _ are left out. */
int word_read(struct word *word, const char *text, struct fecrun_error *err);

/*
 * score[i] = sum over the word of sign x llr[i + b], for i below n. Reads n + width - 1 + WORD_SLACK LLRs, whose last
 * WORD_SLACK do not count but have to be finite. Of int16 no magnitude is above 127.
 */
void word_correlate_f32(const struct word *word, const float *llr, float *score, uint64_t n);
void word_correlate_i16(const struct word *word, const int16_t *llr, float *score, uint64_t n);

#endif
