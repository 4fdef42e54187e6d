/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Forks with AVX-512: moving_16 and rank_8 of kernel_list.h. A frame of 8 paths has 16 candidates, a
 * vector of words, of which a bitonic network finds the least eight in order.
 */
#include "plugins/polar/simd/frame/sort_avx512.h"

/* Lanes whose other choice is better than the last path of their frame, or that are worse than the
   next one. P is 16 at most. */
static inline polar_bits moving_16(const struct polar_paths *p)
{
    const __m512i last = _mm512_load_si512(p->last), next = _mm512_load_si512(p->next);
    polar_bits moving = 0;

    for (uint32_t l = 0; l < POLAR_LANES; l += 16) {
        const __m512i m = _mm512_load_si512(p->metric + l);
        const __m256i penalty = _mm256_load_si256((const void *)(p->penalty + l));
        const __m512i other = _mm512_add_epi32(m, _mm512_cvtepu16_epi32(penalty));
        const __mmask16 better = _mm512_cmplt_epu32_mask(other, _mm512_permutexvar_epi32(last, m));
        const __mmask16 worse = _mm512_cmpgt_epu32_mask(m, _mm512_permutexvar_epi32(next, m));

        moving |= (polar_bits)(uint16_t)(better | worse) << l;
    }
    return moving;
}

/* rank_frame() of a frame of 8 lanes. */
static inline void rank_8(struct polar_paths *p, uint32_t first)
{
    const __m256i m = _mm256_load_si256((const void *)(p->metric + first));
    const __m256i penalty = _mm256_cvtepu16_epi32(
        _mm_load_si128((const void *)(p->penalty + first)));
    const __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(m), _mm256_add_epi32(m, penalty),
                                            1);
    const __m512i number = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m256i key = least_half(
        sort_halves(_mm512_or_si512(_mm512_slli_epi32(both, 6), number)));
    const __m128i of = _mm256_cvtepi32_epi8(key);
    const __m128i parent = _mm_add_epi8(_mm_and_si128(of, _mm_set1_epi8(7)),
                                        _mm_set1_epi8((char)first));
    const __mmask8 none = (__mmask8)(0xff << p->most);

    _mm_storel_epi64((void *)(p->parent + first), parent);
    _mm_storel_epi64((void *)(p->other + first),
                     _mm_movm_epi8(_mm_test_epi8_mask(of, _mm_set1_epi8(8))));
    _mm256_store_si256(
        (void *)(p->metric + first),
        _mm256_mask_mov_epi32(_mm256_srli_epi32(key, 6), none, _mm256_set1_epi32(POLAR_NO_PATH)));
}
