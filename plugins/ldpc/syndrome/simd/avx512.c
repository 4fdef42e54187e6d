/* SPDX-License-Identifier: BSD-2-Clause */
/* 16 shots side by side. An edge keeps two bits a shot of its message: its row has the magnitudes. */
#include "plugins/ldpc/syndrome/simd/simd.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512DQ__)

#include <immintrin.h>

#define LANES 16

typedef __m512 floats;

#define floats_load(p) _mm512_load_ps(p)
#define floats_store(p, v) _mm512_store_ps(p, v)
#define floats_set _mm512_set1_ps
#define floats_add _mm512_add_ps
#define floats_sub _mm512_sub_ps
#define floats_mul _mm512_mul_ps
#define floats_min _mm512_min_ps
#define floats_max _mm512_max_ps
#define floats_xor _mm512_xor_ps
#define floats_pick(lanes, a, b) _mm512_mask_blend_ps(lanes, b, a)
#define floats_not_above_0(v) ((uint16_t)_mm512_cmp_ps_mask(v, _mm512_setzero_ps(), _CMP_LE_OQ))
#define floats_sign(v) _mm512_and_ps(v, floats_set(-0.0F))
#define floats_signs(lanes) _mm512_maskz_mov_ps(lanes, floats_set(-0.0F))
/* The smaller and the larger magnitude, positive. */
#define least_of(least, q) _mm512_range_ps(least, q, 0x0a)
#define most_of(least, q) _mm512_range_ps(least, q, 0x0b)

struct lanes_edge {
    __mmask16 near;  /* the least magnitude is another edge's */
    __mmask16 minus; /* q < 0 */
};

static FECRUN_ALWAYS_INLINE floats edge_message(const struct lanes_edge *edge, floats near,
                                                floats far)
{
    const floats message = _mm512_mask_blend_ps(edge->near, far, near);

    return _mm512_mask_xor_ps(message, edge->minus, message, floats_set(-0.0F));
}

static FECRUN_ALWAYS_INLINE floats edge_update(struct lanes_edge *edge, floats q, floats least,
                                               floats near, floats far)
{
    const __mmask16 above = _mm512_cmp_ps_mask(_mm512_andnot_ps(floats_set(-0.0F), q), least,
                                               _CMP_GT_OQ);

    edge->near = above;
    edge->minus = _mm512_movepi32_mask(_mm512_castps_si512(q));
    return floats_xor(_mm512_mask_blend_ps(above, far, near), floats_sign(q));
}

#define edges_start(edges, n, lanes) ((void)0)

typedef uint64_t block __attribute__((vector_size(64), may_alias));

#define block_words(v) ((unsigned)_mm512_test_epi64_mask((__m512i) * (v), (__m512i) * (v)))

static FECRUN_ALWAYS_INLINE int64_t block_cost(const block *v, const int64_t *cost, uint32_t blocks)
{
    const __mmask8 *mask = (const __mmask8 *)v;
    __m512i sum[4] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(),
                      _mm512_setzero_si512()};

    for (uint32_t i = 0; i < 64 * blocks; i += 4)
        for (uint32_t k = 0; k < 4; k++)
            sum[k] = _mm512_mask_add_epi64(sum[k], mask[i + k], sum[k],
                                           _mm512_load_si512(cost + 8 * (i + k)));
    return _mm512_reduce_add_epi64(
        _mm512_add_epi64(_mm512_add_epi64(sum[0], sum[1]), _mm512_add_epi64(sum[2], sum[3])));
}

#include "plugins/ldpc/syndrome/simd/osd.h"

#include "plugins/ldpc/syndrome/simd/lanes.h"

#include "plugins/ldpc/syndrome/simd/alone.h"

/* An iteration of 16 shots takes as long as about six of one. */
static bool decode(const struct ldpc_syndrome_simd *s, const struct ldpc_syndrome_batch *batch,
                   void *scratch)
{
    return batch->frames < 6 && s->d->rule == LDPC_SYNDROME_MIN_SUM
               ? alone_decode(s, batch, scratch)
               : lanes_decode(s, batch, scratch);
}

static size_t decode_scratch(const struct ldpc_syndrome_simd *s)
{
    const size_t alone = alone_scratch(s), lanes = lanes_scratch(s);

    return alone > lanes ? alone : lanes;
}

const struct ldpc_syndrome_kernel *ldpc_syndrome_avx512(void)
{
    static const struct ldpc_syndrome_kernel kernel = {"AVX-512", decode_scratch, decode,
                                                       true,      osd_scratch,    osd};

    return &kernel;
}

#else

const struct ldpc_syndrome_kernel *ldpc_syndrome_avx512(void)
{
    return NULL;
}

#endif
