/* SPDX-License-Identifier: BSD-2-Clause */
/* 133 171 165 and 133 145 175: LTE, GSM. */
#include "cuda_fast_kernel.cuh"

template <class Code>
static bool choose(const struct fast_wish *wish, struct fast_kernel *kernel)
{
    if (wish->source != FAST_I8)
        return false;
    if (wish->wide)
        fast_choose_kind<Code, lanes32, FAST_I8, false>(wish, kernel);
    else
        fast_choose_kind<Code, lanes16, FAST_I8, true>(wish, kernel);
    return true;
}

extern "C" bool fast_choose_k7_lte(const struct fast_wish *wish, struct fast_kernel *kernel)
{
    return choose<fast_code<7, 3, 0133, 0171, 0165>>(wish, kernel);
}

extern "C" bool fast_choose_k7_gsm(const struct fast_wish *wish, struct fast_kernel *kernel)
{
    return choose<fast_code<7, 3, 0133, 0145, 0175>>(wish, kernel);
}
