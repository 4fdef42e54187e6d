/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels of Reed-Solomon words for AVX2: products by a constant are two byte shuffles, one a nibble. */
#include "plugins/outer/simd/rs.h"

#ifdef __AVX2__

#include <fecrun/sdk/simd.h>
#include <immintrin.h>

#define VECTORS (RS_SIMD_N / 32)
#define SIDE 8    /* syndromes side by side, so that no product waits for another */
#define MOST_T 21 /* 3 t + 1 coefficients fill two vectors */

/* Products by an element, or by one in each half: 16 of the low nibble and 16 of the high one. */
struct factor {
    __m256i low, high;
};

/* Of both halves: loads that do not take the port of the shuffles. */
static inline struct factor factor_of(const uint8_t *nibble)
{
    return (struct factor){
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)nibble)),
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(nibble + 16)))};
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

/* Byte i of sum[j] is that of symbols i, i + 32, ... at root first + j. Nibbles of a vector are taken apart once. */
static FECRUN_ALWAYS_INLINE void sums(const struct rs_simd *s, const __m256i *part,
                                      unsigned vectors, uint32_t first, __m256i *sum)
{
    const __m256i nibble = _mm256_set1_epi8(15);

    for (unsigned j = 0; j < SIDE; j++)
        sum[j] = part[vectors - 1];
    for (unsigned v = 0; v + 1 < vectors; v++) {
        const __m256i low = _mm256_and_si256(part[v], nibble);
        const __m256i high = _mm256_and_si256(_mm256_srli_epi16(part[v], 4), nibble);

        for (unsigned j = 0; j < SIDE; j++) {
            const struct factor f = factor_of(s->power[first + j][vectors - 1 - v]);

            sum[j] = _mm256_xor_si256(sum[j], _mm256_xor_si256(_mm256_shuffle_epi8(f.low, low),
                                                               _mm256_shuffle_epi8(f.high, high)));
        }
    }
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

/* ---- Errors ---------------------------------------------------------------------------------- */

/* 64 coefficients. */
struct row {
    __m256i low, high;
};

static inline struct row load_row(const uint8_t *bytes)
{
    return (struct row){_mm256_loadu_si256((const void *)bytes),
                        _mm256_loadu_si256((const void *)(bytes + 32))};
}

static inline void store_row(uint8_t *bytes, struct row a)
{
    _mm256_storeu_si256((void *)bytes, a.low);
    _mm256_storeu_si256((void *)(bytes + 32), a.high);
}

/* All moved to the place before. */
static inline struct row moved(struct row a)
{
    return (struct row){
        _mm256_alignr_epi8(_mm256_permute2x128_si256(a.low, a.high, 0x21), a.low, 1),
        _mm256_alignr_epi8(_mm256_permute2x128_si256(a.high, a.high, 0x81), a.high, 1)};
}

static inline struct row combined(struct row a, struct factor of_a, struct row b,
                                  struct factor of_b)
{
    return (struct row){_mm256_xor_si256(mul(a.low, of_a), mul(b.low, of_b)),
                        _mm256_xor_si256(mul(a.high, of_a), mul(b.high, of_b))};
}

/* A bit for each coefficient that is 0. */
static inline uint64_t zeros(struct row a)
{
    const __m256i zero = _mm256_setzero_si256();
    const uint32_t low = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(a.low, zero));
    const uint32_t high = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(a.high, zero));

    return (uint64_t)high << 32 | low;
}

struct key {
    uint32_t errors;
    uint8_t coefficient[128];
    const uint8_t *lambda,
        *omega; /* in there; omega: what of syndromes x lambda stands from x^parity on */
};

