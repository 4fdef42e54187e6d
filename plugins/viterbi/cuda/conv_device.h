/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What one CUDA thread of the conv.* kernels does, as functions that a C compiler takes too: the
 * tests run them thread after thread on the CPU.
 *
 * Rows begin anywhere, but stores are of whole aligned words. So a thread has a word of the memory
 * that a row lies in (a chunk), and where the row does not fill it, stores bytes.
 */
#ifndef VITERBI_CONV_DEVICE_H
#define VITERBI_CONV_DEVICE_H

#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define CONV_FN static __host__ __device__ __forceinline__
#else
#define CONV_FN static inline
#endif
#ifdef __CUDA_ARCH__
#define CONV_UNROLL _Pragma("unroll")
#else
#define CONV_UNROLL
#endif

/* The address is a multiple of the size. */
CONV_FN uint32_t conv_load_32(const uint8_t *from)
{
#ifdef __CUDA_ARCH__
    return *(const uint32_t *)from;
#else
    uint32_t word;

    memcpy(&word, __builtin_assume_aligned(from, 4), sizeof word);
    return word;
#endif
}

CONV_FN void conv_store_32(void *to, uint32_t word)
{
#ifdef __CUDA_ARCH__
    *(uint32_t *)to = word;
#else
    memcpy(__builtin_assume_aligned(to, 4), &word, sizeof word);
#endif
}

CONV_FN void conv_store_128(void *to, const uint32_t word[4])
{
#ifdef __CUDA_ARCH__
    *(uint4 *)to = make_uint4(word[0], word[1], word[2], word[3]);
#else
    memcpy(__builtin_assume_aligned(to, 16), word, 16);
#endif
}

/* The first byte in memory becomes the most significant one, and back. */
CONV_FN uint32_t conv_swap(uint32_t x)
{
#ifdef __CUDA_ARCH__
    return __byte_perm(x, 0, 0x0123);
#else
    return __builtin_bswap32(x);
#endif
}

/* The most significant 4 of 32 bits as bytes, the first one in the lowest place. */
CONV_FN uint32_t conv_expand_4(uint32_t word)
{
    return (word >> 28) * 0x08040201u >> 3 & 0x01010101u;
}

/* Chunks of `unit` bytes, a power of two, that a row of so many bytes can touch. */
CONV_FN uint64_t conv_chunks(uint64_t bytes, unsigned unit)
{
    return (bytes + 2 * (unit - 1)) / unit;
}

/* Where in its row chunk number c begins, in bytes; the first one may begin before the row. */
CONV_FN int64_t conv_chunk_begin(const uint8_t *row, unsigned unit, uint64_t c)
{
    return (int64_t)(c * unit) - (int64_t)((uintptr_t)row & (unit - 1));
}

/* The row's part of 32 packed bits, byte by byte. */
CONV_FN void conv_store_bytes(uint8_t *row, int64_t bytes, int64_t begin, uint32_t word)
{
    CONV_UNROLL
    for (int i = 0; i < 4; i++)
        if (begin + i >= 0 && begin + i < bytes)
            row[begin + i] = (uint8_t)(word >> (24 - 8 * i));
}

/* The row's part of a chunk of packed bits. */
CONV_FN void conv_store_packed(uint8_t *row, int64_t bytes, int64_t begin, uint32_t word)
{
    if (begin >= 0 && begin + 4 <= bytes)
        conv_store_32(row + begin, conv_swap(word));
    else
        conv_store_bytes(row, bytes, begin, word);
}

/* The same for a chunk of 16 bits, the most significant ones of the word, one a byte. */
CONV_FN void conv_store_u8(uint8_t *row, int64_t bytes, int64_t begin, uint32_t word)
{
    if (begin >= 0 && begin + 16 <= bytes) {
        uint32_t four[4];

        CONV_UNROLL
        for (int i = 0; i < 4; i++)
            four[i] = conv_expand_4(word << (4 * i));
        conv_store_128(row + begin, four);
        return;
    }
    for (int i = 0; i < 16; i++)
        if (begin + i >= 0 && begin + i < bytes)
            row[begin + i] = (uint8_t)(word >> (31 - i) & 1);
}

#endif
