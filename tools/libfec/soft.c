/* SPDX-License-Identifier: BSD-2-Clause */
#define FEC_SOFT(name) fec_soft_##name##_generic
#include "tools/libfec/soft_loops.h"

static bool has_avx2(void)
{
#if defined(HAVE_AVX2)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

/* So many of them are done by vectors. */
static size_t wide_part(size_t count)
{
    return has_avx2() ? count / FEC_WIDE * FEC_WIDE : 0;
}

int fec_soft_factor(const uint8_t *symbols, size_t count, int llr_max)
{
    const size_t wide = wide_part(count);
    uint64_t sum, said, wide_sum, wide_said, factor;

    fec_soft_sums_generic(symbols + wide, count - wide, &sum, &said);
    if (wide) {
        fec_soft_sums_avx2(symbols, wide, &wide_sum, &wide_said);
        sum += wide_sum;
        said += wide_said;
    }
    if (!said)
        return FEC_MOST_FACTOR;
    factor = (256 * 6 * (uint64_t)llr_max * said + 5 * sum) / (10 * sum);
    return factor > FEC_MOST_FACTOR ? FEC_MOST_FACTOR : (int)factor;
}

int8_t fec_soft(int symbol, int factor, int llr_max)
{
    int llr = ((MIDDLE - symbol) * factor + 128) >> 8;

    return (int8_t)(llr > llr_max ? llr_max : llr < -llr_max ? -llr_max : llr);
}

void fec_soft_all(const uint8_t *symbols, size_t count, int factor, int llr_max, int8_t *llrs)
{
    const size_t wide = wide_part(count);

    if (wide)
        fec_soft_all_avx2(symbols, wide, factor, llr_max, llrs);
    fec_soft_all_generic(symbols + wide, count - wide, factor, llr_max, llrs + wide);
}
