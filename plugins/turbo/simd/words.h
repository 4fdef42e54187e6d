/* SPDX-License-Identifier: BSD-2-Clause */
/* Template: 64 lanes of 16 bits, half of them in a row, on the vectors of one vec_*.h. The includer
   defines in_order(). */
#define LANE_BITS 16

typedef int16_t lane;

#define lane_set vec_i16_set
#define lane_add vec_i16_add
#define lane_sub vec_i16_sub
#define lane_sub_wrap vec_i16_sub
#define lane_max vec_i16_max

struct rule {
    vec factor, prior, one;
};

static inline struct rule rule_of(const struct turbo_fixed *fixed)
{
    return (struct rule){vec_i16_set(fixed->factor), vec_i16_set(fixed->prior), vec_i16_set(1)};
}

/* Of the magnitude m the whole part of (2 m + 1) / 2 times the factor. */
static inline vec scaled(const struct rule *rule, vec x)
{
    const vec m = vec_i16_abs(x);
    const vec twice = vec_i16_add(vec_i16_add(m, m), rule->one);

    return vec_i16_sign(vec_u16_min(vec_u16_mul_high(twice, rule->factor), rule->prior), x);
}

/* The lanes at p, as bytes of the same signs. */
static inline vec lane_bytes(const int16_t *p)
{
    return vec_i16_to_i8_sat(vec_load_any(p), vec_load_any(p + VEC_BYTES / 2));
}

#include "plugins/turbo/simd/frames.h"
#include "plugins/turbo/simd/kernel.h"
