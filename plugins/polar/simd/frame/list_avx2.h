/* SPDX-License-Identifier: BSD-2-Clause */
/* What lists of 8, 16 and 32 paths (list.h) need of AVX2: vectors, forks, and what precedes the first one. */
#include "plugins/polar/simd/frame/sort_avx2.h"

/* ---- Vectors of words --------------------------------------------------------------------------- */

#define LIST_WORDS 4

/* Masks are vectors of -1 and 0: of bytes, of words. */
typedef __m256i lv, lv_bytes, lv_mask;

#define lv_load(p) _mm256_load_si256((const void *)(p))
#define lv_store(p, v) _mm256_store_si256((void *)(p), v)
#define lv_set(x) _mm256_set1_epi64x((long long)(x))
#define lv_zero _mm256_setzero_si256
#define lv_and _mm256_and_si256
#define lv_or _mm256_or_si256
#define lv_xor _mm256_xor_si256
#define lv_add _mm256_add_epi64
#define lv_sub _mm256_sub_epi64
#define lv_min _mm256_min_epu32 /* words are sums of LLRs: their high halves are 0 */
#define lv_max _mm256_max_epu32
#define lv_max_i8 _mm256_max_epi8
#define lv_min_u8 _mm256_min_epu8
#define lv_abs_i8 _mm256_abs_epi8
#define lv_sub_i8 _mm256_sub_epi8
#define lv_srli _mm256_srli_epi64
#define lv_slli _mm256_slli_epi64
#define lv_srl(v, n) _mm256_srl_epi64(v, _mm_cvtsi32_si128((int)(n)))
#define lv_sll(v, n) _mm256_sll_epi64(v, _mm_cvtsi32_si128((int)(n)))
#define lv_sad(v) _mm256_sad_epu8(v, _mm256_setzero_si256()) /* of each word the sum of its bytes */
#define lv_check check_32
#define lv_sum sum_32
#define lv_no_bytes _mm256_setzero_si256
#define lv_negative(v) _mm256_cmpgt_epi8(_mm256_setzero_si256(), v)
#define lv_equal_bytes _mm256_cmpeq_epi8
#define lv_fill_bytes(v, bytes) _mm256_or_si256(v, bytes)
#define lv_differ(a, b) _mm256_xor_si256(_mm256_cmpeq_epi64(a, b), _mm256_set1_epi64x(-1))
#define lv_equal _mm256_cmpeq_epi64
#define lv_less(a, b) _mm256_cmpgt_epi64(b, a)
#define lv_odd(v) _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_and_si256(v, lv_set(1)))
#define lv_where _mm256_and_si256
#define lv_choose(mask, yes, no) _mm256_blendv_epi8(no, yes, mask)
#define lv_flip(v, mask, x) _mm256_xor_si256(v, _mm256_and_si256(mask, x))
#define lv_paths_of(mask) ((uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(mask)))

/* Words of the low four bits that are set. */
static FECRUN_ALWAYS_INLINE lv_mask lv_paths(uint32_t bits)
{
    const lv each = _mm256_setr_epi64x(1, 2, 4, 8);

    return _mm256_cmpeq_epi64(lv_and(lv_set(bits), each), each);
}

/* Byte number `byte` of each word in all of its bytes. */
static FECRUN_ALWAYS_INLINE lv lv_spread(lv words, uint32_t byte)
{
    const lv place = _mm256_setr_epi64x(0, 0x0808080808080808, 0, 0x0808080808080808);

    return _mm256_shuffle_epi8(words, _mm256_add_epi8(place, _mm256_set1_epi8((char)byte)));
}

/* The bits of this byte of each word as a mask of its bytes. */
static FECRUN_ALWAYS_INLINE lv_bytes lv_bytes_of(lv words, uint32_t byte)
{
    const lv bit = lv_set(0x8040201008040201);

    return _mm256_cmpeq_epi8(lv_and(lv_spread(words, byte), bit), bit);
}

/* And back: into the low byte of each word. */
static FECRUN_ALWAYS_INLINE lv lv_words_of(lv_bytes bytes)
{
    return lv_sad(lv_and(bytes, lv_set(0x8040201008040201)));
}

/* ---- Forks ------------------------------------------------------------------------------------------ */

/* The low halves of 2 x 4 words. */
static FECRUN_ALWAYS_INLINE __m256i words_of(lv low, lv high)
{
    const __m256 both = _mm256_shuffle_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high),
                                          0x88);

    return _mm256_permute4x64_epi64(_mm256_castps_si256(both), 0xd8);
}

