/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * turbo.rate_match and turbo.rate_recover, one CUDA thread: a chunk of the output of one frame. The
 * sub-block interleavers are a table: of rate_match the item of each rank, of rate_recover the rank
 * of each item.
 */
#ifndef TURBO_CUDA_RATE_THREAD_H
#define TURBO_CUDA_RATE_THREAD_H

#include "plugins/common/gpu/frames.h"
#include "plugins/common/recover/clean.h"
#include "plugins/turbo/rate/rate.h"

enum { TURBO_ITEMS = 4 /* of any type but packed bits: what a thread makes at once */ };

#define TURBO_UNSENT UINT16_MAX /* in the place of a rank: no place of the buffer, or a filler */

/* What kernels know of a class of frames. */
struct turbo_rate_class {
    struct turbo_rate rate;
    uint32_t table; /* where its table begins, in items behind the last class */
    int32_t limit;  /* rate_recover: of magnitudes, of all types */
};

struct turbo_rate_args {
    struct gpu_frames frames;
    struct gpu_port in, prior, out;
    const struct turbo_rate_class *classes; /* in device memory, followed by their tables */
    const uint16_t *items;                  /* the tables of all classes */
    uint64_t chunks;                        /* the most that a frame of any class has */
};

FECRUN_INLINE const uint16_t *turbo_rate_items(const struct turbo_rate_class *classes, uint32_t n)
{
    return (const uint16_t *)(const void *)(classes + n);
}

/* Chunks of a frame's output of so many items. */
FECRUN_INLINE uint64_t turbo_rate_chunks(const struct turbo_rate *r, unsigned packed, unsigned size,
                                         bool match)
{
    const uint64_t items = match ? r->e : r->n;

    return packed ? fecrun_chunks((items + 7) / 8, 4)
                  : fecrun_chunks(items * size, size * TURBO_ITEMS);
}

/* Rank of bit j of what is sent. */
FECRUN_INLINE uint32_t turbo_rate_rank(const struct turbo_rate *r, uint32_t j)
{
    const uint32_t rank = r->first + j;

    return rank < r->sent ? rank : rank % r->sent;
}

/* ---- rate_match ------------------------------------------------------------------------------ */

/* Chunk c of frame f; packed bits. */
FECRUN_INLINE void turbo_match_packed(const struct turbo_rate_args *a,
                                      const struct turbo_rate_class *own, uint64_t f, uint64_t c)
{
    const struct turbo_rate *r = &own->rate;
    const uint16_t *order = a->items + own->table;
    const uint8_t *in = gpu_frame(&a->in, f);
    uint8_t *out = gpu_frame(&a->out, f);
    const int64_t bytes = ((int64_t)r->e + 7) / 8, begin = fecrun_chunk_begin(out, 4, 4, c);
    const uint32_t skip = begin < 0 ? 8 * (uint32_t)-begin : 0; /* bits before the frame */
    uint32_t j = 8 * (uint32_t)(begin + skip / 8), rank, word = 0;

    if (begin >= bytes)
        return;
    rank = turbo_rate_rank(r, j);
    for (uint32_t b = skip; b < 32 && j < r->e; b++, j++) {
        const uint32_t item = order[rank];

        word |= (uint32_t)(in[item / 8] >> (7 - item % 8) & 1) << b;
        rank = rank + 1 == r->sent ? 0 : rank + 1;
    }
    fecrun_store_chunk(out, bytes, begin, fecrun_flip(word));
}

/* Chunk c of frame f; one bit a byte. */
FECRUN_INLINE void turbo_match_u8(const struct turbo_rate_args *a,
                                  const struct turbo_rate_class *own, uint64_t f, uint64_t c)
{
    const struct turbo_rate *r = &own->rate;
    const uint16_t *order = a->items + own->table;
    const uint8_t *in = gpu_frame(&a->in, f);
    uint8_t *out = gpu_frame(&a->out, f);
    const int64_t begin = fecrun_chunk_begin(out, TURBO_ITEMS, TURBO_ITEMS, c);
    uint8_t item[TURBO_ITEMS];
    uint32_t rank;

    if (begin >= (int64_t)r->e)
        return;
    rank = turbo_rate_rank(r, begin < 0 ? 0 : (uint32_t)begin);
    FECRUN_UNROLL
    for (int i = 0; i < TURBO_ITEMS; i++) {
        item[i] = 0;
        if (begin + i < 0 || begin + i >= (int64_t)r->e)
            continue;
        item[i] = in[order[rank]];
        rank = rank + 1 == r->sent ? 0 : rank + 1;
    }
    FECRUN_STORE_ITEMS(out, (int64_t)r->e, begin, item);
}

/* ---- rate_recover ---------------------------------------------------------------------------- */

/* Chunk c of frame f. Sums are those of the reference, in its order. */
#define TURBO_RECOVER(name, type, wide, clean) \
    FECRUN_INLINE void name(const struct turbo_rate_args *a, const struct turbo_rate_class *own, \
                            uint64_t f, uint64_t c) \
    { \
        const struct turbo_rate *r = &own->rate; \
        const uint16_t *ranks = a->items + own->table; \
        const type *in = (const type *)(const void *)gpu_frame(&a->in, f); \
        const type *prior = a->prior.data ? (const type *)(const void *)gpu_frame(&a->prior, f) \
                                          : NULL; \
        type *out = (type *)(void *)gpu_frame(&a->out, f); \
        const wide limit = (wide)own->limit; \
        const unsigned unit = TURBO_ITEMS * sizeof(type); \
        const int64_t begin = fecrun_chunk_begin(out, unit, unit, c) / (int64_t)sizeof(type); \
        type item[TURBO_ITEMS]; \
        if (begin >= (int64_t)r->n) \
            return; \
        FECRUN_UNROLL \
        for (int i = 0; i < TURBO_ITEMS; i++) { \
            const uint32_t v = (uint32_t)(begin + i); \
            uint32_t rank; \
            wide sum = 0; \
            item[i] = 0; \
            if (begin + i < 0 || begin + i >= (int64_t)r->n) \
                continue; \
            if (turbo_rate_is_filler(r, v)) { \
                item[i] = (type)limit; \
                continue; \
            } \
            rank = ranks[v]; \
            sum += prior ? clean(prior[v], limit) : 0; \
            if (rank != TURBO_UNSENT) \
                for (uint32_t j = rank >= r->first ? rank - r->first : rank + r->sent - r->first; \
                     j < r->e; j += r->sent) \
                    sum += clean(in[j], limit); \
            item[i] = (type)clean(sum, limit); \
        } \
        FECRUN_STORE_ITEMS(out, (int64_t)r->n, begin, item); \
    }

TURBO_RECOVER(turbo_recover_i8, int8_t, int64_t, recover_clean_int)
TURBO_RECOVER(turbo_recover_i16, int16_t, int64_t, recover_clean_int)
TURBO_RECOVER(turbo_recover_f32, float, double, recover_clean)

#endif
