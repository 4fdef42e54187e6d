/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX-512 with VBMI: 64 lanes of bytes. */
#include "plugins/turbo/simd/simd.h"

#if defined(__AVX512BW__) && defined(__AVX512VBMI__)
#include "plugins/turbo/simd/avx512.h"

struct rule {
    vec scaled, clip; /* scaled[m] */
};

static inline struct rule rule_of(const struct turbo_fixed *fixed)
{
    uint8_t table[TURBO_TABLE];

    for (unsigned m = 0; m < TURBO_TABLE; m++)
        table[m] = (uint8_t)(fixed->low[m % 16] + fixed->high[m / 16]);
    return (struct rule){vec_load_any(table), vec_i8_set(fixed->clip)};
}

static inline vec scaled(const struct rule *rule, vec x)
{
    const vec m = vec_u8_min(vec_i8_abs(x), rule->clip);

    return vec_i8_sign(_mm512_permutexvar_epi8(m, rule->scaled), x);
}

#include "plugins/turbo/simd/bytes.h"

const struct turbo_kernel *turbo_kernel_avx512(void)
{
    return &kernel;
}

#else

const struct turbo_kernel *turbo_kernel_avx512(void)
{
    return NULL;
}

#endif
