/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of several.h. */
#include "plugins/viterbi/simd/several/several.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512DQ__)

#include <fecrun/sdk/simd.h>

#include "plugins/common/vec/vec_avx512.h"
#include "plugins/viterbi/simd/frame/known_code.h"

/* 16 bytes to each 16 bytes. */
#define spread(p) _mm512_broadcast_i32x4(_mm_load_si128((const __m128i *)(const void *)(p)))

/* Words change places with those whose number differs in this bit. */
static FECRUN_ALWAYS_INLINE vec exchange(vec x, int bit)
{
    switch (bit) {
    case 0:
        return _mm512_rol_epi32(x, 16);
    case 1:
        return _mm512_shuffle_epi32(x, _MM_PERM_CDAB);
    default:
        return _mm512_shuffle_epi32(x, _MM_PERM_BADC);
    }
}

/* Those of y in the words whose number has this bit, else those of x. */
static FECRUN_ALWAYS_INLINE vec upper_words(vec x, vec y, int bit)
{
    const __mmask32 upper = bit == 0 ? 0xaaaaaaaa : bit == 1 ? 0xcccccccc : 0xf0f0f0f0;

    return _mm512_mask_blend_epi16(upper, x, y);
}

/* Staged bytes of -128..127 to unsigned ones with 128 for 0; -128 becomes -127. */
static void unsign(uint8_t *staged, size_t vectors)
{
    for (size_t i = 0; i < vectors; i++, staged += sizeof(vec))
        vec_store(staged, vec_u8_max(vec_xor(vec_load(staged), vec_i8_set(-128)), vec_i8_set(1)));
}

/* Eight vectors of eight words of 64 bits change rows and columns. */
static FECRUN_ALWAYS_INLINE void transpose_words(vec *x)
{
    vec y[8];

    UNROLL for (unsigned i = 0; i < 8; i += 2)
    {
        y[i] = _mm512_unpacklo_epi64(x[i], x[i + 1]);
        y[i + 1] = _mm512_unpackhi_epi64(x[i], x[i + 1]);
    }
    UNROLL for (unsigned i = 0; i < 8; i += 4)
    {
        UNROLL for (unsigned k = i; k < i + 2; k++)
        {
            x[k] = _mm512_shuffle_i64x2(y[k], y[k + 2], 0x88);
            x[k + 2] = _mm512_shuffle_i64x2(y[k], y[k + 2], 0xdd);
        }
    }
    UNROLL for (unsigned k = 0; k < 4; k++)
    {
        y[k] = _mm512_shuffle_i64x2(x[k], x[k + 4], 0x88);
        y[k + 4] = _mm512_shuffle_i64x2(x[k], x[k + 4], 0xdd);
    }
    UNROLL for (unsigned k = 0; k < 8; k++) x[k] = y[k];
}

static void stage_eight(const int8_t *const *row, size_t steps, uint8_t *staged)
{
    for (size_t at = 0; at < 2 * steps; at += sizeof(vec), staged += 8 * sizeof(vec)) {
        vec x[8];
        UNROLL for (unsigned k = 0; k < 8; k++) x[k] = vec_load_any(row[k] + at);
        transpose_words(x);
        UNROLL for (unsigned k = 0; k < 8; k++) vec_store(staged + k * sizeof(vec), x[k]);
    }
}

#define NAME(x) k5_##x
#define SEVERAL_K 5
#define WORD_BITS 2
#include "plugins/viterbi/simd/several/step.h"

#define NAME(x) k5_more_##x
#define SEVERAL_K 5
#define WORD_BITS 3
#include "plugins/viterbi/simd/several/step.h"

#define NAME(x) k7_##x
#define SEVERAL_K 7
#define WORD_BITS 2
#include "plugins/viterbi/simd/several/step.h"

#define NAME(x) k7_more_##x
#define SEVERAL_K 7
#define WORD_BITS 3
#include "plugins/viterbi/simd/several/step.h"

#define FORWARD(name, steps, tag_bits, ...) \
    static void name(const struct viterbi_several *s, struct viterbi_several_run *run, \
                     uint8_t *staged, size_t count) \
    { \
        steps##_forward(s, run, (struct known_code){__VA_ARGS__}, tag_bits, staged, count); \
    }

FORWARD(any5_2_4, k5, 4, 2, {0})
FORWARD(any5_2_2, k5, 2, 2, {0})
FORWARD(any5_3_4, k5_more, 4, 3, {0})
FORWARD(any5_3_2, k5_more, 2, 3, {0})
FORWARD(ccsds_6, k7, 6, 2, {0133, 0171})
FORWARD(ccsds_3, k7, 3, 2, {0133, 0171})
FORWARD(any7_2_6, k7, 6, 2, {0})
FORWARD(any7_2_3, k7, 3, 2, {0})
FORWARD(lte_6, k7_more, 6, 3, {0133, 0171, 0165})
FORWARD(any7_3_6, k7_more, 6, 3, {0})
FORWARD(any7_3_3, k7_more, 3, 3, {0})

FORWARD(four5_4, k5_more, 4, 2, {0})
FORWARD(four5_2, k5_more, 2, 2, {0})
FORWARD(four_ccsds_6, k7_more, 6, 2, {0133, 0171})
FORWARD(four_ccsds_3, k7_more, 3, 2, {0133, 0171})
FORWARD(four7_6, k7_more, 6, 2, {0})
FORWARD(four7_3, k7_more, 3, 2, {0})

static const struct viterbi_several_kernel kernels[] = {
    {5, 4, 2, {0}, 4, any5_2_4},
    {5, 2, 2, {0}, 4, any5_2_2},
    {5, 4, 3, {0}, 8, any5_3_4},
    {5, 2, 3, {0}, 8, any5_3_2},
    {7, 6, 2, {0133, 0171}, 4, ccsds_6},
    {7, 3, 2, {0133, 0171}, 4, ccsds_3},
    {7, 6, 2, {0}, 4, any7_2_6},
    {7, 3, 2, {0}, 4, any7_2_3},
    {7, 6, 3, {0133, 0171, 0165}, 8, lte_6},
    {7, 6, 3, {0}, 8, any7_3_6},
    {7, 3, 3, {0}, 8, any7_3_3},
    {.K = 0},
};

/* The same for four frames of two outputs. */
static const struct viterbi_several_kernel kernels_of_four[] = {
    {5, 4, 2, {0}, 8, four5_4},
    {5, 2, 2, {0}, 8, four5_2},
    {7, 6, 2, {0133, 0171}, 8, four_ccsds_6},
    {7, 3, 2, {0133, 0171}, 8, four_ccsds_3},
    {7, 6, 2, {0}, 8, four7_6},
    {7, 3, 2, {0}, 8, four7_3},
    {.K = 0},
};

const struct viterbi_several_kernels *viterbi_several_kernels_avx512(unsigned size)
{
    static const struct viterbi_several_kernels sets[VITERBI_SEVERAL_SIZES] = {
        {kernels, stage_eight},
        {kernels_of_four, NULL},
    };

    return &sets[size];
}

#else

const struct viterbi_several_kernels *viterbi_several_kernels_avx512(unsigned size)
{
    (void)size;
    return NULL;
}

#endif
