/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * turbo.rate_match and turbo.rate_recover on CUDA devices: what the threads of a block do. A group of them has a
 * frame. The interleavers' steps are wide, so it comes into shared memory first, in whole words, and is picked up
 * there in the order of the output. Tables say where: of rate_match the item that bit j is, of rate_recover the
 * first bit that is item i.
 */
#ifndef TURBO_CUDA_RATE_BLOCK_H
#define TURBO_CUDA_RATE_BLOCK_H

#include "plugins/common/gpu/frames.h"
#include "plugins/common/recover/clean.h"
#include "plugins/turbo/rate/rate.h"

enum {
    TURBO_RATE_THREADS = 128,
    TURBO_ITEMS = 4,               /* of the output of rate_recover, that a thread makes at once */
    TURBO_RATE_SHARED = 48 * 1024, /* bytes that any device has for a block of threads */
};

/* In rate_recover's table: an item that is never sent, and a filler. */
enum { TURBO_UNSENT = UINT16_MAX, TURBO_FILLER = UINT16_MAX - 1 };

/* What kernels know of a class of frames. */
struct turbo_rate_class {
    struct turbo_rate rate;
    uint32_t table; /* where its table begins, in items: a multiple of 8 */
    uint32_t most;  /* bits before the first one that is sent again, at most e */
    int32_t limit;  /* rate_recover: of magnitudes, of all types */
};

struct turbo_rate_args {
    struct gpu_frames frames;
    struct gpu_port in, prior, out;
    const struct turbo_rate_class *classes; /* in device memory, followed by their tables */
    const uint16_t *items;                  /* the tables of all classes */
    uint32_t group;                         /* threads of a frame, a power of two */
    uint32_t shared; /* words of a frame of any class; 0: frames are too long */
};

/* Items of a table, so that the next one begins at a multiple of 16 bytes. */
FECRUN_INLINE uint32_t turbo_rate_room(uint32_t items)
{
    return (items + 7) / 8 * 8;
}

/* The tables behind n classes. */
FECRUN_INLINE const uint16_t *turbo_rate_items(const struct turbo_rate_class *classes, uint32_t n)
{
    return (const uint16_t *)(const void *)((const char *)classes +
                                            (n * sizeof *classes + 15) / 16 * 16);
}

/* Words of shared memory of a frame. size: bytes of an item; 0: packed bits. */
FECRUN_INLINE uint64_t turbo_rate_words(const struct turbo_rate *r, unsigned size, bool match)
{
    const uint64_t items = match ? r->n : (uint64_t)r->e + 1; /* a zero behind them */

    return (size ? (items * size + 3) / 4 : (items + 31) / 32) + 1;
}

/* Four items of so many bytes, where both sides begin at a multiple of as many bytes as they have. */
FECRUN_INLINE void turbo_copy_four(void *to, const void *from, unsigned size)
{
    FECRUN_UNROLL
    for (unsigned i = 0; i < size; i++)
        fecrun_store_32((char *)to + 4 * i, fecrun_load_32((const char *)from + 4 * i));
}

FECRUN_INLINE bool turbo_aligned(const void *at, unsigned bytes)
{
    return (uintptr_t)at % bytes == 0;
}

/* ---- rate_match ------------------------------------------------------------------------------ */

/* The frame's bytes to shared memory. */
FECRUN_INLINE const uint8_t *turbo_match_load(const uint8_t *frame, uint32_t bytes, uint32_t *s,
                                              uint32_t t, uint32_t group)
{
    const uint32_t whole = turbo_aligned(frame, 4) ? bytes / 4 * 4 : 0;
    uint8_t *to = (uint8_t *)s;

    for (uint32_t i = 4 * t; i < whole; i += 4 * group)
        fecrun_store_32(to + i, fecrun_load_32(frame + i));
    for (uint32_t i = whole + t; i < bytes; i += group)
        to[i] = frame[i];
    return to;
}

