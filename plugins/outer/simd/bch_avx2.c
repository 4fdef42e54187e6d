/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels of BCH words for AVX2 and PCLMUL: products of 16 bits by a constant are byte shuffles of nibbles. */
#include "plugins/outer/simd/bch_divide.h"

#include "plugins/outer/simd/bch.h"

#if defined(__PCLMUL__) && defined(__AVX2__)

#include <fecrun/sdk/simd.h>

#define POSITIONS 32

struct term {
    __m256i low, high;
};

static inline __m256i product(const uint8_t nibble[4][16], const __m256i *part)
{
    __m256i sum = _mm256_setzero_si256();

    for (unsigned n = 0; n < 4; n++) {
        const __m256i table = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)nibble[n]));

        sum = _mm256_xor_si256(sum, _mm256_shuffle_epi8(table, part[n]));
    }
    return sum;
}

static inline void step(const struct bch_simd *s, uint32_t j, struct term *term)
{
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i part[4] = {_mm256_and_si256(term->low, nibble),
                             _mm256_and_si256(_mm256_srli_epi16(term->low, 4), nibble),
                             _mm256_and_si256(term->high, nibble),
                             _mm256_and_si256(_mm256_srli_epi16(term->high, 4), nibble)};

    term->low = product(s->nibble[j][0], part);
    term->high = product(s->nibble[j][1], part);
}

static uint32_t roots(const struct bch_simd *s, const uint16_t *lambda, uint32_t degree,
                      uint32_t *at)
{
    struct term term[BCH_MOST_T + 1];
    uint8_t low[POSITIONS], high[POSITIONS];
    uint32_t found = 0;

    for (uint32_t j = 0; j <= degree; j++) {
        bch_simd_terms(s, lambda, j, low, high);
        term[j].low = _mm256_loadu_si256((const void *)low);
        term[j].high = _mm256_loadu_si256((const void *)high);
    }
    for (uint32_t first = 0; first < s->code->n && found < degree; first += POSITIONS) {
        const uint32_t left = s->code->n - first;
        __m256i sum = term[0].low;
        __m256i above = term[0].high;
        uint32_t zero;

        for (uint32_t j = 1; j <= degree; j++) {
            sum = _mm256_xor_si256(sum, term[j].low);
            above = _mm256_xor_si256(above, term[j].high);
            step(s, j, &term[j]);
        }
        sum = _mm256_cmpeq_epi8(_mm256_or_si256(sum, above), _mm256_setzero_si256());
        zero = (uint32_t)_mm256_movemask_epi8(sum);
        zero &= left < POSITIONS ? (1u << left) - 1 : UINT32_MAX;
        for (; zero && found < degree; zero &= zero - 1)
            at[found++] = first + (uint32_t)__builtin_ctz(zero);
    }
    return found;
}

static void divide(const struct bch_simd *s, const uint8_t *bytes, size_t blocks, uint64_t *rest)
{
    bch_divide(s, bytes, blocks, rest);
}

static const struct bch_kernels kernels = {
    .name = "avx2", .positions = POSITIONS, .divide = divide, .roots = roots};

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
