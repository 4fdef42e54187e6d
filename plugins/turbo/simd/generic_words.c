/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors of the compiler: 32 lanes of 16 bits. */
#include "plugins/turbo/simd/simd.h"

#include "plugins/turbo/simd/generic.h"
#include "plugins/turbo/simd/words.h"

const struct turbo_kernel *turbo_kernel_generic_words(void)
{
    return &kernel;
}
