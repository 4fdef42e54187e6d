/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels of BCH words for AVX-512 with GFNI and PCLMUL: products of 16 bits by a constant are matrices of bits. */
#include "plugins/outer/simd/bch_divide.h"

#include "plugins/outer/simd/bch.h"

#if defined(__GFNI__) && defined(__PCLMUL__) && defined(__AVX512BW__)

#include <fecrun/sdk/simd.h>

#define POSITIONS 64

struct term {
    __m512i low, high;
};

static inline __m512i times(__m512i a, uint64_t matrix)
{
    return _mm512_gf2p8affine_epi64_epi8(a, _mm512_set1_epi64((long long)matrix), 0);
}

static inline void step(const struct bch_simd *s, uint32_t j, struct term *term)
{
    const __m512i low = term->low, high = term->high;

    term->low = _mm512_xor_si512(times(low, s->matrix[j][0][0]), times(high, s->matrix[j][0][1]));
    term->high = _mm512_xor_si512(times(low, s->matrix[j][1][0]), times(high, s->matrix[j][1][1]));
}

static uint32_t roots(const struct bch_simd *s, const uint16_t *lambda, uint32_t degree,
                      uint32_t *at)
{
    struct term term[BCH_MOST_T + 1];
    uint8_t low[POSITIONS], high[POSITIONS];
    uint32_t found = 0;

    for (uint32_t j = 0; j <= degree; j++) {
        bch_simd_terms(s, lambda, j, low, high);
        term[j].low = _mm512_loadu_si512(low);
        term[j].high = _mm512_loadu_si512(high);
    }
    for (uint32_t first = 0; first < s->code->n && found < degree; first += POSITIONS) {
        const uint32_t left = s->code->n - first;
        const __mmask64 within = left < POSITIONS ? ((__mmask64)1 << left) - 1 : ~(__mmask64)0;
        __m512i sum = term[0].low, above = term[0].high;
        uint64_t zero;

        for (uint32_t j = 1; j <= degree; j++) {
            sum = _mm512_xor_si512(sum, term[j].low);
            above = _mm512_xor_si512(above, term[j].high);
            step(s, j, &term[j]);
        }
        sum = _mm512_or_si512(sum, above);
        zero = _mm512_mask_testn_epi8_mask(within, sum, sum);
        for (; zero && found < degree; zero &= zero - 1)
            at[found++] = first + (uint32_t)__builtin_ctzll(zero);
    }
    return found;
}

static void divide(const struct bch_simd *s, const uint8_t *bytes, size_t blocks, uint64_t *rest)
{
    bch_divide(s, bytes, blocks, rest);
}

static const struct bch_kernels kernels = {
    .name = "gfni", .positions = POSITIONS, .divide = divide, .roots = roots};

const struct bch_kernels *bch_kernels_gfni(void)
{
    const bool runs = fecrun_isa_runs(FECRUN_ISA_AVX512) && __builtin_cpu_supports("gfni") &&
                      __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("avx512vbmi");

    return runs ? &kernels : NULL;
}

#else

const struct bch_kernels *bch_kernels_gfni(void)
{
    return NULL;
}

#endif
