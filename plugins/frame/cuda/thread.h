/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frame.interleave, frame.scramble and bits.hard on CUDA devices: the work of one thread, a chunk of the output of one
 * frame.
 */
#ifndef FRAME_CUDA_THREAD_H
#define FRAME_CUDA_THREAD_H

#include <fecrun/plugin.h>

#include "plugins/common/gpu/load.h"

enum { FRAME_GPU_ITEMS = 4 /* of a chunk; bits.hard: of bytes of packed bits */ };

/* There is one class of frames, of which the kernels know no more than the arguments say. */
struct frame_gpu_class {
    uint32_t none;
};

/* A number below 2^40 divided by `by`, which is at most 2^24. */
struct frame_gpu_division {
    uint64_t inverse; /* 2^64 / by, rounded up */
    uint64_t by;
};

struct frame_gpu_args {
    struct gpu_frames frames;
    struct gpu_port in, out;
    const struct frame_gpu_class *classes; /* in device memory */
    uint64_t chunks;                       /* of a frame */
    uint64_t items;
    uint64_t place; /* of the first item in its period or in the sequence */
    uint64_t step;  /* items from one frame to the next: 0: each one begins at `place` */
    struct frame_gpu_division period;
    const int32_t *from;     /* interleave: from[] of struct order */
    int64_t low, high;       /* ... the items that there are, the frame's first one is 0 */
    const uint8_t *sequence; /* scramble: bits, packed or one a byte, and the first ones again */
};

FECRUN_INLINE struct frame_gpu_division frame_gpu_by(uint64_t by)
{
    const struct frame_gpu_division division = {by > 1 ? UINT64_MAX / by + 1 : 0, by};

    return division;
}

/* x modulo what it is divided by. */
FECRUN_INLINE uint64_t frame_gpu_rest(const struct frame_gpu_division *d, uint64_t x)
{
#ifdef __CUDA_ARCH__
    const uint64_t quotient = __umul64hi(x, d->inverse);
#else
    const uint64_t quotient = (uint64_t)((unsigned __int128)x * d->inverse >> 64);
#endif

    return d->by > 1 ? x - quotient * d->by : 0;
}

/* Chunks of a frame of `items` packed bits, or items of `size` bytes. */
FECRUN_INLINE uint64_t frame_gpu_chunks(uint64_t items, bool packed, unsigned size)
{
    return packed     ? fecrun_chunks((items + 7) / 8, 4)
           : size > 4 ? items
                      : fecrun_chunks(items * size, size * FRAME_GPU_ITEMS);
}

/* ---- frame.interleave and frame.deinterleave --------------------------------------------------------- */

/* The place of item i of frame f in its period. */
FECRUN_INLINE uint64_t frame_gpu_place(const struct frame_gpu_args *a, uint64_t f, int64_t i)
{
    return frame_gpu_rest(&a->period, a->place + f * a->step + (uint64_t)i);
}

#define FRAME_INTERLEAVE(name, type) \
    FECRUN_INLINE void name(const struct frame_gpu_args *a, const struct frame_gpu_class *own, \
                            uint64_t f, uint64_t c) \
    { \
        const type *in = (const type *)(const void *)gpu_frame(&a->in, f); \
        type *out = (type *)(void *)gpu_frame(&a->out, f); \
        const unsigned unit = FRAME_GPU_ITEMS * sizeof(type); \
        const int64_t begin = fecrun_chunk_begin(out, unit, unit, c) / (int64_t)sizeof(type); \
        const int64_t first = begin < 0 ? 0 : begin; \
        const int64_t low = a->low - (int64_t)(f * a->step), \
                      high = a->high - (int64_t)(f * a->step); \
        type item[FRAME_GPU_ITEMS]; \
        uint64_t place; \
        (void)own; \
        if (begin >= (int64_t)a->items) \
            return; \
        place = frame_gpu_place(a, f, first); \
        FECRUN_UNROLL \
        for (int i = 0; i < FRAME_GPU_ITEMS; i++) { \
            item[i] = 0; \
            if (begin + i >= 0 && begin + i < (int64_t)a->items) { \
                const int64_t at = begin + i - (int64_t)place + a->from[place]; \
                if (at >= low && at < high) \
                    item[i] = in[at]; \
                place = place + 1 == a->period.by ? 0 : place + 1; \
            } \
        } \
        FECRUN_STORE_ITEMS(out, (int64_t)a->items, begin, item); \
    }

