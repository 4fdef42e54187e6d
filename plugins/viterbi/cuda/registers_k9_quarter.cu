/* SPDX-License-Identifier: BSD-2-Clause */
/* 765 671 513 473: CDMA2000. */
#include "cuda_fast_team_kernel.cuh"

extern "C" bool fast_choose_k9_quarter(const struct fast_wish *wish, struct fast_kernel *kernel)
{
    return fast_choose_bytes<fast_code<9, 4, 0765, 0671, 0513, 0473>>(wish, kernel);
}
