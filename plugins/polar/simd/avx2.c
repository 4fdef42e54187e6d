/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX2: a row is two vectors; P is 32 at most, so that paths never leave theirs. */
#include "plugins/polar/simd/simd.h"
#include "plugins/polar/simd/words.h"

#ifdef __AVX2__
#include <immintrin.h>

typedef __m256i vec;
typedef __m256i mask;

#define V_WIDTH 32
#define V_LOAD(p) _mm256_load_si256((const void *)(p))
#define V_LOADU(p) _mm256_loadu_si256((const void *)(p))
#define V_STORE(p, v) _mm256_store_si256((void *)(p), v)
#define V_STOREU(p, v) _mm256_storeu_si256((void *)(p), v)
#define V_ONES(m) _mm256_and_si256(m, V_SET1(1))
#define V_SET1(x) _mm256_set1_epi8(x)
#define V_MIN _mm256_min_epi8
#define V_MAX _mm256_max_epi8
#define V_MINU _mm256_min_epu8
#define V_SUB _mm256_sub_epi8
#define V_ADDS _mm256_adds_epi8
#define V_KEEP(x) __asm__("" : "+x"(x))
#define V_SUM _mm256_add_epi8
#define V_ABS _mm256_abs_epi8
#define V_BITS(m) ((uint32_t)_mm256_movemask_epi8(m))
#define V_BYTES(m) (m)
#define V_NEGATIVE(v) _mm256_cmpgt_epi8(_mm256_setzero_si256(), v)
#define V_EQ _mm256_cmpeq_epi8
#define V_PICK(m, a, b) _mm256_blendv_epi8(b, a, m)
#define V_NEGATE(m, a) _mm256_sub_epi8(_mm256_xor_si256(a, m), m)
#define V_LOW _mm256_unpacklo_epi8
#define V_HIGH _mm256_unpackhi_epi8

static inline __m256i V_OF_BITS(polar_bits bits)
{
    const __m256i byte = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2,
                                          2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
    const __m256i bit = _mm256_set1_epi64x((int64_t)0x8040201008040201);
    const __m256i all = _mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), byte);

    return _mm256_cmpeq_epi8(_mm256_and_si256(all, bit), bit);
}

static inline __m256i V_LESSU(__m256i a, __m256i b)
{
    return _mm256_andnot_si256(V_EQ(a, b), V_EQ(_mm256_min_epu8(a, b), a));
}

/* Either half of 16 may go to either. */
static inline __m256i V_LANES(const void *row, const uint8_t *map, uint32_t at)
{
    const __m256i v = V_LOAD((const int8_t *)row + at), to = V_LOAD(map + at);
    const __m256i low = _mm256_permute2x128_si256(v, v, 0x00);
    const __m256i high = _mm256_permute2x128_si256(v, v, 0x11);
    const __m256i upper = _mm256_slli_epi16(to, 3); /* bit 4 of the lane stands highest */

    return _mm256_blendv_epi8(_mm256_shuffle_epi8(low, _mm256_and_si256(to, V_SET1(15))),
                              _mm256_shuffle_epi8(high, _mm256_and_si256(to, V_SET1(15))), upper);
}

static inline void V_ROWS(polar_row *rows, __m256i a, __m256i b, __m256i c, __m256i d, bool half)
{
    (void)half; /* there are no more than two */
    V_STORE(rows[0], _mm256_permute2x128_si256(a, b, 0x20));
    V_STORE(rows[0] + 32, _mm256_permute2x128_si256(c, d, 0x20));
    V_STORE(rows[16], _mm256_permute2x128_si256(a, b, 0x31));
    V_STORE(rows[16] + 32, _mm256_permute2x128_si256(c, d, 0x31));
}

#include "plugins/polar/simd/kernel.h"
#include "plugins/polar/simd/kernel_load.h"
#include "plugins/polar/simd/kernel_bp.h"
#include "plugins/polar/simd/kernel_list.h"
#include "plugins/polar/simd/kernel_sc.h"
#include "plugins/polar/simd/kernel_small.h"

const struct polar_kernel *polar_kernel_avx2(void)
{
    static const struct polar_kernel kernel = {"avx2",     load,  repeat,  sc,        sc_frames,
                                               correlate,  scl,   bits_of, transform, lanes,
                                               bp_iterate, small, spread};

    return &kernel;
}

#else

const struct polar_kernel *polar_kernel_avx2(void)
{
    return NULL;
}

#endif
