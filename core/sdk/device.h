/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the work of one GPU thread is written with, so that a C compiler takes it, too, and a test
 * can run the threads on the CPU. Header only.
 *
 * Frames begin anywhere, but stores are of whole aligned words. So a thread has a word of the
 * memory that a frame lies in (a chunk), and where the frame does not fill it, stores items.
 */
#ifndef FECRUN_SDK_DEVICE_H
#define FECRUN_SDK_DEVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*
 * FECRUN_INLINE   a function for host and device
 * FECRUN_ON_DEVICE   one that is part of a kernel and calls what only devices have; in C a test
 * brings that along FECRUN_MEMBER   as FECRUN_ON_DEVICE, of a class FECRUN_UNROLL   in front of a
 * loop, on the device
 */
#ifdef __CUDACC__
#define FECRUN_INLINE static __host__ __device__ __forceinline__
#define FECRUN_ON_DEVICE static __device__ __forceinline__
#define FECRUN_MEMBER __device__ __forceinline__
#else
#define FECRUN_INLINE static inline
#define FECRUN_ON_DEVICE static inline
#define FECRUN_MEMBER inline
#endif
#ifdef __CUDA_ARCH__
#define FECRUN_UNROLL _Pragma("unroll")
#define FECRUN_UNROLL_4 _Pragma("unroll 4")
#else
#define FECRUN_UNROLL
#define FECRUN_UNROLL_4
#endif

FECRUN_INLINE uint32_t fecrun_float_bits(float a)
{
    uint32_t bits;

    memcpy(&bits, &a, sizeof bits);
    return bits;
}

FECRUN_INLINE float fecrun_bits_float(uint32_t bits)
{
    float a;

    memcpy(&a, &bits, sizeof a);
    return a;
}

/* An LLR as a decoder reads it: NaN is 0, and no magnitude is above FECRUN_LLR_MAX_F32. */
FECRUN_INLINE float fecrun_clean_llr(float x)
{
    const float most = 1048576.0f;

    return x > most ? most : x < -most ? -most : x == x ? x : 0.0f;
}

/* ---- words in memory; addresses are multiples of their size --------------------------------- */

FECRUN_INLINE uint32_t fecrun_load_32(const void *from)
{
#ifdef __CUDA_ARCH__
    return *(const uint32_t *)from;
#else
    uint32_t word;

    memcpy(&word, __builtin_assume_aligned(from, 4), sizeof word);
    return word;
#endif
}

FECRUN_INLINE void fecrun_load_64(uint32_t word[2], const void *from)
{
#ifdef __CUDA_ARCH__
    const uint2 x = *(const uint2 *)from;

    word[0] = x.x;
    word[1] = x.y;
#else
    memcpy(word, __builtin_assume_aligned(from, 8), 8);
#endif
}

FECRUN_INLINE void fecrun_load_128(uint32_t word[4], const void *from)
{
#ifdef __CUDA_ARCH__
    const uint4 x = *(const uint4 *)from;

    word[0] = x.x;
    word[1] = x.y;
    word[2] = x.z;
    word[3] = x.w;
#else
    memcpy(word, __builtin_assume_aligned(from, 16), 16);
#endif
}

FECRUN_INLINE void fecrun_store_32(void *to, uint32_t word)
{
#ifdef __CUDA_ARCH__
    *(uint32_t *)to = word;
#else
    memcpy(__builtin_assume_aligned(to, 4), &word, sizeof word);
#endif
}

FECRUN_INLINE void fecrun_store_64(void *to, const uint32_t word[2])
{
#ifdef __CUDA_ARCH__
    *(uint2 *)to = make_uint2(word[0], word[1]);
#else
    memcpy(__builtin_assume_aligned(to, 8), word, 8);
#endif
}

FECRUN_INLINE void fecrun_store_128(void *to, const uint32_t word[4])
{
#ifdef __CUDA_ARCH__
    *(uint4 *)to = make_uint4(word[0], word[1], word[2], word[3]);
#else
    memcpy(__builtin_assume_aligned(to, 16), word, 16);
#endif
}

/* ---- packed bits ---------------------------------------------------------------------------- */

