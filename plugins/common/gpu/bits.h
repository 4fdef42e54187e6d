/* SPDX-License-Identifier: BSD-2-Clause */
/* Bits of frames as words, the first one in the least significant place. */
#ifndef PLUGINS_COMMON_GPU_BITS_H
#define PLUGINS_COMMON_GPU_BITS_H

#include "plugins/common/gpu/frames.h"

/* Returns 32 bits of two words, from bit `skip` (0..31) on. */
FECRUN_INLINE uint32_t gpu_funnel(uint32_t first, uint32_t second, unsigned skip)
{
#ifdef __CUDA_ARCH__
    return __funnelshift_r(first, second, skip);
#else
    return (uint32_t)(((uint64_t)second << 32 | first) >> skip);
#endif
}

/*
 * Reads 32 bits of a frame of `bits` bits, packed or one a byte, from bit `at` on, a multiple of 32.
 * Bits after the end are 0.
 */
FECRUN_INLINE uint32_t gpu_load_packed(const uint8_t *frame, uint64_t bits, uint64_t at)
{
    const uint64_t bytes = (bits + 7) / 8, begin = at / 8;
    uint32_t word = 0;

    if (begin + 4 <= bytes && !((uintptr_t)frame & 3)) {
        word = fecrun_load_32(frame + begin);
    } else {
        FECRUN_UNROLL
        for (unsigned i = 0; i < 4; i++)
            if (begin + i < bytes)
                word |= (uint32_t)frame[begin + i] << 8 * i;
    }
    word = fecrun_flip(word);
    return at + 32 <= bits ? word : at < bits ? word & gpu_mask((unsigned)(bits - at)) : 0;
}

FECRUN_INLINE uint32_t gpu_load_u8(const uint8_t *frame, uint64_t bits, uint64_t at)
{
    uint32_t word = 0;

    if (at + 32 <= bits && !((uintptr_t)frame & 3)) {
        FECRUN_UNROLL
        for (unsigned i = 0; i < 8; i++)
            word |= fecrun_collect_4_low(fecrun_load_32(frame + at + 4 * i)) << 4 * i;
        return word;
    }
    for (unsigned i = 0; i < 32 && at + i < bits; i++)
        word |= (uint32_t)(frame[at + i] & 1) << i;
    return word;
}

/* Stores the part of 32 bytes, which begin at a multiple of 16 in memory, that is in the frame. */
FECRUN_INLINE void gpu_store_u8(uint8_t *frame, int64_t bytes, int64_t begin, uint32_t word)
{
    if (begin >= 0 && begin + 32 <= bytes) {
        FECRUN_UNROLL
        for (unsigned half = 0; half < 2; half++) {
            uint32_t four[4];

            FECRUN_UNROLL
            for (unsigned i = 0; i < 4; i++)
                four[i] = fecrun_expand_4_low(word >> (16 * half + 4 * i));
            fecrun_store_128(frame + begin + 16 * half, four);
        }
        return;
    }
    for (int i = 0; i < 32; i++)
        if (begin + i >= 0 && begin + i < bytes)
            frame[begin + i] = (uint8_t)(word >> i & 1);
}

/*
 * Stores a frame of `bits` bits, packed or one a byte. This is thread t of a group that shares the work.
 * words: the frame's bits, followed by one more word; bits after the frame's are 0.
 */
FECRUN_INLINE void gpu_store_frame(uint8_t *frame, uint32_t bits, const uint32_t *words,
                                   bool packed, uint32_t t, uint32_t group)
{
    const uint32_t per_byte = packed ? 8 : 1;
    const int64_t bytes = (bits + per_byte - 1) / per_byte;
    const unsigned unit = 32 / per_byte, align = packed ? 4 : 16;
    const uint32_t chunks = (uint32_t)fecrun_chunks((uint64_t)bytes, unit);

    for (uint32_t i = t; i < chunks; i += group) {
        const int64_t begin = fecrun_chunk_begin(frame, unit, align, i);
        const uint32_t skip = begin < 0 ? (uint32_t)-begin * per_byte
                                        : 0; /* in front of the frame */
        const uint32_t first = begin < 0 ? 0 : (uint32_t)begin * per_byte;
        uint32_t word;

        if (first >= bits)
            break;
        word = gpu_funnel(words[first / 32], words[first / 32 + 1], first % 32) << skip;
        if (packed)
            fecrun_store_chunk(frame, bytes, begin, fecrun_flip(word));
        else
            gpu_store_u8(frame, bytes, begin, word);
    }
}

#endif
