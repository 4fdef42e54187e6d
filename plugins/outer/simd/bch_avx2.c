/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels of BCH words for AVX2 and PCLMUL: products of 16 bits by a constant are byte shuffles of nibbles. */
#include "plugins/outer/simd/bch_divide.h"

#include "plugins/outer/simd/bch.h"

#if defined(__PCLMUL__) && defined(__AVX2__)

#include <fecrun/sdk/simd.h>

#define BCH_POSITIONS 32

typedef __m256i bch_vector;

struct bch_term {
    bch_vector low, high;
};

static inline bch_vector bch_load(const uint8_t *bytes)
{
    return _mm256_loadu_si256((const void *)bytes);
}

static inline bch_vector bch_xor(bch_vector a, bch_vector b)
{
    return _mm256_xor_si256(a, b);
}

static inline uint64_t bch_zeros(bch_vector low, bch_vector high)
{
    return (uint32_t)_mm256_movemask_epi8(
        _mm256_cmpeq_epi8(_mm256_or_si256(low, high), _mm256_setzero_si256()));
}

static inline __m256i product(const uint8_t nibble[4][16], const __m256i *part)
{
    __m256i sum = _mm256_setzero_si256();

    for (unsigned n = 0; n < 4; n++) {
        const __m256i table = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)nibble[n]));

        sum = _mm256_xor_si256(sum, _mm256_shuffle_epi8(table, part[n]));
    }
    return sum;
}

static inline void bch_step(const struct bch_simd *s, uint32_t j, struct bch_term *term)
{
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i part[4] = {_mm256_and_si256(term->low, nibble),
                             _mm256_and_si256(_mm256_srli_epi16(term->low, 4), nibble),
                             _mm256_and_si256(term->high, nibble),
                             _mm256_and_si256(_mm256_srli_epi16(term->high, 4), nibble)};

    term->low = product(s->nibble[j][0], part);
    term->high = product(s->nibble[j][1], part);
}

#include "plugins/outer/simd/bch_roots.h"

static const struct bch_kernels kernels = {
    .name = "avx2", .positions = BCH_POSITIONS, .divide = divide, .roots = roots};

const struct bch_kernels *bch_kernels_avx2(void)
{
    const bool runs = fecrun_isa_runs(FECRUN_ISA_AVX2) && __builtin_cpu_supports("pclmul");

    return runs ? &kernels : NULL;
}

#else

const struct bch_kernels *bch_kernels_avx2(void)
{
    return NULL;
}

#endif
