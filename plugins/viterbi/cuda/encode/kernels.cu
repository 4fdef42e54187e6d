/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/common/gpu/flat.h"
#include "plugins/viterbi/cuda/conv.h"
#include "plugins/viterbi/cuda/encode/words.h"
#include "plugins/viterbi/cuda/grid.h"
#include "plugins/viterbi/cuda/rows.h"

template <unsigned n, int in_packed, int out_packed>
static __global__ void __launch_bounds__(CONV_THREADS)
    encode(const __grid_constant__ struct conv_encode_args args, uint64_t chunks)
{
    FECRUN_EACH_FRAME(f, args.frames)
    FECRUN_EACH_UNIT(c, chunks)
    conv_encode_chunk(&args, n, in_packed, out_packed, f, c);
}

template <unsigned n>
static __global__ void __launch_bounds__(CONV_THREADS)
    encode_words(const __grid_constant__ struct conv_encode_args args,
                 const __grid_constant__ struct gpu_flat flat)
{
    uint64_t f;
    uint32_t c;

    if (gpu_flat_place(flat, &f, &c))
        conv_encode_words(&args, n, f, c);
}

template <unsigned n>
static __global__ void __launch_bounds__(CONV_ROWS)
    encode_frames(const __grid_constant__ struct conv_encode_args args)
{
    __shared__ uint4 rows[(CONV_FEW_BYTES * CONV_ROWS + 32) / 16];
    __shared__ unsigned all;

    conv_encode_block(&args, n, (uint8_t *)rows, &all);
}

/* Rows lie one behind the other without a gap, as they do where there are classes. */
template <unsigned n>
static bool launch_frames(const struct conv_encode_args *args, cudaStream_t stream)
{
    const uint64_t blocks = (args->frames + CONV_ROWS - 1) / CONV_ROWS;

    if (!conv_by_frames(args, args->bits) || blocks > INT32_MAX ||
        (!args->classes.of && args->out_stride != conv_encode_row_bytes(args, args->bits, 1)))
        return false;
    encode_frames<n><<<(unsigned)blocks, CONV_ROWS, 0, stream>>>(*args);
    return true;
}

template <unsigned n>
static void launch_words(const struct conv_encode_args *args, cudaStream_t stream)
{
    const uint64_t chunks = fecrun_chunks(conv_encode_row_bytes(args, args->bits, 1),
                                          CONV_WORDS_BYTES);

    if (launch_frames<n>(args, stream))
        return;
    gpu_flat_launch(args->frames, (uint32_t)chunks, CONV_THREADS,
                    [&](const struct gpu_flat &part, unsigned blocks) {
                        encode_words<n><<<blocks, CONV_THREADS, 0, stream>>>(*args, part);
                    });
}

template <unsigned n> static void launch(const struct conv_encode_args *args, cudaStream_t stream)
{
    const uint64_t chunks = fecrun_chunks(conv_encode_row_bytes(args, args->bits, args->out_packed),
                                          conv_encode_unit(args->out_packed));
    const struct fecrun_grid grid = conv_grid_of(chunks, args->frames, 1);

    if (args->in_packed)
        encode<n, 1, 1>
            <<<fecrun_grid_blocks(grid), fecrun_grid_threads(grid), 0, stream>>>(*args, chunks);
    else if (args->out_packed)
        encode<n, 0, 1>
            <<<fecrun_grid_blocks(grid), fecrun_grid_threads(grid), 0, stream>>>(*args, chunks);
    else
        encode<n, 0, 0>
            <<<fecrun_grid_blocks(grid), fecrun_grid_threads(grid), 0, stream>>>(*args, chunks);
}

extern "C" cudaError_t conv_encode_launch(const struct conv_encode_args *args, cudaStream_t stream)
{
    if (!args->frames)
        return cudaSuccess;
    if (conv_by_words(args)) {
        if (args->n == 2)
            launch_words<2>(args, stream);
        else
            launch_words<3>(args, stream);
        return cudaGetLastError();
    }
    switch (args->n) {
    case 2:
        launch<2>(args, stream);
        break;
    case 3:
        launch<3>(args, stream);
        break;
    case 4:
        launch<4>(args, stream);
        break;
    case 5:
        launch<5>(args, stream);
        break;
    case 6:
        launch<6>(args, stream);
        break;
    default:
        return cudaErrorInvalidValue;
    }
    return cudaGetLastError();
}
