/* SPDX-License-Identifier: BSD-2-Clause */
/* 765 671 513 473: CDMA2000. */
#include "plugins/viterbi/cuda/registers/team/kernel.cuh"

extern "C" bool viterbi_choose_k9_quarter(const struct registers_wish *wish,
                                          struct registers_kernel *kernel)
{
    return viterbi_choose_bytes<registers_code<9, 4, 0765, 0671, 0513, 0473>>(wish, kernel);
}
