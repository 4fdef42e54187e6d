/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is known of a bit beforehand, added to what arrived for it. For the CPU and CUDA, which have to
 * come to the same integer.
 */
#ifndef TURBO_CODE_APRIORI_H
#define TURBO_CODE_APRIORI_H

#include <math.h>

#include "plugins/turbo/code/qpp.h"

/* An i8 LLR plus `apriori` times `unit`, rounded, within the type; a NaN is 0, -128 is -127. */
TURBO_FN int turbo_joint(int8_t llr, float apriori, float unit)
{
    const float arrived = llr < -127 ? -127 : llr;
    const float sum = fmaf(apriori == apriori ? apriori : 0, unit, arrived);

    return (int)rintf(fminf(fmaxf(sum, -127), 127));
}

#endif