FRAME_INTERLEAVE(frame_interleave_8, uint8_t)
FRAME_INTERLEAVE(frame_interleave_16, uint16_t)
FRAME_INTERLEAVE(frame_interleave_32, uint32_t)

/* An item of eight bytes, which are aligned to four. */
FECRUN_INLINE void frame_interleave_64(const struct frame_gpu_args *a,
                                       const struct frame_gpu_class *own, uint64_t f, uint64_t c)
{
    const uint64_t place = frame_gpu_place(a, f, (int64_t)c);
    const int64_t at = (int64_t)c - (int64_t)place + a->from[place];
    const int64_t all = at + (int64_t)(f * a->step);
    const bool is_there = all >= a->low && all < a->high;

    (void)own;
    for (unsigned half = 0; half < 2; half++)
        fecrun_store_32(gpu_frame(&a->out, f) + 8 * c + 4 * half,
                        is_there ? fecrun_load_32(gpu_frame(&a->in, f) + 8 * at + 4 * half) : 0);
}

/* ---- frame.scramble and frame.descramble --------------------------------------------------------------- */

/* Chunk c of frame f; whole bytes of packed bits. */
FECRUN_INLINE void frame_scramble_packed(const struct frame_gpu_args *a,
                                         const struct frame_gpu_class *own, uint64_t f, uint64_t c)
{
    const uint8_t *in = gpu_frame(&a->in, f);
    uint8_t *out = gpu_frame(&a->out, f);
    const int64_t bytes = (int64_t)(a->items + 7) / 8, begin = fecrun_chunk_begin(out, 4, 4, c);
    const unsigned rest = a->items % 8;

    (void)own;
    if (begin >= bytes)
        return;
    if (begin >= 0 && begin + 4 <= bytes - (rest != 0)) {
        fecrun_store_32(out + begin, gpu_load_any(in + begin) ^
                                         gpu_load_any(a->sequence + frame_gpu_place(a, f, begin)));
        return;
    }
    for (int64_t i = begin < 0 ? 0 : begin; i < begin + 4 && i < bytes; i++)
        out[i] = (uint8_t)((in[i] ^ a->sequence[frame_gpu_place(a, f, i)]) &
                           (rest && i + 1 == bytes ? 0xff00 >> rest : 0xff));
}

/* What becomes of an item where the sequence's bit is 0 or 1: as the reference. */
FECRUN_INLINE uint8_t frame_turn_u8(uint8_t item, unsigned bit)
{
    return (uint8_t)(item ^ bit);
}

FECRUN_INLINE uint8_t frame_turn_i8(uint8_t item, unsigned bit)
{
    const unsigned value = item == 0x80 ? 0x81 : item;

    return (uint8_t)((value ^ (0u - bit)) + bit);
}

FECRUN_INLINE uint16_t frame_turn_i16(uint16_t item, unsigned bit)
{
    const unsigned value = item == 0x8000 ? 0x8001 : item;

    return (uint16_t)((value ^ (0u - bit)) + bit);
}

FECRUN_INLINE uint16_t frame_turn_f16(uint16_t item, unsigned bit)
{
    return (uint16_t)(item ^ (item & 0x7fff ? bit << 15 : 0));
}

FECRUN_INLINE uint32_t frame_turn_f32(uint32_t item, unsigned bit)
{
    return item ^ (item & 0x7fffffff ? bit << 31 : 0);
}

#define FRAME_SCRAMBLE(name, type, turn) \
    FECRUN_INLINE void name(const struct frame_gpu_args *a, const struct frame_gpu_class *own, \
                            uint64_t f, uint64_t c) \
    { \
        const type *in = (const type *)(const void *)gpu_frame(&a->in, f); \
        type *out = (type *)(void *)gpu_frame(&a->out, f); \
        const unsigned unit = FRAME_GPU_ITEMS * sizeof(type); \
        const int64_t begin = fecrun_chunk_begin(out, unit, unit, c) / (int64_t)sizeof(type); \
        const int64_t first = begin < 0 ? 0 : begin; \
        type item[FRAME_GPU_ITEMS]; \
        uint32_t bits; \
        (void)own; \
        if (begin >= (int64_t)a->items) \
            return; \
        bits = gpu_load_any(a->sequence + frame_gpu_place(a, f, first)); \
        bits <<= 8 * (first - begin); \
        FECRUN_UNROLL \
        for (int i = 0; i < FRAME_GPU_ITEMS; i++) \
            item[i] = begin + i < 0 || begin + i >= (int64_t)a->items \
                          ? 0 \
                          : turn(in[begin + i], bits >> 8 * i & 1); \
        FECRUN_STORE_ITEMS(out, (int64_t)a->items, begin, item); \
    }