/*
 * 32 packed bits, as they are loaded, are a word whose bytes are in order and whose bits are not.
 * fecrun_swap(): the first bit to the top, all others behind it. fecrun_flip(): the first one to
 * the bottom. Both also go back.
 */
FECRUN_INLINE uint32_t fecrun_swap(uint32_t x)
{
#ifdef __CUDA_ARCH__
    return __byte_perm(x, 0, 0x0123);
#else
    return __builtin_bswap32(x);
#endif
}

FECRUN_INLINE uint32_t fecrun_flip(uint32_t x)
{
#ifdef __CUDA_ARCH__
    return __brev(__byte_perm(x, 0, 0x0123));
#else
    x = (x & 0x0f0f0f0f) << 4 | (x >> 4 & 0x0f0f0f0f);
    x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
    return (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
#endif
}

/* The lowest four bits as bytes 0 or 1. The first byte in memory is the uppermost of the four bits;
 * of fecrun_expand_4_low() it is the lowest. */
FECRUN_INLINE uint32_t fecrun_expand_4(uint32_t bits)
{
    return (bits & 15) * 0x08040201u >> 3 & 0x01010101u;
}

FECRUN_INLINE uint32_t fecrun_expand_4_low(uint32_t bits)
{
    return (bits & 15) * 0x00204081u & 0x01010101u;
}

/* Back: of each byte only the lowest bit counts. No two of the products' terms meet. */
FECRUN_INLINE uint32_t fecrun_collect_4(uint32_t bytes)
{
    return (bytes & 0x01010101u) * 0x08040201u >> 24;
}

FECRUN_INLINE uint32_t fecrun_collect_4_low(uint32_t bytes)
{
    return (bytes & 0x01010101u) * 0x01020408u >> 24 & 15;
}

/* ---- chunks of a frame ---------------------------------------------------------------------- */

/* Chunks of `unit` bytes, a power of two, that a frame of so many bytes can touch. */
FECRUN_INLINE uint64_t fecrun_chunks(uint64_t bytes, unsigned unit)
{
    return (bytes + 2 * (unit - 1)) / unit;
}

/*
 * Where in its frame chunk c begins, in bytes, when chunks begin at multiples of `align` in memory;
 * the first one may begin before the frame.
 */
FECRUN_INLINE int64_t fecrun_chunk_begin(const void *frame, unsigned unit, unsigned align,
                                         uint64_t c)
{
    return (int64_t)(c * unit) - (int64_t)((uintptr_t)frame & (align - 1));
}

/* The frame's part of four bytes that begin at this one: of a word as it is to lie in memory. */
FECRUN_INLINE void fecrun_store_bytes(uint8_t *frame, int64_t bytes, int64_t begin, uint32_t word)
{
    FECRUN_UNROLL
    for (int i = 0; i < 4; i++)
        if (begin + i >= 0 && begin + i < bytes)
            frame[begin + i] = (uint8_t)(word >> 8 * i);
}

/* The same where they are a chunk, that is begin at a multiple of 4 in memory. */
FECRUN_INLINE void fecrun_store_chunk(uint8_t *frame, int64_t bytes, int64_t begin, uint32_t word)
{
    if (begin >= 0 && begin + 4 <= bytes)
        fecrun_store_32(frame + begin, word);
    else
        fecrun_store_bytes(frame, bytes, begin, word);
}

/* The same for four items of 1, 2 or 4 bytes, in a frame of so many `items`. */
#define FECRUN_STORE_ITEMS(out, items, begin, item) \
    do { \
        if ((begin) >= 0 && (begin) + 4 <= (items)) { \
            fecrun_store_four((out) + (begin), item, sizeof *(item)); \
            break; \
        } \
        for (int s_ = 0; s_ < 4; s_++) \
            if ((begin) + s_ >= 0 && (begin) + s_ < (items)) \
                (out)[(begin) + s_] = (item)[s_]; \
    } while (0)

/* Four items of so many bytes, to an address that is a multiple of all of them. */
FECRUN_INLINE void fecrun_store_four(void *to, const void *item, unsigned size)
{
    uint32_t word[4];

    memcpy(word, item, 4 * size);
    if (size == 1)
        fecrun_store_32(to, word[0]);
    else if (size == 2)
        fecrun_store_64(to, word);
    else
        fecrun_store_128(to, word);
}

#endif
