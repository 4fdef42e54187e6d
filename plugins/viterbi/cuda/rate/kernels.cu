/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/plugin.h>

#include "plugins/common/gpu/flat.h"
#include "plugins/viterbi/cuda/conv.h"
#include "plugins/viterbi/cuda/rate/thread.h"
#include "plugins/viterbi/cuda/grid.h"
#include "plugins/viterbi/cuda/rows.cuh"

template <class arguments, void (*chunk)(const arguments *, uint64_t, uint64_t)>
static __global__ void __launch_bounds__(CONV_THREADS)
    each_chunk(const __grid_constant__ arguments args, uint64_t chunks)
{
    FECRUN_EACH_FRAME(f, args.frames)
    FECRUN_EACH_UNIT(c, chunks)
    chunk(&args, f, c);
}

template <class arguments, void (*chunk)(const arguments *, uint64_t, uint64_t)>
static void launch(const arguments *args, uint64_t chunks, cudaStream_t stream)
{
    const struct fecrun_grid grid = conv_grid_of(chunks, args->frames, 1);

    each_chunk<arguments, chunk>
        <<<fecrun_grid_blocks(grid), fecrun_grid_threads(grid), 0, stream>>>(*args, chunks);
}

/*
 * A warp makes up to 32 words, one after the other, each lane a bit of each: so neighbouring lanes
 * read neighbouring entries of the table. `words` is rounded up to whole warps, which therefore
 * stay together; `periods` and `rest` are what 32 items more mean.
 */
static __global__ void __launch_bounds__(CONV_THREADS)
    gather_packed(const __grid_constant__ struct conv_gather_args args, uint64_t words,
                  uint32_t periods, uint32_t rest)
{
    const unsigned lane = threadIdx.x % CONV_WARP;

    FECRUN_EACH_FRAME(f, args.frames)
    {
        const struct conv_gather_args own = conv_gather_frame(&args, f);
        const uint64_t all = (own.items + CONV_WARP - 1) / CONV_WARP;

        if (args.classes.of) {
            periods = CONV_WARP / own.period;
            rest = CONV_WARP % own.period;
        }
        FECRUN_EACH_UNIT(c, words)
        {
            const uint64_t first = c - lane, left = all > first ? all - first : 0;
            const unsigned n = left < CONV_WARP ? (unsigned)left : CONV_WARP;
            uint64_t i = CONV_WARP * first + lane;
            struct conv_walk walk = conv_walk_to(&own, i);
            uint32_t mine = 0;

            for (unsigned k = 0; k < n; k++, i += CONV_WARP) {
                unsigned bit = i < own.items ? conv_gather_bit(&own, own.in, &walk) : 0;
                uint32_t word = __brev(__ballot_sync(UINT32_MAX, (int)bit));

                mine = k == lane ? word : mine;
                conv_walk_on(&own, &walk, periods, rest);
            }
            if (lane < n)
                conv_gather_store(&own, first + lane, mine);
        }
    }
}

/*
 * Short frames: a thread makes all words of one, out of those of the input in shared memory. All lanes then
 * read the same entry of the table.
 */
static __global__ void __launch_bounds__(CONV_THREADS)
    match_short(const __grid_constant__ struct conv_gather_args args, unsigned words)
{
    extern __shared__ uint4 vectors[]; /* the table, words of the input, rows of the output */
    const unsigned items = (unsigned)args.items, bytes = (items + 7) / 8, room = (items + 31) / 32;
    uint16_t *const entry = (uint16_t *)vectors;
    uint32_t *const word = (uint32_t *)(entry + 32 * room) + threadIdx.x;
    uint8_t *const rows = (uint8_t *)(word - threadIdx.x + words * CONV_PITCH);
    const uint64_t first = (uint64_t)blockIdx.x * CONV_THREADS, f = first + threadIdx.x;
    const unsigned n = args.frames - first < CONV_THREADS ? (unsigned)(args.frames - first)
                                                          : CONV_THREADS;
    uint8_t *const out = args.out + first * args.out_stride;
    uint8_t *const row = rows + conv_rows_skip(out) + threadIdx.x * bytes;

    for (unsigned i = threadIdx.x; i < 32 * room; i += CONV_THREADS)
        entry[i] = i < items ? conv_match_entry(args.place[i % args.period]) : 0;
    if (f < args.frames)
        conv_match_load(args.in + f * args.in_stride, args.period, word);
    __syncthreads();
    for (unsigned w = 0; f < args.frames && w < room; w++) {
        uint32_t made = conv_match_word(word, entry + 32 * w);

        if (items - 32 * w < 32)
            made &= UINT32_MAX << (32 - (items - 32 * w));
        fecrun_store_bytes(row, bytes, 4 * w, fecrun_swap(made));
    }
    __syncthreads();
    conv_rows_put(out, rows, n * bytes);
}