FRAME_SCRAMBLE(frame_scramble_u8, uint8_t, frame_turn_u8)
FRAME_SCRAMBLE(frame_scramble_i8, uint8_t, frame_turn_i8)
FRAME_SCRAMBLE(frame_scramble_i16, uint16_t, frame_turn_i16)
FRAME_SCRAMBLE(frame_scramble_f16, uint16_t, frame_turn_f16)
FRAME_SCRAMBLE(frame_scramble_f32, uint32_t, frame_turn_f32)

/* ---- bits.hard ------------------------------------------------------------------------------------------- */

/* Is the LLR below 0? What is not a number is not. */
FECRUN_INLINE unsigned frame_is_one_8(uint8_t item)
{
    return item >> 7;
}

FECRUN_INLINE unsigned frame_is_one_16(uint16_t item)
{
    return item >> 15;
}

FECRUN_INLINE unsigned frame_is_one_f16(uint16_t item)
{
    return item > 0x8000 && item <= 0xfc00;
}

FECRUN_INLINE unsigned frame_is_one_f32(uint32_t item)
{
    return item > 0x80000000u && item <= 0xff800000u;
}

/* name##_u8: a byte a bit, name##_packed: 32 bits. */
#define FRAME_HARD(name, type, is_one) \
    FECRUN_INLINE void name##_u8(const struct frame_gpu_args *a, \
                                 const struct frame_gpu_class *own, uint64_t f, uint64_t c) \
    { \
        const type *in = (const type *)(const void *)gpu_frame(&a->in, f); \
        uint8_t *out = gpu_frame(&a->out, f); \
        const int64_t begin = fecrun_chunk_begin(out, FRAME_GPU_ITEMS, FRAME_GPU_ITEMS, c); \
        uint8_t item[FRAME_GPU_ITEMS]; \
        (void)own; \
        if (begin >= (int64_t)a->items) \
            return; \
        FECRUN_UNROLL \
        for (int i = 0; i < FRAME_GPU_ITEMS; i++) \
            item[i] = begin + i < 0 || begin + i >= (int64_t)a->items \
                          ? 0 \
                          : (uint8_t)is_one(in[begin + i]); \
        FECRUN_STORE_ITEMS(out, (int64_t)a->items, begin, item); \
    } \
    FECRUN_INLINE void name##_packed(const struct frame_gpu_args *a, \
                                     const struct frame_gpu_class *own, uint64_t f, uint64_t c) \
    { \
        const type *in = (const type *)(const void *)gpu_frame(&a->in, f); \
        uint8_t *out = gpu_frame(&a->out, f); \
        const int64_t bytes = (int64_t)(a->items + 7) / 8; \
        const int64_t begin = fecrun_chunk_begin(out, 4, 4, c), first = 8 * begin; \
        uint32_t word = 0; \
        (void)own; \
        if (begin >= bytes) \
            return; \
        if (first >= 0 && first + 32 <= (int64_t)a->items) { \
            FECRUN_UNROLL \
            for (int i = 0; i < 32; i++) \
                word |= is_one(in[first + i]) << i; \
        } else { \
            for (int i = 0; i < 32; i++) \
                if (first + i >= 0 && first + i < (int64_t)a->items) \
                    word |= is_one(in[first + i]) << i; \
        } \
        fecrun_store_chunk(out, bytes, begin, fecrun_flip(word)); \
    }

FRAME_HARD(frame_hard_i8, uint8_t, frame_is_one_8)
FRAME_HARD(frame_hard_i16, uint16_t, frame_is_one_16)
FRAME_HARD(frame_hard_f16, uint16_t, frame_is_one_f16)
FRAME_HARD(frame_hard_f32, uint32_t, frame_is_one_f32)

#endif
