/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX2: 32 lanes. */
#include "plugins/turbo/simd/simd.h"

#if defined(__AVX2__)
#include <immintrin.h>
#include <string.h>

typedef __m256i vec;

#define V_WIDTH 32
#define V_LOAD(p) _mm256_load_si256((const __m256i *)(const void *)(p))
#define V_STORE(p, v) _mm256_store_si256((__m256i *)(void *)(p), v)
#define V_SET1(x) _mm256_set1_epi8(x)
#define V_ADDS _mm256_adds_epi8
#define V_SUBS _mm256_subs_epi8
#define V_SUB _mm256_sub_epi8
#define V_MAX _mm256_max_epi8

struct rule {
    __m256i low, high, clip;
};

static inline struct rule rule_of(const struct turbo_fixed *fixed)
{
    uint8_t high[16] = {0};

    memcpy(high, fixed->high, sizeof fixed->high);
    return (struct rule){
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)fixed->low)),
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)high)),
        _mm256_set1_epi8(fixed->clip)};
}

static inline __m256i V_SCALED(const struct rule *rule, __m256i x)
{
    const __m256i m = _mm256_min_epu8(_mm256_abs_epi8(x), rule->clip);
    const __m256i top = _mm256_and_si256(_mm256_srli_epi16(m, 4), _mm256_set1_epi8(15));
    const __m256i scaled = _mm256_add_epi8(_mm256_shuffle_epi8(rule->low, m),
                                           _mm256_shuffle_epi8(rule->high, top));

    return _mm256_sign_epi8(scaled, x);
}

static inline uint64_t sign_bits(const int8_t *p)
{
    const __m256i turned = _mm256_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607,
                                             0x08090a0b0c0d0e0f, 0x0001020304050607);
    uint32_t bits[2];

    for (unsigned i = 0; i < 2; i++) {
        const __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32 * i));

        bits[i] = (uint32_t)_mm256_movemask_epi8(_mm256_shuffle_epi8(x, turned));
    }
    return bits[0] | (uint64_t)bits[1] << 32;
}

#include "plugins/turbo/simd/frames.h"
#include "plugins/turbo/simd/kernel.h"

/* 32 lanes of a row whose sub-blocks lie within 16, 32 or 64 lanes. */
static inline __m256i order(const int8_t *row, uint32_t lane, __m256i index, uint32_t windows)
{
    const __m256i bit4 = _mm256_slli_epi16(index, 3), low = _mm256_and_si256(index, V_SET1(15));
    const uint32_t first = windows == TURBO_LANES ? 0 : lane;
    __m256i half[2];

    if (windows <= 16)
        return _mm256_shuffle_epi8(V_LOAD(row + lane), low);
    for (uint32_t i = 0; i < windows / 32; i++) {
        const __m128i *quarter = (const __m128i *)(const void *)(row + first + 32 * i);

        half[i] = _mm256_blendv_epi8(
            _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_load_si128(quarter)), low),
            _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_load_si128(quarter + 1)), low),
            bit4);
    }
    return windows == 32 ? half[0]
                         : _mm256_blendv_epi8(half[0], half[1], _mm256_slli_epi16(index, 2));
}

static void gather(const struct turbo_simd *s, const turbo_row *from, turbo_row *to)
{
    for (uint32_t x = 0; x < s->steps; x++)
        for (uint32_t lane = 0; lane < TURBO_LANES; lane += V_WIDTH)
            V_STORE(to[x] + lane,
                    order(from[s->row[x]], lane, V_LOAD(s->read[x] + lane), s->windows));
}

static void scatter(const struct turbo_simd *s, const turbo_row *from, const turbo_row *sys,
                    turbo_row *to)
{
    for (uint32_t x = 0; x < s->steps; x++)
        for (uint32_t lane = 0; lane < TURBO_LANES; lane += V_WIDTH) {
            const __m256i v = order(from[x], lane, V_LOAD(s->write[x] + lane), s->windows);

            V_STORE(to[s->row[x]] + lane, sys ? V_ADDS(v, V_LOAD(sys[s->row[x]] + lane)) : v);
        }
}

const struct turbo_kernel *turbo_kernel_avx2(void)
{
    static const struct turbo_kernel kernel = {"avx2", half,     gather, scatter,
                                               add_up, quantise, decide};

    return &kernel;
}

#else

const struct turbo_kernel *turbo_kernel_avx2(void)
{
    return NULL;
}

#endif
