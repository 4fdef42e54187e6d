/* SPDX-License-Identifier: BSD-2-Clause */
/* LLRs out of the kernels in registers and in shared memory: numbers in units of the input. */
#ifndef LDPC_CUDA_REGISTERS_SOFT_NUMBER_CUH
#define LDPC_CUDA_REGISTERS_SOFT_NUMBER_CUH

#include <fecrun/sdk/device.h>

#include "plugins/ldpc/cuda/registers/ptx.cuh"
#include "plugins/ldpc/cuda/soft_work.h"

namespace ldpc_soft
{

/* The LLR of a half, of which the kernel's 1 is `unit`. */
FECRUN_ON_DEVICE float number(uint32_t half, float unit)
{
    const float x = ldpc_registers::float_of(half) * unit;

    return x > FECRUN_LLR_MAX_F32    ? FECRUN_LLR_MAX_F32
           : x < -FECRUN_LLR_MAX_F32 ? -FECRUN_LLR_MAX_F32
                                     : x;
}

FECRUN_ON_DEVICE float unit_of(const ldpc_soft_work &w, uint32_t frame)
{
    return w.unit ? w.unit[frame] : 1;
}

FECRUN_ON_DEVICE void put(const ldpc_soft_work &w, int port, uint32_t frame, uint32_t item,
                          float llr)
{
    ((float *)((char *)w.to[port] + frame * w.stride[port]))[item] = llr;
}

/* Item of a frame's word as it arrived. */
FECRUN_ON_DEVICE float arrived(const ldpc_soft_work &w, uint32_t frame, uint32_t item)
{
    const char *from = (const char *)w.in + frame * w.in_stride;

    if (w.in_type == FECRUN_F32)
        return fecrun_clean_llr(((const float *)from)[item]);
    if (w.in_type == FECRUN_F16)
        return fecrun_clean_llr(ldpc_registers::float_of(((const uint16_t *)from)[item]));
    return ((const int8_t *)from)[item] < -127 ? -127 : ((const int8_t *)from)[item];
}

} // namespace ldpc_soft

#endif
