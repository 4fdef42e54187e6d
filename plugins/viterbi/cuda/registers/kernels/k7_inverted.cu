/* SPDX-License-Identifier: BSD-2-Clause */
/* 171 133, the second output inverted: CCSDS. */
#include "plugins/viterbi/cuda/registers/kernel.cuh"

typedef registers_code<7, 2, 0171, 0133, 0, 0, 2> code;

extern "C" bool viterbi_choose_k7_inverted(const struct registers_wish *wish,
                                           struct registers_kernel *kernel)
{
    if (wish->source == REGISTERS_FLOATS)
        return viterbi_choose_k7_float(wish, kernel, true);
    if (wish->source == REGISTERS_NIBBLES || (wish->wide && wish->source != REGISTERS_I8))
        return false;
    if (wish->wide && wish->fine)
        viterbi_choose_kind<code, lanes12, REGISTERS_I8, true>(wish, kernel);
    else if (wish->wide)
        viterbi_choose_kind<code, lanes32, REGISTERS_I8, false>(wish, kernel);
    else if (wish->source == REGISTERS_I8)
        viterbi_choose_kind<code, lanes16, REGISTERS_I8, true>(wish, kernel);
    else
        viterbi_choose_kind<code, lanes16, REGISTERS_PUNCTURED, true>(wish, kernel);
    return true;
}
