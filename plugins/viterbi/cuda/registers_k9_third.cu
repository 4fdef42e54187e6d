/* SPDX-License-Identifier: BSD-2-Clause */
/* 557 663 711: UMTS, CDMA. */
#include "cuda_fast_team_kernel.cuh"

extern "C" bool fast_choose_k9_third(const struct fast_wish *wish, struct fast_kernel *kernel)
{
    return fast_choose_bytes<fast_code<9, 3, 0557, 0663, 0711>>(wish, kernel);
}
