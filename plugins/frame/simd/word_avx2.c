/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/common/vec/vec_avx2.h"
#include "plugins/frame/code/word.h"

#ifdef VEC_BYTES

#include "plugins/frame/simd/word.h"

static const struct word_kernels kernels = WORD_KERNELS("AVX2");

const struct word_kernels *word_kernels_avx2(void)
{
    return &kernels;
}

#else

const struct word_kernels *word_kernels_avx2(void)
{
    return NULL;
}

#endif
