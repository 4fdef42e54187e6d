/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX2: extrinsic LLRs of bytes, scaled. */
#include "plugins/common/vec/vec_avx2.h"

struct rule {
    vec low, high, clip;
};

static inline struct rule rule_of(const struct turbo_fixed *fixed)
{
    uint8_t high[16] = {0};

    memcpy(high, fixed->high, sizeof fixed->high);
    return (struct rule){
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)fixed->low)),
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)high)),
        vec_i8_set(fixed->clip)};
}

static inline vec scaled(const struct rule *rule, vec x)
{
    const vec m = vec_u8_min(vec_i8_abs(x), rule->clip);
    const vec top = vec_and(vec_u16_srl(m, 4), vec_i8_set(15));

    return vec_i8_sign(
        vec_i8_add(_mm256_shuffle_epi8(rule->low, m), _mm256_shuffle_epi8(rule->high, top)), x);
}
