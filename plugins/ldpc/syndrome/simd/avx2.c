/* SPDX-License-Identifier: BSD-2-Clause */
/* Eight shots side by side. An edge keeps two bits a shot of its message: its row has the magnitudes. */
#include "plugins/ldpc/syndrome/simd/simd.h"

#if defined(__AVX2__)

#include <immintrin.h>

#include "plugins/ldpc/syndrome/simd/bits.h"

#define LANES 8

typedef __m256 floats;

#define floats_load(p) _mm256_load_ps(p)
#define floats_store(p, v) _mm256_store_ps(p, v)
#define floats_set _mm256_set1_ps
#define floats_add _mm256_add_ps
#define floats_sub _mm256_sub_ps
#define floats_mul _mm256_mul_ps
#define floats_min _mm256_min_ps
#define floats_max _mm256_max_ps
#define floats_xor _mm256_xor_ps
#define floats_pick(lanes, a, b) _mm256_blendv_ps(b, a, lane_sign(lanes, 0))
#define floats_not_above_0(v) \
    ((uint16_t)_mm256_movemask_ps(_mm256_cmp_ps(v, _mm256_setzero_ps(), _CMP_LE_OQ)))
#define floats_sign(v) _mm256_and_ps(v, floats_set(-0.0F))
#define floats_signs(lanes) floats_sign(lane_sign(lanes, 0))
#define magnitude(q) _mm256_andnot_ps(floats_set(-0.0F), q)
#define least_of(least, q) floats_min(least, magnitude(q))
#define most_of(least, q) floats_max(least, magnitude(q))

/* Bit i, counted from `first` on, as the sign of lane i. */
static FECRUN_ALWAYS_INLINE floats lane_sign(uint32_t bits, int first)
{
    const __m256i left = _mm256_sub_epi32(_mm256_setr_epi32(31, 30, 29, 28, 27, 26, 25, 24),
                                          _mm256_set1_epi32(first));

    return _mm256_castsi256_ps(_mm256_sllv_epi32(_mm256_set1_epi32((int)bits), left));
}

struct lanes_edge {
    uint16_t bits; /* 0 to 7: the least magnitude is another edge's; 8 to 15: q < 0 */
};

static FECRUN_ALWAYS_INLINE floats edge_message(const struct lanes_edge *edge, floats near,
                                                floats far)
{
    const floats message = _mm256_blendv_ps(far, near, lane_sign(edge->bits, 0));

    return floats_xor(message, floats_sign(lane_sign(edge->bits, 8)));
}

static FECRUN_ALWAYS_INLINE floats edge_update(struct lanes_edge *edge, floats q, floats least,
                                               floats near, floats far)
{
    const floats above = _mm256_cmp_ps(magnitude(q), least, _CMP_GT_OQ);

    edge->bits = (uint16_t)(_mm256_movemask_ps(above) | _mm256_movemask_ps(q) << 8);
    return floats_xor(_mm256_blendv_ps(far, near, above), floats_sign(q));
}

#define edges_start(edges, n, lanes) ((void)0)

#include "plugins/ldpc/syndrome/simd/osd.h"

#include "plugins/ldpc/syndrome/simd/lanes.h"

const struct ldpc_syndrome_kernel *ldpc_syndrome_avx2(void)
{
    static const struct ldpc_syndrome_kernel kernel = {"AVX2", lanes_scratch, lanes_decode,
                                                       false,  osd_scratch,   osd};

    return &kernel;
}

#else

const struct ldpc_syndrome_kernel *ldpc_syndrome_avx2(void)
{
    return NULL;
}

#endif
