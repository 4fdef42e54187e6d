/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors of the compiler: what it makes of them depends on the machine it compiles for. */
#include <string.h>

#include "plugins/turbo/simd/simd.h"

typedef int8_t vec __attribute__((vector_size(16), may_alias));
typedef uint8_t uvec __attribute__((vector_size(16)));
typedef uint16_t vec16 __attribute__((vector_size(16)));

#define V_WIDTH 16
#define V_LOAD(p) (*(const vec *)(const void *)(p))
#define V_STORE(p, v) (*(vec *)(void *)(p) = (v))
#define V_SET1(x) ((vec){0} + (int8_t)(x))

static inline vec choose(vec mask, vec one, vec other)
{
    return (one & mask) | (other & ~mask);
}

static inline vec V_MAX(vec a, vec b)
{
    return choose(a > b, a, b);
}

static inline vec V_SUB(vec a, vec b)
{
    return (vec)((uvec)a - (uvec)b);
}

/* The sum of two of the same sign that has another one is replaced by the end of that side. */
static inline vec V_ADDS(vec a, vec b)
{
    const vec sum = (vec)((uvec)a + (uvec)b), end = (a < 0) ^ V_SET1(127);

    return choose((~(a ^ b) & (a ^ sum)) < 0, end, sum);
}

static inline vec V_SUBS(vec a, vec b)
{
    const vec difference = V_SUB(a, b), end = (a < 0) ^ V_SET1(127);

    return choose(((a ^ b) & (a ^ difference)) < 0, end, difference);
}

struct rule {
    uint16_t factor;
    vec clip;
};

static inline struct rule rule_of(const struct turbo_fixed *fixed)
{
    return (struct rule){fixed->factor, V_SET1(fixed->clip)};
}

/* low[m % 16] + high[m / 16] */
static inline vec16 scaled_16(const struct rule *rule, vec16 m)
{
    return (((m & 15) * rule->factor + 127) >> 8) + (((m & 48) * rule->factor + 127) >> 8);
}

static inline vec V_SCALED(const struct rule *rule, vec x)
{
    const vec negative = x < 0;
    vec m = (vec)((uvec)(x ^ negative) - (uvec)negative); /* -128 becomes 128 */
    vec scaled;

    m = choose((vec)((uvec)m < (uvec)rule->clip), m, rule->clip);
    scaled = (vec)(scaled_16(rule, (vec16)m & 0xff) | scaled_16(rule, (vec16)m >> 8) << 8);
    return (vec)((uvec)(scaled ^ negative) - (uvec)negative);
}

/* Eight signs at a time: a product moves the lowest bits of eight bytes into its highest byte. */
static inline uint64_t sign_bits(const int8_t *p)
{
    uint8_t byte[8];
    uint64_t bits;

    for (unsigned i = 0; i < 8; i++) {
        uint64_t x = 0;

        for (unsigned j = 0; j < 8; j++)
            x |= (uint64_t)((uint8_t)p[8 * i + j] >> 7) << 8 * j;
        byte[i] = (uint8_t)(x * 0x8040201008040201 >> 56);
    }
    memcpy(&bits, byte, sizeof bits);
    return bits;
}

#include "plugins/turbo/simd/frames.h"
#include "plugins/turbo/simd/kernel.h"

static void gather(const struct turbo_simd *s, const turbo_row *from, turbo_row *to)
{
    for (uint32_t x = 0; x < s->steps; x++)
        for (uint32_t l = 0; l < TURBO_LANES; l++)
            to[x][l] = from[s->row[x]][s->read[x][l]];
}

static void scatter(const struct turbo_simd *s, const turbo_row *from, const turbo_row *sys,
                    turbo_row *to)
{
    for (uint32_t x = 0; x < s->steps; x++) {
        int8_t *row = to[s->row[x]];

        for (uint32_t l = 0; l < TURBO_LANES; l++)
            row[l] = from[x][s->write[x][l]];
        for (uint32_t l = 0; l < TURBO_LANES && sys; l += V_WIDTH)
            V_STORE(row + l, V_ADDS(V_LOAD(row + l), V_LOAD(sys[s->row[x]] + l)));
    }
}

const struct turbo_kernel *turbo_kernel_generic(void)
{
    static const struct turbo_kernel kernel = {"generic", half,     gather, scatter,
                                               add_up,    quantise, decide};

    return &kernel;
}
