/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors of the compiler: 32 lanes of 16 bits. */
#include "plugins/turbo/simd/simd.h"

#define V_WORDS
#define V_LANE int16_t
#define U_LANE uint16_t
#include "plugins/turbo/simd/generic.h"

typedef uint32_t vec32 __attribute__((vector_size(16)));

static inline vec V_ADDS(vec a, vec b)
{
    return (vec)((uvec)a + (uvec)b);
}

#define V_SUBS V_SUB

struct rule {
    uint32_t factor;
    vec prior;
};

static inline struct rule rule_of(const struct turbo_fixed *fixed)
{
    return (struct rule){fixed->factor, V_SET1(fixed->prior)};
}

/* Of the magnitude m the whole part of (2 m + 1) / 2 times the factor. */
static inline vec V_SCALED(const struct rule *rule, vec x)
{
    const vec negative = x < 0;
    const uvec m = (uvec)(x ^ negative) - (uvec)negative, twice = m + m + 1;
    const vec32 even = ((vec32)twice & 0xffff) * rule->factor >> 16;
    const vec32 odd = ((vec32)twice >> 16) * rule->factor & 0xffff0000;
    vec scaled = (vec)(even | odd);

    scaled = choose(scaled < rule->prior, scaled, rule->prior);
    return (vec)((uvec)(scaled ^ negative) - (uvec)negative);
}

#include "plugins/turbo/simd/frames.h"
#include "plugins/turbo/simd/kernel.h"

const struct turbo_kernel *turbo_kernel_generic_words(void)
{
    return &kernel;
}
