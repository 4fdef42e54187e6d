/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How the CUDA kernels beside the decoder see a batch: where frames lie, and stores into them. A C
 * compiler takes all of it, too: the tests run the threads on the CPU.
 *
 * Frames begin anywhere, but stores are of whole aligned words. So a thread has a word of the
 * memory that a frame lies in (a chunk), and where the frame does not fill it, stores bytes.
 */
#ifndef LDPC_FRAMES_DEVICE_H
#define LDPC_FRAMES_DEVICE_H

#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define LDPC_FN static __host__ __device__ __forceinline__
#else
#define LDPC_FN static inline
#endif
#ifdef __CUDA_ARCH__
#define LDPC_UNROLL _Pragma("unroll")
#else
#define LDPC_UNROLL
#endif

/* The frames at a port. */
struct ldpc_port {
    uint8_t *data;          /* NULL: the port is not linked */
    const uint64_t *offset; /* of each frame, bytes; NULL: `stride` says it */
    uint64_t stride;
};

/* The frames of a call, whatever is done with them. */
struct ldpc_frames {
    uint64_t n;
    const uint32_t *class_of; /* one a frame; NULL: all are of the first class */
};

LDPC_FN uint8_t *ldpc_frame(const struct ldpc_port *port, uint64_t f)
{
    return port->data + (port->offset ? port->offset[f] : f * port->stride);
}

LDPC_FN uint32_t ldpc_class(const struct ldpc_frames *frames, uint64_t f)
{
    return frames->class_of ? frames->class_of[f] : 0;
}

/* ---- chunks -------------------------------------------------------------------------------- */

/* Chunks of `unit` bytes, a power of two, that a frame of so many bytes can touch. */
LDPC_FN uint64_t ldpc_chunks(uint64_t bytes, unsigned unit)
{
    return (bytes + 2 * (unit - 1)) / unit;
}

/*
 * Where in its frame chunk c begins, in bytes, when chunks begin at multiples of `align` in memory;
 * the first one may begin before the frame.
 */
LDPC_FN int64_t ldpc_chunk_begin(const uint8_t *frame, unsigned unit, unsigned align, uint64_t c)
{
    return (int64_t)(c * unit) - (int64_t)((uintptr_t)frame & (align - 1));
}

/* ---- words; addresses are multiples of their size ------------------------------------------- */

LDPC_FN uint32_t ldpc_load_32(const uint8_t *from)
{
#ifdef __CUDA_ARCH__
    return *(const uint32_t *)from;
#else
    uint32_t word;

    memcpy(&word, __builtin_assume_aligned(from, 4), sizeof word);
    return word;
#endif
}

LDPC_FN void ldpc_store_32(void *to, uint32_t word)
{
#ifdef __CUDA_ARCH__
    *(uint32_t *)to = word;
#else
    memcpy(__builtin_assume_aligned(to, 4), &word, sizeof word);
#endif
}

LDPC_FN void ldpc_store_64(void *to, const uint32_t word[2])
{
#ifdef __CUDA_ARCH__
    *(uint2 *)to = make_uint2(word[0], word[1]);
#else
    memcpy(__builtin_assume_aligned(to, 8), word, 8);
#endif
}

LDPC_FN void ldpc_store_128(void *to, const uint32_t word[4])
{
#ifdef __CUDA_ARCH__
    *(uint4 *)to = make_uint4(word[0], word[1], word[2], word[3]);
#else
    memcpy(__builtin_assume_aligned(to, 16), word, 16);
#endif
}

/* ---- bits of a word, the first one in the least significant place --------------------------- */

/* The first `n` bits of a word, n 0..32. */
LDPC_FN uint32_t ldpc_mask(unsigned n)
{
    return n < 32 ? (1u << n) - 1 : UINT32_MAX;
}

