/* SPDX-License-Identifier: BSD-2-Clause */
/* 133 171 145 133: DAB. */
#include "plugins/viterbi/cuda/registers/kernel.cuh"

template <class Code>
static bool choose(const struct registers_wish *wish, struct registers_kernel *kernel)
{
    if (wish->source != REGISTERS_I8)
        return false;
    if (wish->wide)
        viterbi_choose_kind<Code, lanes32, REGISTERS_I8, false>(wish, kernel);
    else
        viterbi_choose_kind<Code, lanes16, REGISTERS_I8, true>(wish, kernel);
    return true;
}

extern "C" bool viterbi_choose_k7_dab(const struct registers_wish *wish,
                                      struct registers_kernel *kernel)
{
    return choose<registers_code<7, 4, 0133, 0171, 0145, 0133>>(wish, kernel);
}
