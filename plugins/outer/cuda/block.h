/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Division by a generator on CUDA devices: the work of a block of threads. A thread has a word of a frame, or one of
 * its segments; the block copies the information of its frames.
 */
#ifndef OUTER_CUDA_BLOCK_H
#define OUTER_CUDA_BLOCK_H

#include "plugins/common/gpu/load.h"
#include "plugins/outer/cuda/plan.h"

enum { OUTER_GPU_THREADS = 128 };

struct outer_gpu_args {
    struct gpu_frames frames;
    struct gpu_port in, out;
    struct gpu_port flags, corrected; /* of the decoder; data is NULL: not linked */
    struct fecrun_frame_info *info;   /* of the decoder */
    uint32_t *rest; /* decoder: remainders, `words` words for each word; NULL: encoder */
    /* tables in device memory, see struct outer_gpu_plan */
    const uint32_t *table, *advance;
    const uint16_t *exp, *log;
    const uint8_t *from_dual, *to_dual;
    struct outer_gpu_code code;
};

/* Threads of a frame, and frames of a block. */
FECRUN_INLINE uint32_t outer_gpu_group(const struct outer_gpu_code *c)
{
    return c->depth * c->segments;
}

FECRUN_INLINE uint32_t outer_gpu_frames(const struct outer_gpu_code *c)
{
    return OUTER_GPU_THREADS / outer_gpu_group(c);
}

/* Words of shared memory of a block: the table, and a register for each thread. */
FECRUN_INLINE uint32_t outer_gpu_shared(const struct outer_gpu_code *c)
{
    return ((1u << c->step) + OUTER_GPU_THREADS) * c->words;
}

/* ---- the register ------------------------------------------------------------------------------ */

/* The register times x^step, plus a symbol times x^parity. `words` is a constant at compile time. */
FECRUN_INLINE void outer_step(uint32_t *rest, const uint32_t *table, unsigned words, unsigned step,
                              uint32_t symbol)
{
    const uint32_t *row = table + ((rest[0] >> (32 - step)) ^ symbol) * words;
    uint32_t change[4];

    FECRUN_UNROLL
    for (unsigned j = 0; j < words; j++) {
        const uint32_t next = j + 1 < words ? rest[j + 1] : 0;

        if (words % 4 == 0 && j % 4 == 0)
            fecrun_load_128(change, row + j);
        else if (words % 4 != 0 && j % 2 == 0)
            fecrun_load_64(change, row + j);
        rest[j] = (rest[j] << step | next >> (32 - step)) ^ change[words % 4 ? j % 2 : j % 4];
    }
}

/* `count` bits of a frame, at most 16, from bit `at` on; what is in front of the frame is 0. */
FECRUN_INLINE uint32_t outer_bits_at(const uint8_t *frame, int64_t at, unsigned count)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < count; i++, at++)
        value = value << 1 | (at < 0 ? 0 : frame[at / 8] >> (7 - at % 8) & 1u);
    return value;
}

/* Symbol i of word w, as it is sent; of a binary code eight bits. */
FECRUN_INLINE uint32_t outer_symbol(const struct outer_gpu_code *c, const uint8_t *frame,
                                    uint32_t w, uint32_t i)
{
    return outer_bits_at(frame, ((int64_t)i * c->depth + w) * c->step - c->pad, c->step);
}

/* Four of them, each a byte of the frame, the first one lowest. */
FECRUN_INLINE uint32_t outer_four(const struct outer_gpu_code *c, const uint8_t *frame, uint32_t w,
                                  uint32_t i)
{
    const uint8_t *at = frame + (uint64_t)i * c->depth + w;

    if (c->depth == 1)
        return gpu_load_any(at);
    return at[0] | (uint32_t)at[c->depth] << 8 | (uint32_t)at[2 * c->depth] << 16 |
           (uint32_t)at[3 * c->depth] << 24;
}

