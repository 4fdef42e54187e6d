/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX-512 with VBMI: a row is a vector. */
#include "plugins/polar/simd/simd.h"

#if defined(__AVX512BW__) && defined(__AVX512VBMI__)
#include <fecrun/sdk/simd.h>
#include <immintrin.h>

typedef __m512i vec;
typedef __mmask64 mask;

#define V_WIDTH 64
#define V_LOAD(p) _mm512_load_si512((const void *)(p))
#define V_LOADU(p) _mm512_loadu_si512((const void *)(p))
#define V_STORE(p, v) _mm512_store_si512((void *)(p), v)
#define V_STOREU(p, v) _mm512_storeu_si512((void *)(p), v)
#define V_SET1(x) _mm512_set1_epi8(x)
#define V_MIN _mm512_min_epi8
#define V_MAX _mm512_max_epi8
#define V_MINU _mm512_min_epu8
#define V_SUB _mm512_sub_epi8
#define V_ADDS _mm512_adds_epi8
#define V_KEEP(x) __asm__("" : "+v"(x))
#define V_SUM _mm512_add_epi8
#define V_ABS _mm512_abs_epi8
#define V_BITS(m) ((polar_bits)(m))
#define V_OF_BITS(bits) ((__mmask64)(bits))
#define V_BYTES _mm512_movm_epi8
#define V_NEGATIVE _mm512_movepi8_mask
#define V_EQ _mm512_cmpeq_epi8_mask
#define V_LESSU _mm512_cmplt_epu8_mask
#define V_PICK(m, a, b) _mm512_mask_blend_epi8(m, b, a)
#define V_NEGATE(m, a) _mm512_mask_sub_epi8(a, m, _mm512_setzero_si512(), a)
#define V_LOW _mm512_unpacklo_epi8
#define V_HIGH _mm512_unpackhi_epi8
#define V_LANES(row, map, at) \
    _mm512_permutexvar_epi8(_mm512_load_si512((const void *)(map)), \
                            _mm512_load_si512((const void *)(row)))

#define V_ONES(m) _mm512_maskz_mov_epi8(m, V_SET1(1))

/* 4 x 4 pieces of 16 bytes change places. */
static inline void V_ROWS(polar_row *rows, __m512i a, __m512i b, __m512i c, __m512i d, bool half)
{
    const __m512i ab02 = _mm512_shuffle_i32x4(a, b, 0x88), ab13 = _mm512_shuffle_i32x4(a, b, 0xdd);
    const __m512i cd02 = _mm512_shuffle_i32x4(c, d, 0x88), cd13 = _mm512_shuffle_i32x4(c, d, 0xdd);

    V_STORE(rows[0], _mm512_shuffle_i32x4(ab02, cd02, 0x88));
    V_STORE(rows[16], _mm512_shuffle_i32x4(ab13, cd13, 0x88));
    if (half)
        return;
    V_STORE(rows[32], _mm512_shuffle_i32x4(ab02, cd02, 0xdd));
    V_STORE(rows[48], _mm512_shuffle_i32x4(ab13, cd13, 0xdd));
}

/* Words whose number lacks a bit get what that bit more has. */
static FECRUN_ALWAYS_INLINE void V_TRANSFORM_8(polar_bits *w)
{
    __m512i v = _mm512_loadu_si512(w);

    v = _mm512_xor_si512(v, _mm512_maskz_permutex_epi64(0x55, v, 0xf5));
    v = _mm512_xor_si512(v, _mm512_maskz_permutex_epi64(0x33, v, 0xee));
    v = _mm512_xor_si512(v, _mm512_maskz_shuffle_i64x2(0x0f, v, v, 0xee));
    _mm512_storeu_si512(w, v);
}

/* Where bits of `select` are: they change places with those `shift` above. */
static FECRUN_ALWAYS_INLINE __m512i swap_bits(__m512i v, int shift, int64_t select)
{
    const __m512i t = _mm512_and_si512(_mm512_xor_si512(v, _mm512_srli_epi64(v, (unsigned)shift)),
                                       _mm512_set1_epi64(select));

    return _mm512_xor_si512(_mm512_xor_si512(v, t), _mm512_slli_epi64(t, (unsigned)shift));
}

/*
 * Bit c of word r becomes bit r of word c: bytes of eight words change places with their words, then
 * bits in blocks of 8 x 8, then words with vectors, and again bytes with words.
 */
static void V_TRANSPOSE(polar_bits *m)
{
    const __m512i bytes = _mm512_set_epi64(
        0x3f372f271f170f07, 0x3e362e261e160e06, 0x3d352d251d150d05, 0x3c342c241c140c04,
        0x3b332b231b130b03, 0x3a322a221a120a02, 0x3931292119110901, 0x3830282018100800);
    __m512i v[8], t[8];

    for (int i = 0; i < 8; i++) {
        v[i] = _mm512_permutexvar_epi8(bytes, _mm512_loadu_si512(m + 8 * i));
        v[i] = swap_bits(v[i], 7, 0x00aa00aa00aa00aa);
        v[i] = swap_bits(v[i], 14, 0x0000cccc0000cccc);
        v[i] = swap_bits(v[i], 28, 0x00000000f0f0f0f0);
    }
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm512_unpacklo_epi64(v[i], v[i + 1]);
        t[i + 1] = _mm512_unpackhi_epi64(v[i], v[i + 1]);
    }
    for (int i = 0; i < 8; i += 4)
        for (int j = i; j < i + 2; j++) {
            v[j] = _mm512_shuffle_i64x2(t[j], t[j + 2], 0x88);
            v[j + 2] = _mm512_shuffle_i64x2(t[j], t[j + 2], 0xdd);
        }
    for (int i = 0; i < 4; i++) {
        t[i] = _mm512_shuffle_i64x2(v[i], v[i + 4], 0x88);
        t[i + 4] = _mm512_shuffle_i64x2(v[i], v[i + 4], 0xdd);
    }
    for (int i = 0; i < 8; i++)
        _mm512_storeu_si512(m + 8 * i, _mm512_permutexvar_epi8(bytes, t[i]));
}

#include "plugins/polar/simd/kernel.h"
#include "plugins/polar/simd/kernel_load.h"
#define V_RANKS 1
#include "plugins/polar/simd/rank_avx512.h"

#include "plugins/polar/simd/kernel_bp.h"
#include "plugins/polar/simd/kernel_list.h"
#include "plugins/polar/simd/kernel_sc.h"
#include "plugins/polar/simd/kernel_small.h"

const struct polar_kernel *polar_kernel_avx512(void)
{
    static const struct polar_kernel kernel = {"avx512",   load,  repeat,  sc,        sc_frames,
                                               correlate,  scl,   bits_of, transform, lanes,
                                               bp_iterate, small, spread};

    return &kernel;
}

#else

const struct polar_kernel *polar_kernel_avx512(void)
{
    return NULL;
}

#endif
