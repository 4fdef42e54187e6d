/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX2: one block alone. */
#include "plugins/turbo/simd/single.h"

#if defined(__AVX2__)
#include <fecrun/sdk/simd.h>
#include <immintrin.h>
#include <stdalign.h>

#include "plugins/turbo/simd/single_half.h"

turbo_single_function *turbo_single_avx2(void)
{
    return half;
}

#else

turbo_single_function *turbo_single_avx2(void)
{
    return NULL;
}

#endif
