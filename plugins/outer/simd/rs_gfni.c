/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels of Reed-Solomon words for AVX-512 with VBMI and GFNI: symbols of 8 bits, in the field of gf2p8mulb. */
#include "plugins/outer/simd/rs.h"

#if defined(__GFNI__) && defined(__AVX512VBMI__)

#include <fecrun/sdk/simd.h>
#include <immintrin.h>

#define VECTORS (RS_SIMD_N / 64)
#define MOST_T 21 /* 3 t + 1 coefficients fill a vector */
#define IDENTITY 0x0102040810204080

static inline __m512i mul(__m512i a, __m512i b)
{
    return _mm512_gf2p8mul_epi8(a, b);
}

static inline __m512i row(const uint8_t *table, unsigned v)
{
    return _mm512_loadu_si512(table + (size_t)64 * v);
}

/* A bit for each symbol of vector v of a word of n. */
static inline __mmask64 symbols_of(uint32_t n, unsigned v)
{
    const uint32_t left = n > 64 * v ? n - 64 * v : 0;

    return left >= 64 ? ~(__mmask64)0 : ((__mmask64)1 << left) - 1;
}

/* ---- Sums of 64 bytes of 32 vectors at once --------------------------------------------------- */

/* Each level halves what is left of a sum and sets two sums beside each other. */
static inline __m512i fold_256(__m512i a, __m512i b)
{
    return _mm512_xor_si512(_mm512_shuffle_i64x2(a, b, 0x44), _mm512_shuffle_i64x2(a, b, 0xee));
}

static inline __m512i fold_128(__m512i a, __m512i b)
{
    return _mm512_xor_si512(_mm512_shuffle_i64x2(a, b, 0x88), _mm512_shuffle_i64x2(a, b, 0xdd));
}

