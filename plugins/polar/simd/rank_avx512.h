/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Forks with AVX-512: moving_16 and rank_8 of kernel_list.h. A frame of 8 paths has 16 candidates, a
 * vector of words, of which a bitonic network finds the least eight in order.
 */
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

/* Each word with a partner: those of `upper` keep the larger one. */
static FECRUN_ALWAYS_INLINE __m512i in_order(__m512i v, __m512i partner, __mmask16 upper)
{
    return _mm512_mask_max_epu32(_mm512_min_epu32(v, partner), upper, v, partner);
}

static FECRUN_ALWAYS_INLINE __m256i in_order_8(__m256i v, __m256i partner, __mmask8 upper)
{
    return _mm256_mask_max_epu32(_mm256_min_epu32(v, partner), upper, v, partner);
}

#define NEXT_WORD(v) _mm512_shuffle_epi32(v, 0xb1)
#define NEXT_PAIR(v) _mm512_shuffle_epi32(v, 0x4e)
#define NEXT_FOUR(v) _mm512_permutex_epi64(v, 0x4e)

/* The lower half upwards, the upper half downwards. */
static FECRUN_ALWAYS_INLINE __m512i sort_halves(__m512i v)
{
    v = in_order(v, NEXT_WORD(v), 0x6666);
    v = in_order(v, NEXT_PAIR(v), 0x3c3c);
    v = in_order(v, NEXT_WORD(v), 0x5a5a);
    v = in_order(v, NEXT_FOUR(v), 0x0ff0);
    v = in_order(v, NEXT_PAIR(v), 0x33cc);
    return in_order(v, NEXT_WORD(v), 0x55aa);
}

static FECRUN_ALWAYS_INLINE __m256i least_half(__m512i v)
{
    __m256i low = _mm256_min_epu32(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));

    low = in_order_8(low, _mm256_permute4x64_epi64(low, 0x4e), 0xf0);
    low = in_order_8(low, _mm256_shuffle_epi32(low, 0x4e), 0xcc);
    return in_order_8(low, _mm256_shuffle_epi32(low, 0xb1), 0xaa);
}

#undef NEXT_WORD
#undef NEXT_PAIR
#undef NEXT_FOUR

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
