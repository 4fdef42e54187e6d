/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the kernels of ldpc.rate_match (match.h) and ldpc.rate_recover know, and of
 * ldpc.rate_recover one CUDA thread: a chunk of the output of one frame. Most chunks are neighbours
 * in the input, too, or nothing that is sent: those are moved as a whole. In the others the first
 * item's place is found by rate/rate.h's arithmetic and the thread walks on from there, so that only the
 * first one takes divisions.
 */
#ifndef LDPC_CUDA_RATE_THREAD_H
#define LDPC_CUDA_RATE_THREAD_H

#include "plugins/common/gpu/frames.h"
#include "plugins/common/recover/clean.h"
#include "plugins/ldpc/rate/rate.h"

enum {
    LDPC_ITEMS = 4,        /* of any type but packed bits: what a thread walks over at once */
    LDPC_CHUNK = 16,       /* bytes of bits or LLRs: what it makes at once */
    LDPC_MATCH_CHUNK = 32, /* of packed bits with an interleaver, where each row has its cost */
    LDPC_RATE_ROWS = 8     /* of the interleaver, at most */
};

#ifdef __CUDA_ARCH__
#define LDPC_NO_UNROLL _Pragma("unroll 1")
#else
#define LDPC_NO_UNROLL
#endif

/* What kernels know of a class of frames. */
struct ldpc_rate_class {
    struct ldpc_rate rate;
    double limit, filler; /* rate_recover: struct ldpc_recover */
    /* rate_match: rank of the first bit of each row, and from one to the next one, modulo `sent` */
    uint32_t start[LDPC_RATE_ROWS], step;
    /* rate_recover: see recover.h */
    uint32_t from, segment[LDPC_RATE_ROWS + 1];
};

struct ldpc_rate_args {
    struct gpu_frames frames;
    struct gpu_port in, prior, out;        /* prior: rate_recover's soft buffer */
    const struct ldpc_rate_class *classes; /* in device memory */
    uint64_t chunks;                       /* the most that a frame of any class has */
    uint32_t windows;                      /* the same of those of recover.h */
};

/* Where a frame lies. */
struct ldpc_rate_frame {
    const uint8_t *in;
    uint8_t *out;
};

FECRUN_INLINE struct ldpc_rate_frame ldpc_rate_frame(const struct ldpc_rate_args *a, uint64_t f)
{
    struct ldpc_rate_frame at;

    at.in = gpu_frame(&a->in, f);
    at.out = gpu_frame(&a->out, f);
    return at;
}

/* Chunks of a frame's output; type: enum fecrun_type. */
FECRUN_INLINE uint64_t ldpc_rate_chunks_of(const struct ldpc_rate *r, uint32_t type)
{
    switch (type) {
    case FECRUN_PACKED:
        return r->qm == 1 ? fecrun_chunks((r->e + 7) / 8, LDPC_CHUNK)
                          : fecrun_chunks((r->e + 7) / 8, LDPC_MATCH_CHUNK);
    case FECRUN_U8:
        return fecrun_chunks(r->e, LDPC_CHUNK);
    case FECRUN_I8:
        return fecrun_chunks(r->n, LDPC_CHUNK);
    case FECRUN_I16:
        return fecrun_chunks(2 * (uint64_t)r->n, LDPC_CHUNK);
    default: /* FECRUN_F32 */
        return fecrun_chunks(4 * (uint64_t)r->n, LDPC_CHUNK);
    }
}

/* 16 bytes from anywhere; no aligned word without one of them is read. */
FECRUN_INLINE void gpu_load_chunk(uint32_t word[4], const uint8_t *from)
{
#ifdef __CUDA_ARCH__
    const unsigned skip = (unsigned)(uintptr_t)from & 3;
    const uint32_t *aligned = (const uint32_t *)(from - skip);
    uint32_t next;

    if (((uintptr_t)from & 15) == 0) {
        fecrun_load_128(word, from);
        return;
    }
    FECRUN_UNROLL
    for (int i = 0; i < 4; i++)
        word[i] = aligned[i];
    next = skip ? aligned[4] : 0;
    FECRUN_UNROLL
    for (int i = 0; i < 4; i++)
        word[i] = __funnelshift_r(word[i], i < 3 ? word[i + 1] : next, 8 * skip);
#else
    memcpy(word, from, LDPC_CHUNK);
#endif
}