static void launch_short(const struct conv_gather_args *args, cudaStream_t stream)
{
    const unsigned words = (args->period + 31) / 32, room = (unsigned)(args->items + 31) / 32;
    const size_t shared = 64 * room + 4 * words * CONV_PITCH + conv_rows_bytes(args->out_stride);

    match_short<<<(unsigned)((args->frames + CONV_THREADS - 1) / CONV_THREADS), CONV_THREADS,
                  shared, stream>>>(*args, words);
}

static void launch_packed(const struct conv_gather_args *args, cudaStream_t stream)
{
    const uint64_t words = (args->items + 32 * CONV_WARP - 1) / (32 * CONV_WARP) * CONV_WARP;
    const struct fecrun_grid grid = conv_grid_of(words, args->frames, CONV_WARP);

    if (conv_match_is_short(args) && args->out_stride == (args->items + 7) / 8 &&
        (args->frames >> 31) == 0) {
        launch_short(args, stream);
        return;
    }
    gather_packed<<<fecrun_grid_blocks(grid), fecrun_grid_threads(grid), 0, stream>>>(
        *args, words, CONV_WARP / args->period, CONV_WARP % args->period);
}

static void launch_items(const struct conv_gather_args *args, cudaStream_t stream)
{
    const uint64_t chunks = fecrun_chunks(args->items * args->item_bytes,
                                          CONV_ITEMS * args->item_bytes);

    if (args->item_bytes == 1)
        launch<conv_gather_args, conv_gather_8>(args, chunks, stream);
    else if (args->item_bytes == 2)
        launch<conv_gather_args, conv_gather_16>(args, chunks, stream);
    else
        launch<conv_gather_args, conv_gather_32>(args, chunks, stream);
}

extern "C" cudaError_t conv_gather_launch(const struct conv_gather_args *args, cudaStream_t stream)
{
    if (!args->frames || !args->items)
        return cudaSuccess;
    if (args->item_bytes)
        launch_items(args, stream);
    else
        launch_packed(args, stream);
    return cudaGetLastError();
}

template <void (*chunk)(const conv_recover_args *, uint64_t, uint64_t)>
static __global__ void __launch_bounds__(CONV_THREADS)
    recover(const __grid_constant__ conv_recover_args args, const __grid_constant__ gpu_flat flat)
{
    uint64_t f;
    uint32_t c;

    if (gpu_flat_place(flat, &f, &c))
        chunk(&args, f, c);
}

template <void (*chunk)(const conv_recover_args *, uint64_t, uint64_t)>
static void launch_recover(const conv_recover_args *args, unsigned size, cudaStream_t stream)
{
    const uint64_t chunks = fecrun_chunks((uint64_t)args->mother * size, CONV_ITEMS * size);

    gpu_flat_launch(args->frames, (uint32_t)chunks, CONV_THREADS,
                    [&](const gpu_flat &part, unsigned blocks) {
                        recover<chunk><<<blocks, CONV_THREADS, 0, stream>>>(*args, part);
                    });
}

/* ---- rate_recover, short frames of i8 ---- */

enum { RECOVER_SHARED = 48 * 1024 /* bytes, which any device has */ };

/* Words from one frame to the next in shared memory: odd, so that no two lanes meet in a bank. */
static __host__ __device__ uint32_t recover_pitch(uint32_t e)
{
    return (e + 3) / 4 | 1;
}

static __host__ __device__ uint32_t recover_room(uint32_t mother)
{
    return (mother + 7) / 8 * 8;
}

/* The block's frames to shared memory, `words` of them each: eight loads of a thread are on their way at once. */
static __device__ __forceinline__ void recover_take(const uint32_t *in, unsigned all,
                                                    const gpu_divider &words, uint32_t pitch,
                                                    uint32_t *frames)
{
    enum { AT_ONCE = 8 };

    for (unsigned i = threadIdx.x; i < all; i += AT_ONCE * CONV_THREADS) {
        uint32_t word[AT_ONCE];

#pragma unroll
        for (unsigned k = 0; k < AT_ONCE; k++)
            word[k] = i + k * CONV_THREADS < all ? in[i + k * CONV_THREADS] : 0;
#pragma unroll
        for (unsigned k = 0; k < AT_ONCE; k++) {
            const unsigned w = i + k * CONV_THREADS;
            const uint32_t f = gpu_divide(&words, w);

            if (w < all)
                frames[f * pitch + (w - f * words.by)] = word[k];
        }
    }
}