/* Eight bits of packed ones, the first one on top, of places 0..7 of the table. */
FECRUN_INLINE uint32_t turbo_match_byte(const uint8_t *s, const uint16_t *place)
{
    uint32_t four[4], byte = 0;

    fecrun_load_128(four, place);
    FECRUN_UNROLL
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t item = four[i / 2] >> 16 * (i % 2) & 0xffff;

        byte |= (uint32_t)(s[item / 8] >> (7 - item % 8) & 1) << (7 - i);
    }
    return byte;
}

FECRUN_INLINE void turbo_match_packed(const struct turbo_rate_class *c, const uint16_t *place,
                                      const uint8_t *s, uint8_t *out, uint32_t t, uint32_t group)
{
    const uint32_t e = c->rate.e;

    for (uint32_t j = 8 * t; j < e; j += 8 * group) {
        uint32_t byte = 0;

        if (j + 8 <= c->most) {
            byte = turbo_match_byte(s, place + j);
        } else {
            for (uint32_t b = 0; b < 8 && j + b < e; b++) {
                const uint32_t item = place[j + b < c->most ? j + b : (j + b) % c->most];

                byte |= (uint32_t)(s[item / 8] >> (7 - item % 8) & 1) << (7 - b);
            }
        }
        out[j / 8] = (uint8_t)byte;
    }
}

FECRUN_INLINE void turbo_match_u8(const struct turbo_rate_class *c, const uint16_t *place,
                                  const uint8_t *s, uint8_t *out, uint32_t t, uint32_t group)
{
    for (uint32_t j = t; j < c->rate.e; j += group)
        out[j] = s[place[j < c->most ? j : j % c->most]];
}

/* ---- rate_recover ---------------------------------------------------------------------------- */

/*
 * Loads what came, clean and with a zero behind, and makes the items of the output, four at a time. (Sixteen bytes at a
 * time are slower: frames of odd lengths begin between them.) Sums are those of the reference, in its order, and
 * begin with 0. begin: the first item, a multiple of four. staged: LLRs are in shared memory. wide holds the sum of
 * 2^28 LLRs; those of i8 fit 32 bits.
 */
#define TURBO_RECOVER(name, type, wide, clean) \
    FECRUN_INLINE const type *name##_load(const struct turbo_rate_class *c, const type *in, \
                                          uint32_t *s, uint32_t t, uint32_t group) \
    { \
        const wide limit = (wide)c->limit; \
        const uint32_t e = c->rate.e; \
        const uint32_t whole = turbo_aligned(in, 4 * sizeof(type)) ? e / 4 * 4 : 0; \
        type *to = (type *)s; \
        for (uint32_t j = 4 * t; j < whole; j += 4 * group) { \
            type four[4]; \
            turbo_copy_four(four, in + j, sizeof(type)); \
            FECRUN_UNROLL \
            for (int i = 0; i < 4; i++) \
                four[i] = (type)clean(four[i], limit); \
            turbo_copy_four(to + j, four, sizeof(type)); \
        } \
        for (uint32_t j = whole + t; j < e; j += group) \
            to[j] = (type)clean(in[j], limit); \
        if (t == 0) \
            to[e] = 0; \
        return to; \
    } \
\
    FECRUN_INLINE type name##_sum(const struct turbo_rate_class *c, const type *from, uint32_t at, \
                                  wide sum, bool staged) \
    { \
        const wide limit = (wide)c->limit; \
        const uint32_t e = c->rate.e, sent = c->rate.sent; \
        if (at == TURBO_FILLER) \
            return (type)limit; \
        if (staged) \
            sum += from[at < e ? at : e]; \
        else if (at < TURBO_FILLER) \
            sum += clean(from[at], limit); \
        if (e > sent && at < TURBO_FILLER) \
            for (uint32_t j = at + sent; j < e; j += sent) \
                sum += staged ? (wide)from[j] : clean(from[j], limit); \
        return (type)clean(sum, limit); \
    } \
