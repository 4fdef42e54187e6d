/* SPDX-License-Identifier: BSD-2-Clause */
/* modem.map, channel.*, modem.demap and llr.quantize. */
#include "plugins/chain/cuda/thread/symbols.h"
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

template <unsigned BITS> __global__ void map_kernel(rows in, rows out, levels from, bool wide)
{
    __shared__ levels levels;
    const uint64_t first = GROUP_SYMBOLS * my_group();

    share_levels(&levels, from);
    if (first >= out.items)
        return;
    FECRUN_EACH_FRAME(f, out.frames)
    {
        float x[4];

        map_two(&levels, BITS, in.type, row_of<const uint8_t>(in, f), first, out.items, x);
        store_two(row_of<float>(out, f), first, out.items, wide, x);
    }
}

/* ---- channel.awgn ---- */

/* Two symbols out of memory, or out of their bits where BITS is not 0. */
template <unsigned BITS>
__device__ __forceinline__ void two_symbols(const rows &in, const rows &out, const levels *levels,
                                            uint64_t frame, uint64_t first, bool wide, float x[4])
{
    if (BITS)
        map_two(levels, BITS, in.type, row_of<const uint8_t>(in, frame), first, out.items, x);
    else
        load_two(row_of<const float>(in, frame), first, out.items, wide, x);
}

template <unsigned BITS, bool REAL>
__global__ void awgn_kernel(rows in, rows out, levels from, float sigma, words words, bool wide_in,
                            bool wide_out)
{
    __shared__ levels levels;
    const uint64_t group = my_group(), first = (REAL ? GROUP_REAL : GROUP_SYMBOLS) * group;

    if (BITS)
        share_levels(&levels, from);
    if (first >= out.items)
        return;
    FECRUN_EACH_FRAME(f, out.frames)
    {
        float *row = row_of<float>(out, f);
        float noise[4], x[4];

        noise_block(&words.rng, words.first + f, group, noise);
        two_symbols<BITS>(in, out, &levels, f, first, wide_in, x);
        if (!REAL) {
            noise_complex(sigma, noise, x);
            store_two(row, first, out.items, wide_out, x);
            continue;
        }
        noise_real(sigma, noise, x);
        store_two(row, first, out.items, wide_out, x);
        if (first + 2 >= out.items)
            continue;
        two_symbols<BITS>(in, out, &levels, f, first + 2, wide_in, x);
        noise_real(sigma, noise + 2, x);
        store_two(row, first + 2, out.items, wide_out, x);
    }
}

/* ---- channel.bsc, channel.bec ---- */

__global__ void channel_kernel(rows in, rows out, channel_code code, words words, bool wide)
{
    const uint64_t group = my_group(), first = GROUP_LLRS * group;

    if (first >= out.items)
        return;
    FECRUN_EACH_FRAME(f, out.frames)
    {
        const unsigned n = group_part(out.items, first, GROUP_LLRS);
        float llr[4];

        channel_block(&code, &words.rng, words.first + f, group, in.type,
                      row_of<const uint8_t>(in, f), n, llr);
        put_f32(row_of<float>(out, f), first, n, wide, llr);
    }
}

/* ---- modem.demap, llr.quantize ---- */

/* LLRs of a row from `first` on, four at a time. */
template <uint32_t TYPE, unsigned N>
__device__ __forceinline__ void put_all(const quantize_code &code, const rows &out, uint64_t frame,
                                        uint64_t first, bool wide, const float (&llr)[N])
{
#pragma unroll
    for (unsigned i = 0; i < N; i += 4)
        if (first + i < out.items)
            put_llrs(TYPE, &code, row_of<void>(out, frame), first + i,
                     group_part(out.items, first + i, 4), wide, llr + i);
}

/* BITS of a dimension, 0: BPSK. */
template <unsigned BITS, uint32_t TYPE>
__global__ void demap_kernel(rows in, rows out, demap_code code, quantize_code quantize,
                             bool wide_in, bool wide_out)
{
    constexpr unsigned LLRS = BITS ? 4 * BITS : 4;
    const uint64_t group = my_group(), first = (BITS ? GROUP_SYMBOLS : GROUP_REAL) * group;

    if (first >= in.items)
        return;
    FECRUN_EACH_FRAME(f, in.frames)
    {
        const float *row = row_of<const float>(in, f);
        float y[4], llr[LLRS];

        load_two(row, first, in.items, wide_in, y);
        if (BITS) {
            demap_two(&code, BITS, y, llr);
        } else {
            demap_dimension(&code, 1, y[0], llr);
            demap_dimension(&code, 1, y[2], llr + 1);
            y[0] = y[2] = 0.0f;
            if (first + 2 < in.items)
                load_two(row, first + 2, in.items, wide_in, y);
            demap_dimension(&code, 1, y[0], llr + 2);
            demap_dimension(&code, 1, y[2], llr + 3);
        }
        put_all<TYPE>(quantize, out, f, group * LLRS, wide_out, llr);
    }
}

