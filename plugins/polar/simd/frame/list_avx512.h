/* SPDX-License-Identifier: BSD-2-Clause */
/* What lists of 8, 16 and 32 paths (list.h) have in common: forks, and what precedes the first one. */
#include "plugins/polar/simd/frame/sort_avx512.h"

/* ---- Forks ------------------------------------------------------------------------------------------ */

/* Words of 32 bits of 2 x 8 words of 64. */
static FECRUN_ALWAYS_INLINE __m512i words_of(__m512i low, __m512i high)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(low)),
                              _mm512_cvtepi64_epi32(high), 1);
}

/* A candidate is its metric and, in the low 6 bits, its number. */
static FECRUN_ALWAYS_INLINE __m512i key_of(__m512i metric, uint32_t first)
{
    const __m512i number = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);

    return _mm512_or_si512(_mm512_slli_epi32(metric, 6),
                           _mm512_add_epi32(number, _mm512_set1_epi32((int)first)));
}

/* Bit i of a mask of paths becomes what bit parent[i] was. */
static FECRUN_ALWAYS_INLINE uint32_t move_bits(uint32_t bits, __m256i parent)
{
    return _mm256_movepi8_mask(_mm256_permutexvar_epi8(parent, _mm256_movm_epi8(bits)));
}

/* Paths where they are. */
static const uint8_t all_places[32]
    __attribute__((aligned(32))) = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

/*
 * Sixteen paths from `first` on are those of these candidates. p->other gets their bits; returns where they
 * come from, a byte each.
 */
static FECRUN_ALWAYS_INLINE __m128i take_16(struct polar_frame_paths *p, __m512i key,
                                            uint32_t first, uint32_t paths)
{
    const __mmask16 none = (__mmask16)((uint64_t) ~(uint32_t)0 << p->most >> first);
    const __mmask16 other = _mm512_test_epi32_mask(key, _mm512_set1_epi32((int)paths));

    _mm512_store_si512(p->metric + first,
                       _mm512_mask_mov_epi32(_mm512_srli_epi32(key, 6), none,
                                             _mm512_set1_epi32(POLAR_FRAME_NO_PATH)));
    p->other = first ? p->other | (uint32_t)other << 16 : other;
    return _mm512_cvtepi32_epi8(_mm512_and_si512(key, _mm512_set1_epi32((int)paths - 1)));
}

/*
 * Forks of 8 paths by what each path's other choice costs more. False: nothing changes. Else bit i of
 * p->other says whether path i took the other choice, and byte i of *parent which path it was.
 */
static FECRUN_ALWAYS_INLINE bool rank_8(struct polar_frame_paths *p, __m256i penalty,
                                        __m256i *parent)
{
    const __m256i m = _mm256_load_si256((const void *)p->metric);
    const __m256i other = _mm256_add_epi32(m, penalty);
    const __m256i last = _mm256_permutevar8x32_epi32(m, _mm256_set1_epi32((int)p->most - 1));
    const __mmask8 better = _mm256_cmplt_epu32_mask(other, last);
    const __mmask8 worse = _mm256_cmpgt_epu32_mask(m, _mm256_alignr_epi32(m, m, 1));
    const __mmask8 before = (__mmask8)((1u << (p->most - 1)) - 1);
    __m256i key;

    if (!(better | (worse & before)))
        return false;
    key = least_half(
        sort_halves(key_of(_mm512_inserti64x4(_mm512_castsi256_si512(m), other, 1), 0)));
    p->other = _mm256_test_epi32_mask(key, _mm256_set1_epi32(8));
    *parent = _mm256_zextsi128_si256(
        _mm256_cvtepi32_epi8(_mm256_and_si256(key, _mm256_set1_epi32(7))));
    _mm256_store_si256((void *)p->metric,
                       _mm256_mask_mov_epi32(_mm256_srli_epi32(key, 6), (__mmask8)(0xff << p->most),
                                             _mm256_set1_epi32(POLAR_FRAME_NO_PATH)));
    return true;
}

/* Which of these is larger than the next one, of `lanes`; `after` follows them. */
static FECRUN_ALWAYS_INLINE uint32_t worse_16(__m512i metric, __m512i after, uint32_t lanes)
{
    return _mm512_mask_cmpgt_epu32_mask((__mmask16)lanes, metric,
                                        _mm512_alignr_epi32(after, metric, 1));
}

/* Words of a mask side by side, then the largest number. */
static FECRUN_ALWAYS_INLINE __m512i few_of_16(__m512i v, uint32_t which)
{
    return _mm512_mask_compress_epi32(_mm512_set1_epi32(-1), (__mmask16)which, v);
}

/* The same of 32, at most 16 of them. */
static FECRUN_ALWAYS_INLINE __m512i few_of_32(__m512i low, __m512i high, uint32_t which)
{
    const uint32_t n = (uint32_t)__builtin_popcount(which & 0xffff);

    return _mm512_mask_expand_epi32(few_of_16(low, which & 0xffff), (__mmask16)(0xffffu << n),
                                    few_of_16(high, which >> 16));
}

enum { FEW = 4 };

/* The least 16 or 32 of words in order and the first FEW of others, in order. high: NULL: there are 16. */
static FECRUN_ALWAYS_INLINE void insert_few(__m512i *low, __m512i *high, __m512i few)
{
#pragma GCC unroll 4
    for (int i = 0; i < FEW; i++) {
        const __m512i new = _mm512_permutexvar_epi32(_mm512_set1_epi32(i), few);
        const __m512i before = _mm512_alignr_epi32(*low, _mm512_setzero_si512(), 15);

        if (high)
            *high = _mm512_max_epu32(_mm512_alignr_epi32(*high, *low, 15),
                                     _mm512_min_epu32(*high, new));
        *low = _mm512_max_epu32(before, _mm512_min_epu32(*low, new));
    }
}

