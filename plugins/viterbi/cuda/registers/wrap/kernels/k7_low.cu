/* SPDX-License-Identifier: BSD-2-Clause */
/* Tail-biting frames, K = 7, rates 1/3 and 1/4: the codes of LTE, GSM and DAB. */
#include "plugins/viterbi/cuda/registers/wrap/kernel.cuh"

extern "C" bool viterbi_wrap_k7_lte(bool wide, struct registers_kernel *kernel)
{
    return wrap_choose<registers_code<7, 3, 0133, 0171, 0165>>(wide, kernel);
}

extern "C" bool viterbi_wrap_k7_gsm(bool wide, struct registers_kernel *kernel)
{
    return wrap_choose<registers_code<7, 3, 0133, 0145, 0175>>(wide, kernel);
}

extern "C" bool viterbi_wrap_k7_dab(bool wide, struct registers_kernel *kernel)
{
    return wrap_choose<registers_code<7, 4, 0133, 0171, 0145, 0133>>(wide, kernel);
}
