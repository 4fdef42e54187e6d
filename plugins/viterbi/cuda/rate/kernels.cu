/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/plugin.h>

#include "plugins/common/gpu/flat.h"
#include "plugins/viterbi/cuda/conv.h"
#include "plugins/viterbi/cuda/rate/thread.h"
#include "plugins/viterbi/cuda/grid.h"

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
 * read the same entry of the table. The block's frames lie one behind the other: they go out in whole words.
 */
static __global__ void __launch_bounds__(CONV_THREADS)
    match_short(const __grid_constant__ struct conv_gather_args args, unsigned bits, unsigned words)
{
    extern __shared__ uint32_t shared[]; /* input words, rows of the output, the table */
    const unsigned bytes = (unsigned)(args.items + 7) / 8, items = (unsigned)args.items;
    uint32_t *const word = shared + threadIdx.x;
    uint8_t *const rows = (uint8_t *)(shared + words * CONV_THREADS);
    uint16_t *const place = (uint16_t *)(rows + (bytes * CONV_THREADS + 32) / 16 * 16);
    const uint64_t first = (uint64_t)blockIdx.x * CONV_THREADS, f = first + threadIdx.x;
    const unsigned n = args.frames - first < CONV_THREADS ? (unsigned)(args.frames - first)
                                                          : CONV_THREADS;
    uint8_t *const out = args.out + first * args.out_stride;
    const unsigned skip = (unsigned)((uintptr_t)out & 15), all = n * bytes;

    for (unsigned i = threadIdx.x; i < items; i += CONV_THREADS)
        place[i] = (uint16_t)args.place[i % args.period];
    if (f < args.frames)
        conv_match_load(args.in + f * args.in_stride, bits, word, CONV_THREADS);
    __syncthreads();
    for (unsigned w = 0; f < args.frames && 32 * w < items; w++) {
        const uint32_t made = fecrun_swap(conv_match_word(word, CONV_THREADS, place, items, w));

        fecrun_store_bytes(rows + skip + threadIdx.x * bytes, bytes, 4 * w, made);
    }
    __syncthreads();
    for (unsigned c = threadIdx.x; 16 * c < skip + all; c += CONV_THREADS) {
        const uint4 piece = ((const uint4 *)rows)[c];
        const int64_t begin = (int64_t)(16 * c) - skip;
        const uint32_t part[4] = {piece.x, piece.y, piece.z, piece.w};

        if (begin >= 0 && begin + 16 <= all)
            *(uint4 *)(out + begin) = piece;
        else
#pragma unroll
            for (int i = 0; i < 4; i++)
                fecrun_store_bytes(out, all, begin + 4 * i, part[i]);
    }
}

static void launch_short(const struct conv_gather_args *args, cudaStream_t stream)
{
    const unsigned words = (args->period + 31) / 32;
    const size_t bytes = (size_t)args->out_stride * CONV_THREADS;
    const size_t shared = 4 * words * CONV_THREADS + (bytes + 32) / 16 * 16 + 2 * args->items;

    match_short<<<(unsigned)((args->frames + CONV_THREADS - 1) / CONV_THREADS), CONV_THREADS,
                  shared, stream>>>(*args, args->period, words);
}

static void launch_packed(const struct conv_gather_args *args, cudaStream_t stream)
{
    const uint64_t words = (args->items + 32 * CONV_WARP - 1) / (32 * CONV_WARP) * CONV_WARP;
    const struct fecrun_grid grid = conv_grid_of(words, args->frames, CONV_WARP);

    if (conv_match_is_short(args) && args->out_stride == (args->items + 7) / 8) {
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

extern "C" cudaError_t conv_recover_launch(const struct conv_recover_args *args,
                                           cudaStream_t stream)
{
    const unsigned size = args->type == FECRUN_I8 ? 1 : args->type == FECRUN_I16 ? 2 : 4;

    if (!args->frames)
        return cudaSuccess;
    if (size == 1)
        launch_recover<conv_recover_i8>(args, size, stream);
    else if (size == 2)
        launch_recover<conv_recover_i16>(args, size, stream);
    else
        launch_recover<conv_recover_f32>(args, size, stream);
    return cudaGetLastError();
}
