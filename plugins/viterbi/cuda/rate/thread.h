/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * conv.puncture, conv.depuncture, conv.rate_match and conv.rate_recover, one thread.
 *
 * The first three are one thing: item i of the output is
 *
 *     item i / period * advance + place[i % period] of the input
 *
 * or 0 where the place is CONV_NOWHERE.
 */
#ifndef VITERBI_CUDA_RATE_THREAD_H
#define VITERBI_CUDA_RATE_THREAD_H

#include <fecrun/sdk/device.h>

#include "plugins/common/recover/clean.h"
#include "plugins/viterbi/cuda/frames.h"
#include "plugins/viterbi/cuda/shift.h"

#define CONV_NOWHERE UINT32_MAX

enum { CONV_WARP = 32, CONV_ITEMS = 4 /* of any type: what a thread gathers */ };

struct conv_gather_args {
    const uint8_t *in;
    uint8_t *out;
    uint64_t in_stride, out_stride; /* bytes */
    uint64_t frames;
    uint64_t items;        /* of a frame of the output; the most where there are classes */
    const uint32_t *place; /* [period], in device memory; of classes, one behind the other */
    uint32_t period;
    uint32_t advance;
    uint32_t item_bytes;         /* 1, 2, 4; 0: packed bits */
    struct conv_classes classes; /* a period is then a frame of the input */
    const uint32_t *first;       /* of each class: the beginning of its places */
};

/* A frame of a class by itself: what the functions below take. */
FECRUN_INLINE struct conv_gather_args conv_gather_frame(const struct conv_gather_args *a,
                                                        uint64_t f)
{
    struct conv_gather_args own = *a;

    own.in += conv_place(a->classes.in_offset, a->in_stride, f);
    own.out += conv_place(a->classes.out_offset, a->out_stride, f);
    if (a->classes.of) {
        const uint32_t c = a->classes.of[f];

        own.items = a->classes.out_items[c];
        own.period = (uint32_t)a->classes.in_items[c];
        own.place = a->place + a->first[c];
    }
    return own;
}

/* An item's place: in[base + place[rest]]. */
struct conv_walk {
    uint64_t base;
    uint32_t rest;
};

FECRUN_INLINE struct conv_walk conv_walk_to(const struct conv_gather_args *a, uint64_t i)
{
    struct conv_walk walk;
    uint64_t periods = i >> 32 ? i / a->period : (uint32_t)i / a->period; /* the latter is fast */

    walk.base = periods * a->advance;
    walk.rest = (uint32_t)(i - periods * a->period);
    return walk;
}

/* `step` items on, of which `periods` whole periods and `rest` items. */
FECRUN_INLINE void conv_walk_on(const struct conv_gather_args *a, struct conv_walk *walk,
                                uint32_t periods, uint32_t rest)
{
    walk->base += (uint64_t)periods * a->advance;
    walk->rest += rest;
    if (walk->rest >= a->period) {
        walk->rest -= a->period;
        walk->base += a->advance;
    }
}

FECRUN_INLINE uint32_t conv_gather_bit(const struct conv_gather_args *a, const uint8_t *row,
                                       const struct conv_walk *walk)
{
    uint64_t from = walk->base + a->place[walk->rest];

    return row[from >> 3] >> (7 - (from & 7)) & 1u;
}

/* Word w of a row of packed bits; its address may be any. */
FECRUN_INLINE void conv_gather_store(const struct conv_gather_args *a, uint64_t w, uint32_t word)
{
    uint8_t *row = a->out;
    int64_t bytes = (int64_t)(a->items / 8 + (a->items % 8 != 0)), begin = (int64_t)(4 * w);

    word = fecrun_swap(word);
    if ((uintptr_t)row & 3)
        fecrun_store_bytes(row, bytes, begin, word);
    else
        fecrun_store_chunk(row, bytes, begin, word);
}

