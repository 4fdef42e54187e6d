/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels that change sample types; convert.h says how. */
#include "plugins/cuda/kernels.h"

enum { THREADS = 256, UNITS = CONVERT_TILE / THREADS };

/* A whole unit's side, of 2, 4, 8 or 16 bytes and aligned to them, in one access. */
template <uint32_t BYTES>
static __device__ __forceinline__ void load_whole(uint32_t words[4], const uint8_t *in)
{
    words[0] = words[1] = words[2] = words[3] = 0;
    if (BYTES == 16) {
        uint4 v = *reinterpret_cast<const uint4 *>(in);
        words[0] = v.x, words[1] = v.y, words[2] = v.z, words[3] = v.w;
    } else if (BYTES == 8) {
        uint2 v = *reinterpret_cast<const uint2 *>(in);
        words[0] = v.x, words[1] = v.y;
    } else if (BYTES == 4) {
        words[0] = *reinterpret_cast<const uint32_t *>(in);
    } else {
        words[0] = *reinterpret_cast<const uint16_t *>(in);
    }
}

template <uint32_t BYTES>
static __device__ __forceinline__ void store_whole(uint8_t *out, const uint32_t words[4])
{
    if (BYTES == 16)
        *reinterpret_cast<uint4 *>(out) = make_uint4(words[0], words[1], words[2], words[3]);
    else if (BYTES == 8)
        *reinterpret_cast<uint2 *>(out) = make_uint2(words[0], words[1]);
    else if (BYTES == 4)
        *reinterpret_cast<uint32_t *>(out) = words[0];
    else
        *reinterpret_cast<uint16_t *>(out) = (uint16_t)words[0];
}

/* Any alignment; all units, or the shorter ones only. */
template <unsigned PAIR, bool SHORT_ONLY>
static __device__ void convert_slowly(const convert_job &job, const struct convert_start &start)
{
#pragma unroll 1
    for (uint32_t k = 0; k < UNITS; k++) {
        convert_unit unit = convert_find(PAIR, &job, start, k * THREADS + threadIdx.x);

        if (unit.items && !(SHORT_ONLY && unit.items == convert_unit_items(PAIR)))
            convert_run(PAIR, &job, &unit);
    }
}

template <unsigned PAIR>
static __global__ void __launch_bounds__(THREADS) convert_any(convert_job job)
{
    convert_slowly<PAIR, false>(job, convert_start(&job, blockIdx.x));
}

/* All of a thread's loads are on their way before its first store. */
template <unsigned PAIR, uint32_t WHOLE, uint32_t IN_BYTES, uint32_t OUT_BYTES>
static __global__ void __launch_bounds__(THREADS) convert_whole(convert_job job)
{
    const struct convert_start start = convert_start(&job, blockIdx.x);
    convert_unit unit[UNITS];
    uint32_t in[UNITS][4], out[4];
    bool any_short = false;

#pragma unroll
    for (uint32_t k = 0; k < UNITS; k++) {
        unit[k] = convert_find(PAIR, &job, start, k * THREADS + threadIdx.x);
        any_short |= unit[k].items && unit[k].items < WHOLE;
        if (unit[k].items == WHOLE)
            load_whole<IN_BYTES>(in[k], unit[k].in);
    }
#pragma unroll
    for (uint32_t k = 0; k < UNITS; k++)
        if (unit[k].items == WHOLE) {
            convert_words(PAIR, in[k], out);
            store_whole<OUT_BYTES>(unit[k].out, out);
        }
    if (any_short)
        convert_slowly<PAIR, true>(job, start);
}

template <unsigned PAIR, uint32_t WHOLE, uint32_t IN_BYTES, uint32_t OUT_BYTES>
static cudaError_t launch(const convert_job &job, cudaStream_t stream)
{
    const uint64_t units = job.frames * job.units;
    const uint64_t blocks = units / CONVERT_TILE + (units % CONVERT_TILE != 0);

    if (!blocks)
        return cudaSuccess;
    if (blocks > 0x7fffffff) /* 32 TiB */
        return cudaErrorInvalidValue;
    if (convert_aligned(PAIR, &job))
        convert_whole<PAIR, WHOLE, IN_BYTES, OUT_BYTES>
            <<<(unsigned)blocks, THREADS, 0, stream>>>(job);
    else
        convert_any<PAIR><<<(unsigned)blocks, THREADS, 0, stream>>>(job);
    return cudaGetLastError();
}

extern "C" cudaError_t cuda_convert_launch(unsigned pair, const struct convert_job *job,
                                           void *handle)
{
    cudaStream_t stream = static_cast<cudaStream_t>(handle);

    switch (pair) {
    case CONVERT_PACK:
        return launch<CONVERT_PACK, 16, 16, 2>(*job, stream);
    case CONVERT_UNPACK:
        return launch<CONVERT_UNPACK, 16, 2, 16>(*job, stream);
    case CONVERT_I4_I8:
        return launch<CONVERT_I4_I8, 16, 8, 16>(*job, stream);
    case CONVERT_I4_I16:
        return launch<CONVERT_I4_I16, 8, 4, 16>(*job, stream);
    case CONVERT_I4_F32:
        return launch<CONVERT_I4_F32, 4, 2, 16>(*job, stream);
    case CONVERT_I8_I16:
        return launch<CONVERT_I8_I16, 8, 8, 16>(*job, stream);
    case CONVERT_I8_F32:
        return launch<CONVERT_I8_F32, 4, 4, 16>(*job, stream);
    case CONVERT_I16_F32:
        return launch<CONVERT_I16_F32, 4, 8, 16>(*job, stream);
    case CONVERT_F16_F32:
        return launch<CONVERT_F16_F32, 4, 8, 16>(*job, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

extern "C" const void *cuda_convert_kernel(void)
{
    return reinterpret_cast<const void *>(convert_whole<CONVERT_PACK, 16, 16, 2>);
}
