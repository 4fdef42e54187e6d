/* SPDX-License-Identifier: BSD-2-Clause */
/* 133 171 and 171 133: IEEE 802.11, DVB. */
#include "plugins/viterbi/cuda/registers/kernel.cuh"

typedef registers_code<7, 2, 0133, 0171> code;

extern "C" bool viterbi_choose_k7(const struct registers_wish *wish,
                                  struct registers_kernel *kernel)
{
    if (wish->source == REGISTERS_FLOATS)
        return viterbi_choose_k7_float(wish, kernel, false);
    if (wish->wide && wish->fine && wish->source != REGISTERS_NIBBLES)
        return viterbi_choose_k7_fine(wish, kernel);
    if (wish->wide && wish->source == REGISTERS_I8)
        viterbi_choose_kind<code, lanes32, REGISTERS_I8, false>(wish, kernel);
    else if (wish->wide && wish->source == REGISTERS_PUNCTURED)
        viterbi_choose_kind<code, lanes32, REGISTERS_PUNCTURED, false>(wish, kernel);
    else if (wish->wide)
        return false;
    else if (wish->source == REGISTERS_I8)
        viterbi_choose_kind<code, lanes16, REGISTERS_I8, true>(wish, kernel);
    else if (wish->source == REGISTERS_NIBBLES)
        viterbi_choose_kind<code, lanes16, REGISTERS_NIBBLES, true>(wish, kernel);
    else
        viterbi_choose_kind<code, lanes16, REGISTERS_PUNCTURED, true>(wish, kernel);
    return true;
}
