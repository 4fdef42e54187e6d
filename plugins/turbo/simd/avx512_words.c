/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX-512 with VBMI: 32 lanes of 16 bits. */
#include "plugins/turbo/simd/simd.h"

#if defined(__AVX512BW__) && defined(__AVX512VBMI__)
#include "plugins/turbo/simd/avx512.h"
#include "plugins/turbo/simd/words.h"

const struct turbo_kernel *turbo_kernel_avx512_words(void)
{
    return &kernel;
}

#else

const struct turbo_kernel *turbo_kernel_avx512_words(void)
{
    return NULL;
}

#endif
