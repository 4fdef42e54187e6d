/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Compiled twice: with LDPC_VBMI for CPUs that look up 64 bytes in one instruction, and without.
 *
 * Signs come from compares and |q| from a masked subtraction, not from vpmovb2m and vpabsb: Intel's
 * port 0 has enough to do with min, max and saturating additions, and compares run on port 5.
 */
#include "plugins/ldpc/simd/simd.h"

#ifdef LDPC_VBMI
#define KERNEL ldpc_kernel_vbmi
#define NAME "AVX-512 VBMI"
#else
#define KERNEL ldpc_kernel_avx512
#define NAME "AVX-512"
#endif

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && \
    defined(__AVX512DQ__) && (defined(__AVX512VBMI__) || !defined(LDPC_VBMI))

#include <immintrin.h>
#include <string.h>

typedef __m512i vec;
typedef __m512i vec16;

/* |L| < LDPC_FIXED_KNOWN: L + LDPC_FIXED_KNOWN - 1 is one of the least numbers without a sign. */
static FECRUN_ALWAYS_INLINE __mmask64 open_lanes(__m512i L)
{
    return _mm512_cmplt_epu8_mask(_mm512_add_epi8(L, _mm512_set1_epi8(LDPC_FIXED_KNOWN - 1)),
                                  _mm512_set1_epi8((char)(2 * LDPC_FIXED_KNOWN - 1)));
}

#define V_WIDTH 64
#define V_HELD 10 /* rows up to this long keep |q|, too, in registers */
#define V_FIRST 1
#define V_LONG 1
#define V_PARTS 2
#define V_LOAD(p) _mm512_load_si512(p)
#define V_LOADU(p) _mm512_loadu_si512(p)
#define V_STORE(p, v) _mm512_store_si512(p, v)
#define V_STOREU(p, v) _mm512_storeu_si512(p, v)
#define V_ADDS _mm512_adds_epi8
#define V_SUBS _mm512_subs_epi8
#define V_OPEN(L, r) _mm512_maskz_mov_epi8(open_lanes(L), r)
#define V_ABS(v) V_SIGNED(v, v) /* -128 becomes 128 */
#define V_MIN _mm512_min_epu8
#define V_MAX _mm512_max_epu8
#define V_XOR _mm512_xor_si512
#define V_SET1(x) _mm512_set1_epi8(x)
#define V_KEEP(v) __asm__("" : "+v"(v))
#define V_CHOOSE(a, b, one, other) _mm512_mask_mov_epi8(other, _mm512_cmpeq_epi8_mask(a, b), one)
#define V_SIGNED(v, s) \
    _mm512_mask_sub_epi8(v, _mm512_cmplt_epi8_mask(s, _mm512_setzero_si512()), \
                         _mm512_setzero_si512(), v)
#define V_BITS(v) _mm512_maskz_set1_epi8(_mm512_movepi8_mask(v), 1)
#define V16_SET1(x) _mm512_set1_epi16(x)
#define V16_ADD _mm512_add_epi16
#define V16_MUL _mm512_mullo_epi16
#define V16_TOP(v) _mm512_srli_epi16(v, 8)
#define V16_LOW _mm512_unpacklo_epi8
#define V16_HIGH _mm512_unpackhi_epi8
#define V16_BYTES _mm512_packus_epi16
#define V_ZIP_LOW _mm512_unpacklo_epi8
#define V_ZIP_HIGH _mm512_unpackhi_epi8
#define V_SUM8 _mm512_sad_epu8
#define V8_ADD _mm512_add_epi8
#define V64_ADD _mm512_add_epi64
#define V64_UP(v, n) _mm512_slli_epi64(v, n)

typedef __mmask64 lanes_t;

#define V_LANES(p) _mm512_movepi8_mask(V_LOADU(p))
#define V_STORE_LANES(p, lanes, v) _mm512_mask_storeu_epi8(p, lanes, v)
#define V_LOAD_PARTS(p, q) \
    _mm512_inserti64x4( \
        _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)(p))), \
        _mm256_loadu_si256((const __m256i *)(const void *)(q)), 1)

static FECRUN_ALWAYS_INLINE void V_STORE_PART(void *p, unsigned part, lanes_t lanes, vec v)
{
    if (part == 0)
        _mm256_mask_storeu_epi8(p, (__mmask32)lanes, _mm512_castsi512_si256(v));
    else
        _mm256_mask_storeu_epi8(p, (__mmask32)(lanes >> 32), _mm512_extracti64x4_epi64(v, 1));
}

static inline void V_SIGNS(__m512i v, void *p)
{
    const uint64_t signs = _mm512_movepi8_mask(v);

    memcpy(p, &signs, sizeof signs);
}

/* The first byte's sign goes to the highest bit of the first byte. */
static inline void V_PACK(__m512i v, void *p)
{
    const __m512i order = _mm512_broadcast_i32x4(
        _mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));

    V_SIGNS(_mm512_shuffle_epi8(v, order), p);
}

