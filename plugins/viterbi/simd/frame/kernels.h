/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template: the kernels of frame.h in vectors of 32 bytes, for an instruction set with at least AVX2 that has
 * REGISTERS vector registers. (Vectors of 64 bytes are no faster: they are few, and each step waits for the
 * one before.)
 */
#include "plugins/viterbi/simd/frame/frame.h"

#include <fecrun/sdk/simd.h>

#include "plugins/common/vec/vec_avx2.h"
#include "plugins/viterbi/simd/frame/known_code.h"

#define vec_broadcast16(p) \
    _mm256_broadcastsi128_si256(_mm_load_si128((const __m128i *)(const void *)(p)))
#define vec_broadcast_word(v) _mm256_broadcastw_epi16(_mm256_castsi256_si128(v))

/* The metric of x with another tag. mask: where tags are. */
static FECRUN_ALWAYS_INLINE vec other_tags(vec mask, vec x, vec tag)
{
#if REGISTERS == 32
    return _mm256_ternarylogic_epi32(mask, x, tag, 0xae);
#else
    return vec_or(vec_andnot(mask, x), tag);
#endif
}

/* Lanes change places with those whose number differs in this bit. */
static FECRUN_ALWAYS_INLINE vec exchange(vec x, int bit)
{
    switch (bit) {
    case 0:
        return _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(_mm_setr_epi8(
                                          2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13)));
    case 1:
        return _mm256_shuffle_epi32(x, 0xb1);
    case 2:
        return _mm256_shuffle_epi32(x, 0x4e);
    default:
        return _mm256_permute2x128_si256(x, x, 1); /* vpermq takes longer */
    }
}

/* Those of y in the lanes whose number has this bit, else those of x. */
static FECRUN_ALWAYS_INLINE vec upper_lanes(vec x, vec y, int bit)
{
    switch (bit) {
    case 0:
        return _mm256_blend_epi16(x, y, 0xaa);
    case 1:
        return _mm256_blend_epi32(x, y, 0xaa);
    case 2:
        return _mm256_blend_epi32(x, y, 0xcc);
    default:
        return _mm256_blend_epi32(x, y, 0xf0);
    }
}

/* Branch metrics of some steps and, if they are an odd number, one more: 8 words each. */
static FECRUN_ALWAYS_INLINE void branch_metrics(const struct viterbi_frame *f, unsigned n,
                                                const uint8_t *llr, unsigned steps, int16_t *branch)
{
    UNROLL for (unsigned i = 0; i < steps; i += 2)
    {
        const vec x = _mm256_broadcastsi128_si256(
            _mm_loadu_si128((const __m128i *)(const void *)(llr + i * n)));
        vec sum = _mm256_maddubs_epi16(_mm256_shuffle_epi8(x, vec_load(f->pick[0])),
                                       vec_load(f->weight[0]));
        if (n == 3)
            sum = vec_i16_add(sum,
                              _mm256_maddubs_epi16(_mm256_shuffle_epi8(x, vec_load(f->pick[1])),
                                                   vec_load(f->weight[1])));
        vec_store(branch + i * 8, vec_i16_sub(sum, vec_load(f->minus)));
    }
}

static void unsign(const int8_t *llr, size_t bytes, uint8_t *to)
{
    const vec bias = vec_i8_set(-128), least = vec_i8_set(-127);
    size_t i = 0;

    for (; bytes - i >= 32; i += 32)
        vec_store_any(to + i, vec_xor(_mm256_max_epi8(vec_load_any(llr + i), least), bias));
    for (; i < bytes; i++)
        to[i] = (uint8_t)((llr[i] < -127 ? -127 : llr[i]) + 128);
}

/* The metrics of states that a path leads to, without tags; of others the least number. */
static FECRUN_ALWAYS_INLINE vec reached(const struct viterbi_frame *f,
                                        const struct viterbi_frame_run *run, unsigned g)
{
    const vec x = vec_load(run->metric + g * VITERBI_FRAME_LANES);
    int16_t metric[VITERBI_FRAME_LANES];

    if (run->step >= run->forced)
        return vec_or(x, vec_i16_set((1 << f->tag_bits) - 1));
    vec_store_any(metric, x);
    for (unsigned i = 0; i < VITERBI_FRAME_LANES; i++)
        metric[i] = viterbi_frame_position(g * VITERBI_FRAME_LANES + i, f->m) >> run->step
                        ? INT16_MIN
                        : (int16_t)(metric[i] | ((1 << f->tag_bits) - 1));
    return vec_load_any(metric);
}

/* A step's survivors of equal metric have the lowest state's position. */
static uint32_t best_of_bytes(const struct viterbi_frame *f, const struct viterbi_frame_run *run)
{
    const int8_t *metric = (const int8_t *)(const void *)run->metric;
    uint32_t lowest = f->states, found = 0;
    vec top = vec_load(metric);
    int8_t most;

    for (unsigned i = 32; i < f->states; i += 32)
        top = _mm256_max_epi8(top, vec_load(metric + i));
    {
        int8_t each[32];
        vec_store_any(each, top);
        most = each[0];
        for (unsigned i = 1; i < 32; i++)
            most = each[i] > most ? each[i] : most;
    }
    for (unsigned i = 0; i < f->states; i += 32) {
        uint32_t equal = (uint32_t)_mm256_movemask_epi8(
            _mm256_cmpeq_epi8(vec_load(metric + i), vec_i8_set(most)));
        for (; equal; equal &= equal - 1) {
            const uint32_t position = i + (unsigned)__builtin_ctz(equal);
            const uint32_t state = viterbi_frame_state(position, run->step, f->m);
            if (state < lowest) {
                lowest = state;
                found = position;
            }
        }
    }
    return found;
}

