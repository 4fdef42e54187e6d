/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels of BCH words for AVX-512 with GFNI and PCLMUL: products of 16 bits by a constant are matrices of bits. */
#include "plugins/outer/simd/bch_divide.h"

#include "plugins/outer/simd/bch.h"

#if defined(__GFNI__) && defined(__PCLMUL__) && defined(__AVX512BW__)

#include <fecrun/sdk/simd.h>

#define BCH_POSITIONS 64

typedef __m512i bch_vector;

struct bch_term {
    bch_vector low, high;
};

static inline bch_vector bch_load(const uint8_t *bytes)
{
    return _mm512_loadu_si512(bytes);
}

static inline bch_vector bch_xor(bch_vector a, bch_vector b)
{
    return _mm512_xor_si512(a, b);
}

static inline uint64_t bch_zeros(bch_vector low, bch_vector high)
{
    const bch_vector both = _mm512_or_si512(low, high);

    return _mm512_testn_epi8_mask(both, both);
}

static inline __m512i times(__m512i a, uint64_t matrix)
{
    return _mm512_gf2p8affine_epi64_epi8(a, _mm512_set1_epi64((long long)matrix), 0);
}

static inline void bch_step(const struct bch_simd *s, uint32_t j, struct bch_term *term)
{
    const __m512i low = term->low, high = term->high;

    term->low = _mm512_xor_si512(times(low, s->matrix[j][0][0]), times(high, s->matrix[j][0][1]));
    term->high = _mm512_xor_si512(times(low, s->matrix[j][1][0]), times(high, s->matrix[j][1][1]));
}

#include "plugins/outer/simd/bch_roots.h"

static const struct bch_kernels kernels = {
    .name = "gfni", .positions = BCH_POSITIONS, .divide = divide, .roots = roots};

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
