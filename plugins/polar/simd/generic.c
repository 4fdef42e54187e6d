/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors of the compiler: what it makes of them depends on the machine it compiles for. */
#include "plugins/polar/simd/simd.h"
#include "plugins/polar/simd/words.h"

typedef int8_t vec __attribute__((vector_size(16), may_alias));
typedef int8_t loose __attribute__((vector_size(16), may_alias, aligned(1)));
typedef uint8_t uvec __attribute__((vector_size(16)));
typedef uint64_t wide __attribute__((vector_size(16)));
typedef vec mask;

#define V_WIDTH 16
#define V_LOAD(p) (*(const vec *)(const void *)(p))
#define V_LOADU(p) ((vec) * (const loose *)(const void *)(p))
#define V_STORE(p, v) (*(vec *)(void *)(p) = (v))
#define V_STOREU(p, v) (*(loose *)(void *)(p) = (loose)(v))
#define V_ONES(m) ((m)&V_SET1(1))
#define V_KEEP(x) ((void)0)
#define V_SUM(a, b) ((vec)((uvec)(a) + (uvec)(b)))
#define V_BYTES(m) (m)
#define V_NEGATIVE(v) ((vec)((v) < 0))
#define V_EQ(a, b) ((vec)((a) == (b)))
#define V_LESSU(a, b) ((vec)((uvec)(a) < (uvec)(b)))
#define V_PICK(m, a, b) (((a) & (m)) | ((b) & ~(m)))
#define V_LOW(a, b) \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define V_HIGH(a, b) \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)

static inline vec V_SET1(int8_t x)
{
    return (vec){0} + x;
}

static inline vec V_MIN(vec a, vec b)
{
    return V_PICK(a < b, a, b);
}

static inline vec V_MAX(vec a, vec b)
{
    return V_PICK(a > b, a, b);
}

static inline vec V_MINU(vec a, vec b)
{
    return V_PICK(V_LESSU(a, b), a, b);
}

static inline vec V_SUB(vec a, vec b)
{
    return (vec)((uvec)a - (uvec)b);
}

static inline vec V_NEGATE(vec m, vec a)
{
    return V_SUB(a ^ m, m);
}

static inline vec V_ABS(vec a)
{
    return V_NEGATE(V_NEGATIVE(a), a);
}

/* The sum of two of the same sign that has another one is replaced by the end of that side. */
static inline vec V_ADDS(vec a, vec b)
{
    const vec sum = (vec)((uvec)a + (uvec)b), end = (a < 0) ^ V_SET1(127);

    return V_PICK((~(a ^ b) & (a ^ sum)) < 0, end, sum);
}

/* Each byte eight times, of which each keeps a bit. */
static inline vec V_OF_BITS(polar_bits bits)
{
    const wide bit = (wide){0} + 0x8040201008040201u;
    const wide all = (wide){bits & 255, bits >> 8 & 255} * 0x0101010101010101u;

    return (vec)(all & bit) == (vec)bit;
}

/* Of each half the highest bits of eight bytes, collected by a product. */
static inline uint32_t V_BITS(vec m)
{
    const wide top = (wide)m & ((wide){0} + 0x8080808080808080u);

    return (uint32_t)((top[0] >> 7) * 0x0102040810204080u >> 56) |
           (uint32_t)((top[1] >> 7) * 0x0102040810204080u >> 56) << 8;
}

static inline vec V_LANES(const void *row, const uint8_t *map, uint32_t at)
{
    vec v;

    for (uint32_t l = 0; l < V_WIDTH; l++)
        v[l] = ((const int8_t *)row)[map[at + l]];
    return v;
}

static inline void V_ROWS(polar_row *rows, vec a, vec b, vec c, vec d, bool half)
{
    (void)half;
    V_STORE(rows[0], a);
    V_STORE(rows[0] + 16, b);
    V_STORE(rows[0] + 32, c);
    V_STORE(rows[0] + 48, d);
}

#include "plugins/polar/simd/kernel.h"
#include "plugins/polar/simd/kernel_load.h"
#include "plugins/polar/simd/kernel_bp.h"
#include "plugins/polar/simd/kernel_list.h"
#include "plugins/polar/simd/kernel_sc.h"
#include "plugins/polar/simd/kernel_small.h"

const struct polar_kernel *polar_kernel_generic(void)
{
    static const struct polar_kernel kernel = {"generic",  load,  repeat,  sc,        sc_frames,
                                               correlate,  scl,   bits_of, transform, lanes,
                                               bp_iterate, small, spread};

    return &kernel;
}
