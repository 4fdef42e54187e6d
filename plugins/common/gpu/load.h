/* SPDX-License-Identifier: BSD-2-Clause */
/* Loads from any address. */
#ifndef PLUGINS_COMMON_GPU_LOAD_H
#define PLUGINS_COMMON_GPU_LOAD_H

#include "plugins/common/gpu/bits.h"

/* Reads four bytes, the first one lowest. On a device it loads the words that hold them. */
FECRUN_INLINE uint32_t gpu_load_any(const uint8_t *from)
{
#ifdef __CUDA_ARCH__
    const unsigned skip = (unsigned)((uintptr_t)from & 3);
    const uint32_t low = fecrun_load_32(from - skip);

    return skip ? gpu_funnel(low, fecrun_load_32(from - skip + 4), 8 * skip) : low;
#else
    uint32_t word;

    memcpy(&word, from, sizeof word);
    return word;
#endif
}

#endif
