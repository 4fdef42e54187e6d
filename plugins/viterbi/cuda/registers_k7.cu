/* SPDX-License-Identifier: BSD-2-Clause */
/* 133 171 and 171 133: IEEE 802.11, DVB. */
#include "cuda_fast_kernel.cuh"

typedef fast_code<7, 2, 0133, 0171> code;

extern "C" bool fast_choose_k7(const struct fast_wish *wish, struct fast_kernel *kernel)
{
    if (wish->wide && wish->source == FAST_I8)
        fast_choose_kind<code, lanes32, FAST_I8, false>(wish, kernel);
    else if (wish->wide && wish->source == FAST_PUNCTURED)
        fast_choose_kind<code, lanes32, FAST_PUNCTURED, false>(wish, kernel);
    else if (wish->wide)
        return false;
    else if (wish->source == FAST_I8)
        fast_choose_kind<code, lanes16, FAST_I8, true>(wish, kernel);
    else if (wish->source == FAST_NIBBLES)
        fast_choose_kind<code, lanes16, FAST_NIBBLES, true>(wish, kernel);
    else
        fast_choose_kind<code, lanes16, FAST_PUNCTURED, true>(wish, kernel);
    return true;
}