/* A thread makes a frame, so that nobody counts: all lanes take the same place of their frames. `words`: e / 4. */
static __global__ void __launch_bounds__(CONV_THREADS)
    recover_frames(const __grid_constant__ conv_recover_args args,
                   const __grid_constant__ gpu_divider words)
{
    extern __shared__ uint4 recover_vectors[]; /* ranks, rows of the output, frames of the input */
    const uint32_t mother = args.mother, e = (uint32_t)args.e, pitch = recover_pitch(e);
    uint16_t *const rank = (uint16_t *)recover_vectors;
    uint8_t *const rows = (uint8_t *)(rank + recover_room(mother));
    uint32_t *const frames = (uint32_t *)(rows + conv_rows_bytes(mother));
    const uint64_t first = (uint64_t)blockIdx.x * CONV_THREADS, left = args.frames - first;
    const unsigned n = left < CONV_THREADS ? (unsigned)left : CONV_THREADS;
    const uint32_t *const in = (const uint32_t *)(args.in + first * e);
    uint8_t *const out = args.out + first * mother;
    const int8_t *const own = (const int8_t *)(frames + threadIdx.x * pitch);
    uint8_t *const row = rows + conv_rows_skip(out) + threadIdx.x * mother;
    const int32_t limit = (int32_t)args.limit;

    for (unsigned i = threadIdx.x; i < recover_room(mother); i += CONV_THREADS)
        rank[i] = i < mother ? (uint16_t)args.rank[i] : UINT16_MAX;
    recover_take(in, n * words.by, words, pitch, frames);
    __syncthreads();
    for (uint32_t at = 0; at < mother && threadIdx.x < n; at += CONV_ITEMS) {
        uint16_t own_rank[CONV_ITEMS];
        int32_t item[CONV_ITEMS];
        uint32_t two[2];

        fecrun_load_64(two, rank + at);
        memcpy(own_rank, two, sizeof two);
        conv_recover_short(own, own_rank, mother, e, limit, item);
#pragma unroll
        for (unsigned i = 0; i < CONV_ITEMS; i++)
            if (at + i < mother)
                row[at + i] = (uint8_t)item[i];
    }
    __syncthreads();
    conv_rows_put(out, rows, n * mother);
}

/* False: the frames are not short, or lie elsewhere. */
static bool launch_frames(const conv_recover_args *args, cudaStream_t stream)
{
    const uint64_t blocks = (args->frames + CONV_THREADS - 1) / CONV_THREADS, e = args->e;
    size_t shared;

    if (args->classes.of || e > RECOVER_SHARED / CONV_THREADS ||
        args->mother > RECOVER_SHARED / CONV_THREADS || blocks > INT32_MAX || e % 4 ||
        (uintptr_t)args->in % 4 || args->in_stride != e || args->out_stride != args->mother)
        return false;
    shared = recover_room(args->mother) * sizeof(uint16_t) + conv_rows_bytes(args->mother) +
             4 * CONV_THREADS * (size_t)recover_pitch((uint32_t)e);
    if (shared > RECOVER_SHARED)
        return false;
    recover_frames<<<(unsigned)blocks, CONV_THREADS, shared, stream>>>(
        *args, gpu_divider_of((uint32_t)e / 4));
    return true;
}

extern "C" cudaError_t conv_recover_launch(const struct conv_recover_args *args,
                                           cudaStream_t stream)
{
    const unsigned size = args->type == FECRUN_I8 ? 1 : args->type == FECRUN_I16 ? 2 : 4;

    if (!args->frames)
        return cudaSuccess;
    if (size == 1 && launch_frames(args, stream))
        return cudaGetLastError();
    if (size == 1 && args->e >= CONV_LONG)
        launch_recover<conv_recover_i8_long>(args, size, stream);
    else if (size == 1)
        launch_recover<conv_recover_i8>(args, size, stream);
    else if (size == 2)
        launch_recover<conv_recover_i16>(args, size, stream);
    else
        launch_recover<conv_recover_f32>(args, size, stream);
    return cudaGetLastError();
}
