/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Short frames of conv.encode, conv.rate_match and conv.rate_recover: what the threads of a block do. Each makes
 * one frame, and writes its row to shared memory. Then all threads copy the rows, which lie one behind the other, to
 * device memory in whole vectors. Shared memory begins at a multiple of 16 bytes.
 */
#ifndef VITERBI_CUDA_ROWS_H
#define VITERBI_CUDA_ROWS_H

#include "plugins/common/gpu/flat.h"
#include "plugins/viterbi/cuda/encode/words.h"
#include "plugins/viterbi/cuda/rate/thread.h"

enum { CONV_ROWS = 128 /* threads of a block, and frames */ };

/* Bytes of shared memory for rows of at most so many bytes each. */
FECRUN_INLINE uint32_t conv_rows_bytes(uint32_t most)
{
    return (most * CONV_ROWS + 32) / 16 * 16;
}

/* ---- conv.rate_recover of i8 ----------------------------------------------------------------- */

/* Words from one frame to the next in shared memory: odd, so that no two lanes meet in a bank. */
FECRUN_INLINE uint32_t conv_recover_pitch(uint32_t e)
{
    return (e + 3) / 4 | 1;
}

FECRUN_INLINE uint32_t conv_recover_room(uint32_t mother)
{
    return (mother + 7) / 8 * 8;
}

/* Bytes of shared memory: ranks, rows of the output, frames of the input. */
FECRUN_INLINE uint32_t conv_recover_shared(uint32_t mother, uint32_t e)
{
    return conv_recover_room(mother) * 2 + conv_rows_bytes(mother) +
           4 * CONV_ROWS * conv_recover_pitch(e);
}

/* ---- The blocks, where there are threads and barriers ---------------------------------------- */

#if defined(__CUDACC__) || defined(FECRUN_EMULATED_BLOCKS)

/* Bytes in front of the first row: vectors then begin at the same places on both sides. */
FECRUN_ON_DEVICE unsigned conv_rows_skip(const uint8_t *out)
{
    return (unsigned)((uintptr_t)out & 15);
}

/* `all` bytes to `out`. rows: the first row lies conv_rows_skip() bytes behind it. */
FECRUN_ON_DEVICE void conv_rows_put(uint8_t *out, const uint8_t *rows, unsigned all)
{
    const unsigned skip = conv_rows_skip(out);

    for (unsigned c = threadIdx.x; 16 * c < skip + all; c += CONV_ROWS) {
        const int64_t begin = (int64_t)(16 * c) - skip;
        uint32_t part[4];

        fecrun_load_128(part, rows + 16 * c);
        if (begin >= 0 && begin + 16 <= all) {
            fecrun_store_128(out + begin, part);
            continue;
        }
        FECRUN_UNROLL
        for (int i = 0; i < 4; i++)
            fecrun_store_bytes(out, all, begin + 4 * i, part[i]);
    }
}

/* Frames of this block, of `frames` in all. */
FECRUN_ON_DEVICE unsigned conv_rows_here(uint64_t frames)
{
    const uint64_t left = frames - (uint64_t)blockIdx.x * CONV_ROWS;

    return left < CONV_ROWS ? (unsigned)left : CONV_ROWS;
}

/* conv_by_frames() takes them. shared: CONV_FEW_BYTES a row. all: a word of it that nobody uses. */
FECRUN_ON_DEVICE void conv_encode_block(const struct conv_encode_args *a, unsigned n, uint8_t *rows,
                                        unsigned *all)
{
    const uint64_t first = (uint64_t)blockIdx.x * CONV_ROWS, f = first + threadIdx.x;
    const uint64_t begin = conv_place(a->classes.out_offset, a->out_stride, first);
    const unsigned here = conv_rows_here(a->frames);

    if (threadIdx.x < here) {
        const uint64_t at = conv_place(a->classes.out_offset, a->out_stride, f) - begin;
        uint8_t *row = rows + conv_rows_skip(a->out + begin) + at;
        const unsigned bytes = conv_encode_frame(a, n, f, row);

        if (threadIdx.x + 1 == here)
            *all = (unsigned)at + bytes;
    }
    __syncthreads();
    conv_rows_put(a->out + begin, rows, *all);
}

/* Bytes of shared memory: the table, words of the input, rows of the output. */
FECRUN_INLINE uint32_t conv_match_shared(const struct conv_gather_args *a)
{
    const uint32_t items = (uint32_t)a->items;

    return (items + 31) / 32 * 64 + (a->period + 31) / 32 * (4 * CONV_PITCH) +
           conv_rows_bytes((items + 7) / 8);
}

