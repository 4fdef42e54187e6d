/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX2: 64 lanes of bytes. */
#include "plugins/turbo/simd/simd.h"

#if defined(__AVX2__)
#include "plugins/turbo/simd/avx2.h"

#include "plugins/turbo/simd/avx2_bytes.h"
#include "plugins/turbo/simd/bytes.h"

const struct turbo_kernel *turbo_kernel_avx2(void)
{
    return &kernel;
}

#else

const struct turbo_kernel *turbo_kernel_avx2(void)
{
    return NULL;
}

#endif
