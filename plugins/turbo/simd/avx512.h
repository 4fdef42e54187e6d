/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX-512 with VBMI: what vectors of bytes and of 16 bits share. A vector is a row. */
#include <immintrin.h>
#include <string.h>

typedef __m512i vec;

#define V_WIDTH 64
#define V_LOAD(p) _mm512_load_si512((const void *)(p))
#define V_STORE(p, v) _mm512_store_si512((void *)(p), v)

/* Bytes of a row in the order of an index. */
static inline vec V_ORDER(const int8_t *row, const int8_t *index, uint32_t at, uint32_t span)
{
    (void)at, (void)span;
    return _mm512_permutexvar_epi8(V_LOAD(index), V_LOAD(row));
}

/* Signs of 64 bytes, the first one of each eight highest. */
static inline uint64_t turned_signs(__m512i x)
{
    const __m512i turned = _mm512_set4_epi64(0x08090a0b0c0d0e0f, 0x0001020304050607,
                                             0x08090a0b0c0d0e0f, 0x0001020304050607);

    return _mm512_movepi8_mask(_mm512_shuffle_epi8(x, turned));
}