static uint32_t best(const struct viterbi_frame *f, const struct viterbi_frame_run *run)
{
    const unsigned vectors = f->states / VITERBI_FRAME_LANES;
    vec x[VITERBI_FRAME_MAX_STATES / VITERBI_FRAME_LANES], top = vec_i16_set(INT16_MIN);
    uint32_t lowest = f->states, found = 0;
    __m128i eight;

    if (f->kernel->bits == 8)
        return best_of_bytes(f, run);
    for (unsigned g = 0; g < vectors; g++) {
        x[g] = reached(f, run, g);
        top = vec_i16_max(top, x[g]);
    }
    eight = _mm_max_epi16(_mm256_castsi256_si128(top), _mm256_extracti128_si256(top, 1));
    eight = _mm_minpos_epu16(_mm_sub_epi16(_mm_set1_epi16(INT16_MAX), eight));
    top = vec_i16_sub(vec_i16_set(INT16_MAX), _mm256_broadcastw_epi16(eight));
    for (unsigned g = 0; g < vectors; g++) {
        uint32_t equal = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi16(x[g], top)) & 0x55555555;
        for (; equal; equal &= equal - 1) {
            const uint32_t i = g * VITERBI_FRAME_LANES + (unsigned)__builtin_ctz(equal) / 2;
            const uint32_t position = viterbi_frame_position(i, f->m);
            const uint32_t state = viterbi_frame_state(position, run->step, f->m);
            if (state < lowest) {
                lowest = state;
                found = position;
            }
        }
    }
    return found;
}

#define NAME(x) k5_##x
#define FRAME_K 5
#define FRAME_FOUR 0
#include "plugins/viterbi/simd/frame/step.h"

#define NAME(x) k7_##x
#define FRAME_K 7
#define FRAME_FOUR 0
#include "plugins/viterbi/simd/frame/step.h"

#define NAME(x) k9_##x
#define FRAME_K 9
#define FRAME_FOUR 0
#include "plugins/viterbi/simd/frame/step.h"

#define NAME(x) k7_four_##x
#define FRAME_K 7
#define FRAME_FOUR 1
#include "plugins/viterbi/simd/frame/step.h"

#define NAME(x) k9_four_##x
#define FRAME_K 9
#define FRAME_FOUR 1
#include "plugins/viterbi/simd/frame/step.h"

#include "plugins/viterbi/simd/frame/bytes.h"
#if REGISTERS == 32
#include "plugins/viterbi/simd/frame/tagged.h"
#endif

static void half9_bytes(const struct viterbi_frame *f, struct viterbi_frame_run *run,
                        const uint8_t *llr, size_t n)
{
    bytes_forward(f, run, (struct known_code){2, {0561, 0753}}, llr, n);
}

#define FORWARD(name, steps, tag_bits, ...) \
    static void name(const struct viterbi_frame *f, struct viterbi_frame_run *run, \
                     const uint8_t *llr, size_t n) \
    { \
        steps##_forward(f, run, (struct known_code){__VA_ARGS__}, tag_bits, llr, n); \
    }

FORWARD(any5_4, k5, 4, 0)
FORWARD(any5_2, k5, 2, 0)
FORWARD(ccsds_6, k7, 6, 2, {0133, 0171})
FORWARD(ccsds_3, k7, 3, 2, {0133, 0171})
FORWARD(lte_6, k7, 6, 3, {0133, 0171, 0165})
FORWARD(any7_6, k7, 6, 0)
FORWARD(any7_3, k7, 3, 0)
FORWARD(four7_6, k7_four, 6, 0)
FORWARD(four7_3, k7_four, 3, 0)
FORWARD(four7_2, k7_four, 2, 0)
FORWARD(half9_4, k9, 4, 2, {0561, 0753})
FORWARD(third9_4, k9, 4, 3, {0557, 0663, 0711})
FORWARD(any9_4, k9, 4, 0)
FORWARD(any9_2, k9, 2, 0)
FORWARD(four9_4, k9_four, 4, 0)
FORWARD(four9_2, k9_four, 2, 0)

static const struct viterbi_frame_kernel kernels[] = {
    {5, 4, 16, 2, 3, {0}, any5_4},
    {5, 2, 16, 2, 3, {0}, any5_2},
#if REGISTERS == 32
    {7, 6, 8, 2, 2, {0}, tagged_forward},
#endif
    {7, 6, 16, 2, 2, {0133, 0171}, ccsds_6},
    {7, 3, 16, 2, 2, {0133, 0171}, ccsds_3},
    {7, 6, 16, 3, 3, {0133, 0171, 0165}, lte_6},
    {7, 6, 16, 2, 3, {0}, any7_6},
    {7, 3, 16, 2, 3, {0}, any7_3},
    {7, 6, 16, 4, 4, {0}, four7_6},
    {7, 3, 16, 4, 4, {0}, four7_3},
    {7, 2, 16, 4, 4, {0}, four7_2},
    {9, 8, 8, 2, 2, {0561, 0753}, half9_bytes},
    {9, 4, 16, 2, 2, {0561, 0753}, half9_4},
    {9, 4, 16, 3, 3, {0557, 0663, 0711}, third9_4},
    {9, 4, 16, 2, 3, {0}, any9_4},
    {9, 2, 16, 2, 3, {0}, any9_2},
    {9, 4, 16, 4, 4, {0}, four9_4},
    {9, 2, 16, 4, 4, {0}, four9_2},
    {.K = 0},
};

static const struct viterbi_frame_kernels set = {kernels, best, unsign, BYTES_MOVED};
