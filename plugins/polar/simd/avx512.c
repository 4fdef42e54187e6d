/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX-512 with VBMI: a row is a vector. */
#include "plugins/polar/simd/simd.h"

#if defined(__AVX512BW__) && defined(__AVX512VBMI__)
#include "plugins/common/vec/vec_avx512.h"

#define take_lanes(row, map, at) _mm512_permutexvar_epi8(vec_load(map), vec_load(row))

/* 4 x 4 pieces of 16 bytes change places. */
static inline void put_rows(polar_row *rows, vec a, vec b, vec c, vec d, bool half)
{
    const vec ab02 = _mm512_shuffle_i32x4(a, b, 0x88), ab13 = _mm512_shuffle_i32x4(a, b, 0xdd);
    const vec cd02 = _mm512_shuffle_i32x4(c, d, 0x88), cd13 = _mm512_shuffle_i32x4(c, d, 0xdd);

    vec_store(rows[0], _mm512_shuffle_i32x4(ab02, cd02, 0x88));
    vec_store(rows[16], _mm512_shuffle_i32x4(ab13, cd13, 0x88));
    if (half)
        return;
    vec_store(rows[32], _mm512_shuffle_i32x4(ab02, cd02, 0xdd));
    vec_store(rows[48], _mm512_shuffle_i32x4(ab13, cd13, 0xdd));
}

/* Words whose number lacks a bit get what that bit more has. */
static FECRUN_ALWAYS_INLINE void transform_8(polar_bits *w)
{
    vec v = vec_load_any(w);

    v = vec_xor(v, _mm512_maskz_permutex_epi64(0x55, v, 0xf5));
    v = vec_xor(v, _mm512_maskz_permutex_epi64(0x33, v, 0xee));
    v = vec_xor(v, _mm512_maskz_shuffle_i64x2(0x0f, v, v, 0xee));
    vec_store_any(w, v);
}

/* Where bits of `select` are: they change places with those `shift` above. */
static FECRUN_ALWAYS_INLINE vec swap_bits(vec v, int shift, int64_t select)
{
    const vec t = vec_and(vec_xor(v, vec_u64_srl(v, shift)), vec_i64_set(select));

    return vec_xor(vec_xor(v, t), vec_u64_sll(t, shift));
}

/*
 * Bit c of word r becomes bit r of word c: bytes of eight words change places with their words, then
 * bits in blocks of 8 x 8, then words with vectors, and again bytes with words.
 */
static void transpose_64(polar_bits *m)
{
    const vec bytes = _mm512_set_epi64(0x3f372f271f170f07, 0x3e362e261e160e06, 0x3d352d251d150d05,
                                       0x3c342c241c140c04, 0x3b332b231b130b03, 0x3a322a221a120a02,
                                       0x3931292119110901, 0x3830282018100800);
    vec v[8], t[8];

    for (int i = 0; i < 8; i++) {
        v[i] = _mm512_permutexvar_epi8(bytes, vec_load_any(m + 8 * i));
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
        vec_store_any(m + 8 * i, _mm512_permutexvar_epi8(bytes, t[i]));
}

#include "plugins/polar/simd/kernel.h"
#include "plugins/polar/simd/kernel_load.h"
#define RANK_8
#include "plugins/polar/simd/rank_avx512.h"

#include "plugins/polar/simd/kernel_bp.h"
#include "plugins/polar/simd/kernel_list.h"
#include "plugins/polar/simd/kernel_sc.h"
#include "plugins/polar/simd/kernel_small.h"

const struct polar_kernel *polar_kernel_avx512(void)
{
    static const struct polar_kernel kernel = {
        "avx512", load,      repeat, sc,         sc_frames, correlate, scl,
        bits_of,  transform, lanes,  bp_iterate, small,     spread,    polar_frame_avx512};

    return &kernel;
}

#else

const struct polar_kernel *polar_kernel_avx512(void)
{
    return NULL;
}

#endif
