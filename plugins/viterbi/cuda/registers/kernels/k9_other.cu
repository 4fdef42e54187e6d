/* SPDX-License-Identifier: BSD-2-Clause */
/* 561 753 and 753 561: UMTS, CDMA. Nibbles and punctured input. */
#include "plugins/viterbi/cuda/registers/team/kernel.cuh"

typedef registers_code<9, 2, 0561, 0753> code;
typedef registers_team<code, lanes16, 2, REGISTERS_THREADS> two_tiles;
typedef registers_team<code, lanes32, 2, REGISTERS_THREADS> one_tile;

extern "C" bool viterbi_choose_k9_other(const struct registers_wish *wish,
                                        struct registers_kernel *kernel)
{
    if (wish->source == REGISTERS_I8 || wish->source == REGISTERS_FLOATS ||
        (wish->wide && wish->source == REGISTERS_NIBBLES))
        return false;
    if (wish->wide)
        viterbi_choose_team<one_tile, REGISTERS_PUNCTURED, false>(wish, kernel);
    else if (wish->source == REGISTERS_NIBBLES)
        viterbi_choose_team<two_tiles, REGISTERS_NIBBLES, false>(wish, kernel);
    else
        viterbi_choose_team<two_tiles, REGISTERS_PUNCTURED, false>(wish, kernel);
    return true;
}
