/* SPDX-License-Identifier: BSD-2-Clause */
/* What lists of 8, 16 and 32 paths (list.h) need of AVX-512: vectors, forks, and what precedes the first one. */
#include "plugins/polar/simd/frame/sort_avx512.h"

/* ---- Vectors of words --------------------------------------------------------------------------- */

#define LIST_WORDS 8

/* Masks: of the bytes of a vector, of its words. */
typedef __m512i lv;
typedef __mmask64 lv_bytes;
typedef __mmask8 lv_mask;

#define lv_load _mm512_load_si512
#define lv_store _mm512_store_si512
#define lv_set(x) _mm512_set1_epi64((long long)(x))
#define lv_zero _mm512_setzero_si512
#define lv_and _mm512_and_si512
#define lv_or _mm512_or_si512
#define lv_xor _mm512_xor_si512
#define lv_add _mm512_add_epi64
#define lv_sub _mm512_sub_epi64
#define lv_min _mm512_min_epu64
#define lv_max _mm512_max_epu64
#define lv_max_i8 _mm512_max_epi8
#define lv_min_u8 _mm512_min_epu8
#define lv_abs_i8 _mm512_abs_epi8
#define lv_sub_i8 _mm512_sub_epi8
#define lv_srli _mm512_srli_epi64
#define lv_slli _mm512_slli_epi64
#define lv_srl(v, n) _mm512_srl_epi64(v, _mm_cvtsi32_si128((int)(n)))
#define lv_sll(v, n) _mm512_sll_epi64(v, _mm_cvtsi32_si128((int)(n)))
#define lv_sad(v) _mm512_sad_epu8(v, _mm512_setzero_si512()) /* of each word the sum of its bytes */
#define lv_check check_64
#define lv_sum sum_64
#define lv_no_bytes() 0
#define lv_negative _mm512_movepi8_mask
#define lv_equal_bytes _mm512_cmpeq_epi8_mask
#define lv_fill_bytes(v, bytes) _mm512_mask_mov_epi8(v, bytes, _mm512_set1_epi8(-1))
#define lv_differ _mm512_cmpneq_epi64_mask
#define lv_equal _mm512_cmpeq_epi64_mask
#define lv_less _mm512_cmplt_epu64_mask
#define lv_odd(v) _mm512_test_epi64_mask(v, _mm512_set1_epi64(1))
#define lv_where _mm512_maskz_mov_epi64
#define lv_choose(mask, yes, no) _mm512_mask_mov_epi64(no, mask, yes)
#define lv_flip(v, mask, x) _mm512_mask_xor_epi64(v, mask, v, x)
#define lv_paths(bits) ((lv_mask)(bits)) /* words of the bits that are set */
#define lv_paths_of(mask) ((uint32_t)(mask))

/* Byte number `byte` of each word in all of its bytes. */
static FECRUN_ALWAYS_INLINE lv lv_spread(lv words, uint32_t byte)
{
    const lv place = _mm512_set4_epi32(0x08080808, 0x08080808, 0, 0);

    return _mm512_shuffle_epi8(words, _mm512_add_epi8(place, _mm512_set1_epi8((char)byte)));
}

/* The bits of this byte of each word as a mask of its bytes. */
static FECRUN_ALWAYS_INLINE lv_bytes lv_bytes_of(lv words, uint32_t byte)
{
    return _mm512_test_epi8_mask(lv_spread(words, byte), lv_set(0x8040201008040201));
}

/* And back: into the low byte of each word. */
static FECRUN_ALWAYS_INLINE lv lv_words_of(lv_bytes bytes)
{
    return lv_sad(_mm512_maskz_mov_epi8(bytes, lv_set(0x8040201008040201)));
}

/* ---- Forks ------------------------------------------------------------------------------------------ */

/* Words of 32 bits of 2 x 8 words of 64. */
static FECRUN_ALWAYS_INLINE __m512i words_of(__m512i low, __m512i high)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(low)),
                              _mm512_cvtepi64_epi32(high), 1);
}

/* metric[] += the low halves of these words, n vectors of them. */
static FECRUN_ALWAYS_INLINE void add_metrics(uint32_t *metric, const lv *more, int n)
{
    if (n == 1) {
        const __m256i m = _mm256_load_si256((const void *)metric);
        _mm256_store_si256((void *)metric, _mm256_add_epi32(m, _mm512_cvtepi64_epi32(more[0])));
        return;
    }
#pragma GCC unroll 2
    for (int w = 0; w < n; w += 2) { /* vectors as they are loaded again */
        const lv m = _mm512_load_si512(metric + 8 * w);
        _mm512_store_si512(metric + 8 * w, _mm512_add_epi32(m, words_of(more[w], more[w + 1])));
    }
}

/* Places, a byte each, of paths that come from there. */
static FECRUN_ALWAYS_INLINE __m256i move_places(__m256i places, __m256i from)
{
    return _mm256_permutexvar_epi8(from, places);
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
static FECRUN_ALWAYS_INLINE bool rank_8(struct polar_frame_paths *p, const lv *penalty,
                                        __m256i *parent)
{
    const __m256i m = _mm256_load_si256((const void *)p->metric);
    const __m256i other = _mm256_add_epi32(m, _mm512_cvtepi64_epi32(penalty[0]));
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

static FECRUN_ALWAYS_INLINE bool rank_16(struct polar_frame_paths *p, const lv *penalty,
                                         __m256i *parent)
{
    const __m512i m = _mm512_load_si512(p->metric);
    const __m512i other = _mm512_add_epi32(m, words_of(penalty[0], penalty[1]));
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

static FECRUN_ALWAYS_INLINE bool rank_32(struct polar_frame_paths *p, const lv *penalty,
                                         __m256i *parent)
{
    const __m512i m = _mm512_load_si512(p->metric), n = _mm512_load_si512(p->metric + 16);
    const __m512i low = _mm512_add_epi32(m, words_of(penalty[0], penalty[1]));
    const __m512i high = _mm512_add_epi32(n, words_of(penalty[2], penalty[3]));
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
