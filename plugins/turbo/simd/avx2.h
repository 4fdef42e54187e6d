/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX2: what vectors of bytes and of 16 bits share. A row is two vectors. */
#include <immintrin.h>
#include <string.h>

typedef __m256i vec;

#define V_WIDTH 32
#define V_LOAD(p) _mm256_load_si256((const __m256i *)(const void *)(p))
#define V_STORE(p, v) _mm256_store_si256((__m256i *)(void *)(p), v)

/* 32 bytes of a row in the order of an index; blocks' bytes lie within spans of 16, 32 or 64. */
static inline __m256i V_ORDER(const int8_t *row, const int8_t *indices, uint32_t at, uint32_t span)
{
    const __m256i index = V_LOAD(indices + at);
    const __m256i bit4 = _mm256_slli_epi16(index, 3);
    const __m256i low = _mm256_and_si256(index, _mm256_set1_epi8(15));
    const uint32_t first = span == TURBO_ROW ? 0 : at;
    __m256i half[2];

    if (span <= 16)
        return _mm256_shuffle_epi8(V_LOAD(row + at), low);
    for (uint32_t i = 0; i < span / 32; i++) {
        const __m128i *quarter = (const __m128i *)(const void *)(row + first + 32 * i);

        half[i] = _mm256_blendv_epi8(
            _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_load_si128(quarter)), low),
            _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_load_si128(quarter + 1)), low),
            bit4);
    }
    return span == 32 ? half[0] : _mm256_blendv_epi8(half[0], half[1], _mm256_slli_epi16(index, 2));
}

/* Signs of 64 bytes, the first one of each eight highest. */
static inline uint64_t turned_signs(__m256i x0, __m256i x1)
{
    const __m256i turned = _mm256_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607,
                                             0x08090a0b0c0d0e0f, 0x0001020304050607);
    const uint32_t low = (uint32_t)_mm256_movemask_epi8(_mm256_shuffle_epi8(x0, turned));
    const uint32_t high = (uint32_t)_mm256_movemask_epi8(_mm256_shuffle_epi8(x1, turned));

    return low | (uint64_t)high << 32;
}

static inline __m256i load_any(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}
