/* SPDX-License-Identifier: BSD-2-Clause */
/* Four shots side by side, in vectors of the compiler. An edge keeps its message. */
#include "plugins/ldpc/syndrome/simd/simd.h"

#include "plugins/common/vec/vec_generic.h"
#include "plugins/ldpc/syndrome/simd/bits.h"

#define LANES 4

typedef vec_f32 floats;

#define floats_load vec_f32_load
#define floats_store vec_f32_store
#define floats_set vec_f32_set
#define floats_add vec_f32_add
#define floats_sub vec_f32_sub
#define floats_mul vec_f32_mul
#define floats_min vec_f32_min
#define floats_max vec_f32_max
#define floats_xor vec_f32_xor
#define floats_pick(lanes, a, b) ((vec_f32)vec_i8_pick(lane_masks(lanes), (vec)(a), (vec)(b)))
#define floats_sign(v) vec_f32_and(v, floats_set(-0.0F))
#define floats_signs(lanes) floats_sign((vec_f32)lane_masks(lanes))
#define magnitude(q) ((vec_f32)vec_andnot((vec)floats_set(-0.0F), (vec)(q)))
#define least_of(least, q) floats_min(least, magnitude(q))
#define most_of(least, q) floats_max(least, magnitude(q))

static FECRUN_ALWAYS_INLINE vec lane_masks(uint32_t lanes)
{
    const vec_lanes_u32 bit = {1, 2, 4, 8};

    return (vec)((((vec_lanes_u32){0} + lanes) & bit) == bit);
}

static FECRUN_ALWAYS_INLINE uint16_t floats_not_above_0(floats v)
{
    const vec_lanes_u32 bit = (vec_lanes_u32)(v <= 0) & (vec_lanes_u32){1, 2, 4, 8};

    return (uint16_t)(bit[0] | bit[1] | bit[2] | bit[3]);
}

struct lanes_edge {
    floats message;
};

#define edge_message(edge, near, far) ((void)(near), (void)(far), (edge)->message)

static FECRUN_ALWAYS_INLINE floats edge_update(struct lanes_edge *edge, floats q, floats least,
                                               floats near, floats far)
{
    const vec above = (vec)(magnitude(q) > least);

    edge->message = floats_xor((vec_f32)vec_i8_pick(above, (vec)near, (vec)far), floats_sign(q));
    return edge->message;
}

static void edges_start(struct lanes_edge *edge, uint32_t n, uint32_t lanes)
{
    const vec entering = lane_masks(lanes);

    for (uint32_t e = 0; e < n; e++)
        edge[e].message = (vec_f32)vec_andnot(entering, (vec)edge[e].message);
}

#include "plugins/ldpc/syndrome/simd/osd.h"

#include "plugins/ldpc/syndrome/simd/lanes.h"

const struct ldpc_syndrome_kernel *ldpc_syndrome_generic(void)
{
    static const struct ldpc_syndrome_kernel kernel = {"generic", lanes_scratch, lanes_decode,
                                                       false,     osd_scratch,   osd};

    return &kernel;
}
