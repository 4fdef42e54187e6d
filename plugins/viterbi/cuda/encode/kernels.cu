/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/viterbi/cuda/conv.h"
#include "plugins/viterbi/cuda/encode/thread.h"
#include "plugins/viterbi/cuda/grid.h"

template <unsigned n, int in_packed, int out_packed>
static __global__ void __launch_bounds__(CONV_THREADS)
    encode(const __grid_constant__ struct conv_encode_args args, uint64_t chunks)
{
    FECRUN_EACH_FRAME(f, args.frames)
    FECRUN_EACH_UNIT(c, chunks)
    conv_encode_chunk(&args, n, in_packed, out_packed, f, c);
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
