/* SPDX-License-Identifier: BSD-2-Clause */
/* 133 171 and 171 133, f32 LLRs; the same with its second output inverted. */
#include "plugins/viterbi/cuda/registers/kernel.cuh"

template <class Code>
static bool choose(const struct registers_wish *wish, struct registers_kernel *kernel)
{
    if (wish->kind == REGISTERS_WHOLE)
        return false;
    if (wish->kind == REGISTERS_STORED)
        registers_fill_kernel<Code, lanes_float, REGISTERS_FLOATS, REGISTERS_STORED, 0>(kernel);
    else
        registers_fill_kernel<Code, lanes_float, REGISTERS_FLOATS, REGISTERS_ANY, 0>(kernel);
    return true;
}

extern "C" bool viterbi_choose_k7_float(const struct registers_wish *wish,
                                        struct registers_kernel *kernel, bool inverted)
{
    return inverted ? choose<registers_code<7, 2, 0171, 0133, 0, 0, 2>>(wish, kernel)
                    : choose<registers_code<7, 2, 0133, 0171>>(wish, kernel);
}