/* Items of a chunk of CONV_ITEMS, of which all or some are the row's. */
#define CONV_GATHER(name, type) \
    FECRUN_INLINE void name(const struct conv_gather_args *all, uint64_t f, uint64_t c) \
    { \
        const struct conv_gather_args own = conv_gather_frame(all, f), *a = &own; \
        const type *in = (const type *)a->in; \
        type *out = (type *)a->out; \
        type item[CONV_ITEMS]; \
        int64_t begin = fecrun_chunk_begin(out, sizeof item, sizeof item, c) / \
                        (int64_t)sizeof(type); \
        struct conv_walk walk; \
        if (begin >= (int64_t)a->items) \
            return; \
        walk = conv_walk_to(a, begin < 0 ? 0 : (uint64_t)begin); \
        FECRUN_UNROLL \
        for (int i = 0; i < CONV_ITEMS; i++) { \
            uint32_t place; \
            item[i] = 0; \
            if (begin + i < 0 || begin + i >= (int64_t)a->items) \
                continue; \
            place = a->place[walk.rest]; \
            if (place != CONV_NOWHERE) \
                item[i] = in[walk.base + place]; \
            conv_walk_on(a, &walk, 0, 1); \
        } \
        FECRUN_STORE_ITEMS(out, (int64_t)a->items, begin, item); \
    }

CONV_GATHER(conv_gather_8, uint8_t)
CONV_GATHER(conv_gather_16, uint16_t)
CONV_GATHER(conv_gather_32, uint32_t)

/* ---- rate_match, short frames --------------------------------------------------------------- */

enum { CONV_SHORT = 8 /* words of a frame of the input */, CONV_SHORT_OUT = 1024 /* bits */ };

/* A thread's words of the input lie that far apart, and an entry of the table says where one is, in bytes, and
   which bit of it. */
enum { CONV_PITCH = 128 /* threads of a block */ };

FECRUN_INLINE uint16_t conv_match_entry(uint32_t place)
{
    return (uint16_t)(place / 32 * (4 * CONV_PITCH) + place % 32);
}

FECRUN_INLINE bool conv_match_is_short(const struct conv_gather_args *a)
{
    return !a->item_bytes && !a->classes.of && !a->advance && a->period <= 32 * CONV_SHORT &&
           a->items <= CONV_SHORT_OUT;
}

/* Words of the input frame, the first bit on top. Reads up to seven bytes behind the frame. */
FECRUN_INLINE void conv_match_load(const uint8_t *row, unsigned bits, uint32_t *word)
{
    const unsigned down = (unsigned)((uintptr_t)row & 3);
    uint32_t high = fecrun_swap(fecrun_load_32(row - down));

    for (unsigned w = 0; 32 * w < bits; w++) {
        const uint32_t low = fecrun_swap(fecrun_load_32(row - down + 4 * w + 4));

        word[w * CONV_PITCH] = conv_shift_left(high, low, 8 * down);
        high = low;
    }
}

/* 32 bits of the output; entry: of the first one, at a multiple of eight bytes. */
FECRUN_INLINE uint32_t conv_match_word(const uint32_t *word, const uint16_t *entry)
{
    uint32_t out = 0;

    FECRUN_UNROLL
    for (unsigned i = 0; i < 32; i += 4) {
        uint32_t four[2];

        fecrun_load_64(four, entry + i);
        FECRUN_UNROLL
        for (unsigned k = 0; k < 4; k++) {
            const uint32_t at = four[k / 2] >> 16 * (k % 2) & 0xffff;
            const uint32_t from = fecrun_load_32((const uint8_t *)word + (at & ~31u));

            out = conv_shift_left(out, from << (at & 31), 1);
        }
    }
    return out;
}

/* ---- rate_recover -------------------------------------------------------------------------- */

enum { CONV_STREAMS = 3, CONV_PAD = CONV_ITEMS - 1 };

/* Sums of i8 LLRs fit 32 bits in frames of fewer items. */
#define CONV_LONG (UINT32_C(1) << 24)

struct conv_recover_args {
    const uint8_t *in;
    uint8_t *out;
    uint64_t in_stride, out_stride; /* bytes */
    uint64_t frames;
    uint64_t e;      /* items of a frame of the input */
    uint32_t mother; /* of the output; the most where there are classes */
    const uint32_t
        *rank;     /* [mother], in device memory: place in the circular buffer; of classes, one
                             behind the other */
    double limit;  /* of magnitudes; where `type` is an integer at most 32767 */
    uint32_t type; /* enum fecrun_type */
    struct conv_classes classes;
    const uint32_t *first; /* of each class: the beginning of its ranks */
};

