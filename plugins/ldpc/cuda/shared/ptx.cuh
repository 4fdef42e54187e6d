/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the kernels in shared memory do in PTX beside registers/ptx.cuh.
 * t/ldpc/shared_emulate.cc says the same in C++, for the CPU, and takes the place of this file.
 */
#ifndef LDPC_CUDA_SHARED_PTX_CUH
#define LDPC_CUDA_SHARED_PTX_CUH

#include <fecrun/sdk/device.h>

#include "plugins/ldpc/cuda/registers/work.h"

namespace ldpc_shared
{

FECRUN_ON_DEVICE uint32_t two_halves(float low, float high)
{
    uint32_t d;

    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(high), "f"(low));
    return d;
}

FECRUN_ON_DEVICE float number_of_half(uint16_t half)
{
    float d;

    asm("cvt.f32.f16 %0, %1;" : "=f"(d) : "h"(half));
    return d;
}

/* Addresses begin at 0: that of shared memory is part of the instruction, as in registers/ptx.cuh. */
FECRUN_ON_DEVICE uint32_t load_word(uint32_t at)
{
    uint32_t d;

    asm volatile("ld.shared.u32 %0, [%1 + %2];" : "=r"(d) : "r"(at), "n"((int)LDPC_REGISTERS_BASE));
    return d;
}

FECRUN_ON_DEVICE uint32_t load_half(uint32_t at)
{
    uint32_t d;

    asm volatile("{\n.reg .b16 h;\nld.shared.b16 h, [%1 + %2];\ncvt.u32.u16 %0, h;\n}"
                 : "=r"(d)
                 : "r"(at), "n"((int)LDPC_REGISTERS_BASE));
    return d;
}

FECRUN_ON_DEVICE void store_word(uint32_t at, uint32_t value)
{
    asm volatile("st.shared.u32 [%0 + %1], %2;" ::"r"(at), "n"((int)LDPC_REGISTERS_BASE),
                 "r"(value));
}

FECRUN_ON_DEVICE void store_half(uint32_t at, uint32_t value)
{
    asm volatile(
        "{\n.reg .b16 l, h;\nmov.b32 {l, h}, %2;\nst.shared.b16 [%0 + %1], l;\n}" ::"r"(at),
        "n"((int)LDPC_REGISTERS_BASE), "r"(value));
}

} // namespace ldpc_shared

#endif
