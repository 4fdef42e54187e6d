/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels of Reed-Solomon words for AVX2: products by a constant are two byte shuffles, one a nibble. */
#include "plugins/outer/simd/rs.h"

#ifdef __AVX2__

#include <fecrun/sdk/simd.h>
#include <immintrin.h>

#define VECTORS (RS_SIMD_N / 32)
#define SIDE 8 /* syndromes side by side, so that no product waits for another */

/* Products by an element, or by one in each half: 16 of the low nibble and 16 of the high one. */
struct factor {
    __m256i low, high;
};

static inline struct factor factor_of(const uint8_t *nibble)
{
    const __m256i both = _mm256_loadu_si256((const void *)nibble);

    return (struct factor){_mm256_permute2x128_si256(both, both, 0x00),
                           _mm256_permute2x128_si256(both, both, 0x11)};
}

static inline __m256i mul(__m256i a, struct factor f)
{
    const __m256i nibble = _mm256_set1_epi8(15);

    return _mm256_xor_si256(
        _mm256_shuffle_epi8(f.low, _mm256_and_si256(a, nibble)),
        _mm256_shuffle_epi8(f.high, _mm256_and_si256(_mm256_srli_epi16(a, 4), nibble)));
}

/* ---- Syndromes ------------------------------------------------------------------------------- */

/* Zeros, then the word, which ends where the last vector does. Returns how many vectors. */
static unsigned load(const struct rs_simd *s, const uint8_t *word, __m256i *part)
{
    const unsigned vectors = (s->code->n + 31) / 32;
    const struct factor in = factor_of(s->in_nibble);
    uint8_t bytes[RS_SIMD_N];

    memset(bytes, 0, 32);
    memcpy(bytes + 32 * vectors - s->code->n, word, s->code->n);
    for (unsigned v = 0; v < vectors; v++) {
        part[v] = _mm256_loadu_si256((const void *)(bytes + (size_t)32 * v));
        part[v] = s->code->dual ? mul(part[v], in) : part[v];
    }
    return vectors;
}

/* Horner's rule with steps of 32 symbols: byte i of sum[j] is that of symbols i, i + 32, ... at root
   first + j. */
static FECRUN_ALWAYS_INLINE void sums(const struct rs_simd *s, const __m256i *part,
                                      unsigned vectors, uint32_t first, __m256i *sum)
{
    const uint8_t *nibble[SIDE];

    for (unsigned j = 0; j < SIDE; j++) {
        nibble[j] = s->nibble[s->step[first + j]];
        sum[j] = part[0];
    }
    for (unsigned v = 1; v < vectors; v++)
        for (unsigned j = 0; j < SIDE; j++)
            sum[j] = _mm256_xor_si256(mul(sum[j], factor_of(nibble[j])), part[v]);
}

/* The sum over the bytes of two vectors, each times the power of its root: two syndromes. */
static inline unsigned fold(const struct rs_simd *s, uint32_t pair, __m256i even, __m256i odd)
{
    struct factor f[5];
    __m256i sum;

    for (unsigned l = 0; l < 5; l++)
        f[l] = (struct factor){_mm256_loadu_si256((const void *)s->fold[pair][l][0]),
                               _mm256_loadu_si256((const void *)s->fold[pair][l][1])};
    sum = _mm256_xor_si256(mul(_mm256_permute2x128_si256(even, odd, 0x20), f[0]),
                           _mm256_permute2x128_si256(even, odd, 0x31));
    sum = _mm256_xor_si256(mul(sum, f[1]), _mm256_srli_si256(sum, 8));
    sum = _mm256_xor_si256(mul(sum, f[2]), _mm256_srli_si256(sum, 4));
    sum = _mm256_xor_si256(mul(sum, f[3]), _mm256_srli_si256(sum, 2));
    sum = _mm256_xor_si256(mul(sum, f[4]), _mm256_srli_si256(sum, 1));
    return (unsigned)_mm256_extract_epi8(sum, 0) | (unsigned)_mm256_extract_epi8(sum, 16) << 8;
}

static bool syndromes(const struct rs_simd *s, const uint8_t *word, uint8_t *syndrome)
{
    __m256i part[VECTORS], sum[SIDE];
    const unsigned vectors = load(s, word, part);
    unsigned any = 0;

    memset(syndrome, 0, RS_SIMD_PARITY);
    for (uint32_t j = 0; j < s->code->parity; j += SIDE) {
        sums(s, part, vectors, j, sum);
        for (unsigned i = 0; i < SIDE && j + i < s->code->parity; i += 2) {
            const unsigned odd = j + i + 1 < s->code->parity ? 0xffff : 0xff; /* is there one? */
            const unsigned two = fold(s, (j + i) / 2, sum[i], sum[i + 1]) & odd;

            any |= two;
            syndrome[j + i] = (uint8_t)two;
            syndrome[(j + i) | 1] = (uint8_t)(two >> 8);
        }
    }
    return any != 0;
}

/* ---- The rest -------------------------------------------------------------------------------- */

static void parity(const struct rs_simd *s, const uint8_t *syndrome, uint8_t *parity)
{
    const struct factor out = factor_of(s->out_nibble);
    __m256i sum[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};

    for (uint32_t j = 0; j < s->code->parity; j++)
        for (unsigned v = 0; v < 2; v++)
            sum[v] = _mm256_xor_si256(
                sum[v], mul(_mm256_loadu_si256((const void *)(s->solve[j] + (size_t)32 * v)),
                            factor_of(s->nibble[syndrome[j]])));
    for (unsigned v = 0; v < 2; v++)
        _mm256_storeu_si256((void *)(parity + (size_t)32 * v),
                            s->code->dual ? mul(sum[v], out) : sum[v]);
}

/* Behind the word the table holds zeros, and lambda[0] is left, which is not 0. */
static void roots(const struct rs_simd *s, const uint8_t *lambda, uint32_t degree, uint64_t *mask)
{
    for (unsigned v = 0; v < VECTORS; v++) {
        __m256i sum = _mm256_set1_epi8((char)lambda[0]);
        uint32_t zero;

        for (uint32_t j = 1; j <= degree && 32 * v < s->code->n; j++)
            sum = _mm256_xor_si256(
                sum, mul(_mm256_loadu_si256((const void *)(s->inverse[j] + (size_t)32 * v)),
                         factor_of(s->nibble[lambda[j]])));
        zero = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(sum, _mm256_setzero_si256()));
        mask[v / 2] = (v % 2 ? mask[v / 2] : 0) | (uint64_t)zero << (32 * (v % 2));
    }
}

static const struct rs_kernels kernels = {
    .name = "avx2",
    .syndromes = syndromes,
    .parity = parity,
    .roots = roots,
};

const struct rs_kernels *rs_kernels_avx2(void)
{
    return fecrun_isa_runs(FECRUN_ISA_AVX2) ? &kernels : NULL;
}

#else

const struct rs_kernels *rs_kernels_avx2(void)
{
    return NULL;
}

#endif
