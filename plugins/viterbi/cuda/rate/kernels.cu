/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/plugin.h>

#include "plugins/common/gpu/flat.h"
#include "plugins/viterbi/cuda/conv.h"
#include "plugins/viterbi/cuda/rate/thread.h"
#include "plugins/viterbi/cuda/grid.h"
#include "plugins/viterbi/cuda/rows.h"

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

static __global__ void __launch_bounds__(CONV_ROWS)
    match_short(const __grid_constant__ struct conv_gather_args args)
{
    extern __shared__ uint4 vectors[];

    conv_match_block(&args, (uint8_t *)vectors);
}

static void launch_short(const struct conv_gather_args *args, cudaStream_t stream)
{
    match_short<<<(unsigned)((args->frames + CONV_ROWS - 1) / CONV_ROWS), CONV_ROWS,
                  conv_match_shared(args), stream>>>(*args);
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

static __global__ void __launch_bounds__(CONV_ROWS)
    recover_frames(const __grid_constant__ conv_recover_args args,
                   const __grid_constant__ gpu_divider words)
{
    extern __shared__ uint4 recover_vectors[];

    conv_recover_block(&args, &words, (uint8_t *)recover_vectors);
}

/* False: the frames are not short, or lie elsewhere. */
static bool launch_frames(const conv_recover_args *args, cudaStream_t stream)
{
    const uint64_t blocks = (args->frames + CONV_ROWS - 1) / CONV_ROWS, e = args->e;

    if (args->classes.of || e > RECOVER_SHARED / CONV_ROWS || !e || e % 4 ||
        args->mother > RECOVER_SHARED / CONV_ROWS || blocks > INT32_MAX ||
        (uintptr_t)args->in % 4 || args->in_stride != e || args->out_stride != args->mother ||
        conv_recover_shared(args->mother, (uint32_t)e) > RECOVER_SHARED)
        return false;
    recover_frames<<<(unsigned)blocks, CONV_ROWS, conv_recover_shared(args->mother, (uint32_t)e),
                     stream>>>(*args, gpu_divider_of((uint32_t)e / 4));
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
