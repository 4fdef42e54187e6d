/* SPDX-License-Identifier: BSD-2-Clause */
/* 133 171 and 171 133 with large LLRs, two tiles a thread. */
#include "plugins/viterbi/cuda/registers/kernel.cuh"

typedef registers_code<7, 2, 0133, 0171> code;

extern "C" bool viterbi_choose_k7_fine(const struct registers_wish *wish,
                                       struct registers_kernel *kernel)
{
    if (wish->source == REGISTERS_I8)
        viterbi_choose_kind<code, lanes12, REGISTERS_I8, true>(wish, kernel);
    else
        viterbi_choose_kind<code, lanes12, REGISTERS_PUNCTURED, true>(wish, kernel);
    return true;
}
