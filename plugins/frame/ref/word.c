/* SPDX-License-Identifier: BSD-2-Clause */
/* Scores of a sync word, one place after the other: the definition of the result. */
#include "plugins/frame/code/word.h"

static void score_i16(const struct word *word, const void *from, uint32_t type, int16_t *score,
                      uint64_t places)
{
    const uint8_t *bits = from;
    const int8_t *llrs = from;

    for (uint64_t i = 0; i < places; i++) {
        int sum = 0;

        for (unsigned b = 0; b < word->width; b++) {
            const int llr = type == FECRUN_U8         ? 1 - 2 * bits[i + b]
                            : llrs[i + b] == INT8_MIN ? -INT8_MAX
                                                      : llrs[i + b];

            sum += word->sign[b] * llr;
        }
        score[i] = (int16_t)sum;
    }
}

static void score_f32(const struct word *word, const float *from, float *score, uint64_t places)
{
    for (uint64_t i = 0; i < places; i++) {
        float sum = 0;

        for (unsigned b = 0; b < word->width; b += 2) {
            float two = (float)word->sign[b] * word_llr(from[i + b]);

            if (b + 1 < word->width)
                two += (float)word->sign[b + 1] * word_llr(from[i + b + 1]);
            sum += two;
        }
        score[i] = sum;
    }
}

#define BEST(name, type, sum_type) \
    static uint64_t best_##name(const type *const *rows, unsigned n_rows, bool either, uint64_t n) \
    { \
        sum_type top = 0; \
        uint64_t best = 0; \
        for (uint64_t i = 0; i < n; i++) { \
            sum_type sum = 0; \
            for (unsigned r = 0; r < n_rows; r++) \
                sum += either && rows[r][i] < 0 ? -rows[r][i] : rows[r][i]; \
            if (i == 0 || sum > top) { \
                best = i; \
                top = sum; \
            } \
        } \
        return best; \
    }

BEST(int, int16_t, int32_t)
BEST(f32, float, float)

static uint64_t best_i16(const int16_t *const *rows, unsigned n_rows, bool either, bool narrow,
                         uint64_t n)
{
    (void)narrow;
    return best_int(rows, n_rows, either, n);
}

const struct word_kernels word_kernels_ref = {
    .name = "plain C",
    .score_i16 = score_i16,
    .score_f32 = score_f32,
    .best_i16 = best_i16,
    .best_f32 = best_f32,
};
