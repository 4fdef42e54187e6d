/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * polar.rate_match and polar.rate_recover: the work of one CUDA thread, a chunk of the output of one
 * frame. rate_match has a table of the word's bit at each place that is sent, rate_recover one of the places at
 * which each bit of the word was sent.
 */
#ifndef POLAR_CUDA_RATE_THREAD_H
#define POLAR_CUDA_RATE_THREAD_H

#include "plugins/common/gpu/frames.h"
#include "plugins/common/recover/clean.h"
#include "plugins/polar/rate/rate.h"

enum { POLAR_RATE_ITEMS = 4 /* of any type but packed bits: what a thread makes at once */ };

/* A class of frames, as the kernels see it. */
struct polar_rate_class {
    uint32_t n, e;
    /*
     * The first item of its table. rate_match: e bits of the word. rate_recover: e places, followed by
     * n + 1 items, the begin of each bit's places.
     */
    uint32_t table;
    int32_t limit;  /* rate_recover: of magnitudes, */
    int32_t unsent; /* and the LLR of a bit that was not sent */
};

struct polar_rate_args {
    struct gpu_frames frames;
    struct gpu_port in, out;
    const struct polar_rate_class *classes; /* in device memory */
    const uint16_t *tables;
    uint64_t chunks; /* the most that a frame of any class has */
};

/* Returns the chunks of a frame's output of `items` packed bits, or items of `size` bytes. */
FECRUN_INLINE uint64_t polar_rate_chunks(uint64_t items, bool packed, unsigned size)
{
    return packed ? fecrun_chunks((items + 7) / 8, 4)
                  : fecrun_chunks(items * size, size * POLAR_RATE_ITEMS);
}

/* ---- rate_match ------------------------------------------------------------------------------ */

/* Chunk c of frame f; packed bits. */
FECRUN_INLINE void polar_match_packed(const struct polar_rate_args *a,
                                      const struct polar_rate_class *own, uint64_t f, uint64_t c)
{
    const uint16_t *order = a->tables + own->table;
    const uint8_t *in = gpu_frame(&a->in, f);
    uint8_t *out = gpu_frame(&a->out, f);
    const int64_t bytes = ((int64_t)own->e + 7) / 8, begin = fecrun_chunk_begin(out, 4, 4, c);
    const uint32_t skip = begin < 0 ? 8 * (uint32_t)-begin : 0; /* bits before the frame */
    uint32_t j = 8 * (uint32_t)(begin + skip / 8), word = 0;

    if (begin >= bytes)
        return;
    for (uint32_t b = skip; b < 32 && j < own->e; b++, j++)
        word |= (uint32_t)(in[order[j] / 8] >> (7 - order[j] % 8) & 1) << b;
    fecrun_store_chunk(out, bytes, begin, fecrun_flip(word));
}

/* Chunk c of frame f; one bit a byte. */
FECRUN_INLINE void polar_match_u8(const struct polar_rate_args *a,
                                  const struct polar_rate_class *own, uint64_t f, uint64_t c)
{
    const uint16_t *order = a->tables + own->table;
    const uint8_t *in = gpu_frame(&a->in, f);
    uint8_t *out = gpu_frame(&a->out, f);
    const int64_t begin = fecrun_chunk_begin(out, POLAR_RATE_ITEMS, POLAR_RATE_ITEMS, c);
    uint8_t item[POLAR_RATE_ITEMS];

    if (begin >= (int64_t)own->e)
        return;
    FECRUN_UNROLL
    for (int i = 0; i < POLAR_RATE_ITEMS; i++)
        item[i] = begin + i < 0 || begin + i >= (int64_t)own->e ? 0 : in[order[begin + i]];
    FECRUN_STORE_ITEMS(out, (int64_t)own->e, begin, item);
}

/* ---- rate_recover ---------------------------------------------------------------------------- */

/* Chunk c of frame f. Sums are those of the reference, in its order; POLAR_NR_MOST_E of 16 bits fit into 32. */
#define POLAR_RECOVER(name, type, wide, clean) \
    FECRUN_INLINE void name(const struct polar_rate_args *a, const struct polar_rate_class *own, \
                            uint64_t f, uint64_t c) \
    { \
        const uint16_t *place = a->tables + own->table, *first = place + own->e; \
        const type *in = (const type *)(const void *)gpu_frame(&a->in, f); \
        type *out = (type *)(void *)gpu_frame(&a->out, f); \
        const wide limit = (wide)own->limit; \
        const unsigned unit = POLAR_RATE_ITEMS * sizeof(type); \
        const int64_t begin = fecrun_chunk_begin(out, unit, unit, c) / (int64_t)sizeof(type); \
        type item[POLAR_RATE_ITEMS]; \
        if (begin >= (int64_t)own->n) \
            return; \
        FECRUN_UNROLL \
        for (int i = 0; i < POLAR_RATE_ITEMS; i++) { \
            wide sum = 0; \
            uint32_t at, end; \
            item[i] = 0; \
            if (begin + i < 0 || begin + i >= (int64_t)own->n) \
                continue; \
            at = first[begin + i], end = first[begin + i + 1]; \
            if (at == end) \
                sum = (wide)own->unsent; \
            for (; at < end; at++) \
                sum += clean(in[place[at]], limit); \
            item[i] = (type)clean(sum, limit); \
        } \
        FECRUN_STORE_ITEMS(out, (int64_t)own->n, begin, item); \
    }

POLAR_RECOVER(polar_recover_i8, int8_t, int32_t, recover_clean_int32)
POLAR_RECOVER(polar_recover_i16, int16_t, int32_t, recover_clean_int32)
POLAR_RECOVER(polar_recover_f32, float, double, recover_clean)

#endif