static FECRUN_ALWAYS_INLINE bool rank_16(struct polar_frame_paths *p, __m512i penalty,
                                         __m256i *parent)
{
    const __m512i m = _mm512_load_si512(p->metric), other = _mm512_add_epi32(m, penalty);
    const __m512i last = _mm512_permutexvar_epi32(_mm512_set1_epi32((int)p->most - 1), m);
    const uint32_t better = _mm512_cmplt_epu32_mask(other, last), worse = worse_16(m, m, 0x7fff);
    const __m512i turn = key_of(other, 16);
    __m512i stay = key_of(m, 0);

    if (!(better | (worse & ((1u << (p->most - 1)) - 1))))
        return false;
    if (!worse && __builtin_popcount(better) <= FEW) {
        insert_few(&stay, NULL, few_of_16(turn, better));
    } else {
        if (worse)
            stay = sort_16(stay, false);
        stay = merge_16(_mm512_min_epu32(stay, sort_16(turn, true)), false);
    }
    *parent = _mm256_zextsi128_si256(take_16(p, stay, 0, 16));
    return true;
}

static FECRUN_ALWAYS_INLINE bool rank_32(struct polar_frame_paths *p, __m512i low_penalty,
                                         __m512i high_penalty, __m256i *parent)
{
    const __m512i m = _mm512_load_si512(p->metric), n = _mm512_load_si512(p->metric + 16);
    const __m512i low = _mm512_add_epi32(m, low_penalty), high = _mm512_add_epi32(n, high_penalty);
    const __m512i last = _mm512_permutexvar_epi32(_mm512_set1_epi32((int)p->most - 17), n);
    const uint32_t better = _mm512_cmplt_epu32_mask(low, last) |
                            (uint32_t)_mm512_cmplt_epu32_mask(high, last) << 16;
    const uint32_t worse = worse_16(m, n, 0xffff) | worse_16(n, n, 0x7fff) << 16;
    __m512i stay[2] = {key_of(m, 0), key_of(n, 16)}, turn[2] = {key_of(low, 32), key_of(high, 48)};

    if (!(better | (worse & ((1u << (p->most - 1)) - 1))))
        return false;
    if (!worse && __builtin_popcount(better) <= FEW) {
        insert_few(&stay[0], &stay[1], few_of_32(turn[0], turn[1], better));
    } else if (!worse && __builtin_popcount(better) <= 16) {
        turn[0] = sort_16(few_of_32(turn[0], turn[1], better), true);
        stay[1] = _mm512_min_epu32(stay[1], turn[0]);
        merge_32(&stay[0], &stay[1], false);
    } else {
        if (worse)
            sort_32(&stay[0], &stay[1], false);
        sort_32(&turn[0], &turn[1], true);
        stay[0] = _mm512_min_epu32(stay[0], turn[0]);
        stay[1] = _mm512_min_epu32(stay[1], turn[1]);
        merge_32(&stay[0], &stay[1], false);
    }
    *parent = _mm256_castsi128_si256(take_16(p, stay[0], 0, 32));
    *parent = _mm256_inserti128_si256(*parent, take_16(p, stay[1], 16, 32), 1);
    return true;
}

/* ---- Before the first fork ---------------------------------------------------------------------------- */

/* LLRs of bytes `to` .. `to + 63`, or of h if that is less. */
static FECRUN_ALWAYS_INLINE void shared_child(enum polar_op op, const int8_t *a, uint32_t h,
                                              int8_t *to)
{
    for (uint32_t i = 0; i < h; i += 64) {
        const __mmask64 m = h < 64 ? ((uint64_t)1 << h) - 1 : ~(uint64_t)0;
        const __m512i one = _mm512_maskz_loadu_epi8(m, a + i);
        const __m512i other = _mm512_maskz_loadu_epi8(m, a + h + i);

        _mm512_mask_storeu_epi8(to + i, m,
                                op == POLAR_F ? check_64(one, other) : plain_64(one, other));
    }
}

/* Sum of the magnitudes of negative ones of h LLRs. */
static inline uint32_t negative_sum(const int8_t *a, uint32_t h)
{
    const __m512i zero = _mm512_setzero_si512();
    __m512i sum = zero;

    for (uint32_t i = 0; i < h; i += 64) {
        const __mmask64 m = h < 64 ? ((uint64_t)1 << h) - 1 : ~(uint64_t)0;
        const __m512i v = _mm512_maskz_loadu_epi8(m, a + i);

        sum = _mm512_add_epi64(
            sum, _mm512_sad_epu8(_mm512_max_epi8(_mm512_sub_epi8(zero, v), zero), zero));
    }
    return (uint32_t)_mm512_reduce_add_epi64(sum);
}

/*
 * The steps before the first bit that is not frozen, with one path; returns the next one. llr: stage s
 * from 2^s on. cost: the path's metric.
 */
static const struct polar_step *shared_steps(const struct polar_program *program,
                                             const int8_t *from, int8_t *llr, uint32_t *cost)
{
    const struct polar_step *step = program->step;
    const uint32_t n = 1u << program->stages;

    *cost = 0;
    for (uint32_t i = 0; i < n; i += 32)
        _mm256_storeu_si256((void *)(llr + n + i), received_32(from + i));
    for (;; step++) {
        const uint32_t h = 1u << step->stage;

        if (step->op == POLAR_F)
            shared_child(POLAR_F, llr + 2 * h, h, llr + h);
        else if (step->op == POLAR_G0)
            shared_child(POLAR_G0, llr + 2 * h, h, llr + h);
        else if (step->op == POLAR_RATE0)
            *cost += negative_sum(llr + h, h);
        else if (step->op != POLAR_COPY)
            return step;
    }
}
