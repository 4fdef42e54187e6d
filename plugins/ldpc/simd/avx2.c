/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/simd/simd.h"

#if defined(__AVX2__)

#include <immintrin.h>
#include <string.h>

typedef __m256i vec;
typedef __m256i vec16;

/* |L| < LDPC_FIXED_KNOWN: less 129 - LDPC_FIXED_KNOWN, L is one of the least numbers. */
static FECRUN_ALWAYS_INLINE __m256i open_lanes(__m256i L)
{
    const __m256i below = _mm256_sub_epi8(L, _mm256_set1_epi8(129 - LDPC_FIXED_KNOWN));

    return _mm256_cmpgt_epi8(_mm256_set1_epi8((char)(2 * LDPC_FIXED_KNOWN - 129)), below);
}

#define V_WIDTH 32
#define V_HELD 4 /* rows up to this long keep |q|, too, in registers */
#define V_FIRST 1
#define V_LONG 1
#define V_PARTS 1
#define V_LOAD(p) _mm256_load_si256((const __m256i *)(const void *)(p))
#define V_LOADU(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define V_STORE(p, v) _mm256_store_si256((__m256i *)(void *)(p), v)
#define V_STOREU(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define V_ADDS _mm256_adds_epi8
#define V_SUBS _mm256_subs_epi8
#define V_OPEN(L, r) _mm256_and_si256(open_lanes(L), r)
#define V_ABS _mm256_abs_epi8
#define V_MIN _mm256_min_epu8
#define V_MAX _mm256_max_epu8
#define V_XOR _mm256_xor_si256
#define V_SET1(x) _mm256_set1_epi8(x)
#define V_KEEP(v) __asm__("" : "+x"(v))
#define V_CHOOSE(a, b, one, other) _mm256_blendv_epi8(other, one, _mm256_cmpeq_epi8(a, b))
/* 0 has no sign for the instruction, and is positive here. */
#define V_SIGNED(v, s) _mm256_sign_epi8(v, _mm256_or_si256(s, _mm256_set1_epi8(1)))
#define V_BITS(v) \
    _mm256_and_si256(_mm256_cmpgt_epi8(_mm256_setzero_si256(), v), _mm256_set1_epi8(1))
#define V16_SET1(x) _mm256_set1_epi16(x)
#define V16_ADD _mm256_add_epi16
#define V16_MUL _mm256_mullo_epi16
#define V16_TOP(v) _mm256_srli_epi16(v, 8)
#define V16_LOW _mm256_unpacklo_epi8
#define V16_HIGH _mm256_unpackhi_epi8
#define V16_BYTES _mm256_packus_epi16
#define V_ZIP_LOW _mm256_unpacklo_epi8
#define V_ZIP_HIGH _mm256_unpackhi_epi8
#define V_SUM8 _mm256_sad_epu8
#define V8_ADD _mm256_add_epi8
#define V64_ADD _mm256_add_epi64
#define V64_UP(v, n) _mm256_slli_epi64(v, n)

typedef __m256i lanes_t;

#define V_LANES V_LOADU
#define V_STORE_LANES(p, lanes, v) V_STOREU(p, _mm256_blendv_epi8(V_LOADU(p), v, lanes))
#define V_LOAD_PARTS(p, q) V_LOADU(p)
#define V_STORE_PART(p, part, lanes, v) V_STORE_LANES(p, lanes, v)

static inline void V_SIGNS(__m256i v, void *p)
{
    const uint32_t signs = (uint32_t)_mm256_movemask_epi8(v);

    memcpy(p, &signs, sizeof signs);
}

/* The first byte's sign goes to the highest bit of the first byte. */
static inline void V_PACK(__m256i v, void *p)
{
    const __m256i order = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));

    V_SIGNS(_mm256_shuffle_epi8(v, order), p);
}

/* 16 bytes of each of two rows. */
static inline __m256i V_ROWS(const int8_t *const *in, uint32_t at)
{
    return _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128((const void *)(in[0] + at))),
        _mm_loadu_si128((const void *)(in[16] + at)), 1);
}

/* Where bytes of 64 go to: place i takes byte order[i], if bit i is set. */
struct moves {
    __m256i
        order[2][4]; /* of 32 places, in each 16 of the 64 bytes: 128 where the byte is not there */
    __m256i kept[2]; /* of what is there: 255 where the bit is not set */
};

static inline struct moves moves_of(const uint8_t *order, uint64_t places)
{
    struct moves m;
    uint8_t at[32], kept[32];

    for (unsigned half = 0; half < 2; half++) {
        for (unsigned i = 0; i < 4; i++) {
            for (unsigned k = 0; k < 32; k++) {
                const uint8_t from = order[32 * half + k];
                const bool moved = places >> (32 * half + k) & 1;

                at[k] = moved && from / 16 == i ? from % 16 : 128;
                kept[k] = moved ? 0 : 255;
            }
            m.order[half][i] = V_LOADU(at);
        }
        m.kept[half] = V_LOADU(kept);
    }
    return m;
}

static inline void V_MOVE(const void *from, const struct moves *m, void *to)
{
    __m256i part[4];

    for (int i = 0; i < 4; i++)
        part[i] = _mm256_broadcastsi128_si256(_mm_load_si128((const __m128i *)from + i));
    for (int half = 0; half < 2; half++) {
        __m256i *place = (__m256i *)to + half;
        __m256i all = _mm256_and_si256(_mm256_load_si256(place), m->kept[half]);

        for (int i = 0; i < 4; i++)
            all = _mm256_or_si256(all, _mm256_shuffle_epi8(part[i], m->order[half][i]));
        _mm256_store_si256(place, all);
    }
}

struct rule {
    __m256i low, high, offset, clip;
    bool has_offset;
};

static inline struct rule rule_of(const struct ldpc_fixed *fixed, const struct ldpc_phase *phase,
                                  unsigned kind)
{
    struct rule rule = {.offset = _mm256_set1_epi8((char)fixed->offset),
                        .clip = _mm256_set1_epi8((char)phase->clip),
                        .has_offset = fixed->offset != 0};
    uint8_t high[16] = {0};

    memcpy(high, phase->table[kind].high, sizeof phase->table[kind].high);
    rule.low = _mm256_broadcastsi128_si256(
        _mm_loadu_si128((const __m128i *)(const void *)phase->table[kind].low));
    rule.high = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)high));
    return rule;
}

static inline __m256i V_SCALED(const struct rule *rule, __m256i m)
{
    const __m256i top = _mm256_and_si256(_mm256_srli_epi16(m, 4), _mm256_set1_epi8(15));
    const __m256i scaled = _mm256_add_epi8(_mm256_shuffle_epi8(rule->low, m),
                                           _mm256_shuffle_epi8(rule->high, top));

    return rule->has_offset ? _mm256_subs_epu8(scaled, rule->offset) : scaled;
}

#include "plugins/ldpc/simd/row.h"

#include "plugins/ldpc/simd/gain.h"

#include "plugins/ldpc/simd/along.h"
#include "plugins/ldpc/simd/lanes.h"
#include "plugins/ldpc/simd/pools.h"

const struct ldpc_kernel *ldpc_kernel_avx2(void)
{
    static const struct ldpc_kernel kernel = {"AVX2", V_WIDTH, along, side};

    return &kernel;
}

#else

const struct ldpc_kernel *ldpc_kernel_avx2(void)
{
    return NULL;
}

#endif
