/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template: 64 lanes of bytes, on the vectors of one vec_*.h. The includer defines in_order() and
 *   struct rule, rule_of(fixed), scaled(rule, x)   doc/turbo.md: extrinsic LLRs, scaled
 */
#define LANE_BITS 8

typedef int8_t lane;

#define lane_set vec_i8_set
#define lane_add vec_i8_add_sat
#define lane_sub vec_i8_sub_sat
#define lane_sub_wrap vec_i8_sub
#define lane_max vec_i8_max

/* The lanes at p, as bytes of the same signs. */
static inline vec lane_bytes(const int8_t *p)
{
    return vec_load_any(p);
}

#include "plugins/turbo/simd/frames.h"
#include "plugins/turbo/simd/kernel.h"
