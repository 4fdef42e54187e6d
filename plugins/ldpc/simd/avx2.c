/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/simd/simd.h"

#if defined(__AVX2__)

#include "plugins/common/vec/vec_avx2.h"

/* |L| < LDPC_FIXED_KNOWN: less 129 - LDPC_FIXED_KNOWN, L is one of the least numbers. */
static FECRUN_ALWAYS_INLINE vec open_lanes(vec L)
{
    const vec below = vec_i8_sub(L, vec_i8_set(129 - LDPC_FIXED_KNOWN));

    return _mm256_cmpgt_epi8(vec_i8_set((2 * LDPC_FIXED_KNOWN - 129)), below);
}

#define ROW_HELD 4
#define ROW_FIRST 1
#define ROW_LONG 1
#define ROW_PARTS 1
#define ROW_SLOTS (16 | 32)

#define magnitudes vec_i8_abs
#define magnitudes_alone vec_i8_abs
#define sub_open(L, r) vec_i8_sub_sat(L, vec_and(open_lanes(L), r))
/* 0 has no sign for the instruction, and is positive here. */
#define signed_as(v, s) vec_i8_sign(v, vec_or(s, vec_i8_set(1)))

typedef vec lanes_t;

#define lanes_of vec_load_any
#define store_lanes(p, lanes, v) vec_store_any(p, vec_i8_pick(lanes, v, vec_load_any(p)))
#define load_parts(p, q) vec_load_any(p)
#define store_part(p, part, lanes, v) store_lanes(p, lanes, v)

static FECRUN_ALWAYS_INLINE __m128i load_16(const void *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

static FECRUN_ALWAYS_INLINE vec slot_load(const void *p, unsigned slot)
{
    return slot == 16 ? _mm256_zextsi128_si256(load_16(p)) : vec_load_any(p);
}

static FECRUN_ALWAYS_INLINE void slot_store(void *p, unsigned slot, vec v)
{
    if (slot == 16)
        _mm_storeu_si128((__m128i *)p, _mm256_castsi256_si128(v));
    else
        vec_store_any(p, v);
}

static FECRUN_ALWAYS_INLINE vec slots_load(const int8_t *columns, const uint16_t *at, unsigned slot,
                                           unsigned n)
{
    const vec v = slot_load(columns + at[0], slot);

    return slot == 16 && n > 1 ? _mm256_inserti128_si256(v, load_16(columns + at[1]), 1) : v;
}

static FECRUN_ALWAYS_INLINE void slots_store(int8_t *columns, const uint16_t *at, unsigned slot,
                                             unsigned n, vec v)
{
    slot_store(columns + at[0], slot, v);
    if (slot == 16 && n > 1)
        _mm_storeu_si128((__m128i *)(void *)(columns + at[1]), _mm256_extracti128_si256(v, 1));
}

static FECRUN_ALWAYS_INLINE vec slots_turned(vec order, vec v, unsigned slot)
{
    const vec low = _mm256_permute2x128_si256(v, v, 0x00),
              high = _mm256_permute2x128_si256(v, v, 0x11);

    if (slot == 16)
        return _mm256_shuffle_epi8(v, order);
    return _mm256_blendv_epi8(_mm256_shuffle_epi8(low, order), _mm256_shuffle_epi8(high, order),
                              _mm256_slli_epi16(order, 3));
}

static FECRUN_ALWAYS_INLINE vec slots_first(vec v, unsigned slot, unsigned n)
{
    return slot * n == 16 ? _mm256_blend_epi32(vec_i8_set(127), v, 0x0f) : v;
}

#define slots_swapped(v, bytes) ((void)(bytes), _mm256_permute4x64_epi64(v, 0x4e))

/* Where bytes of 64 go to: place i takes byte order[i], if bit i is set. */
struct moves {
    vec order[2][4]; /* of 32 places, in each 16 of the 64 bytes: 128 where the byte is not there */
    vec kept[2];     /* of what is there: 255 where the bit is not set */
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
            m.order[half][i] = vec_load_any(at);
        }
        m.kept[half] = vec_load_any(kept);
    }
    return m;
}

static inline void move_lanes(const void *from, const struct moves *m, void *to)
{
    vec part[4];

    for (int i = 0; i < 4; i++)
        part[i] = _mm256_broadcastsi128_si256(_mm_load_si128((const __m128i *)from + i));
    for (int half = 0; half < 2; half++) {
        vec *place = (vec *)to + half;
        vec all = vec_and(vec_load(place), m->kept[half]);

        for (int i = 0; i < 4; i++)
            all = vec_or(all, _mm256_shuffle_epi8(part[i], m->order[half][i]));
        vec_store(place, all);
    }
}

#define spread(p) _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define choose _mm256_shuffle_epi8
#define less _mm256_subs_epu8
#include "plugins/ldpc/simd/rule.h"

#include "plugins/ldpc/simd/row.h"

#include "plugins/ldpc/simd/gain.h"

#include "plugins/ldpc/simd/along.h"
#include "plugins/ldpc/simd/lanes.h"
#include "plugins/ldpc/simd/pools.h"

const struct ldpc_kernel *ldpc_kernel_avx2(void)
{
    static const struct ldpc_kernel kernel = {"AVX2", VEC_BYTES, ROW_SLOTS, along, side};

    return &kernel;
}

#else

const struct ldpc_kernel *ldpc_kernel_avx2(void)
{
    return NULL;
}

#endif