template <uint32_t TYPE>
__global__ void quantize_kernel(rows in, rows out, quantize_code code, bool wide_in, bool wide_out)
{
    const uint64_t first = GROUP_LLRS * my_group();

    if (first >= in.items)
        return;
    FECRUN_EACH_FRAME(f, in.frames)
    {
        const float *row = row_of<const float>(in, f) + first;
        const unsigned n = group_part(in.items, first, GROUP_LLRS);
        float x[4];

        if (wide_in && n == 4) {
            load_floats(x, row);
        } else {
#pragma unroll
            for (unsigned i = 0; i < 4; i++)
                x[i] = i < n ? row[i] : 0.0f;
        }
        put_all<TYPE>(code, out, f, first, wide_out, x);
    }
}

/* ---- Launching ---- */

template <unsigned BITS>
cudaError_t start_map(const rows &in, const rows &out, const levels *levels, void *stream)
{
    return start(map_kernel<BITS>, make_shape(out.frames, groups_of(out.items, GROUP_SYMBOLS)),
                 stream, in, out, *levels, multiple(out, 16));
}

template <unsigned BITS, bool REAL>
cudaError_t start_awgn(const rows &in, const rows &out, const levels *from, float sigma,
                       const words &words, void *stream)
{
    const levels none = {};

    return start(awgn_kernel<BITS, REAL>,
                 make_shape(out.frames, groups_of(out.items, REAL ? GROUP_REAL : GROUP_SYMBOLS)),
                 stream, in, out, from ? *from : none, sigma, words, multiple(in, 16),
                 multiple(out, 16));
}

bool wide_llrs(const rows &out)
{
    return multiple(out, (unsigned)fecrun_bytes(out.type, 4));
}

template <uint32_t TYPE>
cudaError_t start_demap(const rows &in, const rows &out, const demap_code *code,
                        const quantize_code &quantize, void *stream)
{
    const bool real = code->shape == CHAIN_REAL;
    const shape s = make_shape(in.frames, groups_of(in.items, real ? GROUP_REAL : GROUP_SYMBOLS));
    const bool wide_in = multiple(in, 16), wide_out = wide_llrs(out);

    if (real)
        return start(demap_kernel<0, TYPE>, s, stream, in, out, *code, quantize, wide_in, wide_out);
    switch (code->bits) {
    case 1:
        return start(demap_kernel<1, TYPE>, s, stream, in, out, *code, quantize, wide_in, wide_out);
    case 2:
        return start(demap_kernel<2, TYPE>, s, stream, in, out, *code, quantize, wide_in, wide_out);
    case 3:
        return start(demap_kernel<3, TYPE>, s, stream, in, out, *code, quantize, wide_in, wide_out);
    case 4:
        return start(demap_kernel<4, TYPE>, s, stream, in, out, *code, quantize, wide_in, wide_out);
    default:
        return cudaErrorInvalidValue;
    }
}

template <uint32_t TYPE>
cudaError_t start_quantize(const rows &in, const rows &out, const quantize_code *code, void *stream)
{
    return start(quantize_kernel<TYPE>, make_shape(in.frames, groups_of(in.items, GROUP_LLRS)),
                 stream, in, out, *code, multiple(in, 16), wide_llrs(out));
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
                                       struct words words, void *stream)
{
    if (empty(out))
        return cudaSuccess;
    switch (bits) {
    case 0:
        return code->real ? start_awgn<0, true>(in, out, levels, code->sigma, words, stream)
                          : start_awgn<0, false>(in, out, levels, code->sigma, words, stream);
    case 1:
        return start_awgn<1, true>(in, out, levels, code->sigma, words, stream);
    case 2:
        return start_awgn<2, false>(in, out, levels, code->sigma, words, stream);
    case 4:
        return start_awgn<4, false>(in, out, levels, code->sigma, words, stream);
    case 6:
        return start_awgn<6, false>(in, out, levels, code->sigma, words, stream);
    case 8:
        return start_awgn<8, false>(in, out, levels, code->sigma, words, stream);
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
    return start(channel_kernel, make_shape(out.frames, groups_of(out.items, GROUP_LLRS)), stream,
                 in, out, *code, words, multiple(out, 16));
}

extern "C" cudaError_t chain_cuda_demap(struct rows in, struct rows out,
                                        const struct demap_code *code,
                                        const struct quantize_code *quantize, void *stream)
{
    const quantize_code none = {};

    if (empty(in))
        return cudaSuccess;
    switch (out.type) {
    case FECRUN_F32:
        return start_demap<FECRUN_F32>(in, out, code, none, stream);
    case FECRUN_I8:
        return start_demap<FECRUN_I8>(in, out, code, *quantize, stream);
    case FECRUN_I16:
        return start_demap<FECRUN_I16>(in, out, code, *quantize, stream);
    case FECRUN_I4:
        return start_demap<FECRUN_I4>(in, out, code, *quantize, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

extern "C" cudaError_t chain_cuda_quantize(struct rows in, struct rows out,
                                           const struct quantize_code *code, void *stream)
{
    if (empty(in))
        return cudaSuccess;
    switch (out.type) {
    case FECRUN_I8:
        return start_quantize<FECRUN_I8>(in, out, code, stream);
    case FECRUN_I16:
        return start_quantize<FECRUN_I16>(in, out, code, stream);
    case FECRUN_I4:
        return start_quantize<FECRUN_I4>(in, out, code, stream);
    default:
        return cudaErrorInvalidValue;
    }
}
