/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ldpc.rate_recover with an interleaver, a block of CUDA threads: a window of columns of one frame.
 * Neighbours in a row of the interleaver are qm places apart in the input, and the next row needs
 * the places between them. So the window is fetched once, in order, into shared memory, and the
 * chunks of all rows that need it are made from there.
 *
 * Which chunks those are need not be exact, since a chunk looks by itself whether what it needs is
 * near; they are dealt out once each. Chunk `from` has the item that is sent first. From there on,
 * round the frame, row k has chunks segment[k] to segment[k + 1], and what is behind the last one
 * belongs to no row.
 */
#ifndef LDPC_CUDA_RATE_RECOVER_H
#define LDPC_CUDA_RATE_RECOVER_H

#include "plugins/ldpc/cuda/rate/thread.h"

enum {
    LDPC_WINDOW = 32,         /* chunks of each row */
    LDPC_WINDOW_THREADS = 64, /* divides the chunks of any even number of rows */
    LDPC_WINDOW_BLOCKS = 20,  /* at least that many on a multiprocessor */
    LDPC_WINDOW_HALO = 2,     /* chunks: how far those of a row can lie before the window */
    LDPC_WINDOW_PIECES = (LDPC_WINDOW + LDPC_WINDOW_HALO) * LDPC_RATE_ROWS + 2,
    LDPC_WINDOW_WORDS = LDPC_WINDOW_PIECES * LDPC_CHUNK / 4 + LDPC_WINDOW_PIECES / 2 + 1
};

/* Windows of a frame; 0: it has no interleaver. */
FECRUN_INLINE uint32_t ldpc_recover_windows(const struct ldpc_rate_class *c)
{
    uint32_t most = 0;

    for (uint32_t row = 0; row < c->rate.qm; row++)
        if (c->segment[row + 1] - c->segment[row] > most)
            most = c->segment[row + 1] - c->segment[row];
    return (most + LDPC_WINDOW - 1) / LDPC_WINDOW;
}

/* A piece of a frame's input of so many bytes, some of which may lie before it or behind it. */
FECRUN_INLINE void gpu_load_piece(uint32_t word[4], const uint8_t *frame, int32_t begin,
                                  int32_t bytes)
{
#ifdef __CUDA_ARCH__
    (void)bytes;
    fecrun_load_128(word, frame + begin);
#else
    uint8_t byte[LDPC_CHUNK];

    for (int32_t i = 0; i < LDPC_CHUNK; i++)
        byte[i] = begin + i >= 0 && begin + i < bytes ? frame[begin + i] : 0;
    memcpy(word, byte, LDPC_CHUNK);
#endif
}

#if defined(__CUDACC__) || defined(FECRUN_EMULATED_BLOCKS)

/* Fetches window w of a frame of items of so many bytes. */
FECRUN_ON_DEVICE struct ldpc_recover_near ldpc_recover_fetch(const struct ldpc_rate_class *own,
                                                             const uint8_t *frame, uint32_t size,
                                                             uint32_t w, uint32_t *shared)
{
    const struct ldpc_rate *r = &own->rate;
    const uint32_t items = LDPC_CHUNK / size, halo = w ? LDPC_WINDOW_HALO : 0;
    const uint32_t first = (w * LDPC_WINDOW - halo) * items;
    const uint32_t wanted = (w + 1) * LDPC_WINDOW * items;
    const uint32_t end = wanted < r->columns ? wanted : r->columns;
    struct ldpc_recover_near near;

    near.shared = (const uint8_t *)shared;
    near.begin = near.bytes = 0;
    near.inverse = (1u << LDPC_NEAR_SHIFT) / r->qm + 1;
    if (first >= end)
        return near;
    near.begin = (int32_t)(first * r->qm * size);
    near.begin -= (int32_t)((uintptr_t)(frame + near.begin) & (LDPC_CHUNK - 1));
    near.bytes = (int32_t)(end * r->qm * size) - near.begin;
    for (uint32_t piece = threadIdx.x; (int32_t)(piece * LDPC_CHUNK) < near.bytes;
         piece += LDPC_WINDOW_THREADS) {
        uint32_t *to = shared + piece * (LDPC_CHUNK / 4) + ldpc_near_group(&near, piece);
        uint32_t word[4];

        gpu_load_piece(word, frame, near.begin + (int32_t)(piece * LDPC_CHUNK),
                       (int32_t)(r->e * size));
        FECRUN_UNROLL
        for (int i = 0; i < 4; i++)
            to[i] = word[i];
    }
    return near;
}

/*
 * Chunk number n of those that a thread of block w of so many has, or UINT32_MAX: there are no more.
 * `chunks`: none this time.
 */
FECRUN_ON_DEVICE uint32_t ldpc_recover_turn(const struct ldpc_rate_class *c, uint32_t chunks,
                                            uint32_t w, uint32_t windows, uint32_t n)
{
    const uint32_t qm = c->rate.qm, turns = qm * LDPC_WINDOW / LDPC_WINDOW_THREADS;
    const uint32_t unit = n * LDPC_WINDOW_THREADS + threadIdx.x, row = unit / LDPC_WINDOW;
    uint32_t i;

    if (n < turns) {
        i = c->segment[row] + w * LDPC_WINDOW + unit % LDPC_WINDOW;
        if (i >= c->segment[row + 1])
            return chunks;
    } else {
        i = c->segment[qm] + ((n - turns) * windows + w) * LDPC_WINDOW_THREADS + threadIdx.x;
        if (i >= chunks)
            return UINT32_MAX;
    }
    i += c->from;
    return i < chunks ? i : i - chunks;
}

/*
 * Block w of so many of frame f, which has no soft buffer. table: `own` in device memory, for its
 * arrays. Where the frame lies is found once.
 */
#define LDPC_RECOVER_WINDOW(name, type, fecrun, chunk) \
    FECRUN_ON_DEVICE void name(const struct ldpc_rate_args *a, \
                               const struct ldpc_rate_class *table, \
                               const struct ldpc_rate_class *own, uint64_t f, uint32_t w, \
                               uint32_t windows, uint32_t *shared) \
    { \
        const uint32_t chunks = (uint32_t)ldpc_rate_chunks_of(&own->rate, fecrun); \
        struct ldpc_rate_args frame; \
        struct ldpc_recover_near near; \
        uint32_t c; \
        memset(&frame, 0, sizeof frame); \
        frame.in.data = gpu_frame(&a->in, f); \
        frame.out.data = gpu_frame(&a->out, f); \
        near = ldpc_recover_fetch(own, frame.in.data, sizeof(type), w, shared); \
        __syncthreads(); \
        LDPC_NO_UNROLL \
        for (uint32_t n = 0; (c = ldpc_recover_turn(table, chunks, w, windows, n)) != UINT32_MAX; \
             n++) \
            if (c < chunks) \
                chunk(&frame, own, 0, &near, c); \
        __syncthreads(); \
    }

LDPC_RECOVER_WINDOW(ldpc_recover_window_i8, int8_t, FECRUN_I8, ldpc_recover_i8_near)
LDPC_RECOVER_WINDOW(ldpc_recover_window_i16, int16_t, FECRUN_I16, ldpc_recover_i16_near)
LDPC_RECOVER_WINDOW(ldpc_recover_window_f32, float, FECRUN_F32, ldpc_recover_f32_near)

#endif
#endif
