/* SPDX-License-Identifier: BSD-2-Clause */
/* NAME.decode: a thread a bit. */
#include "NAME.h"

#include <cuda_runtime_api.h>
#include <fecrun/sdk/device.h>

static __global__ void decode(const char *in, char *out, uint64_t in_stride, uint64_t out_stride,
                              uint64_t frames, NAME_code code)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;

    for (uint64_t n = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; n < frames * code.bits;
         n += step) {
        const uint64_t f = n / code.bits, i = n % code.bits;
        const float *llr = (const float *)(in + f * in_stride) + i * code.times;
        double sum = 0;

        for (uint64_t k = 0; k < code.times; k++)
            sum += fecrun_clean_llr(llr[k]);
        out[f * out_stride + i] = sum < 0;
    }
}

const void *NAME_kernel(void)
{
    return (const void *)decode;
}

int NAME_launch(const struct NAME_code *code, const struct fecrun_view *in,
                const struct fecrun_view *out, void *stream)
{
    const uint64_t bits = in->frames * code->bits, blocks = bits / 256 + 1;

    if (bits)
        decode<<<(unsigned)(blocks < 65535 ? blocks : 65535), 256, 0, (cudaStream_t)stream>>>(
            (const char *)in->data, (char *)out->data, in->stride, out->stride, in->frames, *code);
    return (int)cudaGetLastError();
}