/* 16 bytes of each of four rows. */
static inline __m512i V_ROWS(const int8_t *const *in, uint32_t at)
{
    __m512i v = _mm512_castsi128_si512(_mm_loadu_si128((const void *)(in[0] + at)));

    v = _mm512_inserti32x4(v, _mm_loadu_si128((const void *)(in[16] + at)), 1);
    v = _mm512_inserti32x4(v, _mm_loadu_si128((const void *)(in[32] + at)), 2);
    return _mm512_inserti32x4(v, _mm_loadu_si128((const void *)(in[48] + at)), 3);
}

#ifdef LDPC_VBMI

/* Where bytes of 64 go to: place i takes byte order[i], if bit i is set. */
struct moves {
    __m512i order;
    __mmask64 places;
};

static inline struct moves moves_of(const uint8_t *order, uint64_t places)
{
    return (struct moves){_mm512_loadu_si512(order), places};
}

static inline void V_MOVE(const void *from, const struct moves *m, void *to)
{
    const __m512i old = _mm512_load_si512(to);

    _mm512_store_si512(
        to, _mm512_mask_permutexvar_epi8(old, m->places, m->order, _mm512_load_si512(from)));
}

struct rule {
    __m512i scaled, clip; /* scaled[m] */
};

static inline struct rule rule_of(const struct ldpc_fixed *fixed, const struct ldpc_phase *phase,
                                  unsigned kind)
{
    const struct ldpc_table *table = &phase->table[kind];
    uint32_t high;
    __m512i low = _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)table->low));
    __m512i scaled;

    memcpy(&high, table->high, sizeof high);
    /* byte i / 16 of `high` in place i */
    scaled = _mm512_shuffle_epi8(
        _mm512_set1_epi32((int)high),
        _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_inserti128_si256(_mm256_setzero_si256(),
                                                                          _mm_set1_epi8(1), 1)),
                           _mm256_inserti128_si256(_mm256_set1_epi8(2), _mm_set1_epi8(3), 1), 1));
    scaled = _mm512_subs_epu8(_mm512_add_epi8(low, scaled), _mm512_set1_epi8((char)fixed->offset));
    return (struct rule){scaled, _mm512_set1_epi8((char)phase->clip)};
}

static inline __m512i V_SCALED(const struct rule *rule, __m512i m)
{
    return _mm512_permutexvar_epi8(m, rule->scaled);
}

#else

struct moves {
    __m512i order[4]; /* in each 16 of the 64 bytes: 128 where the byte is not among them */
    __mmask64 places;
};

static inline struct moves moves_of(const uint8_t *order, uint64_t places)
{
    const __m512i from = _mm512_loadu_si512(order);
    struct moves m = {.places = places};

    for (int i = 0; i < 4; i++) {
        const __m512i at = _mm512_sub_epi8(from, _mm512_set1_epi8((char)(16 * i)));

        m.order[i] = _mm512_mask_mov_epi8(at, _mm512_cmpgt_epu8_mask(at, _mm512_set1_epi8(15)),
                                          _mm512_set1_epi8((char)128));
    }
    return m;
}

static inline void V_MOVE(const void *from, const struct moves *m, void *to)
{
    __m512i all = _mm512_setzero_si512();

    for (int i = 0; i < 4; i++) {
        const __m128i part = _mm_load_si128((const __m128i *)from + i);

        all = _mm512_or_si512(all, _mm512_shuffle_epi8(_mm512_broadcast_i32x4(part), m->order[i]));
    }
    _mm512_store_si512(to, _mm512_mask_mov_epi8(_mm512_load_si512(to), m->places, all));
}

struct rule {
    __m512i low, high, offset, clip;
    bool has_offset;
};

static inline struct rule rule_of(const struct ldpc_fixed *fixed, const struct ldpc_phase *phase,
                                  unsigned kind)
{
    struct rule rule = {.offset = _mm512_set1_epi8((char)fixed->offset),
                        .clip = _mm512_set1_epi8((char)phase->clip),
                        .has_offset = fixed->offset != 0};
    uint8_t high[16] = {0};

    memcpy(high, phase->table[kind].high, sizeof phase->table[kind].high);
    rule.low = _mm512_broadcast_i32x4(
        _mm_loadu_si128((const __m128i *)(const void *)phase->table[kind].low));
    rule.high = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)high));
    return rule;
}

static inline __m512i V_SCALED(const struct rule *rule, __m512i m)
{
    const __m512i top = _mm512_and_si512(_mm512_srli_epi16(m, 4), _mm512_set1_epi8(15));
    const __m512i scaled = _mm512_add_epi8(_mm512_shuffle_epi8(rule->low, m),
                                           _mm512_shuffle_epi8(rule->high, top));

    return rule->has_offset ? _mm512_subs_epu8(scaled, rule->offset) : scaled;
}

#endif

#include "plugins/ldpc/simd/row.h"

#include "plugins/ldpc/simd/gain.h"

#include "plugins/ldpc/simd/along.h"
#include "plugins/ldpc/simd/lanes.h"
#include "plugins/ldpc/simd/pools.h"

const struct ldpc_kernel *KERNEL(void)
{
    static const struct ldpc_kernel kernel = {NAME, V_WIDTH, along, side};

    return &kernel;
}

#else

const struct ldpc_kernel *KERNEL(void)
{
    return NULL;
}

#endif