\
    FECRUN_INLINE void name(const struct turbo_rate_class *c, const uint16_t *place, \
                            const type *from, const type *prior, type *out, bool staged, \
                            uint32_t begin, uint32_t t, uint32_t group) \
    { \
        const wide limit = (wide)c->limit; \
        const uint32_t n = c->rate.n; \
        const bool words = turbo_aligned(out, 4 * sizeof(type)) && \
                           (!prior || turbo_aligned(prior, 4 * sizeof(type))); \
        for (uint32_t v = begin + TURBO_ITEMS * t; v < n; v += TURBO_ITEMS * group) { \
            type item[TURBO_ITEMS] = {0}, old[TURBO_ITEMS] = {0}; \
            uint16_t at[TURBO_ITEMS]; \
            const bool all = words && v + TURBO_ITEMS <= n; \
            turbo_copy_four(at, place + v, sizeof *at); \
            if (prior && all) \
                turbo_copy_four(old, prior + v, sizeof(type)); \
            FECRUN_UNROLL \
            for (uint32_t i = 0; i < TURBO_ITEMS; i++) { \
                wide sum = 0; \
                if (prior && !all && v + i < n) \
                    old[i] = prior[v + i]; \
                sum += clean(old[i], limit); \
                item[i] = name##_sum(c, from, at[i], sum, staged); \
            } \
            if (all) \
                turbo_copy_four(out + v, item, sizeof(type)); \
            FECRUN_UNROLL \
            for (uint32_t i = 0; i < TURBO_ITEMS; i++) \
                if (!all && v + i < n) \
                    out[v + i] = item[i]; \
        } \
    }

TURBO_RECOVER(turbo_recover_i8, int8_t, int32_t, recover_clean_int32)
TURBO_RECOVER(turbo_recover_i16, int16_t, int64_t, recover_clean_int)
TURBO_RECOVER(turbo_recover_f32, float, double, recover_clean)

#ifdef __CUDA_ARCH__

/* Bytes 0 and 1 of a word as 16 bits each, or bytes 2 and 3. */
static __device__ __forceinline__ uint32_t turbo_widen(uint32_t word, bool upper)
{
    uint32_t wide; /* __byte_perm() does not take the bit that repeats a sign */

    asm("prmt.b32 %0, %1, 0, %2;" : "=r"(wide) : "r"(word), "r"(upper ? 0xb3a2u : 0x9180u));
    return wide;
}

#endif

/* clean(old) + more, clamped to +-limit, of four bytes; `more` is clean. */
FECRUN_INLINE uint32_t turbo_add_four(uint32_t old, uint32_t more, int32_t limit)
{
#ifdef __CUDA_ARCH__
    const uint32_t most = (uint32_t)limit * 0x10001u, least = __vneg2(most);
    uint32_t sum[2];

#pragma unroll
    for (int i = 0; i < 2; i++) {
        const uint32_t clean = __vmaxs2(__vmins2(turbo_widen(old, i), most), least);

        sum[i] = __vmaxs2(__viaddmin_s16x2(clean, turbo_widen(more, i), most), least);
    }
    return __byte_perm(sum[0], sum[1], 0x6420);
#else
    uint32_t all = 0;

    for (int i = 0; i < 4; i++) {
        const int32_t sum = recover_clean_int32((int8_t)(old >> 8 * i), limit) +
                            (int8_t)(more >> 8 * i);

        all |= (uint32_t)(uint8_t)recover_clean_int32(sum, limit) << 8 * i;
    }
    return all;
#endif
}

/*
 * turbo_recover_i8() of all whole words of the output, where no item is sent twice, there are no fillers and
 * LLRs are in shared memory. Returns how many items those are.
 */
FECRUN_INLINE uint32_t turbo_recover_words(const struct turbo_rate_class *c, const uint16_t *place,
                                           const uint8_t *from, const uint8_t *prior, uint8_t *out,
                                           uint32_t t, uint32_t group)
{
    const uint32_t end = c->rate.n / TURBO_ITEMS * TURBO_ITEMS, e = c->rate.e;

    if (c->rate.fillers || e > c->rate.sent || !turbo_aligned(out, 4) ||
        (prior && !turbo_aligned(prior, 4)))
        return 0;
    for (uint32_t v = TURBO_ITEMS * t; v < end; v += TURBO_ITEMS * group) {
        uint32_t at[2], word = 0;

        fecrun_load_64(at, place + v);
        FECRUN_UNROLL
        for (unsigned i = 0; i < TURBO_ITEMS; i++) {
            const uint32_t item = at[i / 2] >> 16 * (i % 2) & 0xffff;

            word |= (uint32_t)from[item < e ? item : e] << 8 * i;
        }
        if (prior)
            word = turbo_add_four(fecrun_load_32(prior + v), word, c->limit);
        fecrun_store_32(out + v, word);
    }
    return end;
}

