/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors of the compiler: what it makes of them depends on the machine it compiles for. */
#include "plugins/ldpc/simd/simd.h"

#include <string.h>

typedef int8_t vec __attribute__((vector_size(16), may_alias));
typedef uint8_t uvec __attribute__((vector_size(16)));
typedef uint16_t vec16 __attribute__((vector_size(16)));

#define V_WIDTH 16
#define V_HELD 4
#define V_FIRST 0 /* code for first iterations: half a megabyte that saves 2 % of the time */
#define V_LONG 0  /* nor as much again for DVB-S2 */
#define V_PARTS 1
#define V_LOAD(p) (*(const vec *)(const void *)(p))
#define V_STORE(p, v) (*(vec *)(void *)(p) = (v))
#define V_XOR(a, b) ((a) ^ (b))
#define V_SET1(x) ((vec){0} + (int8_t)(x))
#define V_KEEP(v) (void)(v)
#define V_BITS(v) ((vec)((uvec)(v) >> 7))
#define V16_SET1(x) ((vec16){0} + (uint16_t)(x))
#define V16_ADD(a, b) ((a) + (b))
#define V16_MUL(a, b) ((a) * (b))
#define V16_TOP(v) ((v) >> 8)
#define V_ZIP_LOW(a, b) \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define V_ZIP_HIGH(a, b) \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)

static inline vec V_LOADU(const void *p)
{
    vec v;

    memcpy(&v, p, sizeof v);
    return v;
}

static inline void V_STOREU(void *p, vec v)
{
    memcpy(p, &v, sizeof v);
}

static inline vec choose(vec mask, vec one, vec other)
{
    return (one & mask) | (other & ~mask);
}

typedef vec lanes_t;

#define V_LANES V_LOADU
#define V_STORE_LANES(p, lanes, v) V_STOREU(p, choose(lanes, v, V_LOADU(p)))
#define V_LOAD_PARTS(p, q) V_LOADU(p)
#define V_STORE_PART(p, part, lanes, v) V_STORE_LANES(p, lanes, v)

static inline vec V_CHOOSE(vec a, vec b, vec one, vec other)
{
    return choose(a == b, one, other);
}

static inline vec V_SIGNED(vec v, vec s)
{
    const vec negative = s < 0;

    return (vec)((uvec)(v ^ negative) - (uvec)negative); /* -128 becomes 128 */
}

static inline vec V_ABS(vec v)
{
    return V_SIGNED(v, v);
}

static inline vec V_MIN(vec a, vec b)
{
    return choose((vec)((uvec)a < (uvec)b), a, b);
}

static inline vec V_MAX(vec a, vec b)
{
    return choose((vec)((uvec)a < (uvec)b), b, a);
}

/* The sum of two of the same sign that has another one is replaced by the end of that side. */
static inline vec V_ADDS(vec a, vec b)
{
    const vec sum = (vec)((uvec)a + (uvec)b), end = (a < 0) ^ V_SET1(127);

    return choose((~(a ^ b) & (a ^ sum)) < 0, end, sum);
}

static inline vec V_SUBS(vec a, vec b)
{
    const vec difference = (vec)((uvec)a - (uvec)b), end = (a < 0) ^ V_SET1(127);

    return choose(((a ^ b) & (a ^ difference)) < 0, end, difference);
}

static inline vec V_OPEN(vec L, vec r)
{
    return r & (vec)((uvec)L + (LDPC_FIXED_KNOWN - 1) < 2 * LDPC_FIXED_KNOWN - 1);
}

/* Bytes to 16-bit values; the order in between does not matter. */
static inline vec16 V16_LOW(vec a, vec zero)
{
    (void)zero;
    return (vec16)a & 0xff;
}

static inline vec16 V16_HIGH(vec a, vec zero)
{
    (void)zero;
    return (vec16)a >> 8;
}

static inline vec V16_BYTES(vec16 low, vec16 high)
{
    return (vec)(low | high << 8);
}

static inline void V_SIGNS(vec v, void *p)
{
    uint8_t *signs = p;

    signs[0] = signs[1] = 0;
    for (unsigned i = 0; i < 16; i++)
        signs[i / 8] |= (uint8_t)((v[i] < 0) << i % 8);
}

static inline void V_PACK(vec v, void *p)
{
    uint8_t *signs = p;

    signs[0] = signs[1] = 0;
    for (unsigned i = 0; i < 16; i++)
        signs[i / 8] |= (uint8_t)((v[i] < 0) << (7 - i % 8));
}

#define V_ROWS(in, at) V_LOADU((in)[0] + (at))

/* Where bytes of 64 go to: place i takes byte order[i], if bit i is set. */
struct moves {
    uint8_t n, from[LDPC_LANES], to[LDPC_LANES];
};

static inline struct moves moves_of(const uint8_t *order, uint64_t places)
{
    struct moves m = {.n = 0};

    for (; places; places &= places - 1, m.n++) {
        m.to[m.n] = (uint8_t)__builtin_ctzll(places);
        m.from[m.n] = order[m.to[m.n]];
    }
    return m;
}

static inline void V_MOVE(const int8_t *from, const struct moves *m, int8_t *to)
{
    for (unsigned i = 0; i < m->n; i++)
        to[m->to[i]] = from[m->from[i]];
}

struct rule {
    uint16_t factor, half;
    int8_t offset;
    vec clip;
};

static inline struct rule rule_of(const struct ldpc_fixed *fixed, const struct ldpc_phase *phase,
                                  unsigned kind)
{
    return (struct rule){phase->factor[kind / LDPC_FIXED_ROUNDINGS], phase->table[kind].half,
                         (int8_t)fixed->offset, V_SET1(phase->clip)};
}

/* low[m % 16] + high[m / 16] */
static inline vec16 scaled_16(const struct rule *rule, vec16 m)
{
    const vec16 low = ((m & 15) * rule->factor + rule->half) >> 8;
    const vec16 high = ((m & 48) * rule->factor + 128) >> 8;

    return low + high;
}

static inline vec V_SCALED(const struct rule *rule, vec m)
{
    const vec16 low = scaled_16(rule, (vec16)m & 0xff), high = scaled_16(rule, (vec16)m >> 8);
    const vec offset = V_SET1(rule->offset);

    return V_MAX((vec)(low | high << 8), offset) - offset;
}

#include "plugins/ldpc/simd/row.h"

#define GAIN_ADD_UP NULL /* that of fixed.c */
#include "plugins/ldpc/simd/along.h"
#include "plugins/ldpc/simd/lanes.h"
#include "plugins/ldpc/simd/pools.h"

const struct ldpc_kernel *ldpc_kernel_generic(void)
{
    static const struct ldpc_kernel kernel = {"generic", V_WIDTH, along, side};

    return &kernel;
}
