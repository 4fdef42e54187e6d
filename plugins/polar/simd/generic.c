/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors of the compiler: what it makes of them depends on the machine it compiles for. */
#include "plugins/polar/simd/simd.h"
#include "plugins/polar/simd/words.h"

#include "plugins/common/vec/vec_generic.h"

/* By way of memory: single bytes of a vector are slow to set. */
static inline vec take_lanes(const void *row, const uint8_t *map, uint32_t at)
{
    int8_t v[VEC_BYTES] __attribute__((aligned(VEC_BYTES)));

    for (uint32_t l = 0; l < VEC_BYTES; l++)
        v[l] = ((const int8_t *)row)[map[at + l]];
    return vec_load(v);
}

static inline void put_rows(polar_row *rows, vec a, vec b, vec c, vec d, bool half)
{
    (void)half;
    vec_store(rows[0], a);
    vec_store(rows[0] + 16, b);
    vec_store(rows[0] + 32, c);
    vec_store(rows[0] + 48, d);
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
                                               bp_iterate, small, spread,  NULL};

    return &kernel;
}