/* conv_match_is_short() takes them. All lanes read the same entry of the table. */
FECRUN_ON_DEVICE void conv_match_block(const struct conv_gather_args *a, uint8_t *shared)
{
    const unsigned items = (unsigned)a->items, bytes = (items + 7) / 8, room = (items + 31) / 32;
    uint16_t *const entry = (uint16_t *)(void *)shared;
    uint32_t *const word = (uint32_t *)(void *)(shared + 64 * room) + threadIdx.x;
    uint8_t *const rows = shared + 64 * room + (a->period + 31) / 32 * (4 * CONV_PITCH);
    const uint64_t first = (uint64_t)blockIdx.x * CONV_ROWS;
    const unsigned here = conv_rows_here(a->frames);
    uint8_t *const out = a->out + first * a->out_stride;
    uint8_t *const row = rows + conv_rows_skip(out) + threadIdx.x * bytes;

    for (unsigned i = threadIdx.x; i < 32 * room; i += CONV_ROWS)
        entry[i] = i < items ? conv_match_entry(a->place[i % a->period]) : 0;
    if (threadIdx.x < here)
        conv_match_load(a->in + (first + threadIdx.x) * a->in_stride, a->period, word);
    __syncthreads();
    for (unsigned w = 0; threadIdx.x < here && w < room; w++)
        fecrun_store_bytes(row, bytes, 4 * w,
                           fecrun_swap(conv_first(conv_match_word(word, entry + 32 * w),
                                                  (int32_t)(items - 32 * w))));
    __syncthreads();
    conv_rows_put(out, rows, here * bytes);
}

/* The block's frames to shared memory, `words` of them each: eight loads of a thread are on their way at once. */
FECRUN_ON_DEVICE void conv_recover_take(const uint32_t *in, unsigned all,
                                        const struct gpu_divider *words, uint32_t pitch,
                                        uint32_t *frames)
{
    enum { AT_ONCE = 8 };

    for (unsigned i = threadIdx.x; i < all; i += AT_ONCE * CONV_ROWS) {
        uint32_t word[AT_ONCE];

        FECRUN_UNROLL
        for (unsigned k = 0; k < AT_ONCE; k++)
            word[k] = i + k * CONV_ROWS < all ? in[i + k * CONV_ROWS] : 0;
        FECRUN_UNROLL
        for (unsigned k = 0; k < AT_ONCE; k++) {
            const unsigned w = i + k * CONV_ROWS;
            const uint32_t f = gpu_divide(words, w);

            if (w < all)
                frames[f * pitch + (w - f * words->by)] = word[k];
        }
    }
}

/* Frames of e LLRs, a multiple of four, without gaps from a multiple of four bytes on. words: e / 4. */
FECRUN_ON_DEVICE void conv_recover_block(const struct conv_recover_args *a,
                                         const struct gpu_divider *words, uint8_t *shared)
{
    const uint32_t mother = a->mother, e = (uint32_t)a->e, pitch = conv_recover_pitch(e);
    uint16_t *const rank = (uint16_t *)(void *)shared;
    uint8_t *const rows = shared + 2 * conv_recover_room(mother);
    uint32_t *const frames = (uint32_t *)(void *)(rows + conv_rows_bytes(mother));
    const uint64_t first = (uint64_t)blockIdx.x * CONV_ROWS;
    const unsigned here = conv_rows_here(a->frames);
    uint8_t *const out = a->out + first * mother;
    const int8_t *const own = (const int8_t *)(frames + threadIdx.x * pitch);
    uint8_t *const row = rows + conv_rows_skip(out) + threadIdx.x * mother;

    for (unsigned i = threadIdx.x; i < conv_recover_room(mother); i += CONV_ROWS)
        rank[i] = i < mother ? (uint16_t)a->rank[i] : UINT16_MAX;
    conv_recover_take((const uint32_t *)(const void *)(a->in + first * e), here * words->by, words,
                      pitch, frames);
    __syncthreads();
    for (uint32_t at = 0; at < mother && threadIdx.x < here; at += CONV_ITEMS) {
        uint16_t own_rank[CONV_ITEMS];
        int32_t item[CONV_ITEMS];
        uint32_t two[2];

        fecrun_load_64(two, rank + at);
        memcpy(own_rank, two, sizeof two);
        conv_recover_short(own, own_rank, mother, e, (int32_t)a->limit, item);
        FECRUN_UNROLL
        for (unsigned i = 0; i < CONV_ITEMS; i++)
            if (at + i < mother)
                row[at + i] = (uint8_t)item[i];
    }
    __syncthreads();
    conv_rows_put(out, rows, here * mother);
}

#endif
#endif
