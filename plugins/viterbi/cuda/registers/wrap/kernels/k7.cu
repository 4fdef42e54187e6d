/* SPDX-License-Identifier: BSD-2-Clause */
/* Tail-biting frames, K = 7, rate 1/2: 133 171, also with an inverted output. */
#include "plugins/viterbi/cuda/registers/wrap/kernel.cuh"

extern "C" bool viterbi_wrap_k7(bool wide, struct registers_kernel *kernel)
{
    return wrap_choose<registers_code<7, 2, 0133, 0171>>(wide, kernel);
}

extern "C" bool viterbi_wrap_k7_inverted(bool wide, struct registers_kernel *kernel)
{
    return wrap_choose<registers_code<7, 2, 0171, 0133, 0, 0, 2>>(wide, kernel);
}
