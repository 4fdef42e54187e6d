/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/frame/code/word.h"

#include <fecrun/sdk/params.h>

int word_read(struct word *word, const char *text, struct fecrun_error *err)
{
    *word = (struct word){0};
    for (const char *c = text; *c; c++) {
        if (*c == ' ' || *c == '_')
            continue;
        if (*c != '0' && *c != '1')
            return fecrun_fail(err, "word", "character %d, '%c': only 0 and 1 are allowed",
                               (int)(c - text) + 1, *c);
        if (word->width == WORD_MOST)
            return fecrun_fail(err, "word", "has more than %d symbols", WORD_MOST);
        word->sign[word->width++] = *c == '0' ? 1 : -1;
    }
    return word->width ? 0 : fecrun_fail(err, "word", "has no symbols");
}

enum { PART = 2048 }; /* scores that stay in the cache */

/* sum[i] += four symbols of the word */
#define CORRELATE(name, type) \
    static void add_##name(const int8_t sign[WORD_GROUP], const type *llr, type *sum, uint64_t n) \
    { \
        const type a = sign[0], b = sign[1], c = sign[2], d = sign[3]; \
        for (uint64_t i = 0; i < n; i++) \
            sum[i] = (type)(sum[i] + (a * llr[i] + b * llr[i + 1]) + \
                            (c * llr[i + 2] + d * llr[i + 3])); \
    } \
    void word_correlate_##name(const struct word *word, const type *llr, float *score, uint64_t n) \
    { \
        type sum[PART]; \
        for (uint64_t at = 0; at < n; at += PART) { \
            const uint64_t part = n - at < PART ? n - at : PART; \
            memset(sum, 0, sizeof sum); \
            for (unsigned b = 0; b < word->width; b += WORD_GROUP) \
                add_##name(word->sign + b, llr + at + b, sum, part); \
            for (uint64_t i = 0; i < part; i++) \
                score[at + i] = (float)sum[i]; \
        } \
    }

CORRELATE(f32, float)
CORRELATE(i16, int16_t)
