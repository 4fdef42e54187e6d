/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX2: one block alone, in bytes. */
#include "plugins/turbo/simd/single_bytes.h"

#if defined(__AVX2__)
#include <fecrun/sdk/simd.h>
#include <immintrin.h>
#include <stdalign.h>
#include <string.h>

#include "plugins/turbo/simd/avx2_bytes.h"
#include "plugins/turbo/simd/single_bytes_half.h"
#include "plugins/turbo/simd/single_bytes_order.h"

static const struct turbo_single_bytes_kernel kernel = {half, gather, scatter};

const struct turbo_single_bytes_kernel *turbo_single_bytes_avx2(void)
{
    return &kernel;
}

#else

const struct turbo_single_bytes_kernel *turbo_single_bytes_avx2(void)
{
    return NULL;
}

#endif