/* Divides symbols i to end - 1. bytes, a constant: a step has eight bits, which are a byte of the frame. */
FECRUN_INLINE void outer_divide(const struct outer_gpu_code *c, const uint32_t *table,
                                unsigned words, bool bytes, const uint8_t *frame, uint32_t w,
                                uint32_t i, uint32_t end, uint32_t *rest)
{
    if (bytes && i + 4 <= end) {
        uint32_t next = outer_four(c, frame, w, i);

        for (; i + 4 <= end; i += 4) {
            const uint32_t four = next;

            if (i + 8 <= end)
                next = outer_four(c, frame, w, i + 4);
            FECRUN_UNROLL
            for (unsigned b = 0; b < 4; b++)
                outer_step(rest, table, words, 8, four >> 8 * b & 255);
        }
    }
    for (; i < end; i++)
        outer_step(rest, table, words, bytes ? 8 : c->step, outer_symbol(c, frame, w, i));
}

/* What the steps behind segment s make of its remainder. */
FECRUN_INLINE void outer_advance(const struct outer_gpu_code *c, const uint32_t *advance,
                                 unsigned words, uint32_t s, uint32_t *rest)
{
    const uint32_t nibbles = (c->parity + 3) / 4;
    const uint32_t *rows = advance + (size_t)s * nibbles * 16 * words;
    uint32_t sum[OUTER_GPU_WORDS];

    FECRUN_UNROLL
    for (unsigned j = 0; j < words; j++)
        sum[j] = 0;
    FECRUN_UNROLL
    for (unsigned i = 0; i < words; i++)
        for (unsigned q = 0; q < 8 && 8 * i + q < nibbles; q++) {
            const uint32_t *row = rows +
                                  ((8 * i + q) * 16 + (rest[i] >> (28 - 4 * q) & 15)) * words;

            FECRUN_UNROLL
            for (unsigned j = 0; j < words; j++)
                sum[j] ^= row[j];
        }
    FECRUN_UNROLL
    for (unsigned j = 0; j < words; j++)
        rest[j] = sum[j];
}

/* ---- the block ----------------------------------------------------------------------------------- */

#if defined(__CUDACC__) || defined(FECRUN_EMULATED_BLOCKS)

/* The bytes that the information fills, of frame f; thread t of all. An encoder's last ones may hold parity, too. */
FECRUN_ON_DEVICE void outer_copy(const struct outer_gpu_args *a, uint64_t f, uint32_t t)
{
    const uint32_t bits = a->code.k * a->code.width * a->code.depth;
    const int64_t bytes = bits / 8;
    const uint8_t *in = gpu_frame(&a->in, f);
    uint8_t *out = gpu_frame(&a->out, f);
    const uint32_t chunks = (uint32_t)fecrun_chunks((uint64_t)bytes, 4);

    for (uint32_t i = t; i < chunks; i += OUTER_GPU_THREADS) {
        const int64_t begin = fecrun_chunk_begin(out, 4, 4, i);

        if (begin >= 0 && begin + 4 <= bytes)
            fecrun_store_32(out + begin, gpu_load_any(in + begin));
        else
            for (int64_t b = begin < 0 ? 0 : begin; b < begin + 4 && b < bytes; b++)
                out[b] = in[b];
    }
    if (t == 0 && bits % 8 && a->rest)
        out[bytes] = in[bytes] & (uint8_t)(0xff00 >> bits % 8);
}