/* metric[] += the low halves of these words, n vectors of them. */
static FECRUN_ALWAYS_INLINE void add_metrics(uint32_t *metric, const lv *more, int n)
{
#pragma GCC unroll 4
    for (int w = 0; w < n; w += 2)
        lv_store(metric + 4 * w,
                 _mm256_add_epi32(lv_load(metric + 4 * w), words_of(more[w], more[w + 1])));
}

/* Places, a byte each, of paths that come from there. */
static FECRUN_ALWAYS_INLINE __m256i move_places(__m256i places, __m256i from)
{
    const __m256i low = _mm256_permute4x64_epi64(places, 0x44);
    const __m256i high = _mm256_permute4x64_epi64(places, 0xee);

    return _mm256_blendv_epi8(_mm256_shuffle_epi8(low, from), _mm256_shuffle_epi8(high, from),
                              _mm256_slli_epi16(from, 3));
}

/* Bit i of a mask of paths becomes what bit parent[i] was. */
static FECRUN_ALWAYS_INLINE uint32_t move_bits(uint32_t bits, __m256i parent)
{
    return (uint32_t)_mm256_movemask_epi8(move_places(bits_of_32(bits), parent));
}

/* Paths where they are. */
static const uint8_t all_places[32]
    __attribute__((aligned(32))) = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

static FECRUN_ALWAYS_INLINE __m256i numbers_from(uint32_t first)
{
    return _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
                            _mm256_set1_epi32((int)first));
}

/* A candidate is its metric and, in the low 6 bits, its number. */
static FECRUN_ALWAYS_INLINE __m256i key_of(__m256i metric, uint32_t first)
{
    return _mm256_or_si256(_mm256_slli_epi32(metric, 6), numbers_from(first));
}

static FECRUN_ALWAYS_INLINE uint32_t signs_of_8(__m256i v)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(v));
}

/* Which of these n vectors' words are larger than the next one. */
static FECRUN_ALWAYS_INLINE uint32_t worse_of(const __m256i *m, uint32_t n)
{
    const __m256i turn = _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 0);
    uint32_t worse = 0;

#pragma GCC unroll 4
    for (uint32_t i = 0; i < n; i++) {
        __m256i next = _mm256_permutevar8x32_epi32(m[i], turn);

        if (i + 1 < n)
            next = _mm256_blend_epi32(
                next, _mm256_broadcastd_epi32(_mm256_castsi256_si128(m[i + 1])), 0x80);
        worse |= signs_of_8(_mm256_cmpgt_epi32(m[i], next)) << 8 * i;
    }
    return worse & ~((uint32_t)1 << (8 * n - 1));
}

/* The least 8 n of words in order and another one. */
static FECRUN_ALWAYS_INLINE void insert(__m256i *v, uint32_t n, uint32_t word)
{
    const __m256i turn = _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6);
    const __m256i new = _mm256_set1_epi32((int)word);
    __m256i last = _mm256_setzero_si256();

#pragma GCC unroll 4
    for (uint32_t i = 0; i < n; i++) {
        const __m256i turned = _mm256_permutevar8x32_epi32(v[i], turn);
        const __m256i before = _mm256_blend_epi32(turned, last, 1);

        v[i] = _mm256_max_epu32(before, _mm256_min_epu32(v[i], new));
        last = turned;
    }
}

