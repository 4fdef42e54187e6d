/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors of the compiler: 64 lanes of bytes. */
#include "plugins/turbo/simd/simd.h"

#include "plugins/turbo/simd/generic.h"

struct rule {
    uint16_t factor;
    vec clip;
};

static inline struct rule rule_of(const struct turbo_fixed *fixed)
{
    return (struct rule){fixed->factor, vec_i8_set(fixed->clip)};
}

/* low[m % 16] + high[m / 16] */
static inline vec_lanes_u16 scaled_16(const struct rule *rule, vec_lanes_u16 m)
{
    return (((m & 15) * rule->factor + 127) >> 8) + (((m & 48) * rule->factor + 127) >> 8);
}

static inline vec scaled(const struct rule *rule, vec x)
{
    const vec_lanes_u16 m = (vec_lanes_u16)vec_u8_min(vec_i8_abs(x), rule->clip);

    return vec_i8_sign((vec)(scaled_16(rule, m & 255) | scaled_16(rule, m >> 8) << 8), x);
}

#include "plugins/turbo/simd/bytes.h"

const struct turbo_kernel *turbo_kernel_generic(void)
{
    return &kernel;
}
