/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX2: what vectors of bytes and of 16 bits share. A row is two vectors. */
#include "plugins/common/vec/vec_avx2.h"

/* 32 bytes of a row in the order of an index; blocks' bytes lie within spans of 16, 32 or 64. */
static inline vec in_order(const int8_t *row, const int8_t *indices, uint32_t at, uint32_t span)
{
    const vec index = vec_load(indices + at);
    const vec bit4 = _mm256_slli_epi16(index, 3);
    const vec low = vec_and(index, vec_i8_set(15));
    const uint32_t first = span == TURBO_ROW ? 0 : at;
    vec half[2];

    if (span <= 16)
        return _mm256_shuffle_epi8(vec_load(row + at), low);
    for (uint32_t i = 0; i < span / 32; i++) {
        const __m128i *quarter = (const __m128i *)(const void *)(row + first + 32 * i);

        half[i] = _mm256_blendv_epi8(
            _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_load_si128(quarter)), low),
            _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_load_si128(quarter + 1)), low),
            bit4);
    }
    return span == 32 ? half[0] : vec_i8_pick(_mm256_slli_epi16(index, 2), half[1], half[0]);
}
