/* SPDX-License-Identifier: BSD-2-Clause */
/* LLRs as sums take them, on the host and in kernels: no number is 0, and magnitudes end at the limit. */
#ifndef PLUGINS_COMMON_RECOVER_CLEAN_H
#define PLUGINS_COMMON_RECOVER_CLEAN_H

#include <fecrun/sdk/device.h>

FECRUN_INLINE double recover_clean(double llr, double limit)
{
    return !(llr == llr) ? 0 : llr > limit ? limit : llr < -limit ? -limit : llr;
}

FECRUN_INLINE int64_t recover_clean_int(int64_t llr, int64_t limit)
{
    return llr > limit ? limit : llr < -limit ? -limit : llr;
}

/* The same of LLRs and limits of 32 bits, and of 16, in the form that compilers make vectors of. */
FECRUN_INLINE int32_t recover_clean_int32(int32_t llr, int32_t limit)
{
    const int32_t low = llr < limit ? llr : limit;

    return low > -limit ? low : -limit;
}

FECRUN_INLINE int16_t recover_clean_int16(int16_t llr, int16_t limit)
{
    const int16_t least = (int16_t)-limit, low = llr < limit ? llr : limit;

    return low > least ? low : least;
}

#endif
