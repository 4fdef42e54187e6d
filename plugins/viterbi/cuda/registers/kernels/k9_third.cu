/* SPDX-License-Identifier: BSD-2-Clause */
/* 557 663 711: UMTS, CDMA. */
#include "plugins/viterbi/cuda/registers/team/kernel.cuh"

extern "C" bool viterbi_choose_k9_third(const struct registers_wish *wish,
                                        struct registers_kernel *kernel)
{
    return viterbi_choose_bytes<registers_code<9, 3, 0557, 0663, 0711>>(wish, kernel);
}
