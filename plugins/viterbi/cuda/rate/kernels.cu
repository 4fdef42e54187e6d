/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/plugin.h>

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

static void launch_packed(const struct conv_gather_args *args, cudaStream_t stream)
{
    const uint64_t words = (args->items + 32 * CONV_WARP - 1) / (32 * CONV_WARP) * CONV_WARP;
    const struct fecrun_grid grid = conv_grid_of(words, args->frames, CONV_WARP);

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

extern "C" cudaError_t conv_recover_launch(const struct conv_recover_args *args,
                                           cudaStream_t stream)
{
    const unsigned size = args->type == FECRUN_I8 ? 1 : args->type == FECRUN_I16 ? 2 : 4;
    const uint64_t chunks = fecrun_chunks((uint64_t)CONV_STREAMS * args->steps * size,
                                          CONV_ITEMS * size);

    if (!args->frames)
        return cudaSuccess;
    if (size == 1)
        launch<conv_recover_args, conv_recover_i8>(args, chunks, stream);
    else if (size == 2)
        launch<conv_recover_args, conv_recover_i16>(args, chunks, stream);
    else
        launch<conv_recover_args, conv_recover_f32>(args, chunks, stream);
    return cudaGetLastError();
}
