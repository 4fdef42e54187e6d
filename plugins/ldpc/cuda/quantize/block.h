/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the threads of a block do (launch.h); also C, for tests.
 *
 * The mean magnitude of the LLRs that are not 0 becomes 24: 128 is then five times the mean, which few
 * exceed, and the weakest bits of 256QAM, a third of the mean, have eight steps. So that a few huge ones
 * do not make all others 0, magnitudes count up to three times the mean only, which is found again and
 * again.
 */
#ifndef LDPC_CUDA_QUANTIZE_BLOCK_H
#define LDPC_CUDA_QUANTIZE_BLOCK_H

#include <fecrun/plugin.h>
#include <fecrun/sdk/device.h>

#include "plugins/ldpc/cuda/general/arith.h"
#include "plugins/ldpc/cuda/quantize/launch.h"

enum { QUANTIZE_WARPS = LDPC_QUANTIZE_THREADS / 32, QUANTIZE_ROUNDS = 8 };

/* The threads of a frame, each with up to HELD of its LLRs, that are thread t here. A frame of up to 32 threads has no
   need of shared memory: `sums` is a word a warp of its threads. */
struct quantize_group {
    uint32_t threads, t;
    uint32_t *sums;
};

FECRUN_ON_DEVICE float quantize_read(const struct ldpc_quantize_work *w, const char *in, uint32_t i)
{
    if (w->in_type == FECRUN_F16)
        return fecrun_clean_llr(float_of_half(((const uint16_t *)in)[i]));
    return fecrun_clean_llr(((const float *)in)[i]);
}

/* Of all of the frame's threads. */
FECRUN_ON_DEVICE float quantize_sum(float x, const struct quantize_group *g)
{
    float all = 0;

    for (int mask = 16; mask; mask >>= 1)
        x += fecrun_bits_float(__shfl_xor_sync(0xffffffffu, fecrun_float_bits(x), mask));
    if (g->threads == 32)
        return x;
    if (g->t % 32 == 0)
        g->sums[g->t / 32] = fecrun_float_bits(x);
    __syncthreads();
    for (uint32_t i = 0; i < g->threads / 32; i++)
        all += fecrun_bits_float(g->sums[i]);
    __syncthreads();
    return all;
}

/* What the frame's LLRs are multiplied by; x: `held` of them, others 0. */
FECRUN_ON_DEVICE float quantize_scale(const float *x, const int held,
                                      const struct quantize_group *g)
{
    float count = 0, most = 2 * FECRUN_LLR_MAX_F32, mean = 0;

    FECRUN_UNROLL
    for (int k = 0; k < held; k++)
        count += x[k] != 0;
    count = quantize_sum(count, g);
    if (count == 0)
        return 0;
    for (int round = 0; round < QUANTIZE_ROUNDS; round++) {
        float sum = 0;

        FECRUN_UNROLL
        for (int k = 0; k < held; k++) {
            const float magnitude = x[k] < 0 ? -x[k] : x[k];

            sum += magnitude < most ? magnitude : most;
        }
        mean = quantize_sum(sum, g) / count;
        most = 3 * mean;
    }
    return mean > 1e-30f ? 24 / mean : 0;
}

FECRUN_ON_DEVICE int8_t quantize_round(float x)
{
    const float y = x > 127 ? 127 : x < -127 ? -127 : x;

    return (int8_t)(y < 0 ? y - 0.5f : y + 0.5f);
}

/* held: a constant, so that x lies in registers. */
FECRUN_ON_DEVICE void quantize_frame(const struct ldpc_quantize_work *w, uint64_t frame,
                                     const int held, const struct quantize_group *g)
{
    const char *in = w->in + frame * w->in_stride;
    int8_t *out = w->out + frame * w->out_stride;
    float x[LDPC_QUANTIZE_HELD], scale;

    FECRUN_UNROLL
    for (int k = 0; k < held; k++) {
        const uint32_t i = (uint32_t)k * g->threads + g->t;

        x[k] = i < w->n && (i < w->known || i >= w->known_end) ? quantize_read(w, in, i) : 0;
    }
    scale = quantize_scale(x, held, g);
    if (w->unit && g->t == 0)
        w->unit[frame] = scale > 0 ? 1 / scale : 0;
    FECRUN_UNROLL
    for (int k = 0; k < held; k++) {
        const uint32_t i = (uint32_t)k * g->threads + g->t;

        if (i < w->n)
            out[i] = quantize_round(x[k] * scale);
    }
}

#endif