/* ---- rate_recover -------------------------------------------------------------------------- */

/* Bit k of what is selected, in place i * qm + j of what is sent. */
struct ldpc_recover_walk {
    uint32_t k, i, j;
};

/* The item, or the first one behind it that is no filler. One that is never sent has any k. */
FECRUN_INLINE struct ldpc_recover_walk ldpc_recover_begin(const struct ldpc_rate *r, uint32_t item)
{
    uint32_t rank = item;
    struct ldpc_recover_walk w;

    if (item >= r->fill_end)
        rank = item - (r->fill_end - r->fill_begin);
    else if (item > r->fill_begin)
        rank = r->fill_begin;
    w.k = rank >= r->first ? rank - r->first : rank + r->sent - r->first;
    w.j = w.k / r->columns;
    w.i = w.k - w.j * r->columns;
    return w;
}

FECRUN_INLINE void ldpc_recover_on(const struct ldpc_rate *r, struct ldpc_recover_walk *w)
{
    w->k++;
    if (++w->i == r->columns) {
        w->i = 0;
        w->j++;
    }
}

/* From the bit of the last rank to that of rank 0, which is sent first. */
FECRUN_INLINE void ldpc_recover_wrap(const struct ldpc_rate *r, struct ldpc_recover_walk *w)
{
    if (w->k >= r->sent)
        w->k = w->i = w->j = 0;
}

/* What the items of a chunk are. */
enum ldpc_chunk_kind {
    LDPC_CHUNK_MIXED,
    LDPC_CHUNK_FILLERS,
    LDPC_CHUNK_NOTHING, /* none is received */
    LDPC_CHUNK_ONCE     /* each is received once, from place `at` on, qm apart */
};

FECRUN_INLINE enum ldpc_chunk_kind ldpc_recover_kind(const struct ldpc_rate *r, uint32_t item,
                                                     uint32_t n, uint32_t *at)
{
    uint32_t rank = item, k, row;

    if (item >= r->fill_begin && item + n <= r->fill_end)
        return LDPC_CHUNK_FILLERS;
    if (item < r->fill_end && item + n > r->fill_begin)
        return LDPC_CHUNK_MIXED;
    if (item >= r->ncb)
        return LDPC_CHUNK_NOTHING;
    if (item >= r->fill_end)
        rank -= r->fill_end - r->fill_begin;
    k = rank >= r->first ? rank - r->first : rank + r->sent - r->first;
    if (item + n > r->ncb || k + n > r->sent)
        return LDPC_CHUNK_MIXED;
    if (k >= r->e)
        return LDPC_CHUNK_NOTHING;
    row = r->qm == 1 ? 0 : k / r->columns;
    *at = r->qm == 1 ? k : (k - row * r->columns) * r->qm + row;
    if (k + n > r->e || k + r->sent < r->e || k + n > (row + 1) * r->columns)
        return LDPC_CHUNK_MIXED;
    return LDPC_CHUNK_ONCE;
}

/*
 * Four items of frame f. `wide` holds sums of `one` as exactly as the reference's double does, and
 * reals are added up in its order.
 */
