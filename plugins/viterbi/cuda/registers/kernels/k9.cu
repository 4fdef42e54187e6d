/* SPDX-License-Identifier: BSD-2-Clause */
/* 561 753 and 753 561: UMTS, CDMA. I8 LLRs; k9_other.cu has the other kinds of input. */
#include "plugins/viterbi/cuda/registers/team/kernel.cuh"

extern "C" bool viterbi_choose_k9(const struct registers_wish *wish,
                                  struct registers_kernel *kernel)
{
    if (wish->source != REGISTERS_I8)
        return viterbi_choose_k9_other(wish, kernel);
    return viterbi_choose_bytes<registers_code<9, 2, 0561, 0753>>(wish, kernel);
}
