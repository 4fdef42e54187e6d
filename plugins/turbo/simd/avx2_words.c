/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX2: 32 lanes of 16 bits. */
#include "plugins/turbo/simd/simd.h"

#if defined(__AVX2__)
#include "plugins/turbo/simd/avx2.h"
#include "plugins/turbo/simd/words.h"

const struct turbo_kernel *turbo_kernel_avx2_words(void)
{
    return &kernel;
}

#else

const struct turbo_kernel *turbo_kernel_avx2_words(void)
{
    return NULL;
}

#endif
