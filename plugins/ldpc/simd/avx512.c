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

#include "plugins/common/vec/vec_avx512.h"

/* |L| < LDPC_FIXED_KNOWN: L + LDPC_FIXED_KNOWN - 1 is one of the least numbers without a sign. */
static FECRUN_ALWAYS_INLINE __mmask64 open_lanes(vec L)
{
    return _mm512_cmplt_epu8_mask(vec_i8_add(L, vec_i8_set(LDPC_FIXED_KNOWN - 1)),
                                  vec_i8_set((2 * LDPC_FIXED_KNOWN - 1)));
}

#define ROW_HELD 10
#define ROW_FIRST 1
#define ROW_LONG 1
#define ROW_PARTS 2

#define signed_as(v, s) \
    _mm512_mask_sub_epi8(v, _mm512_cmplt_epi8_mask(s, vec_zero()), vec_zero(), v)
#define magnitudes(v) signed_as(v, v)
#define if_open(L, r) _mm512_maskz_mov_epi8(open_lanes(L), r)

typedef __mmask64 lanes_t;

#define lanes_of(p) _mm512_movepi8_mask(vec_load_any(p))
#define store_lanes(p, lanes, v) _mm512_mask_storeu_epi8(p, lanes, v)
#define load_parts(p, q) \
    _mm512_inserti64x4( \
        _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)(p))), \
        _mm256_loadu_si256((const __m256i *)(const void *)(q)), 1)

static FECRUN_ALWAYS_INLINE void store_part(void *p, unsigned part, lanes_t lanes, vec v)
{
    if (part == 0)
        _mm256_mask_storeu_epi8(p, (__mmask32)lanes, _mm512_castsi512_si256(v));
    else
        _mm256_mask_storeu_epi8(p, (__mmask32)(lanes >> 32), _mm512_extracti64x4_epi64(v, 1));
}

#ifdef LDPC_VBMI

#define ROW_TURNS 1
#define in_order _mm512_permutexvar_epi8

/* Where bytes of 64 go to: place i takes byte order[i], if bit i is set. */
struct moves {
    vec order;
    __mmask64 places;
};

static inline struct moves moves_of(const uint8_t *order, uint64_t places)
{
    return (struct moves){vec_load_any(order), places};
}

static inline void move_lanes(const void *from, const struct moves *m, void *to)
{
    const vec old = vec_load(to);

    vec_store(to, _mm512_mask_permutexvar_epi8(old, m->places, m->order, vec_load(from)));
}

struct rule {
    vec scaled, clip; /* scaled[m] */
};

static inline struct rule rule_of(const struct ldpc_fixed *fixed, const struct ldpc_phase *phase,
                                  unsigned kind)
{
    const struct ldpc_table *table = &phase->table[kind];
    uint32_t high;
    vec low = _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)table->low));
    vec scaled;

    memcpy(&high, table->high, sizeof high);
    /* byte i / 16 of `high` in place i */
    scaled = _mm512_shuffle_epi8(
        _mm512_set1_epi32((int)high),
        _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_inserti128_si256(_mm256_setzero_si256(),
                                                                          _mm_set1_epi8(1), 1)),
                           _mm256_inserti128_si256(_mm256_set1_epi8(2), _mm_set1_epi8(3), 1), 1));
    scaled = _mm512_subs_epu8(vec_i8_add(low, scaled), vec_i8_set(fixed->offset));
    return (struct rule){scaled, vec_i8_set(phase->clip)};
}

static inline vec scaled(const struct rule *rule, vec m)
{
    return _mm512_permutexvar_epi8(m, rule->scaled);
}

#else

#define ROW_TURNS 0

struct moves {
    vec order[4]; /* in each 16 of the 64 bytes: 128 where the byte is not among them */
    __mmask64 places;
};

static inline struct moves moves_of(const uint8_t *order, uint64_t places)
{
    const vec from = vec_load_any(order);
    struct moves m = {.places = places};

    for (int i = 0; i < 4; i++) {
        const vec at = vec_i8_sub(from, vec_i8_set((16 * i)));

        m.order[i] = _mm512_mask_mov_epi8(at, _mm512_cmpgt_epu8_mask(at, vec_i8_set(15)),
                                          vec_i8_set(128));
    }
    return m;
}

static inline void move_lanes(const void *from, const struct moves *m, void *to)
{
    vec all = vec_zero();

    for (int i = 0; i < 4; i++) {
        const __m128i part = _mm_load_si128((const __m128i *)from + i);

        all = vec_or(all, _mm512_shuffle_epi8(_mm512_broadcast_i32x4(part), m->order[i]));
    }
    vec_store(to, _mm512_mask_mov_epi8(vec_load(to), m->places, all));
}

#define spread(p) _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define choose _mm512_shuffle_epi8
#define less _mm512_subs_epu8
#include "plugins/ldpc/simd/rule.h"

#endif

#include "plugins/ldpc/simd/row.h"

#include "plugins/ldpc/simd/gain.h"

#include "plugins/ldpc/simd/along.h"
#include "plugins/ldpc/simd/lanes.h"
#include "plugins/ldpc/simd/pools.h"

const struct ldpc_kernel *KERNEL(void)
{
    static const struct ldpc_kernel kernel = {NAME, VEC_BYTES, ROW_TURNS, along, side};

    return &kernel;
}

#else

const struct ldpc_kernel *KERNEL(void)
{
    return NULL;
}

#endif