/* Byte b of frame f, whose parity is in `rest`, `words` words for each word. */
FECRUN_ON_DEVICE uint8_t outer_parity_byte(const struct outer_gpu_code *c, const uint8_t *in,
                                           const uint32_t *rest, uint32_t b)
{
    const uint32_t k = c->k * c->width * c->depth, n = c->n * c->width * c->depth;
    uint32_t byte = 0;

    if (c->step == 8 && k % 8 == 0 && !c->bch) {
        const uint32_t i = (b - k / 8) / c->depth, w = (b - k / 8) % c->depth;

        return (uint8_t)(rest[w * c->words * c->segments + i / 4] >> (24 - i % 4 * 8));
    }
    for (uint32_t at = 8 * b; at < 8 * b + 8; at++) {
        uint32_t bit = 0;

        if (at < k) {
            bit = in[at / 8] >> (7 - at % 8) & 1u;
        } else if (at < n) {
            const uint32_t symbol = (at - k) / c->width, w = symbol % c->depth;
            const uint32_t place = symbol / c->depth * c->width + (at - k) % c->width;

            bit = rest[w * c->words * c->segments + place / 32] >> (31 - place % 32) & 1;
        }
        byte = byte << 1 | bit;
    }
    return (uint8_t)byte;
}

/* Of an encoder: bytes that hold parity. shared: each thread's register. */
FECRUN_ON_DEVICE void outer_put_parity(const struct outer_gpu_args *a, uint64_t first,
                                       uint32_t frames, const uint32_t *shared)
{
    const struct outer_gpu_code *c = &a->code;
    const uint32_t begin = c->k * c->width * c->depth / 8;
    const uint32_t bytes = (c->n * c->width * c->depth + 7) / 8 - begin;

    for (uint32_t i = threadIdx.x; i < frames * bytes; i += OUTER_GPU_THREADS) {
        const uint32_t f = i / bytes, b = begin + i % bytes;

        gpu_frame(&a->out, first + f)[b] = outer_parity_byte(
            c, gpu_frame(&a->in, first + f), shared + f * outer_gpu_group(c) * c->words, b);
    }
}

/* words and bytes are constants at compile time. */
FECRUN_ON_DEVICE void outer_divide_block(const struct outer_gpu_args *a, unsigned words, bool bytes,
                                         uint32_t *shared)
{
    const struct outer_gpu_code *c = &a->code;
    const uint32_t group = outer_gpu_group(c), per_block = outer_gpu_frames(c);
    const uint64_t first = (uint64_t)blockIdx.x * per_block;
    const uint32_t frames = a->frames.n - first < per_block ? (uint32_t)(a->frames.n - first)
                                                            : per_block;
    const uint32_t f = threadIdx.x / group, own = threadIdx.x % group;
    const uint32_t s = own % c->segments, w = own / c->segments;
    uint32_t *table = shared, *registers = shared + (words << c->step);
    uint32_t rest[OUTER_GPU_WORDS];

    for (uint32_t i = threadIdx.x; i < words << c->step; i += OUTER_GPU_THREADS)
        table[i] = a->table[i];
    for (uint32_t i = 0; i < frames; i++)
        outer_copy(a, first + i, threadIdx.x);
    __syncthreads();
    FECRUN_UNROLL
    for (unsigned j = 0; j < words; j++)
        rest[j] = 0;
    if (f < frames) {
        const uint32_t begin = s * c->per_segment, end = begin + c->per_segment;

        outer_divide(c, table, words, bytes, gpu_frame(&a->in, first + f), w, begin,
                     end < c->steps ? end : c->steps, rest);
        if (s + 1 < c->segments)
            outer_advance(c, a->advance, words, s, rest);
    }
    for (uint32_t other = 1; other < c->segments; other *= 2) {
        FECRUN_UNROLL
        for (unsigned j = 0; j < words; j++)
            rest[j] ^= __shfl_xor_sync(0xffffffffu, rest[j], (int)other);
    }
    if (a->rest) {
        FECRUN_UNROLL
        for (unsigned j = 0; j < words; j++)
            if (f < frames && s == 0)
                a->rest[((first + f) * c->depth + w) * words + j] = rest[j];
        return;
    }
    FECRUN_UNROLL
    for (unsigned j = 0; j < words; j++)
        registers[threadIdx.x * words + j] = rest[j];
    __syncthreads();
    outer_put_parity(a, first, frames, registers);
}

#endif
#endif
