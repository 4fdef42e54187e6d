/* SPDX-License-Identifier: BSD-2-Clause */
/* modem.map, channel.*, modem.demap and llr.quantize. */
#include "plugins/chain/cuda/thread/link.h"
#include "plugins/chain/cuda/kernels/launch.cuh"

namespace
{

/* ---- modem.map ---- */

/* Levels in shared memory: lanes of a warp want different ones. */
__device__ __forceinline__ void share_levels(levels *shared, const levels &from)
{
    const unsigned i = threadIdx.y * blockDim.x + threadIdx.x;

    if (i < 16)
        shared->level[i] = from.level[i];
    __syncthreads();
}

template <unsigned BITS, bool RAGGED>
__global__ void map_kernel(rows in, rows out, levels from, bool wide)
{
    __shared__ levels levels;
    const uint64_t first = GROUP_SYMBOLS * my_group();

    share_levels(&levels, from);
    if (first >= out.items)
        return;
    FECRUN_EACH_FRAME(f, out.frames)
    {
        const uint64_t symbols = items_of<RAGGED>(out, f);
        float *row = frame_of<RAGGED, float>(out, f);
        float x[4];

        if (RAGGED && first >= symbols)
            continue;
        map_two(&levels, BITS, in.type, frame_of<RAGGED, const uint8_t>(in, f), first, symbols, x);
        store_two(row, first, symbols, aligned<RAGGED>(row, 16, wide), x);
    }
}

/* ---- channel.awgn ---- */

/* A frame: bits where they are to be mapped, else symbols. */
struct noise_frame {
    const void *in;
    float *out;
    uint64_t symbols;
    bool wide_in, wide_out;
};

/* Two symbols out of memory, or out of their bits where BITS is not 0, with noise. */
template <unsigned BITS, bool REAL>
__device__ __forceinline__ void noisy_two(const noise_frame &frame, uint32_t type,
                                          const levels *levels, float sigma, uint64_t first,
                                          const float *noise)
{
    float x[4];

    if (BITS)
        map_two(levels, BITS, type, (const uint8_t *)frame.in, first, frame.symbols, x);
    else
        load_two((const float *)frame.in, first, frame.symbols, frame.wide_in, x);
    if (REAL)
        noise_real(sigma, noise, x);
    else
        noise_complex(sigma, noise, x);
    store_two(frame.out, first, frame.symbols, frame.wide_out, x);
}

template <unsigned BITS, bool REAL, bool RAGGED>
__global__ void awgn_kernel(rows in, rows out, levels from, float sigma, const link_class *classes,
                            words words, bool wide_in, bool wide_out)
{
    __shared__ levels levels;
    const uint64_t group = my_group(), first = (REAL ? GROUP_REAL : GROUP_SYMBOLS) * group;

    if (BITS)
        share_levels(&levels, from);
    if (first >= out.items)
        return;
    FECRUN_EACH_FRAME(f, out.frames)
    {
        const void *row_in = frame_of<RAGGED, const void>(in, f);
        float *row_out = frame_of<RAGGED, float>(out, f);
        const noise_frame frame = {row_in, row_out, items_of<RAGGED>(out, f),
                                   aligned<RAGGED>(row_in, 16, wide_in),
                                   aligned<RAGGED>(row_out, 16, wide_out)};
        const float own = RAGGED ? classes[out.class_of[f]].sigma : sigma;
        float noise[4];

        if (RAGGED && first >= frame.symbols)
            continue;
        noise_block(&words.rng, words.first + f, group, noise);
        noisy_two<BITS, REAL>(frame, in.type, &levels, own, first, noise);
        if (REAL && first + 2 < frame.symbols)
            noisy_two<BITS, REAL>(frame, in.type, &levels, own, first + 2, noise + 2);
    }
}

/* ---- channel.bsc, channel.bec ---- */

template <bool RAGGED>
__global__ void channel_kernel(rows in, rows out, channel_code code, words words, bool wide)
{
    const uint64_t group = my_group(), first = GROUP_LLRS * group;

    if (first >= out.items)
        return;
    FECRUN_EACH_FRAME(f, out.frames)
    {
        const uint64_t llrs = items_of<RAGGED>(out, f);
        const unsigned n = RAGGED && first >= llrs ? 0 : group_part(llrs, first, GROUP_LLRS);
        float *row = frame_of<RAGGED, float>(out, f);
        float llr[4];

        if (n == 0)
            continue;
        channel_block(&code, &words.rng, words.first + f, group, in.type,
                      frame_of<RAGGED, const uint8_t>(in, f), n, llr);
        put_f32(row, first, n, aligned<RAGGED>(row, 16, wide), llr);
    }
}

/* ---- modem.demap, llr.quantize ---- */

/* LLRs of a row of that many from `first` on, four at a time. */
template <uint32_t TYPE, unsigned N>
__device__ __forceinline__ void put_all(const quantize_code &code, void *row, uint64_t items,
                                        uint64_t first, bool wide, const float (&llr)[N])
{
#pragma unroll
    for (unsigned i = 0; i < N; i += 4)
        if (first + i < items)
            put_llrs(TYPE, &code, row, first + i, group_part(items, first + i, 4), wide, llr + i);
}

/* Bytes of four LLRs, on which wide stores of them have to be aligned. */
template <uint32_t TYPE> constexpr unsigned wide_bytes()
{
    return TYPE == FECRUN_I4 ? 2 : TYPE == FECRUN_I8 ? 4 : TYPE == FECRUN_F32 ? 16 : 8;
}

/* BITS of a dimension, 0: BPSK. */
template <unsigned BITS>
__device__ __forceinline__ void demap_group(const demap_code &code, const float *row,
                                            uint64_t first, uint64_t symbols, bool wide,
                                            float (&llr)[BITS ? 4 * BITS : 4])
{
    float y[4];

    load_two(row, first, symbols, wide, y);
    if (BITS) {
        demap_two(&code, BITS, y, llr);
        return;
    }
    demap_dimension(&code, 1, y[0], llr);
    demap_dimension(&code, 1, y[2], llr + 1);
    y[0] = y[2] = 0.0f;
    if (first + 2 < symbols)
        load_two(row, first + 2, symbols, wide, y);
    demap_dimension(&code, 1, y[0], llr + 2);
    demap_dimension(&code, 1, y[2], llr + 3);
}

template <unsigned BITS, uint32_t TYPE, bool RAGGED>
__global__ void demap_kernel(rows in, rows out, demap_code code, quantize_code quantize,
                             const link_class *classes, bool wide_in, bool wide_out)
{
    constexpr unsigned LLRS = BITS ? 4 * BITS : 4;
    const uint64_t group = my_group(), first = (BITS ? GROUP_SYMBOLS : GROUP_REAL) * group;

    if (first >= in.items)
        return;
    FECRUN_EACH_FRAME(f, in.frames)
    {
        const uint64_t symbols = items_of<RAGGED>(in, f);
        const float *from = frame_of<RAGGED, const float>(in, f);
        void *to = frame_of<RAGGED, void>(out, f);
        const link_class *own = RAGGED ? classes + in.class_of[f] : NULL;
        float llr[LLRS];

        if (RAGGED && first >= symbols)
            continue;
        demap_group<BITS>(RAGGED ? own->demap : code, from, first, symbols,
                          aligned<RAGGED>(from, 16, wide_in), llr);
        put_all<TYPE>(RAGGED ? own->quantize : quantize, to, items_of<RAGGED>(out, f), group * LLRS,
                      aligned<RAGGED>(to, wide_bytes<TYPE>(), wide_out), llr);
    }
}

template <uint32_t TYPE, bool RAGGED>
__global__ void quantize_kernel(rows in, rows out, quantize_code code, const link_class *classes,
                                bool wide_in, bool wide_out)
{
    const uint64_t first = GROUP_LLRS * my_group();

    if (first >= in.items)
        return;
    FECRUN_EACH_FRAME(f, in.frames)
    {
        const uint64_t items = items_of<RAGGED>(in, f);
        const unsigned n = RAGGED && first >= items ? 0 : group_part(items, first, GROUP_LLRS);
        const float *from = frame_of<RAGGED, const float>(in, f);
        void *to = frame_of<RAGGED, void>(out, f);
        float x[4];

        if (n == 0)
            continue;
        if (aligned<RAGGED>(from, 16, wide_in) && n == 4) {
            load_floats(x, from + first);
        } else {
#pragma unroll
            for (unsigned i = 0; i < 4; i++)
                x[i] = i < n ? from[first + i] : 0.0f;
        }
        put_all<TYPE>(RAGGED ? classes[in.class_of[f]].quantize : code, to, items, first,
                      aligned<RAGGED>(to, wide_bytes<TYPE>(), wide_out), x);
    }
}

/* ---- Launching ---- */

template <unsigned BITS>
cudaError_t start_map(const rows &in, const rows &out, const levels *levels, void *stream)
{
    return start(out.offset ? map_kernel<BITS, true> : map_kernel<BITS, false>,
                 make_shape(out.frames, groups_of(out.items, GROUP_SYMBOLS)), stream, in, out,
                 *levels, multiple(out, 16));
}

template <unsigned BITS, bool REAL>
cudaError_t start_awgn(const rows &in, const rows &out, const levels *from, float sigma,
                       const link_class *classes, const words &words, void *stream)
{
    const levels none = {};

    return start(out.offset ? awgn_kernel<BITS, REAL, true> : awgn_kernel<BITS, REAL, false>,
                 make_shape(out.frames, groups_of(out.items, REAL ? GROUP_REAL : GROUP_SYMBOLS)),
                 stream, in, out, from ? *from : none, sigma, classes, words, multiple(in, 16),
                 multiple(out, 16));
}

template <unsigned BITS, uint32_t TYPE>
cudaError_t launch_demap(const rows &in, const rows &out, const demap_code &code,
                         const quantize_code &quantize, const link_class *classes, void *stream)
{
    const shape s = make_shape(in.frames, groups_of(in.items, BITS ? GROUP_SYMBOLS : GROUP_REAL));

    return start(in.offset ? demap_kernel<BITS, TYPE, true> : demap_kernel<BITS, TYPE, false>, s,
                 stream, in, out, code, quantize, classes, multiple(in, 16),
                 multiple(out, wide_bytes<TYPE>()));
}

template <uint32_t TYPE>
cudaError_t start_demap(const rows &in, const rows &out, const demap_code &code,
                        const quantize_code &quantize, const link_class *classes, void *stream)
{
    if (code.shape == CHAIN_REAL)
        return launch_demap<0, TYPE>(in, out, code, quantize, classes, stream);
    switch (code.bits) {
    case 1:
        return launch_demap<1, TYPE>(in, out, code, quantize, classes, stream);
    case 2:
        return launch_demap<2, TYPE>(in, out, code, quantize, classes, stream);
    case 3:
        return launch_demap<3, TYPE>(in, out, code, quantize, classes, stream);
    case 4:
        return launch_demap<4, TYPE>(in, out, code, quantize, classes, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

template <uint32_t TYPE>
cudaError_t start_quantize(const rows &in, const rows &out, const quantize_code &code,
                           const link_class *classes, void *stream)
{
    return start(in.offset ? quantize_kernel<TYPE, true> : quantize_kernel<TYPE, false>,
                 make_shape(in.frames, groups_of(in.items, GROUP_LLRS)), stream, in, out, code,
                 classes, multiple(in, 16), multiple(out, wide_bytes<TYPE>()));
}

} // namespace

extern "C" cudaError_t chain_cuda_map(struct rows in, struct rows out, const struct levels *levels,
                                      unsigned bits, void *stream)
{
    if (empty(out))
        return cudaSuccess;
    switch (bits) {
    case 1:
        return start_map<1>(in, out, levels, stream);
    case 2:
        return start_map<2>(in, out, levels, stream);
    case 4:
        return start_map<4>(in, out, levels, stream);
    case 6:
        return start_map<6>(in, out, levels, stream);
    case 8:
        return start_map<8>(in, out, levels, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

extern "C" cudaError_t chain_cuda_awgn(struct rows in, struct rows out, const struct levels *levels,
                                       unsigned bits, const struct awgn_code *code,
                                       const struct link_class *classes, struct words words,
                                       void *stream)
{
    if (empty(out))
        return cudaSuccess;
    switch (bits) {
    case 0:
        return code->real
                   ? start_awgn<0, true>(in, out, levels, code->sigma, classes, words, stream)
                   : start_awgn<0, false>(in, out, levels, code->sigma, classes, words, stream);
    case 1:
        return start_awgn<1, true>(in, out, levels, code->sigma, classes, words, stream);
    case 2:
        return start_awgn<2, false>(in, out, levels, code->sigma, classes, words, stream);
    case 4:
        return start_awgn<4, false>(in, out, levels, code->sigma, classes, words, stream);
    case 6:
        return start_awgn<6, false>(in, out, levels, code->sigma, classes, words, stream);
    case 8:
        return start_awgn<8, false>(in, out, levels, code->sigma, classes, words, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

extern "C" cudaError_t chain_cuda_channel(struct rows in, struct rows out,
                                          const struct channel_code *code, struct words words,
                                          void *stream)
{
    if (empty(out))
        return cudaSuccess;
    return start(out.offset ? channel_kernel<true> : channel_kernel<false>,
                 make_shape(out.frames, groups_of(out.items, GROUP_LLRS)), stream, in, out, *code,
                 words, multiple(out, 16));
}

extern "C" cudaError_t chain_cuda_demap(struct rows in, struct rows out,
                                        const struct demap_code *code,
                                        const struct quantize_code *quantize,
                                        const struct link_class *classes, void *stream)
{
    const quantize_code none = {};

    if (empty(in))
        return cudaSuccess;
    switch (out.type) {
    case FECRUN_F32:
        return start_demap<FECRUN_F32>(in, out, *code, none, classes, stream);
    case FECRUN_F16:
        return start_demap<FECRUN_F16>(in, out, *code, none, classes, stream);
    case FECRUN_I8:
        return start_demap<FECRUN_I8>(in, out, *code, *quantize, classes, stream);
    case FECRUN_I16:
        return start_demap<FECRUN_I16>(in, out, *code, *quantize, classes, stream);
    case FECRUN_I4:
        return start_demap<FECRUN_I4>(in, out, *code, *quantize, classes, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

extern "C" cudaError_t chain_cuda_quantize(struct rows in, struct rows out,
                                           const struct quantize_code *code,
                                           const struct link_class *classes, void *stream)
{
    if (empty(in))
        return cudaSuccess;
    switch (out.type) {
    case FECRUN_I8:
        return start_quantize<FECRUN_I8>(in, out, *code, classes, stream);
    case FECRUN_I16:
        return start_quantize<FECRUN_I16>(in, out, *code, classes, stream);
    case FECRUN_I4:
        return start_quantize<FECRUN_I4>(in, out, *code, classes, stream);
    default:
        return cudaErrorInvalidValue;
    }
}