#define LDPC_RECOVER(name, type, one, wide, clean) \
    FECRUN_INLINE void name(const struct ldpc_rate_args *a, const struct ldpc_rate_class *own, \
                            uint64_t f, int64_t begin) \
    { \
        const struct ldpc_rate *r = &own->rate; \
        const type *in = (const type *)gpu_frame(&a->in, f); \
        const type *prior = a->prior.data ? (const type *)gpu_frame(&a->prior, f) : NULL; \
        type *out = (type *)gpu_frame(&a->out, f); \
        const one limit = (one)own->limit; \
        const bool once = !prior && r->e <= r->sent; \
        struct ldpc_recover_walk w; \
        type item[LDPC_ITEMS]; \
        if (begin >= (int64_t)r->n || begin <= -LDPC_ITEMS) \
            return; \
        w = ldpc_recover_begin(r, begin < 0 ? 0 : (uint32_t)begin); \
        FECRUN_UNROLL \
        for (int i = 0; i < LDPC_ITEMS; i++) { \
            const uint32_t v = (uint32_t)(begin + i); \
            wide sum; \
            item[i] = 0; \
            if (begin + i < 0 || begin + i >= (int64_t)r->n) \
                continue; \
            if (ldpc_rate_is_filler(r, v)) { \
                item[i] = (type)own->filler; \
                continue; \
            } \
            sum = prior ? clean((one)prior[v], limit) : 0; \
            if (v < r->ncb) { \
                ldpc_recover_wrap(r, &w); \
                if (w.k < r->e) { \
                    const one x = clean((one)in[w.i * r->qm + w.j], limit); \
                    sum = once ? x : sum + x; /* where -0 stays -0 */ \
                } \
                for (uint32_t k = w.k + r->sent; k < r->e; k += r->sent) \
                    sum += clean((one)in[ldpc_rate_place(r, k)], limit); \
                ldpc_recover_on(r, &w); \
            } \
            item[i] = (type)(sum > limit ? limit : sum < -limit ? -limit : sum); \
        } \
        FECRUN_STORE_ITEMS(out, (int64_t)r->n, begin, item); \
    }

LDPC_RECOVER(ldpc_recover_four_i8, int8_t, int32_t, int64_t, recover_clean_int32)
LDPC_RECOVER(ldpc_recover_four_i16, int16_t, int32_t, int64_t, recover_clean_int32)
LDPC_RECOVER(ldpc_recover_four_f32, float, double, double, recover_clean)

/* The items of a word, each as a decoder reads it: the least integer is no LLR, nor is a NaN. */
FECRUN_INLINE uint32_t ldpc_clean_word_i8(uint32_t x)
{
    return x + ((x & ~((x & 0x7f7f7f7fu) + 0x7f7f7f7fu) & 0x80808080u) >> 7);
}

FECRUN_INLINE uint32_t ldpc_clean_word_i16(uint32_t x)
{
    return x + ((x & ~((x & 0x7fff7fffu) + 0x7fff7fffu) & 0x80008000u) >> 15);
}

FECRUN_INLINE uint32_t ldpc_clean_word_f32(uint32_t x)
{
    return fecrun_float_bits(fecrun_clean_llr(fecrun_bits_float(x)));
}

/*
 * A part of a frame's input in shared memory, whole aligned pieces of LDPC_CHUNK bytes. Behind each
 * group, qm pieces, lies a word of nothing: what lanes read whose chunks follow one another lies in
 * different banks then.
 */
struct ldpc_recover_near {
    const uint8_t *shared;
    int32_t begin, bytes; /* from the frame's first byte on; 0 bytes: nothing is there */
    uint32_t inverse;     /* of qm, of 16 bits */
};

enum { LDPC_NEAR_SHIFT = 16, LDPC_NEAR_PAD = 4 };

/* Groups in front of a piece. */
FECRUN_INLINE uint32_t ldpc_near_group(const struct ldpc_recover_near *near, uint32_t piece)
{
    return piece * near->inverse >> LDPC_NEAR_SHIFT;
}

/* Is what n items of so many bytes from this place on come from near? */
FECRUN_INLINE bool ldpc_is_near(const struct ldpc_recover_near *near, uint32_t qm, uint32_t at,
                                uint32_t n, uint32_t size)
{
    const int32_t begin = (int32_t)(at * size);

    return near && begin >= near->begin &&
           begin + (int32_t)(((n - 1) * qm + 1) * size) <= near->begin + near->bytes;
}

/*
 * Chunk c of frame f; near: NULL: nothing is. `most` is the limit that clean() knows. Where a word
 * is sent more than once, a real -0 that comes once is added to 0.
 */