/* ---- the block, where there are threads and barriers ----------------------------------------- */

#if defined(__CUDACC__) || defined(FECRUN_EMULATED_BLOCKS)

FECRUN_INLINE const void *turbo_rate_load(const struct turbo_rate_class *c, uint32_t type,
                                          const uint8_t *in, uint32_t *s, uint32_t t,
                                          uint32_t group)
{
    if (type == FECRUN_PACKED)
        return turbo_match_load(in, (c->rate.n + 7) / 8, s, t, group);
    if (type == FECRUN_U8)
        return turbo_match_load(in, c->rate.n, s, t, group);
    if (type == FECRUN_I8)
        return turbo_recover_i8_load(c, (const int8_t *)in, s, t, group);
    if (type == FECRUN_I16)
        return turbo_recover_i16_load(c, (const int16_t *)(const void *)in, s, t, group);
    return turbo_recover_f32_load(c, (const float *)(const void *)in, s, t, group);
}

/* from: shared memory, or, where it is not staged, the input. */
FECRUN_INLINE void turbo_rate_make_items(const struct turbo_rate_class *c, uint32_t type,
                                         const uint16_t *place, const void *from, const void *prior,
                                         void *out, bool staged, uint32_t t, uint32_t group)
{
    if (type == FECRUN_PACKED)
        turbo_match_packed(c, place, (const uint8_t *)from, (uint8_t *)out, t, group);
    else if (type == FECRUN_U8)
        turbo_match_u8(c, place, (const uint8_t *)from, (uint8_t *)out, t, group);
    else if (type == FECRUN_I8)
        turbo_recover_i8(
            c, place, (const int8_t *)from, (const int8_t *)prior, (int8_t *)out, staged,
            staged ? turbo_recover_words(c, place, (const uint8_t *)from, (const uint8_t *)prior,
                                         (uint8_t *)out, t, group)
                   : 0,
            t, group);
    else if (type == FECRUN_I16)
        turbo_recover_i16(c, place, (const int16_t *)from, (const int16_t *)prior, (int16_t *)out,
                          staged, 0, t, group);
    else
        turbo_recover_f32(c, place, (const float *)from, (const float *)prior, (float *)out, staged,
                          0, t, group);
}

/* The compiler is to know the type, and whether input comes into shared memory. */
FECRUN_ON_DEVICE void turbo_rate_block(const struct turbo_rate_args *a, uint32_t type, bool staged,
                                       uint32_t *shared)
{
    const uint32_t group = a->group, t = threadIdx.x % group, own = threadIdx.x / group;
    const uint32_t per_block = TURBO_RATE_THREADS / group;
    uint32_t *s = shared + own * a->shared;

    for (uint64_t first = (uint64_t)blockIdx.x * per_block; first < a->frames.n;
         first += (uint64_t)gridDim.x * per_block) {
        const uint64_t f = first + own;
        const bool mine = f < a->frames.n;
        const struct turbo_rate_class *c = &a->classes[mine ? gpu_class(&a->frames, f) : 0];
        const void *in = mine ? gpu_frame(&a->in, f) : NULL;

        if (mine && staged)
            in = turbo_rate_load(c, type, (const uint8_t *)in, s, t, group);
        __syncthreads();
        if (mine)
            turbo_rate_make_items(c, type, a->items + c->table, in,
                                  a->prior.data ? gpu_frame(&a->prior, f) : NULL,
                                  gpu_frame(&a->out, f), staged, t, group);
        __syncthreads();
    }
}

#endif

#endif