static inline __m512i fold_64(__m512i a, __m512i b)
{
    return _mm512_xor_si512(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
}

static inline __m512i fold_32(__m512i a, __m512i b)
{
    const __m512 x = _mm512_castsi512_ps(a), y = _mm512_castsi512_ps(b);

    return _mm512_castps_si512(
        _mm512_xor_ps(_mm512_shuffle_ps(x, y, 0x88), _mm512_shuffle_ps(x, y, 0xdd)));
}

static inline __m512i fold_16(__m512i a, __m512i b)
{
    return _mm512_mask_blend_epi16(0xaaaaaaaa, _mm512_xor_si512(a, _mm512_srli_epi32(a, 16)),
                                   _mm512_xor_si512(b, _mm512_slli_epi32(b, 16)));
}

/* Byte j of the result is the sum of the bytes of sum[j]. */
static inline __m256i fold(__m512i sum[32])
{
    for (unsigned j = 0; j < 32; j += j % 8 == 7 ? 9 : 1)
        sum[j] = fold_256(sum[j], sum[j + 8]);
    for (unsigned j = 0; j < 8; j++)
        sum[j] = fold_128(sum[j], sum[j + 16]);
    for (unsigned j = 0; j < 8; j += j % 2 == 1 ? 3 : 1)
        sum[j] = fold_64(sum[j], sum[j + 2]);
    for (unsigned j = 0; j < 2; j++)
        sum[j] = fold_32(sum[j], sum[j + 4]);
    sum[0] = fold_16(sum[0], sum[1]);
    sum[0] = _mm512_xor_si512(sum[0], _mm512_srli_epi16(sum[0], 8));
    return _mm512_cvtepi16_epi8(sum[0]);
}

static FECRUN_ALWAYS_INLINE __m256i syndromes_32(const struct rs_simd *s, const __m512i *word,
                                                 uint32_t first, unsigned vectors)
{
    const uint32_t left = s->code->parity - first, n = left < 32 ? left : 32;
    __m512i sum[32];

    for (uint32_t j = 0; j < n; j++) {
        const uint8_t *weight = s->weight[first + j];

        sum[j] = mul(word[0], row(weight, 0));
        for (unsigned v = 1; v < vectors; v++)
            sum[j] = _mm512_xor_si512(sum[j], mul(word[v], row(weight, v)));
    }
    for (uint32_t j = n; j < 32; j++)
        sum[j] = _mm512_setzero_si512();
    return fold(sum);
}

static FECRUN_ALWAYS_INLINE __m512i syndromes_of(const struct rs_simd *s, const uint8_t *word,
                                                 unsigned vectors)
{
    const __m512i matrix = _mm512_set1_epi64((long long)s->in_matrix);
    __m512i part[VECTORS];
    __m256i low, high = _mm256_setzero_si256();

    for (unsigned v = 0; v < vectors; v++)
        part[v] = _mm512_gf2p8affine_epi64_epi8(
            _mm512_maskz_loadu_epi8(symbols_of(s->code->n, v), word + (size_t)64 * v), matrix, 0);
    low = syndromes_32(s, part, 0, vectors);
    if (s->code->parity > 32)
        high = syndromes_32(s, part, 32, vectors);
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

static bool syndromes(const struct rs_simd *s, const uint8_t *word, uint8_t *syndrome)
{
    __m512i all;

    switch ((s->code->n + 63) / 64) {
    case 1:
        all = syndromes_of(s, word, 1);
        break;
    case 2:
        all = syndromes_of(s, word, 2);
        break;
    case 3:
        all = syndromes_of(s, word, 3);
        break;
    default:
        all = syndromes_of(s, word, 4);
    }
    _mm512_storeu_si512(syndrome, all);
    return _mm512_test_epi8_mask(all, all) != 0;
}

static void parity(const struct rs_simd *s, const uint8_t *syndrome, uint8_t *parity)
{
    __m512i sum[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()};

    for (uint32_t j = 0; j < s->code->parity; j++)
        sum[j % 2] = _mm512_xor_si512(
            sum[j % 2], mul(_mm512_set1_epi8((char)syndrome[j]), row(s->solve[j], 0)));
    _mm512_storeu_si512(
        parity, _mm512_gf2p8affine_epi64_epi8(_mm512_xor_si512(sum[0], sum[1]),
                                              _mm512_set1_epi64((long long)s->out_matrix), 0));
}

/* ---- Errors ---------------------------------------------------------------------------------- */

/* A polynomial at the inverse locators of vector v, every second coefficient from `begin` on. */
static inline __m512i value_at(const struct rs_simd *s, const uint8_t *p, uint32_t begin,
                               uint32_t step, uint32_t degree, unsigned v)
{
    __m512i sum = _mm512_setzero_si512();

    for (uint32_t j = begin; j <= degree; j += step)
        sum = _mm512_xor_si512(sum, mul(_mm512_set1_epi8((char)p[j]), row(s->inverse[j], v)));
    return sum;
}

static void roots(const struct rs_simd *s, const uint8_t *lambda, uint32_t degree, uint64_t *mask)
{
    for (unsigned v = 0; v < VECTORS; v++) {
        const __m512i sum = value_at(s, lambda, 0, 1, degree, v);

        mask[v] = _mm512_mask_testn_epi8_mask(symbols_of(s->code->n, v), sum, sum);
    }
}

/* What stands from `first` on, moved to the front. */
static inline __m512i moved(__m512i a, uint32_t first)
{
    const __m512i index = _mm512_loadu_si512((const uint8_t[64]){
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63});

    return _mm512_maskz_permutexvar_epi8(~(__mmask64)0 >> first,
                                         _mm512_add_epi8(index, _mm512_set1_epi8((char)first)), a);
}

struct key {
    uint32_t errors;
    uint8_t lambda[64], omega[64]; /* omega: what of syndromes x lambda stands from x^parity on */
};

/*
 * Berlekamp-Massey without inversions, in the order of Sarwate and Shanbhag (riBM, 2001): discrepancies of all
 * steps to come lie from place 0 on, the locator from 3 t on, and both move down by a place a step. Once
 * all discrepancies to come are 0 the locator is there. Returns false if none of t errors fits.
 */
static bool locate(const struct rs_simd *s, const uint8_t *syndrome, struct key *key)
{
    const uint32_t r2 = s->code->parity, t = r2 / 2;
    const __m512i one = _mm512_maskz_set1_epi8((__mmask64)1 << 3 * t, 1);
    __m512i delta = _mm512_or_si512(_mm512_loadu_si512(syndrome), one), theta = delta;
    __m512i gamma = _mm512_set1_epi8(1);
    uint32_t length = 0, r = 0;

    for (; r < r2; r++) {
        const __mmask64 to_come = ((__mmask64)1 << (r2 - r)) - 1;
        const __m512i first = _mm512_broadcastb_epi8(_mm512_castsi512_si128(delta));
        const __m512i next = moved(delta, 1);
        const bool zero = (_mm_cvtsi128_si32(_mm512_castsi512_si128(delta)) & 255) == 0;

        if (!_mm512_mask_test_epi8_mask(to_come, delta, delta))
            break;
        delta = _mm512_xor_si512(mul(gamma, next), mul(first, theta));
        if (!zero && 2 * length <= r) {
            length = r + 1 - length;
            theta = next;
            gamma = first;
        }
    }
    _mm512_storeu_si512(key->lambda, moved(delta, 3 * t - r));
    _mm512_storeu_si512(key->omega, moved(delta, r2 - r));
    key->errors = length;
    return length <= t;
}

/* Forney's rule at once for all symbols of vector v: omega x forney / odd part of lambda, at its roots. */
static inline uint64_t correct_vector(const struct rs_simd *s, const struct key *key, unsigned v,
                                      uint8_t *value)
{
    const __m512i even = value_at(s, key->lambda, 0, 2, key->errors, v);
    const __m512i odd = value_at(s, key->lambda, 1, 2, key->errors, v);
    const __m512i omega = value_at(s, key->omega, 0, 1, key->errors - 1, v);
    const __m512i inverse = _mm512_gf2p8affineinv_epi64_epi8(odd, _mm512_set1_epi64(IDENTITY), 0);
    const __m512i error = mul(mul(omega, row(s->forney, v)), inverse);
    const __m512i sent = _mm512_gf2p8affine_epi64_epi8(
        error, _mm512_set1_epi64((long long)s->out_matrix), 0);

    _mm512_storeu_si512(value + (size_t)64 * v, sent);
    return _mm512_mask_cmpeq_epi8_mask(symbols_of(s->code->n, v), even, odd);
}

static int correct(const struct rs_simd *s, const uint8_t *syndrome, struct rs_errors *errors)
{
    uint32_t found = 0;
    struct key key;

    if (!locate(s, syndrome, &key))
        return -1;
    for (unsigned v = 0; v < VECTORS; v++) {
        errors->mask[v] = correct_vector(s, &key, v, errors->value);
        found += (uint32_t)_mm_popcnt_u64(errors->mask[v]);
    }
    return found == key.errors ? (int)found : -1;
}

static const struct rs_kernels kernels = {
    .name = "gfni",
    .syndromes = syndromes,
    .parity = parity,
    .roots = roots,
    .correct = correct,
    .correct_parity = 2 * MOST_T,
};

const struct rs_kernels *rs_kernels_gfni(void)
{
    const bool runs = fecrun_isa_runs(FECRUN_ISA_AVX512) && __builtin_cpu_supports("avx512vbmi") &&
                      __builtin_cpu_supports("gfni");

    return runs ? &kernels : NULL;
}

#else

const struct rs_kernels *rs_kernels_gfni(void)
{
    return NULL;
}

#endif
