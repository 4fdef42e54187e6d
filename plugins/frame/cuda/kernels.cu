/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/common/gpu/chunks.cuh"
#include "plugins/frame/cuda/launch.h"
#include "plugins/frame/cuda/pieces.h"
#include "plugins/frame/cuda/thread.h"

namespace
{

typedef void work(const struct frame_gpu_args *, const struct frame_gpu_class *, uint64_t,
                  uint64_t);

template <work *chunk> cudaError_t launch(const struct frame_gpu_args *args, cudaStream_t stream)
{
    return gpu_launch_chunks<struct frame_gpu_args, struct frame_gpu_class, chunk>(args, stream);
}

} // namespace

extern "C" const void *frame_gpu_kernel(void)
{
    return (const void *)
        gpu_each_chunk<struct frame_gpu_args, struct frame_gpu_class, frame_scramble_packed>;
}

extern "C" cudaError_t frame_gpu_interleave(const struct frame_gpu_args *args, uint32_t type,
                                            cudaStream_t stream)
{
    switch (type) {
    case FECRUN_U8:
    case FECRUN_I8:
        return launch<frame_interleave_8>(args, stream);
    case FECRUN_I16:
    case FECRUN_F16:
        return launch<frame_interleave_16>(args, stream);
    case FECRUN_F32:
        return launch<frame_interleave_32>(args, stream);
    default:
        return launch<frame_interleave_64>(args, stream);
    }
}

extern "C" cudaError_t frame_gpu_scramble(const struct frame_gpu_args *args, uint32_t type,
                                          cudaStream_t stream)
{
    switch (type) {
    case FECRUN_PACKED:
        return launch<frame_scramble_packed>(args, stream);
    case FECRUN_U8:
        return launch<frame_scramble_u8>(args, stream);
    case FECRUN_I8:
        return launch<frame_scramble_i8>(args, stream);
    case FECRUN_I16:
        return launch<frame_scramble_i16>(args, stream);
    case FECRUN_F16:
        return launch<frame_scramble_f16>(args, stream);
    default:
        return launch<frame_scramble_f32>(args, stream);
    }
}

extern "C" cudaError_t frame_gpu_hard(const struct frame_gpu_args *args, uint32_t type, int packed,
                                      cudaStream_t stream)
{
    switch (type) {
    case FECRUN_I8:
        return packed ? launch<frame_hard_i8_packed>(args, stream)
                      : launch<frame_hard_i8_u8>(args, stream);
    case FECRUN_I16:
        return packed ? launch<frame_hard_i16_packed>(args, stream)
                      : launch<frame_hard_i16_u8>(args, stream);
    case FECRUN_F16:
        return packed ? launch<frame_hard_f16_packed>(args, stream)
                      : launch<frame_hard_f16_u8>(args, stream);
    default:
        return packed ? launch<frame_hard_f32_packed>(args, stream)
                      : launch<frame_hard_f32_u8>(args, stream);
    }
}

extern "C" cudaError_t frame_gpu_pieces(const struct frame_pieces_args *args, uint32_t type,
                                        cudaStream_t stream)
{
    switch (type) {
    case FECRUN_U8:
    case FECRUN_I8:
        return gpu_launch_chunks<struct frame_pieces_args, struct frame_pieces_class,
                                 frame_pieces_8>(args, stream);
    case FECRUN_I16:
    case FECRUN_F16:
        return gpu_launch_chunks<struct frame_pieces_args, struct frame_pieces_class,
                                 frame_pieces_16>(args, stream);
    default:
        return gpu_launch_chunks<struct frame_pieces_args, struct frame_pieces_class,
                                 frame_pieces_32>(args, stream);
    }
}