/* Paths are those of these candidates, in order. */
static FECRUN_ALWAYS_INLINE __m256i take_paths(struct polar_frame_paths *p, const __m256i *key,
                                               uint32_t n)
{
    const uint32_t paths = 8 * n;
    __m256i parent[4];

    p->other = 0;
#pragma GCC unroll 4
    for (uint32_t i = 0; i < n; i++) {
        const __m256i none = _mm256_cmpgt_epi32(numbers_from(8 * i),
                                                _mm256_set1_epi32((int)p->most - 1));

        p->other |= signs_of_8(_mm256_slli_epi32(key[i], n == 1 ? 28 : n == 2 ? 27 : 26)) << 8 * i;
        lv_store(p->metric + 8 * i,
                 _mm256_blendv_epi8(_mm256_srli_epi32(key[i], 6),
                                    _mm256_set1_epi32(POLAR_FRAME_NO_PATH), none));
        parent[i] = _mm256_and_si256(key[i], _mm256_set1_epi32((int)paths - 1));
    }
#pragma GCC unroll 4
    for (uint32_t i = n; i < 4; i++)
        parent[i] = _mm256_setzero_si256();
    return _mm256_permutevar8x32_epi32(
        _mm256_packus_epi16(_mm256_packus_epi32(parent[0], parent[1]),
                            _mm256_packus_epi32(parent[2], parent[3])),
        _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

/*
 * Forks of 8 n paths by what each path's other choice costs more. False: nothing changes. Else bit i of
 * p->other says whether path i took the other choice, and byte i of *parent which path it was. Up to `few`
 * other choices are put where they belong one by one.
 */
static FECRUN_ALWAYS_INLINE bool rank(struct polar_frame_paths *p, const lv *penalty,
                                      __m256i *parent, uint32_t n, int few)
{
    const __m256i last = _mm256_set1_epi32((int)p->metric[p->most - 1]);
    uint32_t better = 0, worse, key[32] __attribute__((aligned(32)));
    __m256i m[4], stay[4], turn[4];

#pragma GCC unroll 4
    for (uint32_t i = 0; i < n; i++) {
        m[i] = lv_load(p->metric + 8 * i);
        turn[i] = _mm256_add_epi32(m[i], words_of(penalty[2 * i], penalty[2 * i + 1]));
        better |= signs_of_8(_mm256_cmpgt_epi32(last, turn[i])) << 8 * i;
        stay[i] = key_of(m[i], 8 * i);
        turn[i] = key_of(turn[i], 8 * (n + i));
    }
    worse = worse_of(m, n);
    if (!(better | (worse & (((uint32_t)1 << (p->most - 1)) - 1))))
        return false;
    if (!worse && __builtin_popcount(better) <= few) {
#pragma GCC unroll 4
        for (uint32_t i = 0; i < n; i++)
            lv_store(key + 8 * i, turn[i]);
        for (; better; better &= better - 1)
            insert(stay, n, key[__builtin_ctz(better)]);
    } else {
        if (worse)
            sort_all(stay, n, false);
        sort_all(turn, n, true);
#pragma GCC unroll 4
        for (uint32_t i = 0; i < n; i++)
            stay[i] = _mm256_min_epu32(stay[i], turn[i]);
        merge_all(stay, n, false);
    }
    *parent = take_paths(p, stay, n);
    return true;
}

/* Measured: how many are faster one by one. */
#define rank_8(p, penalty, parent) rank(p, penalty, parent, 1, 3)
#define rank_16(p, penalty, parent) rank(p, penalty, parent, 2, 6)
#define rank_32(p, penalty, parent) rank(p, penalty, parent, 4, 10)

/* ---- Before the first fork ---------------------------------------------------------------------------- */

/* LLRs of bytes `to` .. `to + h - 1`. */
static FECRUN_ALWAYS_INLINE void shared_child(enum polar_op op, const int8_t *a, uint32_t h,
                                              int8_t *to)
{
    for (uint32_t i = 0; i < h; i += 32) {
        const vec_32 one = _mm256_loadu_si256((const void *)(a + i));
        const vec_32 other = _mm256_loadu_si256((const void *)(a + h + i));
        const vec_32 child = op == POLAR_F ? check_32(one, other) : plain_32(one, other);
        int8_t few[32];

        if (h >= 32) {
            _mm256_storeu_si256((void *)(to + i), child);
        } else { /* what follows is the parent's */
            _mm256_storeu_si256((void *)few, child);
            memcpy(to, few, h);
        }
    }
}

/* Sum of the magnitudes of negative ones of h LLRs. */
static inline uint32_t negative_sum(const int8_t *a, uint32_t h)
{
    const vec_32 zero = _mm256_setzero_si256();
    vec_32 sum = zero;
    uint64_t word[4];

    for (uint32_t i = 0; i < h; i += 32) {
        vec_32 v = _mm256_loadu_si256((const void *)(a + i));

        if (h < 32)
            v = _mm256_and_si256(v, bits_of_32(((uint32_t)1 << h) - 1));
        sum = _mm256_add_epi64(sum, lv_sad(_mm256_max_epi8(_mm256_sub_epi8(zero, v), zero)));
    }
    _mm256_storeu_si256((void *)word, sum);
    return (uint32_t)(word[0] + word[1] + word[2] + word[3]);
}
