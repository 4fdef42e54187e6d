/* SPDX-License-Identifier: BSD-2-Clause */
/* 133 171 165 and 133 145 175: LTE, GSM. */
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

extern "C" bool viterbi_choose_k7_lte(const struct registers_wish *wish,
                                      struct registers_kernel *kernel)
{
    return choose<registers_code<7, 3, 0133, 0171, 0165>>(wish, kernel);
}

extern "C" bool viterbi_choose_k7_gsm(const struct registers_wish *wish,
                                      struct registers_kernel *kernel)
{
    return choose<registers_code<7, 3, 0133, 0145, 0175>>(wish, kernel);
}
