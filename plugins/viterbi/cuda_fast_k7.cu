/* SPDX-License-Identifier: BSD-2-Clause */
/* 133 171 and 171 133: IEEE 802.11, DVB. */
#include "cuda_fast_kernel.cuh"

typedef fast_code<7, 2, 0133, 0171> code;

/* Blocks that begin where aligned tiles have them, for the two fastest ways. */
static bool choose_aligned(const struct fast_wish *wish, struct fast_kernel *kernel)
{
    if (wish->kind == FAST_STORED)
        fast_fill_kernel<code, lanes16, FAST_I8_12, FAST_STORED, 0>(kernel);
    else if (wish->kind == FAST_ANY && wish->steps == FAST_TRACED_STEPS)
        fast_fill_kernel<code, lanes16, FAST_I8_12, FAST_ANY, FAST_TRACED_STEPS>(kernel);
    else
        return false;
    return true;
}

extern "C" bool fast_choose_k7(const struct fast_wish *wish, struct fast_kernel *kernel)
{
    if (wish->wide && wish->source == FAST_I8)
        fast_choose_kind<code, lanes32, FAST_I8, false>(wish, kernel);
    else if (wish->wide && wish->source == FAST_PUNCTURED)
        fast_choose_kind<code, lanes32, FAST_PUNCTURED, false>(wish, kernel);
    else if (wish->wide)
        return false;
    else if (wish->source == FAST_I8 && wish->at_12 && choose_aligned(wish, kernel))
        return true;
    else if (wish->source == FAST_I8)
        fast_choose_kind<code, lanes16, FAST_I8, true>(wish, kernel);
    else if (wish->source == FAST_NIBBLES)
        fast_choose_kind<code, lanes16, FAST_NIBBLES, true>(wish, kernel);
    else
        fast_choose_kind<code, lanes16, FAST_PUNCTURED, true>(wish, kernel);
    return true;
}
