/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/viterbi/simd/frame/frame.h"

#if defined(__AVX2__)

#define REGISTERS 16
#include "plugins/viterbi/simd/frame/kernels.h"

const struct viterbi_frame_kernels *viterbi_frame_kernels_avx2(void)
{
    return &set;
}

#else

const struct viterbi_frame_kernels *viterbi_frame_kernels_avx2(void)
{
    return NULL;
}

#endif
