/* SPDX-License-Identifier: BSD-2-Clause */
/* 171 133, the second output inverted: CCSDS. */
#include "cuda_fast_kernel.cuh"

typedef fast_code<7, 2, 0171, 0133, 0, 0, 2> code;

extern "C" bool fast_choose_k7_inverted(const struct fast_wish *wish, struct fast_kernel *kernel)
{
    if (wish->source == FAST_NIBBLES || (wish->wide && wish->source != FAST_I8))
        return false;
    if (wish->wide)
        fast_choose_kind<code, lanes32, FAST_I8, false>(wish, kernel);
    else if (wish->source == FAST_I8)
        fast_choose_kind<code, lanes16, FAST_I8, true>(wish, kernel);
    else
        fast_choose_kind<code, lanes16, FAST_PUNCTURED, true>(wish, kernel);
    return true;
}