#define LDPC_RECOVER_CHUNK(name, type, most, four, clean) \
    FECRUN_INLINE void name##_near(const struct ldpc_rate_args *a, \
                                   const struct ldpc_rate_class *own, uint64_t f, \
                                   const struct ldpc_recover_near *near, uint64_t c) \
    { \
        enum { ITEMS = LDPC_CHUNK / sizeof(type) }; \
        const struct ldpc_rate *r = &own->rate; \
        type *out = (type *)gpu_frame(&a->out, f); \
        const int64_t begin = fecrun_chunk_begin(out, LDPC_CHUNK, LDPC_CHUNK, c) / \
                              (int64_t)sizeof(type); \
        const bool whole = begin >= 0 && begin + ITEMS <= (int64_t)r->n && !a->prior.data && \
                           own->limit == (most) && (sizeof(type) < 4 || r->e <= r->sent); \
        enum ldpc_chunk_kind kind = LDPC_CHUNK_MIXED; \
        uint32_t at = 0, word[4]; \
        type item[ITEMS]; \
        if (whole) \
            kind = ldpc_recover_kind(r, (uint32_t)begin, ITEMS, &at); \
        if (kind == LDPC_CHUNK_MIXED) { \
            LDPC_NO_UNROLL \
            for (int i = 0; i < ITEMS; i += LDPC_ITEMS) \
                four(a, own, f, begin + i); \
            return; \
        } \
        if (kind != LDPC_CHUNK_ONCE) { \
            const type known = kind == LDPC_CHUNK_NOTHING ? (type)0 : (type)own->filler; \
            FECRUN_UNROLL \
            for (int i = 0; i < ITEMS; i++) \
                item[i] = known; \
            memcpy(word, item, LDPC_CHUNK); \
        } else if (r->qm == 1) { \
            gpu_load_chunk(word, gpu_frame(&a->in, f) + at * sizeof(type)); \
        } else if (ldpc_is_near(near, r->qm, at, ITEMS, sizeof(type))) { \
            const uint32_t step = r->qm * sizeof(type), first = at * sizeof(type) - near->begin; \
            const uint32_t group = ldpc_near_group(near, first / LDPC_CHUNK); \
            const uint32_t left = (group + 1) * LDPC_CHUNK * r->qm - first; \
            const uint8_t *in = near->shared + first + LDPC_NEAR_PAD * group; \
            FECRUN_UNROLL \
            for (int i = 0; i < ITEMS; i++) \
                item[i] = *(const type *)(const void *)(in + i * step + \
                                                        (i * step < left ? 0 : LDPC_NEAR_PAD)); \
            memcpy(word, item, LDPC_CHUNK); \
        } else { \
            const type *in = (const type *)gpu_frame(&a->in, f) + at; \
            FECRUN_UNROLL \
            for (int i = 0; i < ITEMS; i++) \
                item[i] = in[i * r->qm]; \
            memcpy(word, item, LDPC_CHUNK); \
        } \
        FECRUN_UNROLL \
        for (int i = 0; i < 4; i++) \
            word[i] = clean(word[i]); \
        fecrun_store_128(out + begin, word); \
    } \
    FECRUN_INLINE void name(const struct ldpc_rate_args *a, const struct ldpc_rate_class *own, \
                            uint64_t f, uint64_t c) \
    { \
        name##_near(a, own, f, NULL, c); \
    }

LDPC_RECOVER_CHUNK(ldpc_recover_i8, int8_t, INT8_MAX, ldpc_recover_four_i8, ldpc_clean_word_i8)
LDPC_RECOVER_CHUNK(ldpc_recover_i16, int16_t, INT16_MAX, ldpc_recover_four_i16, ldpc_clean_word_i16)
LDPC_RECOVER_CHUNK(ldpc_recover_f32, float, FECRUN_LLR_MAX_F32, ldpc_recover_four_f32,
                   ldpc_clean_word_f32)

#endif
