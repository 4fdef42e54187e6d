/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/viterbi/simd/frame/frame.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512DQ__)

#define REGISTERS 32
#include "plugins/viterbi/simd/frame/kernels.h"

const struct viterbi_frame_kernels *viterbi_frame_kernels_avx512(void)
{
    return &set;
}

#else

const struct viterbi_frame_kernels *viterbi_frame_kernels_avx512(void)
{
    return NULL;
}

#endif
