/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors of the compiler: 64 lanes of bytes. */
#include "plugins/turbo/simd/simd.h"

#define V_LANE int8_t
#define U_LANE uint8_t
#include "plugins/turbo/simd/generic.h"

typedef uint16_t vec16 __attribute__((vector_size(16)));

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

#include "plugins/turbo/simd/frames.h"
#include "plugins/turbo/simd/kernel.h"

const struct turbo_kernel *turbo_kernel_generic(void)
{
    return &kernel;
}
