/* SPDX-License-Identifier: BSD-2-Clause */
/* 561 753 and 753 561: UMTS, CDMA. */
#include "cuda_fast_team_kernel.cuh"

typedef fast_code<9, 2, 0561, 0753> code;
typedef fast_team<code, lanes16, 2, FAST_THREADS> two_tiles;
typedef fast_team<code, lanes32, 2, FAST_THREADS> one_tile;

extern "C" bool fast_choose_k9(const struct fast_wish *wish, struct fast_kernel *kernel)
{
    if (wish->wide && wish->source == FAST_PUNCTURED)
        fast_choose_team<one_tile, FAST_PUNCTURED, false>(wish, kernel);
    else if (wish->source == FAST_I8)
        return fast_choose_bytes<code>(wish, kernel);
    else if (wish->wide)
        return false;
    else if (wish->source == FAST_NIBBLES)
        fast_choose_team<two_tiles, FAST_NIBBLES, false>(wish, kernel);
    else
        fast_choose_team<two_tiles, FAST_PUNCTURED, false>(wish, kernel);
    return true;
}