/* Reverses the bits of each byte: packed bits to this order and back. */
LDPC_FN uint32_t ldpc_flip_bytes(uint32_t x)
{
#ifdef __CUDA_ARCH__
    return __brev(__byte_perm(x, 0, 0x0123));
#else
    x = (x & 0x0f0f0f0f) << 4 | (x >> 4 & 0x0f0f0f0f);
    x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
    return (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
#endif
}

/* The 32 bits from bit `skip` (0..31) of two words on. */
LDPC_FN uint32_t ldpc_funnel(uint32_t first, uint32_t second, unsigned skip)
{
#ifdef __CUDA_ARCH__
    return __funnelshift_r(first, second, skip);
#else
    return (uint32_t)(((uint64_t)second << 32 | first) >> skip);
#endif
}

/* Four bits as bytes, and back. */
LDPC_FN uint32_t ldpc_expand_4(uint32_t bits)
{
    return (bits & 0xf) * 0x00204081u & 0x01010101u;
}

LDPC_FN uint32_t ldpc_collect_4(uint32_t bytes)
{
    return (bytes & 0x01010101u) * 0x01020408u >> 24 & 0xf;
}

/*
 * Bits `at` (a multiple of 32) to at + 31 of a frame of so many bits, packed or one a byte; zeros
 * behind its end.
 */
LDPC_FN uint32_t ldpc_load_packed(const uint8_t *frame, uint64_t bits, uint64_t at)
{
    const uint64_t bytes = (bits + 7) / 8, begin = at / 8;
    uint32_t word = 0;

    if (begin + 4 <= bytes && !((uintptr_t)frame & 3)) {
        word = ldpc_load_32(frame + begin);
    } else {
        LDPC_UNROLL
        for (unsigned i = 0; i < 4; i++)
            if (begin + i < bytes)
                word |= (uint32_t)frame[begin + i] << 8 * i;
    }
    word = ldpc_flip_bytes(word);
    return at + 32 <= bits ? word : at < bits ? word & ldpc_mask((unsigned)(bits - at)) : 0;
}

LDPC_FN uint32_t ldpc_load_u8(const uint8_t *frame, uint64_t bits, uint64_t at)
{
    uint32_t word = 0;

    if (at + 32 <= bits && !((uintptr_t)frame & 3)) {
        LDPC_UNROLL
        for (unsigned i = 0; i < 8; i++)
            word |= ldpc_collect_4(ldpc_load_32(frame + at + 4 * i)) << 4 * i;
        return word;
    }
    for (unsigned i = 0; i < 32 && at + i < bits; i++)
        word |= (uint32_t)(frame[at + i] & 1) << i;
    return word;
}

/* The frame's part of a chunk of 32 bits that begins at this byte, which may lie before it. */
LDPC_FN void ldpc_store_packed(uint8_t *frame, int64_t bytes, int64_t begin, uint32_t word)
{
    word = ldpc_flip_bytes(word);
    if (begin >= 0 && begin + 4 <= bytes) {
        ldpc_store_32(frame + begin, word);
        return;
    }
    LDPC_UNROLL
    for (int i = 0; i < 4; i++)
        if (begin + i >= 0 && begin + i < bytes)
            frame[begin + i] = (uint8_t)(word >> 8 * i);
}

/* The same for 32 bytes, that begin at a multiple of 16 in memory. */
LDPC_FN void ldpc_store_u8(uint8_t *frame, int64_t bytes, int64_t begin, uint32_t word)
{
    if (begin >= 0 && begin + 32 <= bytes) {
        LDPC_UNROLL
        for (unsigned half = 0; half < 2; half++) {
            uint32_t four[4];

            LDPC_UNROLL
            for (unsigned i = 0; i < 4; i++)
                four[i] = ldpc_expand_4(word >> (16 * half + 4 * i));
            ldpc_store_128(frame + begin + 16 * half, four);
        }
        return;
    }
    for (int i = 0; i < 32; i++)
        if (begin + i >= 0 && begin + i < bytes)
            frame[begin + i] = (uint8_t)(word >> i & 1);
}

#endif