/* A frame of a class by itself: what the functions below take. */
FECRUN_INLINE struct conv_recover_args conv_recover_frame(const struct conv_recover_args *a,
                                                          uint64_t f)
{
    struct conv_recover_args own = *a;

    own.in += conv_place(a->classes.in_offset, a->in_stride, f);
    own.out += conv_place(a->classes.out_offset, a->out_stride, f);
    if (a->classes.of) {
        const uint32_t c = a->classes.of[f];

        own.e = a->classes.in_items[c];
        own.mother = (uint32_t)a->classes.out_items[c];
        own.rank = a->rank + a->first[c];
    }
    return own;
}

/* recover_clean(); in this order the kernel needs no stack. */
FECRUN_INLINE double conv_clean(double x, double limit)
{
    return x > limit ? limit : x < -limit ? -limit : x == x ? x : 0;
}

/* `wide` holds sums of `one` as exactly as the reference's double does; e + mother < 2^32. */
#define CONV_RECOVER(name, type, one, wide, CLEAN) \
    FECRUN_INLINE void name(const struct conv_recover_args *all, uint64_t f, uint64_t c) \
    { \
        const struct conv_recover_args own = conv_recover_frame(all, f), *a = &own; \
        const type *in = (const type *)a->in; \
        type *out = (type *)a->out; \
        const one limit = (one)a->limit; \
        const uint32_t mother = a->mother, e = (uint32_t)a->e; \
        uint32_t rank[CONV_ITEMS]; \
        wide sum[CONV_ITEMS]; \
        type item[CONV_ITEMS]; \
        int64_t begin = fecrun_chunk_begin(out, sizeof item, sizeof item, c) / \
                        (int64_t)sizeof(type); \
        if (begin >= (int64_t)mother) \
            return; \
        FECRUN_UNROLL \
        for (int i = 0; i < CONV_ITEMS; i++) { \
            rank[i] = a->rank[begin + i]; \
            sum[i] = 0; \
        } \
        for (uint32_t round = 0; round < e; round += mother) \
            FECRUN_UNROLL \
        for (int i = 0; i < CONV_ITEMS; i++) \
            if (rank[i] < e - round) \
                sum[i] += CLEAN(in[round + rank[i]], limit); \
        FECRUN_UNROLL \
        for (int i = 0; i < CONV_ITEMS; i++) \
            item[i] = (type)(sum[i] > limit ? limit : sum[i] < -limit ? -limit : sum[i]); \
        FECRUN_STORE_ITEMS(out, (int64_t)mother, begin, item); \
    }

/*
 * Four items of a short frame in i8 without dividing, in the order of sending. row: its e LLRs. The lanes of a
 * warp do the same items of different frames.
 */
FECRUN_INLINE void conv_recover_short(const int8_t *row, const uint16_t rank[CONV_ITEMS],
                                      uint32_t mother, uint32_t e, int32_t limit,
                                      int32_t item[CONV_ITEMS])
{
    FECRUN_UNROLL
    for (int i = 0; i < CONV_ITEMS; i++)
        item[i] = 0;
    for (uint32_t round = 0; round < e; round += mother)
        FECRUN_UNROLL
    for (int i = 0; i < CONV_ITEMS; i++)
        if (rank[i] < e - round)
            item[i] += recover_clean_int32(row[round + rank[i]], limit);
    FECRUN_UNROLL
    for (int i = 0; i < CONV_ITEMS; i++)
        item[i] = recover_clean_int32(item[i], limit);
}

CONV_RECOVER(conv_recover_i8, int8_t, int32_t, int32_t, recover_clean_int32)
CONV_RECOVER(conv_recover_i8_long, int8_t, int32_t, int64_t, recover_clean_int32)
CONV_RECOVER(conv_recover_i16, int16_t, int32_t, int64_t, recover_clean_int32)
CONV_RECOVER(conv_recover_f32, float, double, double, conv_clean)

#endif
