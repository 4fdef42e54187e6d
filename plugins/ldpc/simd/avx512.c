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
#define magnitudes_alone vec_i8_abs
#define sub_open(L, r) _mm512_mask_subs_epi8(L, open_lanes(L), L, r)

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

static FECRUN_ALWAYS_INLINE __m128i load_16(const void *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

static FECRUN_ALWAYS_INLINE __m256i load_32(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

static FECRUN_ALWAYS_INLINE vec slot_load(const void *p, unsigned slot)
{
    return slot == 16   ? _mm512_zextsi128_si512(load_16(p))
           : slot == 32 ? _mm512_zextsi256_si512(load_32(p))
                        : vec_load_any(p);
}

static FECRUN_ALWAYS_INLINE void slot_store(void *p, unsigned slot, vec v)
{
    if (slot == 16)
        _mm_storeu_si128((__m128i *)p, _mm512_castsi512_si128(v));
    else if (slot == 32)
        _mm256_storeu_si256((__m256i *)p, _mm512_castsi512_si256(v));
    else
        vec_store_any(p, v);
}

static FECRUN_ALWAYS_INLINE vec slots_load(const int8_t *columns, const uint16_t *at, unsigned slot,
                                           unsigned n)
{
    vec v = slot_load(columns + at[0], slot);

    if (slot == 32 && n > 1)
        v = _mm512_inserti64x4(v, load_32(columns + at[1]), 1);
    if (slot == 16 && n > 1)
        v = _mm512_inserti32x4(v, load_16(columns + at[1]), 1);
    if (slot == 16 && n > 2)
        v = _mm512_inserti32x4(v, load_16(columns + at[2]), 2);
    if (slot == 16 && n > 3)
        v = _mm512_inserti32x4(v, load_16(columns + at[3]), 3);
    return v;
}

static FECRUN_ALWAYS_INLINE void slots_store(int8_t *columns, const uint16_t *at, unsigned slot,
                                             unsigned n, vec v)
{
    slot_store(columns + at[0], slot, v);
    if (slot == 32 && n > 1)
        _mm256_storeu_si256((__m256i *)(void *)(columns + at[1]), _mm512_extracti64x4_epi64(v, 1));
    if (slot == 16 && n > 1)
        _mm_storeu_si128((__m128i *)(void *)(columns + at[1]), _mm512_extracti32x4_epi32(v, 1));
    if (slot == 16 && n > 2)
        _mm_storeu_si128((__m128i *)(void *)(columns + at[2]), _mm512_extracti32x4_epi32(v, 2));
    if (slot == 16 && n > 3)
        _mm_storeu_si128((__m128i *)(void *)(columns + at[3]), _mm512_extracti32x4_epi32(v, 3));
}

#define slots_first(v, slot, n) \
    _mm512_mask_mov_epi8(vec_i8_set(127), UINT64_MAX >> (64 - (slot) * (n)), v)
#define slots_swapped(v, bytes) \
    ((bytes) == 32 ? _mm512_shuffle_i64x2(v, v, 0x4e) : _mm512_shuffle_i64x2(v, v, 0xb1))

#ifdef LDPC_VBMI

#define slots_turned(order, v, slot) \
    ((slot) == 16 ? _mm512_shuffle_epi8(v, order) : _mm512_permutexvar_epi8(order, v))
#define ROW_SLOTS (16 | 32 | 64)

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

#define SCALE_BLOCK 1

#else

#define ROW_SLOTS 16
#define slots_turned(order, v, slot) ((void)(slot), _mm512_shuffle_epi8(v, order))

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

#ifdef LDPC_VBMI
/* The LLRs of one block, in whole vectors from an aligned place on: by a table of what each of 256 becomes. */
static void scale_block(const struct ldpc_gain *gain, int8_t *llr, size_t n)
{
    int8_t all[256] __attribute__((aligned(64)));
    vec part[4];

    if (n < 8 * sizeof all) {
        scale_all(gain, llr, n);
        return;
    }
    for (int i = 0; i < 256; i++)
        all[i] = (int8_t)i;
    scale_all(gain, all, sizeof all);
    for (unsigned i = 0; i < 4; i++)
        part[i] = vec_load(all + i * VEC_BYTES);
    for (size_t i = 0; i < n; i += VEC_BYTES) {
        const vec x = vec_load(llr + i);
        const vec above = _mm512_permutex2var_epi8(part[0], x, part[1]);
        const vec below = _mm512_permutex2var_epi8(part[2], x, part[3]);

        vec_store(llr + i, vec_i8_pick(vec_i8_negative(x), below, above));
    }
}
#endif

#include "plugins/ldpc/simd/gain.h"

#include "plugins/ldpc/simd/along.h"
#include "plugins/ldpc/simd/lanes.h"
#include "plugins/ldpc/simd/pools.h"

const struct ldpc_kernel *KERNEL(void)
{
    static const struct ldpc_kernel kernel = {NAME, VEC_BYTES, ROW_SLOTS, along, side};

    return &kernel;
}

#else

const struct ldpc_kernel *KERNEL(void)
{
    return NULL;
}

#endif