/* As in simd/rs_gfni.c: riBM (Sarwate and Shanbhag 2001). Returns false if none of t errors fits. */
static bool locate(const struct rs_simd *s, const uint8_t *syndrome, struct key *key)
{
    const uint32_t r2 = s->code->parity, t = r2 / 2;
    uint8_t begin[64];
    struct row delta, theta;
    uint32_t length = 0, r = 0, gamma = 1;

    memcpy(begin, syndrome, sizeof begin);
    begin[3 * t] = 1;
    theta = delta = load_row(begin);
    for (; r < r2; r++) {
        const uint64_t to_come = (UINT64_C(1) << (r2 - r)) - 1;
        const uint32_t first = (uint32_t)_mm256_cvtsi256_si32(delta.low) & 255;
        const struct row next = moved(delta);

        if ((zeros(delta) & to_come) == to_come)
            break;
        delta = combined(next, factor_of(s->nibble[gamma]), theta, factor_of(s->nibble[first]));
        if (first && 2 * length <= r) {
            length = r + 1 - length;
            theta = next;
            gamma = first;
        }
    }
    store_row(key->coefficient, delta);
    memset(key->coefficient + 64, 0, 64);
    key->lambda = key->coefficient + 3 * t - r;
    key->omega = key->coefficient + r2 - r;
    key->errors = length;
    return length <= t;
}

/* A polynomial at the inverse locators of vector v, every second coefficient from `begin` on. */
static inline __m256i value_at(const struct rs_simd *s, const uint8_t *p, uint32_t begin,
                               uint32_t step, uint32_t degree, unsigned v)
{
    __m256i sum = _mm256_setzero_si256();

    for (uint32_t j = begin; j <= degree; j += step)
        sum = _mm256_xor_si256(
            sum, mul(_mm256_loadu_si256((const void *)(s->inverse[j] + (size_t)32 * v)),
                     factor_of(s->nibble[p[j]])));
    return sum;
}

/* Wrong symbols of vector v, a bit each, and by Forney's rule what is to be XORed onto them as they are sent. */
static uint32_t correct_vector(const struct rs_simd *s, const struct key *key, unsigned v,
                               uint8_t *value)
{
    const struct gf *field = &s->code->field;
    const uint32_t left = s->code->n - 32 * v;
    const __m256i even = value_at(s, key->lambda, 0, 2, key->errors, v);
    const __m256i odd = value_at(s, key->lambda, 1, 2, key->errors, v);
    const uint32_t wrong = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(even, odd)) &
                           (left < 32 ? (1u << left) - 1 : UINT32_MAX);
    uint8_t above[32], below[32];

    if (!wrong)
        return 0;
    _mm256_storeu_si256((void *)above, value_at(s, key->omega, 0, 1, key->errors - 1, v));
    _mm256_storeu_si256((void *)below, odd);
    for (uint32_t rest = wrong; rest; rest &= rest - 1) {
        const unsigned i = (unsigned)__builtin_ctz(rest);
        const uint16_t error = gf_mul(field, above[i], s->forney[32 * v + i]);

        /* a root of both parts is not one of a locator, of which there are as many as its degree */
        value[32 * v + i] = (uint8_t)rs_sent(s->code,
                                             below[i] ? gf_div(field, error, below[i]) : 0);
    }
    return wrong;
}

static int correct(const struct rs_simd *s, const uint8_t *syndrome, struct rs_errors *errors)
{
    uint32_t found = 0;
    struct key key;

    memset(errors->mask, 0, sizeof errors->mask);
    if (!locate(s, syndrome, &key))
        return -1;
    for (unsigned v = 0; 32 * v < s->code->n && found < key.errors; v++) {
        const uint32_t wrong = correct_vector(s, &key, v, errors->value);

        errors->mask[v / 2] |= (uint64_t)wrong << (32 * (v % 2));
        found += (uint32_t)__builtin_popcount(wrong);
    }
    return found == key.errors ? (int)found : -1;
}

static const struct rs_kernels kernels = {
    .name = "avx2",
    .syndromes = syndromes,
    .parity = parity,
    .roots = roots,
    .correct = correct,
    .correct_parity = 2 * MOST_T,
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
